"""Latent Dirichlet allocation, sampled."""

from __future__ import annotations

from typing import Any

from tealeaves.models.base import Positive, Whole
from tealeaves.models.gibbs import Sampler, SamplingK


class LdaSettings(SamplingK, frozen=True, kw_only=True):
    """The parameters of LDA.

    Parameters
    ----------
    alpha
        How evenly documents share topics, the same for each topic: less is fewer topics a text.
    eta
        How evenly topics share words: less is fewer words a topic.
    optimize
        Every how many iterations alpha is fitted, to each topic its own; 0 is never.
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


lda = Sampler(
    name="lda",
    summary="latent Dirichlet allocation, collapsed Gibbs sampling (tomotopy)",
    cite="Blei et al. 2003; Griffiths & Steyvers 2004",
    settings=LdaSettings(),
    make=_make,
)
