"""``HeadsTable``: how confident and how important each head of a classifier is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy

_MARK = "*"
_NOTHING = "–"


class HeadsTable(Tidy):
    """All heads, layer by layer; the heads that metrics use are marked.

    Parameters
    ----------
    rows
        ``layer``, ``head``, ``confidence``, ``importance``, and whether the head was chosen as a
        ``confident`` or as an ``important`` one.
    subtitle
        The classifier and the number of texts, in one line.
    notes
        Further facts about the classifier and the texts.
    """

    columns = ("layer", "head", "confidence", "importance", "confident", "important")

    def __init__(
        self, rows: Sequence[Mapping[str, Any]], *, subtitle: str = "", notes: Sequence[str] = ()
    ) -> None:
        self.rows = [dict(row) for row in rows]
        self.subtitle = subtitle
        self.notes = list(notes)

    @classmethod
    def of(cls, relevance: Relevance) -> HeadsTable:
        """List the heads of the classifier that relevance was gathered with."""
        stamp, texts = relevance.stamp, relevance.statistics.texts
        sample = relevance.sample.texts
        notes = [
            f"{stamp.classifier} ({stamp.kind}): {stamp.layers} layers of {stamp.heads} heads",
            f"the numbers are from {texts:,} texts; heads were chosen by {sample:,} texts",
        ]
        subtitle = f"{stamp.classifier}, {texts:,} texts"
        return cls(relevance.heads_table(), subtitle=subtitle, notes=notes)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one row per head."""
        return [dict(row) for row in self.rows]

    def table(self) -> Table:
        """Return the table that is printed: one row per head; a layer is named once."""
        lines, previous = [], None
        for row in self.rows:
            layer = "" if row["layer"] == previous else str(row["layer"])
            previous = row["layer"]
            cells = [
                _cell(row["confidence"], chosen=row["confident"]),
                _cell(row["importance"], chosen=row["important"]),
            ]
            lines.append(([layer, str(row["head"])], cells))
        return text_table(["layer", "head"], ["confidence", "importance"], lines)

    @property
    def legend(self) -> list[str]:
        """The meaning of the columns and of the mark."""
        heads = len({row["head"] for row in self.rows})
        return [
            "confidence: the largest attention that a token pays, on average; "
            f"{_MARK}: the head of its layer in attention_sum",
            f"importance: signed share of the layer's relevance, {1 / max(heads, 1):.3f} if all "
            f"were equal; {_MARK}: a head of lrp_sum and relevance_count",
        ]


def _cell(value: float, *, chosen: bool) -> str:
    """Return a number with its mark, or a space instead, so that decimal points are aligned."""
    number = _NOTHING if math.isnan(value) else f"{value:.3f}"
    return f"{number}{_MARK if chosen else ' '}"
