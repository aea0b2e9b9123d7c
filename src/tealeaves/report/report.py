"""Reports: from runs to one page of HTML, and to files of its figures."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tealeaves.report.charts.saving import save_chart
from tealeaves.report.nested_data import valid_text
from tealeaves.report.pages import report_page, save_report_page
from tealeaves.report.run.merge import merge_runs
from tealeaves.report.run.run import Run
from tealeaves.report.sections.crosslingual import crosslingual
from tealeaves.report.sections.extremes import extremes
from tealeaves.report.sections.metric_agreement import metric_agreement
from tealeaves.report.sections.parts import Figure, Page, Picker
from tealeaves.report.sections.people import people
from tealeaves.report.sections.provenance import provenance
from tealeaves.report.sections.selection import selection
from tealeaves.report.sections.sentences import isolated, listed
from tealeaves.report.sections.strips import strips
from tealeaves.report.sections.terms import terms
from tealeaves.report.sections.verdict import verdict

_SUBTITLE = "How good these topics are, and how far the numbers can be trusted"
# in the order in which they are read
_SECTIONS = (selection, verdict, strips, extremes, crosslingual, terms, metric_agreement, people)


def report_html(
    runs: Run | Sequence[Run], *, title: str | None = None, command: Sequence[str] = ()
) -> str:
    """Return the report on one run or several as one page of HTML."""
    return report_page(make_page(_merged(runs), title=title, command=command))


def save_report(
    runs: Run | Sequence[Run],
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    command: Sequence[str] = (),
) -> None:
    """Write the report on one run or several to a file of HTML that needs nothing else."""
    save_report_page(make_page(_merged(runs), title=title, command=command), path)


def _merged(runs: Run | Sequence[Run]) -> Run:
    return merge_runs([runs] if isinstance(runs, Run) else list(runs))


def make_page(run: Run, *, title: str | None = None, command: Sequence[str] = ()) -> Page:
    """Return the page of a run that ``merge_runs`` returned; nothing is computed for it.

    ``command`` made the page from the runs.
    """
    sections = [section for make in _SECTIONS if (section := make(run)) is not None]
    sections.append(provenance(run, [valid_text(one) for one in command]))
    return Page(
        valid_text(title) if title else _title(run),
        _SUBTITLE,
        sections,
        made=max((origin.date for origin in run.origins), default=""),
        facts=_facts(run),
    )


def _title(run: Run) -> str:
    names = [isolated(model.name) for model in run.models]
    return f"Topics of {listed(names, 3)}" if names else "Report on topics"


def _facts(run: Run) -> list[tuple[str, str]]:
    topics = sum(len(model.topics) for model in run.models)
    facts = [
        ("Models", f"{len(run.models):,}"),
        ("Topics", f"{topics:,}"),
        ("Metrics", f"{len(run.metrics):,}"),
    ]
    languages = list(dict.fromkeys(name for model in run.models for name in model.languages))
    return [*facts, *([("Languages", listed(languages))] if len(languages) > 1 else [])]


# ---------------------------------------------------------------------- figures


def save_figures(page: Page, folder: str | os.PathLike[str], kind: str = "svg") -> list[Path]:
    """Write each figure of a report to a folder, and return the files."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    written = []
    for name, figure in _named_figures(page):
        path = place / f"{name}.{kind}"
        save_chart(figure.chart, path)
        written.append(path)
    return written


def _named_figures(page: Page) -> Iterator[tuple[str, Figure]]:
    """Yield each figure with the unique name of its file."""
    seen: set[str] = set()
    for section in page.sections:
        for part in section.parts:
            if isinstance(part, Figure):
                yield _unique(part.id, seen), part
            elif isinstance(part, Picker):
                for name, figure in zip(part.names, part.figures, strict=True):
                    yield _unique(f"{part.id}-{_file_name(name)}", seen), figure


def _file_name(name: str) -> str:
    """Return a name that every file system accepts.

    >>> _file_name("npmi(window=10)@10"), _file_name("../../Модель 1")
    ('npmi-window-10-10', 'Модель-1')
    """
    return re.sub(r"[^\w]+", "-", name).strip("-_")[:80] or "figure"


def _unique(name: str, seen: set[str]) -> str:
    unique, number = name, 2
    while unique.casefold() in seen:
        unique, number = f"{name}-{number}", number + 1
    seen.add(unique.casefold())
    return unique
