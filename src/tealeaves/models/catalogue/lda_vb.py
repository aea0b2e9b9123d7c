"""Latent Dirichlet allocation by variational Bayes."""

from __future__ import annotations

from typing import Any

from tealeaves.models.model import DEFAULT_K, ModelSettings, Natural, Positive, TopicNumber
from tealeaves.models.sklearn import SklearnModel


class LdaVbSettings(ModelSettings, frozen=True, kw_only=True):
    """The parameters of variational LDA.

    Parameters
    ----------
    k
        The number of topics.
    iterations
        Passes over all texts.
    alpha, eta
        The priors of each topic in a document, and of each word in a topic.
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


lda_vb = SklearnModel(
    name="lda_vb",
    summary="latent Dirichlet allocation, variational Bayes (scikit-learn)",
    cite="Blei et al. 2003; Hoffman et al. 2010",
    settings=LdaVbSettings(),
    make=_make,
)
