"""What an evaluation says: of each model, of lines to hold it against, and of each two models."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.lexicon.error.rows import LemmaError, Measures
from tealeaves.statistics.correction import METHODS
from tealeaves.statistics.intervals import LEAST_DRAWS


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """How models are compared.

    ``draws`` are of the bootstrap and of signs, ``level`` is that of intervals, and 1 less it that
    of tests; ``correction`` is of p over all pairs of models.
    """

    draws: int = 10_000
    level: float = 0.95
    correction: str = "holm"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.draws < LEAST_DRAWS:
            raise InputError(f"draws must be {LEAST_DRAWS} or more, not {self.draws}")
        if not 0 < self.level < 1:
            raise InputError(f"the level of intervals is between 0 and 1, not {self.level}")
        if self.correction not in METHODS:
            known = ", ".join(METHODS)
            raise InputError(f"no correction named {self.correction!r}: one of {known}")

    @property
    def alpha(self) -> float:
        """A difference is significant where p, corrected, is this or less."""
        return round(1 - self.level, 12)


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The mean of one model, in one target language or over all, of one part of speech or of all.

    ``target`` and ``pos`` are None where the mean is over all of them. A ``kind`` of ``line`` is no
    model but a simple answer; of its measures only the error is told. ``low`` and ``high`` are the
    interval of the error over lemmas. ``lemmas`` are those that the mean rests on, in any language,
    ``tokens`` theirs in all languages, ``left_out`` the lemmas with fewer than two tokens, counted
    in each language. Models that share one of the ``letters`` do not differ significantly.
    """

    kind: str = "model"
    model: str
    target: str | None = None
    pos: str | None = None
    lemmas: int = 0
    tokens: int = 0
    left_out: int = 0
    low: float = math.nan
    high: float = math.nan
    letters: str = ""
    measures: Measures = Measures()

    @property
    def error(self) -> float:
        """E, the mean."""
        return self.measures.error


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Two models on the lemmas that both have: the difference of their errors, a - b.

    ``low`` and ``high`` are its interval over lemmas, not corrected; p is of flipped signs.
    """

    model_a: str
    model_b: str
    error_a: float
    error_b: float
    difference: float
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    p_corrected: float = math.nan
    lemmas: int = 0
    significant: bool = False


def flat(row: Summary | LemmaError) -> dict[str, Any]:
    """Return a row with its measures beside what else it says."""
    found = msgspec.structs.asdict(row)
    measures: Measures = found.pop("measures")
    shares = {"corrected": measures.corrected, "adjusted": measures.adjusted}
    return found | msgspec.structs.asdict(measures) | shares
