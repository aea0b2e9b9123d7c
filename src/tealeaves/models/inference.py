"""Inferring the topics of documents that a model was not trained on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.sources import open_corpus
from tealeaves.models.polylingual.chain import check_sampling
from tealeaves.models.polylingual.counts import aligned_zeros, dense_buffers, padded
from tealeaves.models.polylingual.kernels.inference import KnownTopics, NewTuples, sample_tuples
from tealeaves.models.polylingual.kernels.random import key_of
from tealeaves.models.texts import TrainingTexts, read_texts, read_tuples
from tealeaves.system import processors
from tealeaves.text.paired import PairedCorpus
from tealeaves.text.pipeline import Pipeline, Tokens, pipelines_of
from tealeaves.topics.distributions import phi
from tealeaves.topics.multilingual import MultilingualTopics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats
    from tealeaves.text.corpus import Corpus, Text
    from tealeaves.topics.topics import Topics


ALPHA = 0.1
ITERATIONS = 100
_DEFAULT_TOKENS = "words"  # for models that do not name their pipeline
_SPANS_PER_THREAD = 4  # some tuples take longer than others


def infer(
    topics: Topics,
    corpus: Corpus | PairedCorpus | str | os.PathLike[str] | Iterable[Text],
    *,
    language: str | None = None,
    tokens: Tokens = None,
    alpha: float | Sequence[float] = ALPHA,
    iterations: int = ITERATIONS,
    seed: int = 1,
    threads: int | None = None,
) -> Floats:
    """Return θ of new documents: one row per document, or per tuple of paired texts, in order.

    Topics are sampled for the words that the model knows, with the φ of the model; θ is the mean
    over the second half of the iterations. It depends on the seed and on the document's own words,
    not on other documents. A document without known words is a row of zeros.

    Parameters
    ----------
    topics
        A model with a topic-word matrix.
    corpus
        The documents. Of paired texts only the languages of the model are read; the rows are those
        of ``corpus.tuples()``.
    language
        The language of the corpus, if the topics are in several and the corpus is in one.
    tokens
        The token pipeline, or one for each language. Default: the one that the model names, else
        ``words``.
    alpha
        The prior of topics in documents: one number, or one for each topic.
    iterations
        The number of sweeps over all tokens.
    seed
        The seed of the random numbers.
    threads
        By default one per processor; they do not change the numbers.

    >>> from tealeaves.models import train
    >>> texts = ["cat dog cat", "dog cat", "soup bread", "bread soup bread"]
    >>> topics = train("pltm", texts, k=2, max_df=1.0, iterations=100)
    >>> shares = infer(topics, ["cat dog dog cat", "soup soup", "?"])
    >>> shares.shape, bool(shares[0].argmax() == shares[1].argmax()), float(shares[2].sum())
    ((3, 2), False, 0.0)
    """
    priors = _priors(alpha, len(topics))
    if iterations < 1:
        raise InputError(f"iterations must be at least 1, not {iterations}")
    sides = _sides(topics, corpus, language)
    known = {name: _known_words(side) for name, side in sides.items()}
    vocabularies = {name: words for name, (words, _) in known.items()}
    pipelines = pipelines_of(
        sides,
        tokens,
        lambda name: Pipeline.stored(sides[name].tokens or _DEFAULT_TOKENS, sides[name].model),
    )
    if isinstance(corpus, PairedCorpus):
        texts = read_tuples(corpus, pipelines, vocabularies)
    else:
        [name] = sides
        texts = read_texts(open_corpus(corpus), pipelines[name], vocabularies[name])
    theta = infer_theta(
        texts,
        phi=[weights for _, weights in known.values()],
        alpha=priors,
        iterations=iterations,
        seed=seed,
        threads=threads or processors(),
    )
    return np.where(texts.lengths[:, None] > 0, theta, 0.0)


def _priors(alpha: float | Sequence[float], k: int) -> Floats:
    """Return the alpha of each topic."""
    values = np.asarray(alpha, dtype=np.float64)
    if values.ndim > 1 or values.size not in (1, k):
        raise InputError(
            f"alpha must be one number, or one for each of {k} topics, not {values.size}"
        )
    if not (np.isfinite(values).all() and (values > 0).all()):
        raise InputError("alpha must be above 0")
    return np.broadcast_to(values, (k,)).copy()


def _sides(topics: Topics, corpus: Any, language: str | None) -> dict[str, Topics]:
    """Return the topics in each language of the texts, by the texts' name of the language."""
    is_paired = isinstance(corpus, PairedCorpus)
    if not isinstance(topics, MultilingualTopics):
        if is_paired:
            raise InputError(
                f"{topics.model} is in one language: give one side of the paired texts"
            )
        return {topics.language: topics}
    if not is_paired:
        if language is None:
            raise InputError(
                f"{topics.model} is in {', '.join(topics.languages)}: name the language of the "
                f"texts, language={topics.languages[0]!r}"
            )
        return {language: topics.side(language)}
    sides = {name: side for name in corpus.languages if (side := _side(topics, name)) is not None}
    if not sides:
        raise InputError(
            f"{topics.model} is in {', '.join(topics.languages)}, but the texts are in "
            f"{', '.join(corpus.languages)}"
        )
    return sides


def _side(topics: MultilingualTopics, language: str) -> Topics | None:
    try:
        return topics.side(language)
    except InputError:  # a language that the model does not have
        return None


def _known_words(side: Topics) -> tuple[list[str], Floats]:
    """Return the words that some topic has, and φ of them."""
    weights = phi(side)
    used = weights.sum(axis=0) > 0
    words = [word for word, there in zip(side.vocabulary or (), used, strict=True) if there]
    return words, np.ascontiguousarray(weights[:, used])


# ------------------------------------------------------------------ sampling


def infer_theta(
    texts: TrainingTexts,
    *,
    phi: Sequence[Floats],
    alpha: Floats,
    iterations: int,
    seed: int,
    threads: int = 1,
) -> Floats:
    """Return θ of new tuples: one row per tuple.

    Topics are sampled by Gibbs for ``iterations`` sweeps, and θ is the mean over the second half
    of them. Random numbers depend on the seed and the words of a tuple, so neither other tuples
    nor threads change its row. A tuple without words has the shares of ``alpha``.

    Parameters
    ----------
    texts
        The tuples.
    phi
        For each language how likely its words are in each topic: one row per topic. A word that no
        topic has does not count.
    alpha
        The prior of each topic.
    """
    k = len(alpha)
    check_sampling("inference", texts, k, iterations)
    width = padded(k)
    starts = np.ascontiguousarray(texts.starts[:: len(texts.languages)])
    table = _word_rows(phi, texts, k, width)
    priors: Floats = aligned_zeros(width, np.float64)
    priors[:k] = alpha
    means = np.zeros(len(texts) * k)
    topics = np.zeros(len(texts.words), dtype=np.int32)
    tuples, model = (
        NewTuples(starts, texts.token_rows, topics, means),
        KnownTopics(k, table, priors),
    )

    def sample(span: tuple[int, int]) -> None:
        sample_tuples(*span, key_of(seed), iterations, tuples, model, dense_buffers(width))

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(sample, texts.split_tuples(threads * _SPANS_PER_THREAD)))
    smoothed = means.reshape(-1, k) + alpha
    return np.asarray(smoothed / smoothed.sum(axis=1, keepdims=True), dtype=np.float64)


def _word_rows(phi: Sequence[Floats], texts: TrainingTexts, k: int, width: int) -> Floats:
    """Return φ with one padded row per word, language by language."""
    table: Floats = aligned_zeros(int(texts.offsets[-1]) * width, np.float64)
    rows = table.reshape(-1, width)[:, :k]
    for language, weights in enumerate(phi):
        first, last = texts.offsets[language : language + 2]
        shape = (k, last - first)
        if weights.shape != shape:
            raise ValueError(f"phi of language {language} is {weights.shape}, not {shape}")
        rows[first:last] = weights.T
    if not (np.isfinite(rows).all() and (rows >= 0).all()):
        raise ValueError("phi has negative or undefined values")
    rows[~rows.any(axis=1)] = 1.0
    return table
