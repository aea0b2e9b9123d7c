"""What it rests on: signatures, versions, notes, citations, and the command that repeats it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from tealeaves.metrics.base import bounds_text
from tealeaves.report.run.findings import Findings
from tealeaves.report.sections.parts import Cell, Code, Notes, Part, ReportTable, Section
from tealeaves.report.sections.verdict import MOST_NOTES
from tealeaves.report.sections.wording import listed

_TITLE = "What this rests on"


def provenance(found: Findings, command: Sequence[str] = ()) -> Section:
    """Return what one needs to repeat the report; ``command`` made it from the runs."""
    parts: list[Part] = []
    commands = list(dict.fromkeys(shlex.join(made.command) for made in found.made if made.command))
    if command and shlex.join(command) not in commands:
        commands.append(shlex.join(command))
    if commands:
        parts.append(Code("Commands that repeat it", "\n".join(commands)))
    untold = not (found.metrics and found.models)  # there is no verdict that tells them
    if found.notes and (untold or len(found.notes) > MOST_NOTES + 1):
        parts.append(Notes("All notes", found.notes))
    parts += [table for table in (_signatures(found), _metrics(found)) if table.rows]
    parts += _versions(found)
    return Section("provenance", _TITLE, _lead(found), parts)


def _lead(found: Findings) -> list[str]:
    if not found.scores.rows:
        return []
    if any(row.signature for row in found.scores.rows):
        return ["A number is the same again if its signature is: it names all that changes it."]
    return ["These scores have no signatures: what made them is not known here."]


def _signatures(found: Findings) -> ReportTable:
    models: dict[tuple[str, str], dict[str, None]] = {}
    for row in found.scores.rows:
        if row.signature and row.topic is None:
            models.setdefault((row.metric, row.signature), {})[row.model] = None
    everyone = {row.model for row in found.scores.rows}
    rows: list[list[Cell]] = [
        [metric, "all" if set(named) == everyone else listed(list(named), 20), signature]
        for (metric, signature), named in models.items()
    ]
    return ReportTable("Signatures", ["metric", "models", "signature"], rows)


def _metrics(found: Findings) -> ReportTable:
    rows: list[list[Cell]] = [
        [metric, facts.summary, facts.better, bounds_text(facts.low, facts.high), facts.cite]
        for metric, facts in found.facts.items()
    ]
    columns = ["metric", "what it is", "better", "bounds", "cite"]
    return ReportTable("Metrics and where they come from", columns, rows)


def _versions(found: Findings) -> list[ReportTable]:
    known = {made.date + str(made.packages): made for made in found.made if made.packages}
    rows: list[list[Cell]] = [
        [made.date, ", ".join(f"{name} {version}" for name, version in made.packages.items())]
        for made in known.values()
    ]
    return [ReportTable("Versions", ["run of", "packages"], rows)] if rows else []
