"""The page ``docs/people-table.md``: what a user wants to know, then all tables."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from crosslingual_tables import table
from people_cells import (
    NONE,
    THREE,
    between,
    headed,
    joined,
    milliseconds,
    name_of,
    short,
    whole_seconds,
)
from people_intro import intro
from people_lines import Line
from people_rows import PARTIAL, PEARSON, SPEARMAN, Ceiling, Number
from people_sets import FURTHER, MAIN, OWN, SETS
from people_variants import COUNTED, metric_in, not_computed
from people_versus import Differences, best_single
from people_words import HOW, READING, VERSUS
from report import Machine
from tealeaves.metrics.registry import METRICS
from tools import versions

Ceilings = Mapping[str, Ceiling]


def page(
    lines: Sequence[Line],
    ceilings: Ceilings,
    versus: Differences,
    across: Sequence[Mapping[str, Any]],
    stem: str,
    also: Sequence[Path],
) -> str:
    """Write the page; ``stem`` is the name of its files, ``also`` are those of further values."""
    parts = [
        "# Every metric against people",
        intro(lines, ceilings, versus),
        f"![How well metrics agree with people, set by set]({stem}.svg)",
        f"All numbers, with the intervals of every coefficient: [{stem}.csv]({stem}.csv).",
        READING,
        "## All metrics",
        main_table(lines, ceilings),
        "## Consensus and the best single metric",
        VERSUS.format(name=name_of(best_single(lines)), evidence=best_single(lines).label.evidence),
        versus_table(versus),
        "## Intervals",
        "Pearson's r by topic with its 95 % interval.",
        by_set(lines, PEARSON),
        "## Beyond co-occurrence",
        f"Partial correlation by topic with its 95 % interval, document NPMI (`{COUNTED}`) held "
        "fast: what a metric knows that counting words in documents does not.",
        by_set(lines, PARTIAL),
        "## Models",
        by_model(lines),
        "## Other numbers of words",
        "The same 300 topics of Wikipedia, where people saw other numbers of words, and metrics "
        "look at as many: Pearson / Spearman / phi_K by topic.",
        further(lines),
        "## Not computed",
        "The sets have the words of topics, in one language, and not the models that made them:",
        table(["metric", "why there is no number"], blanks(lines)),
        "## Across languages",
        *across_table(across),
        "## How it was made",
        HOW.format(
            options="".join(f" --also {path.name}" for path in also),
            sets=described(lines),
            machine="\n".join(machine()),
        ),
    ]
    return "\n\n".join(parts) + "\n"


# ---------------------------------------------------------------------- tables


def main_table(lines: Sequence[Line], ceilings: Ceilings) -> str:
    """Write all coefficients, and how long a metric takes."""
    head = [
        "metric",
        "from",
        *(headed(one, ceilings[one.name]) for one in MAIN),
        "mean size of r (sets)",
        f"50 models of {OWN.title}",
        f"given `{COUNTED}`",
        "ms a topic",
        "gathering, s",
    ]
    return table(head, (_main_cells(line) for line in lines))


def _main_cells(line: Line) -> list[str]:
    models = [line.models.number(name).value for name in THREE[:2]] if line.models else [math.nan]
    return [
        name_of(line),
        line.label.evidence,
        *(joined([line.number(one.name, name).value for name in THREE]) for one in MAIN),
        f"{short(line.mean)} ({len(line.values())})" if line.values() else NONE,
        joined(models),
        joined([line.number(one.name, PARTIAL).value for one in MAIN]),
        milliseconds(line.seconds),
        whole_seconds(line.gathering),
    ]


def versus_table(versus: Differences) -> str:
    """Write how much more consensus has than the best single metric."""
    body = [
        [f"`{label.expression}`", *(between(found.get(one.name, Number())) for one in MAIN)]
        for label, found in versus.items()
    ]
    return table(["", *(headed(one) for one in MAIN)], body)


def by_set(lines: Iterable[Line], coefficient: str) -> str:
    """Write one coefficient of all sets with its intervals."""
    head = ["metric", "from", *(headed(one) for one in MAIN)]
    found = [
        [name_of(line), line.label.evidence, *cells]
        for line in lines
        for cells in [[between(line.number(one.name, coefficient)) for one in MAIN]]
        if any(cell != NONE for cell in cells)
    ]
    return table(head, found)


def by_model(lines: Iterable[Line]) -> str:
    """Write the coefficients of models, the best first."""
    found = [line for line in lines if line.models is not None]
    found.sort(key=lambda line: -abs(line.models.number(PEARSON).value) if line.models else 0.0)
    body = []
    for line in found:
        if line.models is not None:
            numbers = [between(line.models.number(name)) for name in (*THREE, PARTIAL)]
            body.append([name_of(line), line.label.evidence, *numbers])
    size = max(line.models.n for line in found if line.models)
    head = ["metric", "from", "Pearson", "Spearman", "phi_K", f"Pearson given `{COUNTED}`"]
    return (
        f"The {size} models of {OWN.title}: people's score of a model is the mean of its topics'. "
        f"phi_K of fewer than a hundred values says little.\n\n{table(head, body)}"
    )


def further(lines: Iterable[Line]) -> str:
    """Write the coefficients of the further sets."""
    head = ["metric", "from", *(headed(one) for one in FURTHER)]
    body = [
        [
            name_of(line),
            line.label.evidence,
            *(joined([line.number(one.name, name).value for name in THREE]) for one in FURTHER),
        ]
        for line in lines
        if any(one.name in line.topics for one in FURTHER)
    ]
    return table(head, body)


def blanks(lines: Iterable[Line]) -> Iterator[list[str]]:
    """Yield the metrics of the registry that have no number, and why."""
    there = {metric_in(line.label.expression) for line in lines}
    known = dict(not_computed())
    for name in METRICS:
        if name not in there:
            yield [f"`{name}`", known.get(name, "constant or undefined in all sets")]


def across_table(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Write what is known of topics in two languages."""
    yield (
        "Hao, Boyd-Graber & Paul (2018) asked people of topics in two languages, but did not "
        "release the words of the topics: nothing can be computed anew. They did release their "
        "values of MTA (`mta@10`), which are correlated here, and the coefficients of CNPMI and "
        "INPMI in their Table 2, which are only repeated."
    )
    published = {
        "`cnpmi`, Bible": "bible_cnpmi",
        "`cnpmi`, Wikipedia": "wiki_cnpmi",
        "`inpmi`, Bible": "bible_inpmi",
        "`inpmi`, Wikipedia": "wiki_inpmi",
    }
    people = "people: one with others / at most"
    head = ["pair", "topics", people, "`mta`: Pearson", "`mta`: Spearman", *published]
    yield table(
        head,
        (
            [
                row["pair"],
                str(row["n"]),
                joined([row["one"], row["most"]]),
                between(row[PEARSON]),
                between(row[SPEARMAN]),
                *(short(row[name]) for name in published.values()),
            ]
            for row in rows
        ),
    )


# ---------------------------------------------------------------------- how


def described(lines: Sequence[Line]) -> str:
    """Write what the sets are, and how many topics and clusters are in each."""
    body = []
    for one in SETS:
        rows = [line.topics[one.name] for line in lines if one.name in line.topics]
        most = max(rows, key=lambda row: row.n)
        body.append([f"`{one.name}`", one.title, one.said, f"{most.n:,} in {most.clusters:,}"])
    return table(["set", "here", "what people were asked", "topics in clusters"], body)


def machine() -> list[str]:
    """Say when, where and with what it was run."""
    packages = ("tealeaves", "numpy", "scipy", "phik", "torch", "transformers", "wordllama")
    known = versions(Path(sys.executable), packages)
    return Machine({"Versions": known}, math.nan).lines()[:3]
