"""Stability across runs and within one chain: by hand, by slow definitions, by what must hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tealeaves
from tealeaves import Topics
from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.metrics import Scores, metric
from tealeaves.metrics.topic_similarity import similarity as topic_similarity
from tealeaves.metrics.topic_similarity.matching import AssignmentWork, match_rows, match_topics

Lists = Sequence[Sequence[str]]

SIMILARITIES = ("rbo", "jaccard", "js", "cosine")


def model(topics: Lists, name: str, **known: Any) -> Topics:
    return Topics.of([list(one) for one in topics], model=name, **known)


def of(scores: Scores, name: str) -> tuple[list[float], list[float]]:
    rows = [row for row in scores.topics.rows if row.model == name]
    return [row.value for row in rows], [row.support for row in rows]


def distributions(seed: int, *shape: int) -> Floats:
    drawn: Floats = np.random.default_rng(seed).dirichlet(np.full(shape[-1], 0.3), shape[:-1])
    return drawn


def rbo_slowly(one: Sequence[str], other: Sequence[str], p: float) -> float:
    short, long = sorted((one, other), key=len)
    s, total = len(short), 0.0
    for depth in range(1, 400):
        seen = min(depth, len(long))
        shared = len(set(short[:seen]) & set(long[:seen]))
        beyond = len(set(short) & set(long[:s])) * max(0, seen - s) / s
        total += (1 - p) * p ** (depth - 1) * (shared + beyond) / seen
    return total


def jaccard_slowly(one: Sequence[str], other: Sequence[str]) -> float:
    return len(set(one) & set(other)) / len(set(one) | set(other))


def js_of_scipy(one: Floats, other: Floats) -> float:
    from scipy.spatial.distance import jensenshannon

    return 1 - float(jensenshannon(one, other, base=2)) ** 2


def cosine_slowly(one: Floats, other: Floats) -> float:
    return float(sum(a * b for a, b in zip(one, other, strict=True))) / math.sqrt(
        sum(a * a for a in one) * sum(b * b for b in other)
    )


ORACLES = {"js": js_of_scipy, "cosine": cosine_slowly}


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
    left, right, values = match_topics(
        lambda rows, columns: table[rows.start : rows.stop, columns.start - 2 : columns.stop - 2],
        [2, 2],
    )
    assert left.tolist() == [0, 1]
    assert right.tolist() == [3, 2]
    assert values.tolist() == [0.8, 0.8]


@given(
    sizes=st.lists(st.integers(1, 7), min_size=2, max_size=4),
    values=st.sampled_from([(0.0, 1.0), (0.0, 0.0, 0.0, 0.1, 0.3, 0.37, 1.0), None]),
    seed=st.integers(0, 2**32),
)
def test_the_kernel_matches_as_scipy_does(
    sizes: list[int], values: tuple[float, ...] | None, seed: int
) -> None:
    # few different values have many equally good matches: the first of them is taken by both
    (rows, *columns), random = sizes, np.random.default_rng(seed)
    shape = rows, sum(columns)
    table = random.random(shape) if values is None else random.choice(values, shape)
    edges = np.cumsum([0, *columns])
    found, expected = np.empty((2, len(columns), rows), dtype=np.int64)
    for match, partners in ((match_rows, found), (match_rows.python, expected)):
        match(table.ravel(), shape[1], edges, partners.ravel(), AssignmentWork.of(max(sizes)))
    assert found.tolist() == expected.tolist()


def test_topics_of_unknown_similarity_are_not_matched() -> None:
    with pytest.raises(ValueError, match="invalid numeric entries"):
        match_topics(lambda rows, columns: np.full((len(rows), len(columns)), np.nan), [2, 2])


def test_three_runs_by_hand() -> None:
    # run0's one topic ab: 1/3 with run1's bc, 1 with run2's ab; run1's with run2's: 1/3
    scores = tealeaves.score(
        models([["ab"], ["bc"], ["ab"]]), None, "stability(similarity=jaccard)"
    )
    actual = [of(scores, f"run{number}")[0][0] for number in range(3)]
    assert actual == pytest.approx([(1 / 3 + 1) / 2, (1 / 3 + 1 / 3) / 2, (1 + 1 / 3) / 2])


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


def test_a_model_without_other_runs_has_no_value() -> None:
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
    actual = {one.model: of(scores, one.model)[0][0] for one in several}
    assert math.isnan(actual.pop("c1"))  # it is alone
    assert actual == pytest.approx(
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
def test_the_matching_is_the_best_of_all(
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
def test_values_and_supports_lie_within_bounds(runs: Sequence[Lists], top: int | None) -> None:
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


def test_the_size_of_blocks_and_groups_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [with_phi(distributions(seed, 4, 20), f"run{seed}") for seed in range(3)]
    spec = "stability(similarity=js) stability(similarity=cosine)"
    whole = [row.value for row in tealeaves.score(runs, None, spec)]
    monkeypatch.setattr(topic_similarity, "_BLOCK", 50)
    monkeypatch.setattr(topic_similarity, "_MOST_COSINES", 1)
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
def test_p_is_a_parameter_of_rbo_only(name: str) -> None:
    one = metric(name)
    with pytest.raises(InputError, match="similarity=rbo only"):
        one(similarity="js", p=0.5)
    with pytest.raises(InputError, match=rf"{name}: p must be a number .*, or none, not 1$"):
        one(similarity="rbo", p=1)
    with pytest.raises(InputError, match=rf"{name}: similarity must be one of .*, not foo$"):
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


# ---------------------------------------------------------------------- samples of one chain


def chain(samples: Floats, **known: Any) -> Topics:
    vocabulary = tuple(f"w{v}" for v in range(samples.shape[2]))
    best = np.argsort(-samples.mean(axis=0), axis=1, kind="stable")[:, :4]
    topics = [[vocabulary[v] for v in row] for row in best]
    return model(topics, "chain", vocabulary=vocabulary, samples=samples, **known)


def test_posterior_by_hand() -> None:
    # samples (1, 0) and (0, 1), mean (1/2, 1/2): cosine 1/√2 each;
    # JS(sample, mean) = H(3/4, 1/4) - (0 + 1) / 2
    samples = np.array([[[1.0, 0.0]], [[0.0, 1.0]]])
    one = model([["w0", "w1"]], "chain", vocabulary=("w0", "w1"), samples=samples)
    values, support = of(tealeaves.score(one, None, "posterior_stability"), "chain")
    assert values == pytest.approx([1 / math.sqrt(2)])
    assert support == [1.0]
    entropy = -(0.75 * math.log2(0.75) + 0.25 * math.log2(0.25))
    values, _ = of(tealeaves.score(one, None, "posterior_stability(similarity=js)"), "chain")
    assert values == pytest.approx([1 - (entropy - 0.5)])
    # the samples' lists have one word each, the mean's both
    jaccard = "posterior_stability(similarity=jaccard)@2"
    values, support = of(tealeaves.score(one, None, jaccard), "chain")
    assert values == pytest.approx([0.5])
    assert support == [0.5]


def alike(similarity: str, one: Floats, other: Floats, size: int) -> float:
    if similarity in ORACLES:
        return ORACLES[similarity](one, other)
    first, second = (
        [str(v) for v, _ in sorted(enumerate(each), key=lambda pair: -pair[1])[:size]]
        for each in (one.tolist(), other.tolist())
    )
    if similarity == "jaccard":
        return jaccard_slowly(first, second)
    return rbo_slowly(first, second, 0.9)


@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize("top", [None, 2, 5])
def test_posterior_against_slow_definitions(similarity: str, top: int | None) -> None:
    samples = distributions(3, 6, 3, 10)
    spec = f"posterior_stability(similarity={similarity})" + ("" if top is None else f"@{top}")
    values, support = of(tealeaves.score(chain(samples), None, spec), "chain")
    size = 4 if top is None else top  # the topics list 4 words
    for k in range(3):
        mean = sum(samples[s, k] for s in range(6)) / 6
        each = [alike(similarity, samples[s, k], mean, size) for s in range(6)]
        assert values[k] == pytest.approx(sum(each) / 6)
    assert support == [1.0] * 3


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_a_chain_that_stands_still_has_1(similarity: str) -> None:
    samples = np.repeat(distributions(5, 1, 3, 12), 4, axis=0)
    spec = f"posterior_stability(similarity={similarity})@5"
    values, support = of(tealeaves.score(chain(samples), None, spec), "chain")
    assert values == pytest.approx([1.0] * 3)
    assert support == [1.0] * 3


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_counts_are_as_good_as_probabilities(similarity: str) -> None:
    samples = distributions(4, 5, 2, 8)
    spec = f"posterior_stability(similarity={similarity})@4"
    scale = np.array([1, 10, 3, 7, 2.0])[:, None, None]
    plain, counts = (
        of(tealeaves.score(chain(one), None, spec), "chain") for one in (samples, samples * scale)
    )
    assert counts[0] == pytest.approx(plain[0])


def test_an_empty_sample_lowers_the_support() -> None:
    samples = distributions(6, 4, 2, 8)
    whole = of(tealeaves.score(chain(samples[:3]), None, "posterior_stability"), "chain")
    samples[3, 0] = 0.0
    values, support = of(tealeaves.score(chain(samples), None, "posterior_stability"), "chain")
    assert values[0] == pytest.approx(whole[0][0])
    assert support == [0.75, 1.0]


def test_one_sample_is_not_enough() -> None:
    single = chain(distributions(1, 1, 2, 8))
    several = Topics.of(
        [["w0"], ["w1"]],
        model="several",
        vocabulary=single.vocabulary,
        samples=distributions(2, 3, 2, 8),
    )
    scores = tealeaves.score([single, several], None, "posterior_stability")
    assert math.isnan(scores.value("chain", "posterior_stability"))
    assert not math.isnan(scores.value("several", "posterior_stability"))
    assert any("fewer than 2 samples" in note for note in scores.notes)
    signatures = {row.model: row.signature for row in scores}
    assert "samples=3" in signatures["several"]
    with pytest.raises(InputError, match="fewer than 2 samples"):
        tealeaves.score(single, None, "posterior_stability")
    with pytest.raises(InputError, match="no samples of one chain"):
        tealeaves.score(model(["ab"], "words"), None, "posterior_stability")


@given(seed=st.integers(0, 10**6), size=st.integers(1, 8))
def test_posterior_values_lie_within_bounds(seed: int, size: int) -> None:
    samples = distributions(seed, 3, 2, 6)
    samples[samples < 0.05] = 0.0
    assume((samples.sum(axis=2) > 0).all())
    for similarity in SIMILARITIES:
        spec = f"posterior_stability(similarity={similarity})@{size}"
        for row in tealeaves.score(chain(samples), None, spec):
            assert 0 < row.support <= 1
            assert 0 <= row.value <= 1
