"""``KernelMetric``: what the kernels of topics have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from tealeaves.metrics.artm.shares import lack_of_prior, origin_of_prior
from tealeaves.metrics.base import Metric, Result
from tealeaves.metrics.textless import TextlessMetric
from tealeaves.topics.distributions import Prior, missing_part
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.metrics.artm.kernels import Kernel


class KernelSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Which words are a topic's kernel.

    Parameters
    ----------
    threshold
        The least p(t|w) of a kernel word.
    prior
        What p(t) is taken from; ``auto`` takes tokens, documents or uniform, whichever is known
        first.
    empty
        The contrast of a kernel without words: ``skip`` says nothing, ``zero`` counts it as 0.
    measure
        The coherence of the kernel words, an expression.
    """

    threshold: Annotated[float, Meta(gt=0, le=1)] = 0.25
    prior: Prior = "auto"
    empty: Literal["skip", "zero"] = "skip"
    measure: str = "ppmi"


@dataclass(frozen=True, repr=False, eq=False)
class KernelMetric(Metric):
    """Does a topic have words of its own?"""

    settings: KernelSettings

    def lacks(self, model: Topics) -> str:
        """Ask for probabilities of words, and for what the prior is taken from."""
        return missing_part(model, "phi") or lack_of_prior(model, self.settings.prior)

    def prior_of(self, model: Topics) -> str:
        """Return what the topics' probabilities were taken from, for signatures."""
        return "" if self.lacks(model) else origin_of_prior(model, self.settings.prior)

    def kernels_of(self, model: Topics) -> list[Kernel]:
        """Return the kernel of each topic."""
        from tealeaves.metrics.artm.kernels import kernels

        return kernels(model, self.settings.threshold, self.settings.prior, self.top)


@dataclass(frozen=True, repr=False, eq=False)
class KernelNumber(KernelMetric, TextlessMetric):
    """A number that a kernel has by itself."""

    @property
    def source(self) -> str:
        """The matrix it is computed from."""
        return "topic-word matrix"

    def results(self, models: Sequence[Topics]) -> list[Result]:
        """Judge the kernel of each topic."""
        import numpy as np

        results = []
        for model in models:
            values = np.array([self.number(kernel) for kernel in self.kernels_of(model)])
            results.append(Result(values, (~np.isnan(values)).astype(np.float64)))
        return results

    def origin(self, model: Topics, beside: Sequence[Topics]) -> str:  # noqa: ARG002
        """Return what the topics' probabilities were taken from."""
        return self.prior_of(model)

    @abstractmethod
    def number(self, kernel: Kernel) -> float:
        """Return the value of one topic."""
