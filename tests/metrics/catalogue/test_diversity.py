"""Diversity of topics: by hand, by slow definitions, and by what must hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tealeaves
from tealeaves.errors import InputError
from tealeaves.metrics import metric
from tealeaves.metrics.topic_similarity import family, word_lists
from tealeaves.metrics.topic_similarity.word_lists import WordLists, jaccard, rbo

Lists = Sequence[Sequence[str]]
SPECS = ("diversity", "irbo", "jaccard", "redundancy")
THREE = ["abcd", "abef", "aghi"]

ragged = st.lists(
    st.lists(st.sampled_from("abcdefghijkl"), min_size=1, max_size=8, unique=True),
    min_size=1,
    max_size=6,
)
tops = st.none() | st.integers(1, 10)
persistence = st.floats(0.05, 0.97)


def scored(topics: Lists, spec: str) -> tuple[list[float], list[float], float, float]:
    """Return the topics' values and supports, and the model's."""
    scores = tealeaves.score([list(words) for words in topics], None, spec)
    rows = scores.topics.rows
    [model] = [row for row in scores if row.topic is None]
    return [r.value for r in rows], [r.support for r in rows], model.value, model.support


def at(spec: str, top: int | None) -> str:
    return spec if top is None else f"{spec}@{top}"


# ---------------------------------------------------------------------- by hand


@pytest.mark.parametrize(
    ("spec", "topics", "model"),
    [
        # 9 distinct of 12 words; a is in 3 topics, b in 2: (1/3 + 1/2 + 1 + 1) / 4 ...
        ("diversity@4", [17 / 24, 17 / 24, 20 / 24], 9 / 12),
        # 3 distinct of 6: a in all three, b in two, g in one
        ("diversity@2", [5 / 12, 5 / 12, 8 / 12], 3 / 6),
        # shared of all: 2 of 6, 1 of 7, 1 of 7
        ("jaccard@4", [(1 / 3 + 1 / 7) / 2, (1 / 3 + 1 / 7) / 2, 1 / 7], (1 / 3 + 2 / 7) / 3),
        # words shared with the two others: 2 + 1, 2 + 1, 1 + 1
        ("redundancy@4", [3 / 2, 3 / 2, 2 / 2], 4 / 3),
        ("redundancy(aggregate=mean)@4", [3 / 8, 3 / 8, 2 / 8], 1 / 3),
        # agreements of the first two: 1, 1, 2/3, 2/4, with p = 1/2:
        #   1/2 (1 + 1/2 + 1/4 * 2/3 + 1/8 * 2/4) + 1/16 * 2/4 = 43/48
        # and of both with the third: 1, 1/2, 1/3, 1/4:
        #   1/2 (1 + 1/4 + 1/12 + 1/32) + 1/64 = 67/96
        (
            "irbo(p=0.5)@4",
            [1 - (43 / 48 + 67 / 96) / 2, 1 - (43 / 48 + 67 / 96) / 2, 1 - 67 / 96],
            1 - (43 / 48 + 67 / 48) / 3,
        ),
    ],
)  # fmt: skip
def test_by_hand(spec: str, topics: list[float], model: float) -> None:
    values, support, value, known = scored(THREE, spec)
    assert values == pytest.approx(topics)
    assert support == [1.0, 1.0, 1.0]
    assert value == pytest.approx(model)
    assert known == 1.0


def test_rank_biased_overlap_of_uneven_lists_by_hand() -> None:
    # ab and bcad: shared 0, 1 (b), 2 (and a), 2; s = 2, l = 4, X_s = 1
    # agreements 0, 1/2, (2 + 1 * 1/2) / 3 = 5/6, (2 + 2 * 1/2) / 4 = 3/4, and so on for ever
    # with p = 1/2: 1/2 (0 + 1/4 + 5/24 + 3/32) + 1/16 * 3/4 = 31/96
    both = WordLists.of(["ab", "bcad"])
    assert rbo(both, range(2), range(2), 0.5) == pytest.approx(
        np.array([[1, 31 / 96], [31 / 96, 1]])
    )


def test_short_topics_are_scored_on_what_they_have() -> None:
    # asked for 4 words each: the topics have 4, 2 and 1 of them
    topics = ["abcd", "ab", "a"]
    values, support, value, known = scored(topics, "diversity@4")
    assert values == pytest.approx([(1 / 3 + 1 / 2 + 2) / 4, (1 / 3 + 1 / 2) / 2, 1 / 3])
    assert support == [1.0, 0.5, 0.25]
    assert value == 4 / 7  # of the words that are there
    assert known == pytest.approx(1.75 / 3)
    for spec in ("irbo", "jaccard", "redundancy"):
        whole, short = scored(topics, spec), scored(topics, f"{spec}@4")
        assert short[0] == whole[0]
        assert whole[1] == [1.0, 1.0, 1.0]
        # pairs of ranks: 16 asked; 4*2 and 4*1, 2*4 and 2*1, 1*4 and 1*2 are there
        assert short[1] == pytest.approx([(8 + 4) / 32, (8 + 2) / 32, (4 + 2) / 32])


# ---------------------------------------------------------------------- by definition


def rbo_by_definition(one: Sequence[str], other: Sequence[str], p: float) -> float:
    """Sum agreements down to where nothing is left of their weight."""
    short, long = sorted((one, other), key=len)
    s, total, weight, depth = len(short), 0.0, 1 - p, 1
    agreement = 0.0
    while weight > 1e-18:
        if depth <= len(long):
            shared = len(set(short[:depth]) & set(long[:depth]))
            beyond = len(set(short) & set(long[:s])) * max(0, depth - s) / s
            agreement = (shared + beyond) / depth
        total += weight * agreement
        weight *= p
        depth += 1
    return total


def rbo_by_equation_32(one: Sequence[str], other: Sequence[str], p: float) -> float:
    """Write out the equation of Webber et al. (2010)."""
    short, long = sorted((one, other), key=len)
    s, l = len(short), len(long)  # noqa: E741
    x = [len(set(short[:d]) & set(long[:d])) for d in range(l + 1)]
    first = sum(x[d] / d * p**d for d in range(1, l + 1))
    second = sum(x[s] * (d - s) / (s * d) * p**d for d in range(s + 1, l + 1))
    return (1 - p) / p * (first + second) + ((x[l] - x[s]) / l + x[s] / s) * p**l


def rbo_of_octis(one: Sequence[str], other: Sequence[str], p: float) -> float:
    """The extrapolated estimate as OCTIS takes it, which for even lists is the same."""

    def agreement(depth: int) -> float:
        left, right = set(one[:depth]), set(other[:depth])
        return 2 * len(left & right) / (len(left) + len(right))

    n = len(one)
    total = sum(p**d * agreement(d) for d in range(1, n + 1))
    return (1 - p) / p * total + p**n * len(set(one) & set(other)) / n


@given(ragged, persistence)
def test_rank_biased_overlap_is_what_its_paper_says(topics: Lists, p: float) -> None:
    overlap = rbo(WordLists.of(topics), range(len(topics)), range(len(topics)), p)
    for (i, one), (j, other) in combinations(enumerate(topics), 2):
        assert overlap[i, j] == pytest.approx(overlap[j, i], abs=1e-15)
        assert overlap[i, j] == pytest.approx(rbo_by_definition(one, other, p), abs=1e-12)
        assert overlap[i, j] == pytest.approx(rbo_by_equation_32(one, other, p), abs=1e-12)
    assert np.diag(overlap) == pytest.approx(np.ones(len(topics)))


@given(st.lists(st.permutations("abcdefghij"), min_size=2, max_size=4), st.integers(1, 10))
def test_even_lists_agree_with_octis(topics: Lists, top: int) -> None:
    cut = [list(words[:top]) for words in topics]
    expected = np.mean([rbo_of_octis(one, other, 0.9) for one, other in combinations(cut, 2)])
    assert scored(topics, f"irbo@{top}")[2] == pytest.approx(1 - expected)


def diversity_slowly(topics: Lists, k: int) -> float:
    held = [sum(word in other for other in topics) for word in topics[k]]
    return sum(1 / number for number in held) / len(held)


def over_others(
    compare: Callable[[Sequence[str], Sequence[str]], float], topics: Lists, k: int
) -> float:
    others = [other for j, other in enumerate(topics) if j != k]
    return sum(compare(topics[k], other) for other in others) / len(others) if others else math.nan


def jaccard_slowly(one: Sequence[str], other: Sequence[str]) -> float:
    return len(set(one) & set(other)) / len(set(one) | set(other))


SLOWLY: dict[str, Callable[[Lists, int], float]] = {
    "diversity": diversity_slowly,
    "irbo(p=0.7)": lambda topics, k: (
        1 - over_others(lambda a, b: rbo_by_definition(a, b, 0.7), topics, k)
    ),
    "jaccard": lambda topics, k: over_others(jaccard_slowly, topics, k),
    "redundancy": lambda topics, k: over_others(lambda a, b: len(set(a) & set(b)), topics, k),
    "redundancy(aggregate=mean)": lambda topics, k: over_others(
        lambda a, b: sum(word in b for word in a) / len(a), topics, k
    ),
}


@pytest.mark.parametrize("spec", SLOWLY)
@settings(max_examples=60)
@given(topics=ragged, top=tops)
def test_slow_definitions(spec: str, topics: Lists, top: int | None) -> None:
    values, support, model, known = scored(topics, at(spec, top))
    cut = [words[:top] for words in topics]
    expected = [SLOWLY[spec](cut, k) for k in range(len(cut))]
    assert values == pytest.approx(expected, nan_ok=True, abs=1e-12)
    share = [1.0 if top is None else len(words) / top for words in cut]
    if spec == "diversity":
        assert support == pytest.approx(share)
        assert model == pytest.approx(len(set().union(*cut)) / sum(map(len, cut)))
        return
    others = max(1, len(cut) - 1)
    pairs = [one * (sum(share) - one) / others for one in share]
    assert support == pytest.approx(pairs if len(cut) > 1 else [0.0])
    assert model == pytest.approx(np.mean(expected), nan_ok=True)
    assert known == pytest.approx(np.mean(support))


# ---------------------------------------------------------------------- what must hold


@pytest.mark.parametrize("spec", SPECS)
@given(topics=ragged, top=tops, random=st.randoms())
def test_topics_may_be_permuted(spec: str, topics: Lists, top: int | None, random: object) -> None:
    order = list(range(len(topics)))
    random.shuffle(order)  # type: ignore[attr-defined]
    values, support, model, known = scored(topics, at(spec, top))
    again = scored([topics[k] for k in order], at(spec, top))
    assert again[0] == pytest.approx([values[k] for k in order], nan_ok=True)
    assert again[1] == pytest.approx([support[k] for k in order])
    assert again[2:] == pytest.approx((model, known), nan_ok=True)


@pytest.mark.parametrize(
    ("spec", "same", "different"),
    [
        ("diversity", 1 / 3, 1),
        ("irbo", 0, 1),
        ("irbo(p=0.1)", 0, 1),
        ("jaccard", 1, 0),
        ("redundancy", 4, 0),
        ("redundancy(aggregate=mean)", 1, 0),
    ],
)
def test_extremes(spec: str, same: float, different: float) -> None:
    assert scored(["abcd"] * 3, spec)[2] == pytest.approx(same, abs=1e-12)
    assert scored(["abcd", "efgh", "ijkl"], spec)[2] == pytest.approx(different, abs=1e-12)


@pytest.mark.parametrize("spec", SPECS)
def test_one_topic_has_no_pairs(spec: str) -> None:
    values, support, model, known = scored(["abc"], spec)
    if spec == "diversity":
        assert (values, support, model, known) == ([1.0], [1.0], 1.0, 1.0)
    else:
        assert math.isnan(values[0])
        assert math.isnan(model)
        assert support == [0.0]
        assert known == 0.0


def test_higher_words_count_more() -> None:
    # all pairs share x alone: at the ranks 1 and 1, 1 and 3, 3 and 3
    values = [scored(pair, "irbo")[2] for pair in (("xab", "xcd"), ("xab", "cdx"), ("abx", "cdx"))]
    assert values[0] < values[1] == values[2]  # what counts is the lower rank


def test_words_are_compared_as_they_are_written() -> None:
    assert scored([["Cat", "new york"], ["cat", "new"]], "diversity")[2] == 1.0


@pytest.mark.parametrize("spec", SPECS)
def test_each_model_is_scored_by_itself(spec: str) -> None:
    alone = scored(THREE, spec)
    models = {"m": [list(words) for words in THREE], "n": [["a", "b"], ["a", "c"]]}
    rows = tealeaves.score(models, None, spec).topics.rows
    assert [row.value for row in rows if row.model == "m"] == alone[0]


@given(models=st.lists(ragged, min_size=1, max_size=5))
def test_models_are_scored_together_as_alone(models: list[Lists]) -> None:
    lists = {f"m{n}": [list(words) for words in topics] for n, topics in enumerate(models)}
    specs = " ".join(SPECS) + " " + " ".join(f"{spec}@2" for spec in SPECS)
    together = tealeaves.score(lists, None, specs)
    alone = [tealeaves.score({name: topics}, None, specs) for name, topics in lists.items()]
    assert str(together.rows) == str([row for scores in alone for row in scores])


@given(topics=ragged)
def test_the_size_of_blocks_changes_nothing(topics: Lists) -> None:
    specs = " ".join(SPECS)
    whole = tealeaves.score([list(words) for words in topics], None, specs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_lists, "_MOST_PAIRS", 3)
        patch.setattr(family, "_MOST_CELLS", 7)
        parts = tealeaves.score([list(words) for words in topics], None, specs)
    assert [row.value for row in parts] == pytest.approx([row.value for row in whole], nan_ok=True)


@given(topics=ragged, data=st.data())
def test_rows_and_columns_may_be_any(topics: Lists, data: st.DataObject) -> None:
    every = range(len(topics))
    edges = st.integers(0, len(topics))
    rows, columns = (
        range(*sorted((data.draw(edges), data.draw(edges)))),
        range(*sorted((data.draw(edges), data.draw(edges)))),
    )
    lists = WordLists.of(topics)
    whole = jaccard(lists, every, every)
    part = jaccard(lists, rows, columns)
    assert part.shape == (len(rows), len(columns))
    assert (part == whole[rows.start : rows.stop, columns.start : columns.stop]).all()


@pytest.mark.parametrize("p", [0, 1, -0.5, 1.5])
def test_p_lies_between_0_and_1(p: float) -> None:
    with pytest.raises(
        InputError, match="irbo: p must be a number of more than 0 and of less than 1, not "
    ):
        metric("irbo")(p=p)


def test_bounds_follow_the_aggregate() -> None:
    assert metric("redundancy").bounds == (0.0, math.inf)
    mean = metric("redundancy(aggregate=mean)")
    assert mean.bounds == (0.0, 1.0)
    assert mean(aggregate="sum").bounds == (0.0, math.inf)
    assert repr(mean @ 5) == "redundancy(aggregate=mean)@5"
