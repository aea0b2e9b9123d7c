"""Made-up relevance and models, the same each time: 2,000 texts, and 50 models of 22 topics.

The relevance has 30,000 rows of 6 × 12 heads, as MiniLM has them, and 48 rows a text. Each topic
is 15 words out of 60 that are near each other, and so are the two words of each row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tealeaves.evidence.attention import Relevance
from tealeaves.evidence.attention.frame import Frame, RelevanceStamp, RelevanceTotals
from tealeaves.evidence.attention.heads import FixedHeads, HeadStatistics
from tealeaves.evidence.attention.relevance import PairSums, TextSums, of_chunk
from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.requests import Term
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.pipeline import Pipeline

MODELS, TOPICS, WORDS = 50, 22, 15
_TERMS = tuple(Term((f"w{number:04d}",)) for number in range(3000))
_NEAR = 60
_TEXTS, _EACH, _ROWS, _HEADS = 2000, 48, 30_000, (6, 12)
_SEED = 1
_Ints = NDArray[np.int64]


def make_topics() -> dict[str, list[list[str]]]:
    """Return the models."""
    rng = np.random.default_rng(_SEED)
    return {f"m{number}": [_topic(rng) for _ in range(TOPICS)] for number in range(MODELS)}


def _topic(rng: np.random.Generator) -> list[str]:
    start = rng.integers(len(_TERMS) - _NEAR)
    chosen = start + rng.choice(_NEAR, WORDS, replace=False)
    return [str(_TERMS[number]) for number in chosen]


def make_relevance() -> Relevance:
    """Return the relevance."""
    rng = np.random.default_rng(_SEED)
    keys, entries = _keys(rng), _entries(rng)
    return of_chunk(
        _frame(rng),
        Fingerprint.of("made up", 0, map(str, range(_TEXTS))),
        RelevanceTotals(documents=_TEXTS, used=_TEXTS),
        _statistics(rng, _TEXTS),
        PairSums(
            keys=keys,
            together=np.bincount(entries, minlength=_ROWS),
            attention=rng.random((_ROWS, *_HEADS)),
            lrp=rng.normal(size=(_ROWS, *_HEADS)),
            positive=rng.integers(0, 2, size=(_ROWS, *_HEADS)),
        ),
        TextSums(
            starts=np.arange(_TEXTS + 1) * _EACH,
            keys=keys[entries],
            values=rng.random((len(entries), 3)),
            together=np.ones(len(entries), dtype=np.int64),
            counted=rng.integers(0, 2, size=len(entries)),
        ),
    )


def _keys(rng: np.random.Generator) -> _Ints:
    """Draw pairs of words that are near each other, and take each in both directions."""
    left = rng.integers(0, len(_TERMS) - _NEAR, size=3 * _ROWS)
    pairs = np.unique(left * len(_TERMS) + left + rng.integers(1, _NEAR, size=len(left)))
    drawn = rng.permutation(pairs)[: _ROWS // 2]
    first, second = np.divmod(drawn, len(_TERMS))
    return np.concatenate([drawn, second * len(_TERMS) + first])


def _entries(rng: np.random.Generator) -> _Ints:
    """Draw the rows of each text; the last texts have each row once, so that none is without."""
    drawn = [rng.choice(_ROWS, _EACH, replace=False) for _ in range(_TEXTS - _ROWS // _EACH)]
    return np.concatenate([*drawn, rng.permutation(_ROWS)])


def _frame(rng: np.random.Generator) -> Frame:
    pipeline, sample = Pipeline.parse("tokens"), _statistics(rng, 1)
    tokens = PipelineStamp(repr(pipeline), pipeline.signature)
    stamp = RelevanceStamp("made up", "0", "probe", 128, *_HEADS, "predicted", "1", tokens)
    return Frame(stamp, _TERMS, None, sample, FixedHeads.of(sample))


def _statistics(rng: np.random.Generator, texts: int) -> HeadStatistics:
    sums: list[Any] = [rng.random(_HEADS) * texts, rng.random(_HEADS) * texts / sum(_HEADS)]
    return HeadStatistics(texts, *sums)
