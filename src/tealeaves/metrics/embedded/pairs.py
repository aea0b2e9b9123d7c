"""``TopicPairMetric``: how alike topics are to each other, in an embedding."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.metrics.base import Result
from tealeaves.metrics.embedded.family import CANCELLED, EmbeddingMetric
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.embedded.space import Space


@dataclass(frozen=True, repr=False, eq=False)
class TopicPairMetric(EmbeddingMetric):
    """The mean of a likeness over all pairs of topics; a topic's is that over its own pairs.

    A topic that cannot be compared has no score, and is left out of the others' means. As all the
    others are compared with each other, the mean over topics is the mean over pairs. The support
    is the share of the pairs of words that are there, with vectors.
    """

    @property
    def why_undefined(self) -> str:
        """Why a topic may have no score."""
        lack = f"for lack of words with vectors{self.lack_of_weight}"
        cancelled = CANCELLED if self.of_centroids else ""
        return f"{lack}, or of other topics that have some{cancelled}"

    @property
    @abstractmethod
    def of_centroids(self) -> bool:
        """Whether centroids are compared, which there are none of where vectors cancel out."""

    def why(self, model: Topics) -> str:
        """Why a topic of this model may have no score."""
        return "as there is no other topic" if len(model) == 1 else self.why_undefined

    def of_space(
        self,
        space: Space,
        model: Topics,
        evidence: Evidence,  # noqa: ARG002
        wording: Wording,  # noqa: ARG002
    ) -> Result:
        """Compare each topic with all others."""
        import numpy as np

        sums, there = self.sums(space, model)
        others = int(there.sum()) - 1
        if others < 1:
            return Result.undefined(model)
        share = np.where(there, np.minimum(space.shares, 1.0), 0.0)
        support = share * (share.sum() - share) / (len(space) - 1)
        means = np.where(there, sums / others, np.nan)
        return Result(np.clip(self.value(means), *self.bounds), np.clip(support, 0.0, 1.0))

    @abstractmethod
    def sums(self, space: Space, model: Topics) -> tuple[Floats, NDArray[np.bool_]]:
        """Return the sum of each topic's likeness to the others, and which can be compared.

        The sums of topics that cannot be are not looked at.
        """

    def value(self, means: Floats) -> Floats:
        """Make the topics' values of their mean likeness to the others: how unlike they are."""
        return 1.0 - means
