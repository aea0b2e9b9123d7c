"""Models of scikit-learn, which factorise a matrix of documents and words."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.extras import require
from tealeaves.jobs import Advance
from tealeaves.models.model import Model
from tealeaves.models.texts import TrainingTexts
from tealeaves.topics.assembly import TOP, rank_words
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers


@dataclass(frozen=True, repr=False, eq=False)
class SklearnModel(Model):
    """A model of scikit-learn whose ``components_`` are topics.

    ``make`` takes ``sklearn.decomposition`` and the settings and returns the estimator;
    ``weigh`` turns the matrix of word counts into the one that the estimator is fitted to.
    """

    packages: ClassVar[tuple[str, ...]] = ("scikit-learn",)

    make: Callable[[Any, Any], Any] = field(kw_only=True)
    weigh: Callable[[Any], Any] = lambda counts: counts

    def check(self) -> None:
        """Raise an error if scikit-learn is missing."""
        _import_sklearn(self.name, "decomposition")

    def fit(self, texts: TrainingTexts, advance: Advance) -> Topics:
        """Factorise the matrix of the texts that have words."""
        estimator = self.make(_import_sklearn(self.name, "decomposition"), self.settings)
        filled = np.flatnonzero(texts.lengths)
        weights = self._fit_transform(estimator, self.weigh(_word_counts(texts)[filled]))
        components = np.asarray(estimator.components_, dtype=np.float64)
        advance(1, 1)
        return self._topics(texts, filled, np.asarray(weights, dtype=np.float64), components)

    def _fit_transform(self, estimator: Any, matrix: Any) -> Any:
        """Fit the estimator, and warn in one line if it has not converged."""
        not_converged = _import_sklearn(self.name, "exceptions").ConvergenceWarning
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            weights = estimator.fit_transform(matrix)
        has_converged = True
        for warning in caught:
            if issubclass(warning.category, not_converged):
                has_converged = False
                continue
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
        if not has_converged:
            iterations = self.settings.iterations
            message = (
                f"{self!r}: not converged after {iterations} iterations: set iterations higher"
            )
            warnings.warn(message, TealeavesWarning, stacklevel=2)
        return weights

    def _topics(
        self, texts: TrainingTexts, filled: Integers, weights: Floats, components: Floats
    ) -> Topics:
        """Turn factors into distributions: W H = (W D) (D⁻¹ H), D being the row sums of H."""
        sums = components.sum(axis=1)
        live = np.flatnonzero(sums > 0)
        if not len(live):
            raise InputError(f"{self!r}: no topic has any words: the texts are too few or short")
        if len(live) < len(sums):
            empty = len(sums) - len(live)
            message = f"{self!r}: {empty} of {len(sums)} topics have no words and are left out"
            warnings.warn(message, TealeavesWarning, stacklevel=2)
        phi = components[live] / sums[live, None]
        theta = np.zeros((len(texts), len(live)))
        theta[filled] = weights[:, live] * sums[live]
        total = theta.sum(axis=1, keepdims=True)
        theta = np.divide(theta, total, out=np.zeros_like(theta), where=total > 0)
        vocabulary = texts.vocabularies[0]
        return Topics(
            tuple(rank_words(phi, vocabulary, live.tolist(), TOP)),
            model=self.label,
            vocabulary=vocabulary,
            topic_word=phi,
            document_topic=theta,
            document_lengths=texts.lengths,
            term_frequency=texts.term_frequency(0),
        )


def _import_sklearn(name: str, part: str) -> Any:
    return require(f"sklearn.{part}", extra="models", reason=f"training {name}")


def _word_counts(texts: TrainingTexts) -> Any:
    """Return the sparse matrix of how often each text has each word."""
    from scipy.sparse import csr_matrix

    data = np.ones(len(texts.words))
    shape = (len(texts), len(texts.vocabularies[0]))
    # a copy, because the matrix sorts its words in place
    counts = csr_matrix((data, texts.words, texts.starts), shape=shape, copy=True)
    counts.sum_duplicates()
    return counts
