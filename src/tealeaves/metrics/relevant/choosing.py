"""Metrics that choose among the heads of a classifier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tealeaves.errors import InputError
from tealeaves.metrics.relevant.family import RelevanceMetric, RelevanceSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.evidence.relevance.relevance import Relevance


class HeadSettings(RelevanceSettings, frozen=True, kw_only=True):
    """The parameters of metrics that choose heads.

    Parameters
    ----------
    of
        By which texts heads are chosen: the first ``sample``, by which they were fixed before the
        others were read, or all ``texts`` that were read.
    """

    of: Literal["sample", "texts"] = "sample"


@dataclass(frozen=True, repr=False, eq=False)
class HeadMetric(RelevanceMetric):
    """A metric of heads that are chosen by a rule."""

    settings: HeadSettings

    def chosen(self, relevance: Relevance, rule: str | int) -> NDArray[np.bool_]:
        """Mark the heads of a rule, layers times heads."""
        from tealeaves.evidence.relevance.heads import chosen

        sample = self.settings.of == "sample"
        return chosen(relevance.sample if sample else relevance.statistics, rule)

    def by_head(
        self, values: NDArray[Any] | None, weights: NDArray[Any], default: str
    ) -> NDArray[Any]:
        """Sum over heads with weights; where only sums were kept, there is nothing to choose."""
        if values is None:
            raise InputError(
                f"{self!r}: the relevance holds only the sums of the heads that were fixed: take "
                f"heads={default} of=sample, or gather it again with each head by itself"
            )
        flat = values.reshape(len(values), weights.size)
        found: NDArray[Any] = flat @ weights.ravel().astype(values.dtype)
        return found
