"""Quality: topics that are coherent and differ from each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Self

import msgspec

from tealeaves.errors import InputError
from tealeaves.expressions import Value
from tealeaves.metrics.base import Metric, Result
from tealeaves.metrics.registry import metric
from tealeaves.metrics.summary import summarise
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.base import AnyRequest


class QualitySettings(msgspec.Struct, frozen=True, kw_only=True):
    """The two metrics that are multiplied, as expressions.

    Parameters
    ----------
    coherence
        The metric of coherence, an expression.
    diversity
        The metric of diversity, an expression.
    """

    coherence: str = "npmi@10"
    diversity: str = "diversity@25"


@dataclass(frozen=True, repr=False, eq=False)
class Quality(Metric):
    """Are the topics both coherent and different?"""

    settings: QualitySettings

    @property
    def factors(self) -> tuple[Metric, Metric]:
        """The two metrics."""
        return _parse(self.settings.coherence), _parse(self.settings.diversity)

    def __matmul__(self, top: int) -> Self:
        """Return this metric with the ``top`` first words for both factors."""
        words = super().__matmul__(top).top
        one, other = (repr(factor @ (words or 1)) for factor in self.factors)
        return self.__call__(coherence=one, diversity=other)

    @property
    def source(self) -> str:
        """What the two metrics are computed from."""
        return "; ".join(dict.fromkeys(factor.source for factor in self.factors))

    def __call__(self, **changes: Value) -> Self:
        """Return this metric with other factors, which decide its bounds."""
        changed = super().__call__(**changes)
        one, other = (factor.bounds for factor in changed.factors)
        return replace(changed, bounds=_product(one, other))

    def _changed(self, changes: dict[str, Value]) -> QualitySettings:
        settings: QualitySettings = super()._changed(changes)
        factors = {name: metric(getattr(settings, name)) for name in ("coherence", "diversity")}
        for name, factor in factors.items():
            if factor.better != "higher":
                raise InputError(
                    f"{self.name}: {name} must be a metric of which higher values are better, not "
                    f"{factor!r}"
                )
        return QualitySettings(**{name: repr(factor) for name, factor in factors.items()})

    def _written(self) -> dict[str, Value]:
        names = ("coherence", "diversity")
        return dict(zip(names, (factor.signature for factor in self.factors), strict=True))

    # ------------------------------------------------------------------ evidence to scores

    def lacks(self, model: Topics) -> str:
        """Ask for what both metrics need."""
        return next(filter(None, (factor.lacks(model) for factor in self.factors)), "")

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[AnyRequest]:
        """Ask for what both metrics need."""
        return [need for factor in self.factors for need in factor.needs(models, wording)]

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Multiply the models' values of the two metrics."""
        one, other = (factor.score(models, evidence, wording) for factor in self.factors)
        results = []
        for model, *pair in zip(models, one, other, strict=True):
            left, right = (summarise(model, result, None) for result in pair)
            support = left.support * right.support
            results.append(Result.of_model(model, left.value * right.value, support))
        return results

    def missing(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[list[str]]:
        """Return the words that are missing for one of the metrics."""
        words = [factor.missing(models, evidence, wording) for factor in self.factors]
        return [list(dict.fromkeys(one + other)) for one, other in zip(*words, strict=True)]

    def provenance(self, evidence: Evidence) -> str:
        """Return what of the evidence changes the numbers of the two metrics."""
        return _joined(factor.provenance(evidence) for factor in self.factors)

    def provenance_of(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return what the numbers of the two metrics were taken from."""
        return _joined(factor.provenance_of(model, models, evidence) for factor in self.factors)


@cache
def _parse(expression: str) -> Metric:
    return metric(expression)  # factors are needed often, so each is parsed once


def _joined(parts: Iterable[str]) -> str:
    return "|".join(dict.fromkeys(part for part in parts if part))


def _product(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """Return the bounds of the product of two numbers.

    >>> _product((-1.0, 1.0), (0.0, 1.0)), _product((float("-inf"), 0.0), (0.0, 1.0))
    ((-1.0, 1.0), (-inf, 0.0))
    """
    corners = [a * b if a and b else 0.0 for a in one for b in other]
    return min(corners), max(corners)


quality = Quality(
    name="quality",
    summary="coherence times diversity of the model's topics",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Dieng, Ruiz & Blei 2020",
    settings=QualitySettings(),
    level="model",
    formula=(
        r"\left( \frac{1}{K} \sum_{k=1}^{K} \mathrm{NPMI}(W_k^{10}) \right) \cdot "
        r"\frac{\lvert \bigcup_{k} W_k^{25} \rvert}{\sum_{k} \lvert W_k^{25} \rvert}"
    ),
    misleads=(
        "Where the coherence is negative, more diversity makes the product worse. A model of two "
        "good topics beats a model of twenty, so compare models with the same number of topics."
    ),
    details="""\
    The model's coherence times its diversity, as in the paper: the mean npmi of the first 10 words
    of the K topics, times the share of distinct words among their first 25.

    Defaults: npmi@10 and diversity@25. Both are expressions, such as
    quality(coherence='npmi(window=10)@10', diversity=diversity@10); quality@n takes the first n
    words for both. The support is the product of theirs.
    """,
)
