"""``WholeMetric``: metrics of whole distributions, which have no first words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from tealeaves.metrics.base import Result
from tealeaves.metrics.textless import TextlessMetric
from tealeaves.topics.topics import Topics


@dataclass(frozen=True, repr=False, eq=False)
class WholeMetric(TextlessMetric):
    """A metric that the model alone answers, by its whole distributions."""

    def lacks(self, model: Topics) -> str:
        """Refuse a number of words, which would change nothing; else ask for the matrices."""
        return self.lack_of_words or self._lacks(model)

    def results(self, models: Sequence[Topics]) -> list[Result]:
        """Judge each model by itself."""
        return [self._result(model) for model in models]

    @abstractmethod
    def _lacks(self, model: Topics) -> str:
        """Say what the model lacks."""

    @abstractmethod
    def _result(self, model: Topics) -> Result:
        """Judge one model."""
