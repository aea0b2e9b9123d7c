"""Which column of a table is what, what stands in its cells, and rows of data frames."""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest

from tealeaves.errors import InputError
from tealeaves.tables.columns import (
    find_columns,
    is_missing,
    number_of,
    plain_id,
    records_of,
    words_of,
)

ALIASES = {"topic": ("topic_id", "topic_idx"), "answer": ("score", "rating")}


def columns(names: list[str], **chosen: str) -> dict[str, str]:
    return find_columns(names, ALIASES, where="t", chosen=chosen).names


def test_columns_are_found_by_any_spelling() -> None:
    assert columns(["Topic-ID", " SCORE "]) == {"topic": "Topic-ID", "answer": " SCORE "}
    assert columns(["topicIdx", "other"]) == {"topic": "topicIdx"}


def test_two_columns_that_may_be_the_same_are_an_error() -> None:
    with pytest.raises(InputError, match="t: score and rating may all be the answer"):
        columns(["topic", "score", "rating"])
    with pytest.raises(InputError, match="t: Answer and answer may all be the answer"):
        columns(["Answer", "answer"])


def test_its_own_name_goes_before_others_and_that_is_said() -> None:
    names, notes = find_columns(["score", "answer"], ALIASES, where="t")
    assert names == {"answer": "answer"}
    assert notes == ["t: the answer is the column answer, not score"]


def test_what_the_caller_says_goes_before_all() -> None:
    assert columns(["answer", "score", "rating"], answer="rating") == {"answer": "rating"}
    # and a column that is said to be the topic is not the answer as well
    assert columns(["score", "rating"], topic="score") == {"topic": "score", "answer": "rating"}
    with pytest.raises(InputError, match="t: no column ratng; did you mean rating"):
        columns(["rating"], answer="ratng")
    with pytest.raises(InputError, match="no column is known as answers; did you mean answer"):
        columns(["rating"], answers="rating")


def test_an_empty_column_gives_way_to_one_with_values() -> None:
    there = ["topic_id", "topic_idx"]
    names = find_columns(there, ALIASES, where="t", empty={"topic_id"}).names
    assert names == {"topic": "topic_idx"}
    assert find_columns(["topic_id"], ALIASES, where="t", empty={"topic_id"}).names == {
        "topic": "topic_id"
    }


def test_missing_cells_of_every_library() -> None:
    import numpy as np
    import pandas as pd

    for value in (None, "", " ", math.nan, np.float32("nan"), pd.NA, pd.NaT):
        assert is_missing(value)
        assert plain_id(value) == ""
        assert number_of(value) is None
    for value in (0, False, "0", [], np.int64(0), np.array([math.nan])):
        assert not is_missing(value)


def test_ids_are_one_however_they_are_written() -> None:
    import numpy as np

    for value in (3, 3.0, "3", "3.0", " 3 ", np.int64(3), np.float64(3)):
        assert plain_id(value) == "3"
    assert [plain_id(text) for text in ("03", "3.10", "v1.0", "10", "1.0/2")] == [
        "03",
        "3.10",
        "v1.0",
        "10",
        "1.0/2",
    ]


def test_numbers() -> None:
    assert [number_of(value) for value in ("1e3", "-inf", 2, True)] == [1000, -math.inf, 2, 1]
    nothing = ("NA", "null", "nan", "N/A", "n/a", " - ", ".")
    assert [number_of(value) for value in nothing] == [None] * 7
    wrong: list[Any] = ["many", [1], {}, "1e999", 10**400, "-" + "9" * 400]
    for value in wrong:
        with pytest.raises(ValueError):
            number_of(value)


def test_words() -> None:
    assert words_of("1,000 dollars") == ["1,000", "dollars"]
    assert words_of("cat,dog") == ["cat", "dog"]
    assert words_of('["new york", "é"]') == ["new york", "é"]
    assert words_of("['it''s']") == ["its"]  # as Python reads it
    assert words_of("[broken") == ["[broken"]
    assert words_of(None) == []
    assert words_of(pl.Series(["a", "b"])) == ["a", "b"]
    with pytest.raises(ValueError, match="3 is no list of words"):
        words_of(3)


class ArrowStream:
    """A table of a library that only speaks Arrow."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.__arrow_c_stream__ = frame.__arrow_c_stream__


def test_records_of_any_data_frame() -> None:
    import pandas as pd

    rows = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
    frame = pl.DataFrame(rows)
    for given in (rows, frame, frame.lazy(), ArrowStream(frame), pd.DataFrame(rows)):
        assert records_of(given) == rows
    wrong: list[Any] = ["text", {"a": 1}, [1], 3]
    for value in wrong:
        with pytest.raises(InputError, match="scores must be a data frame or dictionaries"):
            records_of(value, "scores")
