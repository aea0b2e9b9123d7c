"""The measured agreement of metrics with people, from the study of people."""

from __future__ import annotations

import csv
import re
from functools import cache
from typing import NamedTuple

from repository import ROOT

from tealeaves.errors import InputError
from tealeaves.metrics.registry import metric

TABLE = ROOT / "benchmarks" / "people" / "results.csv"
PAGE = TABLE.with_name("RESULTS.md")

#: the sets of judgments, in the order of the table
SETS = {
    "khodorchenko2022": "20 Newsgroups, 15 words",
    "hoyle2021_ratings": "Wikitext, ratings, 10 words",
    "hoyle2021_intrusion": "Wikitext, intrusion, 10 words",
    "lau_baldwin2016_top5": "Wikipedia, ratings, 5 words",
    "lau_baldwin2016_top10": "Wikipedia, ratings, 10 words",
    "lau_baldwin2016_top15": "Wikipedia, ratings, 15 words",
    "lau_baldwin2016_top20": "Wikipedia, ratings, 20 words",
}
_REASON = re.compile(r"^\| `(\w+)` \| (.+) \|$", re.MULTILINE)


class Measured(NamedTuple):
    """The correlation of one metric, from one kind of evidence, with people on one set."""

    metric: str
    evidence: str
    people: str
    by: str
    n: str
    pearson: str
    spearman: str


def measured(name: str) -> list[Measured]:
    """Return the measurements of a metric, sorted by set; models come after topics."""
    order = list(SETS)
    rows = [row for row in _rows() if _metric_of(row["metric"]) == name]
    rows.sort(key=lambda row: (row["by"] == "model", order.index(row["set"])))
    return [
        Measured(
            row["metric"],
            row["evidence"],
            SETS[row["set"]],
            row["by"],
            f"{int(row['n']):,}",
            _with_interval(row, "pearson"),
            _with_interval(row, "spearman"),
        )
        for row in rows
    ]


def why_not_measured(name: str) -> str:
    """Return why a metric was not measured, as the page of results says, or an empty string."""
    _, _, section = PAGE.read_text(encoding="utf-8").partition("## Not computed")
    reasons: dict[str, str] = dict(_REASON.findall(section.partition("\n## ")[0]))
    return reasons.get(name, "")


@cache
def _rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def _metric_of(label: str) -> str:
    """Return the name of a row's metric; the label is an expression or text that begins with it."""
    try:
        return metric(label).name
    except InputError:
        first = re.match(r"\w*", label)
        return first[0] if first else ""


def _with_interval(row: dict[str, str], name: str) -> str:
    """Write a coefficient and its interval, as .64 (.57 to .70)."""
    value, low, high = (row[name + end] for end in ("", "_low", "_high"))
    if not value:
        return "–"
    return f"{_short(value)} ({_short(low)} to {_short(high)})" if low else _short(value)


def _short(number: str) -> str:
    """Write a coefficient with two digits, and no zero before the point.

    >>> _short("-0.1292"), _short("1.0000")
    ('−.13', '1.00')
    """
    text = f"{float(number):.2f}".replace("-0.00", "0.00").replace("-", "−")
    return re.sub(r"^(−?)0\.", r"\1.", text)
