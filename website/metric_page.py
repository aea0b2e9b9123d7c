"""The page of a metric, from its declaration and its measured agreement with people."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from beside_people import Measured, measured, why_not_measured
from examples import command, expression, given, python
from families import family_of
from formula import drawn
from plain import cell, code, paragraphs, plain

from tealeaves.expressions import format_value
from tealeaves.metrics.base import bounds_text

if TYPE_CHECKING:
    from tealeaves.metrics.base import Metric


def metric_page(metric: Metric) -> str:
    """Write the page of one metric."""
    parts = [
        # the theme writes these into the head of the page unescaped
        f"---\ntitle: {metric.name}\ndescription: >-\n  {html.escape(metric.summary)}\n---",
        f"# {code(metric.name)}",
        f"{plain(metric.summary[:1].upper() + metric.summary[1:])}.\n{{: .lead }}",
        _facts(metric),
        _formula(getattr(metric, "formula", "")),
        f"## What it computes\n\n{paragraphs(metric.details)}" if metric.details else "",
        _misleads(getattr(metric, "misleads", "")),
        _written(metric),
        _parameters(metric),
        _people(metric),
        _origin(metric),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _facts(metric: Metric) -> str:
    judges = "topics and models" if metric.level == "topic" else "whole models"
    facts = {
        "Better": "↑ higher" if metric.better == "higher" else "↓ lower",
        "Values": bounds_text(*metric.bounds),
        "Judges": judges + (", across languages" if metric.crosslingual else ""),
        "Needs": metric.source,
    }
    if metric.aliases:
        facts["Also called"] = ", ".join(metric.aliases)
    rows = "".join(
        f"<div><dt>{name}</dt><dd>{html.escape(text)}</dd></div>" for name, text in facts.items()
    )
    return f'<dl class="facts" data-search-exclude>{rows}</dl>'


def _formula(formula: str) -> str:
    if not formula:
        return ""
    return f'## Formula\n\n<div class="formula" data-search-exclude>{drawn(formula)}</div>'


def _misleads(text: str) -> str:
    if not text:
        return ""
    said = paragraphs(text).replace("\n", "\n    ")
    return f'## When it misleads\n\n!!! warning ""\n    {said}'


def _written(metric: Metric) -> str:
    return "\n\n".join(
        [
            "## How to write it",
            f"On the command line, as {code(expression(metric))}:",
            f"```sh\n{command(metric)}\n```",
            "In Python:",
            f"```py\n{python(metric)}\n```",
            f"{given(metric).said} With all parameters, as in signatures, it is "
            f"{code(metric.signature)}.",
        ]
    )


def _parameters(metric: Metric) -> str:
    if not metric.parameters:
        return "## Parameters\n\nNone."
    rows = [
        f"| {code(one.name)} | {code(format_value(one.default))} "
        f"| {cell(one.allowed)} | {cell(one.meaning)} |"
        for one in metric.parameters
    ]
    head = "| name | default | may be | meaning |\n|---|---|---|---|\n"
    return "## Parameters\n\n" + head + "\n".join(rows)


def _people(metric: Metric) -> str:
    """Show the agreement with people, or say that it was not measured."""
    rows = measured(metric.name)
    title = "## Does it agree with people?"
    if not rows:
        return f"{title}\n\n{_not_measured(metric)}"
    said = (
        "Our measurements: correlation with people's mean scores, with 95 % intervals. "
        "[Every metric against people](../people-table.md) explains the sets and the method."
    )
    if metric.better == "lower":
        said += " Lower values of this metric are better, so coefficients should be negative."
    as_declared = [row for row in rows if row.metric == metric.name]
    others = [row for row in rows if row.metric != metric.name]
    if not as_declared:
        return f"{title}\n\n{said}\n\n{_table(others)}"
    shown = f"{title}\n\n{said}\n\n{_table(as_declared)}"
    if not others:
        return shown
    folded = _table(others).replace("\n", "\n    ")
    return f'{shown}\n\n??? note "With other parameters"\n\n    {folded}'


def _not_measured(metric: Metric) -> str:
    why = why_not_measured(metric.name)
    said = "We did not measure how well it agrees with people" + (f": {cell(why)}." if why else ".")
    if metric.crosslingual:
        where = "../people-table.md#across-languages"
        said += f" [The table of all metrics]({where}) has the numbers that its authors released."
    else:
        said += " [One table](../people-table.md) has all metrics that we measured."
    return said


def _table(rows: list[Measured]) -> str:
    head = (
        "| metric | from | people | by | n | Pearson | Spearman |\n|---|---|---|---|--:|---|---|\n"
    )
    return head + "\n".join(
        f"| {code(row.metric)} | {cell(row.evidence)} | {row.people} | {row.by} | {row.n} "
        f"| {row.pearson} | {row.spearman} |"
        for row in rows
    )


def _origin(metric: Metric) -> str:
    family = family_of(metric)
    guide = f"\n\nMore: [{family.title}](../{family.guide})." if family.guide else ""
    return f"## Citation\n\n{plain(metric.cite)}.{guide}"
