"""Kernels: by hand, against exact fractions, and whatever must not matter."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tealeaves
from tealeaves import Topics
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.evidence import Counts
from tealeaves.metrics import metric
from tealeaves.metrics.catalogue import topic_kernel as machinery

WORDS = ("cat", "dog", "soup", "bread")
# p(t|w) with equal topics: first (1, 3/4, 1/3, 0), second (0, 1/4, 2/3, 1)
PHI = [[0.5, 0.3, 0.2, 0.0], [0.0, 0.1, 0.4, 0.5]]


def model(phi: Any = PHI, words: Any = WORDS, **known: Any) -> Topics:
    lists = [["cat", "dog"] for _ in phi]
    return Topics.of(lists, model="m", vocabulary=tuple(words), topic_word=phi, **known)


def values(spec: str, topics: Topics, **how: Any) -> list[float]:
    return [row.value for row in tealeaves.score(topics, metrics=spec, **how).topics]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        # the second topic's p(t|dog) is 0.1 / (0.3 + 0.1), just the threshold
        ("kernel_size", [3, 3]),
        ("purity", [0.5 + 0.3 + 0.2, 0.1 + 0.4 + 0.5]),
        ("contrast", [(1 + 3 / 4 + 1 / 3) / 3, (1 / 4 + 2 / 3 + 1) / 3]),
        ("kernel_size(threshold=0.5)", [2, 2]),
        ("purity(threshold=0.5)", [0.5 + 0.3, 0.4 + 0.5]),
        ("contrast(threshold=0.5)", [(1 + 3 / 4) / 2, (2 / 3 + 1) / 2]),
        # the most probable kernel words: cat and dog; bread and soup
        ("kernel_size@1", [1, 1]),
        ("kernel_size@9", [3, 3]),
        ("purity@1", [0.5, 0.5]),
        ("purity@2", [0.8, 0.9]),
        ("contrast@1", [1, 1]),
        ("contrast@2", [7 / 8, 5 / 6]),
    ],
)
def test_by_hand(spec: str, expected: list[float]) -> None:
    assert values(spec, model()) == pytest.approx(expected)


def test_the_prior_decides_who_owns_a_word() -> None:
    # 3 : 1 by tokens: p(second|w) = 0, .1 / (.9 + .1), .4 / (.6 + .4), 1
    theta = [[1.0, 0.0], [0.0, 1.0]]
    known = model(document_topic=theta, document_lengths=[30, 10])
    assert values("kernel_size(threshold=0.5)", known) == [3, 1]
    assert values("contrast(threshold=0.5)", known) == pytest.approx([(1 + 0.9 + 0.6) / 3, 1])
    for spec in ("kernel_size(threshold=0.5, prior=uniform)", "kernel_size(threshold=0.5)"):
        same = known if "uniform" in spec else model(document_topic=theta)
        assert values(spec, same) == [2, 2]


@pytest.mark.parametrize(
    ("known", "origin"),
    [
        ({}, "uniform"),
        ({"document_topic": [[0.5, 0.5]]}, "documents"),
        ({"document_topic": [[0.5, 0.5]], "document_lengths": [4]}, "tokens"),
    ],
)
def test_the_signature_says_where_the_prior_is_from(known: Any, origin: str) -> None:
    [row] = tealeaves.score(model(**known), metrics="purity").models
    assert f"|prior={origin}|" in row.signature


def test_an_empty_kernel() -> None:
    # cat is the first topic's by 1 / (1 + 0.2 + 0.2); soup is shared by halves
    phi = [[1.0, 0.0, 0.0, 0.0], [0.2, 0.0, 0.8, 0.0], [0.2, 0.0, 0.8, 0.0]]
    thing = model(phi)
    assert values("kernel_size(threshold=0.6)", thing) == [1, 0, 0]
    assert values("purity(threshold=0.6)", thing) == [1, 0, 0]
    assert values("contrast(threshold=0.6, empty=zero)", thing) == pytest.approx([1 / 1.4, 0, 0])
    rows = tealeaves.score(thing, metrics="contrast(threshold=0.6)")
    assert [math.isnan(row.value) for row in rows.topics] == [False, True, True]
    assert [row.support for row in rows.topics] == [1, 0, 0]
    assert rows.value("m", "contrast(threshold=0.6)") == pytest.approx(1 / 1.4)


def test_a_model_without_probabilities_lacks_them() -> None:
    for name in ("kernel_size", "purity", "contrast", "kernel_coherence"):
        one = metric(name)
        assert one.lacks(Topics.of([["a", "b"]])) == "no topic-word matrix"
        assert "weights" in one.lacks(model([[5.0, 1.0, 1.0, 0.0], [0.0, 1.0, 4.0, 2.0]]))
        assert one(prior="tokens").lacks(model()).startswith("prior=tokens needs token assign")
        assert one(prior="documents").lacks(model()).startswith("prior=documents needs")
        assert one.lacks(model()) == ""
    both = {"bare": Topics.of([["a", "b"]], model="bare"), "m": model()}
    scores = tealeaves.score(both, metrics="purity")
    assert math.isnan(scores.value("bare", "purity"))
    assert scores.value("m", "purity") == pytest.approx(1)
    assert "bare: no purity: no topic-word matrix" in scores.notes


@pytest.mark.parametrize("bad", ["threshold=0", "threshold=1.1", "prior=guess"])
def test_wrong_parameters(bad: str) -> None:
    with pytest.raises(InputError, match=r"must be .*, not (0|1\.1|guess)$"):
        metric(f"purity({bad})")
    with pytest.raises(InputError, match="no parameter empty"):
        metric("purity(empty=zero)")


counts_of_words = st.lists(st.integers(0, 6), min_size=5, max_size=5).filter(any)
models = st.lists(counts_of_words, min_size=1, max_size=4)


@given(models, st.data())
def test_against_exact_fractions(counts: list[list[int]], data: st.DataObject) -> None:
    sizes = data.draw(
        st.lists(st.integers(1, 9), min_size=len(counts), max_size=len(counts)), label="sizes"
    )
    threshold = data.draw(st.sampled_from([Fraction(1, 10), Fraction(1, 4), Fraction(1, 2)]))
    top = data.draw(st.none() | st.integers(1, 5), label="top")
    phi = [[Fraction(n, sum(row)) for n in row] for row in counts]
    expected_values: dict[str, list[float]] = {"kernel_size": [], "purity": [], "contrast": []}
    for k, row in enumerate(phi):
        inside = []
        for w, p in enumerate(row):
            total = sum(phi[s][w] * sizes[s] for s in range(len(phi)))
            if total and p * sizes[k] / total >= threshold:
                inside.append((p, p * sizes[k] / total))
        inside = sorted(inside, reverse=True)[:top]
        expected_values["kernel_size"].append(len(inside))
        expected_values["purity"].append(float(sum(p for p, _ in inside)))
        mean = float(sum(g for _, g in inside) / len(inside)) if inside else math.nan
        expected_values["contrast"].append(mean)
    thing = model(
        [[float(p) for p in row] for row in phi],
        "abcde",
        document_topic=np.eye(len(phi)),
        document_lengths=sizes,
    )
    for name, expected in expected_values.items():
        spec = f"{name}(threshold={float(threshold)})" + (f"@{top}" if top else "")
        assert values(spec, thing) == pytest.approx(expected, nan_ok=True)


@given(models, st.randoms(use_true_random=False))
def test_the_order_of_topics_and_words_does_not_matter(
    counts: list[list[int]], random: Any
) -> None:
    phi = np.array([[n / sum(row) for n in row] for row in counts])
    rows, columns = list(range(len(phi))), list(range(5))
    random.shuffle(rows)
    random.shuffle(columns)
    turned = model(phi[np.ix_(rows, columns)], [f"w{c}" for c in columns])
    for spec in ("kernel_size@2", "purity@2", "contrast", "contrast@2"):
        straight = np.array(values(spec, model(phi, [f"w{c}" for c in range(5)])))
        np.testing.assert_allclose(values(spec, turned), straight[rows], atol=1e-12)


# ---------------------------------------------------------------------- coherence of kernels

COUNTS = Counts.of(
    {"cat": 8, "dog": 4, "soup": 4, "bread": 4},
    {
        ("cat", "dog"): 4,
        ("cat", "soup"): 1,
        ("cat", "bread"): 1,
        ("dog", "soup"): 0,
        ("dog", "bread"): 0,
        ("soup", "bread"): 2,
    },
    16,
)


def test_coherence_of_kernels_by_hand() -> None:
    # threshold 1/2: cat and dog, PMI = log((4/16) / (8/16 * 4/16)) = log 2;
    # bread and soup, log((2/16) / (4/16 * 4/16)) = log 2
    both = [math.log(2), math.log(2)]
    assert values("kernel_coherence(threshold=0.5)", model(), counts=COUNTS) == pytest.approx(both)
    # threshold 1/4: cat, dog, soup have log 2, 0 (below chance), 0 (never together)
    first = values("kernel_coherence", model(), counts=COUNTS)[0]
    assert first == pytest.approx(math.log(2) / 3)
    # NPMI: log 2 / log 4 and log 2 / log 8
    npmi = values("kernel_coherence(measure=npmi, threshold=0.5)", model(), counts=COUNTS)
    assert npmi == pytest.approx([1 / 2, 1 / 3])


@pytest.mark.parametrize("measure", ["npmi", "umass", "npmi(window=5)", "c_v"])
def test_the_same_as_the_measure_on_the_kernel_words(measure: str) -> None:
    texts = ["cat dog soup", "cat dog", "soup bread cat", "bread soup", "dog bread", "cat"]
    spec = f"kernel_coherence(measure='{measure}')@3"
    scores = tealeaves.score(model(), texts, spec, tokens="tokens")
    lists = [["cat", "dog", "soup"], ["bread", "soup", "dog"]]  # the most probable first
    wanted = tealeaves.score(lists, texts, f"{measure}@3", tokens="tokens")
    assert [r.value for r in scores.topics] == [r.value for r in wanted.topics]
    assert [r.support for r in scores.topics] == [r.support for r in wanted.topics]
    assert f"measure='{metric(measure).signature}'" in scores.rows[0].signature
    assert "|texts=" in scores.rows[0].signature
    assert "|prior=uniform|" in scores.rows[0].signature


def test_kernels_of_fewer_than_two_words_have_no_coherence() -> None:
    # at 0.7 only bread is the second topic's own
    rows = tealeaves.score(model(), metrics="kernel_coherence(threshold=0.7)", counts=COUNTS).topics
    assert [row.support for row in rows] == [1, 0]
    assert math.isnan(rows.rows[1].value)
    equal = model([[0.25] * 4] * 3)  # p(t|w) = 1/3 everywhere
    scores = tealeaves.score(equal, ["cat dog"], "kernel_coherence(threshold=0.5) npmi")
    assert math.isnan(scores.value("m", "kernel_coherence(threshold=0.5)"))


def test_absent_kernel_words_are_named() -> None:
    scores = tealeaves.score(model(), ["cat dog soup"] * 3, "kernel_coherence", tokens="tokens")
    assert "m: not in the corpus: bread" in scores.notes


def test_the_measure_is_checked_and_decides_the_bounds() -> None:
    one = metric("kernel_coherence(measure='npmi( window = 10 )')")
    assert repr(one) == "kernel_coherence(measure='npmi(window=10)')"
    assert metric(repr(one)) == one == metric(one.signature)
    assert tuple(one.bounds) == (-1, 1)
    assert metric("kernel_coherence(measure=ppmi)") == metric("kernel_coherence")
    for wrong in ("purity", "kernel_coherence", "background_ratio", "sparsity"):
        with pytest.raises(InputError, match=f"{wrong} does not score lists of words"):
            metric(f"kernel_coherence(measure={wrong})")
    with pytest.raises(InputError, match=r"kernel_coherence\(measure=npmi\)@10, not"):
        metric("kernel_coherence(measure=npmi@10)")
    with pytest.raises(InputError, match="unknown metric"):
        metric("kernel_coherence(measure=wibble)")


def test_large_kernels_give_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machinery, "_MANY_PAIRS", 5)
    with pytest.warns(TealeavesWarning, match="kernels have 6 pairs"):
        values("kernel_coherence", model(), counts=COUNTS)


def test_without_a_kernel_of_two_words_there_is_no_value() -> None:
    equal = model([[0.25] * 4] * 5)  # p(t|w) = 1/5 everywhere, below the threshold
    scores = tealeaves.score(equal, ["cat dog", "soup"], "kernel_coherence")
    assert all(math.isnan(row.value) for row in scores)
    assert "|texts=2#" in scores.rows[0].signature


def test_an_empty_kernel_before_a_full_one() -> None:
    # p(t|w): the first topic shares all its words, the second has dog and soup for itself
    phi = [[0.5, 0.0, 0.0, 0.5], [0.1, 0.4, 0.4, 0.1]]
    scores = tealeaves.score(
        model(phi), ["dog soup", "dog soup cat", "bread"], "kernel_coherence(threshold=0.9)"
    )
    first, second = scores.topics
    assert math.isnan(first.value)
    assert second.value == pytest.approx(math.log(3 / 2))  # both in 2 of 3 texts: (2/3) / (4/9)


def test_a_word_on_the_threshold_is_in_the_kernel() -> None:
    # 0.3 = 0.1 + 0.2 up to rounding: p(t|w) is 1/3 of three equal topics, summed in any order
    thirds = model([[0.25] * 4] * 3)
    actual = tealeaves.score(thirds, metrics=f"kernel_size(threshold={1 / 3!r})").topics
    assert [row.value for row in actual] == [4, 4, 4]


def test_empty_words_of_a_vocabulary_are_passed_over() -> None:
    topics = Topics.of(
        [["cat", "dog"]], vocabulary=("cat", "dog", " "), topic_word=[[0.4, 0.4, 0.2]]
    )
    scores = tealeaves.score(topics, ["cat dog", "cat", "soup"], "kernel_coherence purity")
    assert not math.isnan(scores.value("model", "kernel_coherence"))


def test_a_measure_that_compares_models_is_refused() -> None:
    with pytest.raises(InputError, match="stability does not score lists of words by texts"):
        metric("kernel_coherence(measure=stability)")
