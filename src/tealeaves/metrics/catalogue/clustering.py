"""Clustering: do the topics of documents agree with their labels?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

import msgspec

from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.expressions import Value
from tealeaves.metrics.base import Result
from tealeaves.metrics.following.agreement import (
    Average,
    adjusted_rand_index,
    normalised_mutual_information,
    purities,
    purity,
)
from tealeaves.metrics.following.labelled import Labelled, LabelMetric, labelled
from tealeaves.topics.topics import Topics


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """What agreement means.

    Parameters
    ----------
    measure
        ``purity``, ``nmi`` (normalised mutual information) or ``ari`` (adjusted Rand index).
    average
        The mean of the two entropies that nmi divides by.
    """

    measure: Literal["purity", "nmi", "ari"] = "purity"
    average: Average = "arithmetic"


@dataclass(frozen=True, repr=False, eq=False)
class Clustering(LabelMetric):
    """The agreement of the documents' best topics with their labels."""

    settings: Agreement

    def __call__(self, **changes: Value) -> Self:
        """Return this metric with other parameters; only purity says something of a topic."""
        changed = super().__call__(**changes)
        single = changed.settings.measure == "purity"
        bounds = (-0.5, 1.0) if changed.settings.measure == "ari" else (0.0, 1.0)
        return replace(changed, level="topic" if single else "model", bounds=bounds)

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:  # noqa: ARG002
        """Compare the documents of each model with the labels."""
        return [self._of(model, labelled(model, evidence.texts)) for model in models]

    def _of(self, model: Topics, found: Labelled) -> Result:
        import numpy as np

        if not len(found):
            return Result.of_model(model, np.nan)
        table = found.table(len(model))
        if self.settings.measure == "ari":
            return Result.of_model(model, adjusted_rand_index(table), found.support)
        if self.settings.measure == "nmi":
            value = normalised_mutual_information(table, self.settings.average)
            return Result.of_model(model, value, found.support)
        values = purities(table)
        support = np.where(np.isnan(values), 0.0, found.support)
        return Result(values, support, overall=(purity(table), found.support))


clustering = Clustering(
    name="clustering",
    summary="agreement of the documents' best topics with their labels",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Manning, Raghavan & Schütze 2008; Strehl & Ghosh 2002; Hubert & Arabie 1985",
    settings=Agreement(),
    accepts=("measure", "average"),
    formula=(
        r"\mathrm{purity} = \frac{1}{N} \sum_{t} \max_{c} n_{tc}, \quad "
        r"\mathrm{purity}_t = \frac{\max_{c} n_{tc}}{\sum_{c} n_{tc}}"
    ),
    misleads=(
        "Purity grows with the number of topics: with a topic for each document it is 1. A model "
        "that leaves hard documents out as outliers looks better: look at the support. Labels are "
        "one way to sort texts, not the only one."
    ),
    details="""\
    Each document belongs to its best topic; the labels of the texts say where it should.
    measure=purity: the share of documents that have the most frequent label of their topic; of a
    topic, the share of its documents that have it; n_tc counts the documents of topic t with label
    c, N all documents. measure=nmi: mutual information of topics and labels over the mean of their
    entropies (average=arithmetic, geometric, min or max).
    measure=ari: the share of pairs of documents on which both agree, corrected for chance: 0 is
    what chance gives. nmi and ari are those of scikit-learn, and judge only models.

    Defaults: purity. Documents without a label or without a topic (outliers) are left out; the
    support is the share of texts that are left.
    """,
)
