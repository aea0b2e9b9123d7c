"""``TermMatrix``: the most salient terms of a model and their weights in all topics.

After Termite (Chuang, Manning and Heer 2012). The order of terms and topics puts similar ones side
by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.topics.distributions import topic_shares, topics_given_words
from tealeaves.topics.matrices import TOLERANCE, is_distribution
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topic, TopicId, Topics

WeightKind = Literal["probabilities", "weights", "ranks"]
TERMS = 80  # as many as a page shows
_FIRST_WORDS = 2  # of each topic: they are kept before more salient terms


@dataclass(frozen=True, eq=False)
class TermMatrix:
    """A matrix of terms and topics, both in an order that puts similar ones side by side.

    ``values`` has one row per term and one column per topic; topics keep their ids. ``weights``
    says what the values are: ``probabilities`` p(w|t); the ``weights`` that the model gives its
    words, divided by their sum if that is more than 1; or ``ranks``, 1 divided by the rank of the
    word. ``words`` are the words of each topic, column by column. ``left_out`` is the number of
    terms that were dropped because there were too many.
    """

    model: str
    terms: tuple[str, ...]
    topics: tuple[TopicId, ...]
    values: Floats
    saliency: Floats
    weights: WeightKind
    words: tuple[tuple[str, ...], ...]
    left_out: int = 0

    def to_dicts(self, least: float = 0.0) -> list[dict[str, Any]]:
        """Return term, topic and weight of the cells that are not zero, term after term.

        ``least`` leaves out weights below this share of the largest weight, for models whose words
        have some weight in all topics.
        """
        bound = least * float(self.values.max(initial=0.0))
        return [
            {"term": term, "topic": topic, "weight": value}
            for term, row in zip(self.terms, self.values.tolist(), strict=True)
            for topic, value in zip(self.topics, row, strict=True)
            if value > 0 and value >= bound
        ]


def term_matrix(topics: Topics, *, words: int = 10, terms: int | None = TERMS) -> TermMatrix:
    """Return the matrix of the first ``words`` of all topics.

    If these are more than ``terms``, the first words of the topics are kept, then their second
    words, then the most salient terms. None keeps all.

    >>> matrix = term_matrix(Topics.of([["cat", "dog"], ["soup", "bread"], ["dog", "horse"]]))
    >>> matrix.topics, matrix.terms, matrix.weights
    ((0, 2, 1), ('cat', 'dog', 'horse', 'soup', 'bread'), 'ranks')
    """
    from tealeaves.statistics.seriation import cosines, diagonal_order, similarity_order

    _check_arguments(topics, words, terms)
    candidates = list(
        dict.fromkeys(word for topic in topics.topics for word in topic.words[:words])
    )
    values, weights = _weights(topics, candidates)
    scale = values.sum(axis=1, keepdims=True) if weights == "ranks" else 1.0
    salient = saliency(values / scale, topic_shares(topics).values)
    selection = _most_important(topics, candidates, salient, min(words, _FIRST_WORDS), terms)
    # square roots: else the most frequent word of a topic would outweigh all others
    columns = similarity_order(cosines(values**0.5))
    rows = [selection[row] for row in diagonal_order(values[columns][:, selection].T)]
    return TermMatrix(
        model=topics.model,
        terms=tuple(candidates[row] for row in rows),
        topics=tuple(topics[column].id for column in columns),
        values=values[columns][:, rows].T,
        saliency=salient[rows],
        weights=weights,
        words=tuple(topics[column].words for column in columns),
        left_out=len(candidates) - len(selection),
    )


def saliency(phi: Floats, shares: Floats) -> Floats:
    r"""Return :math:`p(w) \sum_t p(t|w) \log (p(t|w) / p(t))` of each word (Chuang et al. 2012).

    ``phi`` is p(w|t), one row per topic; ``shares`` is p(t).

    >>> import numpy as np
    >>> saliency(np.array([[0.5, 0.5, 0], [0.5, 0, 0.5]]), np.array([0.5, 0.5])).round(4).tolist()
    [0.0, 0.1733, 0.1733]
    """
    import numpy as np

    posterior = topics_given_words(phi, shares)
    ratio = np.divide(posterior, shares[:, None], out=np.ones_like(phi), where=posterior > 0)
    salient: Floats = (phi * shares[:, None]).sum(axis=0) * (posterior * np.log(ratio)).sum(axis=0)
    return salient


def _check_arguments(topics: Topics, words: int, terms: int | None) -> None:
    if isinstance(topics, MultilingualTopics):
        raise InputError(
            f"{topics.model}: each language has its own terms: give one side, such as "
            f"topics.side({topics.languages[0]!r})"
        )
    if words < 1 or (terms is not None and terms < 1):
        raise InputError("words and terms must be at least 1")


def _weights(topics: Topics, terms: list[str]) -> tuple[Floats, WeightKind]:
    """Return the weight of each term in each topic: from φ, else the listed weights, else ranks."""
    import numpy as np

    if topics.topic_word is not None and set(terms) <= set(topics.vocabulary or ()):
        place = {word: column for column, word in enumerate(topics.vocabulary or ())}
        values = topics.topic_word[:, [place[word] for word in terms]]
        sums = topics.topic_word.sum(axis=1, keepdims=True)
        shares = np.divide(values, sums, out=np.zeros_like(values), where=sums > 0)
        return shares, "probabilities" if is_distribution(topics.topic_word) else "weights"
    place = {word: column for column, word in enumerate(terms)}
    shares_of_topics = _listed_weights(topics)
    values = np.zeros((len(topics), len(terms)))
    for row, topic in enumerate(topics.topics):
        weights = shares_of_topics[row] if shares_of_topics else _inverse_ranks(topic)
        for word, weight in zip(topic.words, weights, strict=True):
            if word in place:
                values[row, place[word]] = weight
    return values, "weights" if shares_of_topics else "ranks"


def _listed_weights(topics: Topics) -> list[list[float]]:
    """Return the weights of the topics' words as shares, [] if some are missing or negative."""
    rows = [list(topic.weights or ()) for topic in topics.topics]
    sums = [sum(weights) for weights in rows]
    if not all(sums) or min(min(weights) for weights in rows) < 0:
        return []
    if max(sums) <= 1 + TOLERANCE:  # they may be probabilities of the first words
        return rows
    return [
        [weight / total for weight in weights] for weights, total in zip(rows, sums, strict=True)
    ]


def _inverse_ranks(topic: Topic) -> list[float]:
    return [1 / rank for rank in range(1, len(topic.words) + 1)]


def _most_important(
    topics: Topics, candidates: list[str], salient: Floats, first: int, terms: int | None
) -> list[int]:
    """Return the candidates to keep: the ``first`` words of topics, then the most salient."""
    import numpy as np

    # rounded: values that are equal on paper differ in the last digit
    by_saliency = np.argsort(-salient.round(12), kind="stable").tolist()
    ordered: dict[int, None] = {}
    for rank in range(first):
        words = {topic.words[rank] for topic in topics.topics if len(topic.words) > rank}
        ordered |= dict.fromkeys(row for row in by_saliency if candidates[row] in words)
    ordered |= dict.fromkeys(by_saliency)
    return sorted(list(ordered)[:terms])
