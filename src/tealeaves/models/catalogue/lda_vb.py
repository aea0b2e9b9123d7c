"""Latent Dirichlet allocation by variational Bayes."""

from __future__ import annotations

from typing import Any

from tealeaves.models.base import DEFAULT_K, Natural, Positive, Settings, TopicNumber
from tealeaves.models.factors import Factors


class LdaVbSettings(Settings, frozen=True, kw_only=True):
    """The parameters of variational LDA.

    Parameters
    ----------
    k
        The number of topics.
    iterations
        Passes over all texts.
    alpha, eta
        How evenly documents share topics, and topics share words.
    """

    k: TopicNumber = DEFAULT_K
    iterations: Natural = 50
    alpha: Positive = 0.05
    eta: Positive = 0.2


def _make(library: Any, settings: LdaVbSettings) -> Any:
    return library.LatentDirichletAllocation(
        n_components=settings.k,
        doc_topic_prior=settings.alpha,
        topic_word_prior=settings.eta,
        max_iter=settings.iterations,
        learning_method="batch",
        random_state=settings.seed,
    )


lda_vb = Factors(
    name="lda_vb",
    summary="latent Dirichlet allocation, variational Bayes (scikit-learn)",
    cite="Blei et al. 2003; Hoffman et al. 2010",
    settings=LdaVbSettings(),
    make=_make,
)
