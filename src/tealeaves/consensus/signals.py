"""Signals: numbers of a topic that are computed from the relations between its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.consensus.relations import CORPUS, REFERENCE, Relations, related

#: Whose relations a signal is of: those of texts, of vectors, or of both together.
TEXT, VECTOR, JOINED = "texts", "vectors", "joined"
SHAPES = ("best", "worst", "first", "second")
AGREEMENT = "agreement"
COMMON, LENGTH = "texts.common", "vectors.length"

_FIRST = 5

_MEANINGS = {
    "best": "how related the third of words is that fits best",
    "worst": "how related the third of words is that fits worst",
    "first": "how related the first five words are",
    "second": "how strong a second theme is",
}

#: Signals whose high values may be good or bad.
FREE = (*(f"{kind}.second" for kind in (TEXT, VECTOR, JOINED)), COMMON, LENGTH)


def signals_of(relations: Relations) -> dict[str, Floats]:
    """Return the signals that the sources allow, each with a number for each topic.

    ``texts.best`` and the like are of the mean log odds of the texts (of the vectors, of both).
    ``agreement.texts`` is the correlation of the log odds of pairs in two texts;
    ``agreement.vectors`` and ``agreement.joined`` are those of embeddings, and of texts with
    vectors. What only one source sees is often chance.
    """
    signals: dict[str, Floats] = {}
    for kind, names in ((TEXT, relations.texts), (VECTOR, relations.embeddings)):
        if len(names) > 1:
            signals[f"{AGREEMENT}.{kind}"] = agreement([relations.logits[name] for name in names])
    means = mean_logits(relations)
    if JOINED in means:
        signals[f"{AGREEMENT}.{JOINED}"] = agreement([means[TEXT], means[VECTOR]])
    for kind, logits in means.items():
        signals |= {f"{kind}.{name}": value for name, value in shapes(related(logits)).items()}
    if relations.texts:
        signals[COMMON] = _most_common(relations)
    if relations.lengths is not None:
        signals[LENGTH] = relations.lengths.mean(axis=1)
    return signals


def mean_logits(relations: Relations) -> dict[str, Floats]:
    """Return the mean log odds of the texts, of the vectors and, if there are both, of both."""
    kinds = ((TEXT, relations.texts), (VECTOR, relations.embeddings))
    means = {
        kind: np.mean([relations.logits[name] for name in names], axis=0)
        for kind, names in kinds
        if names
    }
    if len(means) > 1:
        means[JOINED] = np.mean(list(means.values()), axis=0)
    return means


def shapes(relatedness: Floats) -> dict[str, Floats]:
    """Return best, worst, first and second of matrices of relatedness.

    The fit of a word is its mean relatedness to the others. ``second`` is the second eigenvalue per
    word, which is high if a topic consists of two themes.

    >>> apart = np.array([[[0.0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]])
    >>> {name: round(float(value[0]), 3) for name, value in shapes(apart).items()}
    {'best': 0.333, 'worst': 0.333, 'first': 0.333, 'second': 0.333}
    """
    size = relatedness.shape[-1]
    fit = np.sort(relatedness.sum(axis=2) / (size - 1), axis=1)
    third, first = max(1, round(size / 3)), min(_FIRST, size)
    head = relatedness[:, :first, :first].sum(axis=(1, 2)) / (first * (first - 1))
    second = np.linalg.eigvalsh(relatedness)[:, -2] / (size - 1)
    values = (fit[:, -third:].mean(axis=1), fit[:, :third].mean(axis=1), head, second)
    return dict(zip(SHAPES, values, strict=True))


def agreement(logits: Sequence[Floats]) -> Floats:
    """Return the mean correlation of two sources over the pairs of each topic.

    It is 0 with a source that makes no difference between pairs.
    """
    pairs = [_centred(one) for one in logits]
    return np.asarray(np.mean([_correlation(a, b) for a, b in combinations(pairs, 2)], axis=0))


def names_of(parts: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the signals that some parts of the evidence allow, in order.

    Parts are ``corpus``, ``reference``, ``vectors``, ``several`` (embeddings) and ``length``.

    >>> names_of(["corpus"])
    ('texts.best', 'texts.worst', 'texts.first', 'texts.second', 'texts.common')
    """
    present = set(parts)
    texts = len(present & {CORPUS, REFERENCE})
    kinds = [
        *([TEXT] if texts else []),
        *([VECTOR] if VECTOR in present else []),
        *([JOINED] if texts and VECTOR in present else []),
    ]
    names = [f"{kind}.{shape}" for kind in kinds for shape in SHAPES]
    names += [f"{AGREEMENT}.{TEXT}"] if texts > 1 else []
    names += [f"{AGREEMENT}.{VECTOR}"] if "several" in present else []
    names += [f"{AGREEMENT}.{JOINED}"] if JOINED in kinds else []
    names += [COMMON] if texts else []
    names += [LENGTH] if "length" in present else []
    return tuple(names)


def meaning(name: str) -> str:
    """Return what a signal is, in words.

    >>> meaning("texts.worst")
    'how related the third of words is that fits worst, by the texts'
    """
    if name == COMMON:
        return "how common the most common third of words is in the texts"
    if name == LENGTH:
        return "how long the vectors of words are: names and fragments have short ones"
    kind, _, shape = name.partition(".")
    if kind == AGREEMENT:
        sources = {TEXT: "corpus and reference", VECTOR: "embeddings", JOINED: "texts and vectors"}
        return f"how far {sources[shape]} agree which words belong together"
    source = {TEXT: "the texts", VECTOR: "the vectors", JOINED: "texts and vectors together"}
    return f"{_MEANINGS[shape]}, by {source[kind]}"


def _most_common(relations: Relations) -> Floats:
    """Return how common the most common third of words is, in the larger text."""
    name = REFERENCE if REFERENCE in relations.common else CORPUS
    ordered = np.sort(relations.common[name], axis=1)
    return np.asarray(ordered[:, -max(1, round(relations.size / 3)) :].mean(axis=1))


def _centred(logits: Floats) -> Floats:
    above = np.triu_indices(logits.shape[-1], 1)
    values = logits[:, above[0], above[1]]
    return np.asarray(values - values.mean(axis=1, keepdims=True))


def _correlation(one: Floats, other: Floats) -> Floats:
    lengths = np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    # smaller lengths are those of rounding
    usable = lengths > 1e-9
    return np.asarray(
        np.where(usable, (one * other).sum(axis=1) / np.where(usable, lengths, 1.0), 0.0)
    )
