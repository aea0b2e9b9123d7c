"""MALLET's ``--topic-word-weights-file``: the weight of every word in every topic, by tabs."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.formats.mallet_keys import filled, is_number
from tealeaves.topics.formats.source import TopicsSource
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORM = "topic-word weights of MALLET"
STATED = ("top",)
_FIELDS = 3


@dataclass(frozen=True)
class Weights:
    """Counts and the prior together, a row a topic, and the words of the columns."""

    table: NDArray[np.float64]
    vocabulary: tuple[str, ...]

    @property
    def counts(self) -> NDArray[np.float64]:
        """The weights without the prior β: the least, that of a word which a topic never has."""
        return self.table - self.table.min() if len(self.table) > 1 else self.table

    @property
    def phi(self) -> NDArray[np.float64]:
        """The shares of the words, φ = (n_tw + β) / (n_t + Vβ)."""
        shares: NDArray[np.float64] = self.table / self.table.sum(axis=1)[:, None]
        return shares


def fits(file: TopicsSource) -> bool:
    """A topic, a word and a weight with a point in each line, from topic 0 on."""
    lines = [line.split("\t") for line in file.lines]
    return lines[0][0] == "0" and all(
        len(fields) == _FIELDS
        and fields[0].isdecimal()
        and "." in fields[2]
        and is_number(fields[2])
        for fields in lines
    )


def read(file: TopicsSource, parts: Parts) -> Topics:
    """Make a model of the weights alone."""
    return topics_of(parse(file), parts)


def topics_of(weights: Weights, parts: Parts, listed: tuple[Topic, ...] | None = None) -> Topics:
    """Make topics of the weights, with the words that are listed elsewhere, if any are."""
    every = listed or ranked_by(weights.counts, weights.phi, weights.vocabulary, parts)
    topics = filled(every, parts)
    return Topics(
        topics,
        model=parts.name,
        vocabulary=weights.vocabulary,
        topic_word=weights.phi[[every.index(topic) for topic in topics]],
    )


def parse(file: TopicsSource) -> Weights:
    """Read the weights line by line: all words of topic 0, then of 1, in one order."""
    import numpy as np

    values, vocabulary = array("d"), list[str]()
    with file.open() as stream:
        for number, line in enumerate(stream, 1):
            fields = line.decode("utf-8", "replace").strip("\r\n\ufeff").split("\t")
            if len(fields) != _FIELDS or not is_number(fields[2]):
                raise InputError(f"{file.name}:{number}: not a topic, a word and a weight, by tabs")
            if fields[0] == "0":
                vocabulary.append(fields[1])
            topic, column = divmod(len(values), len(vocabulary) or 1)
            if not vocabulary or fields[:2] != [str(topic), vocabulary[column]]:
                raise InputError(
                    f"{file.name}:{number}: topic {fields[0]!r:.20} and word {fields[1]!r:.40} are "
                    "not in their place: each topic has all words in one order"
                )
            values.append(float(fields[2].replace(",", ".")))
    if len(values) % len(vocabulary):
        raise InputError(f"{file.name}: the last topic has not all words: the file is cut short")
    table = np.frombuffer(values, dtype=np.float64).reshape(-1, len(vocabulary))
    if not np.isfinite(table).all() or not (table.sum(axis=1) > 0).all():
        raise InputError(f"{file.name}: a topic has no weight, or more than a number can hold")
    return Weights(table, tuple(vocabulary))


def ranked_by(counts: Any, phi: Any, vocabulary: Sequence[str], parts: Parts) -> tuple[Topic, ...]:
    """List the words by their counts: what a topic never has is none of its words.

    A topic without tokens has no words.
    """
    topics = []
    for number, row in enumerate(counts):
        best = (-row).argsort(kind="stable")[: parts.top]
        best = best[row[best] > 0]
        words = tuple(vocabulary[column] for column in best)
        topics.append(Topic(number, words, tuple(phi[number, best].tolist())))
    return tuple(topics)
