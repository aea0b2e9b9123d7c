"""Assembly of ``Topics`` from what libraries and files of other programs give.

Adapters and formats share these steps: call a library, orient and check its matrices, rank words,
leave out topics without words, and warn of what is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from tealeaves.errors import InputError, warn_caller
from tealeaves.parameters import check_natural
from tealeaves.topics.matrices import (
    DOCUMENT_TOPIC,
    TOPIC_WORD,
    check_matrix,
    divide_rows,
    orient_matrix,
    row_distributions,
)
from tealeaves.topics.topics import Topic, TopicId, Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

_Result = TypeVar("_Result")

TOP = 25  # words that a topic lists if the model ranks its whole vocabulary
OUTLIERS = -1  # the id of the documents without a topic, in libraries that cluster documents
_LIBRARY_ERRORS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True)
class TopicsOptions:
    """The arguments of :func:`tealeaves.adapt` and ``read_topics``; None where none was given."""

    name: str = "model"
    top: int | None = None
    vocabulary: Sequence[str] | None = None
    vectorizer: Any = None
    topic_word: Any = None
    document_topic: Any = None
    documents: Any = None
    document_ids: Sequence[str] | None = None
    document_lengths: Any = None
    term_frequency: Any = None
    topic_ids: Sequence[TopicId] | None = None
    topic_word_axes: str | None = None
    document_topic_axes: str | None = None
    normalize: bool = False
    language: str = ""
    languages: Sequence[str] | str | None = None

    def __post_init__(self) -> None:
        if self.top is not None:
            check_natural("top", self.top)

    @property
    def ranked_words(self) -> int:
        """How many words to list of a model that ranks its whole vocabulary."""
        return self.top or TOP

    @property
    def non_defaults(self) -> set[str]:
        """The names of the options that the caller gives, other than the model's name."""
        names = set()
        for option in fields(self):
            value = getattr(self, option.name)
            if value is not option.default and (option.default is None or value != option.default):
                names.add(option.name)
        return names - {"name"}

    def refuse(self, options: Iterable[str], subject: str) -> None:
        """Refuse options that would have no effect, with "{subject} no {option}="."""
        refused = sorted(self.non_defaults.intersection(options))
        if refused:
            raise InputError(f"{self.name}: {subject} no {refused[0]}=")


class UnusableMatrixError(InputError):
    """A matrix that is neither probabilities nor weights, whatever the caller states."""


# topics


def topics_from_matrices(
    options: TopicsOptions,
    topic_word: Any,
    vocabulary: Sequence[str],
    document_topic: Any = None,
    *,
    axes: str | None = None,
    normalize: bool = False,
    topic_ids: Sequence[TopicId] | None = None,
    **known: Any,
) -> Topics:
    """Make topics of a matrix of words and, if there is one, a matrix of documents.

    ``axes`` is the order of the axes if the library has only one. ``normalize`` is for libraries
    whose matrices do not sum to 1. ``known`` are other fields of :class:`Topics`.
    """
    ids = topic_ids if options.topic_ids is None else list(options.topic_ids)
    topics = None if ids is None else len(ids)
    weights = topic_word_matrix(
        topic_word, vocabulary, options, topics=topics, axes=axes, normalize=normalize
    )
    return assemble_topics(
        options,
        rank_words(weights, vocabulary, ids, options.ranked_words),
        vocabulary=vocabulary,
        topic_word=weights,
        document_topic=document_topic_matrix(
            document_topic, len(weights), options, normalize=normalize
        ),
        **known,
    )


def assemble_topics(options: TopicsOptions, topics: Sequence[Topic], **known: Any) -> Topics:
    """Make topics of their words and other known fields; what the caller gives comes first."""
    if options.topic_ids is not None:
        ids = list(options.topic_ids)
        if len(ids) != len(topics):
            raise InputError(f"{options.name}: {len(ids)} topic_ids for {len(topics)} topics")
        topics = [replace(topic, id=number) for topic, number in zip(topics, ids, strict=True)]
    parts = {name: value for name, value in known.items() if value is not None}
    if parts.get("topic_word") is None:
        parts.pop("vocabulary", None)
        parts.pop("term_frequency", None)
    else:
        parts["vocabulary"] = _check_vocabulary(parts["vocabulary"], options.name)
    if "document_topic" not in parts:
        parts["document_topic"] = document_topic_matrix(None, len(topics), options)
    document_ids = options.document_ids
    caller = {
        "language": options.language,
        "document_ids": None if document_ids is None else tuple(map(str, document_ids)),
        "document_lengths": options.document_lengths,
        "term_frequency": options.term_frequency,
    }
    parts |= {name: value for name, value in caller.items() if value is not None}
    return Topics(tuple(topics), model=options.name, **parts)


def rank_words(
    weights: Floats,
    vocabulary: Sequence[str],
    ids: Sequence[TopicId] | None,
    top: int,
    *,
    signed: bool = False,
) -> list[Topic]:
    """Return the words of most weight of each row; of equal weights the first word comes first.

    Words without weight are left out: a row of zeros is a topic without words. With ``signed``,
    weights below zero count as weights.
    """
    import numpy as np

    topics = []
    for number, row in enumerate(weights):
        best = np.argsort(-row, kind="stable")[:top]
        best = best if signed else best[row[best] > 0]
        words = tuple(str(vocabulary[column]) for column in best)
        identity = number if ids is None else ids[number]
        topics.append(Topic(identity, words, tuple(row[best].tolist())))
    return topics


def weighted_topic(identity: TopicId, pairs: Iterable[Any], documents: int | None = None) -> Topic:
    """Make a topic of pairs of a word and its weight."""
    pairs = list(pairs)
    weights = tuple(float(pair[1]) for pair in pairs)
    return Topic(identity, tuple(pair[0] for pair in pairs), weights, documents)


def listed_words(
    topics: Mapping[Any, Iterable[tuple[str, float]]], options: TopicsOptions
) -> dict[Any, list[tuple[str, float]]]:
    """Return the words and weights of the topics that have any, by their ids.

    Topic -1, the outliers, is left out, and so are empty words, with which BERTopic pads.
    """
    pairs = {
        k: [(word, weight) for word, weight in listed if word.strip()][: options.top]
        for k, listed in topics.items()
        if k != OUTLIERS
    }
    if not pairs:
        raise InputError(f"{options.name}: all documents are outliers, so there are no topics")
    ids = list(pairs)
    return {ids[n]: pairs[ids[n]] for n in positions_with_words(ids, pairs.values(), options)}


def positions_with_words(
    ids: Sequence[TopicId], has_words: Any, options: TopicsOptions, lack: str = "no words"
) -> list[int]:
    """Return the positions of the topics that have words; a warning names the others.

    ``has_words`` has one value per topic, which is true if the topic has words.
    """
    flags = [bool(flag) for flag in has_words]
    dropped = [str(identity) for identity, flag in zip(ids, flags, strict=True) if not flag]
    if len(dropped) == len(ids):
        raise InputError(f"{options.name}: every topic has {lack}")
    if len(dropped) == 1:
        warn_caller(f"{options.name}: topic {dropped[0]} has {lack} and is left out")
    elif dropped:
        warn_caller(f"{options.name}: topics {', '.join(dropped)} have {lack} and are left out")
    return [number for number, flag in enumerate(flags) if flag]


def distinctive_ids(ids: Iterable[Any] | None) -> tuple[str, ...] | None:
    """Return the ids of documents, None if they are only numbers in order.

    Libraries number documents that have no ids. Those of another corpus would be the same.
    """
    if ids is None:
        return None
    texts = tuple(map(str, ids))
    numbers = [tuple(map(str, range(first, first + len(texts)))) for first in (0, 1)]
    return None if texts in numbers else texts


def _check_vocabulary(vocabulary: Sequence[str], model: str) -> tuple[str, ...]:
    words = tuple(map(str, vocabulary))
    if len(set(words)) < len(words):
        twice = Counter(words).most_common(1)[0][0]
        raise InputError(f"{model}: the vocabulary has the word {twice!r} more than once")
    return words


# matrices


def topic_word_matrix(
    values: Any,
    vocabulary: Sequence[str],
    options: TopicsOptions,
    *,
    topics: int | None = None,
    axes: str | None = None,
    normalize: bool = False,
    keep_weights: bool = False,
) -> Floats:
    """Return a K×V matrix whose rows are distributions or, with ``keep_weights``, weights.

    ``axes`` is the order of the axes, by default the one that the caller states.
    """
    weights = orient_matrix(
        values,
        TOPIC_WORD,
        options.name,
        rows=topics,
        columns=len(vocabulary),
        order=axes or options.topic_word_axes,
    )
    divide = options.normalize or normalize
    if divide or not keep_weights:
        weights = row_distributions(weights, TOPIC_WORD.name, options.name, normalize=divide)
    return divide_rows(weights) if options.normalize else weights


def document_topic_matrix(
    values: Any, topics: int, options: TopicsOptions, *, normalize: bool = False
) -> Floats | None:
    """Return a D×K matrix whose rows are distributions: the caller's, else the library's values.

    The library's matrix is D×K unless its size shows the other orientation. The orientation of the
    caller's matrix follows from its size, its sums and ``document_topic_axes``.
    """
    by_caller = options.document_topic is not None
    matrix = options.document_topic if by_caller else values
    if matrix is None:
        return None
    ids = options.document_ids
    matrix = orient_matrix(
        matrix,
        DOCUMENT_TOPIC,
        options.name,
        rows=None if ids is None else len(ids),
        columns=topics,
        order=options.document_topic_axes if by_caller else _library_axes(matrix, topics),
    )
    divide = options.normalize or (normalize and not by_caller)
    shares = row_distributions(matrix, DOCUMENT_TOPIC.name, options.name, normalize=divide)
    return divide_rows(shares) if options.normalize else shares


def _library_axes(values: Any, topics: int) -> str:
    """Return the orientation of a library's matrix; a square one is D×K."""
    import numpy as np

    shape = getattr(values, "shape", None) or np.shape(values)
    reverse = len(shape) == 2 and shape[0] == topics != shape[1]
    return DOCUMENT_TOPIC.reverse if reverse else DOCUMENT_TOPIC.order


def shares_without_outliers(
    values: Any, ids: Sequence[int], positions: Sequence[int], options: TopicsOptions
) -> Floats | None:
    """Return p(t|d) of the topics in ``positions``; a document whose best topic is -1 has none.

    ``values`` has one column per topic of ``ids``, among them -1, the outliers.
    """
    import numpy as np

    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != len(ids):
        raise InputError(f"it is {'×'.join(map(str, table.shape))} for {len(ids)} topics")
    outside = np.asarray(ids)[table.argmax(axis=1)] == OUTLIERS
    inside = np.where(outside[:, None], 0.0, table[:, positions])
    return document_topic_matrix(inside, len(positions), options, normalize=True)


def usable_matrix(values: Any, name: str, options: TopicsOptions) -> Floats:
    """Return a matrix that may hold probabilities or weights; any other is unusable."""
    try:
        return check_matrix(values, name, options.name)
    except InputError as error:
        raise UnusableMatrixError(str(error)) from error


def matrix_or_none(
    make: Callable[[], _Result], name: str, options: TopicsOptions, *, argument: Any = None
) -> _Result | None:
    """Return an optional matrix of a library; leave it out, with a warning, if it is wrong.

    ``argument`` is what the caller states of it, such as its vocabulary. A matrix that does not fit
    it is an error, unless the matrix is unusable by itself (:class:`UnusableMatrixError`).
    """
    try:
        return make()
    except InputError as error:
        reason = str(error).removeprefix(f"{options.name}: ")
        if argument is not None and not isinstance(error, UnusableMatrixError):
            raise InputError(f"{options.name}: {reason}") from error
        warn_caller(
            f"{options.name}: without its {name} matrix, and so without the metrics that need it: "
            f"{reason}"
        )
        return None


def check_not_negative(values: Any, kind: str, options: TopicsOptions) -> None:
    """Check components that must be probabilities or weights."""
    import numpy as np

    if (np.asarray(values) < 0).any():
        raise InputError(
            f"{options.name}: a {kind} has negative numbers, so its rows are no distributions of "
            "words: give a model whose topics are (LDA, NMF), or its word lists"
        )


def check_word_order(matrix: Floats, words: list[str], firsts: list[str]) -> None:
    """Check the order of the vocabulary: the first word of most topics has the most weight."""
    import numpy as np

    columns = {word: column for column, word in enumerate(words)}
    best = [
        word in columns and bool(np.isclose(row[columns[word]], row.max()))
        for word, row in zip(firsts, matrix, strict=True)
    ]
    if sum(best) * 2 < len(best):
        raise InputError(
            "the vocabulary is not in the order of the columns: the topics' first words are not "
            "those of most weight"
        )


def whole_numbers_or_none(values: Any) -> Any:
    """Return numbers as integers, None if they are not whole: weights instead of counts."""
    import numpy as np

    numbers = None if values is None else np.asarray(values)
    if numbers is None or numbers.dtype.kind not in "iuf" or (numbers != np.floor(numbers)).any():
        return None
    return numbers.ravel().astype(np.int64)


# libraries and callers


def call_library(
    method: Callable[..., _Result], *arguments: Any, options: TopicsOptions, **named: Any
) -> _Result:
    """Call a method of a library; its errors become errors that name the model."""
    try:
        return method(*arguments, **named)
    except InputError:
        raise
    except _LIBRARY_ERRORS as error:
        message = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{options.name}: {message}") from error
