"""What is compared: families of runs, and which topics or runs are paired."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from tealeaves import Topics
from tealeaves.comparison.groups import (
    UnitGroup,
    by_family,
    family_runs,
    has_runs,
    notes_on_names,
    pair_runs,
    pair_topics,
)
from tealeaves.errors import InputError

# ---------------------------------------------------------------------- families


def model(name: str, family: str = "", topics: int = 3) -> Topics:
    return Topics.of([[f"a{k}", f"b{k}"] for k in range(topics)], model=name, family=family)


@pytest.mark.parametrize(
    ("first", "second", "family", "seeds"),
    [
        ("lda-20-1", "lda-20-2", "lda-20", [1, 2]),
        ("lda_run2", "lda_run10", "lda", [2, 10]),
        ("lda.seed3", "lda.seed4", "lda", [3, 4]),
        ("lda Run 1", "lda seed_2", "lda", [1, 2]),
        ("my-lda-v2-1", "my-lda-v2-07", "my-lda-v2", [1, 7]),
    ],
)
def test_a_number_at_the_end_is_a_seed(
    first: str, second: str, family: str, seeds: list[int]
) -> None:
    runs = family_runs([model(first), model(second)])
    assert [run.family for run in runs] == [family, family]
    assert [run.seed for run in runs] == seeds


@pytest.mark.parametrize("name", ["lda20", "lda", "20", "run2", "lda-v2"])
def test_other_names_are_whole(name: str) -> None:
    assert family_runs([model(name), model("other")])[0] == (name, None)


def test_the_number_of_topics_is_no_seed() -> None:
    models = [model("lda-3"), model("lda-4", topics=4), model("nmf-3"), model("nmf-4", topics=4)]
    assert list(by_family(models)) == ["lda-3", "lda-4", "nmf-3", "nmf-4"]
    assert not has_runs(models)


@pytest.mark.parametrize(
    "names",
    [
        ("bert-1.5", "bert-1.6"),
        ("bert_v2.0", "bert_v2.1"),
        ("lda-2019", "lda-2020"),
        ("lda-1900", "lda-2100"),
    ],
)
def test_versions_and_years_are_no_seeds(names: tuple[str, str]) -> None:
    assert list(by_family([model(name) for name in names])) == list(names)


@pytest.mark.parametrize(
    "names",
    [("lda-1899", "lda-2101"), ("lda-seed2019", "lda-run-2020"), ("lda-2.seed1", "lda-2.seed2")],
)
def test_what_is_written_as_a_seed_or_is_no_year_is_one(names: tuple[str, str]) -> None:
    assert len(by_family([model(name) for name in names])) == 1


def test_models_with_other_numbers_of_topics_are_no_runs() -> None:
    """lda-8 is no other run of lda-7, whatever its number of topics stands for."""
    models = [model("lda-7", topics=7), model("lda-8", topics=9), model("nmf-1"), model("nmf-2")]
    assert list(by_family(models)) == ["lda-7", "lda-8", "nmf"]
    # unless the names say so: some models find their number of topics themselves
    models = [model("hdp-run1", topics=7), model("hdp-run2", topics=9)]
    assert list(by_family(models)) == ["hdp"]


def test_what_a_model_says_of_itself_comes_first() -> None:
    models = [model("x-1", "lda(k=3)"), model("y-2", "lda(k=3)"), model("z-1", "nmf(k=3)")]
    assert {family: len(runs) for family, runs in by_family(models).items()} == {
        "lda(k=3)": 2,
        "nmf(k=3)": 1,
    }
    assert [seed for _, seed in by_family(models)["lda(k=3)"]] == [1, 2]
    assert notes_on_names(models) == []


def test_a_single_run_keeps_its_name() -> None:
    models = [model("lda-1"), model("lda-2"), model("bert-1.5")]
    assert list(by_family(models)) == ["lda", "bert-1.5"]
    assert notes_on_names(models) == [
        "runs by their names: lda (lda-1, lda-2); --over topics compares each by itself"
    ]


def test_two_families_with_two_runs_each_are_compared_over_seeds() -> None:
    assert has_runs([model(name) for name in ("a-1", "a-2", "b-1", "b-2")])
    assert not has_runs([model(name) for name in ("a-1", "a-2", "b-1", "c-1")])


# ---------------------------------------------------------------------- pairs


def group(name: str, words: list[list[str]], keys: list[str] | None = None) -> UnitGroup:
    found = tuple(keys or [str(number) for number in range(len(words))])
    return UnitGroup(name, found, found, {}, {}, tuple(map(tuple, words)))


def runs(name: str, *seeds: str | None) -> UnitGroup:
    return UnitGroup(name, seeds, tuple(map(str, seeds)), {}, {})


def always(_: int) -> bool:
    return True


def never(_: int) -> bool:
    return False


A = [["cat", "dog", "cow"], ["soup", "bread", "salt"], ["sun", "moon", "star"]]
B = [["moon", "star", "sky"], ["dog", "cat", "pig"], ["tax", "law", "court"]]


def test_topics_are_matched_by_their_words() -> None:
    found = pair_topics(group("a", A), group("b", B), "matched", always)
    assert found.kind == "matched"
    # cat dog | dog cat, sun moon | moon star, and soup with what is left: no word in common
    assert dict(zip(found.left.tolist(), found.right.tolist(), strict=True)) == {0: 1, 1: 2, 2: 0}
    assert found.disjoint == 1


def test_no_other_matching_overlaps_more() -> None:
    rng = np.random.default_rng(4)
    sides = [
        [[f"w{w}" for w in rng.choice(12, 4, replace=False)] for _ in range(5)] for _ in range(2)
    ]

    def overlap(order: tuple[int, ...]) -> float:
        pairs = [(set(sides[0][i]), set(sides[1][j])) for i, j in enumerate(order)]
        return sum(len(x & y) / len(x | y) for x, y in pairs)

    found = pair_topics(group("a", sides[0]), group("b", sides[1]), "matched", always)
    chosen = tuple(found.right[np.argsort(found.left)].tolist())
    assert overlap(chosen) == pytest.approx(max(map(overlap, permutations(range(5)))))


def test_auto_does_without_pairs_for_different_numbers_of_topics() -> None:
    found = pair_topics(group("a", A), group("b", B[:2]), "auto", always)
    assert found.kind == "none"
    assert "different numbers of topics" in found.why
    assert pair_topics(group("a", A), group("b", B), "auto", always).kind == "matched"
    assert len(pair_topics(group("a", A), group("b", B[:2]), "matched", always).left) == 2


def test_auto_pairs_nothing_that_could_never_differ() -> None:
    """Pairs that are asked for are made all the same."""
    topics, numbered = (group("a", A), group("b", B)), (runs("a", "1", "2"), runs("b", "1", "2"))
    for found in (pair_topics(*topics, "auto", never), pair_runs(*numbered, "auto", never)):
        assert found.kind == "none"
        assert "can never differ significantly" in found.why
    assert pair_topics(*topics, "matched", never).kind == "matched"
    assert pair_topics(*topics, "id", never).kind == "id"
    assert pair_runs(*numbered, "id", never).kind == "seed"


def test_topics_without_words_are_paired_by_id_or_not_at_all() -> None:
    a, b = (UnitGroup(name, ("1", "2"), ("1", "2"), {}, {}) for name in "ab")
    assert "words of topics are not known" in pair_topics(a, b, "auto", always).why
    assert pair_topics(a, b, "id", always).left.tolist() == [0, 1]
    with pytest.raises(InputError, match="a: the words of its topics are not known"):
        pair_topics(a, b, "matched", always)


def test_topics_of_the_same_id() -> None:
    found = pair_topics(
        group("a", A, ["x", "y", "z"]), group("b", B, ["z", "q", "x"]), "id", always
    )
    assert (found.left.tolist(), found.right.tolist()) == ([0, 2], [2, 0])
    assert found.disjoint == 1  # x: cat dog cow | tax law court; z: sun moon star | moon star sky
    with pytest.raises(InputError, match="a and b have no id in common"):
        pair_topics(group("a", A, ["x", "y", "z"]), group("b", B), "id", always)


def test_runs_of_the_same_seed() -> None:
    found = pair_runs(runs("a", "1", "2", "3"), runs("b", "3", "1", "2"), "auto", always)
    assert (found.kind, found.right.tolist()) == ("seed", [1, 2, 0])


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (("1", "2", "4"), "their seeds differ"),
        (("1", "2"), "their seeds differ"),
        (("1", "2", None), "not every run has its own seed"),
        (("1", "2", "2"), "not every run has its own seed"),
    ],
)
def test_runs_of_other_seeds_are_not_paired(other: tuple[str | None, ...], why: str) -> None:
    found = pair_runs(runs("a", "1", "2", "3"), runs("b", *other), "auto", always)
    assert found.kind == "none"
    assert why in found.why


def test_what_cannot_be_paired_is_refused() -> None:
    with pytest.raises(InputError, match="only topics are matched: pair runs by their seeds"):
        pair_runs(runs("a", "1", "2"), runs("b", "1", "2"), "matched", always)
    with pytest.raises(InputError, match="b: several runs have the seed 2"):
        pair_runs(runs("a", "1", "2"), runs("b", "2", "2"), "id", always)
