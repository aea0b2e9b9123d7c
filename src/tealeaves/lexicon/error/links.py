"""The alignment error rate of word alignments, precision and recall."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from tealeaves.lexicon.alignment.links import Links


class LinkScore(NamedTuple):
    """How well predicted links fit annotated ones.

    ``predicted`` and ``sure`` are numbers of links. Precision is NaN if none is predicted, recall
    if none is sure, and the error rate if both are so.
    """

    aer: float
    precision: float
    recall: float
    predicted: int
    sure: int


def score_links(
    predicted: Links | Iterable[tuple[Any, ...]],
    sure: Links | Iterable[tuple[Any, ...]],
    possible: Links | Iterable[tuple[Any, ...]] = (),
) -> LinkScore:
    r"""Return the alignment error rate, precision and recall of predicted links.

    .. math::
        AER = 1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|}, \quad
        precision = \frac{|A \cap P|}{|A|}, \quad recall = \frac{|A \cap S|}{|S|}

    A are the predicted links, S the sure ones, which must be predicted, and P the possible ones,
    which may be. Sure links are possible links, whether P has them or not.

    Parameters
    ----------
    predicted, sure, possible
        :class:`Links`, or tuples that identify a link: passage, source word, target word. A link
        that is named twice counts once.

    References
    ----------
    Och and Ney (2003). A systematic comparison of various statistical alignment models.
    Computational Linguistics 29. doi:10.1162/089120103321337421

    >>> score_links([(0, 0), (1, 1), (2, 3)], sure=[(0, 0), (2, 2)], possible=[(1, 1)])
    LinkScore(aer=0.4, precision=0.666667, recall=0.5, predicted=3, sure=2)
    """
    a, s = _as_set(predicted), _as_set(sure)
    p = s | _as_set(possible)
    possible_links, sure_links = len(a & p), len(a & s)
    return LinkScore(
        aer=1 - (sure_links + possible_links) / (len(a) + len(s)) if a or s else math.nan,
        precision=possible_links / len(a) if a else math.nan,
        recall=sure_links / len(s) if s else math.nan,
        predicted=len(a),
        sure=len(s),
    )


def _as_set(links: Links | Iterable[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
    if not isinstance(links, Links):
        return {tuple(link) for link in links}
    tokens = np.repeat(np.arange(len(links.starts) - 1), np.diff(links.starts))
    return set(zip(tokens.tolist(), links.places.tolist(), strict=True))
