"""``WeightedMetric``: metrics of centroids whose words may be weighted by φ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tealeaves.metrics.embedded.family import EmbeddingMetric, EmbeddingSettings
from tealeaves.topics.topics import Topics


class WeightedSettings(EmbeddingSettings, frozen=True, kw_only=True):
    """What the words of a centroid weigh.

    Parameters
    ----------
    weights
        ``uniform``: all words of a centroid alike; ``phi``: by how likely they are.
    compat
        ``stream``: as STREAM computes it, with the weights of other words.
    """

    weights: Literal["uniform", "phi"] = "uniform"
    compat: Literal["stream"] | None = None


@dataclass(frozen=True, repr=False, eq=False)
class WeightedMetric(EmbeddingMetric):
    """A metric that may need to know what words weigh."""

    settings: WeightedSettings

    @property
    def source(self) -> str:
        """Vectors, and φ where words are weighted by it."""
        return super().source if self._plain else f"{super().source}, phi"

    def lacks(self, model: Topics) -> str:
        """Say whether the weights of words are not known."""
        from tealeaves.metrics.embedded.weights import lack_of_weights

        if self.settings.compat == "stream" and model.topic_word is None:
            return "no topic-word matrix"
        if self.settings.weights == "phi" and (lack := lack_of_weights(model)):
            return f"{lack}; {self(weights='uniform')!r} needs none"
        return ""

    @property
    def lack_of_weight(self) -> str:
        """What to say of topics whose words all weigh 0, where words are weighted."""
        return "" if self._plain else ", or of weights above 0"

    @property
    def _plain(self) -> bool:
        return self.settings.weights == "uniform" and self.settings.compat is None
