"""The tables of ``RESULTS.md``, from the rows of the study."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import mean, stdev
from typing import Any

from benchmarks.crosslingual.texts import LANGUAGES
from benchmarks.markdown import table

LINKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
CARDINALITIES = (10, 20, 30, 40, 50)
SIZES = (0.2, 0.4, 0.6, 0.8, 1.0)


def tables(rows: list[dict[str, Any]]) -> str:
    """Write the tables of the documentation."""
    rounds = len({row["round"] for row in rows})
    return "\n\n".join(
        [
            f"Mean over {rounds} rounds ± half of the 95 % interval.",
            by_links(rows, "modern"),
            by_links(rows, "bible"),
            by_cardinality(rows),
            by_size(rows, "modern"),
            by_size(rows, "bible"),
            by_labels(rows),
        ]
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
    return f"{title}\n\n{table(['pair', *columns], body)}"


def by_links(rows: list[dict[str, Any]], reference: str) -> str:
    """Write CNPMI at each share of links."""
    chosen = where(rows, metric="cnpmi@10", reference=reference, size=1.0)
    columns = {f"{share:.0%}": {"links": share} for share in LINKS}
    return by_pair(chosen, f"CNPMI@10 by the share of links, {reference} reference", columns)


def by_cardinality(rows: list[dict[str, Any]]) -> str:
    """Write CNPMI at each number of words."""
    chosen = where(rows, links=1.0, reference="modern", size=1.0)
    columns = {f"C={c}": {"metric": f"cnpmi@{c}"} for c in CARDINALITIES}
    return by_pair(chosen, "CNPMI by the number of words, all links, modern reference", columns)


def by_size(rows: list[dict[str, Any]], reference: str) -> str:
    """Write CNPMI with parts of a reference."""
    chosen = where(rows, links=1.0, reference=reference, metric="cnpmi@10")
    columns = {f"{size:.0%}": {"size": size} for size in SIZES}
    return by_pair(
        chosen, f"CNPMI@10 by the share of the {reference} reference, all links", columns
    )


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
    return f"Crosslingual classification of SIB-200's labels\n\n{table(head, body)}"


def r_with_links(
    rows: list[dict[str, Any]], language: str, curve: list[float], reference: str
) -> float:
    """Return Pearson's r of F1 with CNPMI over the shares of links."""
    import numpy as np

    chosen = where(rows, language=language, metric="cnpmi@10", reference=reference, size=1.0)
    means = [mean(r["value"] for r in where(chosen, links=x)) for x in LINKS]
    return float(np.corrcoef(means, curve)[0, 1])
