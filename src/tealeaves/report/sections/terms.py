"""Which words topics share: a matrix of terms and topics for each model."""

from __future__ import annotations

from tealeaves.report.charts.term_matrix import FAINTEST, term_matrix_chart
from tealeaves.report.run.run import Run
from tealeaves.report.sections.parts import Cell, Figure, Picker, ReportTable, Section
from tealeaves.topics.term_matrix import TermMatrix

_TITLE = "Terms and topics"


def terms(run: Run) -> Section | None:
    """Return a matrix of terms and topics for each model."""
    matrices = run.analysis.terms if run.analysis else []
    if not matrices:
        return None
    lead = [
        "Rows are terms, columns are topics. Similar terms and similar topics are side by side, so "
        "topics are not in the order of their numbers. A row with many circles is a word that many "
        "topics share."
    ]
    figures = [_figure(matrix, place) for place, matrix in enumerate(matrices)]
    names = [matrix.model for matrix in matrices]
    return Section("terms", _TITLE, lead, [Picker("terms-of", "Model", figures, names)])


def _figure(matrix: TermMatrix, place: int) -> Figure:
    caption = "A topic may have no circle because its words are among those left out."
    chart = term_matrix_chart(matrix)
    title = f"Terms and topics of {matrix.model}"
    return Figure.of(
        f"terms-{place}", title, caption * bool(matrix.left_out), chart, _table(matrix)
    )


def _table(matrix: TermMatrix) -> ReportTable:
    rows: list[list[Cell]] = [
        [cell["term"], str(cell["topic"]), cell["weight"]] for cell in matrix.to_dicts(FAINTEST)
    ]
    return ReportTable("Terms in topics", ["term", "topic", "weight"], rows, labels=2, digits=4)
