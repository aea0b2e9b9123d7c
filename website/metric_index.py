"""The list of all metrics, by family."""

from __future__ import annotations

from families import ELSEWHERE, FAMILIES, Family, family_of
from plain import cell, code

from tealeaves.metrics.base import Metric, bounds_text
from tealeaves.metrics.registry import METRICS


def index_page() -> str:
    """Write the page that lists all metrics."""
    metrics = METRICS.values()
    parts = [
        "---\ntitle: All metrics\n---",
        "# All metrics",
        f"Each of the {len(metrics)} metrics has a page with its formula, what it computes, when "
        "it misleads, its parameters, and how well it agrees with people. `tealeaves metrics` "
        "lists them in the terminal. To choose one, see "
        "[every metric against people](../people-table.md), or start with "
        "[`consensus`](consensus.md).",
    ]
    for family in (*FAMILIES, ELSEWHERE):
        members = [one for one in metrics if family_of(one) == family]
        if members:
            parts.append(_section(family, members))
    return "\n\n".join(parts) + "\n"


def _section(family: Family, members: list[Metric]) -> str:
    guide = f"[Guide](../{family.guide})\n\n" if family.guide else ""
    head = "| metric | what it measures | needs | values |\n|---|---|---|---|\n"
    rows = "\n".join(
        f"| [{code(one.name)}]({one.name}.md) {'↑' if one.better == 'higher' else '↓'} "
        f"| {cell(one.summary)} | {cell(one.source)} | {bounds_text(*one.bounds)} |"
        for one in members
    )
    return f"## {family.title}\n\n{guide}{head}{rows}"
