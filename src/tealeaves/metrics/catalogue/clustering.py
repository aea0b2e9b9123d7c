"""Clustering: do the topics of documents agree with their labels?

The measures are computed from a table of counts, one row per topic and one column per label; the
formulas are those of scikit-learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Self

import msgspec
import numpy as np

from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.expressions import Value
from tealeaves.metrics.base import Result
from tealeaves.metrics.per_text.labels import LabelMetric, labelled_documents
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers
    from tealeaves.metrics.per_text.labels import LabelledDocuments

EntropyMean = Literal["arithmetic", "geometric", "min", "max"]


class ClusteringSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How agreement is measured.

    Parameters
    ----------
    measure
        ``purity``, ``nmi`` (normalised mutual information) or ``ari`` (adjusted Rand index).
    average
        The mean of the two entropies that nmi divides by.
    """

    measure: Literal["purity", "nmi", "ari"] = "purity"
    average: EntropyMean = "arithmetic"


@dataclass(frozen=True, repr=False, eq=False)
class Clustering(LabelMetric):
    """The agreement of the documents' best topics with their labels."""

    settings: ClusteringSettings

    def __call__(self, **changes: Value) -> Self:
        """Return this metric with other parameters; only purity has values of topics."""
        changed = super().__call__(**changes)
        by_topic = changed.settings.measure == "purity"
        bounds = (-0.5, 1.0) if changed.settings.measure == "ari" else (0.0, 1.0)
        return replace(changed, level="topic" if by_topic else "model", bounds=bounds)

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Compare the documents of each model with the labels."""
        return [self._result(model, labelled_documents(model, evidence.texts)) for model in models]

    def _result(self, model: Topics, documents: LabelledDocuments) -> Result:
        if not len(documents):
            return Result.of_model(model, np.nan)
        table = documents.table(len(model))
        if self.settings.measure == "ari":
            return Result.of_model(model, adjusted_rand_index(table), documents.support)
        if self.settings.measure == "nmi":
            value = normalised_mutual_information(table, self.settings.average)
            return Result.of_model(model, value, documents.support)
        values = purities(table)
        support = np.where(np.isnan(values), 0.0, documents.support)
        return Result(values, support, overall=(purity(table), documents.support))


def purities(table: Integers) -> Floats:
    """Return for each topic the share of documents with its most frequent label; NaN if empty.

    >>> purities(np.array([[3, 1], [0, 0]])).tolist()
    [0.75, nan]
    """
    sizes = table.sum(axis=1)
    most = table.max(axis=1, initial=0).astype(np.float64)
    shares: Floats = np.divide(most, sizes, out=np.full(len(most), np.nan), where=sizes > 0)
    return shares


def purity(table: Integers) -> float:
    """Return the share of documents that have the most frequent label of their topic."""
    return float(table.max(axis=1, initial=0).sum() / table.sum())


def normalised_mutual_information(table: Integers, average: EntropyMean) -> float:
    """Return the mutual information of topics and labels, divided by a mean of their entropies.

    If there is only one topic and only one label they agree, and the value is 1.
    """
    rows, columns = _entropy(table.sum(axis=1)), _entropy(table.sum(axis=0))
    if np.count_nonzero(table.sum(axis=1)) == np.count_nonzero(table.sum(axis=0)) == 1:
        return 1.0
    shared = rows + columns - _entropy(table.ravel())
    if shared <= np.finfo(np.float64).eps:
        return 0.0
    means = {
        "arithmetic": (rows + columns) / 2,
        "geometric": float(np.sqrt(rows * columns)),
        "min": min(rows, columns),
        "max": max(rows, columns),
    }
    return min(1.0, shared / means[average])


def adjusted_rand_index(table: Integers) -> float:
    """Return the share of pairs of documents on which both agree, corrected for chance.

    Of the pairs, ``both`` are together by topic and by label, ``rows`` by topic, ``columns`` by
    label. If topics and labels make the same pairs, the value is 1.
    """
    both, rows = _count_pairs(table.ravel()), _count_pairs(table.sum(axis=1))
    columns, every = _count_pairs(table.sum(axis=0)), _count_pairs(table.sum(keepdims=True).ravel())
    if rows == columns == both:
        return 1.0
    expected = rows * columns / every
    return (both - expected) / ((rows + columns) / 2 - expected)


def _entropy(counts: Integers) -> float:
    """Return the entropy of counts, in nats."""
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def _count_pairs(counts: Integers) -> int:
    """Count the pairs within groups, with Python's integers, because they may be large."""
    return sum(n * (n - 1) // 2 for n in counts.tolist())


clustering = Clustering(
    name="clustering",
    summary="agreement of the documents' best topics with their labels",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Manning, Raghavan & Schütze 2008; Strehl & Ghosh 2002; Hubert & Arabie 1985",
    settings=ClusteringSettings(),
    formula=(
        r"\mathrm{purity} = \frac{1}{N} \sum_{t} \max_{c} n_{tc}, \quad "
        r"\mathrm{purity}_t = \frac{\max_{c} n_{tc}}{\sum_{c} n_{tc}}"
    ),
    misleads=(
        "Purity grows with the number of topics: with one topic per document it is 1. A model that "
        "leaves out hard documents as outliers looks better: look at the support. Labels are one "
        "way to sort texts, not the only one."
    ),
    details="""\
    Each document belongs to its best topic; the labels of the texts say where it should belong.
    measure=purity: the share of documents that have the most frequent label of their topic; of a
    topic, the share of its documents that have it; n_tc counts the documents of topic t with label
    c, N all documents. measure=nmi: mutual information of topics and labels over the mean of their
    entropies (average=arithmetic, geometric, min or max).
    measure=ari: the share of pairs of documents on which both agree, corrected for chance, which
    gives 0. nmi and ari are those of scikit-learn, and judge only models.

    Defaults: purity. Documents without a label or without a topic (outliers) are left out; the
    support is the share of texts that remain.
    """,
)
