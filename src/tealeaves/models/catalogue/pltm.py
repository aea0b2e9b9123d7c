"""The polylingual topic model."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from tealeaves.models.model import GibbsSettingsWithK, Natural, Positive, Whole
from tealeaves.models.polylingual.model import PolylingualModel


class PltmSettings(GibbsSettingsWithK, frozen=True, kw_only=True):
    """The parameters of the polylingual topic model.

    Parameters
    ----------
    alpha
        The prior of each topic in a tuple, at the start: a smaller one gives fewer topics per
        tuple.
    beta
        The prior of each word in a topic, at the start; it is the same in each language.
    optimize
        The number of iterations between two fits of alpha, one for each topic, and beta, one for
        each language; 0 is never.
    burn_in
        The number of iterations before the first fit.
    chains
        The number of chains, with the seeds from ``seed`` on; that of the best log-likelihood is
        kept.
    parts
        The number of parts of the documents that threads sample at the same time; by default it
        depends on the size of the texts. With one part every token sees all changes at once.
    sampler
        ``dense`` weighs every topic for each token, ``sparse`` only the topics that its tuple and
        its word have; ``auto`` chooses by the number of topics.
    """

    max_df: Annotated[float, Meta(gt=0, le=1)] = 0.3
    min_df: Natural = 1
    alpha: Positive = 0.1
    beta: Positive = 0.01
    optimize: Whole = 50
    burn_in: Whole = 200
    chains: Natural = 1
    parts: Natural | None = None
    sampler: Literal["auto", "dense", "sparse"] = "auto"


pltm = PolylingualModel(
    name="pltm",
    summary="polylingual topic model, collapsed Gibbs sampling; LDA where there is one language",
    cite="Mimno et al. 2009; with one language Griffiths & Steyvers 2004",
    settings=PltmSettings(),
)
