"""``Topics``: the ranked words of a model's topics, and what else the model says."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from operator import index
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics.assignments import Assignments, checked_assignments
from tealeaves.topics.checking import (
    check_ids,
    check_sizes,
    checked_word,
    is_finite,
    number_of_documents,
)
from tealeaves.topics.matrices import (
    best_topic_of_each,
    best_topics,
    document_topic_matrix,
    sample_matrices,
    topic_positions,
    topic_word_matrix,
    whole_numbers,
)

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

    Parameters
    ----------
    topics
        The topics; all else is what the model says beside their words, where it is known.
    model
        The model's name.
    language
        The language of the words.
    vocabulary, topic_word
        The words of the columns of a K×V matrix, a row a topic: φ = p(w|t), or weights.
    document_topic
        A D×K matrix, a row a document: θ = p(t|d).
    best_topic
        The position of each document's topic, -1 for none, for models that give but one.
    document_ids, document_lengths
        The ids of the documents, and how many tokens each has.
    term_frequency
        How often each word of the vocabulary occurs.
    assignments
        The topic of each token.
    samples
        S×K×V: φ in several samples of one chain.
    outliers
        The number of documents without a topic.
    family
        What several runs of one model have in common, such as ``lda(k=20)``.
    tokens
        The token pipeline whose tokens the words are, such as ``words(stopwords=en)``.

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
    best_topic: NDArray[np.int32] | None = field(default=None, compare=False)
    document_ids: tuple[str, ...] | None = None
    document_lengths: NDArray[np.int64] | None = field(default=None, compare=False)
    term_frequency: NDArray[np.int64] | None = field(default=None, compare=False)
    assignments: Assignments | None = field(default=None, compare=False)
    samples: NDArray[np.float64] | None = field(default=None, compare=False)
    family: str = ""
    tokens: str = ""

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

    def _repr_html_(self) -> str:
        from tealeaves.topics.html import topics_html

        return topics_html(self)

    def documents_per_topic(self) -> tuple[list[int], int] | None:
        """Return how many documents have each topic as their best, and how many have none.

        Taken from the topics' own counts, else from the document-topic matrix; ``None`` where
        the model says neither.
        """
        given = [topic.documents for topic in self.topics if topic.documents is not None]
        if len(given) == len(self):
            return given, self.outliers
        if self.best_topic is not None:
            found = Counter(self.best_topic.tolist())
            return [found[k] for k in range(len(self))], found[-1]
        if self.document_topic is not None:
            counts, outliers = best_topics(self.document_topic)
            return counts, outliers + self.outliers
        return None

    def topic_of_documents(self) -> NDArray[np.int32] | None:
        """Return the position of each document's best topic, -1 for none; None if not known."""
        if self.best_topic is not None:
            return self.best_topic
        return None if self.document_topic is None else best_topic_of_each(self.document_topic)

    @property
    def documents(self) -> int | None:
        """The number of documents that the model was made of, where it is known."""
        known = (self.document_topic, self.best_topic, self.document_ids, self.assignments)
        return next((len(one) for one in known if one is not None), None)

    @cached_property
    def word_numbers(self) -> tuple[tuple[int, ...], ...]:
        """The topics' words as numbers: the same word has the same one in all topics."""
        numbers: dict[str, int] = {}
        return tuple(
            tuple([numbers.setdefault(word, len(numbers)) for word in topic.words])
            for topic in self.topics
        )

    @cached_property
    def digest(self) -> int:
        """A hash of the topics' words, and of their distributions where they are known."""
        found = blake2b(digest_size=8)
        for topic in self.topics:
            found.update("\0".join((*topic.words, "")).encode("utf-8", "surrogatepass") + b"\n")
        if self.topic_word is not None:
            found.update(self.topic_word.tobytes())
        return int.from_bytes(found.digest(), "little")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write ``.json``, or ``.topics``, where matrices are binary."""
        from tealeaves.topics.canonical import write_topics

        write_topics(self, path)

    def _checked(self, topic: Topic) -> Topic:
        """Strip, check and, where a word is listed twice, mend one topic."""
        where = f"{self.model}: topic {topic.id}"
        if not topic.words:
            raise InputError(f"{where} has no words")
        words = tuple(checked_word(word, rank, where) for rank, word in enumerate(topic.words, 1))
        weights = topic.weights
        if weights is not None and len(weights) != len(words):
            raise InputError(f"{where} has {len(words)} words but {len(weights)} weights")
        if weights is not None and not all(is_finite(weight) for weight in weights):
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
        return Topic(identity, tuple(kept), plain, number_of_documents(topic.documents, where))

    def _check_matrices(self) -> None:
        words = None if self.vocabulary is None else len(self.vocabulary)
        for name in ("topic_word", "samples", "term_frequency"):
            if getattr(self, name) is not None and words is None:
                what = name.replace("_", "-")
                raise InputError(f"{self.model}: a {what} matrix needs its vocabulary")
        shape = (len(self), words or 0)
        self._check("topic_word", lambda found: topic_word_matrix(found, shape, self.model))
        self._check("samples", lambda found: sample_matrices(found, shape, self.model))
        self._check(
            "term_frequency",
            lambda found: whole_numbers(found, shape[1], "word frequencies", self.model),
        )
        self._check(
            "document_topic", lambda found: document_topic_matrix(found, len(self), self.model)
        )
        self._check("best_topic", lambda found: topic_positions(found, len(self), self.model))
        self._check(
            "assignments",
            lambda found: checked_assignments(found, *shape, self.model),
        )
        self._check("document_lengths", self._checked_lengths)
        self._check_documents()

    def _check(self, name: str, checked: Callable[[Any], Any]) -> None:
        """Put what was checked in the place of what was given."""
        if getattr(self, name) is not None:
            object.__setattr__(self, name, checked(getattr(self, name)))

    def _checked_lengths(self, found: Any) -> NDArray[np.int64]:
        size = self.documents
        lengths = whole_numbers(
            found, len(found) if size is None else size, "document lengths", self.model
        )
        if len(lengths) and lengths.min() < 0:
            raise InputError(f"{self.model}: a document has a negative length")
        return lengths

    def _check_documents(self) -> None:
        """Refuse parts that speak of different numbers of documents."""
        check_sizes(self._sizes(), self.model)
        check_ids(self.document_ids or (), self.model)

    def _sizes(self) -> dict[str, Sized | None]:
        """Return what has a place for each document."""
        return {
            "document-topic matrix": self.document_topic,
            "best topics": self.best_topic,
            "document ids": self.document_ids,
            "token assignments": self.assignments,
        }
