"""``Topics``: the ranked words of a model's topics, and what else is known of the model."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from html import escape
from operator import index
from typing import TYPE_CHECKING, Any, SupportsFloat

from tealeaves.errors import InputError, warn_caller
from tealeaves.parameters import check_keywords
from tealeaves.tables.numbers import list_text
from tealeaves.topics.assignments import Assignments, check_assignments
from tealeaves.topics.matrices import (
    best_topics,
    check_best_topics,
    check_document_topic,
    check_samples,
    check_topic_word,
    check_whole_numbers,
)

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers, Integers32

TopicId = int | str

_HTML_TOPICS = 50  # that a notebook shows


@dataclass(frozen=True)
class Topic:
    """One topic: its words, best first.

    Parameters
    ----------
    id
        The number or name of the topic.
    words
        The words, best first.
    weights
        The weight of each word, None if they are unknown.
    documents
        The number of documents whose best topic this is, None if it is unknown.
    """

    id: TopicId
    words: tuple[str, ...]
    weights: tuple[float, ...] | None = None
    documents: int | None = None


@dataclass(frozen=True)
class Topics:
    """The topics of one model.

    Topics may differ in length. The order of the words and the ids are kept. A word that a topic
    lists twice counts once, and a warning says so.

    Parameters
    ----------
    topics
        The topics. Everything else is optional: what the model knows besides their words.
    model
        The name of the model.
    language
        The language of the words.
    vocabulary
        The words of the columns of ``topic_word``.
    topic_word
        A K×V matrix with one row per topic: φ = p(w|t), or weights.
    document_topic
        A D×K matrix with one row per document: θ = p(t|d).
    best_topic
        The position of each document's topic, -1 for none, for models that give only one.
    document_ids
        The ids of the documents.
    document_lengths
        The number of tokens of each document.
    term_frequency
        How often each word of the vocabulary occurs.
    assignments
        The topic of each token.
    samples
        S×K×V: φ in several samples of one chain.
    outliers
        The number of documents without a topic.
    family
        A name that several runs of one model share, such as ``lda(k=20)``.
    tokens
        The token pipeline that made the words, such as ``words(stopwords=en)``.

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
    topic_word: Floats | None = field(default=None, compare=False)
    document_topic: Floats | None = field(default=None, compare=False)
    outliers: int = 0
    best_topic: Integers32 | None = field(default=None, compare=False)
    document_ids: tuple[str, ...] | None = None
    document_lengths: Integers | None = field(default=None, compare=False)
    term_frequency: Integers | None = field(default=None, compare=False)
    assignments: Assignments | None = field(default=None, compare=False)
    samples: Floats | None = field(default=None, compare=False)
    family: str = ""
    tokens: str = ""

    def __post_init__(self) -> None:
        if not self.topics:
            raise InputError(f"{self.model}: no topics")
        if self.outliers < 0:
            raise InputError(f"{self.model}: a negative number of outliers")
        object.__setattr__(self, "topics", tuple(map(self._check_topic, self.topics)))
        ids: set[str] = set()
        for topic in self.topics:
            if str(topic.id) in ids:  # tables cannot tell 1 from "1"
                raise InputError(f"{self.model}: the topic id {topic.id!r} is given twice")
            ids.add(str(topic.id))
        self._check_matrices()
        self._check_documents()

    @classmethod
    def of(
        cls,
        words: Iterable[Sequence[str]] | Mapping[Any, Sequence[str]],
        *,
        model: str = "model",
        documents: Sequence[int] | None = None,
        **known: Any,
    ) -> Topics:
        """Make topics of word lists, or of a mapping from ids to word lists.

        Parameters
        ----------
        words
            The words of each topic, best first.
        model
            The name of the model.
        documents
            The number of documents whose best topic each topic is.
        known
            Other fields of :class:`Topics`, as in ``language="en"``.
        """
        check_keywords(Topics.of, known, cls)
        if isinstance(words, str) or not isinstance(words, Iterable):
            raise InputError(f"{model}: {words!r:.40} is no list of topics")
        lists = dict(words.items() if isinstance(words, Mapping) else enumerate(words))
        if documents is not None and len(documents) != len(lists):
            raise InputError(f"{model}: {len(documents)} document counts for {len(lists)} topics")
        for identity, word_list in lists.items():
            if isinstance(word_list, str) or not isinstance(word_list, Iterable):
                kind = "a string" if isinstance(word_list, str) else repr(word_list)[:40]
                raise InputError(f"{model}: topic {identity} is {kind}; give a list of words")
        counts = [None] * len(lists) if documents is None else list(documents)
        topics = tuple(
            Topic(identity, tuple(word_list), documents=count)
            for (identity, word_list), count in zip(lists.items(), counts, strict=True)
        )
        return cls(topics, model=model, **known)

    def __len__(self) -> int:
        return len(self.topics)

    def __getitem__(self, index: int) -> Topic:
        return self.topics[index]

    def __repr__(self) -> str:
        return f"Topics({self.model}: {len(self)} topics)"

    def _repr_html_(self) -> str:
        return html_of_topics(self, {"words": self})

    def preview(self, words: int = 10) -> str:
        """Return the first words of each topic, a line for each topic and language.

        >>> print(Topics.of([["cat", "dog"], ["soup", "bread"]], documents=[3, 12]).preview())
        0       3 texts  cat dog
        1      12 texts  soup bread
        """
        return "\n".join(self._preview_lines({"": self}, "texts", words))

    def _preview_lines(
        self, sides: Mapping[str, Topics], documents: str, words: int
    ) -> Iterator[str]:
        counts = self.documents_per_topic()
        width = max(len(str(topic.id)) for topic in self.topics)
        for number, topic in enumerate(self.topics):
            texts = f"{counts[0][number]:>6} {documents}  " if counts else ""
            start = f"{topic.id!s:>{width}}  {texts}"
            for language, side in sides.items():
                name = f"{language}: " if language else ""
                yield f"{start}{name}{' '.join(side[number].words[:words])}"
                start = " " * len(start)

    def only(self, topic: int | str) -> Topics:
        """Return a model of one of the topics, without matrices.

        >>> Topics.of([["cat", "dog"], ["soup", "bread"]]).only(1).topics[0].words
        ('soup', 'bread')
        """
        for one in self.topics:
            if str(one.id) == str(topic):
                return Topics((one,), model=self.model, tokens=self.tokens)
        known = list_text([str(one.id) for one in self.topics])
        raise InputError(f"{self.model}: no topic {topic} (there are {known})")

    def documents_per_topic(self) -> tuple[list[int], int] | None:
        """Return how many documents have each topic as their best, and how many have none.

        The numbers come from the topics, else from the best topics, else from the document-topic
        matrix. Return None if the model has none of them.
        """
        counts = [topic.documents for topic in self.topics if topic.documents is not None]
        if len(counts) == len(self):
            return counts, self.outliers
        best = self.topic_of_documents()
        if best is None:
            return None
        documents = Counter(best.tolist())
        outliers = documents[-1] + (self.outliers if self.best_topic is None else 0)
        return [documents[k] for k in range(len(self))], outliers

    def topic_of_documents(self) -> Integers32 | None:
        """Return the position of each document's best topic, -1 for none; None if unknown."""
        if self.best_topic is not None:
            return self.best_topic
        return None if self.document_topic is None else best_topics(self.document_topic)

    @property
    def documents(self) -> int | None:
        """The number of documents that the model was trained on, None if it is unknown."""
        parts = self._document_parts().values()
        return next((len(part) for part in parts if part is not None), None)

    @cached_property
    def word_numbers(self) -> tuple[tuple[int, ...], ...]:
        """The words of the topics as numbers; a word has the same number in all topics."""
        numbers: dict[str, int] = {}
        return tuple(
            tuple([numbers.setdefault(word, len(numbers)) for word in topic.words])
            for topic in self.topics
        )

    @cached_property
    def digest(self) -> int:
        """A hash of the topics' words and, if there is one, of the topic-word matrix."""
        digest = blake2b(digest_size=8)
        for topic in self.topics:
            digest.update("\0".join((*topic.words, "")).encode("utf-8", "surrogatepass") + b"\n")
        if self.topic_word is not None:
            from tealeaves.arrays import little_endian_bytes

            digest.update(little_endian_bytes(self.topic_word))
        return int.from_bytes(digest.digest(), "little")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a ``.json`` file, or a ``.topics`` file, in which matrices are binary."""
        from tealeaves.topics.formats.canonical import write_topics

        write_topics(self, path)

    def _check_topic(self, topic: Topic) -> Topic:
        """Return a topic with stripped words, each once, and plain numbers."""
        where = f"{self.model}: topic {topic.id}"
        if not topic.words:
            raise InputError(f"{where} has no words")
        words = _check_words(topic.words, where)
        weights = topic.weights
        if weights is not None and len(weights) != len(words):
            raise InputError(f"{where} has {len(words)} words but {len(weights)} weights")
        if weights is not None and not all(map(_is_finite, weights)):
            raise InputError(f"{where} has a weight that is not a finite number")
        unique = list(dict.fromkeys(words))
        if len(unique) < len(words):
            counts = Counter(words)
            twice = list_text(sorted(word for word in unique if counts[word] > 1))
            warn_caller(f"{where} lists a word more than once ({twice}); it counts once")
            if weights is not None:
                first = dict(zip(reversed(words), reversed(weights), strict=True))
                weights = tuple(first[word] for word in unique)
        try:  # ids and weights may be numbers of numpy
            identity = topic.id if isinstance(topic.id, str) else index(topic.id)
        except TypeError as error:
            raise InputError(f"{where}: an id must be a whole number or a string") from error
        plain = None if weights is None else tuple(map(float, weights))
        return Topic(identity, tuple(unique), plain, check_document_count(topic.documents, where))

    def _check_matrices(self) -> None:
        """Check the matrices and arrays, and convert each to its type."""
        for name in ("topic_word", "samples", "term_frequency"):
            if getattr(self, name) is not None and self.vocabulary is None:
                matrix = name.replace("_", "-")
                raise InputError(f"{self.model}: a {matrix} matrix needs its vocabulary")
        model, topics, words = self.model, len(self), len(self.vocabulary or ())
        checks: dict[str, Callable[[Any], Any]] = {
            "topic_word": lambda values: check_topic_word(values, (topics, words), model),
            "samples": lambda values: check_samples(values, (topics, words), model),
            "term_frequency": lambda values: check_whole_numbers(
                values, words, "word frequencies", model
            ),
            "document_topic": lambda values: check_document_topic(values, topics, model),
            "best_topic": lambda values: check_best_topics(values, topics, model),
            "assignments": lambda values: check_assignments(values, topics, words, model),
            "document_lengths": self._check_lengths,
        }
        for name, check in checks.items():
            values = getattr(self, name)
            if values is not None:
                object.__setattr__(self, name, check(values))

    def _check_lengths(self, values: Any) -> Integers:
        size = len(values) if self.documents is None else self.documents
        return check_whole_numbers(values, size, "document lengths", self.model)

    def _check_documents(self) -> None:
        """Check that all parts have the same number of documents, and that ids are unique."""
        check_same_length(self._document_parts(), self.model)
        check_unique_ids(self.document_ids or (), self.model)

    def _document_parts(self) -> dict[str, Sized | None]:
        """Return the parts that have one entry per document."""
        return {
            "document-topic matrix": self.document_topic,
            "best topics": self.best_topic,
            "document ids": self.document_ids,
            "token assignments": self.assignments,
        }


def check_document_count(documents: Any, where: str) -> int | None:
    """Return a topic's number of documents as an int; None stays None."""
    try:
        count = None if documents is None else index(documents)
    except TypeError as error:
        raise InputError(f"{where}: {documents!r} is not a number of documents") from error
    if count is not None and count < 0:
        raise InputError(f"{where} has a negative number of documents")
    return count


def check_same_length(parts: Mapping[str, Sized | None], model: str) -> None:
    """Check that all parts which are there have the same number of documents."""
    sizes = {name: len(part) for name, part in parts.items() if part is not None}
    if len(set(sizes.values())) > 1:
        details = ", ".join(f"{name}: {size}" for name, size in sizes.items())
        raise InputError(f"{model}: the numbers of documents differ ({details})")


def check_unique_ids(ids: Sequence[str], model: str) -> None:
    """Check that no two documents have the same id."""
    if len(set(ids)) < len(ids):
        twice = Counter(ids).most_common(1)[0][0]
        raise InputError(f"{model}: the document id {twice!r} is given twice")


def _check_words(words: Iterable[Any], where: str) -> tuple[str, ...]:
    """Return words without spaces around them."""
    try:
        stripped = tuple(map(str.strip, words))
    except TypeError:  # a word that is no string: below
        stripped = ()
    if stripped and all(stripped):
        return stripped
    for rank, word in enumerate(words, 1):
        if not isinstance(word, str):
            raise InputError(f"{where}: word {rank} is {word!r}, not a string")
        if not word.strip():
            raise InputError(f"{where}: word {rank} is empty")
    return stripped


def _is_finite(weight: object) -> bool:
    return isinstance(weight, SupportsFloat) and math.isfinite(float(weight))


def html_of_topics(topics: Topics, sides: Mapping[str, Topics]) -> str:
    """Return an HTML table for notebooks: ids, first words and, if known, documents.

    ``sides`` are the columns of words by their titles: one, or one per language.
    """
    from tealeaves.tables.formats import html_table
    from tealeaves.tables.table import MarkedWords, text_table

    documents = topics.documents_per_topic()
    rows = []
    for place, topic in enumerate(topics.topics[:_HTML_TOPICS]):
        labels: list[str] = [MarkedWords.of([str(topic.id)])]
        labels += [MarkedWords.of(side[place].words) for side in sides.values()]
        rows.append((labels, [f"{documents[0][place]:,}"] if documents else []))
    table = text_table(["topic", *sides], ["documents"] if documents else [], rows)
    html = f"<p>{escape(repr(topics))}</p>{html_table(table)}"
    if len(topics) > _HTML_TOPICS:
        html += f"<p>… {len(topics) - _HTML_TOPICS:,} more</p>"
    if documents and documents[1]:
        html += f"<p>documents without a topic: {documents[1]:,}</p>"
    return html
