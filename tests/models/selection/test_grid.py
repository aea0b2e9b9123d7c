"""Grids of numbers of topics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.models.selection.grid import parse_grid


def test_a_range_includes_its_end() -> None:
    assert parse_grid("5:60:5") == [5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60]
    assert parse_grid("5:12:5") == [5, 10]
    assert parse_grid("2,8:10,4") == [2, 4, 8, 9, 10]
    assert parse_grid([3, 2]) == [2, 3]
    assert parse_grid(np.arange(2, 5)) == parse_grid(range(2, 5)) == [2, 3, 4]
    assert parse_grid(np.int64(7)) == [7]  # type: ignore[arg-type]


_EXAMPLES = "give a number (20), several (5,10,20) or start:stop:step (5:60:5)"
_TOO_SMALL = f"the number of topics is at least 1: {_EXAMPLES}"
_NO_GRID = f"not a grid of numbers of topics: {_EXAMPLES}"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (None, f"not a grid of numbers: {_EXAMPLES}"),
        ([1.5], f"not a grid of numbers: {_EXAMPLES}"),
        ([], _TOO_SMALL),
        ("", _NO_GRID),
        ("a", _NO_GRID),
        ("5:", _NO_GRID),
        ("5:1", f"5:1 holds no number: {_EXAMPLES}"),
        ("5:10:0", f"5:10:0 holds no number: {_EXAMPLES}"),
        ("0", _TOO_SMALL),
        ("-3", _NO_GRID),
        ("5;10", _NO_GRID),
        ("1:2:3:4", _NO_GRID),
        ("1.5", _NO_GRID),
        ("0:5", _TOO_SMALL),
        ("1:99999", "99999 numbers of topics are more than 1000"),
    ],
)
def test_nonsense_is_an_error_that_shows_what_is_meant(wrong: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_grid(wrong)
    assert str(caught.value) == f"k {wrong}: {message}"
