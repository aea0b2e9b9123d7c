"""Tables of scores: a row a model or topic, a column a metric."""

from __future__ import annotations

import csv
import html
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
    never cut.
    """

    labels: list[str]
    metrics: list[str]
    arrows: list[str]
    rows: list[tuple[list[str], list[Cell]]]
    wraps: tuple[str, ...] = ()

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
    return Table(labels, metrics, arrows, lines, wraps=("words",) if marked else ())


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
    lines = ["| " + " | ".join(_bars(text) for text in table.headings) + " |"]
    lines.append("|" + "---|" * len(table.labels) + "---:|" * len(table.metrics))
    for labels, cells in table.rows:
        shown = [f"**{cell}**" if cell.best else str(cell) for cell in cells]
        left = (written(label, _bars, "~~{}~~") for label in labels)
        lines.append("| " + " | ".join([*left, *shown]) + " |")
    return "\n".join(lines) + "\n"


def latex(table: Table) -> str:
    """Write a LaTeX table for the package booktabs."""
    arrows = {"↑": r" $\uparrow$", "↓": r" $\downarrow$", "": ""}
    metrics = [
        _tex(name) + arrows[arrow] for name, arrow in zip(table.metrics, table.arrows, strict=True)
    ]
    lines = [
        rf"\begin{{tabular}}{{{'l' * len(table.labels)}{'r' * len(table.metrics)}}}",
        r"\toprule",
        " & ".join([*map(_tex, table.labels), *metrics]) + r" \\",
        r"\midrule",
    ]
    for labels, cells in table.rows:
        shown = [rf"\textbf{{{_tex(str(c))}}}" if c.best else _tex(str(c)) for c in cells]
        # braces, for a bracket after the end of a line would be taken for its length
        left = (written(label, _tex, "{[}{}{]}") for label in labels)
        lines.append(" & ".join([*left, *shown]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def html_table(table: Table) -> str:
    """Write an HTML table; everything is escaped."""
    head = "".join(f"<th>{html.escape(text)}</th>" for text in table.headings)
    body = []
    for labels, cells in table.rows:
        texts = (written(label, html.escape, "<s>{}</s>") for label in labels)
        left = "".join(f"<td style='text-align:left'>{text}</td>" for text in texts)
        right = "".join(
            f"<td>{'<b>' if c.best else ''}{html.escape(str(c))}{'</b>' if c.best else ''}</td>"
            for c in cells
        )
        body.append(f"<tr>{left}{right}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"


def csv_text(header: list[str], records: Iterable[Mapping[str, Any]]) -> str:
    """Write comma-separated rows."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, header, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return stream.getvalue()


def _bars(text: str) -> str:
    return " ".join(text.replace("|", r"\|").split())


def _tex(text: str) -> str:
    """Escape what LaTeX would take for commands."""
    special = {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "…": r"\ldots{}",
        "α": r"$\alpha$",
        "δ": r"$\delta$",
        "κ": r"$\kappa$",
        "τ": r"$\tau$",
        "φ": r"$\phi$",
        "±": r"$\pm$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
    } | {sign: f"\\{sign}" for sign in "&%$#_{}"}
    return "".join(special.get(character, character) for character in text)
