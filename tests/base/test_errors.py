from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import (
    EvidenceError,
    InputError,
    MissingExtraError,
    TealeavesError,
    TealeavesWarning,
    _typing_errors,
    did_you_mean,
)


@pytest.mark.parametrize("error", [InputError, MissingExtraError, EvidenceError])
def test_every_error_can_be_caught_as_a_tealeaves_error(error: type[Exception]) -> None:
    with pytest.raises(TealeavesError, match="what happened"):
        raise error("what happened")


def test_errors_are_also_the_standard_ones_that_a_caller_expects() -> None:
    assert issubclass(InputError, ValueError)
    assert issubclass(MissingExtraError, ImportError)
    assert issubclass(TealeavesWarning, UserWarning)


def test_a_near_name_is_suggested() -> None:
    assert did_you_mean("wrods", ["tokens", "words", "icu"]) == "; did you mean words?"


@pytest.mark.parametrize(
    ("wrong", "known", "meant"),
    [
        ("hnad/N", ["ohad/N", "hand/N"], "hand/N"),
        ("hnad", ["had", "nad", "hand", "head"], "hand"),
        ("hadn", ["had", "hand"], "hand"),
        ("hans", ["sans", "hand", "bans"], "hand"),
        ("kings", ["kin", "king", "sings"], "king"),
        ("Lad", ["lid", "LDA"], "LDA"),
    ],
)
def test_swapped_letters_are_likelier_than_a_wrong_first_letter(
    wrong: str, known: list[str], meant: str
) -> None:
    assert did_you_mean(wrong, known) == f"; did you mean {meant}?"
    assert did_you_mean(wrong, known[::-1]) == f"; did you mean {meant}?"


@pytest.mark.parametrize("wrong", ["", "completely-else"])
def test_a_far_name_is_not_suggested(wrong: str) -> None:
    assert did_you_mean(wrong, ["tokens", "words", "icu"]) == ""


def test_without_known_names_there_is_no_suggestion() -> None:
    assert did_you_mean("words", iter(())) == ""


LETTERS = st.text("ab", max_size=4)


@given(LETTERS, LETTERS)
def test_the_distance_is_the_smallest_number_of_typing_errors(given_: str, meant: str) -> None:
    """Against a definition by recursion."""

    def fewest(one: str, other: str) -> int:
        if not one or not other:
            return len(one) + len(other)
        ways = [
            fewest(one[1:], other) + 1,
            fewest(one, other[1:]) + 1,
            fewest(one[1:], other[1:]) + (one[0] != other[0]),
        ]
        if len(one) > 1 and one[:2] == other[1::-1]:
            ways.append(fewest(one[2:], other[2:]) + 1)
        return min(ways)

    assert _typing_errors(given_, meant) == fewest(given_, meant)
