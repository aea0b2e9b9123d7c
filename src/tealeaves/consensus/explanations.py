"""``Explanations``: what is said of each topic, how far that reaches, and why."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from tealeaves.consensus.reasons import (
    AGREEING,
    Reason,
    kind_of_main_reason,
    main_reason,
    reasons_of,
)
from tealeaves.consensus.signals import AGREEMENT
from tealeaves.consensus.weak_pairs import WeakPair
from tealeaves.tables.table import MARK_LEGEND, Cell, MarkedWords, Table, TextCell
from tealeaves.tables.tidy import Tidy

if TYPE_CHECKING:
    import polars as pl

_ALL = "all"
_SCALE = "value: from 0, the worst answer people could give, to 1, the best"
#: Whose score an interval holds, after the share of topics.
TAUGHT = "topics like those it was taught with (English; of other corpora fewer: docs/consensus.md)"


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """One topic, or (without a topic) the mean over a model's topics that have a value.

    ``usual`` is the value of an average topic: with the ``parts`` of all signals it is the value,
    cut at 0 and 1. ``fits`` is how well each word fits, where 1 is what an average word is worth,
    and ``odd`` are those that fit badly, the worst first. ``why_not`` says why there is no value.
    """

    model: str
    topic: int | str | None
    value: float
    support: float
    low: float = math.nan
    high: float = math.nan
    usual: float = math.nan
    sources: list[str] = msgspec.field(default_factory=list)
    parts: dict[str, float] = msgspec.field(default_factory=dict)
    odd: list[str] = msgspec.field(default_factory=list)
    weakest: list[WeakPair] = msgspec.field(default_factory=list)
    words: list[str] = msgspec.field(default_factory=list)
    fits: dict[str, float] = msgspec.field(default_factory=dict)
    why_not: str = ""

    @property
    def reasons(self) -> list[Reason]:
        """The signals that moved the value most, beside an average topic."""
        return reasons_of(self.parts)

    @property
    def sentence(self) -> str:
        """The reasons in words, or why there is no value."""
        return self.why_not or "; ".join(map(str, self.reasons))

    @property
    def main_reason(self) -> str:
        """The main reason in a few words, or why there is no value."""
        return self.why_not or main_reason(self.parts)

    @property
    def agrees(self) -> bool:
        """Whether the main reason is how far sources agree."""
        return kind_of_main_reason(self.parts)[0] == AGREEMENT

    @property
    def marked(self) -> MarkedWords:
        """The words, odd ones marked."""
        return MarkedWords.of(self.words, self.odd, most=None)

    @property
    def interval(self) -> str:
        """The interval as text; nothing where there is none."""
        return "" if math.isnan(self.low) else f"[{self.low:.2f}, {self.high:.2f}]"


@dataclass(init=False, eq=False, repr=False)
class Explanations(Tidy):
    """What is said of topics: a row a topic, and one a model, without an interval.

    ``among`` are all rows where some were chosen; ``worst_on_top`` tells that they are in the
    order of their values.
    """

    columns = (
        "model", "topic", "value", "low", "high", "support", "usual", "sources", "reasons", "parts",
        "odd", "weakest", "words", "fits",
    )  # fmt: skip

    rows: list[Explanation]
    level: float
    top: int | None
    notes: list[str]

    def __init__(
        self,
        rows: Sequence[Explanation],
        *,
        level: float,
        top: int | None,
        notes: Sequence[str] = (),
        among: Sequence[Explanation] | None = None,
        worst_on_top: bool = False,
    ) -> None:
        self.rows = list(rows)
        self.among = self.rows if among is None else list(among)
        self.worst_on_top = worst_on_top
        self.level = level
        self.top = top
        self.notes = list(notes)

    def __post_init__(self) -> None:  # of rows that were read from a file
        self.among, self.worst_on_top = self.rows, False

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def topics(self) -> list[Explanation]:
        """The rows of topics."""
        return _topics(self.rows)

    @property
    def chosen(self) -> str:
        """Which topics these are, where they are the worst of more; else nothing."""
        shown, number = len(self.topics), len(_topics(self.among))
        which = "the worst" if shown == 1 else f"the {shown:,} worst"
        return f"{which} of {number:,} topics" if shown < number else ""

    @property
    def judged_by(self) -> str:
        """The sources that judged, and how many topics, where they did not judge all."""
        asked = Counter(name for row in self.topics for name in row.sources)
        number = sum(bool(row.sources) for row in self.topics)
        named = (
            name if times == number else f"{name} ({times:,} of {number:,} topics)"
            for name, times in asked.items()
        )
        return f"judged by {', '.join(named)}" if asked else ""

    def worst_first(self, number: int | None = None) -> Explanations:
        """Return the topics of all models by their value, the lowest first, then the models.

        Those without a value stand last. With a ``number`` only so many are left, all of them
        topics that have a value.
        """
        known = sorted(
            (row for row in self.topics if not math.isnan(row.value)), key=lambda row: row.value
        )
        unknown = [row for row in self.topics if math.isnan(row.value)]
        models = [row for row in self.rows if row.topic is None]
        rows = [*known, *unknown, *models] if number is None else known[:number]
        return Explanations(
            rows,
            level=self.level,
            top=self.top,
            notes=self.notes,
            among=self.among,
            worst_on_top=True,
        )

    # ------------------------------------------------------------------ rows

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries; reasons are written out."""
        return [_record(row) for row in self.rows]

    def to_polars(self) -> pl.DataFrame:
        """Return a polars data frame; topic ids are text."""
        import polars as pl

        kinds: dict[str, pl.DataType] = {
            **dict.fromkeys(("model", "topic", "reasons"), pl.String()),
            **dict.fromkeys(("sources", "odd", "weakest", "words"), pl.List(pl.String)),
            "parts": pl.List(pl.Struct({"signal": pl.String, "part": pl.Float64})),
            "fits": pl.List(pl.Float64),
        }
        ids = (None if row.topic is None else str(row.topic) for row in self.rows)
        records = [{**one, "topic": name} for one, name in zip(self.to_dicts(), ids, strict=True)]
        return pl.DataFrame(
            records, schema={name: kinds.get(name, pl.Float64()) for name in self.columns}
        )

    @property
    def content(self) -> dict[str, Any]:
        """What is written as JSON: the rows, and what they were judged by."""
        return {**super().content, "level": self.level, "top": self.top}

    # ------------------------------------------------------------------ tables

    def table(self) -> Table:
        """Return the table that is printed: values, intervals, odd words, and the main reason."""
        several = len({row.model for row in self.among}) > 1
        labels = [*(["model"] if several else []), "topic", "words", "main reason"]
        rows = [
            ([*([row.model] if several else []), *_labels(row)], _cells(row)) for row in self.rows
        ]
        columns = ["value", f"{100 * self.level:.4g}% interval"]
        return Table(labels, columns, ["↑", ""], rows, wraps=("words", "main reason"))

    def to_html(self) -> str:
        """Return an HTML table, as notebooks show it, and who judged."""
        return super().to_html() + f"<p>{html.escape(self.judged_by)}</p>" * bool(self.judged_by)

    _repr_html_ = to_html

    @property
    def legend(self) -> list[str]:
        """What the columns and marks are."""
        usual = {f"{row.usual:.2f}" for row in self.topics if not math.isnan(row.usual)}
        has = f", which has {usual.pop()}" if len(usual) == 1 else ""
        lines = [
            *([self.chosen] if self.chosen else []),
            _SCALE,
            f"interval: people's own score is in it for {100 * self.level:.4g}% of {TAUGHT}",
            f"main reason: what moved the value most away from that of an average topic{has}",
        ]
        lines += [AGREEING] * any(row.agrees for row in self.topics)
        lines += [MARK_LEGEND] * any(row.odd for row in self.rows)
        return [*lines, *self.table().legend]


def _topics(rows: Sequence[Explanation]) -> list[Explanation]:
    return [row for row in rows if row.topic is not None]


def _record(row: Explanation) -> dict[str, Any]:
    return {
        "model": row.model,
        "topic": row.topic,
        "value": row.value,
        "low": row.low,
        "high": row.high,
        "support": row.support,
        "usual": row.usual,
        "sources": list(row.sources),
        "reasons": row.sentence,
        "parts": [{"signal": name, "part": part} for name, part in row.parts.items()],
        "odd": list(row.odd),
        "weakest": list(map(str, row.weakest)),
        "words": list(row.words),
        "fits": [row.fits.get(word, math.nan) for word in row.words] if row.fits else [],
    }


def _labels(row: Explanation) -> list[str]:
    if row.topic is None:
        return [_ALL, "", ""]
    return [str(row.topic), row.marked, row.main_reason]


def _cells(row: Explanation) -> list[Cell]:
    return [Cell(row.value, row.support), TextCell(text=row.interval)]
