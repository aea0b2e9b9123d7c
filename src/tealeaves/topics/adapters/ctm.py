"""contextualized-topic-models: CombinedTM, ZeroShotTM, SuperCTM and BetaCTM.

``documents`` is a dataset of the library, whose p(t|d) the model infers; without it p(t|d) is that
of the training texts.
"""

from __future__ import annotations

from typing import Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.adapter import Adapter
from tealeaves.topics.assembly import (
    TopicsOptions,
    assemble_topics,
    call_library,
    document_topic_matrix,
    topic_word_matrix,
    weighted_topic,
)
from tealeaves.topics.topics import Topics


def is_ctm_model(model: Any) -> bool:
    """Recognise a model by its methods."""
    return hasattr(model, "get_topic_lists") and hasattr(model, "get_topic_word_matrix")


def convert_ctm_model(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of a trained model; φ is its topic-word distribution, K×V."""
    data = getattr(model, "train_data", None)
    if data is None:
        raise InputError(f"{options.name}: the model is not fitted: call fit first")
    distribution = call_library(model.get_topic_word_distribution, options=options)
    words = options.vocabulary
    if words is None:
        size = distribution.shape[1]
        words = call_library(
            lambda: [str(data.idx2token[number]) for number in range(size)], options=options
        )
    phi = topic_word_matrix(distribution, words, options, axes="topics words")
    column = {word: number for number, word in enumerate(words)}
    lists = call_library(
        model.get_topic_lists, min(options.ranked_words, len(words)), options=options
    )
    topics = [
        weighted_topic(k, [(word, phi[k, column[word]]) for word in word_list])
        for k, word_list in enumerate(lists)
    ]
    if options.documents is None:
        theta = getattr(model, "training_doc_topic_distributions", None)
    else:
        infer = model.get_doc_topic_distribution
        theta = call_library(infer, options.documents, options=options)
    return assemble_topics(
        options,
        topics,
        vocabulary=words,
        topic_word=phi,
        document_topic=document_topic_matrix(theta, len(topics), options),
    )


CTM = Adapter(
    "contextualized-topic-models",
    is_ctm_model,
    convert_ctm_model,
    library="ctm",
    options=("documents", "vocabulary"),
)
