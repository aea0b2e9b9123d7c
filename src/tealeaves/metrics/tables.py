"""Tables of scores: a row a model or topic, a column a metric."""

from __future__ import annotations

import csv
import html
import io
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tealeaves.metrics.escaping import in_latex, in_markdown
from tealeaves.metrics.marked_words import MarkedWords, written

if TYPE_CHECKING:
    from tealeaves.metrics.scores import Score

_ALIKE = 0.9
_ARROWS = {"higher": "↑", "lower": "↓"}
_SUPPORT = "(…%): share of comparisons that could be made (short topics, missing words)"
_ERROR = "±: standard error, of the random draws or of the texts that were taken"


@dataclass(frozen=True)
class Cell:
    """A value with its support; ``best`` marks the best model of its column.

    ``error`` is the standard error of a value that was drawn at random, or that texts make vary.
    """

    value: float = math.nan
    support: float = 0.0
    best: bool = False
    error: float | None = None

    def __str__(self) -> str:
        """Write the value, its error, and the support in brackets where it is not whole."""
        if math.isnan(self.value):
            return "–"
        number = f"{self.value:.4f}"
        if self.error is not None:
            number += f" ±{self.error:.4f}"
        if self.support == 1:
            return number
        share = min(round(self.support * 100), 99)  # what is not whole must not look so
        return f"{number} ({share}%)" if share else f"{number} (<1%)"


@dataclass(frozen=True)
class Table:
    """Headings, and rows of labels and cells.

    Texts of the columns ``wraps`` may stand on several lines where they are too long, and are
    never cut. With ``bars`` numbers have a bar behind them, where there are colours.
    """

    labels: list[str]
    metrics: list[str]
    arrows: list[str]
    rows: list[tuple[list[str], list[Cell]]]
    wraps: tuple[str, ...] = ()
    bars: bool = False

    @property
    def headings(self) -> list[str]:
        """Labels, then metrics with the arrow of what is better."""
        arrowed = [
            f"{name} {arrow}".strip() for name, arrow in zip(self.metrics, self.arrows, strict=True)
        ]
        return [*self.labels, *arrowed]

    @property
    def supported(self) -> bool:
        """Tell whether everything rests on all its evidence."""
        return all(cell.support == 1 for cell in self._defined)

    @property
    def legend(self) -> list[str]:
        """What the signs beside the numbers mean, where there are any."""
        drawn = any(cell.error is not None for cell in self._defined)
        return [_SUPPORT] * (not self.supported) + [_ERROR] * drawn

    @property
    def _defined(self) -> list[Cell]:
        return [cell for _, row in self.rows for cell in row if not math.isnan(cell.value)]


def pivot(
    rows: Sequence[Score],
    better: Mapping[str, str],
    words: Mapping[tuple[str, Any], Sequence[str]],
    marked: Mapping[tuple[str, Any], Sequence[str]] | None = None,
) -> Table:
    """Turn tidy rows into a table; with topics, their first words are shown, odd ones marked."""
    odd = marked or {}
    metrics = list(dict.fromkeys(row.metric for row in rows))
    by_topic = any(row.topic is not None for row in rows)
    found: dict[tuple[str, Any], dict[str, Score]] = {}
    for row in rows:
        found.setdefault((row.model, row.topic), {})[row.metric] = row
    best = _best(rows, better)
    lines = []
    for (model, topic), scores in found.items():
        labels = [model]
        if by_topic:
            shown = MarkedWords.of(words.get((model, topic), ()), odd.get((model, topic), ()))
            labels += ["all" if topic is None else str(topic), shown]
        cells = [
            Cell(s.value, s.support, best=id(s) in best, error=s.error) if s else Cell()
            for s in (scores.get(name) for name in metrics)
        ]
        lines.append((labels, cells))
    labels = ["model", "topic", "words"] if by_topic else ["model"]
    arrows = [_ARROWS.get(better.get(name, ""), "") for name in metrics]
    # words are cut where they are only there to tell topics apart
    return Table(labels, metrics, arrows, lines, wraps=("words",) if marked else (), bars=True)


def _best(rows: Iterable[Score], better: Mapping[str, str]) -> set[int]:
    """Return the identities of the best models' scores, where there is more than one model."""
    columns: dict[str, list[Score]] = {}
    for row in rows:
        if row.topic is None and not math.isnan(row.value):
            columns.setdefault(row.metric, []).append(row)
    best: set[int] = set()
    for metric, scores in columns.items():
        if len(scores) > 1 and metric in better:
            choose = max if better[metric] == "higher" else min
            # a number that rests on much less than another's is not called better
            most = max(score.support for score in scores)
            alike = [score for score in scores if score.support >= _ALIKE * most]
            top = choose(score.value for score in alike)
            best.update(id(score) for score in alike if score.value == top)
    return best


def plain(table: Table) -> str:
    """Align columns with spaces."""
    lines = [table.headings, *([*labels, *map(str, cells)] for labels, cells in table.rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    texts = len(table.labels)
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column < texts else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def markdown(table: Table) -> str:
    """Write a Markdown table."""
    lines = ["| " + " | ".join(in_markdown(text) for text in table.headings) + " |"]
    lines.append("|" + "---|" * len(table.labels) + "---:|" * len(table.metrics))
    for labels, cells in table.rows:
        texts = [in_markdown(str(cell)) for cell in cells]
        shown = [f"**{t}**" if c.best else t for t, c in zip(texts, cells, strict=True)]
        left = (written(label, in_markdown, "~~{}~~") for label in labels)
        lines.append("| " + " | ".join([*left, *shown]) + " |")
    return "\n".join(lines) + "\n"


def latex(table: Table) -> str:
    """Write a LaTeX table for the package booktabs."""
    arrows = {"↑": r" $\uparrow$", "↓": r" $\downarrow$", "": ""}
    metrics = [
        in_latex(name) + arrows[arrow]
        for name, arrow in zip(table.metrics, table.arrows, strict=True)
    ]
    lines = [
        rf"\begin{{tabular}}{{{'l' * len(table.labels)}{'r' * len(table.metrics)}}}",
        r"\toprule",
        " & ".join([*map(in_latex, table.labels), *metrics]) + r" \\",
        r"\midrule",
    ]
    for labels, cells in table.rows:
        texts = [_minus(in_latex(str(cell))) for cell in cells]
        shown = [rf"\textbf{{{t}}}" if c.best else t for t, c in zip(texts, cells, strict=True)]
        left = (written(label, in_latex, "{[}{}{]}") for label in labels)
        line = " & ".join([*left, *shown])
        # after the end of a line a bracket would be taken for its length, and a star for a sign
        lines.append("{}" * line.startswith(("[", "*")) + line + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _minus(text: str) -> str:
    r"""Write a number below zero with a minus, which is no hyphen.

    >>> _minus("-0.5 a"), _minus("t-test")
    ('$-$0.5 a', 't-test')
    """
    return re.sub(r"(?<![\w.])-(?=[\d.])", "$-$", text)


def html_table(table: Table) -> str:
    """Write an HTML table; everything is escaped."""
    head = "".join(f"<th>{html.escape(text)}</th>" for text in table.headings)
    spans = [_span(column) for column in zip(*(cells for _, cells in table.rows), strict=True)]
    body = []
    for labels, cells in table.rows:
        texts = (written(label, _isolated(label), "<s>{}</s>") for label in labels)
        left = "".join(f"<td style='text-align:left'>{text}</td>" for text in texts)
        right = "".join(
            f"<td{_bar(cell, span) if table.bars else ''}>{_bold(cell)}</td>"
            for cell, span in zip(cells, spans, strict=True)
        )
        body.append(f"<tr>{left}{right}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"


def _bold(cell: Cell) -> str:
    text = html.escape(str(cell))
    return f"<b>{text}</b>" if cell.best else text


def _isolated(label: str) -> Callable[[str], str]:
    """Return how a label is escaped: words are isolated, so that Arabic ones keep their order."""
    if isinstance(label, MarkedWords):
        return lambda word: f"<bdi>{html.escape(word)}</bdi>"
    return html.escape


def _span(cells: Iterable[Cell]) -> tuple[float, float]:
    """Return the ends of a column's bars, which begin at 0; a single number has no bar."""
    values = [cell.value for cell in cells if math.isfinite(cell.value)]
    return (min(0.0, *values), max(0.0, *values)) if len(values) > 1 else (0.0, 0.0)


def _bar(cell: Cell, span: tuple[float, float]) -> str:
    """Return the style of a cell: a bar behind its number, which light and dark pages bear.

    >>> _bar(Cell(0.25), (-0.5, 0.5))
    " style='background:linear-gradient(90deg,#0000 50%,#0072b24d 50% 75%,#0000 75%)'"
    """
    low, high = span
    if not math.isfinite(cell.value) or low == high:
        return ""
    begin, end = (f"{100 * (at - low) / (high - low):.3g}%" for at in sorted((0.0, cell.value)))
    bar = f"#0000 {begin},#0072b24d {begin} {end},#0000 {end}"
    return f" style='background:linear-gradient(90deg,{bar})'"


def csv_text(header: list[str], records: Iterable[Mapping[str, Any]]) -> str:
    """Write comma-separated rows."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, header, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return stream.getvalue()
