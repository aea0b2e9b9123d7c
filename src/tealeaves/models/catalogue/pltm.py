"""The polylingual topic model."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from tealeaves.models.base import Natural, Positive, Whole
from tealeaves.models.gibbs import SamplingK
from tealeaves.models.polylingual.model import PolylingualModel


class PltmSettings(SamplingK, frozen=True, kw_only=True):
    """The parameters of the polylingual topic model.

    Parameters
    ----------
    alpha
        How evenly tuples share topics, the same for each topic at the start: less is fewer topics
        a tuple.
    beta
        How evenly topics share words, the same in each language at the start.
    optimize
        Every how many iterations alpha, to each topic its own, and beta, to each language its
        own, are fitted; 0 is never.
    burn_in
        How many iterations come before the first fit.
    chains
        How many chains are run, with the seeds from ``seed`` on; that of the best log-likelihood
        is kept.
    parts
        Into how many parts documents are divided, which threads sample at the same time; none
        leaves it to the size of the texts. 1 is the sampler that knows of each change at once.
    sampler
        ``dense`` looks at each topic of a token, ``sparse`` only at those that its tuple and its
        word have; ``auto`` chooses by the number of topics.
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
