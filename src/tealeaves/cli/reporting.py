"""Options of commands that can write a report on what they found, or save it for one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.stacking import stacked

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.correlations import Correlations
    from tealeaves.metrics.base import Metric
    from tealeaves.metrics.scores import Scores
    from tealeaves.report.run.record import Run
    from tealeaves.topics.topics import Topics

report_options = stacked(
    click.option(
        "--report",
        metavar="FILE",
        help="Write a report too: one page of HTML with charts, best and worst topics and reasons, "
        "which needs no network (extra report).",
    ),
    click.option(
        "--run",
        metavar="FILE",
        help="Save what a report needs, as FILE.run; `tealeaves report` puts several together.",
    ),
)


def wanted(given: dict[str, Any]) -> bool:
    """Tell whether what was found goes into a report, now or later."""
    return bool(given.get("report") or given.get("run"))


def check_report(given: dict[str, Any], inputs: Iterable[str]) -> None:
    """Refuse, before any work is done, what cannot be written."""
    read = [*inputs]
    if given["report"]:
        check_page_file(given["report"])
        shared.check_not_input(given["report"], read)
    if given["run"]:
        from tealeaves.report.run.saving import check_run_file

        check_run_file(given["run"])
        shared.check_not_input(given["run"], read)
    _refuse_twice(given)


def check_page_file(path: str) -> None:
    """Refuse a file that no report can be written to."""
    from tealeaves.errors import InputError
    from tealeaves.files import check_writable
    from tealeaves.report.pages.report.page import check_page

    if not path.lower().endswith((".html", ".htm")):
        raise InputError(f"{path}: a report is written as .html")
    check_writable(path)
    check_page()


def check_folder(path: str) -> None:
    """Refuse a folder that figures cannot be put into; it may be made."""
    from tealeaves.errors import InputError
    from tealeaves.files import check_writable

    place = Path(path)
    if place.exists() and not place.is_dir():
        raise InputError(f"{path}: not a folder, and figures are to be put there")
    check_writable(place / "figure" if place.is_dir() else place)


def _refuse_twice(given: dict[str, Any]) -> None:
    """Refuse to write two things to one file."""
    from tealeaves.errors import InputError

    names = [given[name] for name in ("output", "plot", "report", "run") if given.get(name)]
    places = [os.path.realpath(name) for name in names]
    for name, place in zip(names, places, strict=True):
        if places.count(place) > 1:
            raise InputError(f"{name}: two things would be written there")


def also(metrics: Sequence[Metric], models: Sequence[Topics], given: dict[str, Any]) -> Any:
    """Return what evidence is gathered for beside the metrics: that which explains topics."""
    if not wanted(given):
        return []
    from tealeaves.report.run.explaining import explainer

    judge = explainer(metrics, models)
    return [] if judge is None else [judge]


def run_of_scores(
    models: Sequence[Topics], scores: Scores, judges: Any, dictionaries: Any = None
) -> Run:
    """Return the run of a command that scored models; ``judges`` is what ``also`` gave."""
    from tealeaves.report.reporting import run_of
    from tealeaves.report.run.explaining import explained

    reasons = explained(models, scores, judges[0]) if judges else None
    return run_of(models, scores, reasons, dictionaries=dictionaries, command=command_line())


def run_of_people(
    found: Correlations, models: Sequence[Topics] | None, scores: Scores, judges: Any
) -> Run:
    """Return the run of a command that correlated scores with people; ``models`` are those that
    were scored, None where the scores come from a file.
    """
    from tealeaves.report.reporting import with_parts
    from tealeaves.report.run.making import made_now, people_record
    from tealeaves.report.run.tables import run_of_table

    if models is None:
        made = made_now(command_line())
        run = with_parts(run_of_table(scores), made=made)
    else:
        run = run_of_scores(models, scores, judges)
    return with_parts(run, people=people_record(found))


def write_report(run: Run, given: dict[str, Any]) -> None:
    """Save the run, and write the report."""
    if given["run"]:
        from tealeaves.report.run.saving import save_run

        save_run(run, given["run"])
    if given["report"]:
        from tealeaves.report.reporting import save_report

        save_report(run, given["report"])


def command_line() -> list[str]:
    """Return the command as it was given; nothing where it was not given on a command line."""
    arguments = click.get_current_context().find_root().obj
    return ["tealeaves", *arguments] if isinstance(arguments, list) else []
