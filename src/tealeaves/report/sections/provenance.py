"""What the report rests on: commands, signatures, metrics, versions and notes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from tealeaves.metrics.base import bounds_text
from tealeaves.report.run.run import Run
from tealeaves.report.sections.parts import Cell, Code, Notes, Part, ReportTable, Section
from tealeaves.report.sections.sentences import listed
from tealeaves.report.sections.verdict import MOST_NOTES

_TITLE = "What this rests on"


def provenance(run: Run, command: Sequence[str] = ()) -> Section:
    """Return what is needed to repeat the report; ``command`` made it from the runs."""
    parts: list[Part] = []
    every = [*(origin.command for origin in run.origins), list(command)]
    commands = list(dict.fromkeys(shlex.join(one) for one in every if one))
    if commands:
        parts.append(Code("Commands that repeat it", "\n".join(commands)))
    has_verdict = bool(run.metrics and run.models)  # which shows some notes, or all
    if run.notes and not (has_verdict and len(run.notes) <= MOST_NOTES + 1):
        parts.append(Notes("All notes", run.notes))
    parts += [table for table in (_signatures(run), _metrics(run)) if table.rows]
    parts += _versions(run)
    return Section("provenance", _TITLE, _lead(run), parts)


def _lead(run: Run) -> list[str]:
    if not run.scores.rows:
        return []
    if any(row.signature for row in run.scores.rows):
        return ["A signature names everything that changes a number."]
    return ["These scores have no signatures: how they were computed is not known."]


def _signatures(run: Run) -> ReportTable:
    models: dict[tuple[str, str], dict[str, None]] = {}
    for row in run.scores.rows:
        if row.signature and row.topic is None:
            models.setdefault((row.metric, row.signature), {})[row.model] = None
    everyone = {row.model for row in run.scores.rows}
    rows: list[list[Cell]] = [
        [metric, "all" if set(named) == everyone else listed(list(named), 20), signature]
        for (metric, signature), named in models.items()
    ]
    return ReportTable("Signatures", ["metric", "models", "signature"], rows)


def _metrics(run: Run) -> ReportTable:
    rows: list[list[Cell]] = [
        [metric, facts.summary, facts.better, bounds_text(facts.low, facts.high), facts.cite]
        for metric, facts in run.facts.items()
    ]
    columns = ["metric", "what it is", "better", "bounds", "cite"]
    return ReportTable("Metrics and where they come from", columns, rows)


def _versions(run: Run) -> list[ReportTable]:
    known = {one.date + str(one.packages): one for one in run.origins if one.packages}
    rows: list[list[Cell]] = [
        [one.date, ", ".join(f"{name} {version}" for name, version in one.packages.items())]
        for one in known.values()
    ]
    return [ReportTable("Versions", ["run of", "packages"], rows)] if rows else []
