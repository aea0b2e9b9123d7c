"""``tealeaves metrics``."""

from __future__ import annotations

import json
from typing import Any

import click

from tealeaves.cli.help import HeadedCommand
from tealeaves.printing import echo


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
    from tealeaves.metrics.description import describe_metric, list_metrics, metric_record

    if form == "json":
        records = [metric_record(name)] if name else list_metrics()
        echo(json.dumps(records, indent=2, ensure_ascii=False))
    elif name:
        echo(describe_metric(name))
    else:
        _print_table(list_metrics())


def _print_table(records: list[dict[str, Any]]) -> None:
    from tealeaves.tables.terminal import print_list

    rows = []
    for record in records:
        arrow = "↑" if record["better"] == "higher" else "↓"
        also = f" (also {', '.join(record['aliases'])})" if record["aliases"] else ""
        summary, parameters = record["summary"] + also, ", ".join(record["parameters"])
        rows.append((f"{record['name']} {arrow}", summary, record["needs"], parameters))
    print_list(
        ("metric", "what it says", "needs", "parameters"),
        rows,
        wrapped=("what it says", "needs", "parameters"),
        if_wide=("parameters",),
    )
    echo("\n`tealeaves metrics NAME` explains one: formula, where it misleads, parameters.")
