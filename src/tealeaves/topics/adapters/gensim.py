"""gensim: LdaModel, LdaMulticore, Nmf, HdpModel, EnsembleLda; K×V from ``get_topics()``.

``documents`` is the bag-of-words corpus, whose p(t|d) the model infers. Nmf gives weights: p(w|t)
is divided by the sums of the topics, and the weights of documents are multiplied by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError, warn_caller
from tealeaves.topics.adapters.adapter import Adapter
from tealeaves.topics.assembly import (
    TopicsOptions,
    call_library,
    check_not_negative,
    positions_with_words,
    topics_from_matrices,
)
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

_CHUNK = 2000  # documents inferred at once

Bag = Sequence[tuple[int, float]]


def is_gensim_model(model: Any) -> bool:
    """Recognise a model of gensim by its dictionary and topics, or topic chains of time slices."""
    has_topics = hasattr(model, "get_topics") or hasattr(model, "topic_chains")
    return has_topics and hasattr(model, "id2word")


def convert_gensim_model(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of a model of gensim."""
    if hasattr(model, "topic_chains"):
        raise InputError(
            f"{options.name}: the model has topics for each time slice: theta, phi, lengths, "
            "frequency, words = model.dtm_vis(time, corpus), then adapt(topic_word=phi, "
            "vocabulary=words)"
        )
    sums = None
    if hasattr(model, "normalize"):  # Nmf, whose topics are weights
        phi = call_library(model.get_topics, normalize=False, options=options)
        sums = phi.sum(axis=1)
    else:
        phi = call_library(model.get_topics, options=options)
    check_not_negative(phi, type(model).__name__, options)
    if not len(phi):
        raise InputError(f"{options.name}: the model has no topics")
    words = options.vocabulary
    if words is None:
        words = _dictionary_words(model, phi.shape[1], options)
    positions = positions_with_words(range(len(phi)), phi.sum(axis=1) > 0, options)
    known: dict[str, Any] = {}
    theta = None
    if options.documents is not None:
        bags = _check_bags(options.documents, len(words), options)
        theta = call_library(_infer_shares, model, bags, len(phi), options=options)[:, positions]
        theta = theta if sums is None else theta * sums[positions]
        known = _count_tokens(bags, len(words))
    return topics_from_matrices(
        options,
        phi[positions],
        words,
        theta,
        axes=options.topic_word_axes or "topics words",
        normalize=True,
        topic_ids=positions,
        **known,
    )


def _dictionary_words(model: Any, size: int, options: TopicsOptions) -> list[str]:
    try:
        words = [str(model.id2word[number]) for number in range(size)]
    except (KeyError, IndexError, TypeError) as error:
        raise InputError(
            f"{options.name}: id2word has no word for a number below {size}: give vocabulary=, or "
            "train with a dictionary after its compactify()"
        ) from error
    if words == [str(number) for number in range(size)]:
        warn_caller(
            f"{options.name}: its words are numbers: give vocabulary=, or train with id2word="
        )
    return words


def _check_bags(documents: Iterable[Any], size: int, options: TopicsOptions) -> list[Bag]:
    wrong = InputError(
        f"{options.name}: documents of a gensim model are its bag-of-words corpus, "
        "[dictionary.doc2bow(tokens) for tokens in texts]"
    )
    if isinstance(documents, str):
        raise wrong
    bags: list[Bag] = []
    for document in documents:
        bag = list(document)
        if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in bag):
            raise wrong
        unknown = next((number for number, _ in bag if not 0 <= number < size), None)
        if unknown is not None:
            raise InputError(
                f"{options.name}: a document has word {unknown}, but the model has {size} words: "
                "make the corpus with the dictionary of the model"
            )
        bags.append(bag)
    return bags


def _infer_shares(model: Any, bags: Sequence[Bag], topics: int) -> Floats:
    """Let the model infer p(t|d); a document without topics is a row of zeros."""
    import numpy as np

    theta = np.zeros((len(bags), topics))
    if hasattr(model, "get_document_topics"):
        for row, bag in zip(theta, bags, strict=True):
            for topic, share in model.get_document_topics(bag, minimum_probability=0.0):
                row[topic] = share
        return theta
    for start in range(0, len(bags), _CHUNK):
        gamma = model.inference(bags[start : start + _CHUNK])
        theta[start : start + _CHUNK] = gamma[0] if isinstance(gamma, tuple) else gamma
    sums = theta.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(theta, sums, out=theta, where=sums > 0)
    return shares


def _count_tokens(bags: Sequence[Bag], size: int) -> dict[str, Any]:
    """Count the tokens of each document and each word; nothing if the bags hold weights."""
    import numpy as np

    pairs = np.array([pair for bag in bags for pair in bag], dtype=np.float64).reshape(-1, 2)
    if not (pairs[:, 1] == np.floor(pairs[:, 1])).all():
        return {}
    counted = np.bincount(pairs[:, 0].astype(np.int64), weights=pairs[:, 1], minlength=size)
    lengths = [sum(int(count) for _, count in bag) for bag in bags]
    return {"document_lengths": lengths, "term_frequency": counted.astype(np.int64)}


GENSIM = Adapter(
    "gensim",
    is_gensim_model,
    convert_gensim_model,
    library="gensim",
    options=("documents", "vocabulary"),
)
