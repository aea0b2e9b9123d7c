"""``AgreementRow``: one number of agreement, and what it is of."""

from __future__ import annotations

from dataclasses import dataclass

ALL, NOT_FLAGGED = "all", "not flagged"
FEWEST, MEDIAN, MOST = (f"{which} answers an item" for which in ("fewest", "median", "most"))
#: Measures that say how much there is, and nothing of agreement.
COUNTS = ("items", "annotators", "answers", FEWEST, MEDIAN, MOST, "flagged annotators")
#: The note of the α whose level is the one meant.
MEANT = "the level meant"


@dataclass(frozen=True)
class AgreementRow:
    """One number: of which data set, task, model (empty for all) and annotators, with interval.

    ``n`` counts ``unit``: items, annotators, models, topics or answers.
    """

    dataset: str
    task: str
    model: str
    annotators: str
    measure: str
    value: float
    low: float
    high: float
    n: int
    unit: str
    note: str
