"""Perplexity: how surprised is the model by the words of texts?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.texts import EncodedTexts
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Result
from tealeaves.metrics.per_text.alignment import check_own_texts
from tealeaves.metrics.per_text.inference import WordCounts, count_words, fold_in
from tealeaves.metrics.per_text.model_texts import (
    ModelTexts,
    PerTextMetric,
    model_texts,
    row_blocks,
)
from tealeaves.metrics.per_text.token_topics import document_shares
from tealeaves.topics.distributions import missing_part
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

_CURE = "perplexity(estimator=completion) estimates the topics of any texts"


class PerplexitySettings(msgspec.Struct, frozen=True, kw_only=True):
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
class Perplexity(PerTextMetric):
    """The inverse of the geometric mean of the probabilities of tokens."""

    settings: PerplexitySettings

    def lacks(self, model: Topics) -> str:
        """Ask for p(w|t) and, for the training texts, p(t|d)."""
        lack = self.lack_of_words or missing_part(model, "phi")
        if self.settings.estimator == "training" and not lack and missing_part(model, "theta"):
            return f"{missing_part(model, 'theta')}; {_CURE}"
        return lack

    def remarks(self, models: Sequence[Topics]) -> list[str]:
        """Say that models with different vocabularies cannot be compared."""
        scored = [model for model in models if not self.lacks(model)]
        if len({frozenset(model.vocabulary or ()) for model in scored}) < 2:
            return []
        return [
            f"{self!r}: the models have different vocabularies, so their values cannot be compared"
        ]

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Compute the likelihood of the texts under each model."""
        return [self._result(model, evidence.texts, wording) for model in models]

    def _result(self, model: Topics, texts: EncodedTexts, wording: Wording) -> Result:
        tokens = model_texts(model, texts, wording)
        judged, shares = self._judged_words(model, texts, tokens)
        if not judged.tokens:
            return Result.of_model(model, np.nan)
        likelihood = _log_likelihood(judged, tokens.by_word, shares, self.settings.eps)
        with np.errstate(over="ignore"):
            value = float(np.exp(-likelihood / judged.tokens))
        return Result.of_model(model, value, len(np.unique(judged.texts)) / len(texts))

    def _judged_words(
        self, model: Topics, texts: EncodedTexts, tokens: ModelTexts
    ) -> tuple[WordCounts, Floats]:
        """Return the words that are judged, and p(t|d) of each text."""
        settings = self.settings
        if settings.estimator == "training":
            try:
                shares = document_shares(model, texts)
            except InputError as error:
                raise InputError(f"{error}; {_CURE}") from error
            check_own_texts(model, texts, tokens.lengths, hint=f"; {_CURE}")
            return count_words(tokens, (shares.sum(axis=1) > 0)[tokens.text_of_token]), shares
        learnt = judged = count_words(tokens)
        if settings.estimator == "completion":
            place = np.arange(len(tokens.words)) - np.repeat(tokens.starts[:-1], tokens.lengths)
            learnt, judged = (count_words(tokens, place % 2 == half) for half in (0, 1))
        steps, alpha = settings.iterations, settings.alpha
        shares = fold_in(learnt, len(tokens), tokens.by_word, iterations=steps, alpha=alpha)
        return judged, shares


def _log_likelihood(judged: WordCounts, by_word: Floats, shares: Floats, eps: float) -> float:
    """Return Σ_d Σ_w n_dw log p(w|d), where p(w|d) = Σ_t p(w|t) p(t|d).

    ``shares`` is p(t|d). With ``eps`` a word has the probability (1 - eps) p(w|d) + eps / W.
    """
    total = 0.0
    for part in row_blocks(len(judged.words), by_word.shape[1]):
        probability = np.einsum("ik,ik->i", by_word[judged.words[part]], shares[judged.texts[part]])
        smoothed = (1.0 - eps) * probability + eps / len(by_word)
        with np.errstate(divide="ignore"):  # the logarithm of 0 is minus infinity
            total += float(judged.counts[part] @ np.log(smoothed))
    return total


perplexity = Perplexity(
    name="perplexity",
    summary="inverse geometric mean of the probabilities of the texts' words",
    better="lower",
    bounds=(1.0, inf),
    cite="Blei, Ng & Jordan 2003; Rosen-Zvi et al. 2004; Wallach et al. 2009; Asuncion et al. 2009",
    settings=PerplexitySettings(),
    level="model",
    formula=(
        r"\exp \left( -\frac{1}{N} \sum_{d} \sum_{i=1}^{N_d} \log \, p(w_{di} \mid d) \right), "
        r"\quad p(w \mid d) = \sum_{t} p(w \mid t) \, p(t \mid d)"
    ),
    misleads=(
        "People found models of lower perplexity no easier to interpret (Chang et al. 2009). On "
        "the texts they were trained on, models of more topics usually look better. Only models "
        "of the same vocabulary and the same tokens can be compared, and libraries often give "
        "bounds that include the priors (gensim, scikit-learn), which lie above the training "
        "value."
    ),
    details="""\
    The inverse of the geometric mean of the probabilities of tokens: w_di is the i-th of the N_d
    tokens of text d that are words of the model, N their number in all texts. 1: every word is
    certain; a model that knows nothing has the size of its vocabulary.

    estimator says how p(t|d) is known. training: the model's own, for the texts it was trained on.
    completion: estimated on the 1st, 3rd, 5th ... word of each text, judged by the others; use this
    for held-out texts. fold_in: estimated on the same words that are judged, which favours models
    of many topics. The estimation is expectation maximisation with p(w|t) fixed, starting with
    equal shares: p(t|d) ∝ alpha + Σ_w n_dw p(t|d,w). alpha=0 is Hofmann's folding-in; a model's own
    prior, if you know it, is a better alpha than the default.

    Defaults: training, 100 iterations, alpha 0.1, eps 0: one word to which the model gives
    probability 0 makes it infinite. eps mixes in a uniform distribution over the W words:
    (1 - eps) p(w|d) + eps / W.
    The support is the share of texts with a word to judge; tokens outside the model's vocabulary
    are not counted.
    """,
)
