"""How notes name several things."""

from __future__ import annotations

from collections.abc import Sequence

from tealeaves.tables.numbers import list_text

#: So many names a note lists before it counts the others.
MOST_NAMED = 4


class Remarks:
    """Notes that are gathered by their reason, so that many pairs make one sentence.

    >>> remarks = Remarks()
    >>> remarks.add("without a value", "a and b")
    >>> remarks.add("without a value", "a and c")
    >>> remarks.notes
    ['without a value: a and b, a and c']
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], dict[str, None]] = {}

    def add(self, reason: str, subject: str = "", *, lead: str = "") -> None:
        """Keep a reason, and whom it concerns; the same is said once. ``lead`` goes before whom."""
        subjects = self._found.setdefault((lead, reason), {})
        if subject:
            subjects[subject] = None

    @property
    def notes(self) -> list[str]:
        """A sentence for each reason."""
        return [
            _sentence(lead, reason, list(subjects))
            for (lead, reason), subjects in self._found.items()
        ]


def _sentence(lead: str, reason: str, subjects: Sequence[str]) -> str:
    if lead:
        return f"{lead} {list_text(subjects, MOST_NAMED)}: {reason}"
    return f"{reason}: {list_text(subjects, MOST_NAMED)}" if subjects else reason
