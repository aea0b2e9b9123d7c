"""Models of scikit-learn: a matrix of documents and words, factored."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.extras import require
from tealeaves.models.base import Advance, Model
from tealeaves.models.texts import TrainingTexts
from tealeaves.topics.assembly import TOP, rank_words
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Factors(Model):
    """A model of scikit-learn whose ``components_`` are topics.

    ``make`` makes the estimator of the library's module ``decomposition`` and the settings;
    ``weigh`` what it is fitted to of the matrix of word counts.
    """

    packages: ClassVar[tuple[str, ...]] = ("scikit-learn",)

    make: Callable[[Any, Any], Any] = field(kw_only=True)
    weigh: Callable[[Any], Any] = lambda counts: counts

    def check(self) -> None:
        """Ask for scikit-learn."""
        _library(self.name, "decomposition")

    def fit(self, texts: TrainingTexts, advance: Advance) -> Topics:
        """Factor the matrix of the texts that have words."""
        library = _library(self.name, "decomposition")
        counts = counts_of(texts)
        filled = np.flatnonzero(texts.lengths)
        estimator = self.make(library, self.settings)
        weights = np.asarray(_fitted(estimator, self.weigh(counts[filled]), self), dtype=np.float64)
        components = np.asarray(estimator.components_, dtype=np.float64)
        advance(1, 1)
        return _topics(self, texts, filled, weights, components)


def _library(name: str, part: str) -> Any:
    return require(f"sklearn.{part}", extra="models", reason=f"training {name}")


def counts_of(texts: TrainingTexts) -> Any:
    """Return the sparse matrix of how often each text has each word."""
    from scipy.sparse import csr_matrix

    data = np.ones(len(texts.numbers))
    shape = (len(texts), len(texts.vocabulary))
    # a copy, for the matrix sorts its words in place
    counts = csr_matrix((data, texts.numbers, texts.starts), shape=shape, copy=True)
    counts.sum_duplicates()
    return counts


def _fitted(estimator: Any, matrix: Any, model: Model) -> Any:
    """Fit, and say in one line where the iterations did not suffice; other warnings pass."""
    unsettled = _library(model.name, "exceptions").ConvergenceWarning
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        weights = estimator.fit_transform(matrix)
    for one in caught:
        if not issubclass(one.category, unsettled):
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    if any(issubclass(one.category, unsettled) for one in caught):
        iterations = model.settings.iterations
        message = f"{model!r}: not settled after {iterations} iterations: set iterations higher"
        warnings.warn(message, TealeavesWarning, stacklevel=2)
    return weights


def _topics(
    model: Model, texts: TrainingTexts, filled: NDArray[np.intp], weights: Matrix, parts: Matrix
) -> Topics:
    """Make distributions of the factors: W H = (W D) (D⁻¹ H), D the sums of the rows of H."""
    sums = parts.sum(axis=1)
    live = np.flatnonzero(sums > 0)
    if not len(live):
        raise InputError(f"{model!r}: no topic has any words: the texts are too few or too short")
    if len(live) < len(sums):
        lost = len(sums) - len(live)
        message = f"{model!r}: {lost} of {len(sums)} topics have no words and are left out"
        warnings.warn(message, TealeavesWarning, stacklevel=2)
    phi = parts[live] / sums[live, None]
    theta = np.zeros((len(texts), len(live)))
    theta[filled] = weights[:, live] * sums[live]
    total = theta.sum(axis=1, keepdims=True)
    theta = np.divide(theta, total, out=np.zeros_like(theta), where=total > 0)
    return Topics(
        tuple(rank_words(phi, texts.vocabulary, live.tolist(), TOP)),
        model=model.label,
        vocabulary=texts.vocabulary,
        topic_word=phi,
        document_topic=theta,
        document_lengths=texts.lengths,
        term_frequency=texts.term_frequency,
    )
