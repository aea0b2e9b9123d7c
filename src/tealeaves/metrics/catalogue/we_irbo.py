r"""we_irbo: inverted rank-biased overlap of topics, where similar words overlap too.

It is rank-biased overlap (see :mod:`tealeaves.metrics.topic_similarity.word_lists`) in which
different words overlap by their angular similarity :math:`a = 1 - \arccos(\cos) / \pi`:

- matched: :math:`X_d` is the sum of a over a greedy one-to-one matching of the first d words;
- of centroids: :math:`A_d` is a of the centroids of the first d words.

After the end of a list, the last agreement continues to count.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tealeaves.errors import InputError
from tealeaves.expressions import Value
from tealeaves.metrics.formulas import RBO_AGREEMENT, RBO_SUM
from tealeaves.metrics.topic_similarity.word_lists import DEFAULT_P, Persistence
from tealeaves.metrics.vectors.family import EmbeddingSettings, TopicPairMetric
from tealeaves.metrics.vectors.space import ROUNDING, TopicSpace, unit_vectors
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Floats, Integers

_MOST_CELLS = 2_000_000  # pairs of words, or of topics, that are compared at once
_NEGLIGIBLE = 1e-14  # depths that together weigh less than this are not compared
_PADDING = -1  # instead of a row, where a list has ended
_ROUNDED_ONE = 1e-13  # rounding may take the cosine of a vector with itself this far from 1
_DECIMALS = 12  # of angular similarities
_NO_WORD = -1.0  # the similarity to a word beyond the end of a list
_UNMATCHED = -0.5  # less than any similarity, more than _NO_WORD
_NO_PARTNER = -1


class WeIrboSettings(EmbeddingSettings, frozen=True, kw_only=True):
    """The parameters of inverted rank-biased overlap with word embeddings.

    Parameters
    ----------
    form
        ``pairwise`` matches the words of two topics, ``centroid`` compares the centroids of their
        first words.
    p
        The persistence of the reader: the lower, the more the first words count.
    compat
        ``octis``: as OCTIS computes ``form=centroid``, divided by the depth once more.
    """

    form: Literal["pairwise", "centroid"] = "pairwise"
    p: Persistence = DEFAULT_P
    compat: Literal["octis"] | None = None


@dataclass(frozen=True, repr=False, eq=False)
class InvertedEmbeddingOverlap(TopicPairMetric):
    """One minus the mean rank-biased overlap with word embeddings."""

    settings: WeIrboSettings

    @property
    def of_centroids(self) -> bool:
        """Whether topics are compared by their centroids."""
        return self.settings.form == "centroid"

    def similarity_sums(self, space: TopicSpace, model: Topics) -> tuple[Floats, Bools]:
        """Add up the overlaps of each topic with the others."""
        if self.settings.form == "pairwise":
            return _matched_sums(space, self.settings.p)
        return _centroid_sums(space, self.settings.p, octis=self.settings.compat == "octis")

    def _changed(self, changes: dict[str, Value]) -> Any:
        changed: WeIrboSettings = super()._changed(changes)
        if changed.compat == "octis" and changed.form == "pairwise":
            raise InputError(
                f"{self.name}: compat=octis works only with form=centroid; form=pairwise is what "
                "OCTIS computes, without it"
            )
        return changed


we_irbo = InvertedEmbeddingOverlap(
    name="we_irbo",
    summary="1 - rank-biased overlap of topic pairs where similar words overlap too, mean",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Terragni, Fersini & Messina 2021; Bianchi, Terragni & Hovy 2021",
    settings=WeIrboSettings(),
    aliases=("word_embeddings_irbo",),
    formula=(
        r"1 - \frac{1}{K - 1} \sum_{j \ne k} \left( "
        + RBO_SUM
        + r" \right), \quad "
        + RBO_AGREEMENT
        + r", \quad X_d = \sum_{(a, b) \in M_d} "
        r"\left( 1 - \frac{\arccos ( \cos(\omega_a, \omega_b) )}{\pi} \right)"
    ),
    misleads=(
        "Words that have nothing to do with each other have a cosine near 0, and so a similarity "
        "of 1/2: topics that share nothing lie between 0.3 and 0.5, not at 1, and models differ "
        "by little. Compare only values of the same embedding and number of words. For single "
        "topics it hardly agrees with people."
    ),
    details="""\
    irbo in which words overlap by the angle between their vectors ω. At depth d the first d words
    of two topics are matched one to one, the most similar two first: M_d; X_d adds up the
    similarities (form=pairwise). With form=centroid, the agreement is the similarity of the
    centroids of the first d words. The rest is rank-biased overlap of topic k, of the K topics,
    with another, extrapolated: s and l are the lengths of the shorter and of the longer list. 0:
    all topics are the same lists; in form=pairwise it is never above irbo.

    Defaults: p = 0.9, all words of the topics (10 are usual: @10). Words without a vector are left
    out and those after them move up. form=pairwise is what OCTIS computes for topics of equal
    length; for form=centroid, compat=octis divides the agreement by d once more, as OCTIS does:
    even a topic and its copy then have 0.73 (at 10 words).
    The cost grows with the square of the topics, in form=pairwise also with the cube of the words.
    """,
)


# ---------------------------------------------------------------------- overlap of topics


@dataclass(frozen=True, eq=False)
class _RankedRows:
    """The words with vectors of several topics, best first: rows of a space, and their numbers."""

    rows: Integers
    lengths: Integers

    @classmethod
    def of(cls, space: TopicSpace, chosen: Bools, depth: int | None = None) -> _RankedRows:
        """Take the first ``depth`` words of the chosen topics."""
        pairs = zip(space.known_topics, chosen, strict=True)
        lists = [rows[:depth] for rows, wanted in pairs if wanted]
        lengths = np.array([len(rows) for rows in lists], dtype=np.int64)
        padded = np.full((len(lists), lengths.max(initial=0)), _PADDING)
        for row, words in zip(padded, lists, strict=True):
            row[: len(words)] = words
        return cls(padded, lengths)

    @property
    def longest(self) -> int:
        return int(self.rows.shape[1])


def _matched_sums(space: TopicSpace, p: float) -> tuple[Floats, Bools]:
    """Return the sum of each topic's matched overlaps with the others, and which have words."""
    comparable = _has_words(space)
    lists = _RankedRows.of(space, comparable, _deepest(p))
    # the last row is that of _PADDING
    vectors = np.vstack([unit_vectors(space.vectors), np.zeros(space.vectors.shape[1])])
    weights = _depth_weights(lists.longest, p)
    sums = np.zeros(len(space))
    topic = np.flatnonzero(comparable)
    for left, right in _tiles(len(topic), lists.longest):
        one, other = np.mgrid[left, right]
        once = one < other
        one, other = one[once], other[once]
        overlaps = matched_overlaps(_word_similarities(vectors, lists.rows[one], lists.rows[other]))
        lengths = lists.lengths[one], lists.lengths[other]
        shorter, longer = np.minimum(*lengths), np.maximum(*lengths)
        overlap = (weights[longer] * _agreements(overlaps, shorter)).sum(axis=1)
        sums += np.bincount(topic[one], overlap, len(sums)) + np.bincount(
            topic[other], overlap, len(sums)
        )
    return sums, comparable


def _centroid_sums(space: TopicSpace, p: float, *, octis: bool) -> tuple[Floats, Bools]:
    """Return the sum of each topic's centroid overlaps with the others, and which have one.

    A topic needs a centroid at every depth. With ``octis`` the agreement is divided by the depth,
    although it is not a number of words.
    """
    comparable = _has_words(space)
    for centroids in _running_centroids(space, _RankedRows.of(space, np.ones_like(comparable))):
        comparable &= np.isfinite(centroids).all(axis=1)
    lists = _RankedRows.of(space, comparable)
    weights = _depth_weights(lists.longest, p)
    if octis:
        weights = weights / np.arange(1, lists.longest + 1)
    count = len(lists.lengths)
    height = max(1, _MOST_CELLS // max(1, count))
    comparable_sums = np.zeros(count)
    for depth, centroids in enumerate(_running_centroids(space, lists)):
        for start in range(0, count, height):
            rows = slice(start, min(start + height, count))
            similarity = angular_similarity(centroids[rows] @ centroids.T)
            longer = np.maximum.outer(lists.lengths[rows], lists.lengths)
            overlap = weights[:, depth][longer] * similarity
            overlap[np.arange(len(overlap)), np.arange(rows.start, rows.stop)] = 0.0
            comparable_sums[rows] += overlap.sum(axis=1)
    sums = np.zeros(len(space))
    sums[comparable] = comparable_sums
    return sums, comparable


def _has_words(space: TopicSpace) -> Bools:
    return np.array([len(rows) > 0 for rows in space.known_topics], dtype=np.bool_)


def _deepest(p: float) -> int:
    """Return the depth after which all further depths together are negligible.

    Depths after d have the weight p^d in all, and an agreement of at most 1.

    >>> _deepest(0.5), 0.5**47 < 1e-14 < 0.5**46
    (47, True)
    """
    return math.ceil(math.log(_NEGLIGIBLE) / math.log(p))


def _depth_weights(longest: int, p: float) -> Floats:
    """Return the weight of the agreement at each depth (columns), by the length of lists (rows)."""
    depths = np.arange(1, longest + 1)
    lengths = np.arange(longest + 1)[:, None]
    inside = np.where(depths <= lengths, (1 - p) * p ** (depths - 1.0), 0.0)
    weights: Floats = inside + np.where(depths == lengths, p**depths, 0.0)
    return weights


def _agreements(overlaps: Floats, shorter: Integers) -> Floats:
    """Return the agreement of each pair at each depth, up to the end of the longer list."""
    depths = np.arange(1, overlaps.shape[1] + 1)
    last = overlaps[np.arange(len(overlaps)), shorter - 1] / shorter
    extrapolated = np.maximum(depths - shorter[:, None], 0) * last[:, None]
    agreements: Floats = (overlaps + extrapolated) / depths
    return agreements


def _word_similarities(vectors: Floats, left: Integers, right: Integers) -> Floats:
    """Return for each pair of lists the similarity of each word of one with each of the other."""
    (one, left_places), (other, right_places) = (
        np.unique(lists, return_inverse=True) for lists in (left, right)
    )
    similarity = angular_similarity(vectors[one] @ vectors[other].T)
    similarity[one == _PADDING] = _NO_WORD
    similarity[:, other == _PADDING] = _NO_WORD
    rows, columns = left_places.reshape(left.shape), right_places.reshape(right.shape)
    return similarity[rows[:, :, None], columns[:, None, :]]


def _running_centroids(space: TopicSpace, lists: _RankedRows) -> Iterator[Floats]:
    """Yield the directions of the centroids of the first words, depth by depth.

    They are NaN where the words point against each other and only rounding is left.
    """
    vectors = np.vstack([space.vectors, np.zeros(space.vectors.shape[1])])  # padding adds nothing
    word_lengths = np.linalg.norm(vectors, axis=1)
    total = np.zeros((len(lists.rows), vectors.shape[1]))
    longest = np.zeros(len(total))
    for column in lists.rows.T:
        total += vectors[column]
        longest += word_lengths[column]
        length = np.linalg.norm(total, axis=1)
        yield total / np.where(length > ROUNDING * longest, length, np.nan)[:, None]


def _tiles(count: int, longest: int) -> Iterator[tuple[slice, slice]]:
    """Cut the pairs of topics into tiles whose pairs of words fit into memory."""
    size = max(1, int((_MOST_CELLS / max(1, longest) ** 2) ** 0.5))
    for top in range(0, count, size):
        for start in range(top, count, size):
            yield slice(top, min(top + size, count)), slice(start, min(start + size, count))


def angular_similarity(cosines: Floats) -> Floats:
    r"""Return the angular similarity :math:`1 - \arccos(x) / \pi`.

    The arc cosine magnifies rounding errors near 1, so cosines that are nearly 1 are made 1. The
    result is rounded, so that equal similarities stay equal when all vectors are rotated.

    >>> angular_similarity(np.array([1 - 1e-15, 0.5, 0.0, -1.0]))
    array([1.        , 0.66666667, 0.5       , 0.        ])
    """
    clear = np.where(np.abs(cosines) > 1.0 - _ROUNDED_ONE, np.sign(cosines), cosines)
    similarity: Floats = np.round(1.0 - np.arccos(clear) / np.pi, _DECIMALS)
    return similarity


# ---------------------------------------------------------------------- greedy matching


def matched_overlaps(similarities: Floats) -> Floats:
    r"""Return the overlap of each pair of lists at each depth, by greedy one-to-one matching.

    At depth d the first d words of two lists are matched: the two most similar words first, then
    the two most similar of those left, and so on; among equals, those that come first. The overlap
    is the sum of the similarities of the matches.

    Starting anew at each depth would take :math:`d^3` steps. But the greedy matching is the only
    stable one: no two words would both prefer each other to their partners. So a new word proposes
    to the word that it is most similar to, among those that prefer it to their partner; the partner
    that is left then proposes in turn. All pairs of lists do so at once.

    Parameters
    ----------
    similarities
        For each pair of lists, the similarity of each word of one (rows) with each word of the
        other (columns), from 0 to 1; -1 beyond the end of a list.

    >>> matched_overlaps(np.array([[[0.5, 0.9], [0.8, 0.6]]]))  # at depth 2: 0.9 + 0.8
    array([[0.5, 1.7]])
    """
    count, _, longest = similarities.shape
    rows, columns = _Partners.none(count, longest), _Partners.none(count, longest)
    transposed = similarities.transpose(0, 2, 1)
    overlaps = np.empty((count, longest))
    for depth in range(1, longest + 1):
        _add_word(transposed, columns, rows, depth - 1, depth - 1)
        _add_word(similarities, rows, columns, depth - 1, depth)
        overlaps[:, depth - 1] = np.maximum(rows.similarity[:, :depth], 0.0).sum(axis=1)
    return overlaps


@dataclass(frozen=True, eq=False)
class _Partners:
    """The words of one list of each pair: the partner of each word, and their similarity."""

    partner: Integers
    similarity: Floats

    @classmethod
    def none(cls, count: int, longest: int) -> _Partners:
        shape = (count, longest)
        return cls(np.full(shape, _NO_PARTNER), np.full(shape, _UNMATCHED))


def _add_word(
    similarities: Floats, partners: _Partners, others: _Partners, word: int, depth: int
) -> None:
    """Add a word to all matchings with the first ``depth`` words of the other list."""
    if not depth:
        return
    pairs: Integers | slice = slice(None)  # all at first, which needs no copies
    numbers, words = np.arange(len(similarities)), np.full(len(similarities), word)
    offers = similarities[:, word, :depth]
    while numbers.size:
        held = others.similarity[pairs, :depth]
        earlier = words[:, None] < others.partner[pairs, :depth]
        welcome = np.where((offers > held) | ((offers == held) & earlier), offers, _NO_WORD)
        best = welcome.argmax(axis=1)
        similarity = welcome[np.arange(len(best)), best]
        matched = similarity >= 0
        numbers, words = numbers[matched], words[matched]
        best, similarity = best[matched], similarity[matched]
        left = others.partner[numbers, best]
        partners.partner[numbers, words], partners.similarity[numbers, words] = best, similarity
        others.partner[numbers, best], others.similarity[numbers, best] = words, similarity
        freed = left != _NO_PARTNER
        pairs = numbers = numbers[freed]
        words = left[freed]
        partners.partner[numbers, words] = _NO_PARTNER
        partners.similarity[numbers, words] = _UNMATCHED
        offers = similarities[numbers, words, :depth]
