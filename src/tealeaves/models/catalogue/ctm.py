"""The correlated topic model."""

from __future__ import annotations

from typing import Any

from tealeaves.models.model import GibbsSettingsWithK, Positive
from tealeaves.models.tomotopy import TomotopyModel


class CtmSettings(GibbsSettingsWithK, frozen=True, kw_only=True):
    """The parameters of the correlated topic model.

    Parameters
    ----------
    smoothing
        A small number that is added to the covariance of topics.
    eta
        The prior of each word in a topic.
    """

    smoothing: Positive = 0.1
    eta: Positive = 0.2


def _make(library: Any, settings: CtmSettings) -> Any:
    return library.CTModel(
        k=settings.k, smoothing_alpha=settings.smoothing, eta=settings.eta, seed=settings.seed
    )


ctm = TomotopyModel(
    name="ctm",
    summary="correlated topic model, Gibbs sampling (tomotopy)",
    cite="Blei & Lafferty 2007; Mimno et al. 2008",
    settings=CtmSettings(),
    make=_make,
)
