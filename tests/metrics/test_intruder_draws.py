"""Intruders: what must not change the numbers, and what drawing them at random does."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import tealeaves
from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.embeddings import WordVectors
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.metrics import metric
from tealeaves.metrics.embedded import space
from tealeaves.metrics.evaluation import evaluate
from tealeaves.metrics.scores import Score
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics

Lists = Sequence[Sequence[str]]
NAMES = ("isim", "int", "ish")
ALL = (*NAMES, *(f"{name}(compat=stream)" for name in NAMES))
DRAWN = tuple(f"{name}(draws=7, seed=3)" for name in NAMES)


def world(seed: int) -> tuple[list[list[str]], dict[str, NDArray[np.float64]]]:
    """Return four topics of five words, some of which are shared, and where the words are."""
    random = np.random.default_rng(seed)
    words = [f"w{number:02d}" for number in range(14)]
    topics = [random.permutation(words)[:5].tolist() for _ in range(4)]
    return topics, {word: random.normal(size=4) for word in words}


def rows(
    topics: Lists | Topics, points: Mapping[str, NDArray[np.float64]], spec: str
) -> dict[frozenset[str], Score]:
    """Score with vectors of double precision; topics by their words, the model by none."""
    model = topics if isinstance(topics, Topics) else Topics.of(topics)
    numbers = {word: number for number, word in enumerate(points)}
    vectors = WordVectors("toy", "", numbers, np.array(list(points.values())))
    wording = Wording(Pipeline.parse("words"))
    found = evaluate([model], [metric(spec)], Evidence(vectors={None: vectors}, wording=wording))
    words = {topic.id: frozenset(topic.words) for topic in model.topics}
    return {frozenset() if row.topic is None else words[row.topic]: row for row in found}


def values(found: Mapping[frozenset[str], Score]) -> dict[frozenset[str], float]:
    return {words: row.value for words, row in found.items()}


# ---------------------------------------------------------------------- what changes nothing


@given(st.integers(0, 999), st.sampled_from(ALL + DRAWN), st.floats(-6, 6))
def test_turning_and_scaling_space_changes_nothing(seed: int, spec: str, power: float) -> None:
    topics, points = world(seed)
    turn, _ = np.linalg.qr(np.random.default_rng(seed + 1).normal(size=(4, 4)))
    turned = {word: 10**power * (turn @ point) for word, point in points.items()}
    assert values(rows(topics, turned, spec)) == pytest.approx(
        values(rows(topics, points, spec)), abs=1e-9
    )


@given(st.integers(0, 999), st.sampled_from(ALL + DRAWN), st.randoms(use_true_random=False))
def test_no_order_changes_anything(seed: int, spec: str, random: Random) -> None:
    topics, points = world(seed)
    other = [list(topic) for topic in topics]
    random.shuffle(other)
    for topic in other:
        random.shuffle(topic)
    columns = list(points)
    random.shuffle(columns)
    again = rows(other, {word: points[word] for word in columns}, spec)
    assert values(again) == pytest.approx(values(rows(topics, points, spec)), abs=1e-12)


@pytest.mark.parametrize("spec", DRAWN)
def test_the_vocabulary_changes_nothing(spec: str) -> None:
    topics, points = world(1)
    phi = np.random.default_rng(0).dirichlet(np.ones(14), size=4)
    order = np.random.default_rng(1).permutation(14)
    vocabulary = np.array(list(points))
    models = [
        Topics.of(topics, vocabulary=tuple(vocabulary[at]), topic_word=phi[:, at])
        for at in (np.arange(14), order)
    ]
    one, other = (values(rows(model, points, spec)) for model in models)
    assert one == other


# ---------------------------------------------------------------------- drawing


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_score_another_another(name: str) -> None:
    topics, points = world(5)
    first, again, other = (
        rows(topics, points, f"{name}(draws=10, seed={seed})") for seed in (1, 1, 2)
    )
    assert first == again
    assert values(first) != values(other)
    none = rows(topics, points, f"{name}(draws=10)")
    assert values(none) == values(rows(topics, points, f"{name}(draws=10, seed=0)"))


@pytest.mark.parametrize("spec", ALL)
def test_many_draws_come_to_the_expectation(spec: str) -> None:
    topics, points = world(7)
    exact = rows(topics, points, spec)
    drawn = rows(topics, points, repr(metric(spec)(draws=20_000, seed=1)))
    for words, row in drawn.items():
        assert row.error is not None
        assert 0 < row.error < 0.01
        assert abs(row.value - exact[words].value) < 4 * row.error
        assert exact[words].error is None


@pytest.mark.parametrize("name", NAMES)
def test_the_error_shrinks_with_the_root_of_the_draws(name: str) -> None:
    topics, points = world(7)
    few, many = (rows(topics, points, f"{name}(draws={n})") for n in (4_000, 400_000))
    for words, row in few.items():
        assert row.error is not None
        assert many[words].error == pytest.approx(row.error / 10, rel=0.15)


@pytest.mark.parametrize(("name", "draws"), [("isim", 2), ("isim", 10), ("int", 10), ("ish", 10)])
def test_the_error_is_how_far_other_seeds_are(name: str, draws: int) -> None:
    topics, points = world(11)
    found = [rows(topics, points, f"{name}(draws={draws}, seed={seed})") for seed in range(300)]
    exact = values(rows(topics, points, name))
    for words in found[0]:  # the topics, and the model
        drawn = np.array([one[words].value for one in found])
        errors = np.array([one[words].error for one in found], dtype=np.float64)
        spread = drawn.std(ddof=1)
        # the square of the error is right on average; 300 seeds know the spread to about 4 %
        assert math.sqrt((errors**2).mean()) == pytest.approx(spread, rel=0.15)
        # and the mean of the means is the expectation
        assert abs(drawn.mean() - exact[words]) < 4 * spread / math.sqrt(len(drawn))


def test_the_error_of_a_model_is_that_of_the_mean_over_topics() -> None:
    topics, points = world(3)
    found = rows(topics, points, "isim(draws=10)")
    model = found.pop(frozenset())
    errors = [row.error for row in found.values() if row.error is not None]
    assert model.error == pytest.approx(math.sqrt(sum(error**2 for error in errors)) / 4)
    # by documents: 3/4, 1/4 and nothing of the others
    weighted = tealeaves.score(
        Topics.of(topics, documents=[30, 10, 0, 0]),
        None,
        "isim(draws=10)",
        embeddings=points,
        weight="documents",
    )
    *parts, whole = weighted.rows
    expected = math.hypot(0.75 * (parts[0].error or 0), 0.25 * (parts[1].error or 0))
    assert whole.error == pytest.approx(expected)
    assert whole.value == pytest.approx(0.75 * parts[0].value + 0.25 * parts[1].value)


def test_one_draw_has_no_standard_error() -> None:
    topics, points = world(3)
    found = rows(topics, points, "ish(draws=1)")
    assert all(row.error is None for row in found.values())
    assert all(-1 <= row.value <= 1 and row.support == 1 for row in found.values())


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("isim(seed=3)", "isim: seed is for draws=N alone; draws=all draws nothing"),
        ("isim(draws=0)", "draws"),
        ("isim(draws=most)", "draws"),
        ("isim(draws=2, seed=-1)", "seed"),
        ("isim(compat=octis)", "compat"),
        ("isim(intruders=frequent)", "intruders"),
    ],
)
def test_parameters_that_make_no_sense(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        metric(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "written"),
    [
        ("isim(draws=all)@10", "isim@10"),
        ("intruder_similarity(draws=10, seed=0)", "isim(draws=10)"),
        ("intruder_accuracy(seed=4, draws=10)@5", "int(draws=10, seed=4)@5"),
        ("intruder_shift(compat=stream, intruders=matched)", None),
    ],
)
def test_expressions(spec: str, written: str | None) -> None:
    one = metric(spec)
    assert metric(repr(one)) == one
    assert repr(one) == (written or "ish(intruders=matched, compat=stream)")
    assert ("seed=" in one.signature) == ("draws=10" in spec)
    assert repr(metric("isim(draws=10, seed=4)")(draws="all")) == "isim"


@pytest.mark.parametrize("spec", [*ALL, "ish(draws=2)"])
def test_of_many_words_not_all_products_are_kept(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    topics, points = world(9)
    kept = rows(topics, points, spec)
    monkeypatch.setattr(space, "_MOST_PRODUCTS", 1)
    assert values(rows(topics, points, spec)) == pytest.approx(values(kept), abs=1e-12)


def test_whoever_would_choose_by_ish_is_warned() -> None:
    lists = {"one": [["a", "b"], ["c", "d"]], "other": [["a", "c"], ["b", "d"]]}
    points = {"a": [1.0, 0.0], "b": [1.0, 1.0], "c": [0.0, 1.0], "d": [-1.0, 1.0]}
    warned = "ish: lower is declared better, but people prefer higher values"
    assert warned in tealeaves.score(lists, None, "ish", embeddings=points).notes
    for models, spec in (({"one": lists["one"]}, "ish"), (lists, "ish(compat=stream)")):
        assert warned not in tealeaves.score(models, None, spec, embeddings=points).notes
