"""Significance: by hand, against scipy, and against the formula of OCTIS."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cosine
from scipy.stats import entropy

import tealeaves
from tealeaves import Topics
from tealeaves.errors import InputError
from tealeaves.metrics import metric

PHI = [[0.5, 0.5, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25]]
THETA = [[1.0, 0.0], [0.5, 0.5]]  # p(t) = 3/4, 1/4; p(d|t) = (2/3, 1/3) and (0, 1)
LOG2 = math.log(2)


def model(phi: Any = PHI, theta: Any = THETA, **known: Any) -> Topics:
    words = tuple(f"w{i}" for i in range(len(phi[0])))
    parts = {"vocabulary": words, "topic_word": phi, "document_topic": theta}
    return Topics.of([["a", "b"] for _ in phi], model="m", **(parts | known))


def values(spec: str, topics: Topics) -> list[float]:
    return [row.value for row in tealeaves.score(topics, metrics=spec).topics]


# vacuous: 3/4 of the first and 1/4 of the second: (7, 7, 1, 1) / 16
UNIFORM = [LOG2, 0.0]
VACUOUS = [math.log(8 / 7), math.log(4 / 7) / 2 + math.log(4) / 2]
BACKGROUND = [2 / 3 * math.log(4 / 3) + 1 / 3 * math.log(2 / 3), LOG2]


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("junk=uniform", UNIFORM),
        ("junk=vacuous", VACUOUS),
        ("junk=background", BACKGROUND),
        ("", [sum(parts) / 3 for parts in zip(UNIFORM, VACUOUS, BACKGROUND, strict=True)]),
        # by equal topics: (3, 3, 1, 1) / 8
        ("junk=vacuous, prior=uniform", [math.log(4 / 3), math.log(2 / 3) / 2 + LOG2 / 2]),
        # 1 - (1/2 · 1/4 · 2) / (√(1/2) √(1/4)) = 1 - 1/√2
        ("junk=uniform, distance=cosine", [1 - math.sqrt(0.5), 0.0]),
        # the middle is (3, 3, 1, 1) / 8: (log 4/3 + (log 2/3 + log 2) / 2) / 2
        ("junk=uniform, distance=js", [(math.log(4 / 3) + math.log(4 / 3) / 2) / 2, 0.0]),
        # the first topic has zeros, so its way back is infinite
        ("junk=uniform, distance=symmetric", [math.nan, 0.0]),
    ],
)
def test_by_hand(parameters: str, expected: list[float]) -> None:
    actual = values(f"significance({parameters})", model())
    assert actual == pytest.approx(expected, nan_ok=True)


def test_against_the_words_of_the_corpus() -> None:
    # (4, 2, 1, 1) / 8: 1/2 log(4/4) + 1/2 log(4/2); 1/4 (log 2/4 + log 2/2 + 2 log 2)
    spec = "significance(junk=corpus)"
    known = model(term_frequency=[4, 2, 1, 1])
    assert values(spec, known) == pytest.approx([LOG2 / 2, LOG2 / 4])
    # the second topic has a word that does not occur
    assert values(spec, model(term_frequency=[4, 2, 1, 0])) == pytest.approx(
        [math.log(7 / 8) / 2 + math.log(7 / 4) / 2, math.nan], nan_ok=True
    )
    assert metric(spec).lacks(model()) == "no word frequencies"


def test_a_topic_of_no_document_has_no_value() -> None:
    thing = model(theta=[[1.0, 0.0], [1.0, 0.0]])
    for junk in ("vacuous", "background", "average"):
        rows = tealeaves.score(thing, metrics=f"significance(junk={junk})").topics.rows
        assert [row.support for row in rows] == [1, 0]
        assert [math.isnan(row.value) for row in rows] == [False, True]
    nothing = model(theta=np.empty((0, 2)))
    assert values("significance(junk=background)", nothing) == pytest.approx(
        [math.nan, math.nan], nan_ok=True
    )


def test_rounded_probabilities_are_distributions() -> None:
    rounded = values("significance(junk=uniform)", model([[0.3333, 0.3333, 0.3333], [1, 0, 0]]))
    assert rounded == pytest.approx([0.0, math.log(3)])


def test_what_is_lacking() -> None:
    one = metric("significance")
    assert one.lacks(Topics.of([["a"]])) == "no topic-word matrix"
    assert one.lacks(model(document_topic=None)) == "no document-topic matrix"
    assert one(junk="uniform").lacks(model(document_topic=None)) == ""
    assert one(junk="vacuous").lacks(model(document_topic=None)) == ""
    assert one(junk="vacuous", prior="tokens").lacks(model()).startswith("prior=tokens needs")
    assert one(junk="uniform", prior="tokens").lacks(model()) == ""
    bare = Topics.of([["a"], ["b"]], document_topic=THETA)
    assert one(junk="background").lacks(bare) == ""
    with pytest.raises(InputError, match=r"first words of topics: leave out @10"):
        values("significance@10", model())


def test_the_signature_says_where_the_prior_is_from() -> None:
    for junk, end in (("average", "|prior=documents"), ("vacuous", "|prior=documents")):
        [*_, row] = tealeaves.score(model(), metrics=f"significance(junk={junk})")
        assert f"{end}|" in row.signature
    [*_, row] = tealeaves.score(model(), metrics="significance(junk=uniform)")
    assert row.signature.count("prior=") == 1  # the parameter alone


positive = st.lists(st.integers(1, 9), min_size=5, max_size=5)
matrices = st.lists(positive, min_size=2, max_size=4).map(
    lambda rows: np.array([[n / sum(row) for n in row] for row in rows])
)
DISTANCES: dict[str, Any] = {
    "kl": entropy,
    "symmetric": lambda p, q: (entropy(p, q) + entropy(q, p)) / 2,
    # not jensenshannon: its root of a rounding error below 0 is NaN
    "js": lambda p, q: (entropy(p, (p + q) / 2) + entropy(q, (p + q) / 2)) / 2,
    "cosine": cosine,
}


@given(matrices, st.sampled_from(sorted(DISTANCES)), st.data())
def test_against_scipy(phi: np.ndarray[Any, Any], distance: str, data: st.DataObject) -> None:
    rows = st.lists(st.integers(0, 3), min_size=len(phi), max_size=len(phi)).filter(any)
    theta = np.array(data.draw(st.lists(rows, min_size=2, max_size=6)), dtype=float)
    theta /= theta.sum(axis=1, keepdims=True)
    shares = theta.mean(axis=0)
    measured = DISTANCES[distance]
    alike, documents = np.full(5, 0.2), np.full(len(theta), 1 / len(theta))
    with np.errstate(invalid="ignore", divide="ignore"):
        lone = [shares[k] == 0 for k in range(len(phi))]
        uniform = [measured(p, alike) for p in phi]
        vacuous = [
            math.nan if lone[k] else measured(p, (shares[:, None] * phi).sum(axis=0))
            for k, p in enumerate(phi)
        ]
        background = [
            math.nan if lone[k] else measured(column / column.sum(), documents)
            for k, column in enumerate(theta.T)
        ]
    expected = {"uniform": uniform, "vacuous": vacuous, "background": background}
    expected["average"] = list(np.mean(list(expected.values()), axis=0))
    for junk, wanted in expected.items():
        actual = values(f"significance(junk={junk}, distance={distance})", model(phi, theta))
        finite = np.where(np.isfinite(wanted), wanted, np.nan)
        np.testing.assert_allclose(actual, finite, atol=1e-7)


@given(matrices)
def test_near_the_formula_of_octis(phi: np.ndarray[Any, Any]) -> None:
    eps = 1e-5  # which OCTIS adds to both sides
    alike = np.full(5, 0.2) + eps
    octis = [float(np.sum((p + eps) * np.log((p + eps) / alike))) for p in phi]
    assert values("significance(junk=uniform)", model(phi, None)) == pytest.approx(octis, abs=1e-3)


@given(matrices, st.randoms(use_true_random=False))
def test_the_order_of_topics_and_words_does_not_matter(
    phi: np.ndarray[Any, Any], random: Any
) -> None:
    theta = np.arange(1.0, 1 + 3 * len(phi)).reshape(3, len(phi))
    rows, columns = list(range(len(phi))), list(range(5))
    random.shuffle(rows)
    random.shuffle(columns)
    straight = np.array(values("significance", model(phi, theta)))
    turned = values("significance", model(phi[np.ix_(rows, columns)], theta[:, rows]))
    np.testing.assert_allclose(turned, straight[rows], atol=1e-12)
