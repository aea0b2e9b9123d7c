"""The page ``RESULTS.md``, from the rows of the study."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import mean, stdev
from typing import Any

from benchmarks.crosslingual.texts import LANGUAGES
from benchmarks.markdown import table

LINKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
CARDINALITIES = (10, 20, 30, 40, 50)
SIZES = (0.2, 0.4, 0.6, 0.8, 1.0)
REFERENCES = {"modern": "modern reference", "bible": "Bible"}


INTRODUCTION = """\
`python -m benchmarks crosslingual` writes this page. [Topics across
languages](../../docs/crosslingual.md#what-we-measured) sums up the results.

English is paired with the six languages of the paper. The texts are NTREX-128's news in blocks of
four sentences and the labelled sentences of SIB-200. In each round two thirds of them train `pltm`
({iterations:,} sweeps, 20 topics, 10 for Amharic and Tagalog as in the authors' data; no stop
words, words of more than 30 % of the texts left out) with 0 to 100 % of the links. The other third,
about 520 linked documents, is the *modern* reference; the chapters of the Bible are the other one.
No document both trains topics and is counted.

Each cell is the mean over the rounds (here {rounds}) ± half of its 95 % interval. Rounds share most
of their texts, so the true intervals are even wider; and the references have a tenth of the 5,000
documents that the paper recommends."""


def page(rows: list[dict[str, Any]], iterations: int) -> str:
    """Return the page of results."""
    rounds = len({row["round"] for row in rows})
    return (
        "\n\n".join(
            [
                "# CNPMI by links, words and reference",
                INTRODUCTION.format(rounds=rounds, iterations=iterations),
                by_links(rows, "modern"),
                by_links(rows, "bible"),
                by_cardinality(rows),
                by_size(rows, "modern"),
                by_size(rows, "bible"),
                by_labels(rows),
            ]
        )
        + "\n"
    )


def cell(rows: Iterable[dict[str, Any]]) -> str:
    """Write a mean and half of its 95 % interval, by Student's t over rounds."""
    from scipy.stats import t

    values = [row["value"] for row in rows if row["value"] == row["value"]]
    if not values:
        return "–"
    if len(values) == 1:
        return f"{values[0]:.3f}"
    error = stdev(values) / len(values) ** 0.5
    return f"{mean(values):.3f} ± {t.ppf(0.975, len(values) - 1) * error:.3f}"


def where(rows: Iterable[dict[str, Any]], **wanted: Any) -> list[dict[str, Any]]:
    """Return the rows with these values."""
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def by_pair(rows: list[dict[str, Any]], title: str, columns: dict[str, dict[str, Any]]) -> str:
    """Write a row for each pair of languages; each column wants other rows."""
    body = [
        [
            f"EN-{code.upper()}",
            *(cell(where(rows, language=name, **wanted)) for wanted in columns.values()),
        ]
        for name, code in LANGUAGES.items()
    ]
    return f"## {title}\n\n{table(['pair', *columns], body)}"


def by_links(rows: list[dict[str, Any]], reference: str) -> str:
    """Write CNPMI at each share of links."""
    chosen = where(rows, metric="cnpmi@10", reference=reference, size=1.0)
    columns = {f"{share:.0%}": {"links": share} for share in LINKS}
    return by_pair(chosen, f"CNPMI@10 by the share of links, {REFERENCES[reference]}", columns)


def by_cardinality(rows: list[dict[str, Any]]) -> str:
    """Write CNPMI at each number of words."""
    chosen = where(rows, links=1.0, reference="modern", size=1.0)
    columns = {f"C={c}": {"metric": f"cnpmi@{c}"} for c in CARDINALITIES}
    return by_pair(chosen, "CNPMI by the number of words, all links, modern reference", columns)


def by_size(rows: list[dict[str, Any]], reference: str) -> str:
    """Write CNPMI with parts of a reference."""
    chosen = where(rows, links=1.0, reference=reference, metric="cnpmi@10")
    columns = {f"{size:.0%}": {"size": size} for size in SIZES}
    title = f"CNPMI@10 by the share of the {REFERENCES[reference]}, all links"
    return by_pair(chosen, title, columns)


def by_labels(rows: list[dict[str, Any]]) -> str:
    """Write F1 at no and all links, and how it goes with CNPMI over the shares of links."""
    body = []
    for name, code in LANGUAGES.items():
        for one, two in (("en", code), (code, "en")):
            spec = f"crosslingual_f1(train={one}, test={two}, average=micro)"
            labelled = where(rows, language=name, reference="labels", metric=spec)
            curve = [mean(r["value"] for r in where(labelled, links=x)) for x in LINKS]
            body.append(
                [
                    f"{one.upper()}→{two.upper()}",
                    cell(where(labelled, links=0.0)),
                    cell(where(labelled, links=1.0)),
                    *(f"{r_with_links(rows, name, curve, to):.3f}" for to in ("modern", "bible")),
                ]
            )
    head = ["", "micro F1, no links", "all links", "r with CNPMI (modern)", "r (Bible)"]
    what = (
        "The held-out sentences of SIB-200 have seven labels; the most frequent one is right for a "
        "quarter of them.\nr is Pearson's, of F1 with CNPMI@10 over the six shares of links."
    )
    return f"## Crosslingual classification of SIB-200's labels\n\n{what}\n\n{table(head, body)}"


def r_with_links(
    rows: list[dict[str, Any]], language: str, curve: list[float], reference: str
) -> float:
    """Return Pearson's r of F1 with CNPMI over the shares of links."""
    import numpy as np

    chosen = where(rows, language=language, metric="cnpmi@10", reference=reference, size=1.0)
    means = [mean(r["value"] for r in where(chosen, links=x)) for x in LINKS]
    return float(np.corrcoef(means, curve)[0, 1])
