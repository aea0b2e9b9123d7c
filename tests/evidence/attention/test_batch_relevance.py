"""From word pieces to words: against sums over all places."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tealeaves.evidence.attention import batch_relevance as module
from tealeaves.evidence.attention.batch_relevance import batch_relevance
from tealeaves.evidence.attention.batches import Entries, in_batches
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.network.network import Network
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


def spans(text: SampledText, pair: int) -> tuple[range, range]:
    found = (text.pairs.left[pair], text.pairs.right[pair])
    first, second = (range(text.text.starts[one], text.text.stops[one]) for one in found)
    return first, second


# ---------------------------------------------------------------------- entries and batches


def test_entries_by_hand() -> None:
    """In "dogs cat", cat is piece 3 and dogs pieces 1 and 2."""
    [text] = chosen_texts(["dogs cat"], a_frame(["cat dogs"]))
    found = Entries.of([text])
    assert found.key.tolist() == [2, 1]  # dogs to cat, cat to dogs
    assert found.pair.tolist() == [0, 0, 1, 1]
    assert list(zip(found.i.tolist(), found.j.tolist(), strict=True)) == [
        (1, 3), (2, 3), (3, 1), (3, 2),
    ]  # fmt: skip
    assert found.share.tolist() == [0.5, 0.5, 1, 1]
    assert not found.is_plain


def test_entries_are_all_pieces_of_all_pairs(texts: list[SampledText]) -> None:
    found = Entries.of(texts)
    expected = []
    for number, text in enumerate(texts):
        for pair in range(len(text.pairs)):
            first, second = spans(text, pair)
            expected += [
                (number, i, j, int(text.pairs.keys[pair]), 1 / len(first))
                for i in first
                for j in second
            ]
    rows = zip(
        found.b.tolist(), found.i.tolist(), found.j.tolist(), found.key[found.pair].tolist(),
        found.share.tolist(), strict=True,
    )  # fmt: skip
    assert list(rows) == expected
    assert found.text[found.pair].tolist() == found.b.tolist()


def test_batches_are_of_about_one_length() -> None:
    frame = a_frame(["cat dog"])
    texts = chosen_texts([f"cat dog {'red ' * n}" for n in (3, 9, 1, 4, 0, 9)], frame)
    lengths = [[len(one.text) for one in batch] for batch in in_batches(texts, 20)]
    assert lengths == [[13], [13], [8, 7], [5, 4]]  # 20 // 13, 20 // 13, 20 // 8, 20 // 5
    assert [[len(one.text) for one in batch] for batch in in_batches(texts, 1)] == [
        [13], [13], [8], [7], [5], [4],
    ]  # fmt: skip


# ---------------------------------------------------------------------- pieces to words


@pytest.mark.parametrize("pooling", ["cls", "mean", "masked"])
@pytest.mark.parametrize("dense", [0, 10**9])
def test_a_run_against_sums_over_pieces(
    pooling: Any, dense: int, texts: list[SampledText], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether products are made of the entries alone, or of all pairs of tokens."""
    monkeypatch.setattr(module, "_DENSE", dense)
    model = a_classifier(pooling)
    batch = asking_of(model).batch(texts)
    found = batch_relevance(Network(model.model, model.head), batch, texts, improved=True)
    assert found.improved is not None
    assert not found.undecided.any()
    pair = 0
    for row, text in enumerate(texts):
        expected = plain.Expected(model.model, model.head, single(batch, row))
        np.testing.assert_allclose(found.confidence[row], expected.confidence, atol=1e-12)
        np.testing.assert_allclose(found.relevance[row], expected.heads, atol=1e-9)
        for number in range(len(text.pairs)):
            first, second = spans(text, number)
            attention = np.zeros((LAYERS, HEADS))
            lrp = np.zeros((LAYERS, HEADS))
            improved = 0.0
            for i in first:
                for j in second:
                    attention += expected.attention[:, :, i, j] / len(first)
                    lrp += expected.lrp[:, :, i, j]
                    improved += expected.improved[i, j] / len(first)
            np.testing.assert_allclose(found.attention[pair], attention, atol=1e-12)
            np.testing.assert_allclose(found.lrp[pair], lrp, atol=1e-9)
            assert found.improved[pair] == pytest.approx(improved, rel=1e-6, abs=1e-12)
            pair += 1
    assert pair == len(found.entries.key)


def test_many_entries_take_all_products_at_once(
    monkeypatch: pytest.MonkeyPatch, texts: list[SampledText]
) -> None:
    """A text of 100 pieces has 10,000 pairs: from 79 entries on, 128 times as many as entries."""
    draw = torch.Generator().manual_seed(0)
    weights = torch.rand((1, 2, 100, 100), generator=draw)
    gradient, value = torch.randn((2, 1, 2, 100, 8), generator=draw)
    expected = weights * torch.einsum("bhid,bhjd->bhij", gradient, value)
    made: list[int] = []
    products = torch.Tensor.__matmul__

    def counted(one: Any, other: Any) -> Any:
        made.append(1)
        return products(one, other)

    monkeypatch.setattr(torch.Tensor, "__matmul__", counted)
    for number, times in ((78, 0), (79, 1)):
        i, j = np.random.default_rng(0).integers(0, 100, (2, number))
        entries = Entries.of(texts)._replace(b=0 * i, i=i, j=j)
        found = module._Cells(entries, value).flow(weights, gradient, value)
        np.testing.assert_allclose(found, expected[0, :, i, j].T, atol=1e-5)
        assert sum(made) == times


def test_nothing_is_computed_in_double_precision_unless_the_network_is(
    texts: list[SampledText],
) -> None:
    """Some GPUs have no numbers of double precision."""
    for kind in (torch.float32, torch.float64):
        look = module._Cells(Entries.of(texts), torch.zeros(1, dtype=kind))
        assert look._share.dtype == kind


def test_words_keep_totals_and_rows(classifier: Classifier, network: Network) -> None:
    """A word pays 1 to words, ends and itself; the relevance of a head is all in its words."""
    words = ["cat", "dogs", "carsing", "red"]
    frame = a_frame([" ".join(words)])
    [text] = chosen_texts([" ".join(words)], frame)
    batch = asking_of(classifier).batch([text])
    found = batch_relevance(network, batch, [text], improved=False)
    expected = plain.Expected(classifier.model, classifier.head, single(batch, 0))
    ends = [0, len(text.text) - 1]
    paid = np.zeros((len(words), LAYERS, HEADS))
    passed = np.zeros((LAYERS, HEADS))
    for number in range(len(text.pairs)):
        paid[text.pairs.left[number]] += found.attention[number]
        passed += found.lrp[number]
    for word in range(len(words)):
        own = range(text.text.starts[word], text.text.stops[word])
        for i in own:
            rest = expected.attention[:, :, i, [*own, *ends]].sum(axis=-1)
            paid[word] += rest / len(own)
            passed += expected.lrp[:, :, i, [*own, *ends]].sum(axis=-1)
    np.testing.assert_allclose(paid, 1, atol=1e-12)
    passed += expected.lrp[:, :, ends].sum(axis=(2, 3))
    np.testing.assert_allclose(passed, found.relevance[0], atol=1e-9)


def test_a_text_in_any_batch(
    classifier: Classifier, network: Network, texts: list[SampledText]
) -> None:
    whole = batch_relevance(network, asking_of(classifier).batch(texts), texts, improved=True)
    assert whole.improved is not None
    start = 0
    for row, text in enumerate(texts):
        alone = batch_relevance(network, asking_of(classifier).batch([text]), [text], improved=True)
        stop = start + len(text.pairs)
        for name in ("attention", "lrp", "improved"):
            found, one = getattr(whole, name)[start:stop], getattr(alone, name)
            np.testing.assert_allclose(found, one, atol=1e-12)
        np.testing.assert_allclose(whole.confidence[row], alone.confidence[0], atol=1e-12)
        np.testing.assert_allclose(whole.relevance[row], alone.relevance[0], atol=1e-12)
        start = stop


def test_improved_lrp_may_be_left_out(
    classifier: Classifier, network: Network, texts: list[SampledText], monkeypatch: Any
) -> None:
    batch = asking_of(classifier).batch(texts)
    whole = batch_relevance(network, batch, texts, improved=True)
    monkeypatch.setattr(Network, "rollout", None)  # would fail
    found = batch_relevance(network, batch, texts, improved=False)
    assert found.improved is None
    assert np.array_equal(found.lrp, whole.lrp)


def test_a_logit_of_0_has_no_relevance(classifier: Classifier, texts: list[SampledText]) -> None:
    first, last = classifier.head.steps
    nothing = last._replace(weight=0 * last.weight, bias=0 * last.bias)
    network = Network(classifier.model, classifier.head._replace(steps=(first, nothing)))
    found = batch_relevance(network, asking_of(classifier).batch(texts), texts, improved=True)
    assert found.undecided.tolist() == [True] * 3
    assert not found.lrp.any()
    assert not found.relevance.any()
    assert found.attention.all()
    assert found.improved is not None
    assert not found.improved.any()


def test_a_logit_below_0_keeps_the_signs(classifier: Classifier, texts: list[SampledText]) -> None:
    """Relevance is that of the size of the logit: what speaks for the class is above 0."""
    first, last = classifier.head.steps
    turned = last._replace(weight=-last.weight, bias=-last.bias)
    targets = torch.zeros((3, 1), dtype=torch.long)
    batch = asking_of(classifier).batch(texts)._replace(targets=targets)
    up = Network(classifier.model, classifier.head)
    down = Network(classifier.model, classifier.head._replace(steps=(first, turned)))
    found = [batch_relevance(one, batch, texts, improved=False).lrp for one in (up, down)]
    np.testing.assert_allclose(found[0], -found[1], atol=1e-12)
