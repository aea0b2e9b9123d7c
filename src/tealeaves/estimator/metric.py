"""``EstimatedCoherence``: a metric that predicts another one's value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import msgspec

from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.units import Unit
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Result
from tealeaves.metrics.crosslingual.family import CrosslingualMetric, language_pairs, mean_result
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.estimator.estimators import Estimators
    from tealeaves.metrics.base import AnyRequest


class EstimatorChoice(msgspec.Struct, frozen=True, kw_only=True):
    """What estimates.

    Parameters
    ----------
    estimator
        A file that `tealeaves estimator fit` made; by default the estimators of tealeaves.
    """

    estimator: str | None = None


@dataclass(frozen=True, repr=False, eq=False)
class EstimatedCoherence(CrosslingualMetric):
    """The CNPMI of a rich reference, estimated from what is at hand."""

    settings: EstimatorChoice
    reads_dictionaries: ClassVar[bool] = True
    reads_auxiliary: ClassVar[bool] = True
    source: ClassVar[str] = "counts of linked documents, an estimator"
    why_undefined: ClassVar[str] = "unjudgeable as the reference has too few of their words"

    @property
    def estimators(self) -> Estimators:
        """The estimators that were asked for."""
        from tealeaves.estimator.estimators import open_estimators

        return open_estimators(self.settings.estimator)

    @property
    def files(self) -> tuple[str, ...]:
        """The file of estimators, where one is named."""
        return () if self.settings.estimator is None else (self.settings.estimator,)

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[AnyRequest]:
        """Ask for all that the features rest on."""
        return self.estimators.features.needs(models, [self.top], wording)

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Estimate each topic in each pair of languages, and take the mean."""
        estimators = self.estimators
        results = []
        for model in models:
            parts = estimators.features.of(model, self.top, evidence, wording)
            values = [estimators.estimate(part).values for part in parts]
            results.append(mean_result(values, [part.support for part in parts]))
        return results

    def caveats(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[str]:
        """Say which estimators judged, and where they are asked for what they never saw."""
        from tealeaves.estimator.remarks import remarks_on

        estimators = self.estimators
        notes = []
        for model in models:
            parts = estimators.features.of(model, self.top, evidence, wording)
            notes += remarks_on(estimators, parts, evidence)
        return list(dict.fromkeys(notes))

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return the estimators, the texts and tokens, and the other sources."""
        pairs = language_pairs(model)
        parts = [f"estimator={self.estimators.signature}"]
        units = [Unit.of_link(*pair) for pair in pairs]
        parts += [f"{unit}|{evidence.counts(unit).provenance}" for unit in units]
        if covered := [pair for pair in pairs if evidence.translates(*pair)]:
            parts.append(f"dictionary={evidence.dictionaries.signature_of(covered)}")
        for name, source in (("eras", evidence.years), ("drift", evidence.drift)):
            if source is not None:
                parts.append(f"{name}={source.signature}")
        return "|".join(parts)
