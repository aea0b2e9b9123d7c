"""Options of commands that can write a report on their results, or save them for one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import OUTPUT, option

if TYPE_CHECKING:
    from tealeaves.comparison import Comparison
    from tealeaves.consensus.metric import Consensus
    from tealeaves.judgments.correlation.result import Correlations
    from tealeaves.metrics.base import Metric
    from tealeaves.metrics.scores import Scores
    from tealeaves.report.run.run import Run
    from tealeaves.topics.topics import Topics


report_options = shared.stacked(
    option(
        "--report",
        heading=OUTPUT,
        metavar="FILE",
        help="Write a report too: one HTML page with charts, best and worst topics and reasons, "
        "which needs no network (extra report).",
    ),
    option(
        "--run",
        heading=OUTPUT,
        metavar="FILE",
        help="Save what a report needs, as FILE.run; `tealeaves report` puts several together.",
    ),
)


class ReportFiles(NamedTuple):
    """The report that a command writes, and the file of what a later report needs."""

    report: str | None = None
    run: str | None = None

    @property
    def wanted(self) -> bool:
        """Whether the results go into a report, now or later."""
        return bool(self.report or self.run)

    def check(
        self, inputs: Iterable[str], *, rows: str | None = None, others: Iterable[str | None] = ()
    ) -> None:
        """Raise, before any work is done, for files that cannot be written.

        ``rows`` is the file of all rows, ``others`` are further files that the command writes.
        """
        read = list(inputs)
        if rows:
            from tealeaves.tables.tidy import check_savable

            check_savable(rows)
            shared.check_not_input(rows, read)
        if self.report:
            check_report_file(self.report)
            shared.check_not_input(self.report, read)
        if self.run:
            from tealeaves.report.run.files import check_run_file

            check_run_file(self.run)
            shared.check_not_input(self.run, read)
        _check_distinct([*filter(None, (rows, *others, self.report, self.run))])

    def explainer(
        self, metrics: Iterable[str | Metric], models: Sequence[Topics]
    ) -> list[Consensus]:
        """Return the metric that explains topics in a report, whose evidence is gathered too."""
        if not self.wanted:
            return []
        from tealeaves.report.run.results import explainer_for

        metric = explainer_for(metrics, models)
        return [] if metric is None else [metric]

    def write_scores(
        self,
        models: Sequence[Topics],
        scores: Scores,
        explainer: Sequence[Consensus],
        *,
        dictionaries: Any = None,
        comparison: Comparison | None = None,
        people: Correlations | None = None,
    ) -> None:
        """Write the report of a command that scored models, if one is wanted."""
        if not self.wanted:
            return
        from tealeaves.report.run.results import run_of_scores

        run = run_of_scores(
            models,
            scores,
            explainer[0] if explainer else None,
            comparison=comparison,
            correlations=people,
            dictionaries=dictionaries,
            command=command_line(),
        )
        self.write(run)

    def write_people(
        self,
        people: Correlations,
        scores: Scores,
        models: Sequence[Topics] | None,
        explainer: Sequence[Consensus],
    ) -> None:
        """Write the report of a command that correlated scores with people, if one is wanted.

        ``models`` are those that were scored, None if the scores come from a file.
        """
        if models is not None:
            self.write_scores(models, scores, explainer, people=people)
        elif self.wanted:
            from tealeaves.report.run.results import made_now, run_of_table

            self.write(run_of_table(scores, people, made_now(command_line())))

    def write(self, run: Run) -> None:
        """Save the run, and write the report."""
        from tealeaves.report.run.analysis import analysed

        run = analysed(run)  # once for both
        if self.run:
            from tealeaves.report.run.files import save_run

            save_run(run, self.run)
        if self.report:
            from tealeaves.report.report import save_report

            save_report(run, self.report)


report_family = shared.OptionFamily("files", ReportFiles, report_options)


def check_report_file(path: str) -> None:
    """Refuse a file that no report can be written to, or to begin without the packages."""
    from tealeaves.report.pages.embedding import check_page_file
    from tealeaves.report.pages.report.page import check_page

    check_page_file(path)
    check_page()


def check_folder(path: str) -> None:
    """Refuse a folder that figures cannot be put into; it may be made."""
    from tealeaves.errors import InputError
    from tealeaves.files import check_writable

    place = Path(path)
    if place.exists() and not place.is_dir():
        raise InputError(f"{path}: not a folder, and figures are to be put there")
    check_writable(place / "figure" if place.is_dir() else place)


def _check_distinct(names: Sequence[str]) -> None:
    """Raise if two things would be written to one file."""
    from tealeaves.errors import InputError

    places = [os.path.realpath(name) for name in names]
    for name, place in zip(names, places, strict=True):
        if places.count(place) > 1:
            raise InputError(f"{name}: two things would be written there")


def command_line() -> list[str]:
    """Return the command as the user wrote it; empty if it did not come from a command line."""
    arguments = click.get_current_context().find_root().obj
    return ["tealeaves", *arguments] if isinstance(arguments, list) else []
