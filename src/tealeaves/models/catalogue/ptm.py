"""The pseudo-document topic model, for short texts."""

from __future__ import annotations

from typing import Any

from tealeaves.models.model import GibbsSettingsWithK, Positive, Whole
from tealeaves.models.tomotopy import TomotopyModel


class PtmSettings(GibbsSettingsWithK, frozen=True, kw_only=True):
    """The parameters of the pseudo-document topic model.

    Parameters
    ----------
    pseudo
        The number of pseudo-documents that texts are grouped into; 0 is ten for each topic.
    alpha, eta
        The priors of each topic in a pseudo-document, and of each word in a topic.
    """

    pseudo: Whole = 0
    alpha: Positive = 0.05
    eta: Positive = 0.2


def _make(library: Any, settings: PtmSettings) -> Any:
    return library.PTModel(
        k=settings.k,
        p=settings.pseudo or 10 * settings.k,
        alpha=settings.alpha,
        eta=settings.eta,
        seed=settings.seed,
    )


ptm = TomotopyModel(
    name="ptm",
    summary="pseudo-document topic model, for short texts (tomotopy)",
    cite="Zuo et al. 2016",
    settings=PtmSettings(),
    make=_make,
)
