r"""From the relevance of rows to the value of topics, and how far texts make it vary.

With :math:`x_s` what a topic has in text :math:`s` of :math:`T`, ``sum`` is
:math:`\sum_s x_s`, and ``text`` and ``pair`` are :math:`\sum_s x_s / \sum_s n_s`, where
:math:`n_s` is 1 if the text holds two of the topic's words, or the number of their pairs of
positions in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tealeaves.metrics.base import Result
from tealeaves.metrics.relevant.rows import TopicRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats

Reduction = Literal["sum", "text", "pair"]

_MOST_ROWS = 4_000_000  # texts times models that are multiplied at once: 32 MB


def reduced(topics: TopicRows, values: NDArray[Any], reduction: Reduction) -> Floats:
    """Return the value of each topic by that of rows; NaN where no text holds two words of it."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found = topics.summed(values) / _sizes(topics, reduction)
    return np.where(topics.seen > 0, found, np.nan)


def _sizes(topics: TopicRows, reduction: Reduction) -> Floats:
    """Return what the sum of each topic is divided by."""
    if reduction == "sum":
        return np.ones(len(topics))
    return topics.texts if reduction == "text" else topics.together


def deviations(
    topics: TopicRows, entries: NDArray[Any], values: Floats, reduction: Reduction
) -> Any:
    r"""Return what each text adds to the error of each topic: a sparse matrix of texts and topics.

    Of a sum over T texts that is :math:`\sqrt{T / (T - 1)}\,(x_s - \bar x)`; the mean is taken away
    later, for cells that are 0 are left out here. Of a quotient :math:`q` it is, by the delta
    method, :math:`\sqrt{t / (t - 1)}\,(x_s - q n_s) / \sum_s n_s`, whose mean is 0. Here t is the
    number of texts that hold two words of the topic, for only these can vary: of ``text`` that is
    the standard error of their mean.
    """
    from scipy.sparse import diags_array

    found = topics.by_text(entries)
    varying = _varying(topics, reduction)
    # where a single text varies nothing can be told, which is said later
    scale = np.sqrt(varying / np.maximum(varying - 1, 1))
    if reduction == "sum":
        return found @ diags_array(scale)
    known = topics.seen > 0
    expected = topics.sizes_by_text(reduction) @ diags_array(np.where(known, values, 0.0))
    np.divide(scale, _sizes(topics, reduction), out=scale, where=known)
    return (found - expected) @ diags_array(scale)


def _varying(topics: TopicRows, reduction: Reduction) -> Floats:
    """Return how many texts make the value of each topic vary."""
    if reduction == "sum":
        return np.full(len(topics), float(topics.relevance.texts))
    return topics.texts


def covariances(topics: TopicRows, parts: Any, bounds: Sequence[int]) -> Iterator[Floats]:
    r"""Yield for each model the covariance of its topics' values, had other texts been taken.

    It is always that of other texts like these, whether these are all that there are or were drawn
    from more: for a total over T texts T times that of one text.
    """
    used = topics.relevance.texts
    columns = parts.tocsc()
    height = max(1, _MOST_ROWS // used)
    for first in range(0, len(bounds) - 1, height):
        some = bounds[first : first + height + 1]
        for square, total in _products(columns[:, some[0] : some[-1]], some):
            yield square - np.outer(total, total) / used


def _products(columns: Any, bounds: Sequence[int]) -> Iterator[tuple[Floats, Floats]]:
    """Yield for each model the sums over texts of its topics' products, and of its topics.

    Each model is given rows of its own, so that one multiplication does for all, with nothing
    between models. (Dense ones are quick too, but not where threads of theirs are many.)
    """
    from scipy.sparse import csr_array

    texts, models = columns.shape[0], len(bounds) - 1
    owners = np.repeat(np.arange(models), np.diff(bounds))
    rows = columns.indices + texts * np.repeat(owners, np.diff(columns.indptr))
    shape = (columns.shape[1], texts * models)
    wide = csr_array((columns.data, rows, columns.indptr), shape=shape)
    products = wide @ wide.T.tocsr()
    totals = np.asarray(columns.sum(axis=0))
    for start, stop in pairwise(np.subtract(bounds, bounds[0]).tolist()):
        yield products[start:stop, start:stop].toarray(), totals[start:stop]


def results(
    topics: TopicRows,
    values: NDArray[Any],
    entries: NDArray[Any] | None,
    reduction: Reduction,
    bounds: Sequence[int],
) -> list[Result]:
    """Return the result of each model, whose topics begin and end at ``bounds``.

    ``values`` are those of rows; ``entries`` the same text by text, None where these are not
    known: then neither are errors.
    """
    found, support = reduced(topics, values, reduction), topics.support
    spread: Iterable[Floats | None] = [None] * (len(bounds) - 1)
    if entries is not None:
        parts = deviations(topics, entries, found, reduction)
        spread = covariances(topics, parts, bounds)
    unknown = _varying(topics, reduction) < 2
    return [
        _result(found[start:stop], support[start:stop], covariance, unknown[start:stop])
        for (start, stop), covariance in zip(pairwise(bounds), spread, strict=True)
    ]


def _result(
    values: Floats, support: Floats, covariance: Floats | None, unknown: NDArray[np.bool_]
) -> Result:
    """Put a result together; what one text alone tells has no error, which is not 0 but unknown."""
    if covariance is None:
        return Result(values, support)
    covariance[unknown] = covariance[:, unknown] = np.nan
    error = np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    error = np.where(np.isnan(values), np.nan, error)
    return Result(values, support, error=error, covariance=covariance)
