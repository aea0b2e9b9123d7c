"""Answers and times that are hardly plausible: they are kept, and notes ask about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tealeaves.tables.columns import plain_id

if TYPE_CHECKING:
    import polars as pl

    from tealeaves.judgments.judgments import Judgments

#: Numbers that often stand for a missing answer.
CODES = frozenset({-999, -99, -88, -9, 88, 99, 999})
_USUAL = 10  # no scale of ratings has larger numbers, or smaller ones than -10
_DISTINCT = 11  # points of a scale from 0 to 10
_FAR = 3  # times the range of all other answers
_SLOW = 300.0  # seconds; a median time is never as long


def doubts(judgments: Judgments) -> list[str]:
    """Return questions about answers far from all others, and times that cannot be seconds."""
    notes = []
    for dataset, task in judgments.parts:
        if (dataset, task) in judgments.keyed:  # right or wrong, not on a scale
            continue
        counts = _whole_numbers(judgments.part(dataset, task).topics_only.frame["answer"])
        far = far_answers(counts)
        rest = [number for number in counts if number not in far]
        for number in far:
            place = judgments.places.get((task, plain_id(number)), task)
            what = "it a code for missing? Then leave it empty" if number in CODES else "it a slip?"
            times = f" ({counts[number]} times)" * (counts[number] > 1)
            notes.append(
                f"{place}: the answer {number:g}{times} is far from all others, "
                f"{min(rest):g} to {max(rest):g}: is {what}"
            )
    median = judgments.frame["time"].drop_nulls().median()
    if isinstance(median, float) and median > _SLOW:
        notes.append(
            f"times look like milliseconds (their median is {median:g}): they are taken for seconds"
        )
    return notes


def _whole_numbers(answers: pl.Series) -> dict[float, int]:
    """Count answers that are whole numbers; nothing if there are others, or words."""
    import polars as pl

    numbers = answers.drop_nulls().cast(pl.Float64, strict=False)
    if numbers.null_count() or not (numbers == numbers.round()).all():
        return {}
    return dict(numbers.value_counts(sort=True).iter_rows())


def far_answers(counts: Mapping[float, int]) -> list[float]:
    """Return the few answers that cannot be on the scale of the others.

    All others must be within 10 of 0, as on any usual scale of ratings. Far is beyond that and
    more than three times their range away; for codes of missing answers, more than their range.

    >>> far_answers({1: 9, 2: 9, 3: 9, 33: 1, -99: 4})
    [33, -99]
    >>> far_answers({1: 99, 5: 1}), far_answers({0: 5, 50: 3, 100: 1})
    ([], [])
    """
    # among other negative numbers, -9 is a rating
    near = any(-_USUAL <= number < 0 for number in counts if number not in CODES)
    codes = [
        number for number in counts if number in CODES and not (near and abs(number) <= _USUAL)
    ]
    usual = [number for number in counts if abs(number) <= _USUAL and number not in codes]
    rest = [number for number in counts if number not in usual]
    if not usual or len(counts) > _DISTINCT or 2 * _total(counts, rest) >= sum(counts.values()):
        return []
    span = max(usual) - min(usual)
    for number in rest:
        away = min(abs(number - one) for one in usual)
        if away <= (span if number in codes else _FAR * max(span, 1)):
            return []  # a scale of another kind
    slips = [number for number in rest if number not in codes]
    few = _total(counts, slips) <= max(1, sum(counts.values()) // 10)
    return [number for number in rest if few or number in codes]


def _total(counts: Mapping[float, int], numbers: list[float]) -> int:
    return sum(counts[number] for number in numbers)


def doubted_scale(judgments: Judgments) -> list[str]:
    """Ask whether a scale of four votes is right if no answer is 4.

    >>> from tealeaves.judgments import Judgments
    >>> doubted_scale(Judgments.of([{"topic": 1, "answer": 3}]).scaled("votes"))
    ['no answer is 4: is this the scale of four votes?']
    """
    if not judgments.scale.of_votes:
        return []
    rated = [part for part in judgments.parts if part not in judgments.keyed]
    for part in rated:
        answers = judgments.part(*part).topics_only.frame["answer"].drop_nulls()
        if len(answers) and "4" not in {plain_id(answer) for answer in answers}:
            return ["no answer is 4: is this the scale of four votes?"]
    return []
