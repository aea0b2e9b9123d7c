"""``TextlessMetric``: metrics that are computed from the models alone, without any text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.metrics.base import Metric, Result
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.base import Need


@dataclass(frozen=True, repr=False, eq=False)
class TextlessMetric(Metric):
    """A metric of the models' own word lists and matrices."""

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[Need]:  # noqa: ARG002
        """Ask for nothing."""
        return ()

    def score(
        self,
        models: Sequence[Topics],
        evidence: Evidence,  # noqa: ARG002
        wording: Wording,  # noqa: ARG002
    ) -> list[Result]:
        """Score every topic of every model."""
        return self.results(models)

    @abstractmethod
    def results(self, models: Sequence[Topics]) -> list[Result]:
        """Score every topic of every model."""

    def provenance_of(
        self,
        model: Topics,
        beside: Sequence[Topics],
        evidence: Evidence,  # noqa: ARG002
    ) -> str:
        """Return what the number was computed from, where models may differ."""
        return "" if self.lacks(model) else self.origin(model, beside)

    def origin(self, model: Topics, beside: Sequence[Topics]) -> str:  # noqa: ARG002
        """Return what the number was computed from, for a model that lacks nothing."""
        return ""
