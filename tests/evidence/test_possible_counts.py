"""Counts that no texts have are refused, although the checksum of their file is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.evidence.counting.corpus import count_corpus
from tealeaves.evidence.counts import COUNTS, Counts, load_counts, save_counts
from tealeaves.evidence.possible_counts import check_possible
from tealeaves.evidence.requests import CountRequest, Term
from tealeaves.evidence.units import Unit
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline

A, B, C, D = (Term((word,)) for word in "abcd")
TEXTS = ["a b c", "a b", "a c d", "b d a b", ""]
UNITS = ["document", "window(size=2)", "context(size=2)", "window(size=3, rule=gensim)"]

Change = Callable[[Counts], dict[str, Any]]


def _count(texts: list[str], unit: str = "document", tokens: str = "tokens") -> Counts:
    counted = Unit.parse(unit)
    plain = counted.kind != "context" and counted.rule == "exact"
    sets = [[A, B, C], [A, B, D]] if plain else []
    request = CountRequest.of(counted, [[A, B], [A, C], [A, D], [Term(("a", "b")), D]], sets)
    return count_corpus(Corpus.of(texts), Pipeline.parse(tokens), [request], threads=1)[0]


def _put(name: str, place: Any, value: int) -> Change:
    """Change one number of an array."""

    def change(counts: Counts) -> dict[str, Any]:
        array = getattr(counts, name).copy()
        array[place] = value
        return {name: array}

    return change


def _totals(**numbers: int) -> Change:
    return lambda counts: {"totals": msgspec.structs.replace(counts.totals, **numbers)}


def _fingerprint(**fields: Any) -> Change:
    return lambda counts: {"fingerprint": msgspec.structs.replace(counts.fingerprint, **fields)}


# the words are a (4 documents), a b (3), b (3), c (2), d (2): the pairs are a-b, a-c, a-d, (a b)-d
WRONG: list[tuple[Change, str]] = [
    (_put("singles", 0, 5), "that of 'a' is 5"),
    (_put("singles", 0, -1), "that of 'a' is -1"),
    (_put("pair_counts", 0, 4), "the count of the pair 'a' and 'b' is 4"),
    (_put("pair_counts", 0, -1), "the count of the pair 'a' and 'b' is -1"),
    (_put("pair_counts", 1, 1), "in 4 and 2 of 4 units share at least 2"),
    (_put("set_counts", 1, 3), "the count of the set 'a', 'b', 'd' is 3"),
    (_put("set_counts", 0, -2), "the count of the set 'a', 'b', 'c' is -2"),
    (_put("pairs", (0, 1), 9), "a word that is not there"),
    (_put("pairs", (0, 0), -1), "a word that is not there"),
    (lambda counts: {"pairs": counts.pairs[:, ::-1]}, "the pairs are not sorted"),
    (lambda counts: {"pairs": counts.pairs[::-1]}, "the pairs are not sorted"),
    (lambda counts: {"pairs": counts.pairs[[0, 0, 1, 2]]}, "one is there twice"),
    (lambda counts: {"pairs": counts.pairs.ravel()}, "pairs has the wrong size"),
    (lambda counts: {"pair_counts": counts.pair_counts[:-1]}, "pair_counts has the wrong size"),
    (lambda counts: {"singles": counts.singles[:-1]}, "singles has the wrong size"),
    (lambda counts: {"set_counts": counts.set_counts[:-1]}, "set_counts has the wrong size"),
    (lambda counts: {"terms": counts.terms[::-1]}, "the words are not sorted"),
    (lambda counts: {"terms": (counts.terms[0], *counts.terms[:-1])}, "one is there twice"),
    (lambda counts: {"sets": counts.sets[::-1]}, "the sets are not sorted"),
    (lambda counts: {"sets": ((0, 0, 2), counts.sets[1])}, "a set has a word twice"),
    (lambda counts: {"sets": (counts.sets[0], (0, 2, 9))}, "or one that is not there"),
    (lambda counts: {"sets": ((), counts.sets[1])}, "the sets have the wrong size"),
    (_totals(units=5), "5 documents of 12 tokens cannot have 5 documents"),
    (_totals(units=-4), "units must be between 0 and"),
    (_totals(tokens=2), "cannot have 4 documents"),
    (_totals(tokens=2**63), "tokens must be between 0 and"),
    (_totals(empty=4, dropped=2), "more documents are empty or dropped than there are"),
    (_fingerprint(digests={}), "has not the same sources twice"),
    (_fingerprint(spans={"x": ((3, 1),)}, digests={"x": 1}), "source x is of no documents"),
    (_fingerprint(spans={"x": ((0, 3), (2, 4))}, digests={"x": 1}), "is of no documents"),
    (_fingerprint(spans={"x": ((-1, 3),)}, digests={"x": 1}), "is of no documents"),
    (_fingerprint(spans={"x": ((0, 3),)}, digests={"x": -1}), "is of no documents"),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_a_file_of_impossible_counts_is_refused(
    change: Change, message: str, tmp_path: Path
) -> None:
    counts = _count(TEXTS)
    path = tmp_path / "wrong.counts"
    save_counts([replace(counts, **change(counts))], path)
    with pytest.raises(InputError) as caught:
        load_counts(path)
    assert str(caught.value).startswith(f"{path}: the counts do not fit together: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("unit", "change", "message"),
    [
        ("window(size=2)", _totals(units=13), "12 tokens cannot have 13 windows of 2"),
        ("window(size=2)", _totals(units=3), "12 tokens cannot have 3 windows of 2"),
        ("context(size=2)", _totals(units=11), "12 tokens cannot have 11 contexts of 2"),
        ("context(size=2)", _put("pair_counts", 0, 17), "'a' and 'b' is 17"),
        ("window(size=3, rule=gensim)", _totals(units=14), "cannot have 14 windows of 3"),
    ],
)
def test_impossible_windows_are_refused(
    unit: str, change: Change, message: str, tmp_path: Path
) -> None:
    counts = _count(TEXTS, unit)
    save_counts([replace(counts, **change(counts))], tmp_path / "wrong.counts")
    with pytest.raises(InputError) as caught:
        load_counts(tmp_path / "wrong.counts")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("singles", np.array([4, 3, np.nan, 2, 2]), "singles holds float64, not whole numbers"),
        ("pair_counts", np.full(4, 2**64 - 1, np.uint64), "is -1"),
        ("set_start", np.array([0, 3]), "the sets have the wrong size"),
        ("set_start", np.array([0, 7, 6]), "the sets have the wrong size"),
        ("set_start", np.array([[0, 3, 6]]), "the sets have the wrong size"),
        ("set_start", np.array([], np.int64), "the sets have the wrong size"),
    ],
)
def test_arrays_of_another_kind_are_refused(
    name: str, array: Any, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.counts"
    save_counts([_count(TEXTS)], path)
    artifact = COUNTS.load(path)
    COUNTS.save(path, artifact.content, {**artifact.arrays, f"0/{name}": array})
    with pytest.raises(InputError, match="do not fit together") as caught:
        load_counts(path)
    assert message in str(caught.value)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.lists(st.text(alphabet="abcd ", max_size=12), max_size=6),
    st.sampled_from(UNITS),
    st.sampled_from(["tokens", "tokens(min_tokens=2)"]),
)
def test_counts_of_texts_are_possible(texts: list[str], unit: str, tokens: str) -> None:
    check_possible(_count([" ".join(text) for text in texts], unit, tokens))


def test_counts_of_a_paper_are_checked_by_the_same_rules() -> None:
    with pytest.raises(InputError, match="in 4 and 3 of 5 units share at least 2"):
        Counts.of({"a": 4, "b": 3}, {("a", "b"): 1}, units=5)
    with pytest.raises(InputError, match="units must be between 0 and"):
        Counts.of({}, {}, units=-1)
