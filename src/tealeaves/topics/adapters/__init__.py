"""Adapters: topics from the models of other libraries, none of which is imported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.adapter import SOME_ADAPTERS_USE, Adapter
from tealeaves.topics.adapters.artm import ARTM
from tealeaves.topics.adapters.bertopic import BERTOPIC
from tealeaves.topics.adapters.ctm import CTM
from tealeaves.topics.adapters.gensim import GENSIM
from tealeaves.topics.adapters.octis import OCTIS
from tealeaves.topics.adapters.pyldavis import PYLDAVIS
from tealeaves.topics.adapters.sklearn import SKLEARN
from tealeaves.topics.adapters.stream import STREAM
from tealeaves.topics.adapters.structures import (
    ARRAYS,
    LANGUAGES,
    WEIGHTED_WORDS,
    convert_word_lists,
)
from tealeaves.topics.adapters.tomotopy import TOMOTOPY
from tealeaves.topics.adapters.top2vec import TOP2VEC
from tealeaves.topics.adapters.turftopic import TURFTOPIC
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.topics import TopicId, Topics

# the first that fits is taken: attributes that only one library has come before common ones
ADAPTERS: tuple[Adapter, ...] = (
    LANGUAGES,
    BERTOPIC,
    TOP2VEC,
    TOMOTOPY,
    CTM,
    STREAM,
    OCTIS,
    PYLDAVIS,
    TURFTOPIC,
    ARTM,
    GENSIM,
    SKLEARN,
    ARRAYS,
    WEIGHTED_WORDS,
)


def adapter_of(model: Any) -> Adapter | None:
    """Return the adapter of a model, None if there is none."""
    if model is None or isinstance(model, Topics | str | bytes):
        return None
    return next((adapter for adapter in ADAPTERS if adapter.fits(model)), None)


def adapter_titles() -> list[str]:
    """Return what the adapters know: libraries first, then plain structures."""
    libraries = [adapter.title for adapter in ADAPTERS if adapter.library]
    return libraries + [adapter.title for adapter in ADAPTERS if not adapter.library]


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
        The name of the model; by default the names of the library and of the class.
    top
        How many words a topic lists; by default 25 of a model that ranks its whole vocabulary,
        and all of one that lists only some (BERTopic, OCTIS, word lists).
    vocabulary
        The words of a topic-word matrix, for models that do not know them.
    vectorizer
        The vectorizer of scikit-learn that knows them, in the place of ``vocabulary``.
    topic_word
        A topic-word matrix, instead of a model or beside word lists.
    document_topic
        A document-topic matrix, beside any model.
    documents
        Documents whose p(t|d) the model infers: texts or their matrix for scikit-learn, the
        bag-of-words corpus for gensim, a dataset for contextualized-topic-models.
    document_ids
        The ids of the documents.
    document_lengths
        The number of tokens of each document.
    term_frequency
        How often each word of the vocabulary occurs.
    topic_ids
        The topics' ids, in order.
    topic_word_axes
        ``"topics words"`` or ``"words topics"``; needed if neither the sizes nor the sums of the
        matrix show which.
    document_topic_axes
        ``"documents topics"`` or ``"topics documents"``, in the same case.
    normalize
        Divide each row of the matrices by its sum.
    language
        The language of the words.

    >>> phi = [[0.7, 0.2, 0.1], [0.0, 0.4, 0.6]]
    >>> topics = adapt(topic_word=phi, vocabulary=["cat", "dog", "soup"], name="mine")
    >>> [topic.words for topic in topics]
    [('cat', 'dog', 'soup'), ('soup', 'dog')]
    """
    options = TopicsOptions(
        top=top,
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
        options.refuse(options.non_defaults, "topics take")
        return model if name is None else replace(model, model=name)
    adapter = ARRAYS if model is None else adapter_of(model)
    if adapter is None:
        return _adapt_word_lists(model, replace(options, name=name or "model"))
    options = replace(options, name=name or _model_name(model, adapter))
    options.refuse(SOME_ADAPTERS_USE.difference(adapter.options), adapter.subject)
    return adapter.convert(model, options)


def _model_name(model: Any, adapter: Adapter) -> str:
    """Return the names of the library and of the class, once if they are the same."""
    if not adapter.library:
        return "model"
    named = adapter.named_object(model)
    if isinstance(named, Mapping) or hasattr(named, "ndim"):
        return adapter.library
    kind = type(named).__name__
    return adapter.library if kind.lower() == adapter.library else f"{adapter.library} {kind}"


def _adapt_word_lists(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of word lists, or list what a model may be."""
    if hasattr(model, "tolist"):
        model = model.tolist()
    if isinstance(model, str | bytes) or not isinstance(model, Sequence | Mapping):
        kind = type(model).__name__
        hint = "; read_topics reads files" if isinstance(model, str) else ""
        raise InputError(
            f"no adapter knows a {kind}{hint}: known are {', '.join(adapter_titles())}; word "
            "lists, [['cat', 'dog'], ...], always work"
        )
    unused = {"documents", "vectorizer"}
    if options.topic_word is None:
        unused.add("vocabulary")
    options.refuse(unused, "word lists take")
    return convert_word_lists(model, options)
