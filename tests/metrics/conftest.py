"""What tests of metrics share: relevance that needs no network."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tealeaves import Topics, demo
from tealeaves.evidence.attention.frame import Frame, RelevanceStamp, RelevanceTotals
from tealeaves.evidence.attention.heads import FixedHeads, HeadStatistics
from tealeaves.evidence.attention.relevance import PairSums, Relevance, TextSums, of_chunk
from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.requests import Term
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.pipeline import Pipeline

LAYERS, HEADS = 2, 3
# the most confident heads are the first and the last; two are above a third
CONFIDENCE = np.array([[0.9, 0.2, 0.3], [0.1, 0.5, 0.8]])
IMPORTANCE = np.array([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]])
# where all texts would have it otherwise
OTHERS = np.array([[0.2, 0.9, 0.1], [0.5, 0.4, 0.1]])

Entry = tuple[str, str, NDArray[np.float64], NDArray[np.float64], float]
Texts = Sequence[Sequence[Entry]]


def entries_of(tokens: Sequence[str], words: Iterable[str]) -> list[Entry]:
    """Return for each pair of positions made-up attention and LRP by head, and Improved LRP."""
    asked = set(words)
    places = [place for place, token in enumerate(tokens) if token in asked]
    heads = np.arange(LAYERS * HEADS).reshape(LAYERS, HEADS)
    return [
        (
            tokens[p],
            tokens[q],
            1 / (1 + abs(p - q) + heads),
            np.cos(1 + heads + 0.7 * p - 1.3 * q) / len(tokens),
            1 / (2 + p + abs(p - q)),
        )
        for p in places
        for q in places
        if tokens[p] != tokens[q]
    ]


@dataclass(frozen=True)
class Maker:
    """Makes relevance of what each text says of pairs of positions."""

    layers: int = LAYERS
    heads: int = HEADS

    def of(
        self,
        texts: Texts,
        words: Iterable[str],
        *,
        pairs: Sequence[tuple[str, str]] | None = None,
        pipeline: str = "tokens",
        left: int = 0,
        detail: bool = True,
        improved: bool = True,
        cut: int = 0,
    ) -> Relevance:
        terms = tuple(sorted({Term((word,)) for word in words}))
        place = {str(term): number for number, term in enumerate(terms)}
        asked = None if pairs is None else sorted(sorted(place[w] for w in pair) for pair in pairs)
        made = Pipeline.parse(pipeline)
        stamp = RelevanceStamp(
            "toy", "0123456789abcdef01", "probe", 16, self.layers, self.heads, "predicted", "toy 1",
            PipelineStamp(repr(made), made.signature), improved,
        )  # fmt: skip
        sample = HeadStatistics(1, CONFIDENCE, IMPORTANCE)
        kept = None if asked is None else np.array(asked, dtype=np.int64).reshape(-1, 2)
        frame = Frame(stamp, terms, kept, sample, FixedHeads.of(sample))
        totals = RelevanceTotals(documents=len(texts) + left, left=left, used=len(texts), cut=cut)
        cells = _cells(frame, texts, place, improved=improved)
        seen = sorted({key for text in cells for key in text})
        whole = {key: _total([text[key] for text in cells if key in text]) for key in seen}
        flat = [(key, cell) for text in cells for key, cell in text.items()]
        shape = (len(seen), self.layers, self.heads)
        heads = [np.array([whole[key][n] for key in seen]).reshape(shape) for n in (1, 2, 3)]
        return of_chunk(
            frame,
            Fingerprint.of("toy", 0, [str(number) for number in range(len(texts))]),
            totals,
            HeadStatistics(len(texts), CONFIDENCE * len(texts), OTHERS * len(texts)),
            PairSums(
                keys=np.array(seen, dtype=np.int64),
                together=np.array([whole[key][0] for key in seen], dtype=np.int64),
                attention=heads[0] if detail else None,
                lrp=heads[1] if detail else None,
                positive=heads[2].astype(np.int64) if detail else None,
            ),
            TextSums(
                starts=np.cumsum([0, *map(len, cells)]),
                keys=np.array([key for key, _ in flat], dtype=np.int64),
                values=np.array([cell[4] for _, cell in flat]).reshape(-1, 3),
                together=np.array([cell[0] for _, cell in flat], dtype=np.int64),
                counted=np.array([cell[5] for _, cell in flat], dtype=np.int64),
            ),
        )

    def entries(self, texts: Iterable[Sequence[str]], words: Iterable[str]) -> list[list[Entry]]:
        """Return what each text says of pairs of positions, by its words and nothing else."""
        asked = list(words)
        return [entries_of(text, asked) for text in texts]

    def of_tokens(self, texts: Iterable[Sequence[str]], words: Iterable[str], **given: Any) -> Any:
        """Make the relevance of texts, by their words and nothing else."""
        asked = list(words)
        return self.of(self.entries(texts, asked), asked, **given)


Cell = tuple[Any, ...]


def _cells(
    frame: Frame, texts: Texts, place: dict[str, int], *, improved: bool
) -> list[dict[int, Cell]]:
    """Return for each text the numbers of each pair of words."""
    fixed = frame.fixed
    found: list[dict[int, Cell]] = []
    for text in texts:
        cells: dict[int, list[Cell]] = {}
        for left, right, attention, lrp, rolled in text:
            one, other = place[left], place[right]
            if frame.pairs is not None and [min(one, other), max(one, other)] not in (
                frame.pairs.tolist()
            ):
                continue
            confident = attention[np.arange(len(attention)), fixed.confident].mean()
            summed = lrp[fixed.important].sum()
            values = np.array([confident, summed, rolled if improved else math.nan])
            cell = (1, attention, lrp, (lrp > 0).astype(float), values, int(summed > 0))
            cells.setdefault(one * len(frame.terms) + other, []).append(cell)
        found.append({key: _total(parts) for key, parts in cells.items()})
    return found


def _total(cells: Sequence[Cell]) -> Cell:
    return tuple(sum(column) for column in zip(*cells, strict=True))


@pytest.fixture(scope="session")
def maker() -> Maker:
    """Makes relevance of made-up numbers."""
    return Maker()


@pytest.fixture(scope="session")
def rich_relevance(rich_models: list[Topics], maker: Maker) -> Relevance:
    """Relevance of the demo's texts and a few more, for all words of the rich models' topics."""
    pipeline = Pipeline.parse("words")
    tokenize = pipeline.tokenizer()
    more = ["cat dog bird", "bird song cat soup", "song soup"]
    words = {word for model in rich_models for topic in model.topics for word in topic.words}
    words |= {word for text in more for word in text.split()}
    texts = [tokenize(text) for text in [*(document.text for document in demo.corpus()), *more]]
    found: Relevance = maker.of_tokens(texts, words, pipeline="words")
    return found
