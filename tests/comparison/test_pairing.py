"""Which topic or run stands beside which."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from tealeaves.comparison.groups import UnitGroup, pair_runs, pair_topics
from tealeaves.errors import InputError


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
    with pytest.raises(InputError, match="matched pairs are of topics"):
        pair_runs(runs("a", "1", "2"), runs("b", "1", "2"), "matched", always)
    with pytest.raises(InputError, match="b: several runs have the seed 2"):
        pair_runs(runs("a", "1", "2"), runs("b", "2", "2"), "id", always)
