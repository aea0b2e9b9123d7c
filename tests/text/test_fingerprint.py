from __future__ import annotations

import operator
from functools import reduce
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import EvidenceError
from tealeaves.text import Fingerprint
from tealeaves.text.digest import text_digest

TEXTS = st.lists(st.text(max_size=5), max_size=12)


def pieces(source: str, texts: list[str], cuts: list[int]) -> list[Fingerprint]:
    bounds = [0, *sorted(min(cut, len(texts)) for cut in cuts), len(texts)]
    return [Fingerprint.of(source, a, texts[a:b]) for a, b in pairwise(bounds)]


def total(parts: list[Fingerprint]) -> Fingerprint:
    return reduce(operator.add, parts, Fingerprint())


@settings(deadline=None)
@given(st.data(), TEXTS, TEXTS, st.lists(st.integers(0, 12)), st.lists(st.integers(0, 12)))
def test_any_split_added_in_any_order_is_the_same(
    data: st.DataObject, one: list[str], two: list[str], cuts: list[int], more: list[int]
) -> None:
    two = [f"another {text}" for text in two]  # else one, or a piece of it, is a copy of the other
    parts = [*pieces("one", one, cuts), *pieces("two", two, more)]
    shuffled = data.draw(st.permutations(parts))
    whole = Fingerprint.of("one", 0, one) + Fingerprint.of("two", 0, two)
    assert total(list(shuffled)) == whole
    assert whole.documents == len(one) + len(two)
    assert str(total(list(shuffled))) == str(whole)


@settings(deadline=None)
@given(TEXTS, st.integers(0, 11), st.integers(1, 12))
def test_adding_overlapping_fingerprints_raises(texts: list[str], start: int, count: int) -> None:
    whole = Fingerprint.of("s", 0, texts)
    part = Fingerprint.of("s", start, texts[start : start + count])
    if part.documents:
        with pytest.raises(EvidenceError, match="double counting"):
            whole + part
        with pytest.raises(EvidenceError, match="double counting"):
            part + whole
    else:
        assert whole + part == whole


def test_the_error_names_source_and_documents() -> None:
    first = Fingerprint.of("s", 0, ["a", "b", "c"])
    second = Fingerprint.of("s", 1, ["b", "c", "d"])
    with pytest.raises(EvidenceError, match="documents 2-3 of source s are there twice"):
        second + first


def test_the_same_positions_of_another_source_do_not_overlap() -> None:
    both = Fingerprint.of("s", 0, ["a"]) + Fingerprint.of("t", 0, ["a"])
    assert both.documents == 2
    assert both.runs("s") == both.runs("t") == ((0, 1),)


def test_equal_texts_at_two_positions_are_two() -> None:
    one = Fingerprint.of("s", 0, ["same"])
    two = one + Fingerprint.of("s", 1, ["same"])
    assert two.documents == 2
    assert two != one
    assert two == Fingerprint.of("s", 0, ["same", "same"])
    assert two.digest == 2 * text_digest("same") % 2**64


def test_neighbouring_runs_become_one_and_gaps_stay() -> None:
    start, end = Fingerprint.of("s", 0, ["a"]), Fingerprint.of("s", 2, ["c"])
    assert (end + start).runs("s") == ((0, 1), (2, 3))
    assert (end + start + Fingerprint.of("s", 1, ["b"])).runs("s") == ((0, 3),)
    assert start.runs("other") == ()


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_other_texts_at_the_same_positions_have_another_digest(
    one: list[str], two: list[str]
) -> None:
    same = Fingerprint.of("s", 0, one).digest == Fingerprint.of("s", 0, two).digest
    assert same == (sorted(one) == sorted(two))


def test_an_empty_fingerprint_is_the_neutral_element() -> None:
    some = Fingerprint.of("s", 3, ["a", "b"])
    assert some + Fingerprint() == Fingerprint() + some == some
    assert Fingerprint.of("s", 0, []) == Fingerprint()


def test_a_lone_surrogate_can_be_fingerprinted() -> None:
    assert Fingerprint.of("s", 0, ["\ud800"]) != Fingerprint.of("s", 0, ["\ud801"])


@settings(deadline=None)
@given(TEXTS)
def test_a_fingerprint_survives_json(texts: list[str]) -> None:
    fingerprint = Fingerprint.of("s", 2, texts)
    assert msgspec.json.decode(msgspec.json.encode(fingerprint), type=Fingerprint) == fingerprint


def test_it_prints_as_count_and_digest() -> None:
    assert str(Fingerprint()) == "0#0000000000000000"
    assert str(Fingerprint.of("s", 0, ["a"])) == f"1#{text_digest('a'):016x}"


@pytest.mark.parametrize("language", ["", "en/"])
def test_the_same_texts_in_other_units_are_counted_twice(language: str) -> None:
    verses = Fingerprint.of(f"{language}s:bible", 0, ["a", "b", "c"])
    chapters = Fingerprint.of(f"{language}s:bible:unit=chapter", 0, ["a\nb", "c"])
    blocks = Fingerprint.of(f"{language}s:bible:unit=block(size=2)", 0, ["a\nb"])
    for one, other in ((verses, chapters), (chapters, verses), (blocks, chapters)):
        with pytest.raises(EvidenceError, match=r"double counting: source .*hold the same texts"):
            one + other


def test_other_files_and_languages_in_units_are_no_copies() -> None:
    chapters = Fingerprint.of("en/s:bible:unit=chapter", 0, ["a", "b"])
    others = [
        Fingerprint.of("en/t:bible:unit=chapter", 0, ["c", "d"]),
        Fingerprint.of("es/s:bible", 0, ["e", "f"]),
    ]
    assert sum(others, chapters).documents == 6
