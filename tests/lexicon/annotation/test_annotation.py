"""Expressions as people write them into a cell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.lexicon.annotation.annotation import expressions_text, parse_expressions


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("", None),
        (" \t\u00a0", None),
        ("-", set()),
        (" – ", set()),
        ("∅", set()),
        ("käsi", {"käsi"}),
        ("ka\u0308si | käsi|käsi ", {"käsi"}),
        ("käsi | koura", {"käsi", "koura"}),
        ("ottaa … kiinni", {"ottaa … kiinni"}),
        ("ottaa...kiinni | ottaa ...  kiinni", {"ottaa … kiinni"}),
        ("pitää\n kiinni", {"pitää kiinni"}),
        ("-nsa", {"-nsa"}),
        ("Ø", {"Ø"}),  # an island in Danish
        ("a-b | =c", {"a-b", "=c"}),
    ],
)
def test_what_a_cell_says(cell: str, expected: set[str] | None) -> None:
    assert parse_expressions(cell) == expected


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("käsi | ", "an expression is empty"),
        ("|", "an expression is empty"),
        ("…", "an expression is empty"),
        ("- | käsi", "- says that nothing expresses the token, but others do"),
        ("#NAME?", "#NAME\\? is what a spreadsheet makes of a formula"),
        ("käsi | #REF!", "#REF! is what a spreadsheet makes of a formula"),
    ],
)
def test_what_a_cell_must_not_say(cell: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_expressions(cell)


@given(st.none() | st.frozensets(st.text("aä-='…. ", min_size=1, max_size=5), max_size=3))
def test_cells_come_back(said: frozenset[str] | None) -> None:
    try:
        cell = expressions_text(said)
    except InputError:
        return  # some say nothing
    found = parse_expressions(cell)
    assert expressions_text(found) == cell
    if said is None or not said:
        assert found == said


def test_a_bar_within_an_expression_needs_json() -> None:
    with pytest.raises(InputError, match="a bar separates expressions in a cell: write JSONL"):
        expressions_text({"a|b"})
