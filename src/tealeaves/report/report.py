"""Reports: from runs to one page of HTML, and to files of its figures."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.files import atomic_writes, check_writable
from tealeaves.report.charts.saving import rendered_chart
from tealeaves.report.nested_data import valid_text
from tealeaves.report.pages import report_page, save_report_page
from tealeaves.report.pages.embedding import check_page_file
from tealeaves.report.run.merge import RunSource, open_runs
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

#: The formats of figures.
FIGURE_FORMATS = ("svg", "pdf", "png")
_SUBTITLE = "How good these topics are, and how far the numbers can be trusted"
_SUBTITLE_OF_PEOPLE = "What people say of these topics, and whether the models differ"
# in the order in which they are read
_SECTIONS = (selection, verdict, strips, extremes, crosslingual, terms, metric_agreement, people)


def report_html(
    runs: RunSource | Sequence[RunSource],
    *,
    title: str | None = None,
    judgments: Any = None,
    command: Sequence[str] = (),
) -> str:
    """Return the report on one run or several as one page of HTML.

    Parameters
    ----------
    runs, title, judgments, command
        As for :func:`save_report`.
    """
    return report_page(_page_of(runs, title, judgments, command))


def save_report(
    runs: RunSource | Sequence[RunSource],
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    judgments: Any = None,
    figures: str | os.PathLike[str] | None = None,
    figure_format: str = "svg",
    command: Sequence[str] = (),
) -> list[Path]:
    """Write the report on one run or several: one page of HTML that needs nothing but a browser.

    The files that were written are returned: the page, and its figures if these were asked for.

    Parameters
    ----------
    runs
        A run, as :func:`run_of` and :func:`make_run` return it, the path of a saved run (``.run``)
        or of a table of scores, or a list of these. Several runs become one report, in which all
        their models are compared.
    path
        The file to be written: ``.html`` or ``.htm``.
    title
        The title of the report. Default: the names of its models.
    judgments
        What people say of these topics, as :func:`tealeaves.correlate` takes it. The report then
        has each metric against people.
    figures
        A folder that each figure is written to as well, as by :func:`save_figures`.
    figure_format
        The format of these figures: ``svg``, ``pdf`` or ``png``.
    command
        The arguments of a command that makes this report from the runs. The report shows it, below
        the commands of the runs. It is not shown if one command made the run and neither title nor
        judgments are given: that command writes the same report.
    """
    check_page_file(path)
    if figures is not None:
        check_figures(figures, figure_format)
    page = _page_of(runs, title, judgments, command)
    save_report_page(page, path)
    written = [] if figures is None else _save_figures(page, figures, figure_format)
    return [Path(path), *written]


def _page_of(
    runs: RunSource | Sequence[RunSource],
    title: str | None,
    judgments: Any,
    command: Sequence[str],
) -> Page:
    run = open_runs(runs, judgments)
    has_command = len(run.origins) == 1 and bool(run.origins[0].command)
    is_as_made = has_command and not title and judgments is None
    return make_page(run, title=title, command=() if is_as_made else command)


def make_page(run: Run, *, title: str | None = None, command: Sequence[str] = ()) -> Page:
    """Return the page of a run that ``merge_runs`` returned; nothing is computed for it.

    ``command`` made the page from the runs.
    """
    sections = [section for make in _SECTIONS if (section := make(run)) is not None]
    sections.append(provenance(run, [valid_text(one) for one in command]))
    return Page(
        valid_text(title) if title else _title(run),
        _SUBTITLE if run.models else _SUBTITLE_OF_PEOPLE,
        sections,
        made=max((origin.date for origin in run.origins), default=""),
        facts=_facts(run),
    )


def _title(run: Run) -> str:
    names = [isolated(name) for name in _models(run)]
    if not names:
        return "Report on topics"
    return f"{'Topics' if run.models else 'Judged topics'} of {listed(names, 3)}"


def _models(run: Run) -> list[str]:
    """Return the models that were scored; if there are none, those that people judged."""
    judged = [name for comparison in run.people_comparisons for name in comparison.models]
    return list(dict.fromkeys([model.name for model in run.models] or judged))


def _facts(run: Run) -> list[tuple[str, str]]:
    """Return how much the run holds of what; nothing is said of what it does not hold."""
    judged, tasks = _judged(run)
    counts = {
        "Models": len(_models(run)),
        "Topics": sum(len(model.topics) for model in run.models),
        "Judged topics": judged,
        "Metrics": len(run.metrics),
    }
    facts = [(name, f"{count:,}") for name, count in counts.items() if count]
    languages = list(dict.fromkeys(name for model in run.models for name in model.languages))
    if tasks:
        facts.append(("Tasks" if len(tasks) > 1 else "Task", listed(tasks)))
    return [*facts, *([("Languages", listed(languages))] if len(languages) > 1 else [])]


def _judged(run: Run) -> tuple[int, list[str]]:
    """Return how many topics people judged, and in which tasks."""
    parts = [part for one in run.correlations for part in one.parts]
    tasks = [task for one in run.people_comparisons for task in one.better]
    tasks += [part.task for part in parts if part.task]
    compared = {(row.model, row.unit) for one in run.people_comparisons for row in one.units}
    correlated = {key for part in parts for key in part.keys if key.topic}
    # a correlation and a comparison are of the same judgments
    return max(len(compared), len(correlated)), list(dict.fromkeys(tasks))


# ---------------------------------------------------------------------- figures


def save_figures(
    runs: RunSource | Sequence[RunSource],
    folder: str | os.PathLike[str],
    figure_format: str = "svg",
    *,
    judgments: Any = None,
) -> list[Path]:
    """Write each figure of a report to a file of its own, and return the files.

    Parameters
    ----------
    runs, judgments
        As for :func:`save_report`.
    folder
        Where the files are put; it is made if there is none.
    figure_format
        The format of the files: ``svg``, ``pdf`` or ``png``.
    """
    check_figures(folder, figure_format)
    return _save_figures(make_page(open_runs(runs, judgments)), folder, figure_format)


def check_figures(folder: str | os.PathLike[str], figure_format: str = "svg") -> None:
    """Raise, before any work is done, for a folder or a format that figures cannot have."""
    if figure_format not in FIGURE_FORMATS:
        raise InputError(
            f"figures are written as {', '.join(FIGURE_FORMATS)}, not as {figure_format!r:.40}"
        )
    place = Path(folder)
    if place.exists() and not place.is_dir():
        raise InputError(f"{folder}: not a folder, and figures are to be put there")
    check_writable(place / "figure" if place.is_dir() else place)


def _save_figures(page: Page, folder: str | os.PathLike[str], figure_format: str) -> list[Path]:
    written = []
    with atomic_writes() as write:
        for name, figure in _named_figures(page):
            path = Path(folder) / f"{name}.{figure_format}"
            write(path, rendered_chart(figure.chart, figure_format))
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
