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


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [1.5],
        [],
        "",
        "a",
        "5:",
        "5:1",
        "5:10:0",
        "0",
        "-3",
        "5;10",
        "1:2:3:4",
        "1.5",
        "0:5",
        "1:99999",
    ],
)
def test_nonsense_is_an_error_that_shows_what_is_meant(wrong: Any) -> None:
    with pytest.raises(InputError, match="k ") as caught:
        parse_grid(wrong)
    assert "\n" not in str(caught.value)
