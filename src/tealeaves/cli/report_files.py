"""Options of commands that can write a report on their results, or save them for one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
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
    from tealeaves.models.selection.result import Selection
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

        return explainer_for(metrics, models)

    def write(
        self,
        result: Scores | Comparison | Correlations | Selection,
        models: Sequence[Topics] | None = None,
        *,
        scores: Scores | None = None,
        dictionary: Any = None,
    ) -> None:
        """Save the run of a result, and write the report, if they are wanted; see ``run_of``."""
        if not self.wanted:
            return
        from tealeaves.report import run_of, save_report, save_run

        run = run_of(result, models, scores=scores, dictionary=dictionary, command=command_line())
        if self.run:
            save_run(run, self.run)
        if self.report:
            save_report(run, self.report)


report_family = shared.OptionFamily("files", ReportFiles, report_options)


def check_report_file(path: str) -> None:
    """Refuse a file that no report can be written to, or to begin without the packages."""
    from tealeaves.report.pages.embedding import check_page_file
    from tealeaves.report.pages.report.page import check_page

    check_page_file(path)
    check_page()


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
