"""``tealeaves metrics``."""

from __future__ import annotations

import inspect
import io
import json
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli.help import HeadedCommand
from tealeaves.expressions import format_value

if TYPE_CHECKING:
    from tealeaves.metrics.base import Metric

_PIPE_WIDTH = 140
_WIDE = 120
_TEXT = 100


@click.command("metrics", cls=HeadedCommand)
@click.argument("name", required=False)
@click.option("--format", "form", type=click.Choice(["table", "json"]), help="Default: table.")
def command(name: str | None, form: str | None) -> None:
    """List all metrics, or explain one.

    \b
    Examples:
      tealeaves metrics
      tealeaves metrics c_v
      tealeaves metrics --format json
    """
    from tealeaves.metrics.registry import METRICS, metric

    chosen = [metric(name)] if name else list(METRICS.values())
    if form == "json":
        click.echo(json.dumps([_record(one) for one in chosen], indent=2, ensure_ascii=False))
    elif name:
        click.echo(_explained(chosen[0]))
    else:
        _print_table(chosen)


def _record(metric: Metric) -> dict[str, Any]:
    """Return what a metric declares, for programs."""
    return {
        "name": metric.name,
        "aliases": list(metric.aliases),
        "summary": metric.summary,
        "judges": "topics" if metric.level == "topic" else "models",
        "better": metric.better,
        "bounds": [str(b) if abs(b) == float("inf") else b for b in metric.bounds],
        "needs": metric.source,
        "parameters": {one.name: one.default for one in metric.parameters},
        "allowed": {one.name: one.allowed for one in metric.parameters},
        "meanings": {one.name: one.meaning for one in metric.parameters},
        "signature": metric.signature,
        "cite": metric.cite,
        "formula": metric.formula,
        "misleads": metric.misleads,
        "details": inspect.cleandoc(metric.details),
    }


def _explained(metric: Metric) -> str:
    from tealeaves.metrics.base import bounds_text
    from tealeaves.metrics.registry import METRICS

    return "\n".join(
        [
            f"{metric!r}: {metric.summary}",
            "",
            inspect.cleandoc(metric.details),
            "",
            *_formula(metric),
            *_misleads(metric),
            f"Judges {_judged(metric)}. Better: {metric.better}. "
            f"Values: {bounds_text(*metric.bounds)}.",
            f"Needs: {metric.source}.",
            f"From: {metric.cite}",
            "",
            *_parameters(metric),
            f"Defaults: {METRICS[metric.name].signature}",
        ]
    )


def _formula(metric: Metric) -> list[str]:
    """Return the formula, one equation a line; lines are not broken, so that they can be copied."""
    if not metric.formula:
        return []
    equations = metric.formula.split(r", \quad ")
    return ["Formula, with the defaults:", *(f"  {one}" for one in equations), ""]


def _misleads(metric: Metric) -> list[str]:
    if not metric.misleads:
        return []
    return [*textwrap.wrap(f"Misleads: {metric.misleads}", _TEXT, break_on_hyphens=False), ""]


def _parameters(metric: Metric) -> list[str]:
    """Say of each parameter what it may be, what it is by default, and what it means."""
    if not metric.parameters:
        return ["Parameters: none."]
    lines = ["Parameters:"]
    for one in metric.parameters:
        lines.append(f"  {one.name}: {one.allowed}; default: {format_value(one.default)}")
        lines += textwrap.wrap(one.meaning, _TEXT, initial_indent="    ", subsequent_indent="    ")
    return lines


def _judged(metric: Metric) -> str:
    return "topics, and models by them" if metric.level == "topic" else "whole models"


def _print_table(metrics: list[Metric]) -> None:
    from rich.console import Console
    from rich.table import Table

    terminal = sys.stdout.isatty()
    width = Console().width if terminal else _PIPE_WIDTH
    table = Table(box=None, header_style="bold", pad_edge=False)
    headings = ["metric", "what it says", "needs"]
    headings += ["parameters"] if width >= _WIDE else []
    for heading in headings:
        table.add_column(heading, no_wrap=heading in ("metric", "needs"))
    for one in metrics:
        arrow = "↑" if one.better == "higher" else "↓"
        also = f" (also {', '.join(one.aliases)})" if one.aliases else ""
        row = [f"{one.name} {arrow}", one.summary + also, one.source, ", ".join(one.accepts)]
        table.add_row(*row[: len(headings)])
    text = io.StringIO()
    Console(file=text, highlight=False, width=width, force_terminal=terminal).print(table)
    click.echo(text.getvalue(), nl=False)
    click.echo("\n`tealeaves metrics NAME` explains one: formula, where it misleads, parameters.")
