"""Terms: which words topics share, a matrix of terms and topics for each model."""

from __future__ import annotations

from tealeaves.report.charts.term_matrix import FAINTEST, term_matrix_chart
from tealeaves.report.run.findings import Findings
from tealeaves.report.sections.figures import figure
from tealeaves.report.sections.parts import Cell, Figure, Picker, ReportTable, Section
from tealeaves.topics.term_matrix import TermMatrix, term_matrix
from tealeaves.topics.topics import Topics

_TITLE = "Terms and topics"


def terms(found: Findings) -> Section | None:
    """Return a matrix of terms and topics of each model, seriated."""
    if not found.topics or found.multilingual:
        return None
    figures = [_figure(topics, place) for place, topics in enumerate(found.topics.values())]
    lead = [
        "Rows are terms, columns are topics, both ordered so that what is alike stands together; "
        "topics keep their numbers. A row with many circles is a word that many topics share."
    ]
    names = list(found.topics)
    return Section("terms", _TITLE, lead, [Picker("terms-of", "Model", figures, names)])


def _figure(topics: Topics, place: int) -> Figure:
    matrix = term_matrix(topics)
    caption = "A topic may have no circle because its words are among those left out."
    chart = term_matrix_chart(matrix)
    title = f"Terms and topics of {topics.model}"
    return figure(f"terms-{place}", title, caption * bool(matrix.left_out), chart, _table(matrix))


def _table(matrix: TermMatrix) -> ReportTable:
    rows: list[list[Cell]] = [
        [cell["term"], str(cell["topic"]), cell["weight"]] for cell in matrix.to_dicts(FAINTEST)
    ]
    return ReportTable("Terms in topics", ["term", "topic", "weight"], rows, labels=2, digits=4)
