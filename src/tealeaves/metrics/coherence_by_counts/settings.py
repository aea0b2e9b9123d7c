"""The parameters of coherence measures: everything that changes a number."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tealeaves.evidence.units import Unit

_LARGEST = 2**31 - 1


class CoherenceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a coherence measure counts, and how it treats corner cases.

    Parameters
    ----------
    window
        Size of the sliding window; none counts documents.
    context
        Count occurrences at most this many tokens apart instead.
    eps
        Added to the joint probability, as gensim and Palmetto do; it then decides the value of
        pairs that are never together.
    never
        The value of pairs that are never together. It replaces the rule that decides them by
        default, such as ``eps``; only one rule may be given.
    smooth
        Added to the joint count, as Mimno et al. do; it then decides never-together pairs.
    oov
        Pairs with a word that the corpus does not have: ``skip`` leaves them out, ``zero`` counts
        them as 0 (both lower the support), ``error`` refuses.
    base
        Base of the logarithm: e, 2 (bits) or 10.
    aggregate
        How the values of pairs become the topic's.
    segmentation, confirmation, similarity
        The parts of the measure: which parts of the topic are compared, how one confirms the
        other, and whether directly or by the cosine of their vectors of confirmations.
    compat
        ``gensim`` reproduces gensim 4.4.0, counting and corner cases included.
    """

    window: Annotated[int, Meta(ge=1, le=_LARGEST)] | None = None
    context: Annotated[int, Meta(ge=1, le=_LARGEST)] | None = None
    eps: Annotated[float, Meta(gt=0, lt=1)] | None = None
    never: Annotated[float, Meta(ge=-1e9, le=1e9)] | None = None
    smooth: Annotated[float, Meta(gt=0, le=1e9)] | None = None
    oov: Literal["skip", "zero", "error"] = "skip"
    base: Literal["e"] | Annotated[int, Meta(ge=2)] = "e"
    aggregate: str = "mean"
    segmentation: str = "one_one"
    confirmation: str = "normalised_log_ratio"
    similarity: Literal["cosine"] | None = None
    compat: Literal["gensim"] | None = None

    @property
    def unit(self) -> Unit:
        """What is counted."""
        rule: Literal["exact", "gensim"] = "gensim" if self.compat else "exact"
        if self.context is not None:
            return Unit("context", self.context, rule)
        if self.window is not None:
            return Unit("window", self.window, rule)
        return Unit("document", None, rule)
