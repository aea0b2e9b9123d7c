"""gensim: LdaModel, LdaMulticore, Nmf, HdpModel, EnsembleLda; K×V from ``get_topics()``.

``documents`` is the bag-of-words corpus: the model's own inference then gives p(t|d). Nmf's
weights of documents are multiplied by the sums of its topics, by which p(w|t) is divided.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.given import calling, refuse_negative, warn
from tealeaves.topics.adapters.parts import Parts, from_matrices, with_words
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.topics.matrices import Matrix

LIBRARY = "gensim"
USES = frozenset({"documents", "vocabulary"})
_CHUNK = 2000  # documents inferred at once

Bag = Sequence[tuple[int, float]]


def fits(model: Any) -> bool:
    """Tell by the dictionary, and by topics or, in a model of time slices, their chains."""
    topics = hasattr(model, "get_topics") or hasattr(model, "topic_chains")
    return topics and hasattr(model, "id2word")


def convert(model: Any, parts: Parts) -> Topics:
    """Make topics of a model of gensim."""
    if hasattr(model, "topic_chains"):
        raise InputError(
            f"{parts.name}: it has topics for each time slice: theta, phi, lengths, frequency, "
            "words = model.dtm_vis(time, corpus), then adapt(topic_word=phi, vocabulary=words)"
        )
    sums = None
    if hasattr(model, "normalize"):  # Nmf, whose topics are weights
        phi = calling(model.get_topics, normalize=False, parts=parts)
        sums = phi.sum(axis=1)
    else:
        phi = calling(model.get_topics, parts=parts)
    refuse_negative(phi, type(model).__name__, parts)
    if not len(phi):
        raise InputError(f"{parts.name}: the model has no topics")
    words = parts.vocabulary
    if words is None:
        words = _words(model, phi.shape[1], parts)
    ids = list(range(len(phi)))
    kept = with_words(ids, [not sum_ > 0 for sum_ in phi.sum(axis=1)], parts)
    known: dict[str, Any] = {}
    theta = None
    if parts.documents is not None:
        bags = _bags(parts.documents, len(words), parts)
        theta = calling(_shares, model, bags, len(phi), parts=parts)[:, kept]
        theta = theta if sums is None else theta * sums[kept]
        known = _counts(bags, len(words))
    stated = replace(parts, topic_word_axes=parts.topic_word_axes or "topics words")
    return from_matrices(stated, phi[kept], words, theta, normalize=True, topic_ids=kept, **known)


def _words(model: Any, size: int, parts: Parts) -> list[str]:
    given = model.id2word
    try:
        words = [str(given[number]) for number in range(size)]
    except (KeyError, IndexError, TypeError) as error:
        raise InputError(
            f"{parts.name}: id2word has no word for a number below {size}: give vocabulary=, or "
            "train with a dictionary after its compactify()"
        ) from error
    if words == [str(number) for number in range(size)]:
        warn(f"{parts.name}: its words are numbers: give vocabulary=, or train with id2word=")
    return words


def _bags(documents: Iterable[Any], size: int, parts: Parts) -> list[Bag]:
    wrong = InputError(
        f"{parts.name}: documents of a gensim model are its bag-of-words corpus, "
        "[dictionary.doc2bow(tokens) for tokens in texts]"
    )
    if isinstance(documents, str):
        raise wrong
    bags: list[Bag] = []
    for document in documents:
        bag = list(document)
        if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in bag):
            raise wrong
        if any(not 0 <= number < size for number, _ in bag):
            raise InputError(f"{parts.name}: a document has a word that is none of {size}")
        bags.append(bag)
    return bags


def _shares(model: Any, bags: Sequence[Bag], topics: int) -> Matrix:
    """Infer the topics of documents as the model itself does; a row of zeros has none."""
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
    divided: Matrix = np.divide(theta, sums, out=theta, where=sums > 0)
    return divided


def _counts(bags: Sequence[Bag], size: int) -> dict[str, Any]:
    """Count tokens by document and by word, where bags hold counts and not weights."""
    import numpy as np

    pairs = np.array([pair for bag in bags for pair in bag], dtype=np.float64).reshape(-1, 2)
    if not (pairs[:, 1] == np.floor(pairs[:, 1])).all():
        return {}
    counted = np.bincount(pairs[:, 0].astype(np.int64), weights=pairs[:, 1], minlength=size)
    lengths = [sum(int(count) for _, count in bag) for bag in bags]
    return {"document_lengths": lengths, "term_frequency": counted.astype(np.int64)}
