"""The kernels of the sampler: C writes the same numbers as the Python, bit by bit."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves import kernels
from tealeaves.errors import InputError
from tealeaves.kernels import Arguments, in_python
from tealeaves.models import train
from tealeaves.models.inference import infer_theta
from tealeaves.models.polylingual.chain import GibbsChain
from tealeaves.models.polylingual.counts import SparseCounts, dense_buffers, padded
from tealeaves.models.polylingual.dirichlet import Priors
from tealeaves.models.polylingual.kernels.counts import count_in_tuples
from tealeaves.models.polylingual.kernels.dense import (
    DenseBuffers,
    TopicTotals,
    TupleWords,
    sample_dense,
    weigh_dense,
)
from tealeaves.models.polylingual.kernels.inference import (
    KnownTopics,
    NewTuples,
    sample_tuples,
)
from tealeaves.models.polylingual.kernels.random import key_of
from tealeaves.models.polylingual.kernels.sparse import (
    SparseBuffers,
    WordRows,
    fill_rows,
    move_tokens,
    sample_sparse,
    weigh_sparse,
)
from tests.systems import needs_library

from .exact import texts_of

if TYPE_CHECKING:
    from tealeaves.kernels import Kernel
    from tealeaves.models.texts import TrainingTexts

#: short rows, rows of several blocks, rows that are drawn from in strides
topic_numbers = st.one_of(st.integers(1, 30), st.integers(40, 56), st.integers(65, 200))
seeds = st.integers(0, 2**32 - 1)

pytestmark = needs_library


def some_texts(rng: Any, languages: int, words: int = 9) -> TrainingTexts:
    """Make tuples, of which some sides and some whole tuples are empty."""
    tuples = [
        [
            rng.integers(0, words, rng.integers(0, 12) * rng.integers(0, 2)).tolist()
            for _ in range(languages)
        ]
        for _ in range(5)
    ]
    tuples += [[[] for _ in range(languages)], [[0, 1] for _ in range(languages)]]
    return texts_of(tuples, [words] * languages)


def some_chain(rng: Any, k: int, languages: int, sampler: Any) -> GibbsChain:
    texts = some_texts(rng, languages)
    topics = rng.integers(0, k, len(texts.words)).astype(np.int32)
    priors = Priors(rng.uniform(0.01, 2, k), rng.uniform(0.001, 1, languages))
    return GibbsChain(texts, topics, priors, seed=1, parts=1, sampler=sampler)


def numbers(value: Any) -> Any:
    """Return all numbers of an argument."""
    if isinstance(value, Arguments):
        return [numbers(getattr(value, field.name)) for field in fields(value)]  # type: ignore[arg-type]
    return value.tolist() if isinstance(value, np.ndarray) else value


def both(kernel: Kernel, make: Callable[[], tuple[Any, ...]]) -> Any:
    """Run a kernel and its Python on the same arguments; return what both wrote."""
    assert kernels.are_compiled()
    results = []
    for run in (kernel, kernel.python):
        arguments = make()
        returned = run(*arguments)
        results.append([returned, *map(numbers, arguments)])
    assert results[0] == results[1]
    return results[0]


@given(seed=seeds, k=topic_numbers, languages=st.integers(1, 3))
@settings(deadline=None)
def test_the_dense_sampler(seed: int, k: int, languages: int) -> None:
    def state() -> tuple[Any, ...]:
        chain = some_chain(np.random.default_rng(seed), k, languages, "dense")
        counts: Any = chain._counts
        totals = counts._topic_totals(chain.priors)
        return counts._words, chain.topics, counts.table, totals, counts._buffers

    tuples = (len(state()[0].starts) - 1) // languages
    both(sample_dense, lambda: (0, tuples, key_of(seed), *state()))
    both(sample_dense, lambda: (2, tuples, key_of(seed, 1), *state()))
    tokens = len(state()[1])
    both(weigh_dense, lambda: (tuples - 1, tokens - 1, *state()))


@given(seed=seeds, k=topic_numbers, languages=st.integers(1, 3))
@settings(deadline=None)
def test_the_sparse_sampler(seed: int, k: int, languages: int) -> None:
    def state() -> tuple[Any, ...]:
        chain = some_chain(np.random.default_rng(seed), k, languages, "sparse")
        counts: Any = chain._counts
        totals = counts._topic_totals(chain.priors)
        return counts._words, chain.topics, counts._rows, totals, counts._buffers

    tuples = (len(state()[0].starts) - 1) // languages
    both(sample_sparse, lambda: (0, tuples, key_of(seed), *state()))
    both(sample_sparse, lambda: (2, tuples, key_of(seed, 1), *state()))
    tokens = len(state()[1])
    both(weigh_sparse, lambda: (tuples - 1, tokens - 1, *state(), np.zeros(k + 1)))


@given(seed=seeds, k=topic_numbers)
@settings(deadline=None)
def test_the_rows_of_words(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    texts = some_texts(rng, 2, words=3)
    before, after = rng.integers(0, k, (2, len(texts.words))).astype(np.int32)

    def filled() -> tuple[Any, ...]:
        return before, texts.token_rows, SparseCounts.empty(texts, k)._rows

    def moved() -> tuple[Any, ...]:
        counts = SparseCounts.of(texts, k, before)
        return before, after, texts.token_rows, counts._rows, k

    both(fill_rows, filled)
    both(move_tokens, moved)


@given(seed=seeds, k=topic_numbers, iterations=st.integers(1, 4))
@settings(deadline=None)
def test_inference(seed: int, k: int, iterations: int) -> None:
    """Most words have few topics; some have one of them alone."""

    def arguments() -> tuple[Any, ...]:
        rng = np.random.default_rng(seed)
        texts, width = some_texts(rng, 1), padded(k)
        phi = np.zeros((9, width))
        phi[:, :k] = rng.random((9, k)) * (rng.random((9, k)) < rng.random((9, 1)))
        phi[np.arange(9), rng.integers(0, k, 9)] += 0.1
        alpha = np.zeros(width)
        alpha[:k] = rng.uniform(0.01, 2, k)
        topics, means = np.zeros(len(texts.words), np.int32), np.zeros(len(texts) * k)
        tuples = NewTuples(texts.starts, texts.token_rows, topics, means)
        model = KnownTopics(k, phi.ravel(), alpha)
        return 1, len(texts), key_of(seed), iterations, tuples, model, dense_buffers(width)

    both(sample_tuples, arguments)


@given(seed=seeds, k=st.integers(1, 9), languages=st.integers(1, 3))
@settings(deadline=None)
def test_topics_in_tuples(seed: int, k: int, languages: int) -> None:
    rng = np.random.default_rng(seed)
    texts = some_texts(rng, languages)
    topics = rng.integers(0, k, len(texts.words)).astype(np.int32)
    empty = np.full_like(topics, -1)

    def arguments() -> tuple[Any, ...]:
        buffer = np.zeros(k, np.int64)
        return languages, texts.starts, topics, buffer, empty.copy(), empty.copy()

    pairs, *_, buffer, found, counts = both(count_in_tuples, arguments)
    assert buffer == [0] * k
    assert pairs == sum(topic >= 0 for topic in found)
    assert sum(counts[:pairs]) == len(topics)


# ------------------------------------------------------------------ large arrays

LARGE = 2**31 + 1000  # elements, more than 32 bits can count

needs_sparse_files = pytest.mark.skipif(
    sys.platform != "linux", reason="files with holes of many gigabytes"
)


def large_zeros(path: Path, kind: Any, size: int) -> Any:
    """Return an array in a file that takes no space where nothing is written."""
    return np.memmap(path, dtype=kind, mode="w+", shape=(size,))


def lists(value: Arguments, *large: str) -> Any:
    """Return arguments as Python reads them; large arrays stay as they are."""
    given = {field.name: getattr(value, field.name) for field in fields(value)}  # type: ignore[arg-type]
    listed = {name: one if name in large else numbers(one) for name, one in given.items()}
    return SimpleNamespace(**listed)


@needs_sparse_files
def test_a_table_of_more_cells_than_32_bits_count(tmp_path: Path) -> None:
    width = 1000
    row = LARGE // width + 1
    results = []
    for name in ("c", "python"):
        table = large_zeros(tmp_path / name, np.int32, (row + 3) * width)
        rng = np.random.default_rng(3)
        words = rng.integers(0, 3, 40).astype(np.int32)
        topics: Any = rng.integers(0, 999, 40).astype(np.int32)
        np.add.at(table, (row + words.astype(np.int64)) * width + topics, 1)
        counts = np.bincount(topics, minlength=width).astype(np.int32)
        texts = TupleWords(1, np.array([0, 40]), words, np.array([row]))
        alpha, size = np.r_[np.full(999, 0.1), 0.0], np.array([0.3])
        totals: Any = TopicTotals(999, alpha, np.array([0.1]), size, counts, 1 / (counts + 0.3))
        buffers: Any = dense_buffers(width)
        if name == "c":
            sample_dense(0, 1, 77, texts, topics, table, totals, buffers)
        else:
            totals, buffers, topics = lists(totals), lists(buffers), topics.tolist()
            sample_dense.function(0, 1, 77, lists(texts), topics, table, totals, buffers)
        results.append((numbers(topics), table[row * width :].tolist(), numbers(totals.counts)))
        (tmp_path / name).unlink()
    assert results[0] == results[1]
    assert results[0][0] != np.random.default_rng(3).integers(0, 999, 40).tolist()


@needs_sparse_files
def test_rows_that_begin_beyond_32_bits(tmp_path: Path) -> None:
    results = []
    for name in ("c", "python"):
        rng = np.random.default_rng(3)
        texts = texts_of([[rng.integers(0, 3, 40).tolist()]], [3])
        topics: Any = rng.integers(0, 20, 40).astype(np.int32)
        counts = SparseCounts.empty(texts, 20)
        begins = counts.begins + LARGE
        places, cells = (
            large_zeros(tmp_path / f"{name}{n}", np.int32, int(begins[-1])) for n in range(2)
        )
        places[LARGE:] = 20
        rows: Any = WordRows(begins, counts.lengths, places, cells)
        counts._count_totals(topics)
        totals: Any = counts._topic_totals(Priors(np.full(20, 0.1), np.array([0.1])))
        words: Any = counts._words
        buffers: Any = counts._buffers
        moved, weights = topics.copy(), np.zeros(21)
        if name == "c":
            fill_rows(topics, texts.token_rows, rows)
            sample_sparse(0, 1, 77, words, moved, rows, totals, buffers)
            weigh_sparse(0, 9, words, moved, rows, totals, buffers, weights)
            move_tokens(moved, topics, texts.token_rows, rows, 20)
        else:
            rows, topics, moved = lists(rows, "places", "counts"), topics.tolist(), moved.tolist()
            words, totals, buffers = lists(words), lists(totals), lists(buffers)
            fill_rows.function(topics, texts.token_rows, rows)
            sample_sparse.function(0, 1, 77, words, moved, rows, totals, buffers)
            weigh_sparse.function(0, 9, words, moved, rows, totals, buffers, weights)
            move_tokens.function(moved, topics, texts.token_rows, rows, 20)
        assert numbers(moved) != numbers(topics)
        written = [array[LARGE:].tolist() for array in (places, cells)]
        results.append((numbers(moved), written, weights.tolist(), numbers(totals.counts)))
        for n in range(2):
            (tmp_path / f"{name}{n}").unlink()
    assert results[0] == results[1]


@needs_sparse_files
def test_inference_of_more_cells_than_32_bits_count(tmp_path: Path) -> None:
    width, k = 1000, 999
    row, tuples = LARGE // width + 1, LARGE // k + 1
    results = []
    for name in ("c", "python"):
        phi = large_zeros(tmp_path / f"{name}-phi", np.float64, (row + 3) * width)
        means = large_zeros(tmp_path / f"{name}-means", np.float64, (tuples + 1) * k)
        rng = np.random.default_rng(4)
        for word in range(3):
            phi[(row + word) * width :][:k] = rng.random(k)
        rows, topics = row + rng.integers(0, 3, 9), np.zeros(9, np.int32)
        starts = np.r_[np.zeros(tuples + 1, np.int64), 9]
        new = NewTuples(starts, rows, topics, means)
        drawn: Any = topics
        model = KnownTopics(k, phi, np.r_[np.full(k, 0.1), 0.0])
        if name == "c":
            sample_tuples(tuples, tuples + 1, 5, 2, new, model, dense_buffers(width))
        else:
            given, known = lists(new, "means"), lists(model, "phi")
            buffers = lists(dense_buffers(width))
            sample_tuples.function(tuples, tuples + 1, 5, 2, given, known, buffers)
            drawn = given.topics
        results.append((numbers(drawn), means[tuples * k :].tolist()))
        for array in ("phi", "means"):
            (tmp_path / f"{name}-{array}").unlink()
    assert results[0] == results[1]
    assert sum(results[0][1]) == pytest.approx(9)


# ------------------------------------------------------------------ without the library


@pytest.mark.parametrize("sampler", ["dense", "sparse"])
def test_threads_that_run_python_do_not_overwrite_each_other(sampler: Any) -> None:
    results = []
    for threads in (1, 3):
        chain = some_chain(np.random.default_rng(2), 11, 2, sampler)
        chain.parts = 3
        if threads == 1:
            chain.advance()
        else:
            with in_python():
                chain.advance(threads=threads)
        results.append((chain.topics.tolist(), chain.word_topics.tolist()))
    assert results[0] == results[1]


def test_inference_in_python_has_the_same_theta() -> None:
    rng = np.random.default_rng(6)
    texts, phi, alpha = some_texts(rng, 1), rng.random((4, 9)), np.full(4, 0.3)

    def theta() -> list[list[float]]:
        found = infer_theta(texts, phi=[phi], alpha=alpha, iterations=5, seed=1, threads=2)
        return list(found.tolist())

    expected = theta()
    with in_python():
        assert theta() == expected


def test_what_would_take_long_in_python_is_refused() -> None:
    texts = texts_of([[[0, 1] * 1000]], [2])
    documents = ["cat dog fish bird"] * 2
    phi, alpha = [np.full((2, 2), 0.5)], np.full(2, 0.1)
    with in_python():
        train("pltm(k=2, iterations=2, max_df=1.0)", documents)
        with pytest.raises(InputError, match=r"training .* needs the compiled kernels") as training:
            train("pltm(k=2, iterations=100000000, max_df=1.0)", documents)
        with pytest.raises(InputError, match=r"inference .* C compiler") as inference:
            infer_theta(texts, phi=phi, alpha=alpha, iterations=10**6, seed=1)
    for error in (training, inference):
        assert "\n" not in str(error.value)


def test_buffers_are_not_mistaken_for_each_other() -> None:
    """C would read anywhere."""
    chain = some_chain(np.random.default_rng(2), 11, 2, "sparse")
    counts: Any = chain._counts
    buffers: SparseBuffers = counts._buffers
    totals = counts._topic_totals(chain.priors)
    wrong = DenseBuffers(buffers.mixed, buffers.factors, buffers.sums)
    with pytest.raises(TypeError, match="SparseBuffers, not DenseBuffers"):
        sample_sparse(0, 1, 1, counts._words, chain.topics, counts._rows, totals, wrong)
