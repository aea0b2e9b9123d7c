"""What several tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from numpy.typing import NDArray

from tealeaves import Topic, Topics, demo
from tealeaves.topics.assignments import Assignments

# Examples are drawn anew each run on a developer's machine, the same ones in CI.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep vectors away from the user's own, and let each run begin without any."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder of reference data; tests that need it are skipped where it is not given."""
    folder = os.environ.get("TEALEAVES_DATA")
    if not folder:
        pytest.skip("TEALEAVES_DATA is not set: it must name the folder of reference data")
    path = Path(folder)
    if not path.is_dir():
        pytest.skip(f"TEALEAVES_DATA={folder} is not a folder")
    return path


def _topics(phi: NDArray[np.float64], vocabulary: Sequence[str]) -> tuple[Topic, ...]:
    best = np.argsort(-phi, axis=1, kind="stable")[:, :20]
    return tuple(Topic(k, tuple(vocabulary[w] for w in row)) for k, row in enumerate(best))


def _model(name: str, counts: NDArray[np.float64], labels: NDArray[np.int64], rows: list[list[int]],
           vocabulary: tuple[str, ...], ids: tuple[str, ...]) -> Topics:  # fmt: skip
    phi = (counts + 0.01) / (counts + 0.01).sum(axis=1, keepdims=True)
    theta = np.full((len(labels), 8), 0.02)
    theta[np.arange(len(labels)), labels] = 0.86
    tokens = [[int(np.argmax(phi[:, w] * theta[d])) for w in row] for d, row in enumerate(rows)]
    noise = np.random.default_rng(3).gamma(50.0, size=(4, *phi.shape))
    samples = phi * noise / (phi * noise).sum(axis=2, keepdims=True)
    return Topics(
        _topics(phi, vocabulary),
        model=name,
        vocabulary=vocabulary,
        topic_word=phi,
        document_topic=theta,
        document_ids=ids,
        document_lengths=np.array([len(row) for row in rows]),
        term_frequency=np.bincount([w for row in rows for w in row], minlength=len(vocabulary)),
        assignments=Assignments.of(tokens, words=rows),
        samples=samples,
        family="demo",
    )


@pytest.fixture(scope="session")
def rich_models() -> list[Topics]:
    """One model by the demo's labels, one with the words of its topics dealt out anew."""
    from tealeaves.text.pipeline import Pipeline

    tokenize = Pipeline.parse("words").tokenizer()
    documents = list(demo.corpus())
    texts = [tokenize(document.text) for document in documents]
    seen = [set(text) for text in texts]
    vocabulary = tuple(
        word for word in sorted(set().union(*seen)) if 3 <= sum(word in s for s in seen) <= 40
    )
    column = {word: number for number, word in enumerate(vocabulary)}
    rows = [[column[token] for token in text if token in column] for text in texts]
    themes = sorted({document.label for document in documents})
    labels = np.array([themes.index(document.label) for document in documents])
    counts = np.zeros((len(themes), len(vocabulary)))
    for label, row in zip(labels, rows, strict=True):
        np.add.at(counts[label], row, 1)
    ids = tuple(document.id for document in documents)
    dealt = np.random.default_rng(0).permuted(counts, axis=0)
    mixed = np.random.default_rng(1).permutation(labels)
    return [
        _model("good", counts, labels, rows, vocabulary, ids),
        _model("shuffled", dealt, mixed, rows, vocabulary, ids),
    ]
