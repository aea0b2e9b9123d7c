"""Signals: what the relations between a topic's words say of the topic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.consensus.relations import CORPUS, REFERENCE, Relations, related

#: The relations that topics are looked at by: of texts, of vectors, and of both together.
TEXT, VECTOR, JOINED = "texts", "vectors", "joined"
SHAPES = ("best", "worst", "first", "second")
AGREEMENT = "agreement"
COMMON, LENGTH = "texts.common", "vectors.length"

_FIRST = 5

#: What each signal is, for tables and reasons.
SAID = {
    "best": "how related the third of words is that fits best",
    "worst": "how related the third of words is that fits worst",
    "first": "how related the first five words are",
    "second": "how strong a second theme is",
}

#: Signals of which more is not known to be better or worse.
FREE = (*(f"{kind}.second" for kind in (TEXT, VECTOR, JOINED)), COMMON, LENGTH)


def signals_of(relations: Relations) -> dict[str, Floats]:
    """Return the signals that the sources at hand allow, a number a topic each.

    ``texts.best`` and its like are of the mean log odds of the texts (vectors, both).
    ``agreement.texts`` is how far the texts order a topic's pairs alike, as a correlation, and so
    are ``agreement.vectors`` and ``agreement.joined``, of texts with vectors: what only one of them
    sees is chance or junk.
    """
    found: dict[str, Floats] = {}
    for kind, names in ((TEXT, relations.texts), (VECTOR, relations.embeddings)):
        if len(names) > 1:
            found[f"{AGREEMENT}.{kind}"] = agreement([relations.logits[name] for name in names])
    means = mean_logits(relations)
    if JOINED in means:
        found[f"{AGREEMENT}.{JOINED}"] = agreement([means[TEXT], means[VECTOR]])
    for kind, logits in means.items():
        found |= {f"{kind}.{name}": value for name, value in shapes(related(logits)).items()}
    if relations.texts:
        found[COMMON] = _most_common(relations)
    if relations.lengths is not None:
        found[LENGTH] = relations.lengths.mean(axis=1)
    return found


def mean_logits(relations: Relations) -> dict[str, Floats]:
    """Return the mean log odds of the texts, of the vectors, and last of both where both are."""
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

    A word fits as it is related to the others, in the mean. ``second`` is the second eigenvalue,
    per word: it is high where a topic falls apart into two.

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
    """Return how alike sources order the pairs of each topic: the mean correlation of two.

    Where a source makes no difference between pairs it agrees with nobody: 0.
    """
    pairs = [_centred(one) for one in logits]
    return np.asarray(np.mean([_correlation(a, b) for a, b in combinations(pairs, 2)], axis=0))


def names_of(parts: Iterable[str]) -> tuple[str, ...]:
    """Return the signals that some parts of the evidence allow, in the order of tables.

    Parts are ``corpus``, ``reference``, ``vectors``, ``several`` (embeddings) and ``length``.

    >>> names_of(["corpus"])
    ('texts.best', 'texts.worst', 'texts.first', 'texts.second', 'texts.common')
    """
    given = set(parts)
    texts = len(given & {CORPUS, REFERENCE})
    kinds = [
        *([TEXT] if texts else []),
        *([VECTOR] if VECTOR in given else []),
        *([JOINED] if texts and VECTOR in given else []),
    ]
    names = [f"{kind}.{shape}" for kind in kinds for shape in SHAPES]
    names += [f"{AGREEMENT}.{TEXT}"] if texts > 1 else []
    names += [f"{AGREEMENT}.{VECTOR}"] if "several" in given else []
    names += [f"{AGREEMENT}.{JOINED}"] if JOINED in kinds else []
    names += [COMMON] if texts else []
    names += [LENGTH] if "length" in given else []
    return tuple(names)


def meaning(name: str) -> str:
    """Say what a signal is, in words.

    >>> meaning("texts.worst")
    'how related the third of words is that fits worst, by the texts'
    """
    if name == COMMON:
        return "how common the most common third of words is in the texts"
    if name == LENGTH:
        return "how long the vectors of words are: names and fragments have short ones"
    kind, _, shape = name.partition(".")
    if kind == AGREEMENT:
        who = {TEXT: "corpus and reference", VECTOR: "embeddings", JOINED: "texts and vectors"}
        return f"how far {who[shape]} agree which words belong together"
    whose = {TEXT: "the texts", VECTOR: "the vectors", JOINED: "texts and vectors together"}
    return f"{SAID[shape]}, by {whose[kind]}"


def _most_common(relations: Relations) -> Floats:
    """Return how common the most common third of words is, in the larger text at hand."""
    name = REFERENCE if REFERENCE in relations.common else CORPUS
    ordered = np.sort(relations.common[name], axis=1)
    return np.asarray(ordered[:, -max(1, round(relations.size / 3)) :].mean(axis=1))


def _centred(logits: Floats) -> Floats:
    above = np.triu_indices(logits.shape[-1], 1)
    values = logits[:, above[0], above[1]]
    return np.asarray(values - values.mean(axis=1, keepdims=True))


def _correlation(one: Floats, other: Floats) -> Floats:
    lengths = np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    # what rounding leaves of equal numbers is no difference
    usable = lengths > 1e-9
    return np.asarray(
        np.where(usable, (one * other).sum(axis=1) / np.where(usable, lengths, 1.0), 0.0)
    )
