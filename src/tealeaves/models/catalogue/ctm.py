"""The correlated topic model."""

from __future__ import annotations

from typing import Any

from tealeaves.models.base import Positive
from tealeaves.models.gibbs import Sampler, SamplingK


class CtmSettings(SamplingK, frozen=True, kw_only=True):
    """The parameters of the correlated topic model.

    Parameters
    ----------
    smoothing
        A small number added to the covariance of topics.
    eta
        How evenly topics share words.
    """

    smoothing: Positive = 0.1
    eta: Positive = 0.2


def _make(library: Any, settings: CtmSettings) -> Any:
    return library.CTModel(
        k=settings.k, smoothing_alpha=settings.smoothing, eta=settings.eta, seed=settings.seed
    )


ctm = Sampler(
    name="ctm",
    summary="correlated topic model, Gibbs sampling (tomotopy)",
    cite="Blei & Lafferty 2007; Mimno et al. 2008",
    settings=CtmSettings(),
    make=_make,
)
