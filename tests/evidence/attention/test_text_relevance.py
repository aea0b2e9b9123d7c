"""One text, word by word."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.heads import FixedHeads
from tealeaves.evidence.attention.network.network import Batch
from tealeaves.evidence.attention.text_relevance import relevance_of_tokens

from .network import plain_rules as plain
from .network.tiny_models import HEADS, LAYERS, a_classifier, tokenizer_in_memory

torch = pytest.importorskip("torch")
TOKENS = ["cat", "dogs", "cat", "carsing", "red"]
NO_PIECE = "\u200b"


@pytest.fixture(scope="module")
def classifier() -> Classifier:
    return a_classifier("mean")


def heads_by_hand() -> FixedHeads:
    important = np.zeros((LAYERS, HEADS), dtype=np.bool_)
    important[0, 2] = important[1, 0] = important[1, 3] = True
    return FixedHeads(np.array([1, 3, 0]), important)


def test_against_sums_over_pieces(classifier: Classifier) -> None:
    found = relevance_of_tokens(classifier, TOKENS, fixed=heads_by_hand(), device="cpu")
    assert found.words == tuple(TOKENS)
    assert not found.cut
    given = tokenizer_in_memory()(TOKENS, is_split_into_words=True)
    words = given.word_ids()
    ids = torch.tensor([given["input_ids"]])
    batch = Batch(ids, torch.ones_like(ids))
    classifier.model.set_attn_implementation("eager")
    with torch.no_grad():
        model = classifier.model(ids, output_attentions=True)
        total = plain.total(classifier.head, model.last_hidden_state[0], batch)
        x = model.last_hidden_state[0].mean(0, keepdim=True)
        for step in classifier.head.steps:
            x = x @ step.weight.T + step.bias
            x = torch.tanh(x) if step.function else x
    assert found.label == "vwxyz"[int(x.argmax())]
    flow = plain.lrp(classifier.model, classifier.head, batch).matrices
    rolled = plain.rollout(classifier.model, classifier.head, batch)
    for a in range(len(TOKENS)):
        for b in range(len(TOKENS)):
            here = [
                (i, j)
                for i, left in enumerate(words)
                for j, right in enumerate(words)
                if (left, right) == (a, b)
            ]
            size = words.count(a)
            attention = lrp = improved = 0.0
            for i, j in here if a != b else []:
                chosen = ((0, 1), (1, 3), (2, 0))
                attention += sum(float(model.attentions[y][0, h, i, j]) for y, h in chosen) / 3
                important = ((0, 2), (1, 0), (1, 3))
                lrp += sum(float(flow[y][h, i, j]) for y, h in important) / abs(float(total))
                improved += float(rolled[i, j])
            assert found.attention[a, b] == pytest.approx(attention / size, abs=1e-12)
            assert found.lrp[a, b] == pytest.approx(lrp, abs=1e-9)
            assert found.improved[a, b] == pytest.approx(improved / size, rel=1e-6, abs=1e-12)


def test_heads_of_the_text_itself(classifier: Classifier) -> None:
    """By default the heads are chosen by what this text says; none is another's."""
    own = relevance_of_tokens(classifier, TOKENS)
    every = FixedHeads(np.array([0, 0, 0]), np.ones((LAYERS, HEADS), dtype=np.bool_))
    whole = relevance_of_tokens(classifier, TOKENS, fixed=every)
    assert not np.allclose(own.lrp, whole.lrp)
    assert np.array_equal(own.improved, whole.improved)
    assert not own.lrp.diagonal().any()


def test_limits_are_of_words_apart(classifier: Classifier) -> None:
    found = relevance_of_tokens(classifier, TOKENS)
    for kind in ("attention", "lrp", "improved"):
        sizes = np.abs(getattr(found, kind)[~np.eye(len(TOKENS), dtype=bool)])
        assert found.limits[kind] == np.quantile(sizes, 0.99)


def test_a_term_of_several_tokens(classifier: Classifier) -> None:
    """Attention is the mean over what attends and the sum over what is attended to; else sums."""
    tokens = ["cat", "dog", "red", "car"]  # a piece each
    heads = heads_by_hand()
    apart = relevance_of_tokens(classifier, tokens, fixed=heads, device="cpu")
    found = relevance_of_tokens(
        classifier, tokens, terms=[("cat", "dog")], fixed=heads, device="cpu"
    )
    assert found.units == (("cat", "dog"), ("red",), ("car",))
    assert found.words == ("cat dog", "red", "car")
    for name in ("attention", "improved"):
        by_token, by_term = getattr(apart, name), getattr(found, name)
        assert by_term[0, 1] == pytest.approx((by_token[0, 2] + by_token[1, 2]) / 2)
        assert by_term[1, 0] == pytest.approx(by_token[2, 0] + by_token[2, 1])
        assert by_term[1, 2] == pytest.approx(by_token[2, 3])
    assert found.lrp[0, 1] == pytest.approx(apart.lrp[0, 2] + apart.lrp[1, 2])
    assert found.lrp[1, 0] == pytest.approx(apart.lrp[2, 0] + apart.lrp[2, 1])
    assert np.array_equal(found.apart, ~np.eye(3, dtype=bool))


def test_terms_that_lie_over_each_other(classifier: Classifier) -> None:
    found = relevance_of_tokens(classifier, ["cat", "dog", "red"], terms=[("cat", "dog"), ("dog",)])
    assert found.words == ("cat dog", "dog", "red")
    assert found.apart.tolist() == [[False, False, True], [False, False, True], [True, True, False]]
    for matrix in (found.attention, found.lrp, found.improved):
        assert not matrix[~found.apart].any()
        assert matrix[found.apart].all()
    with pytest.raises(InputError, match="fewer than two words fit in the network"):
        relevance_of_tokens(classifier, ["cat", "dog"], terms=[("cat", "dog")])


def test_a_term_that_is_cut_is_none() -> None:
    # cat dog cat fit in, red does not
    tokens = ["cat", "dog", "cat", "red"]
    found = relevance_of_tokens(a_classifier(longest=5), tokens, terms=[("cat", "red")])
    assert found.words == ("cat", "dog", "cat")


def test_the_class_that_is_asked_for(classifier: Classifier) -> None:
    """Relevance is of the logit of the class; attention does not know of it."""
    found = {name: relevance_of_tokens(classifier, TOKENS, label=name) for name in "vw"}
    assert [one.label for one in found.values()] == ["v", "w"]
    assert not np.allclose(found["v"].lrp, found["w"].lrp)
    predicted = relevance_of_tokens(classifier, TOKENS)
    again = relevance_of_tokens(classifier, TOKENS, label=predicted.label)
    assert np.array_equal(predicted.lrp, again.lrp)
    with pytest.raises(InputError, match="knows no class q"):
        relevance_of_tokens(classifier, TOKENS, label="q")
    with pytest.raises(InputError, match="predicts masked words, not classes"):
        relevance_of_tokens(a_classifier("masked"), TOKENS, label="v")


def test_a_text_that_is_cut() -> None:
    found = relevance_of_tokens(a_classifier(longest=6), TOKENS)  # cat dog ##s cat, and both ends
    assert found.words == ("cat", "dogs", "cat")
    assert found.cut
    assert found.lrp.shape == found.attention.shape == found.improved.shape == (3, 3)


def test_masked_words() -> None:
    found = relevance_of_tokens(a_classifier("masked"), TOKENS)
    assert found.label == ""
    assert found.lrp.any()


def test_a_word_that_makes_no_piece(classifier: Classifier) -> None:
    found = relevance_of_tokens(classifier, ["cat", NO_PIECE, "dog", NO_PIECE])
    assert found.words[:3] == ("cat", NO_PIECE, "dog")
    for matrix in (found.attention, found.lrp, found.improved):
        assert not matrix[1].any()
        assert not matrix[:, 1].any()
        assert matrix[0, 2]


@pytest.mark.parametrize("pooling", ["mean", "masked"])
@pytest.mark.parametrize(
    "tokens",
    [[], ["cat"], [NO_PIECE, NO_PIECE], [NO_PIECE, "cat"], ["cat", NO_PIECE], ["cat", "carsing"]],
)
def test_too_few_words(pooling: Any, tokens: list[str]) -> None:
    with pytest.raises(InputError, match="relevance is between the words of a text") as raised:
        relevance_of_tokens(a_classifier(pooling, longest=5), tokens)
    assert "\n" not in str(raised.value)
