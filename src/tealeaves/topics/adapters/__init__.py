"""Adapters: topics of the models of other libraries, none of which is imported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from types import ModuleType
from typing import Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters import (
    arrays,
    artm,
    bertopic,
    ctm,
    gensim,
    languages,
    octis,
    pyldavis,
    sklearn,
    stream,
    tomotopy,
    top2vec,
    turftopic,
    weighted,
)
from tealeaves.topics.adapters.parts import (
    TOP,
    Parts,
    assembled,
    checked_top,
    document_matrix,
    word_matrix,
)
from tealeaves.topics.topics import TopicId, Topics

# the first that fits is taken: from what only one library has to what many have
ADAPTERS: tuple[ModuleType, ...] = (
    languages,
    bertopic,
    top2vec,
    tomotopy,
    ctm,
    stream,
    octis,
    pyldavis,
    turftopic,
    artm,
    gensim,
    sklearn,
    arrays,
    weighted,
)
_USED = ("documents", "topic_word", "vectorizer", "vocabulary")  # by some adapters
_OWN = ("name", "top")  # of topics; the latter is also what was not said
KNOWN = (
    "BERTopic, gensim, scikit-learn, tomotopy, Top2Vec, turftopic, OCTIS, STREAM, "
    "contextualized-topic-models, BigARTM, TopicNet, pyLDAvis' arrays and plain arrays"
)


def adapter_of(model: Any) -> ModuleType | None:
    """Return the adapter that knows such a model."""
    if model is None or isinstance(model, Topics | str | bytes):
        return None
    return next((adapter for adapter in ADAPTERS if adapter.fits(model)), None)


def adapt(
    model: Any = None,
    *,
    name: str | None = None,
    top: int | None = None,
    vocabulary: Sequence[str] | None = None,
    vectorizer: Any = None,
    topic_word: Any = None,
    document_topic: Any = None,
    documents: Any = None,
    document_ids: Sequence[str] | None = None,
    document_lengths: Any = None,
    term_frequency: Any = None,
    topic_ids: Sequence[TopicId] | None = None,
    topic_word_axes: str | None = None,
    document_topic_axes: str | None = None,
    normalize: bool = False,
    language: str = "",
) -> Topics:
    """Make topics of a model of another library, or of its matrices.

    Parameters
    ----------
    model
        A fitted model of BERTopic, gensim, scikit-learn (with its vectoriser: a pair or a
        pipeline), tomotopy, Top2Vec, turftopic, STREAM, contextualized-topic-models, BigARTM or
        TopicNet; turftopic's ``TopicData``; the dictionary that OCTIS returns; a mapping of
        pyLDAvis' five arrays; a topic-word array; word lists; a mapping from ids to pairs of
        a word and its weight, as ``get_topics()`` of BERTopic returns it; or several of these,
        aligned, as in ``{"languages": {"en": …, "es": …}}``.
    name
        The model's name; by default the library's and the class's.
    top
        How many words a topic lists; by default 25 of a model that ranks its whole vocabulary,
        and all of one that lists but some (BERTopic, OCTIS, word lists).
    vocabulary, vectorizer
        The words of a topic-word matrix, for models that do not know them.
    topic_word, document_topic
        Matrices, in the place of a model or beside word lists; the second beside any model.
    documents
        What the model's own inference gives p(t|d) of: texts or their matrix for scikit-learn,
        the bag-of-words corpus for gensim, a dataset for contextualized-topic-models.
    document_ids, document_lengths, term_frequency
        What else is known of documents and words.
    topic_ids
        The topics' ids, in order.
    topic_word_axes, document_topic_axes
        ``"topics words"`` or ``"words topics"``, ``"documents topics"`` or ``"topics documents"``;
        needed where neither size nor sums tell.
    normalize
        Divide each row of the matrices by its sum.
    language
        The language of the words.

    >>> phi = [[0.7, 0.2, 0.1], [0.0, 0.4, 0.6]]
    >>> topics = adapt(topic_word=phi, vocabulary=["cat", "dog", "soup"], name="mine")
    >>> [topic.words for topic in topics]
    [('cat', 'dog', 'soup'), ('soup', 'dog')]
    """
    parts = Parts(
        top=checked_top(top) or TOP,
        limit=top,
        vocabulary=vocabulary,
        vectorizer=vectorizer,
        topic_word=topic_word,
        document_topic=document_topic,
        documents=documents,
        document_ids=document_ids,
        document_lengths=document_lengths,
        term_frequency=term_frequency,
        topic_ids=topic_ids,
        topic_word_axes=topic_word_axes,
        document_topic_axes=document_topic_axes,
        normalize=normalize,
        language=language,
    )
    if isinstance(model, Topics):
        _refuse(parts, [one.name for one in fields(Parts) if one.name not in _OWN], "topics take")
        return model if name is None else replace(model, model=name)
    adapter = arrays if model is None else adapter_of(model)
    if adapter is None:
        return _word_lists(model, replace(parts, name=name or "model"))
    parts = replace(parts, name=name or _name(model, adapter))
    whose = f"a model of {adapter.LIBRARY} takes" if adapter.LIBRARY else f"{adapter.PLAIN} take"
    _refuse(parts, [one for one in _USED if one not in adapter.USES], whose)
    topics: Topics = adapter.convert(model, parts)
    return topics


def _name(model: Any, adapter: ModuleType) -> str:
    """Return the library's name and the class's, where the two are not the same."""
    library: str = adapter.LIBRARY
    kind = adapter.kind(model) if hasattr(adapter, "kind") else model
    plain = isinstance(kind, Mapping) or hasattr(kind, "ndim")
    own = "" if plain or not library else type(kind).__name__
    both = library if own.lower() in ("", library) else f"{library} {own}"
    return both or "model"


def _refuse(parts: Parts, names: Sequence[str], whose: str) -> None:
    """Refuse what would say nothing: it was said to change something."""
    for name in names:
        value, plain = getattr(parts, name), getattr(Parts(), name)
        if value is not plain and (plain is None or value != plain):
            said = "top" if name == "limit" else name
            raise InputError(f"{parts.name}: {whose} no {said}=")


def _word_lists(model: Any, parts: Parts) -> Topics:
    """Make topics of word lists, or say what a model may be."""
    if hasattr(model, "tolist"):
        model = model.tolist()
    if isinstance(model, str | bytes) or not isinstance(model, Sequence | Mapping):
        kind = type(model).__name__
        hint = "; read_topics reads files" if isinstance(model, str) else ""
        raise InputError(
            f"no adapter knows a {kind}{hint}: known are {KNOWN}; word lists, "
            "[['cat', 'dog'], ...], always work"
        )
    unused = ["documents", "vectorizer"]
    if parts.topic_word is None:
        unused.append("vocabulary")
    _refuse(parts, unused, "word lists take")
    listed = Topics.of(model, model=parts.name).topics
    words, phi = parts.vocabulary, None
    if parts.topic_word is not None and words is not None:
        phi = word_matrix(parts.topic_word, words, parts, topics=len(listed))
    elif parts.topic_word is not None:
        raise InputError(f"{parts.name}: a topic-word matrix needs its vocabulary=")
    return assembled(
        parts,
        [replace(topic, words=topic.words[: parts.limit]) for topic in listed],
        vocabulary=words,
        topic_word=phi,
        document_topic=document_matrix(None, len(listed), parts),
    )
