"""Texts with made-up relevance, which several tests add, store and look up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tealeaves.arrays import Floats
from tealeaves.evidence.attention.frame import Frame, RelevanceStamp, RelevanceTotals
from tealeaves.evidence.attention.heads import FixedHeads, HeadStatistics
from tealeaves.evidence.attention.relevance import PairSums, Relevance, TextSums, of_chunk
from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.requests import RelevanceRequest, Term
from tealeaves.text.fingerprint import Fingerprint

LAYERS, HEADS = 2, 3


@dataclass(frozen=True)
class Occurrence:
    """A word that attends to another one, at some positions of a text."""

    left: int
    right: int
    attention: Floats
    lrp: Floats
    improved: float


Text = Sequence[Occurrence]
Gather = Callable[..., Relevance]


def _frame(words: str = "a b c d", topics: str = "abc bcd", longest: int = 128) -> Frame:
    stamp = RelevanceStamp(
        "toy", "0123456789abcdef99", "probe", longest, LAYERS, HEADS, "predicted", "1",
        PipelineStamp("words", "words|v:1"),
    )  # fmt: skip
    request = RelevanceRequest.of([[Term((word,)) for word in topic] for topic in topics.split()])
    terms, asked = request.terms_and_positions()
    assert [str(term) for term in terms] == words.split()
    # layer 1: head 2 is the most confident, heads 1 and 2 are important; layer 2: head 1; head 3
    sample = HeadStatistics(
        2,
        confidence=np.array([[0.5, 1.5, 1.0], [1.0, 0.5, 0.25]]),
        relevance=np.array([[1.0, 0.75, 0.25], [0.5, 0.0, 1.5]]),
    )
    return Frame(stamp, terms, asked, sample, FixedHeads.of(sample))


def _values(one: Occurrence, fixed: FixedHeads) -> Floats:
    attention = np.mean([one.attention[layer, head] for layer, head in enumerate(fixed.confident)])
    return np.array([attention, one.lrp[fixed.important].sum(), one.improved])


def _gather(frame: Frame, texts: Sequence[Text], start: int = 0, *, by_head: bool = True,
            source: str = "s") -> Relevance:  # fmt: skip
    size = len(frame.terms)
    keys = list(dict.fromkeys(one.left * size + one.right for text in texts for one in text))
    heads = np.zeros((3, len(keys), LAYERS, HEADS))
    together = np.zeros(len(keys), dtype=np.int64)
    starts, entries = [0], []
    for text in texts:
        found: dict[int, tuple[Floats, int, int]] = {}
        for one in text:
            key = one.left * size + one.right
            heads[:, keys.index(key)] += one.attention, one.lrp, one.lrp > 0
            together[keys.index(key)] += 1
            values = _values(one, frame.fixed)
            known, pairs, counted = found.get(key, (np.zeros(3), 0, 0))
            found[key] = (known + values, pairs + 1, counted + int(values[1] > 0))
        entries += [(key, *rest) for key, rest in found.items()]
        starts.append(len(entries))
    shape = (len(texts), LAYERS, HEADS)
    return of_chunk(
        frame,
        Fingerprint.of(source, start, [f"text {start + n}" for n in range(len(texts))]),
        RelevanceTotals(documents=len(texts) + 1, dropped=1, used=len(texts)),
        HeadStatistics.of_texts(np.full(shape, 0.5), np.broadcast_to([2.0, 1.0, 1.0], shape)),
        PairSums(
            keys=np.array(keys, dtype=np.int64),
            together=together,
            attention=heads[0] if by_head else None,
            lrp=heads[1] if by_head else None,
            positive=heads[2].astype(np.int64) if by_head else None,
        ),
        TextSums(
            starts=np.array(starts),
            keys=np.array([entry[0] for entry in entries], dtype=np.int64),
            values=np.array([entry[1] for entry in entries]).reshape(-1, 3),
            together=np.array([entry[2] for entry in entries], dtype=np.int64),
            counted=np.array([entry[3] for entry in entries], dtype=np.int64),
        ),
    )


def _texts(seed: int = 0, number: int = 6) -> list[Text]:
    """Draw texts of the asked pairs; all fractions are exact, so that sums are too."""
    random = np.random.default_rng(seed)
    return [[_occurrence(random) for _ in range(random.integers(0, 6))] for _ in range(number)]


def _occurrence(random: np.random.Generator) -> Occurrence:
    pair = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)][random.integers(0, 5)]
    left, right = pair if random.random() < 0.5 else pair[::-1]
    return Occurrence(
        left,
        right,
        attention=random.integers(0, 8, (LAYERS, HEADS)) / 8,
        lrp=random.integers(-8, 8, (LAYERS, HEADS)) / 8,
        improved=float(random.integers(0, 8) / 8),
    )


def _chunk() -> dict[str, Any]:
    """Two texts with the pairs a-b, b-a and c-b (keys 1, 4 and 9 of four terms), out of order."""
    three, heads = np.array([9.0, 4.0, 1.0])[:, None, None], np.ones((3, LAYERS, HEADS))
    return {
        "frame": (frame := _frame()),
        "fingerprint": Fingerprint.of("s", 0, ["one", "two"]),
        "totals": RelevanceTotals(documents=3, without=1, used=2),
        "statistics": frame.sample,
        "pairs": PairSums(
            keys=np.array([9, 4, 1]),
            together=np.array([1, 3, 2]),
            attention=three * heads,
            lrp=-three * heads,
            positive=np.array([1, 3, 2])[:, None, None] * heads.astype(np.int64),
        ),
        "texts": TextSums(
            starts=np.array([0, 2, 4]),
            keys=np.array([4, 1, 9, 4]),
            values=np.array([[1.0, 2, 3], [10, 20, 30], [0.5, 0.25, 0.125], [4, 5, 6]]),
            together=np.array([2, 2, 1, 1]),
            counted=np.array([1, 2, 0, 1]),
        ),
    }


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Several threads wait for each other longer than such small numbers take."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def chunk() -> dict[str, Any]:
    """What makes the relevance of two texts, by hand."""
    return _chunk()


@pytest.fixture
def two_texts() -> Relevance:
    """The relevance of the two texts made by hand."""
    return of_chunk(**_chunk())


@pytest.fixture(scope="session")
def toy() -> Relevance:
    """The relevance of six texts drawn at random."""
    return _gather(_frame(), _texts())


@pytest.fixture(scope="session")
def make_frame() -> Callable[..., Frame]:
    """Make the frame of a toy classifier and of the topics a b c and b c d."""
    return _frame


@pytest.fixture(scope="session")
def gather_toy() -> Gather:
    """Gather texts of made-up occurrences."""
    return _gather


@pytest.fixture(scope="session")
def draw_texts() -> Callable[..., list[Text]]:
    """Draw texts at random, by a seed."""
    return _texts
