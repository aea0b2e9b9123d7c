"""Perplexity: how surprised is the model by the words of texts?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.evidence.encoded import EncodedTexts
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.alignment import refuse_other_texts
from tealeaves.metrics.base import Result
from tealeaves.metrics.following.family import FollowingMetric
from tealeaves.metrics.following.model_texts import ModelTexts, model_texts
from tealeaves.topics.distributions import missing_part
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tealeaves.metrics.following.word_counts import WordCounts

_OTHERWISE = "perplexity(estimator=completion) estimates the topics of any texts"


class Estimator(msgspec.Struct, frozen=True, kw_only=True):
    """How the topics of texts are known.

    Parameters
    ----------
    estimator
        ``training`` takes p(t|d) of the model itself; ``completion`` estimates it on the 1st,
        3rd, 5th ... word of a text and judges the others; ``fold_in`` does both on all words.
    iterations
        Steps of the estimation.
    alpha
        Added to each topic's expected number of words in a step.
    eps
        The share of a uniform distribution that is mixed into p(w|d).
    """

    estimator: Literal["training", "completion", "fold_in"] = "training"
    iterations: Annotated[int, Meta(ge=1, le=100_000)] = 100
    alpha: Annotated[float, Meta(ge=0, le=1e6)] = 0.1
    eps: Annotated[float, Meta(ge=0, lt=1)] = 0.0


@dataclass(frozen=True, repr=False, eq=False)
class Perplexity(FollowingMetric):
    """The inverse of the geometric mean of the probabilities of tokens."""

    settings: Estimator

    def lacks(self, model: Topics) -> str:
        """Ask for p(w|t) and, for the training texts, p(t|d)."""
        lack = self.lack_of_words or missing_part(model, "phi")
        if self.settings.estimator == "training" and not lack and missing_part(model, "theta"):
            return f"{missing_part(model, 'theta')}; {_OTHERWISE}"
        return lack

    def remarks(self, models: Sequence[Topics]) -> list[str]:
        """Say that models of other words are not to be compared."""
        able = [model for model in models if not self.lacks(model)]
        if len({frozenset(model.vocabulary or ()) for model in able}) < 2:
            return []
        return [f"{self!r}: the models have different vocabularies, so it does not compare them"]

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Let each model go through the texts."""
        return [self._of(model, evidence.texts, wording) for model in models]

    def _of(self, model: Topics, texts: EncodedTexts, wording: Wording) -> Result:
        import numpy as np

        from tealeaves.metrics.following.word_counts import log_likelihood

        own = model_texts(model, texts, wording)
        judged, shares = self._judged(model, texts, own)
        if not judged.tokens:
            return Result.of_model(model, np.nan)
        likelihood = log_likelihood(judged, own.by_word, shares, self.settings.eps)
        with np.errstate(over="ignore"):
            value = float(np.exp(-likelihood / judged.tokens))
        return Result.of_model(model, value, len(np.unique(judged.texts)) / len(texts))

    def _judged(
        self, model: Topics, texts: EncodedTexts, own: ModelTexts
    ) -> tuple[WordCounts, NDArray[np.float64]]:
        """Return the words that are judged, and p(t|d) of each text."""
        import numpy as np

        from tealeaves.metrics.following.folding_in import folded_in
        from tealeaves.metrics.following.word_counts import word_counts

        settings = self.settings
        if settings.estimator == "training":
            shares = _trained(model, texts)
            refuse_other_texts(model, texts, own.lengths, hint=f"; {_OTHERWISE}")
            return word_counts(own, (shares.sum(axis=1) > 0)[own.text_of_token]), shares
        learnt = judged = word_counts(own)
        if settings.estimator == "completion":
            place = np.arange(len(own.words)) - np.repeat(own.starts[:-1], own.lengths)
            learnt, judged = word_counts(own, place % 2 == 0), word_counts(own, place % 2 == 1)
        return judged, folded_in(
            learnt,
            len(own),
            own.by_word,
            iterations=settings.iterations,
            alpha=settings.alpha,
        )


def _trained(model: Topics, texts: EncodedTexts) -> NDArray[np.float64]:
    from tealeaves.metrics.following.token_topics import shares_of_texts

    try:
        return shares_of_texts(model, texts)
    except InputError as error:
        raise InputError(f"{error}; {_OTHERWISE}") from error


perplexity = Perplexity(
    name="perplexity",
    summary="inverse geometric mean of the probabilities of the texts' words",
    better="lower",
    bounds=(1.0, inf),
    cite="Blei, Ng & Jordan 2003; Rosen-Zvi et al. 2004; Wallach et al. 2009; Asuncion et al. 2009",
    settings=Estimator(),
    accepts=("estimator", "iterations", "alpha", "eps"),
    level="model",
    formula=(
        r"\exp \left( -\frac{1}{N} \sum_{d} \sum_{i=1}^{N_d} \log \, p(w_{di} \mid d) \right), "
        r"\quad p(w \mid d) = \sum_{t} p(w \mid t) \, p(t \mid d)"
    ),
    misleads=(
        "People found models of lower perplexity no better to interpret (Chang et al. 2009). On "
        "the texts they were trained on, models of more topics usually look better. Only models "
        "of the same vocabulary and the same tokens compare, and libraries often give bounds that "
        "include the priors (gensim, scikit-learn), which lie above the training value."
    ),
    details="""\
    The inverse of the geometric mean of the probabilities of tokens: w_di is the i-th of the N_d
    tokens of text d that are words of the model, N their number in all texts. 1: every word is
    certain; a model that knows nothing has as many as it has words.

    estimator says how p(t|d) is known. training: the model's own, for the texts it was trained on.
    completion: estimated on the 1st, 3rd, 5th ... word of each text, judged by the others; the one
    to take for held-out texts. fold_in: estimated on the very words that are judged, which flatters
    models of many topics. The estimation is expectation maximisation with p(w|t) fixed, from equal
    shares on: p(t|d) ∝ alpha + Σ_w n_dw p(t|d,w). alpha=0 is Hofmann's folding-in; a model's own
    prior, if you know it, is a better alpha than the default.

    Defaults: training, 100 iterations, alpha 0.1, eps 0: one word that the model holds impossible
    makes it infinite. eps mixes in a uniform distribution: (1 - eps) p(w|d) + eps / W.
    The support is the share of texts with a word to judge; tokens outside the model's vocabulary
    are not counted.
    """,
)
