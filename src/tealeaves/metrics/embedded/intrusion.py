r"""What an intruder does to a topic of Z words, each with a vector :math:`\omega`.

Each function returns, for every intruder :math:`\hat\omega` (columns), what is averaged; rows are
the words that an intruder may take the place of, where it does that, else there is one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.metrics.embedded.space import ROUNDING


@dataclass(frozen=True, eq=False)
class Meeting:
    """A topic and its intruders by their dot products alone, which all metrics can be taken from.

    Parameters
    ----------
    among
        The products of the topic's words with each other.
    to
        The products of the topic's words (rows) with the intruders (columns).
    squares
        The products of the intruders with themselves.
    """

    among: Floats
    to: Floats
    squares: Floats

    @classmethod
    def of(cls, topic: Floats, intruders: Floats) -> Meeting:
        """Take the products of vectors, a row each."""
        return cls(topic @ topic.T, topic @ intruders.T, (intruders**2).sum(axis=1))

    @property
    def cosines(self) -> Floats:
        """The cosines of the words to the intruders."""
        return self.to / np.sqrt(self.among.diagonal())[:, None] / np.sqrt(self.squares)

    @property
    def centroid_length(self) -> float:
        """The length of the topic's centroid; NaN where nothing but rounding is left of it."""
        length = np.sqrt(max(self.among.mean(), 0.0))
        least = ROUNDING * np.sqrt(self.among.diagonal()).mean()
        return float(length) if length > least else np.nan


def similarity(meeting: Meeting) -> Floats:
    r"""ISIM: the mean cosine of the topic's words to the intruder.

    .. math:: \frac{1}{Z} \sum_i \cos(\omega_i, \hat\omega)

    >>> similarity(Meeting.of(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[3.0, 4.0]])))
    array([[0.7]])
    """
    found: Floats = meeting.cosines.mean(axis=0, keepdims=True)
    return np.clip(found, -1.0, 1.0)


def detected(meeting: Meeting, *, ties: bool = False) -> Floats:
    r"""INT: the share of words that are less similar to the intruder than to any other word.

    .. math:: \frac{1}{Z} \sum_i [\forall j \ne i: \cos(\omega_i, \hat\omega) <
              \cos(\omega_i, \omega_j)]

    With ``ties``, an intruder that is just as similar counts as well.

    >>> words = np.array([[1.0, 0.0], [0.8, 0.6], [0.6, 0.8]])
    >>> detected(Meeting.of(words, np.array([[0.0, 1.0], [0.8, 0.6]])))
    array([[0.66666667, 0.        ]])
    """
    lengths = np.sqrt(meeting.among.diagonal())
    among = meeting.among / lengths[:, None] / lengths
    np.fill_diagonal(among, np.inf)
    least = among.min(axis=1, keepdims=True) + (ROUNDING if ties else -ROUNDING)
    found: Floats = (meeting.cosines < least).mean(axis=0, keepdims=True)
    return found


def shift(meeting: Meeting) -> Floats:
    r"""ISH: the cosine of the centroid before and after a word is replaced by the intruder.

    .. math:: \cos(\mu, \mu + (\hat\omega - \omega_j) / Z), \quad
              \mu = \frac{1}{Z} \sum_i \omega_i

    >>> meeting = Meeting.of(np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[0.0, 1.0]]))
    >>> shift(meeting).round(4)
    array([[0.7071],
           [0.7071]])
    """
    among, to = meeting.among, meeting.to
    size, words, before = len(to), among.diagonal(), meeting.centroid_length
    # of the new centroid: its product with the old one, and its length
    step = (to.mean(axis=0) - among.mean(axis=0)[:, None]) / size
    apart = words[:, None] + meeting.squares - 2.0 * to
    after = np.sqrt(np.maximum(before**2 + 2.0 * step + apart / size**2, 0.0))
    # a length that is nothing but rounding has no direction
    least = ROUNDING * (np.sqrt(words).sum() + np.sqrt(meeting.squares)) / size
    after[after <= least] = np.nan
    found: Floats = (before**2 + step) / (before * after)
    return np.clip(found, -1.0, 1.0)


def to_centroid(meeting: Meeting) -> Floats:
    """Return the cosine of the topic's centroid to the intruder: what STREAM calls ISH."""
    products = meeting.to.mean(axis=0, keepdims=True)
    found: Floats = products / np.sqrt(meeting.squares) / meeting.centroid_length
    return np.clip(found, -1.0, 1.0)
