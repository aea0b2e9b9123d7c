"""What is said of a table: what was taken for what, what is missing, what does not count."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tealeaves.errors import InputError
from tealeaves.judgments import Judgments


def column(rows: list[dict[str, Any]], name: str) -> list[Any]:
    return list(Judgments.of(rows).frame[name].to_list())


def test_what_was_taken_for_the_answer_is_said() -> None:
    assert Judgments.of([{"topic": 1, "value": 2}]).notes == ["`value` is taken for the answer"]
    assert Judgments.of([{"topic": 1, "Answer ": 2}]).notes == []
    assert Judgments.of([{"topic": 1, "value": 2}], answer="value").notes == []


def test_columns_of_no_meaning_are_named() -> None:
    row = {"topic": 1, "answer": 2, "who2": "x", "Duration2": 3, "options": 6, "empty": None}
    said = "columns of no meaning here, kept: who2, Duration2 (--column says what they are)"
    assert Judgments.of([row]).notes == [said]
    assert Judgments.of([row], annotator="who2").notes == [said.replace("who2, ", "")]
    left = Judgments.of([{"topic": 1, "rating": 2, "score": 3}], answer="rating").notes
    assert left == [said.replace("who2, Duration2", "score")]
    many = {"topic": 1, "answer": 2} | {f"c{n}": n for n in range(10)}
    assert Judgments.of([many]).notes[0].endswith("c7 and 2 more (--column says what they are)")


def test_what_was_shown_and_where_it_was_chosen_are_columns() -> None:
    row = {"topic": 1, "answer": "cat", "key": "cat", "n_shown": 6, "place": 2, "options": "x"}
    people = Judgments.of([row], options="n_shown", position="place")
    assert people.frame.select("options", "position", "options_").row(0) == (6, 2, "x")
    assert "n_shown" not in people.frame.columns
    (said,) = people.notes
    assert "kept: options (" in said
    plain = Judgments.of([{"topic": 1, "answer": 2, "Position": 3, "shown": 6}])
    assert plain.frame.select("position", "options").row(0) == (3, 6)
    assert plain.notes == []
    assert "position" not in Judgments.of([{"topic": 1, "answer": 2}]).frame.columns


@pytest.mark.parametrize("who", ["participant", "Participant ID", "respondent", "subject"])
def test_surveys_have_participants(who: str) -> None:
    people = Judgments.of([{"topic": 1, who: "ann", "Duration": 3, "choice": 2}])
    row = people.frame.to_dicts()[0]
    assert (row["annotator"], row["time"], row["answer"]) == ("ann", 3.0, 2.0)


def test_ways_to_say_that_nothing_is_there() -> None:
    given = ["NA", "n/a", "N/A", "NaN", "null", "-", ".", "", None, "NA"]
    rows = [{"topic": 1, "answer": x} for x in ("good", *given, "bad")]
    people = Judgments.of(rows)
    assert people.frame["answer"].to_list() == ["good", *[None] * 10, "bad"]
    assert people.notes == [
        "8 answers written - or . or N/A or NA or NaN or n/a or null are taken for missing"
    ]
    assert people.left_out == ["10 rows without an answer are left out"]
    one = Judgments.of([{"topic": 1, "answer": x} for x in (1, "-")])
    assert one.notes == ["1 answer written - is taken for missing"]


def test_infinity_is_a_word_among_words_alone() -> None:
    def rows(*given: Any) -> list[dict[str, Any]]:
        return [{"topic": 1, "answer": x} for x in given]

    assert column(rows("infinity", "zero"), "answer") == ["infinity", "zero"]
    for wrong in ("inf", math.inf, "1e999", 10**400, -math.inf):
        with pytest.raises(InputError, match=r"row 2: the answer '.*' is not a finite number"):
            Judgments.of(rows(1, wrong, 2))
    with pytest.raises(InputError, match=r"row 1: the time 1000.* is no number of seconds"):
        Judgments.of([{"topic": 1, "answer": 1, "time": 10**400}])


def test_half_a_character_is_refused() -> None:
    rows = [{"topic": 1, "answer": 1, "note": "é"}, {"topic": "\ud800", "answer": 1}]
    with pytest.raises(InputError, match="row 2: half a character: write it whole"):
        Judgments.of(rows)


def test_what_does_not_count_is_told() -> None:
    row = {"topic": 1, "annotator": "ann", "answer": 1}
    rows = [row, row, row, row | {"answer": None, "topic": 2}]
    checks = [row | {"gold": True, "item": f"c{n}"} for n in range(2)]
    people = Judgments.of([*rows, *checks])
    assert people.left_out == [
        "2 answers to items that only test attention are left out",
        "1 row without an answer is left out",
        "2 answers that the same annotator repeated later are left out",
    ]
    assert len(people) == len(people.counted) + 2 + 1 + 2
    assert Judgments.of([row]).left_out == []
