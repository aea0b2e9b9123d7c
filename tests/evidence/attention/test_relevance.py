"""Relevance of toy texts: by hand, by brute force, added, looked up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import EvidenceError
from tealeaves.evidence.attention.frame import contained
from tealeaves.evidence.attention.relevance import Relevance, empty, of_chunk
from tealeaves.evidence.requests import RelevanceRequest, Term

Make = Callable[..., Any]


def _term(word: str) -> Term:
    return Term((word,))


# ---------------------------------------------------------------------- by hand


def test_a_chunk_by_hand(two_texts: Relevance) -> None:
    found = two_texts
    assert found.rows.tolist() == [[0, 1], [1, 0], [2, 1]]
    assert found.together.tolist() == [2, 3, 1]
    assert found.attention is not None
    assert found.lrp is not None
    assert found.positive is not None
    assert found.attention[:, 1, 2].tolist() == [1, 4, 9]
    assert found.lrp[:, 0, 0].tolist() == [-1, -4, -9]
    assert found.positive[:, 0, 0].tolist() == [2, 3, 1]
    # b-a is in both texts: 1 + 4, 2 + 5, 3 + 6
    assert found.sums.tolist() == [[10, 20, 30], [5, 7, 9], [0.5, 0.25, 0.125]]
    assert found.counted.tolist() == [2, 1 + 1, 0]
    assert found.text_starts.tolist() == [0, 2, 4]
    assert found.text_rows.tolist() == [0, 1, 1, 2]
    assert found.text_values[:, 0].tolist() == [10, 1, 4, 0.5]
    assert found.text_together.tolist() == [2, 2, 1, 1]
    assert found.text_counted.tolist() == [2, 1, 1, 0]
    assert found.texts == 2


def test_sums_of_one_text_by_hand(two_texts: Relevance) -> None:
    found = two_texts
    together, sums, counted = found.sums_of_texts(np.array([False, True]))
    assert together.tolist() == [0, 1, 1]
    assert sums.tolist() == [[0, 0, 0], [4, 5, 6], [0.5, 0.25, 0.125]]
    assert counted.tolist() == [0, 1, 0]
    with pytest.raises(ValueError, match="a mask of 2 texts"):
        found.sums_of_texts(np.array([True]))


def test_without_improved_the_third_sum_is_unknown(two_texts: Relevance) -> None:
    found = two_texts
    values = found.text_values.copy()
    values[:, 2] = np.nan
    unknown = replace(found, text_values=values)
    _, sums, _ = unknown.sums_of_texts(np.array([True, True]))
    assert np.isnan(sums[:, 2]).all()
    assert sums[:, :2].tolist() == found.sums[:, :2].tolist()
    assert unknown == replace(unknown, text_values=values.copy())
    assert unknown != found


# ---------------------------------------------------------------------- looking up


def test_looking_up_rows(two_texts: Relevance) -> None:
    found = two_texts
    keys = np.array([1, 0, 1, 3, 2]) * 4 + np.array([0, 1, 2, 1, 2])
    numbers, seen = contained(keys, found.row_keys)
    assert seen.tolist() == [True, True, False, False, False]
    assert numbers[:2].tolist() == [1, 0]


def test_nothing_was_seen(make_frame: Make) -> None:
    nothing = empty(make_frame())
    assert contained(np.array([1, 6]), nothing.row_keys)[1].tolist() == [False, False]


def test_what_was_not_asked_for_is_an_error(toy: Relevance) -> None:
    message = "the words 'd' and 'a' were not asked for together: gather the relevance for these"
    with pytest.raises(EvidenceError, match=message):
        toy.frame.check_requested(np.array([1 * 4 + 2, 3 * 4 + 0]))
    assert [toy.positions[term] for term in map(_term, "dab")] == [3, 0, 1]
    assert toy.positions[_term("c")] == 2


def test_requested_keys_in_either_order(toy: Relevance) -> None:
    frame = toy.frame
    keys = np.arange(16)
    asked = {(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)}
    expected = [(min(divmod(k, 4)), max(divmod(k, 4))) in asked for k in range(16)]
    assert frame.are_requested(keys).tolist() == expected
    all_pairs = replace(frame, pairs=None)
    assert all_pairs.are_requested(keys).tolist() == [k % 5 != 0 for k in range(16)]


def test_all_pairs_are_asked(two_texts: Relevance) -> None:
    found = replace(two_texts, pairs=None)
    keys = np.array([3])
    found.frame.check_requested(keys)
    assert not contained(keys, found.row_keys)[1].any()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"keys": np.array([9, 4, 4])}, "there twice"),
        ({"keys": np.array([9, 4, 2])}, "a pair that the chunk has not"),
        ({"starts": np.array([0, 2])}, "do not fit its totals"),
        ({"starts": np.array([0, 2, 3])}, "do not fit its totals"),
        ({"together": np.array([1, 3, 3])}, "do not add up"),
    ],
)
def test_chunks_that_do_not_fit(
    changes: dict[str, Any], message: str, chunk: dict[str, Any]
) -> None:
    of_chunk(**chunk)
    part = "texts" if "starts" in changes else "pairs"
    changed = chunk[part]._replace(**changes)
    with pytest.raises(ValueError, match=message):
        of_chunk(**chunk | {part: changed})


def test_a_chunk_with_words_that_were_not_asked_for(
    make_frame: Make, gather_toy: Make, draw_texts: Make
) -> None:
    with pytest.raises(EvidenceError, match="were not asked for together"):
        gather_toy(make_frame(topics="ab bcd"), draw_texts())


# ---------------------------------------------------------------------- what it says of itself


def test_provenance(toy: Relevance) -> None:
    assert toy.provenance == (
        "classifier=toy#0123456789abcdef|longest=128|target=predicted|procedure=1|rules=sizes"
        f"|tokens=words|v:1|texts={toy.fingerprint}|fixed={toy.fixed.digest}"
    )
    assert "6 texts: toy" in repr(toy)


def test_the_table_of_heads(toy: Relevance) -> None:
    table = toy.heads_table().rows
    assert [(row["layer"], row["head"]) for row in table] == [
        (1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3),
    ]  # fmt: skip
    assert [row["confident"] for row in table] == [False, True, False, True, False, False]
    assert [row["important"] for row in table] == [True, True, False, False, False, True]
    assert all(row["confidence"] == 0.5 for row in table)
    assert [row["importance"] for row in table] == [0.5, 0.25, 0.25] * 2


def test_requests_join_and_become_arrays() -> None:
    a, b, c = map(_term, "abc")
    request = RelevanceRequest.of([[c, a, a]]) | RelevanceRequest.of([[b], [b, c]])
    assert request.pairs == frozenset({(a, c), (b, c)})
    terms, pairs = request.terms_and_positions()
    assert terms == (a, b, c)
    assert pairs is not None
    assert pairs.tolist() == [[0, 2], [1, 2]]
    assert request | request is request
    nothing = RelevanceRequest().terms_and_positions()[1]
    assert nothing is not None
    assert nothing.shape == (0, 2)


def test_a_request_for_all_pairs_takes_others_in() -> None:
    a, b, c = map(_term, "abc")
    all_pairs = RelevanceRequest(frozenset({a, b}), None)
    joined = all_pairs | RelevanceRequest.of([[b, c]], improved=True)
    assert joined == RelevanceRequest(frozenset({a, b, c}), None, improved=True)
    assert joined.terms_and_positions() == ((a, b, c), None)
