"""``Scale``: the numbers of answers, and the score of a topic from its answers."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from tealeaves.errors import InputError, did_you_mean
from tealeaves.tables.columns import replace_decimal_comma

if TYPE_CHECKING:
    import polars as pl

# Khodorchenko, Butakov & Nasonov 2022: good, rather good, rather bad, bad
_VOTES: Mapping[str, float] = MappingProxyType({"4": 2.0, "3": 1.0, "2": -1.0, "1": -2.0})
_SEMICOLON = re.compile(r"=\s*[-+.\d]+\s*;")


class AnswerError(InputError):
    """An answer that is not on the scale."""

    def __init__(self, message: str, answer: str) -> None:
        super().__init__(message)
        self.answer = answer


@dataclass(frozen=True)
class Scale:
    """A scale: the number of each answer, and a topic's score, the mean or the majority.

    ============== ===========================================================================
    ``answers``    the numbers that were given; the mean (the default)
    ``votes``      4, 3, 2, 1 count 2, 1, -1, -2; the mean
    ``majority``   the same; the most frequent vote, and 0 for mixed votes: a class, no number
    ``good=2,…``   what each answer counts; the mean
    ============== ===========================================================================

    The case of answers does not matter, unless that is ambiguous. If two votes are equally
    frequent, the milder counts if both are on one side, else 0.

    >>> Scale.parse("votes").summary([2.0, 2.0, -1.0, 2.0, 2.0])
    1.4
    >>> majority = Scale.parse("majority")
    >>> [majority.summary(votes) for votes in ([2, 2, -1], [2, 2, 1, 1, -1], [2, 2, -1, -1])]
    [2.0, 1.0, 0.0]
    >>> Scale.parse("yes=1, no=0").numbers_of(["no", "yes"])
    [0.0, 1.0]
    """

    name: str = "answers"
    values: Mapping[str, float] = field(default_factory=dict)
    majority: bool = False

    @classmethod
    def parse(cls, text: Scale | str) -> Scale:
        """Read a scale."""
        if isinstance(text, Scale):
            return text
        known = {
            "answers": cls(),
            "votes": cls("votes", _VOTES),
            "majority": cls("majority", _VOTES, majority=True),
        }
        return known[text] if text in known else cls(text, _assigned(text))

    @property
    def of_votes(self) -> bool:
        """Whether answers are the four votes."""
        return self.values is _VOTES

    def numbers_of(self, answers: Sequence[object]) -> list[float]:
        """Return the number of each answer; NaN for none; an unknown answer is an error."""
        try:
            return [self._number(answer) for answer in answers]
        except AnswerError as error:
            if self.values:
                raise
            raise AnswerError(f"{error}: {_advice(answers, error.answer)}", error.answer) from None

    def numbers(self, answers: pl.Series) -> pl.Series:
        """Return the numbers of a column."""
        import polars as pl

        if not self.values and answers.dtype.is_numeric():
            return answers.cast(pl.Float64).fill_null(math.nan)
        if answers.dtype.is_float():
            answers = answers.fill_nan(None)
        # equal answers are looked up once
        unique = answers.unique(maintain_order=True).to_list()
        known = dict(zip(unique, self.numbers_of(unique), strict=True))
        return pl.Series(answers.name, [known[one] for one in answers.to_list()], pl.Float64)

    def summary(self, numbers: Sequence[float]) -> float:
        """Return the score of a topic with these answers; NaN if there are none."""
        known = [number for number in numbers if not math.isnan(number)]
        if not known:
            return math.nan
        return _majority(known) if self.majority else math.fsum(known) / len(known)

    def _number(self, answer: object) -> float:
        if answer is None or answer == "" or (isinstance(answer, float) and math.isnan(answer)):
            return math.nan
        text = _plain(answer)
        if text in self.values:
            return self.values[text]
        if self.values:
            return self._in_any_case(text)
        try:
            return float(text)
        except ValueError:
            raise AnswerError(f"the answer {text!r:.60} is no number", text) from None

    def _in_any_case(self, text: str) -> float:
        alike = [name for name in self.values if name.casefold() == text.casefold()]
        if len(alike) == 1:
            return self.values[alike[0]]
        hint, listed = did_you_mean(text, self.values), ", ".join(self.values)
        raise AnswerError(
            f"the answer {text!r:.60} is not on the scale {self.name}{hint} ({listed})", text
        )


def _advice(answers: Sequence[object], wrong: str) -> str:
    """Say what to do with answers that are no numbers; a word among numbers is a mistake."""
    point = replace_decimal_comma(wrong)
    if point is not None:
        return f"write a decimal point, {point}, or give several answers a row each"
    words = '--scale "good=3, fair=2, bad=1"'
    numbers = sum(_is_number(answer) for answer in answers)
    if 2 * numbers > len(answers):
        return f"mend it or leave it empty, or say what each answer counts, as in {words}"
    return f"say what answers count, as in {words}"


def _is_number(answer: object) -> bool:
    try:
        return answer is not None and math.isfinite(float(str(answer)))
    except ValueError:
        return False


def _plain(answer: object) -> str:
    """Write 4.0 as 4, as it stands on the scale."""
    if isinstance(answer, float) and answer.is_integer():
        return str(int(answer))
    return str(answer).strip()


def _majority(numbers: Sequence[float]) -> float:
    counts = Counter(numbers)
    most = max(counts.values())
    modes = [number for number, count in counts.items() if count == most]
    sides = {math.copysign(1.0, number) for number in modes}
    return min(map(float, modes), key=abs) if len(sides) == 1 else 0.0


def _assigned(text: str) -> dict[str, float]:
    """Read ``good=3, fair=2``."""
    if _SEMICOLON.search(text):
        raise InputError(
            f'the scale {text!r}: separate answers by commas, as in "good=3, fair=2, bad=1"'
        )
    values: dict[str, float] = {}
    for part in text.split(","):
        name, _, number = part.rpartition("=")
        answer = name.strip()
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            answer = ""
        if answer in values:
            raise InputError(f"the scale {text!r} says twice what {answer} counts")
        if not answer:
            raise InputError(
                f"no scale {text!r}: there are answers, votes, majority, or what each answer "
                'counts, as in "good=3, fair=2, bad=1"'
            )
        values[answer] = value
    return values
