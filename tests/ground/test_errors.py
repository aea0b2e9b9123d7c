from __future__ import annotations

import pytest

from tealeaves.errors import (
    EvidenceError,
    InputError,
    MissingExtraError,
    TealeavesError,
    TealeavesWarning,
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


@pytest.mark.parametrize("wrong", ["", "completely-else"])
def test_a_far_name_is_not_suggested(wrong: str) -> None:
    assert did_you_mean(wrong, ["tokens", "words", "icu"]) == ""


def test_nothing_is_suggested_where_nothing_is_known() -> None:
    assert did_you_mean("words", iter(())) == ""
