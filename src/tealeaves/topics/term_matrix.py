"""``TermMatrix``: which terms belong to which topics, in an order that shows it.

After Termite (Chuang, Manning and Heer 2012): the most salient terms against all topics.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tealeaves.errors import InputError
from tealeaves.topics.distributions import topic_shares
from tealeaves.topics.matrices import TOLERANCE, is_distribution
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topic, TopicId, Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

Weights = Literal["probabilities", "weights", "ranks"]
#: More terms are more than a page.
TERMS = 80
_FIRST = 2  # words of each topic that come before more salient ones


@dataclass(frozen=True, eq=False)
class TermMatrix:
    """Terms against topics, both in an order that puts together what belongs together.

    ``values`` has a row a term and a column a topic, which keeps its id. ``weights`` says what
    they are: ``probabilities`` p(w|t); the ``weights`` that a model gives its words, divided by
    their sum where that is more than 1; or ``ranks``, one divided by the place of the word in the
    topic. ``words`` are the words of each topic, column by column, and ``left_out`` is the number
    of terms that had no room.
    """

    model: str
    terms: tuple[str, ...]
    topics: tuple[TopicId, ...]
    values: Floats
    saliency: Floats
    weights: Weights
    words: tuple[tuple[str, ...], ...]
    left_out: int = 0

    def to_dicts(self, least: float = 0.0) -> list[dict[str, Any]]:
        """Return the cells that are not zero: term, topic and weight, term after term.

        Where all words have some weight in all topics, ``least`` leaves out those that are less
        than such a share of the largest weight.
        """
        bound = least * float(self.values.max(initial=0.0))
        return [
            {"term": term, "topic": topic, "weight": value}
            for term, row in zip(self.terms, self.values.tolist(), strict=True)
            for topic, value in zip(self.topics, row, strict=True)
            if value > 0 and value >= bound
        ]


def term_matrix(topics: Topics, *, words: int = 10, terms: int | None = TERMS) -> TermMatrix:
    """Return the first words of all topics against all topics.

    Where there are more than ``terms``, the most salient are kept; but first words of topics come
    before, as far as there is room, and then second words. None keeps all.

    >>> found = term_matrix(Topics.of([["cat", "dog"], ["soup", "bread"], ["dog", "horse"]]))
    >>> found.topics, found.terms, found.weights
    ((0, 2, 1), ('cat', 'dog', 'horse', 'soup', 'bread'), 'ranks')
    """
    from tealeaves.statistics.seriation import along_diagonal, cosines, seriated

    _check(topics, words, terms)
    candidates = list(dict.fromkeys(word for one in topics.topics for word in one.words[:words]))
    given, weights = _weights(topics, candidates)
    scale = given.sum(axis=1, keepdims=True) if weights == "ranks" else 1.0
    salient = saliency(given / scale, topic_shares(topics).values)
    kept = _kept(topics, candidates, salient, min(words, _FIRST), terms)
    # of roots: else the most frequent word of a topic would be all that counts
    columns = seriated(cosines(given**0.5))
    rows = [kept[row] for row in along_diagonal(given[columns][:, kept].T)]
    return TermMatrix(
        model=topics.model,
        terms=tuple(candidates[row] for row in rows),
        topics=tuple(topics[column].id for column in columns),
        values=given[columns][:, rows].T,
        saliency=salient[rows],
        weights=weights,
        words=tuple(topics[column].words for column in columns),
        left_out=len(candidates) - len(kept),
    )


def saliency(given: Floats, shares: Floats) -> Floats:
    r"""Return :math:`p(w) \sum_t p(t|w) \log (p(t|w) / p(t))` of each word (Chuang et al. 2012).

    ``given`` is p(w|t), a row a topic, over the words that are known; ``shares`` is p(t).

    >>> import numpy as np
    >>> saliency(np.array([[0.5, 0.5, 0], [0.5, 0, 0.5]]), np.array([0.5, 0.5])).round(4).tolist()
    [0.0, 0.1733, 0.1733]
    """
    import numpy as np

    joint: Floats = given * shares[:, None]
    total = joint.sum(axis=0)
    topic_given = np.divide(joint, total, out=np.zeros_like(joint), where=total > 0)
    ratio = np.divide(topic_given, shares[:, None], out=np.ones_like(joint), where=topic_given > 0)
    found: Floats = total * (topic_given * np.log(ratio)).sum(axis=0)
    return found


def _check(topics: Topics, words: int, terms: int | None) -> None:
    if isinstance(topics, MultilingualTopics):
        raise InputError(
            f"{topics.model}: each language has terms of its own: give one side, such as "
            f"topics.side({topics.languages[0]!r})"
        )
    if words < 1 or (terms is not None and terms < 1):
        raise InputError("a matrix of terms has at least 1 word of each topic, and 1 term")


def _weights(topics: Topics, terms: list[str]) -> tuple[Floats, Weights]:
    """Return a weight for each topic and term, from the best source that the model has."""
    import numpy as np

    if topics.topic_word is not None and set(terms) <= set(topics.vocabulary or ()):
        place = {word: column for column, word in enumerate(topics.vocabulary or ())}
        found = topics.topic_word[:, [place[word] for word in terms]]
        sums = topics.topic_word.sum(axis=1, keepdims=True)
        shares = np.divide(found, sums, out=np.zeros_like(found), where=sums > 0)
        return shares, "probabilities" if is_distribution(topics.topic_word) else "weights"
    place = {word: column for column, word in enumerate(terms)}
    listed = _listed_weights(topics)
    found = np.zeros((len(topics), len(terms)))
    for row, topic in enumerate(topics.topics):
        each = listed[row] if listed else _ranks(topic)
        for word, weight in zip(topic.words, each, strict=True):
            if word in place:
                found[row, place[word]] = weight
    return found, "weights" if listed else "ranks"


def _listed_weights(topics: Topics) -> list[list[float]]:
    """Return the weights of the topics' words; none where they are no shares of anything."""
    each = [list(topic.weights or ()) for topic in topics.topics]
    sums = [sum(weights) for weights in each]
    if not all(sums) or min(min(weights) for weights in each) < 0:
        return []
    if max(sums) <= 1 + TOLERANCE:  # they may be probabilities of the first words
        return each
    return [
        [weight / total for weight in weights] for weights, total in zip(each, sums, strict=True)
    ]


def _ranks(topic: Topic) -> list[float]:
    return [1 / rank for rank in range(1, len(topic.words) + 1)]


def _kept(
    topics: Topics, candidates: list[str], salient: Floats, first: int, terms: int | None
) -> list[int]:
    """Return which candidates have room: words that topics begin with, then the most salient."""
    import numpy as np

    # rounded, for what is equal by hand is not so to the last digit
    by_saliency = np.argsort(-salient.round(12), kind="stable").tolist()
    room = len(candidates) if terms is None else terms
    kept: dict[int, None] = {}
    for rank in range(first):
        begins = {one.words[rank] for one in topics.topics if len(one.words) > rank}
        kept |= dict.fromkeys(row for row in by_saliency if candidates[row] in begins)
    kept |= dict.fromkeys(by_saliency)
    return sorted(list(kept)[:room])
