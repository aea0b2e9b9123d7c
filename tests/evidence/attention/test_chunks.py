"""From batches of texts to topics, also where memory is small."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves.errors import InputError
from tealeaves.evidence.attention import chunks
from tealeaves.evidence.attention.batch_relevance import BatchRelevance, batch_relevance
from tealeaves.evidence.attention.batches import Entries
from tealeaves.evidence.attention.chunks import ChunkReader, Collector
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.devices import is_memory_error
from tealeaves.evidence.attention.frame import Frame
from tealeaves.evidence.attention.heads import HeadStatistics
from tealeaves.evidence.attention.network.network import Batch, Network
from tealeaves.evidence.attention.relevance import Relevance
from tealeaves.evidence.attention.sample import SampledText

from .network import plain_rules as plain
from .network.tiny_models import (
    HEADS,
    LAYERS,
    a_classifier,
    a_frame,
    asking_of,
    chosen_texts,
    single,
)

torch = pytest.importorskip("torch")

TOPICS = ["cat dogs bird", "carsing road song"]
TEXTS = [
    "cat dogs bird cat red",
    "road carsing song red dogs cat",
    "dogs dogs cat strange carsing wheel road",
]
ROWS: list[list[float]] = [
    [1, 0.5, 3], [2, -1, 4], [4, 2, 5], [8, -0.25, 6], [16, 1, 7], [32, -2, 8],
]  # fmt: skip
FIVE = "attention_sum lrp_sum improved_lrp_sum relevance_count cooccurrence"


@pytest.fixture(scope="module")
def classifier() -> Classifier:
    return a_classifier("mean")


@pytest.fixture(scope="module")
def network(classifier: Classifier) -> Network:
    return Network(classifier.model, classifier.head)


@pytest.fixture(scope="module")
def texts() -> list[SampledText]:
    return chosen_texts(TEXTS, a_frame(TOPICS))


# ---------------------------------------------------------------------- texts to topics


def test_numbers_of_topics_by_loops(classifier: Classifier, network: Network) -> None:
    """Equation 8 of the paper, over two texts, word by word and head by head."""
    tokens = [text.split() for text in TEXTS[:2]]
    topics = [topic.split() for topic in TOPICS]
    first = chosen_texts(TEXTS[:2], a_frame(TOPICS))
    batch = asking_of(classifier).batch(first)
    model, head = classifier.model, classifier.head
    said = [plain.Expected(model, head, single(batch, row)) for row in range(2)]
    confidence = said[0].confidence + said[1].confidence
    shares = said[0].heads + said[1].heads
    frame = a_frame(TOPICS, statistics=HeadStatistics(2, confidence, shares))
    important = [
        (layer, head)
        for layer in range(LAYERS)
        for head in range(HEADS)
        if shares[layer][head] / abs(sum(shares[layer])) > 1 / HEADS
    ]
    assert 0 < len(important) < LAYERS * HEADS
    confident = [max(range(HEADS), key=lambda h: confidence[layer][h]) for layer in range(LAYERS)]
    expected = np.zeros((5, len(topics)))
    for words, one, text in zip(tokens, said, first, strict=True):
        of_word = [np.flatnonzero(text.text.words == place) for place in range(len(words))]
        for number, topic in enumerate(topics):
            for a, left in enumerate(words):
                for b, right in enumerate(words):
                    if left == right or left not in topic or right not in topic:
                        continue
                    here = np.ix_(of_word[a], of_word[b])
                    size = len(of_word[a])
                    attention = [
                        one.attention[layer, head][here].sum() / size
                        for layer, head in enumerate(confident)
                    ]
                    lrp = sum(one.lrp[layer, head][here].sum() for layer, head in important)
                    improved = one.improved[here].sum() / size
                    expected[:, number] += [sum(attention) / LAYERS, lrp, improved, lrp > 0, 1]
    relevance = ChunkReader(network, asking_of(classifier), improved=True, by_head=True).relevance(
        first, frame
    )
    assert_scores(relevance, topics, expected)
    np.testing.assert_allclose(relevance.statistics.confidence, confidence, atol=1e-9)
    np.testing.assert_allclose(relevance.statistics.relevance, shares, atol=1e-9)


def assert_scores(relevance: Relevance, topics: list[list[str]], expected: Any) -> None:
    found = list(tealeaves.score(topics, None, FIVE, relevance=relevance))
    for name, row in zip(FIVE.split(), expected, strict=True):
        values = [one.value for one in found if one.metric == name and one.topic is not None]
        np.testing.assert_allclose(values, row, rtol=1e-6, atol=1e-9)


def made_up(
    frame: Frame, texts: list[SampledText], rows: Sequence[Sequence[float]]
) -> BatchRelevance:
    """Make a run in which each pair has the same attention, relevance and rollout everywhere."""
    numbers = np.array(rows)
    heads = np.ones((len(rows), LAYERS, HEADS))
    shape = (len(texts), LAYERS, HEADS)
    return BatchRelevance(
        Entries.of(texts),
        numbers[:, 0, None, None] * heads,
        numbers[:, 1, None, None] * heads,
        numbers[:, 2],
        np.full(shape, 0.5),
        np.full(shape, 0.25),
        np.array([True, False]),
    )


def test_numbers_of_topics_by_hand() -> None:
    """Two texts, "cat dog" and "dog cat dog": pairs in the order in which they are found.

    The fixed frame has the first head of each layer as the most confident one, and two important
    heads a layer: shares 3/10 and 4/10 of (1, 2, 3, 4), 7/26 and 8/26 of (5, 6, 7, 8), 11/42 and
    12/42 of (9 ... 12) are above 1/4. So LRP counts 6 times.

    text 1: cat-dog (1, .5, 3), dog-cat (2, -1, 4)
    text 2: dog1-cat (4, 2, 5), cat-dog1 (8, -.25, 6), cat-dog2 (16, 1, 7), dog2-cat (32, -2, 8)
    attention: 1 + 2 + 4 + 8 + 16 + 32 = 63
    LRP: 6 * (.5 - 1 + 2 - .25 + 1 - 2) = 6 * .25 = 1.5
    improved: 3 + 4 + 5 + 6 + 7 + 8 = 33; above 0: 3 pairs; pairs: 6
    """
    frame = a_frame(["cat dog"])
    assert frame.fixed.confident.tolist() == [0, 0, 0]
    assert frame.fixed.important.tolist() == [[False, False, True, True]] * 3
    texts = chosen_texts(["cat dog", "dog cat dog"], frame)
    run = made_up(frame, texts, ROWS)
    cat_dog, dog_cat = 0 * 2 + 1, 1 * 2 + 0
    assert run.entries.key.tolist() == [cat_dog, dog_cat, dog_cat, cat_dog, cat_dog, dog_cat]
    collector = Collector(frame, by_head=True)
    collector.add(run, np.array([0, 1]))
    found = collector.relevance(texts)
    assert found.rows.tolist() == [[0, 1], [1, 0]]
    assert found.together.tolist() == [3, 3]
    assert found.sums.tolist() == [[1 + 8 + 16, 6 * 1.25, 16], [2 + 4 + 32, 6 * -1, 17]]
    assert found.counted.tolist() == [2, 1]
    assert found.text_starts.tolist() == [0, 2, 4]
    assert found.text_values.tolist() == [[1, 3, 3], [2, -6, 4], [24, 4.5, 13], [36, 0, 13]]
    assert found.text_together.tolist() == [1, 1, 2, 2]
    assert found.text_counted.tolist() == [1, 0, 1, 1]
    assert found.attention is not None
    assert found.attention[:, 2, 3].tolist() == [25, 38]
    assert found.lrp is not None
    assert found.lrp[:, 0, 0].tolist() == [1.25, -1]
    assert found.positive is not None
    assert found.positive[:, 1, 1].tolist() == [2, 1]
    assert found.totals.used == 2
    assert found.totals.undecided == 1
    assert found.statistics == HeadStatistics(2, np.ones((3, 4)), np.full((3, 4), 0.5))
    assert_scores(found, [["cat", "dog"]], [[63], [1.5], [33], [3], [6]])


def test_batches_in_any_order_collect_the_same() -> None:
    frame = a_frame(["cat dog"])
    texts = chosen_texts(["cat dog", "dog cat dog"], frame)
    whole = Collector(frame, by_head=False)
    whole.add(made_up(frame, texts, ROWS), np.array([0, 1]))
    turned = Collector(frame, by_head=False)
    run = made_up(frame, texts[::-1], ROWS[2:] + ROWS[:2])
    turned.add(run, np.array([1, 0]))
    first, second = whole.relevance(texts), turned.relevance(texts)
    assert first.attention is None
    assert np.array_equal(first.sums, second.sums)
    assert np.array_equal(first.text_values, second.text_values)
    assert first.fingerprint == second.fingerprint


def test_cut_texts_are_counted(classifier: Classifier, network: Network) -> None:
    frame = a_frame(["cat dog"], improved=False)
    texts = chosen_texts(["cat dog red red red", "cat dog"], frame, longest=5)
    found = ChunkReader(network, asking_of(classifier), improved=False, by_head=False).relevance(
        texts, frame
    )
    assert found.totals.cut == 1
    assert math.isnan(found.sums[0, 2])


# ---------------------------------------------------------------------- too little memory


class Small:
    """Memory in which only so many word pieces have room."""

    def __init__(self, most: int, error: Exception) -> None:
        self.most, self.error = most, error
        self.sizes: list[int] = []

    def __call__(
        self, network: Network, batch: Batch, texts: Any, *, improved: bool
    ) -> BatchRelevance:
        self.sizes.append(len(texts))
        if batch.ids.numel() > self.most:
            raise self.error
        return batch_relevance(network, batch, texts, improved=improved)


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20 MiB"),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
        MemoryError(),
    ],
)
def test_batches_get_smaller(
    error: Exception, classifier: Classifier, network: Network, monkeypatch: Any
) -> None:
    frame = a_frame(TOPICS)
    texts = chosen_texts(TEXTS * 3, frame)

    def passed() -> Relevance:
        return ChunkReader(network, asking_of(classifier), improved=True, by_head=True).relevance(
            texts, frame
        )

    expected = passed()
    small = Small(30, error)
    monkeypatch.setattr(chunks, "batch_relevance", small)
    found = passed()
    # of 13 pieces two have room, of 9 and 7 pieces as many as of 13 had
    assert small.sizes == [9, 4, 2, 2, 2, 3]
    for name in ("sums", "attention", "lrp", "text_values"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), atol=1e-12)
    assert np.array_equal(found.together, expected.together)
    assert found.fingerprint == expected.fingerprint


def test_a_text_that_is_too_long_for_memory(
    classifier: Classifier, network: Network, texts: list[SampledText], monkeypatch: Any
) -> None:
    monkeypatch.setattr(
        chunks, "batch_relevance", Small(0, torch.OutOfMemoryError("CUDA out of memory"))
    )
    with pytest.raises(InputError, match="too little memory on cpu for a text of") as raised:
        ChunkReader(network, asking_of(classifier), improved=True, by_head=True).statistics(texts)
    assert "\n" not in str(raised.value)
    assert "--device cpu" not in str(raised.value)  # it is there already


def test_other_errors_are_not_hidden(
    classifier: Classifier, network: Network, texts: list[SampledText], monkeypatch: Any
) -> None:
    monkeypatch.setattr(chunks, "batch_relevance", Small(0, RuntimeError("shapes do not fit")))
    with pytest.raises(RuntimeError, match="shapes do not fit"):
        ChunkReader(network, asking_of(classifier), improved=True, by_head=True).statistics(texts)
    assert not is_memory_error(ValueError("the file is allocated"))


def test_statistics_are_those_of_the_texts(
    classifier: Classifier, network: Network, texts: list[SampledText]
) -> None:
    one = ChunkReader(network, asking_of(classifier), improved=True, by_head=True)
    frame = a_frame(TOPICS)
    found, expected = one.statistics(texts), one.relevance(texts, frame).statistics
    assert found.texts == 3
    np.testing.assert_allclose(found.relevance, expected.relevance, atol=1e-12)
    np.testing.assert_allclose(found.confidence, expected.confidence, atol=1e-12)
