"""Junk distributions: what a topic that says nothing would look like."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.metrics.artm.divergence import DISTANCES
from tealeaves.topics.distributions import Prior, phi, theta, topic_shares
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

    Pair = tuple[Floats, Floats]

_AVERAGED = ("uniform", "vacuous", "background")


def distances(topics: Topics, junk: str, distance: str, prior: Prior) -> Floats:
    """Return how far each topic is from junk; NaN where that is undefined or infinite."""
    if junk == "average":
        parts = [distances(topics, one, distance, prior) for one in _AVERAGED]
        mean: Floats = np.mean(parts, axis=0)
        return mean
    of, junk_of = _PAIRS[junk](topics, prior)
    found = np.full(len(topics), np.nan)
    defined = of.sum(axis=1) > 0  # not for NaN, nor for a model without documents
    found[defined] = DISTANCES[distance](of[defined], junk_of)
    found[~np.isfinite(found)] = np.nan
    return found


def _words(topics: Topics) -> Floats:
    probabilities = phi(topics)
    rows: Floats = probabilities / probabilities.sum(axis=1, keepdims=True)  # files round
    return rows


def _uniform(topics: Topics, prior: Prior) -> Pair:  # noqa: ARG001
    words = _words(topics)
    return words, np.full(words.shape[1], 1.0 / words.shape[1])


def _vacuous(topics: Topics, prior: Prior) -> Pair:
    words, shares = _words(topics), topic_shares(topics, prior).values
    # a topic that is in no document has no part in the mixture that it is compared with
    return np.where(shares[:, None] > 0, words, np.nan), shares @ words


def _corpus(topics: Topics, prior: Prior) -> Pair:  # noqa: ARG001
    frequency = np.asarray(topics.term_frequency, dtype=np.float64)
    return _words(topics), frequency / frequency.sum()


def _background(topics: Topics, prior: Prior) -> Pair:  # noqa: ARG001
    columns = theta(topics).T
    totals = columns.sum(axis=1, keepdims=True)
    documents = np.divide(columns, totals, out=np.full(columns.shape, np.nan), where=totals > 0)
    return documents, np.full(documents.shape[1], 1.0 / max(documents.shape[1], 1))


_PAIRS: dict[str, Callable[[Topics, Prior], Pair]] = {
    "uniform": _uniform,
    "vacuous": _vacuous,
    "background": _background,
    "corpus": _corpus,
}
