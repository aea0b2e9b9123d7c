"""Topics of many words: the memory of their pairs, and pairs that are scored part by part."""

from __future__ import annotations

import random
import tracemalloc

import numpy as np
import pytest

import tealeaves
from tealeaves import Topics
from tealeaves.evidence import CountRequest, Term, Unit, requests
from tealeaves.metrics import METRICS
from tealeaves.metrics.coherence_by_counts import scoring
from tealeaves.metrics.coherence_by_counts.family import Coherence
from tealeaves.metrics.coherence_by_counts.segmentation import SETS

COHERENCES = [one for one in METRICS.values() if isinstance(one, Coherence)]
WORDS = [f"w{number}" for number in range(1200)]


def texts_of(words: list[str], count: int, length: int) -> list[str]:
    draw = random.Random(4)
    return [" ".join(draw.choices(words, k=length)) for _ in range(count)]


@pytest.mark.parametrize("wide", [True, False], ids=["one topic", "many topics"])
def test_a_pair_takes_few_bytes(*, wide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the models to their scores a pair takes at most 60 bytes, other things included."""
    monkeypatch.setattr(requests, "_AT_ONCE", 1 << 14)
    monkeypatch.setattr(scoring, "_CHUNK_CELLS", 1 << 14)
    texts, draw = texts_of(WORDS, 100, 40), random.Random(5)
    lists = [WORDS] if wide else [draw.sample(WORDS, 60) for _ in range(1200)]
    models = [Topics.of(lists)]
    tealeaves.score([["w1", "w2"]], texts, "npmi", tokens="tokens")  # imports
    terms = [[Term((word,)) for word in words] for words in lists]
    pairs = len(CountRequest.of(Unit(), terms).pairs)
    tracemalloc.start()
    try:
        scores = tealeaves.score(models, texts, "npmi", tokens="tokens", threads=1)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert scores.rows[-1].support > 0.9
    assert pairs > 400_000
    assert peak / pairs < 60


@pytest.mark.parametrize("cells", [1, 7, 100])
def test_scores_do_not_depend_on_what_fits_in_memory(
    cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = texts_of([*WORDS[:9], "x", "y"], 60, 25)
    lists = [[*WORDS[:8], "never"], ["w3", "never", "w1"], ["w2"], ["never"]]
    parameters = {"oov": "zero", "compat": "gensim"}
    metrics = [
        changed
        for one in COHERENCES
        for changed in (one, *(one(**{n: v}) for n, v in parameters.items() if n in one.accepts))
        if not (changed.settings.compat and changed.settings.segmentation in SETS)
    ]
    expected = tealeaves.score(lists, texts, metrics, tokens="tokens")
    monkeypatch.setattr(scoring, "_CHUNK_CELLS", cells)
    found = tealeaves.score(lists, texts, metrics, tokens="tokens")
    for one, other in zip(found.rows, expected.rows, strict=True):
        np.testing.assert_equal((one.value, one.support), (other.value, other.support))
