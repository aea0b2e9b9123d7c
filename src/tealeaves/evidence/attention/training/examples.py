"""Examples to fit a classifier to: texts drawn from a corpus, and their classes.

The classes are those of the corpus, or clusters of the texts.
"""

from __future__ import annotations

import heapq
import warnings
from collections import Counter
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tealeaves.errors import InputError
from tealeaves.evidence.attention.devices import one_thread
from tealeaves.evidence.attention.sample import random_number
from tealeaves.evidence.attention.training.pieces import Numbers
from tealeaves.extras import require
from tealeaves.parameters import wrong_value
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Fields
from tealeaves.text.pipeline import Pipeline

LabelSource = Literal["auto", "given", "clusters"]
_COMPONENTS = 100
_TRIALS = 10  # starts of K-means, of which the best is kept
_WORDS = 3  # of the name of a cluster


class DrawnTexts(NamedTuple):
    """Texts as lists of words, their labels ("" if there is none), and how they were drawn.

    ``label_field`` is the field of the labels if the user named one, else "".
    """

    words: list[list[str]]
    labels: list[str]
    report: dict[str, Any]
    label_field: str = ""


def draw_texts(corpus: Corpus, pipeline: Pipeline, most: int, *, seed: int = 0) -> DrawnTexts:
    """Draw at most so many texts at random, in the order of the corpus.

    Each text has a random number, made of the seed and of its position; the texts with the smallest
    numbers are taken. So the texts are read once, and the seed alone decides which are drawn. Texts
    without a word, or with fewer than the pipeline demands, are left out.
    """
    if most < 1:
        raise wrong_value("texts", most, "at least 1")
    tokenize, least = pipeline.tokenizer(), max(1, pipeline.min_tokens)
    kept: list[tuple[int, int, list[str], str]] = []  # the largest number first
    read = 0
    for position, document in enumerate(corpus):
        read += 1
        number = -random_number(document, seed)
        if len(kept) == most and number < kept[0][0]:
            continue
        words = tokenize(document.text)
        if len(words) < least:
            continue
        entry = (number, position, words, document.label)
        (heapq.heappush if len(kept) < most else heapq.heapreplace)(kept, entry)
    if not kept:
        raise InputError(f"{corpus.name}: no text with a word to fit a classifier on")
    kept.sort(key=lambda entry: entry[1])
    report = {"corpus": corpus.name, "tokens": repr(pipeline), "read": read, "texts": len(kept)}
    field = "" if corpus.fields.label == Fields().label else corpus.fields.label
    labels = [label for *_, label in kept]
    return DrawnTexts([words for _, _, words, _ in kept], labels, report, field)


class Examples(NamedTuple):
    """Texts as lists of words, the number of each one's class, and the names of the classes."""

    words: list[list[str]]
    classes: Numbers
    labels: tuple[str, ...]
    report: dict[str, Any]


def label_texts(
    drawn: DrawnTexts, labels: LabelSource = "auto", *, clusters: int = 20, seed: int = 0
) -> Examples:
    """Give each text its class; texts without one, and classes of one text, are left out.

    ``labels`` are ``given`` by the corpus, ``clusters``, or ``auto``: given ones if most texts have
    one. If the user named a field of labels, some text must have it.
    """
    named = sum(map(bool, drawn.labels))
    if not named and (labels == "given" or (labels == "auto" and drawn.label_field)):
        where = f" in the field {drawn.label_field!r}" if drawn.label_field else ""
        raise InputError(
            f"no text has a label{where}: name the field of labels (--label-field), or use "
            "clusters (--labels clusters)"
        )
    if labels == "auto":
        labels = "given" if 2 * named > len(drawn.labels) else "clusters"
    names = drawn.labels if labels == "given" else cluster_texts(drawn.words, clusters, seed=seed)
    return _examples(drawn, names, labels)


def _examples(drawn: DrawnTexts, labels: list[str], source: LabelSource) -> Examples:
    sizes = Counter(labels)
    unlabelled = sizes.pop("", 0)
    single = sorted(name for name, size in sizes.items() if size < 2)
    names = tuple(sorted(set(sizes) - set(single)))
    if len(names) < 2:
        problem = "no two texts share a label"
        if names:
            problem = f"all labelled texts are of the class {names[0]}"
        raise InputError(
            f"{problem}: use clusters (--labels clusters), or masked words, which need no classes "
            "(--how mlm)"
        )
    numbers = {name: number for number, name in enumerate(names)}
    rows = [row for row, name in enumerate(labels) if name in numbers]
    notes = []
    if unlabelled:
        notes.append(f"{unlabelled} texts without a label were left out")
    if single:
        notes.append(f"classes with a single text were left out: {', '.join(single)}")
    return Examples(
        [drawn.words[row] for row in rows],
        np.array([numbers[labels[row]] for row in rows], dtype=np.int64),
        names,
        {
            **drawn.report,
            "texts": len(rows),
            "labels": source,
            "classes": len(names),
            "notes": notes,
        },
    )


def split_rows(classes: Numbers, share: float, seed: int) -> tuple[Numbers, Numbers]:
    """Return the rows to fit on and those held out: about the same share of each class.

    Every class keeps a text to fit on. If the share is not a whole number of texts, the largest
    remainders decide which classes give one text more.

    >>> fitted, held = split_rows(np.array([0, 0, 0, 0, 1, 1, 1, 1]), 0.25, seed=1)
    >>> len(fitted), len(held), sorted(int(row) // 4 for row in held)
    (6, 2, [0, 1])
    """
    if not 0 < share < 1:
        raise wrong_value("held_out", share, "between 0 and 1")
    random = np.random.default_rng(seed)
    shuffled = random.permutation(len(classes))
    names, sizes = np.unique(classes, return_counts=True)
    exact = sizes * share
    taken = np.floor(exact).astype(np.int64)
    wanted = max(1, round(len(classes) * share))
    ties = random.permutation(len(names))
    order = np.lexsort((ties, -(exact - taken)))
    taken[order[: max(0, wanted - int(taken.sum()))]] += 1
    taken = np.minimum(taken, sizes - 1)
    held = [
        shuffled[classes[shuffled] == name][:count]
        for name, count in zip(names, taken, strict=True)
    ]
    rows = np.sort(np.concatenate(held))
    return np.setdiff1d(np.arange(len(classes)), rows), rows


def cluster_texts(texts: list[list[str]], clusters: int = 20, *, seed: int = 0) -> list[str]:
    """Return the name of each text's cluster: K-means on a truncated SVD of TF-IDF.

    A cluster is named after its most typical words. If many texts are equal, there may be fewer
    clusters than ``clusters``.
    """
    if clusters < 2:
        raise wrong_value("clusters", clusters, "at least 2")
    if len(texts) < clusters:
        raise InputError(
            f"{len(texts)} texts for {clusters} clusters: give more texts, or fewer clusters"
        )
    extraction = require("sklearn.feature_extraction.text", extra="relevance", reason="clusters")
    vectorizer = extraction.TfidfVectorizer(analyzer=list)
    weights = vectorizer.fit_transform(texts)
    numbers = _cluster_numbers(weights, clusters, seed)
    names = _cluster_names(weights, numbers, vectorizer.get_feature_names_out())
    return [names[number] for number in numbers]


def _cluster_numbers(weights: Any, clusters: int, seed: int) -> NDArray[np.int64]:
    decomposition = require("sklearn.decomposition", extra="relevance", reason="clusters")
    clustering = require("sklearn.cluster", extra="relevance", reason="clusters")
    components = min(_COMPONENTS, *weights.shape)
    svd = decomposition.TruncatedSVD(components, random_state=seed)
    search = clustering.KMeans(clusters, n_init=_TRIALS, random_state=seed)
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fewer different texts than clusters
        numbers = search.fit_predict(svd.fit_transform(weights))
    return np.unique(numbers, return_inverse=True)[1].astype(np.int64)


def _cluster_names(weights: Any, numbers: NDArray[np.int64], words: NDArray[Any]) -> list[str]:
    """Name each cluster after the words whose mean weight is most above that of all texts."""
    overall = np.asarray(weights.mean(axis=0)).ravel()
    names: list[str] = []
    seen: Counter[str] = Counter()
    for number in range(int(numbers.max()) + 1):
        typical = np.asarray(weights[numbers == number].mean(axis=0)).ravel() - overall
        best = np.argsort(-typical, kind="stable")[:_WORDS]
        name = " ".join(str(words[word]) for word in best)
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return names
