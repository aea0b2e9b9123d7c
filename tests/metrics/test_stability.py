"""Stability across runs: by hand, by slow definitions, by what must hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tealeaves
from tealeaves import Topics
from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.metrics import metric
from tealeaves.metrics.comparing import divergence, likeness
from tealeaves.metrics.comparing.matching import matches

from .slow_likeness import (
    ORACLES,
    SIMILARITIES,
    Lists,
    distributions,
    jaccard_slowly,
    model,
    of,
    rbo_slowly,
)

words = st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=6, unique=True)
runs_of_lists = st.lists(st.lists(words, min_size=1, max_size=4), min_size=2, max_size=4)


def models(runs: Sequence[Lists]) -> list[Topics]:
    return [model(run, f"run{number}") for number, run in enumerate(runs)]


def with_phi(phi: Floats, name: str, vocabulary: Sequence[str] | None = None) -> Topics:
    vocabulary = tuple(vocabulary or (f"w{v}" for v in range(phi.shape[1])))
    best = [[vocabulary[v] for v in np.argsort(-row, kind="stable")[:3]] for row in phi]
    return model(best, name, vocabulary=vocabulary, topic_word=phi)


# ---------------------------------------------------------------------- by hand


def test_by_hand() -> None:
    # Jaccard of the topics of two runs:  abc: {abd: 2/4, xyz: 0}, axy: {abd: 1/5, xyz: 2/4};
    # the best matching is abc - abd and axy - xyz, 1/2 each
    scores = tealeaves.score(
        models([["abc", "axy"], ["xyz", "abd"]]), None, "stability(similarity=jaccard)"
    )
    assert of(scores, "run0") == ([0.5, 0.5], [1.0, 1.0])
    assert of(scores, "run1") == ([0.5, 0.5], [1.0, 1.0])


def test_each_topic_is_matched_once() -> None:
    # abcf has 3/5 with abcd and 2/6 with abxy, abcd has 1 and 2/6:
    # abcf - abxy and abcd - abcd make 1/3 + 1, the other way round 3/5 + 1/3
    scores = tealeaves.score(
        models([["abcf", "abcd"], ["abcd", "abxy"]]), None, "stability(similarity=jaccard)"
    )
    assert of(scores, "run0")[0] == pytest.approx([1 / 3, 1.0])
    assert of(scores, "run1")[0] == pytest.approx([1.0, 1 / 3])


def test_a_greedy_choice_is_undone() -> None:
    # who takes the .9 first is left with 0: .8 + .8 is more
    table = np.array([[0.9, 0.8], [0.8, 0.0]])
    left, right, values = matches(
        lambda rows, columns: table[rows.start : rows.stop, columns.start - 2 : columns.stop - 2],
        [2, 2],
    )
    assert left.tolist() == [0, 1]
    assert right.tolist() == [3, 2]
    assert values.tolist() == [0.8, 0.8]


def test_three_runs_by_hand() -> None:
    # run0's one topic ab: 1/3 with run1's bc, 1 with run2's ab; run1's with run2's: 1/3
    scores = tealeaves.score(
        models([["ab"], ["bc"], ["ab"]]), None, "stability(similarity=jaccard)"
    )
    found = [of(scores, f"run{number}")[0][0] for number in range(3)]
    assert found == pytest.approx([(1 / 3 + 1) / 2, (1 / 3 + 1 / 3) / 2, (1 + 1 / 3) / 2])


def test_topics_left_over_lower_the_support() -> None:
    runs = models([["abc", "xyz"], ["abc"], ["abc", "xyz"]])
    scores = tealeaves.score(runs, None, "stability")
    values, support = of(scores, "run0")
    assert values == pytest.approx([1.0, 1.0])
    assert support == [1.0, 0.5]
    values, support = of(scores, "run1")
    assert values == pytest.approx([1.0])
    assert support == [1.0]
    scores = tealeaves.score(runs[:2], None, "stability")
    values, support = of(scores, "run0")
    assert values[0] == pytest.approx(1.0)
    assert math.isnan(values[1])
    assert support == [1.0, 0.0]
    assert scores.value("run0", "stability") == pytest.approx(1.0)


def test_short_topics_lower_the_support() -> None:
    # asked for 4 words: run0's topic has 2, run1's has 3: 2*3 of 16 pairs of ranks
    scores = tealeaves.score(models([["ab"], ["abc"]]), None, "stability(similarity=jaccard)@4")
    for run in ("run0", "run1"):
        assert of(scores, run) == ([2 / 3], [6 / 16])


def test_a_model_alone_says_nothing() -> None:
    scores = tealeaves.score(models([["abc", "xyz"]]), None, "stability@3")
    values, support = of(scores, "run0")
    assert all(math.isnan(value) for value in values)
    assert support == [0.0, 0.0]
    assert math.isnan(scores.value("run0", "stability@3"))


def test_only_runs_of_one_family_are_compared() -> None:
    several = [
        model(["ab"], "a1", family="lda"),
        model(["xy"], "b1", family="nmf"),
        model(["ab"], "a2", family="lda"),
        model(["xz"], "b2", family="nmf"),
        model(["ab"], "c1", family="etm"),
        model(["ab"], "free1"),
        model(["cd"], "free2"),
    ]
    scores = tealeaves.score(several, None, "stability(similarity=jaccard)")
    found = {one.model: of(scores, one.model)[0][0] for one in several}
    assert math.isnan(found.pop("c1"))  # it is alone
    assert found == pytest.approx(
        {"a1": 1, "a2": 1, "b1": 1 / 3, "b2": 1 / 3, "free1": 0, "free2": 0}
    )
    signatures = {row.model: row.signature for row in scores}
    assert "family=lda" in signatures["a1"]
    assert "family" not in signatures["free1"]


# ---------------------------------------------------------------------- by definition


def best_sum(likeness_: Callable[[int, int], float], rows: int, columns: int) -> float:
    """Try every matching."""
    if rows > columns:
        return best_sum(lambda one, other: likeness_(other, one), columns, rows)
    ways = permutations(range(columns), rows)
    return max(sum(likeness_(i, j) for i, j in enumerate(way)) for way in ways)


@pytest.mark.parametrize(
    ("spec", "compare"),
    [
        ("stability(p=0.8)", lambda one, other: rbo_slowly(one, other, 0.8)),
        ("stability(similarity=jaccard)", jaccard_slowly),
    ],
)
@settings(max_examples=60)
@given(runs=runs_of_lists, top=st.none() | st.integers(1, 6))
def test_every_matching_was_weighed(
    spec: str, compare: Callable[..., float], runs: Sequence[Lists], top: int | None
) -> None:
    """The sum over all topics and partners is that of the best matchings, tried one by one."""
    cut = [[one[:top] for one in run] for run in runs]
    scores = tealeaves.score(models(runs), None, spec if top is None else f"{spec}@{top}")
    for a, run in enumerate(cut):
        others = [other for b, other in enumerate(cut) if b != a]
        if any(len(other) < len(run) for other in others):
            continue  # each topic has a partner in each run: its mean is over all of them
        expected = sum(
            best_sum(lambda i, j, run=run, other=other: compare(run[i], other[j]), len(run), len(other))  # type: ignore[misc] # noqa: E501
            for other in others
        )  # fmt: skip
        values, support = of(scores, f"run{a}")
        assert sum(values) * len(others) == pytest.approx(expected, abs=1e-9)
        if top is None:
            assert support == [1.0] * len(run)


@given(runs=runs_of_lists, top=st.none() | st.integers(1, 6))
def test_promises(runs: Sequence[Lists], top: int | None) -> None:
    for similarity in ("rbo", "jaccard"):
        asked = metric("stability")(similarity=similarity)
        for row in tealeaves.score(models(runs), None, asked if top is None else asked @ top):
            assert 0 <= row.support <= 1
            assert math.isnan(row.value) == (row.support == 0)
            assert math.isnan(row.value) or 0 <= row.value <= 1


@pytest.mark.parametrize("similarity", ORACLES)
def test_distributions(similarity: str) -> None:
    oracle = ORACLES[similarity]
    phis = [distributions(seed, 3, 12) for seed in range(3)]
    runs = [with_phi(phi, f"run{number}") for number, phi in enumerate(phis)]
    spec = f"stability(similarity={similarity})"
    scores = tealeaves.score(runs, None, spec)
    for a, phi in enumerate(phis):
        expected = sum(
            best_sum(lambda i, j, phi=phi, other=other: oracle(phi[i], other[j]), 3, 3)  # type: ignore[misc]
            for b, other in enumerate(phis)
            if b != a
        )
        assert sum(of(scores, f"run{a}")[0]) * 2 == pytest.approx(expected)


def test_divergence_by_hand() -> None:
    # P = (1/2, 1/2, 0), Q = (1/2, 0, 1/2), their mean (1/2, 1/4, 1/4): entropies 1, 1, 3/2 bits;
    # JS = 3/2 - 1 = 1/2; cosine = (1/4) / (1/2) = 1/2
    one, other = np.array([[0.5, 0.5, 0.0]]), np.array([[0.5, 0.0, 0.5]])
    for similarity in ("js", "cosine"):
        runs = [with_phi(one, "run0"), with_phi(other, "run1")]
        scores = tealeaves.score(runs, None, f"stability(similarity={similarity})")
        values, support = of(scores, "run0")
        assert values == pytest.approx([0.5])
        assert support == [1.0]


@pytest.mark.parametrize("similarity", ORACLES)
def test_vocabularies_may_differ(similarity: str) -> None:
    # the same over the union a b c d: columns in another order, and words of probability 0
    whole = np.array([[0.5, 0.3, 0.2, 0.0], [0.0, 0.1, 0.4, 0.5]])
    wide = with_phi(whole, "run0", "abcd")
    other = np.array([[0.25, 0.0, 0.75], [0.6, 0.4, 0.0]])
    narrow = with_phi(other, "run1", "dxa")
    spec = f"stability(similarity={similarity})"
    scores = tealeaves.score([wide, narrow], None, spec)
    left = [[0.5, 0.3, 0.2, 0.0, 0.0], [0.0, 0.1, 0.4, 0.5, 0.0]]  # a b c d x
    right = [[0.75, 0.0, 0.0, 0.25, 0.0], [0.0, 0.0, 0.0, 0.6, 0.4]]
    expected = [ORACLES[similarity](np.array(p), np.array(q)) for p, q in zip(left, right, strict=True)]  # noqa: E501 # fmt: skip
    assert of(scores, "run0")[0] == pytest.approx(expected)


def test_a_word_twice_in_a_vocabulary_is_one_word() -> None:
    twice = with_phi(np.array([[0.25, 0.5, 0.25]]), "run0", "abc")
    twice = model(["ab"], "run0", vocabulary=("a", "b", "a"), topic_word=twice.topic_word)
    once = with_phi(np.array([[0.5, 0.5]]), "run1", "ab")
    scores = tealeaves.score([twice, once], None, "stability(similarity=js)")
    assert of(scores, "run0")[0] == pytest.approx([1.0])


def test_blocks_and_large_groups_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [with_phi(distributions(seed, 4, 20), f"run{seed}") for seed in range(3)]
    spec = "stability(similarity=js) stability(similarity=cosine)"
    whole = [row.value for row in tealeaves.score(runs, None, spec)]
    monkeypatch.setattr(divergence, "_AT_ONCE", 50)
    monkeypatch.setattr(likeness, "_MOST_AT_ONCE", 1)
    assert [row.value for row in tealeaves.score(runs, None, spec)] == pytest.approx(whole)


# ---------------------------------------------------------------------- what must hold


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_runs_that_agree_have_1_and_that_do_not_0(similarity: str) -> None:
    spec = f"stability(similarity={similarity})"
    phi = distributions(1, 5, 30)
    order = np.array([3, 1, 4, 0, 2])
    same = [with_phi(phi, "run0"), with_phi(phi[order], "run1"), with_phi(phi, "run2")]
    values, support = of(tealeaves.score(same, None, spec), "run1")
    assert values == pytest.approx([1.0] * 5)
    assert support == [1.0] * 5
    half = np.array([[0.5, 0.3, 0.2]])
    different = [with_phi(half, "run0", "abc"), with_phi(half, "run1", "xyz")]
    assert of(tealeaves.score(different, None, spec), "run0")[0] == pytest.approx([0.0], abs=1e-12)


@pytest.mark.parametrize("similarity", SIMILARITIES)
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), random=st.randoms())
def test_the_order_of_a_runs_topics_does_not_matter(
    similarity: str, seed: int, random: Any
) -> None:
    phis = [distributions(seed + run, 4, 15) for run in range(3)]
    order = [0, 1, 2, 3]
    random.shuffle(order)
    plain = [with_phi(phi, f"run{number}") for number, phi in enumerate(phis)]
    moved = [plain[0], with_phi(phis[1][order], "run1"), plain[2]]
    spec = f"stability(similarity={similarity})@3"
    before, after = (tealeaves.score(runs, None, spec) for runs in (plain, moved))
    for run in plain:  # the sum over matches is one, even where several matchings reach it
        assert before.value(run.model, repr(metric(spec))) == pytest.approx(
            after.value(run.model, repr(metric(spec)))
        )
    if similarity in ("js", "cosine"):  # which has no ties
        values = of(before, "run1")[0]
        assert of(after, "run1")[0] == pytest.approx([values[k] for k in order])
        assert of(after, "run0")[0] == pytest.approx(of(before, "run0")[0])


@given(st.permutations(range(3)))
def test_the_order_of_runs_does_not_matter(order: list[int]) -> None:
    phis = [distributions(seed, 3, 15) for seed in (7, 8, 9)]
    runs = [with_phi(phi, f"run{number}") for number, phi in enumerate(phis)]
    spec = "stability(similarity=js)"
    plain, moved = (
        tealeaves.score(one, None, spec) for one in (runs, [runs[number] for number in order])
    )
    for run in runs:
        assert of(plain, run.model)[0] == pytest.approx(of(moved, run.model)[0])


def test_first_words_alone_count_where_words_are_compared() -> None:
    runs = models([["abef", "cdgh"], ["abij", "cdkl"]])
    assert tealeaves.score(runs, None, "stability@2").value("run0", "stability@2") == pytest.approx(
        1
    )
    assert tealeaves.score(runs, None, "stability").value("run0", "stability") < 0.9


# ---------------------------------------------------------------------- parameters


def test_models_without_matrix_are_left_out() -> None:
    phi = distributions(0, 2, 9)
    runs = [with_phi(phi, "run0"), with_phi(phi, "run1"), model(["ab", "cd"], "words")]
    spec = "stability(similarity=js)"
    scores = tealeaves.score(runs, None, spec)
    assert scores.value("run0", spec) == pytest.approx(1.0)
    assert math.isnan(scores.value("words", spec))
    assert any("words" in note and "no topic-word matrix" in note for note in scores.notes)
    with pytest.raises(InputError, match="no topic-word matrix"):
        tealeaves.score(models([["ab"], ["cd"]]), None, spec)


@pytest.mark.parametrize("name", ["stability", "posterior_stability"])
def test_p_is_a_parameter_of_rbo_alone(name: str) -> None:
    one = metric(name)
    with pytest.raises(InputError, match="similarity=rbo alone"):
        one(similarity="js", p=0.5)
    with pytest.raises(InputError, match=f"{name}: p=1 cannot be"):
        one(similarity="rbo", p=1)
    with pytest.raises(InputError, match=f"{name}: similarity=foo cannot be"):
        one(similarity="foo")
    steep = one(similarity="rbo", p=0.5)
    assert "p=0.5" in repr(steep)
    assert "p=" not in one(similarity="js").signature
    assert "p=0.9" in one(similarity="rbo").signature
    assert steep(similarity="js")(similarity="rbo") == one(similarity="rbo")
    for variant in (one, steep, *(one(similarity=similarity) for similarity in SIMILARITIES)):
        assert metric(repr(variant @ 5)) == variant @ 5
        assert metric(variant.signature) == variant
        assert repr(metric(variant.signature)) == repr(variant)


def test_p_changes_the_number() -> None:
    runs = models([["abcd"], ["abxy"]])
    spec = "stability stability(p=0.1)"
    low, high = (row.value for row in tealeaves.score(runs, None, spec) if row.model == "run0" and row.topic is None)  # noqa: E501 # fmt: skip
    assert low < high  # the first words agree
