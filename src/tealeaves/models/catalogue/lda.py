"""Latent Dirichlet allocation by Gibbs sampling."""

from __future__ import annotations

from typing import Any

from tealeaves.models.model import GibbsSettingsWithK, Positive, Whole
from tealeaves.models.tomotopy import TomotopyModel


class LdaSettings(GibbsSettingsWithK, frozen=True, kw_only=True):
    """The parameters of LDA.

    Parameters
    ----------
    alpha
        The prior of each topic in a document: a smaller one gives fewer topics per text.
    eta
        The prior of each word in a topic: a smaller one gives fewer words per topic.
    optimize
        The number of iterations between two fits of alpha, one for each topic; 0 is never.
    """

    alpha: Positive = 0.05
    eta: Positive = 0.2
    optimize: Whole = 0


def _make(library: Any, settings: LdaSettings) -> Any:
    sampler = library.LDAModel(
        k=settings.k, alpha=settings.alpha, eta=settings.eta, seed=settings.seed
    )
    sampler.optim_interval = settings.optimize
    return sampler


lda = TomotopyModel(
    name="lda",
    summary="latent Dirichlet allocation, collapsed Gibbs sampling (tomotopy)",
    cite="Blei et al. 2003; Griffiths & Steyvers 2004",
    settings=LdaSettings(),
    make=_make,
)
