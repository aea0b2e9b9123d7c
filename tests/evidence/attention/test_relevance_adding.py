"""Relevance of toy texts, added: the parts are the whole, by brute force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import EvidenceError
from tealeaves.evidence.attention.frame import Frame
from tealeaves.evidence.attention.relevance import ARRAYS, Relevance, empty, total
from tealeaves.evidence.requests import Term

Make = Callable[..., Any]


def _term(word: str) -> Term:
    return Term((word,))


# ---------------------------------------------------------------------- by brute force


def _brute_force(frame: Frame, texts: list[Any]) -> dict[tuple[int, int], list[Any]]:
    """Sum over occurrences, one by one, without any of the arrays' ways."""
    found: dict[tuple[int, int], list[Any]] = {}
    for text in texts:
        for one in text:
            row = found.setdefault((one.left, one.right), [0, 0.0, 0.0, 0, np.zeros(3), 0])
            confident = (one.attention[0, 1] + one.attention[1, 0]) / 2
            important = one.lrp[0, 0] + one.lrp[0, 1] + one.lrp[1, 2]
            row[0] += 1
            row[1] = row[1] + one.attention
            row[2] = row[2] + one.lrp
            row[3] = row[3] + (one.lrp > 0)
            row[4] = row[4] + [confident, important, one.improved]
            row[5] += int(important > 0)
    assert frame.fixed.confident.tolist() == [1, 0]
    assert frame.fixed.important.tolist() == [[True, True, False], [False, False, True]]
    return found


def _assert_equal(found: Relevance, expected: dict[tuple[int, int], list[Any]]) -> None:
    assert [tuple(row) for row in found.rows.tolist()] == sorted(expected)
    columns = (found.together, found.attention, found.lrp, found.positive, found.sums)
    for number, row in enumerate(sorted(expected)):
        for column, value in zip((*columns, found.counted), expected[row], strict=True):
            assert column is not None
            assert np.array_equal(column[number], value)


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), cuts=st.lists(st.integers(0, 6), max_size=4))
def test_any_parts_add_up_to_the_whole(
    seed: int, cuts: list[int], make_frame: Make, gather_toy: Make, draw_texts: Make
) -> None:
    frame, texts = make_frame(), draw_texts(seed)
    whole = gather_toy(frame, texts)
    _assert_equal(whole, _brute_force(frame, texts))
    edges = [0, *sorted(cuts), len(texts)]
    parts = [gather_toy(frame, texts[a:b], a) for a, b in pairwise(edges)]
    summed = total(parts)
    one_by_one = parts[0]
    for part in parts[1:]:
        one_by_one = one_by_one + part
    assert summed == one_by_one
    extra = len(parts) - 1  # each part says that one more document was dropped
    assert summed.totals.documents == whole.totals.documents + extra
    assert replace(summed, totals=whole.totals) == whole


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), marked=st.lists(st.booleans(), min_size=6, max_size=6))
def test_some_texts_by_brute_force(
    seed: int, marked: list[bool], make_frame: Make, gather_toy: Make, draw_texts: Make
) -> None:
    frame, texts = make_frame(), draw_texts(seed)
    together, sums, counted = (whole := gather_toy(frame, texts)).sums_of_texts(np.array(marked))
    expected = _brute_force(frame, [text for text, one in zip(texts, marked, strict=True) if one])
    for number, row in enumerate(whole.rows.tolist()):
        known = expected.get(tuple(row))
        assert together[number] == (known[0] if known else 0)
        assert np.array_equal(sums[number], known[4] if known else np.zeros(3))
        assert counted[number] == (known[5] if known else 0)


def test_real_fractions_add_in_any_grouping(
    toy: Relevance, gather_toy: Make, draw_texts: Make
) -> None:
    parts = []
    for start in (6, 12, 18):
        texts = [[replace(one, lrp=one.lrp / 3) for one in text] for text in draw_texts(start)]
        parts.append(gather_toy(toy.frame, texts, start))
    a, b, c = parts
    left, right = (a + b) + c, a + (b + c)
    assert left.fingerprint == right.fingerprint
    np.testing.assert_array_equal(left.together, right.together)
    np.testing.assert_allclose(left.lrp, right.lrp, rtol=0, atol=1e-15 * 50)
    np.testing.assert_array_equal(left.text_values, right.text_values)


# ---------------------------------------------------------------------- adding


def test_nothing_is_neutral(toy: Relevance) -> None:
    assert empty(toy.frame) + toy == toy
    assert toy + empty(toy.frame) == toy
    assert empty(toy.frame).texts == 0


def test_sums_only(make_frame: Make, gather_toy: Make, draw_texts: Make) -> None:
    frame, texts = make_frame(), draw_texts()
    with_heads = gather_toy(frame, texts[:3])
    parts = [
        gather_toy(frame, texts[:3], by_head=False),
        gather_toy(frame, texts[3:], 3, by_head=False),
    ]
    summed = total(parts)
    assert not summed.has_heads
    assert [summed.attention, summed.lrp, summed.positive] == [None] * 3
    assert np.array_equal(summed.sums, gather_toy(frame, texts).sums)
    with pytest.raises(EvidenceError, match="by head and sums only cannot be added"):
        with_heads + parts[1]
    assert empty(frame, by_head=False) + summed == summed


def test_texts_are_not_counted_twice(toy: Relevance, gather_toy: Make, draw_texts: Make) -> None:
    with pytest.raises(EvidenceError, match="double counting: documents 1-6 of source s"):
        toy + toy
    overlapping = gather_toy(toy.frame, draw_texts(1), 5)
    with pytest.raises(EvidenceError, match="double counting: documents 6-6"):
        total([toy, overlapping])
    copy = gather_toy(toy.frame, draw_texts(), source="t")
    for add in (lambda: toy + copy, lambda: total([toy, copy])):
        with pytest.raises(EvidenceError, match="source s and source t hold the same texts"):
            add()


def test_nothing_to_add() -> None:
    with pytest.raises(EvidenceError, match="there is no relevance to add"):
        total([])


def test_what_was_gathered_otherwise_does_not_add(
    toy: Relevance, make_frame: Make, gather_toy: Make, draw_texts: Make
) -> None:
    longer = gather_toy(make_frame(longest=256), draw_texts(1), 6)
    with pytest.raises(EvidenceError, match="different longest cannot be added: 128 and 256"):
        toy + longer
    other = msgspec.structs.replace(toy.stamp.pipeline, signature="lemmas|v:1")
    stamp = msgspec.structs.replace(toy.stamp, pipeline=other)
    with pytest.raises(EvidenceError, match=r"different pipeline .*words\|v:1 and lemmas\|v:1"):
        total([toy, replace(toy, stamp=stamp)])


def test_other_words_do_not_add(
    toy: Relevance, make_frame: Make, gather_toy: Make, draw_texts: Make
) -> None:
    more = gather_toy(make_frame(topics="abcd"), draw_texts(1), 6)
    everything = replace(more, pairs=None)
    for one, other in ((toy, more), (more, everything), (everything, toy)):
        with pytest.raises(EvidenceError, match="for the same topics"):
            one + other


def test_other_heads_do_not_add(toy: Relevance, gather_toy: Make, draw_texts: Make) -> None:
    rest = gather_toy(toy.frame, draw_texts(1), 6)
    with pytest.raises(EvidenceError, match="--heads-of FILE"):
        toy + replace(rest, sample=rest.sample + rest.sample)
    fixed = replace(rest.fixed, important=~rest.fixed.important)
    with pytest.raises(EvidenceError, match="--heads-of FILE"):
        toy + replace(rest, fixed=fixed)


def test_equality_notices_every_field(toy: Relevance) -> None:
    assert toy == replace(toy)
    assert toy != 1
    for name in ARRAYS:
        assert toy != replace(toy, **{name: getattr(toy, name) + 1}), name
    assert toy != replace(toy, statistics=toy.sample)
    assert toy != replace(toy, attention=None)
    assert toy != replace(toy, pairs=None)
    assert toy != replace(toy, totals=toy.totals + toy.totals)
