"""Expressivity: is a topic far from the stop words, which say nothing?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from tealeaves.errors import InputError
from tealeaves.expressions import Value
from tealeaves.metrics.base import Result
from tealeaves.metrics.vectors.family import CANCELLED, WeightedMetric, WeightedSettings
from tealeaves.metrics.vectors.space import TopicSpace, cosine, mean_vector
from tealeaves.text.languages import language_code
from tealeaves.text.stopwords import stopword_digest, stopword_set
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats
    from tealeaves.evidence.embeddings.embeddings import WordVectors
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.wording import Wording

_DEFAULT_LANGUAGE = "en"


class ExpressivitySettings(WeightedSettings, frozen=True, kw_only=True):
    """The parameters of expressivity.

    Parameters
    ----------
    stopwords
        The stop words: a language (``en``, ``ru``), a file with one word per line (``.txt``), or
        several of these joined by ``+``; none: the language that the model names, else English.
    weights
        ``phi``: words weigh as much as their probability in the topic; ``uniform``: all the same.
    measure
        ``similarity``: the cosine; ``distance``: 1 minus the cosine, so that higher is better.
    """

    stopwords: str | None = None
    weights: Literal["phi", "uniform"] = "phi"
    measure: Literal["similarity", "distance"] = "similarity"


@dataclass(frozen=True, repr=False, eq=False)
class Expressivity(WeightedMetric):
    """The cosine of a topic's centroid to the centroid of stop words."""

    settings: ExpressivitySettings

    def __call__(self, **changes: Value) -> Self:
        """Return this metric with other parameters; a distance has other bounds."""
        changed = super().__call__(**changes)
        if changed.settings.measure == "distance":
            return replace(changed, better="higher", bounds=(0.0, 2.0))
        return replace(changed, better="lower", bounds=(-1.0, 1.0))

    def _changed(self, changes: dict[str, Value]) -> Any:
        changed: ExpressivitySettings = super()._changed(changes)
        if changed.compat == "stream" and changed.weights != "phi":
            raise InputError(
                f"{self.name}: compat=stream has weights of its own; leave out weights"
            )
        return changed

    def further_words(self, model: Topics) -> frozenset[str]:
        """Return the stop words."""
        return _stopwords(self._list_name(model))

    def _list_name(self, model: Topics) -> str:
        """Return the name of the list of stop words that is used for a model."""
        return self.settings.stopwords or language_code(model.language) or _DEFAULT_LANGUAGE

    def lacks(self, model: Topics) -> str:
        """Say which weights the model lacks, or that its language has no list of stop words."""
        lack = super().lacks(model)
        # a list that the metric itself names is refused at once, for all models
        if lack or self.settings.stopwords or not model.language:
            return lack
        try:
            self.further_words(model)
        except InputError:
            return (
                f"no stop words are known for its language {model.language}; "
                f"{self.name}(stopwords=...) names a list"
            )
        return ""

    def score_space(
        self, space: TopicSpace, model: Topics, evidence: Evidence, wording: Wording
    ) -> Result:
        """Compare each topic's centroid with that of the stop words."""
        stopwords, _ = self._stopword_centroid(model, evidence, wording)
        weights = space.word_weights(model, self.settings.weights, self.settings.compat)
        values = np.array([cosine(topic, stopwords) for topic in space.centroids(weights)])
        if self.settings.measure == "distance":
            values = 1.0 - values
        return Result(values, np.where(np.isnan(values), 0.0, np.minimum(space.shares, 1.0)))

    def _stopword_centroid(
        self, model: Topics, evidence: Evidence, wording: Wording
    ) -> tuple[Floats, int]:
        """Return the centroid of a model's stop words, and how many of them have a vector."""
        vectors, name = evidence.vectors(self.settings.embedding), self._list_name(model)
        return wording.memo.once(_stopword_centroid, vectors, name)

    def why(self, model: Topics) -> str:
        """Say why a topic may have no score."""
        return f"for lack of words, or of stop words, with vectors{self.lack_of_weight}{CANCELLED}"

    def caveats(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[str]:
        """Name the list of stop words if it was guessed, and how many of them have a vector."""
        notes = super().caveats(models, evidence, wording)
        vectors = evidence.vectors(self.settings.embedding)
        for model in models:
            name, size = self._list_name(model), len(self.further_words(model))
            _, known = self._stopword_centroid(model, evidence, wording)
            guess = self._reason_for_guess(model)
            if guess or known < size:
                remedy = self._remedy(vectors.codes) if guess else ""
                share = f"{known} of {size} have vectors in {vectors.name}"
                notes.append(f"stop words: {name}{guess}, {share}{remedy}")
        return notes

    def _reason_for_guess(self, model: Topics) -> str:
        """Say why the language of the stop words was guessed; nothing if it was not."""
        if self.settings.stopwords or language_code(model.language):
            return ""
        if model.language:
            return f" ({model.model} says its language is {model.language}, which is not known)"
        return " (the model names no language)"

    def _remedy(self, codes: frozenset[str]) -> str:
        """Name the stop words of the one language that the embedding was made for."""
        if len(codes) != 1 or _DEFAULT_LANGUAGE in codes:
            return ""
        (code,) = codes
        return f", but it was made for {code}: {self(stopwords=code)!r}"

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Add the name of the list of stop words, and a digest of it."""
        name = self._list_name(model)
        vectors = super().origin(model, models, evidence)
        return f"{vectors}|stopwords={name}:{stopword_digest(name)}"


def _stopwords(name: str) -> frozenset[str]:
    """Return the stop words of a list that has some."""
    words = stopword_set(name)
    if not words:
        raise InputError(f"{name}: no stop words in this list")
    return words


def _stopword_centroid(vectors: WordVectors, name: str) -> tuple[Floats, int]:
    """Return the centroid of stop words, NaN if none has a vector, and how many have one."""
    rows = vectors.of(sorted(_stopwords(name)))
    known = rows[np.isfinite(rows).all(axis=1)]
    return mean_vector(known), len(known)


expressivity = Expressivity(
    name="expressivity",
    summary="cosine of a topic's weighted centroid to the centroid of stop words",
    better="lower",
    bounds=(-1.0, 1.0),
    cite="Thielmann et al. 2024 (Topics in the Haystack)",
    settings=ExpressivitySettings(),
    accepts=("embedding", "stopwords", "weights", "measure", "compat"),
    formula=(
        r"\cos(\mu_t, \psi), \quad "
        r"\mu_t = \frac{\sum_{i} \varphi_{t, w_i} \, \omega_i}{\sum_{i} \varphi_{t, w_i}}, \quad "
        r"\psi = \frac{1}{\lvert S \rvert} \sum_{v \in S} \omega_v"
    ),
    misleads=(
        "It needs an encoder of sentences (minilm, use), where stop words lie apart from other "
        "words; with tables of words or word pieces (wordllama, minilm_static, glove) it agrees "
        "less with people. A topic of rare junk is as far from stop words as a good one."
    ),
    details="""\
    The cosine between the centroid μ of the vectors ω of the topic's first words, weighted by phi
    (made to sum to 1), and the unweighted centroid ψ of the stop words S of a language.

    Defaults: all words of the topics (10 are usual: @10); stop words of the language that the model
    names, else English; phi must be known, unless weights=uniform. Stop words without a vector are
    left out, and a note says how many have one.
    measure=distance gives 1 - cosine, so that higher is better. compat=stream takes the weights
    that STREAM takes: those of the first words of the vocabulary, whatever the topic's words are.
    """,
)
