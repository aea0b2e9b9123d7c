"""Clusters of texts: classes where nobody has given any."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tealeaves.errors import InputError
from tealeaves.evidence.relevance.classifier.devices import one_thread
from tealeaves.extras import require

_COMPONENTS = 100
_TRIALS = 10  # beginnings of K-means, of which the best is kept
_WORDS = 3  # of the name of a cluster


def cluster(texts: list[list[str]], clusters: int = 20, *, seed: int = 0) -> list[str]:
    """Return the name of each text's cluster: K-means on a truncated SVD of TF-IDF.

    A cluster is called after the words that are most typical of it. There may be fewer clusters
    than asked for, where many texts are the same.

    Parameters
    ----------
    texts
        Lists of words.
    clusters
        How many.
    seed
        Where the search begins.
    """
    if clusters < 2:
        raise InputError(f"clusters={clusters}: at least 2 are needed")
    if len(texts) < clusters:
        raise InputError(
            f"{len(texts)} texts for {clusters} clusters: give more texts, or fewer clusters"
        )
    extraction = require("sklearn.feature_extraction.text", extra="relevance", reason="clusters")
    vectorizer = extraction.TfidfVectorizer(analyzer=list)
    weights = vectorizer.fit_transform(texts)
    numbers = _numbers(weights, clusters, seed)
    names = _names(weights, numbers, vectorizer.get_feature_names_out())
    return [names[number] for number in numbers]


def _numbers(weights: Any, clusters: int, seed: int) -> NDArray[np.int64]:
    decomposition = require("sklearn.decomposition", extra="relevance", reason="clusters")
    clustering = require("sklearn.cluster", extra="relevance", reason="clusters")
    components = min(_COMPONENTS, *weights.shape)
    svd = decomposition.TruncatedSVD(components, random_state=seed)
    search = clustering.KMeans(clusters, n_init=_TRIALS, random_state=seed)
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fewer different texts than clusters
        found = search.fit_predict(svd.fit_transform(weights))
    return np.unique(found, return_inverse=True)[1].astype(np.int64)


def _names(weights: Any, numbers: NDArray[np.int64], words: NDArray[Any]) -> list[str]:
    """Call each cluster after the words whose mean weight is most above that of all texts."""
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
