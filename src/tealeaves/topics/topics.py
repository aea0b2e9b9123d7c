"""``Topics``: the ranked words of a model's topics, and what else the model says."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import TYPE_CHECKING, Any, SupportsFloat

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics.matrices import best_topics, document_topic_matrix, topic_word_matrix

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TopicId = int | str

# from the check of one topic up to the line that makes the topics
_CALLER = 5


@dataclass(frozen=True)
class Topic:
    """One topic: its words, best first.

    ``documents`` is the number of documents whose best topic this is, where it is known.
    """

    id: TopicId
    words: tuple[str, ...]
    weights: tuple[float, ...] | None = None
    documents: int | None = None


@dataclass(frozen=True)
class Topics:
    """The topics of one model.

    Topics may be of different lengths; the order of words and the ids are kept. A word that a
    topic lists twice counts once, with a warning.

    >>> topics = Topics.of([["cat", "dog", "horse"], ["bread", "soup"]], model="toy")
    >>> topics[1].words
    ('bread', 'soup')
    >>> topics
    Topics(toy: 2 topics)
    """

    topics: tuple[Topic, ...]
    model: str = "model"
    language: str = ""
    vocabulary: tuple[str, ...] | None = None
    topic_word: NDArray[np.float64] | None = field(default=None, compare=False)
    document_topic: NDArray[np.float64] | None = field(default=None, compare=False)
    outliers: int = 0

    def __post_init__(self) -> None:
        if not self.topics:
            raise InputError(f"{self.model}: no topics")
        if self.outliers < 0:
            raise InputError(f"{self.model}: a negative number of outliers")
        object.__setattr__(self, "topics", tuple(self._checked(topic) for topic in self.topics))
        seen: set[str] = set()
        for topic in self.topics:
            if str(topic.id) in seen:  # 1 and "1" are one id to every table
                raise InputError(f"{self.model}: the topic id {topic.id!r} is given twice")
            seen.add(str(topic.id))
        self._check_matrices()

    @classmethod
    def of(
        cls,
        words: Iterable[Sequence[str]] | Mapping[Any, Sequence[str]],
        *,
        model: str = "model",
        documents: Sequence[int] | None = None,
        **known: Any,
    ) -> Topics:
        """Make topics of word lists, or of a mapping from ids to word lists."""
        lists = dict(words.items() if isinstance(words, Mapping) else enumerate(words))
        if documents is not None and len(documents) != len(lists):
            raise InputError(f"{model}: {len(documents)} document counts for {len(lists)} topics")
        for topic, listed in lists.items():
            if isinstance(listed, str) or not isinstance(listed, Iterable):
                kind = "a string" if isinstance(listed, str) else repr(listed)[:40]
                raise InputError(f"{model}: topic {topic} is {kind}; give a list of words")
        counts = [None] * len(lists) if documents is None else list(documents)
        topics = tuple(
            Topic(topic, tuple(listed), documents=count)
            for (topic, listed), count in zip(lists.items(), counts, strict=True)
        )
        return cls(topics, model=model, **known)

    def __len__(self) -> int:
        return len(self.topics)

    def __getitem__(self, index: int) -> Topic:
        return self.topics[index]

    def __repr__(self) -> str:
        return f"Topics({self.model}: {len(self)} topics)"

    def documents_per_topic(self) -> tuple[list[int], int] | None:
        """Return how many documents have each topic as their best, and how many have none.

        Taken from the topics' own counts, else from the document-topic matrix; ``None`` where
        the model says neither.
        """
        given = [topic.documents for topic in self.topics if topic.documents is not None]
        if len(given) == len(self):
            return given, self.outliers
        if self.document_topic is not None:
            counts, outliers = best_topics(self.document_topic)
            return counts, outliers + self.outliers
        return None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the canonical JSON."""
        from tealeaves.topics.canonical import write_topics

        write_topics(self, path)

    def _checked(self, topic: Topic) -> Topic:
        """Strip, check and, where a word is listed twice, mend one topic."""
        where = f"{self.model}: topic {topic.id}"
        if not topic.words:
            raise InputError(f"{where} has no words")
        words = tuple(_checked_word(word, rank, where) for rank, word in enumerate(topic.words, 1))
        weights = topic.weights
        if weights is not None and len(weights) != len(words):
            raise InputError(f"{where} has {len(words)} words but {len(weights)} weights")
        if weights is not None and not all(_is_finite(weight) for weight in weights):
            raise InputError(f"{where} has a weight that is not a finite number")
        kept = list(dict.fromkeys(words))
        if len(kept) < len(words):
            twice = ", ".join(sorted({word for word in words if words.count(word) > 1}))
            message = f"{where} lists a word more than once ({twice}); it counts once"
            warnings.warn(message, TealeavesWarning, stacklevel=_CALLER)
            if weights is not None:
                weights = tuple(weights[words.index(word)] for word in kept)
        # plain numbers, whatever a library's arrays gave
        try:
            identity = topic.id if isinstance(topic.id, str) else index(topic.id)
        except TypeError as error:
            raise InputError(f"{where}: an id must be a whole number or a string") from error
        plain = None if weights is None else tuple(map(float, weights))
        return Topic(identity, tuple(kept), plain, _whole(topic.documents, where))

    def _check_matrices(self) -> None:
        if self.topic_word is not None:
            if self.vocabulary is None:
                raise InputError(f"{self.model}: a topic-word matrix needs its vocabulary")
            shape = (len(self), len(self.vocabulary))
            matrix = topic_word_matrix(self.topic_word, shape, self.model)
            object.__setattr__(self, "topic_word", matrix)
        if self.document_topic is not None:
            matrix = document_topic_matrix(self.document_topic, len(self), self.model)
            object.__setattr__(self, "document_topic", matrix)


def _is_finite(weight: object) -> bool:
    return isinstance(weight, SupportsFloat) and math.isfinite(float(weight))


def _whole(documents: Any, where: str) -> int | None:
    """Return a number of documents as a plain one."""
    try:
        number = None if documents is None else index(documents)
    except TypeError as error:
        raise InputError(f"{where}: {documents!r} is not a number of documents") from error
    if number is not None and number < 0:
        raise InputError(f"{where} has a negative number of documents")
    return number


def _checked_word(word: object, rank: int, where: str) -> str:
    if not isinstance(word, str):
        raise InputError(f"{where}: word {rank} is {word!r}, not a string")
    if not word.strip():
        raise InputError(f"{where}: word {rank} is empty")
    return word.strip()
