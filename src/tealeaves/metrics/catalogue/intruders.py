r"""Intruders: does a word of another topic stand out among a topic's words?

An intruder of topic t comes from another topic s, drawn uniformly from those that have a word that
t does not have; it is one of these words of s, drawn uniformly. With :math:`n_{ts}` such words
and :math:`E_t` such topics,

.. math:: p_t(c) = [c \notin t] \, \frac{1}{E_t} \sum_{s \ne t} \frac{[c \in s]}{n_{ts}} .
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.evidence.requests import CountRequest
from tealeaves.evidence.units import Unit
from tealeaves.expressions import Value
from tealeaves.metrics.base import Result
from tealeaves.metrics.vectors.family import CANCELLED, EmbeddingMetric, EmbeddingSettings
from tealeaves.metrics.vectors.space import ROUNDING, TopicSpace
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Floats, Integers
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.base import AnyRequest

_MOST_DRAWS = 1_000_000
_MOST_KEPT = 4_000_000  # probabilities of intruders that are kept for other metrics: 32 MB


class IntruderSettings(EmbeddingSettings, frozen=True, kw_only=True):
    """How intruders are drawn.

    Parameters
    ----------
    draws
        ``all``: the exact expectation over all intruders; or the number of draws for each topic.
    seed
        The seed of the random numbers, if ``draws`` is a number; none: 0.
    intruders
        ``uniform``: any topic, any of its words; ``matched``: about as frequent in the texts as
        the topic's words.
    compat
        ``stream``: as STREAM computes it.
    """

    draws: Annotated[int, Meta(ge=1, le=_MOST_DRAWS)] | Literal["all"] = "all"
    seed: Annotated[int, Meta(ge=0)] | None = None
    intruders: Literal["uniform", "matched"] = "uniform"
    compat: Literal["stream"] | None = None


@dataclass(frozen=True, repr=False, eq=False)
class IntruderMetric(EmbeddingMetric):
    """The mean over intruders from other topics."""

    settings: IntruderSettings
    #: the number of words with vectors that a topic must have
    least_words: ClassVar[int] = 1
    #: whether it compares centroids, which do not exist where vectors cancel out
    of_centroids: ClassVar[bool] = False

    @abstractmethod
    def intruder_values(self, products: IntruderProducts) -> Floats:
        """Return one column per intruder; rows are the words that it may replace."""

    @property
    def _matched(self) -> bool:
        return self.settings.intruders == "matched"

    @property
    def source(self) -> str:
        """What the metric is computed from; texts where intruders are matched by frequency."""
        return super().source + (", document counts" if self._matched else "")

    def why(self, model: Topics) -> str:
        """Say why a topic of this model may have no score."""
        if len(model) == 1:
            return "because there is no other topic that a word could intrude from"
        if self.top is not None and self.top < self.least_words:
            return f"because it compares {self.least_words} words or more"
        matched = ", whose frequency in the texts is known" if self._matched else ""
        cancelled = CANCELLED if self.of_centroids else ""
        return f"{self.why_undefined}, or of words that could intrude{matched}{cancelled}"

    def provenance(self, evidence: Evidence) -> str:
        """Return the tokens and texts by which intruders are matched."""
        return evidence.counts(Unit()).provenance if self._matched else ""

    def missing(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[list[str]]:
        """Return the words that the texts lack, by which intruders cannot be matched."""
        if not self._matched:
            return [[] for _ in models]
        missing = []
        for model in models:
            words = self.space(model, evidence, wording).words
            absent = self._frequencies(model, evidence, wording) == 0
            missing.append([words[row] for row in absent.nonzero()[0]])
        return missing

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[AnyRequest]:
        """Ask for vectors, and for frequencies where intruders are matched."""
        yield from super().needs(models, wording)
        if self._matched:
            terms = {
                wording.term_of(model, word) for model in models for word in self.first_words(model)
            }
            yield CountRequest(Unit(), frozenset(term for term in terms if term.tokens))

    def score_space(
        self, space: TopicSpace, model: Topics, evidence: Evidence, wording: Wording
    ) -> Result:
        """Average over intruders, topic by topic."""
        classes = None
        if self._matched:
            classes = frequency_classes(self._frequencies(model, evidence, wording))
        usable = space.known if classes is None else space.known & (classes >= 0)
        values, errors = np.full(len(space), np.nan), np.full(len(space), np.nan)
        support = np.zeros(len(space))
        sampled = self.settings.draws != "all"
        products = repeat(None, len(space)) if sampled else space.products()
        uniform = self._uniform(space, wording)
        by_topic = enumerate(zip(space.known_topics, products, uniform, strict=True))
        for topic, (rows, to_all, base) in by_topic:
            likely = np.where(usable, base, 0.0)
            if classes is not None:
                likely = matched_probabilities(likely, classes[rows], classes)
            if len(rows) < self.least_words or not likely.any():
                continue
            likely /= likely.sum()
            if to_all is None:
                values[topic], errors[topic], share = self._sampled_mean(space, rows, likely)
            else:
                # the products with words that cannot intrude are there too: faster than a copy
                intruders = IntruderProducts(to_all[:, rows], to_all, space.squares)
                values[topic], share = expected_mean(self.intruder_values(intruders), likely)
            support[topic] = share * _usable_share(space, topic, base, usable)
        if not sampled:
            return Result(values, support)
        # random numbers depend on the words: topics of the same words have the same draws
        shared = [frozenset(rows.tolist()) for rows in space.known_topics]
        return Result(values, support, error=errors, shared_draws=shared)

    def _uniform(self, space: TopicSpace, wording: Wording) -> Iterable[Floats]:
        """Return how likely each word is the intruder, topic by topic; other metrics share it."""
        own_words = self.settings.compat == "stream"
        if len(space) * len(space.words) > _MOST_KEPT:
            return _each_uniform(space, own_words=own_words)
        return wording.memo.once(_all_uniform, space, own_words=own_words)

    def _frequencies(self, model: Topics, evidence: Evidence, wording: Wording) -> Integers:
        counts, words = evidence.counts(Unit()), self.space(model, evidence, wording).words
        terms = [wording.term_of(model, word) for word in words]
        return np.array([counts.single(term) if term.tokens else 0 for term in terms])

    def _sampled_mean(
        self, space: TopicSpace, rows: Integers, likely: Floats
    ) -> tuple[float, float, float]:
        """Return the mean over drawn intruders, its error, and the share that has a value."""
        rows = np.sort(rows)  # alphabetical, so that the order of words changes nothing
        random = generator_of([space.words[row] for row in rows], self.settings.seed or 0)
        candidates = np.flatnonzero(likely)
        draws = random.choice(len(candidates), size=int(self.settings.draws), p=likely[candidates])
        # each intruder is computed once, however often it is drawn
        intruders, places = np.unique(candidates[draws], return_inverse=True)
        products = IntruderProducts.of(space.vectors[rows], space.vectors[intruders])
        return sampled_mean(self.intruder_values(products), places, random)

    def _changed(self, changes: dict[str, Value]) -> Any:
        draws = changes.get("draws", self.settings.draws)
        if draws == "all" and changes.get("seed") is not None:
            raise InputError(f"{self.name}: seed works only with draws=N; draws=all draws nothing")
        seed = changes.get("seed", self.settings.seed)
        if draws == "all":
            seed = None
        elif seed is None:
            seed = 0
        return super()._changed(changes | {"seed": seed})

    def _shown(self, changed: dict[str, Value]) -> dict[str, Value]:
        return {n: v for n, v in changed.items() if n != "seed" or v not in (None, 0)}


def _usable_share(space: TopicSpace, topic: int, base: Floats, usable: Bools) -> float:
    """Return the share of words and of likely intruders that can be used."""
    # divided by base.sum() and not by 1: if all are usable it is exactly 1, without rounding
    mass = base[usable].sum() / base.sum()
    words = usable[space.topics[topic]].sum() / space.wanted[topic]
    return float(min(words, 1.0) * min(mass, 1.0))


# ---------------------------------------------------------------------- which words intrude


def uniform_probabilities(space: TopicSpace, topic: int, *, own_words: bool = False) -> Floats:
    """Return the probability of each word as the intruder of a topic; zeros if there is none.

    With ``own_words``, words that the topic has too may be drawn from another one, as in STREAM.

    >>> rows = (np.array([0, 1]), np.array([1, 2, 3]))
    >>> space = TopicSpace(tuple("abcd"), np.ones((4, 2)), rows, rows, np.array([2.0, 3.0]))
    >>> uniform_probabilities(space, 0), uniform_probabilities(space, 1)
    (array([0. , 0. , 0.5, 0.5]), array([1., 0., 0., 0.]))
    """
    words, starts = space.places
    free = np.ones(len(words))
    if not own_words:
        in_topic = np.zeros(len(space.words), dtype=bool)
        in_topic[space.listed_rows[topic]] = True
        free[in_topic[words]] = 0.0
    free[starts[topic] : starts[topic + 1]] = 0.0
    free_words = np.add.reduceat(free, starts[:-1])  # a topic has at least one word
    others = np.count_nonzero(free_words)
    with np.errstate(divide="ignore"):
        share = np.where(free_words > 0, 1.0 / free_words, 0.0) / max(others, 1)
    each = free * np.repeat(share, np.diff(starts))
    return np.bincount(words, each, minlength=len(space.words)).astype(np.float64, copy=False)


def _each_uniform(space: TopicSpace, *, own_words: bool) -> Iterator[Floats]:
    return (uniform_probabilities(space, topic, own_words=own_words) for topic in range(len(space)))


def _all_uniform(space: TopicSpace, *, own_words: bool) -> list[Floats]:
    return list(_each_uniform(space, own_words=own_words))


def frequency_classes(frequencies: Integers) -> Floats:
    """Return the class of each frequency: from one power of two to the next; -1 for none.

    >>> frequency_classes(np.array([0, 1, 2, 3, 4])).tolist()
    [-1.0, 0.0, 1.0, 1.0, 2.0]
    """
    return np.where(frequencies > 0, np.floor(np.log2(np.maximum(frequencies, 1))), -1.0)


def matched_probabilities(likely: Floats, topic_classes: Floats, classes: Floats) -> Floats:
    """Change probabilities so that intruders are about as frequent as the topic's words.

    A word of the topic is drawn uniformly; the intruder comes from the words of its frequency
    class, or from the nearest class that has any; of two equally near classes, from the rarer.
    Words that the texts do not have belong to no class: they are not drawn, nor is an intruder
    drawn for them. ``topic_classes`` are the classes of the topic's words, ``classes`` those of all
    words.
    """
    matched = np.zeros_like(likely)
    topic_classes = topic_classes[topic_classes >= 0]
    candidates = np.where(classes >= 0, likely, 0.0)
    available = np.unique(classes[candidates > 0])
    if not len(topic_classes) or not len(available):
        return matched
    for wanted, times in zip(*np.unique(topic_classes, return_counts=True), strict=True):
        nearest = available[np.argmin(np.abs(available - wanted))]
        part = np.where(classes == nearest, candidates, 0.0)
        matched += times / len(topic_classes) * part / part.sum()
    return matched


def generator_of(words: Sequence[str], seed: int) -> np.random.Generator:
    """Return random numbers that depend on the seed and the words alone, not on their order."""
    text = "\0".join(sorted(words)).encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(text, digest_size=8).digest()
    return np.random.default_rng([seed, int.from_bytes(digest, "little")])


def expected_mean(values: Floats, likely: Floats) -> tuple[float, float]:
    """Return the mean over all intruders, and the share of them that has a value.

    Columns are intruders, with their probabilities; rows are the words that they may replace.
    """
    each = values.mean(axis=0)
    if not np.isnan(each).any():
        return float(each @ likely), 1.0
    all_weights = np.broadcast_to(likely, values.shape)
    weights = np.where(np.isnan(values), 0.0, all_weights)
    total = weights.sum()
    if total == 0:
        return np.nan, 0.0
    # both are summed alike: if all have a value, the share is exactly 1, without rounding
    share = float(total / np.ascontiguousarray(all_weights).sum())
    return float((np.nan_to_num(values) * weights).sum() / total), share


def sampled_mean(
    values: Floats, draws: Integers, random: np.random.Generator
) -> tuple[float, float, float]:
    """Return the mean over drawn intruders, its standard error, and the share that has a value.

    Columns are intruders, ``draws`` those drawn, in turn. The word that each replaces, a row, is
    drawn here.
    """
    each = values[random.integers(len(values), size=len(draws)), draws]
    defined = each[~np.isnan(each)]
    if not len(defined):
        return np.nan, np.nan, 0.0
    error = defined.std(ddof=1) / np.sqrt(len(defined)) if len(defined) > 1 else np.nan
    return float(defined.mean()), float(error), len(defined) / len(draws)


# ---------------------------------------------------------------------- what an intruder changes


@dataclass(frozen=True, eq=False)
class IntruderProducts:
    r"""The dot products of a topic's Z words and its intruders; all metrics follow from these.

    The metrics are functions that return, for every intruder :math:`\hat\omega` (columns), the
    values to be averaged; rows are the words that an intruder may replace, if it replaces one, else
    there is one row.

    Parameters
    ----------
    within
        The products of the topic's words with each other.
    to
        The products of the topic's words (rows) with the intruders (columns).
    squares
        The products of the intruders with themselves.
    """

    within: Floats
    to: Floats
    squares: Floats

    @classmethod
    def of(cls, topic: Floats, intruders: Floats) -> IntruderProducts:
        """Compute the products of vectors, one row per word."""
        return cls(topic @ topic.T, topic @ intruders.T, (intruders**2).sum(axis=1))

    @property
    def cosines(self) -> Floats:
        """The cosines of the words to the intruders."""
        return self.to / np.sqrt(self.within.diagonal())[:, None] / np.sqrt(self.squares)

    @property
    def centroid_length(self) -> float:
        """The length of the topic's centroid; NaN where only rounding is left of it."""
        length = np.sqrt(max(self.within.mean(), 0.0))
        least = ROUNDING * np.sqrt(self.within.diagonal()).mean()
        return float(length) if length > least else np.nan


def intruder_similarity(products: IntruderProducts) -> Floats:
    r"""Return the mean cosine of the topic's words to the intruder (ISIM).

    .. math:: \frac{1}{Z} \sum_i \cos(\omega_i, \hat\omega)

    >>> words = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> intruder_similarity(IntruderProducts.of(words, np.array([[3.0, 4.0]])))
    array([[0.7]])
    """
    mean: Floats = products.cosines.mean(axis=0, keepdims=True)
    return np.clip(mean, -1.0, 1.0)


def detection_share(products: IntruderProducts, *, ties: bool = False) -> Floats:
    r"""Return the share of words that are less similar to the intruder than to any word (INT).

    .. math:: \frac{1}{Z} \sum_i [\forall j \ne i: \cos(\omega_i, \hat\omega) <
              \cos(\omega_i, \omega_j)]

    With ``ties``, an intruder that is just as similar is detected too.

    >>> words = np.array([[1.0, 0.0], [0.8, 0.6], [0.6, 0.8]])
    >>> detection_share(IntruderProducts.of(words, np.array([[0.0, 1.0], [0.8, 0.6]])))
    array([[0.66666667, 0.        ]])
    """
    lengths = np.sqrt(products.within.diagonal())
    cosines = products.within / lengths[:, None] / lengths
    np.fill_diagonal(cosines, np.inf)
    least = cosines.min(axis=1, keepdims=True) + (ROUNDING if ties else -ROUNDING)
    share: Floats = (products.cosines < least).mean(axis=0, keepdims=True)
    return share


def centroid_shift(products: IntruderProducts) -> Floats:
    r"""Return the cosine of the centroid before and after the intruder replaces a word (ISH).

    .. math:: \cos(\mu, \mu + (\hat\omega - \omega_j) / Z), \quad
              \mu = \frac{1}{Z} \sum_i \omega_i

    >>> words = np.array([[1.0, 0.0], [1.0, 0.0]])
    >>> centroid_shift(IntruderProducts.of(words, np.array([[0.0, 1.0]]))).round(4)
    array([[0.7071],
           [0.7071]])
    """
    within, to = products.within, products.to
    size, words, before = len(to), within.diagonal(), products.centroid_length
    # the product of the new centroid with the old one is before² + step
    step = (to.mean(axis=0) - within.mean(axis=0)[:, None]) / size
    apart = words[:, None] + products.squares - 2.0 * to
    after = np.sqrt(np.maximum(before**2 + 2.0 * step + apart / size**2, 0.0))
    # a length that is nothing but rounding has no direction
    least = ROUNDING * (np.sqrt(words).sum() + np.sqrt(products.squares)) / size
    after[after <= least] = np.nan
    cosines: Floats = (before**2 + step) / (before * after)
    return np.clip(cosines, -1.0, 1.0)


def centroid_similarity(products: IntruderProducts) -> Floats:
    """Return the cosine of the topic's centroid to the intruder, which STREAM calls ISH."""
    to_centroid = products.to.mean(axis=0, keepdims=True)
    cosines: Floats = to_centroid / np.sqrt(products.squares) / products.centroid_length
    return np.clip(cosines, -1.0, 1.0)


# ---------------------------------------------------------------------- the metrics


@dataclass(frozen=True, repr=False, eq=False)
class IntruderSimilarity(IntruderMetric):
    """The mean cosine of the words to the intruder."""

    def intruder_values(self, products: IntruderProducts) -> Floats:
        """Compare each word with the intruder."""
        return intruder_similarity(products)


@dataclass(frozen=True, repr=False, eq=False)
class IntruderDetection(IntruderMetric):
    """The share of words whose least similar partner is the intruder."""

    least_words: ClassVar[int] = 2  # a single word has no partner

    def intruder_values(self, products: IntruderProducts) -> Floats:
        """Count the words that detect the intruder."""
        return detection_share(products, ties=self.settings.compat == "stream")


@dataclass(frozen=True, repr=False, eq=False)
class IntruderShift(IntruderMetric):
    """The cosine of the topic's centroid before and after a word is replaced."""

    of_centroids: ClassVar[bool] = True

    def remarks(self, models: Sequence[Topics]) -> list[str]:
        """Warn against choosing a model by this metric."""
        if len(models) < 2 or self.settings.compat == "stream":
            return []
        return [f"{self!r}: lower is declared better, but people prefer higher values"]

    def intruder_values(self, products: IntruderProducts) -> Floats:
        """Replace each word by the intruder."""
        if self.settings.compat == "stream":
            return centroid_similarity(products)
        return centroid_shift(products)


_EXPECTED = r"\sum_{c} p(c) \, "
_LIKELY = (
    r"p(c) = \frac{1}{\lvert E \rvert} \sum_{s \in E} "
    r"\frac{[c \in W_s, c \notin T]}{\lvert \{w \in W_s \, : \, w \notin T\} \rvert}"
)
_DRAWN = """\
    ω are the vectors of the topic's n words that have one, and T are all words that the topic
    lists. An intruder c comes from another topic of the model, drawn uniformly from E, those with a
    word outside of T; it is one of their first words W_s, drawn uniformly, but never one of T.
    Intruders without a vector are left out, and the p(c) of the others are made to sum to 1. [...]
    is 1 if the condition holds, else 0.

    Defaults: all words of the topics (10 are usual: @10), and the exact expectation over all
    intruders, which needs no random numbers. draws=10 draws that many for each topic and gives the
    standard error (a single draw has none).
    intruders=matched takes intruders that are about as frequent in the texts as the topic's words.
    A model of one topic has no intruders, and so no score."""

isim = IntruderSimilarity(
    name="isim",
    summary="mean cosine of a topic's words to a word of another topic",
    better="lower",
    bounds=(-1.0, 1.0),
    cite="Thielmann et al. 2024 (Topics in the Haystack)",
    settings=IntruderSettings(),
    aliases=("intruder_similarity",),
    formula=_EXPECTED + r"\frac{1}{n} \sum_{i=1}^{n} \cos(\omega_i, \omega_c), \quad " + _LIKELY,
    misleads=(
        "Intruders are similar in a model whose topics are all alike, and dissimilar in one with "
        "very different topics, whether these are good or not: it judges the model's variety at "
        "least as much as the topic, and its correlation with people changes its sign with the "
        "embedding. Embeddings in which all words are similar give high values to all topics."
    ),
    details=f"""\
    The mean over the topic's words of the cosine between the word's vector and an intruder's.
    {_DRAWN.strip()}
    compat=stream also draws words that the topic has itself, whose cosine is 1.
    """,
)

int_ = IntruderDetection(
    name="int",
    summary="share of a topic's words whose least similar partner is an intruder",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Thielmann et al. 2024 (Topics in the Haystack)",
    settings=IntruderSettings(),
    aliases=("intruder_accuracy",),
    formula=(
        _EXPECTED + r"\frac{1}{n} \sum_{i=1}^{n} \left[ \cos(\omega_i, \omega_c) < "
        r"\min_{j \ne i} \cos(\omega_i, \omega_j) \right], \quad " + _LIKELY
    ),
    misleads=(
        "One odd word in the topic hides the intruder from all others, so the value falls steeply "
        "with the number of words; topics of different lengths cannot be compared. If all topics "
        "of a model are about the same subject, good ones have a low value too, because their "
        "intruders do not stand out."
    ),
    details=f"""\
    The share of the topic's words that are strictly less similar to the intruder than to every
    other word of the topic. Cosines that differ by less than 1e-6 are equal.
    {_DRAWN.strip()}
    compat=stream also draws words that the topic has itself, and counts ties as detected.
    """,
)

ish = IntruderShift(
    name="ish",
    summary="cosine of a topic's centroid before and after an intruder replaces a word",
    better="lower",
    bounds=(-1.0, 1.0),
    cite="Thielmann et al. 2024 (Topics in the Haystack)",
    settings=IntruderSettings(),
    aliases=("intruder_shift",),
    formula=(
        _EXPECTED + r"\frac{1}{n} \sum_{j=1}^{n} "
        r"\cos \left( \mu, \mu + \frac{\omega_c - \omega_j}{n} \right), \quad "
        r"\mu = \frac{1}{n} \sum_{i=1}^{n} \omega_i, \quad " + _LIKELY
    ),
    misleads=(
        "People prefer topics with a high value, the opposite of what is declared: the words of a "
        "good topic point the same way, and an intruder turns their long mean less than the short "
        "mean of a mixed topic. Do not choose models by a low value. One of n words is replaced, "
        "so values are close to 1, and closer with more words: compare only values of the same "
        "number of words."
    ),
    details=f"""\
    The cosine between the mean of the topic's vectors and the mean after one of the words, drawn
    uniformly, has been replaced by the intruder.
    {_DRAWN.strip()}
    If vectors cancel out, the mean has no direction and there is no value.
    compat=stream is another formula: the cosine of the mean to the intruder itself.
    """,
)
