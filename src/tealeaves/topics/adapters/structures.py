"""Plain Python structures: word lists, weighted words, arrays, and models of several languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

from tealeaves.errors import InputError, errors_about
from tealeaves.topics.adapters.adapter import Adapter
from tealeaves.topics.assembly import (
    TopicsOptions,
    assemble_topics,
    document_topic_matrix,
    listed_words,
    topic_word_matrix,
    topics_from_matrices,
    weighted_topic,
)
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics

_LANGUAGES_USE = {"top", "document_topic", "document_topic_axes", "document_ids"}


# word lists


def convert_word_lists(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of word lists, and of a topic-word matrix beside them if there is one."""
    topics = Topics.of(model, model=options.name).topics
    words, phi = options.vocabulary, None
    if options.topic_word is not None:
        if words is None:
            raise InputError(f"{options.name}: a topic-word matrix needs its vocabulary=")
        phi = topic_word_matrix(options.topic_word, words, options, topics=len(topics))
    return assemble_topics(
        options,
        [replace(topic, words=topic.words[: options.top]) for topic in topics],
        vocabulary=words,
        topic_word=phi,
    )


# weighted words: a mapping from ids to pairs, as get_topics() of BERTopic returns it


def is_weighted_words(model: Any) -> bool:
    """Recognise a mapping whose values are all pairs of a word and a number."""
    return isinstance(model, Mapping) and bool(model) and all(map(_are_pairs, model.values()))


def convert_weighted_words(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of the listed words and weights."""
    pairs_of = listed_words(model, options)
    return assemble_topics(options, [weighted_topic(k, pairs) for k, pairs in pairs_of.items()])


def _are_pairs(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(map(_is_pair, value))


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == 2
        and isinstance(value[0], str)
        and isinstance(value[1], Real)
    )


# arrays: a topic-word matrix and its vocabulary


def is_array(model: Any) -> bool:
    """Recognise an array, a data frame or lists of numbers; None stands for named arrays only."""
    if model is None:
        return True
    if isinstance(model, list | tuple):
        return bool(model) and all(map(_is_row, model))
    if not (hasattr(model, "ndim") and hasattr(model, "shape")):
        return False
    kinds = [model.dtype] if hasattr(model, "dtype") else list(getattr(model, "dtypes", ()))
    # arrays of strings are word lists; the dtypes of torch have no kind and are all numbers
    return all(getattr(kind, "kind", "f") in tuple("iufb") for kind in kinds)


def convert_arrays(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of the arrays; columns of a data frame that are words are its vocabulary."""
    if model is not None and options.topic_word is not None:
        raise InputError(f"{options.name}: two topic-word matrices are given")
    matrix = options.topic_word if model is None else model
    if matrix is None:
        raise InputError("nothing to adapt: give a model, or topic_word= and vocabulary=")
    words = options.vocabulary
    if words is None and hasattr(options.vectorizer, "get_feature_names_out"):
        words = options.vectorizer.get_feature_names_out()
    if words is None:
        columns = list(getattr(matrix, "columns", ()))
        words = columns if columns and all(isinstance(name, str) for name in columns) else None
    if words is None:
        raise InputError(
            f"{options.name}: a topic-word matrix needs its vocabulary=, or vectorizer="
        )
    return topics_from_matrices(options, matrix, words)


def _is_row(row: Any) -> bool:
    return (
        isinstance(row, list | tuple)
        and bool(row)
        and all(isinstance(value, int | float) for value in row)
    )


# several languages: {"languages": {"en": …, "es": …}}, each anything that adapt knows


def is_languages(model: Any) -> bool:
    """Recognise a mapping whose only key is ``languages`` and whose value is a mapping."""
    return (
        isinstance(model, Mapping)
        and list(model) == ["languages"]
        and isinstance(model["languages"], Mapping)
    )


def convert_languages(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of each language's model; documents are tuples of linked documents."""
    from tealeaves.topics.adapters import adapt

    options.refuse(options.non_defaults - _LANGUAGES_USE, LANGUAGES.subject)
    sides = {}
    for language, side in model["languages"].items():
        top = None if isinstance(side, Topics) else options.top
        with errors_about(f"{options.name}: {language}", options.name):
            sides[language] = adapt(side, name=options.name, top=top)
    topics = len(next(iter(sides.values()))) if sides else 0
    ids = options.document_ids
    return MultilingualTopics.of_languages(
        sides,
        model=options.name,
        document_topic=document_topic_matrix(None, topics, options),
        document_ids=None if ids is None else tuple(map(str, ids)),
    )


LANGUAGES = Adapter("models of several languages", is_languages, convert_languages)
ARRAYS = Adapter(
    "arrays", is_array, convert_arrays, options=("topic_word", "vectorizer", "vocabulary")
)
WEIGHTED_WORDS = Adapter("weighted words", is_weighted_words, convert_weighted_words)
