"""Tables as plain text, Markdown, LaTeX, HTML and CSV, and how text is escaped there."""

from __future__ import annotations

import csv
import html
import io
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tealeaves.printing import visible
from tealeaves.tables.spreadsheets import cell_of
from tealeaves.tables.table import Cell, MarkedWords, Table, write_label

# ---------------------------------------------------------------------- tables


def plain_table(table: Table) -> str:
    """Return a table whose columns are aligned with spaces."""
    table = table.mapped(visible)
    lines = [table.headings, *([*labels, *map(str, cells)] for labels, cells in table.rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    labels = len(table.labels)
    return "\n".join(
        "  ".join(
            text.ljust(width) if column < labels else text.rjust(width)
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def markdown_table(table: Table) -> str:
    """Return a Markdown table; odd words are struck through."""
    lines = ["| " + " | ".join(escape_markdown(text) for text in table.headings) + " |"]
    lines.append("|" + "---|" * len(table.labels) + "---:|" * len(table.metrics))
    for labels, cells in table.rows:
        left = [write_label(label, escape_markdown, "~~{}~~") for label in labels]
        right = [_if_best(cell, escape_markdown(str(cell)), "**{}**") for cell in cells]
        lines.append("| " + " | ".join([*left, *right]) + " |")
    return "\n".join(lines) + "\n"


def latex_table(table: Table) -> str:
    """Return a LaTeX table for the package booktabs."""
    arrows = {"↑": r" $\uparrow$", "↓": r" $\downarrow$", "": ""}
    metrics = [
        escape_latex(name) + arrows[arrow]
        for name, arrow in zip(table.metrics, table.arrows, strict=True)
    ]
    lines = [
        rf"\begin{{tabular}}{{{'l' * len(table.labels)}{'r' * len(table.metrics)}}}",
        r"\toprule",
        " & ".join([*map(escape_latex, table.labels), *metrics]) + r" \\",
        r"\midrule",
    ]
    for labels, cells in table.rows:
        left = [write_label(label, escape_latex, "{[}{}{]}") for label in labels]
        right = [_if_best(c, _with_minus(escape_latex(str(c))), r"\textbf{{}}") for c in cells]
        line = " & ".join([*left, *right])
        # After \\ LaTeX would read a bracket as the length of the line, and a star as an option.
        lines.append("{}" * line.startswith(("[", "*")) + line + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _with_minus(text: str) -> str:
    r"""Replace the hyphen of a negative number by a minus sign.

    >>> _with_minus("-0.5 a"), _with_minus("t-test")
    ('$-$0.5 a', 't-test')
    """
    return re.sub(r"(?<![\w.])-(?=[\d.])", "$-$", text)


def _if_best(cell: Cell, text: str, mark: str) -> str:
    return mark.replace("{}", text) if cell.best else text


def html_table(table: Table) -> str:
    """Return an HTML table in which all text is escaped."""
    table = table.mapped(visible)
    head = "".join(f"<th>{html.escape(text)}</th>" for text in table.headings)
    ranges = [
        _bar_range(column) for column in zip(*(cells for _, cells in table.rows), strict=True)
    ]
    body = []
    for labels, cells in table.rows:
        texts = (write_label(label, _html_escape(label), "<s>{}</s>") for label in labels)
        left = "".join(f"<td style='text-align:left'>{text}</td>" for text in texts)
        right = "".join(
            f"<td{_bar_style(cell, bar_range) if table.bars else ''}>"
            f"{_if_best(cell, html.escape(str(cell)), '<b>{}</b>')}</td>"
            for cell, bar_range in zip(cells, ranges, strict=True)
        )
        body.append(f"<tr>{left}{right}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"


def _html_escape(label: str) -> Callable[[str], str]:
    """Return the function that escapes a label; words are isolated, so that Arabic keeps order."""
    if isinstance(label, MarkedWords):
        return lambda word: f"<bdi>{html.escape(word)}</bdi>"
    return html.escape


def _bar_range(cells: Iterable[Cell]) -> tuple[float, float]:
    """Return the range of a column's bars, which start at 0; a single number has no bar."""
    values = [cell.value for cell in cells if math.isfinite(cell.value)]
    return (min(0.0, *values), max(0.0, *values)) if len(values) > 1 else (0.0, 0.0)


def _bar_style(cell: Cell, bar_range: tuple[float, float]) -> str:
    """Return the style of a cell with a bar behind its number, for light and dark pages.

    >>> _bar_style(Cell(0.25), (-0.5, 0.5))
    " style='background:linear-gradient(90deg,#0000 50%,#0072b24d 50% 75%,#0000 75%)'"
    """
    low, high = bar_range
    if not math.isfinite(cell.value) or low == high:
        return ""
    begin, end = (f"{100 * (at - low) / (high - low):.3g}%" for at in sorted((0.0, cell.value)))
    bar = f"#0000 {begin},#0072b24d {begin} {end},#0000 {end}"
    return f" style='background:linear-gradient(90deg,{bar})'"


def csv_text(header: list[str], records: Iterable[Mapping[str, Any]]) -> str:
    """Return comma-separated rows with a header, whose text no spreadsheet computes."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, header, lineterminator="\n")
    writer.writerow({name: cell_of(name) for name in header})
    writer.writerows({name: cell_of(value) for name, value in record.items()} for record in records)
    return stream.getvalue()


# ---------------------------------------------------------------------- escaping

# Signs that start mark-up anywhere. An underscore inside a word, as in c_v, does not, nor do
# brackets without a link target.
_MARKDOWN = re.compile(r"[\\`*|~$]|(?<![^\W_])_|_(?![^\W_])|\](?=[(\[:])")
_ENTITY, _TAG = re.compile(r"&(?=#|[A-Za-z])"), re.compile(r"<(?=[A-Za-z/!?])")
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
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
# Also pairs that LaTeX would draw as one sign, such as two hyphens as a dash.
_LATEX_SIGNS = re.compile(rf"[{re.escape(''.join(_LATEX))}]|([-`'])(?=\1)|[?!](?=`)")


def escape_markdown(text: str) -> str:
    r"""Return text that Markdown shows unchanged, in a cell of a table or elsewhere.

    >>> escape_markdown("c_v *a* _b_ x|y <b> a < b &lt;")
    'c_v \\*a\\* \\_b\\_ x\\|y &lt;b> a < b &amp;lt;'
    """
    text = _TAG.sub("&lt;", _ENTITY.sub("&amp;", one_line(text)))
    return _MARKDOWN.sub(r"\\\g<0>", text)


def escape_latex(text: str) -> str:
    r"""Return text that LaTeX shows unchanged.

    >>> escape_latex("50% of a_b--c")
    '50\\% of a\\_b-{}-c'
    """
    return _LATEX_SIGNS.sub(lambda sign: _LATEX.get(sign[0], sign[0] + "{}"), one_line(text))


def one_line(text: str) -> str:
    """Return text without line breaks, in which control characters are visible.

    >>> one_line("a\\n\\n b\\x00")
    'a b\\\\x00'
    """
    return visible(" ".join(text.split()))
