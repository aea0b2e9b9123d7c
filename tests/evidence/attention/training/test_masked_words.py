"""Fine-tuning on masked words, with a tiny random BERT."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import Classifier, model_hash
from tealeaves.evidence.attention.classifiers.encoders import Encoder, open_encoder
from tealeaves.evidence.attention.network.families import masked_head
from tealeaves.evidence.attention.network.head import Head
from tealeaves.evidence.attention.training.masked_words import MaskedWords, Masks, fit_masked
from tealeaves.evidence.attention.training.pieces import PieceTexts, split_texts
from tealeaves.evidence.attention.training.settings import FitOptions, FitSettings

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = ["cat", "dog", "car", "sun", "rain", "road", "wheels"]  # the last is wheel ##s
PIECES = (*SPECIAL, *["cat", "dog", "car", "sun", "rain", "road", "wheel", "##s"])
MASK = 4
QUICK = FitSettings(longest=12, batch=8, rate=5e-3, epochs=12, patience=12, masked=0.3)
PLAN = FitOptions(held_out=0.25, device="cpu")


def _model(kind: Any = None, **settings: Any) -> tuple[Any, Any]:
    torch.manual_seed(3)
    config = transformers.BertConfig(
        vocab_size=len(PIECES),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=37,
        max_position_embeddings=20,
        initializer_range=0.2,
        **settings,
    )
    vocabulary = {piece: number for number, piece in enumerate(PIECES)}
    return (kind or transformers.BertModel)(config), transformers.BertTokenizer(vocab=vocabulary)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return open_encoder(_model())


def _language(number: int = 64) -> list[list[str]]:
    """Texts that say one word over and over: who sees the others can tell a masked one."""
    random = np.random.default_rng(0)
    return [[WORDS[n % len(WORDS)]] * int(random.integers(3, 7)) for n in range(number)]


@pytest.fixture(scope="module")
def fitted(encoder: Encoder) -> Classifier:
    return fit_masked(encoder, _language(), QUICK, PLAN, report={"corpus": "toy"})


def _logits(classifier: Classifier, pieces: list[int], place: int) -> Any:
    """What the head, as it is written down, says of one piece."""
    with torch.no_grad():
        state = classifier.model(input_ids=torch.tensor([pieces])).last_hidden_state[0, place]
        first, last = classifier.head.steps
        assert first.norm is not None
        state = torch.nn.functional.gelu(first.weight @ state + first.bias)
        state = (state - state.mean()) / (state.var(unbiased=False) + first.norm.eps) ** 0.5
        state = state * first.norm.weight + first.norm.bias
        return last.weight @ state + last.bias


def test_masked_words_of_a_toy_language_are_learnt(fitted: Classifier) -> None:
    report = fitted.report
    assert report["accuracy_before"] < 0.5
    assert report["accuracy"] > 0.9
    assert report["perplexity"] < 1.5 < 4 < report["perplexity_before"]
    assert (report["how"], report["corpus"]) == ("mlm", "toy")
    assert (report["fitted"], report["held_out"]) == (48, 16)
    assert (fitted.kind, fitted.labels, fitted.head.pooling) == ("masked", (), "masked")
    dog = PIECES.index("dog")
    assert int(_logits(fitted, [2, dog, MASK, dog, 3], 2).argmax()) == dog


def test_the_last_weights_of_the_head_are_the_word_vectors(fitted: Classifier) -> None:
    last = fitted.head.steps[-1]
    vectors = fitted.model.get_input_embeddings().weight
    assert torch.equal(last.weight, vectors)
    assert last.weight.data_ptr() == vectors.data_ptr()  # shared, so that they cannot differ
    assert not last.weight.requires_grad
    assert last.bias.abs().max() > 0  # it was learnt


def test_it_is_the_same_after_saving(fitted: Classifier, tmp_path: Path) -> None:
    fitted.save(tmp_path / "toy")
    loaded = Classifier.load(tmp_path / "toy")
    assert loaded == fitted
    assert loaded.report == fitted.report
    text = [2, 5, MASK, 5, 3]
    assert torch.allclose(_logits(loaded, text, 2), _logits(fitted, text, 2), atol=1e-5)


def test_measures_are_those_of_the_head_on_masked_held_out_texts(encoder: Encoder) -> None:
    task = MaskedWords(encoder, QUICK)
    texts = split_texts(encoder.tokenizer, _language(9), 12)
    task.hold_out(texts)
    task.network.eval()
    measures = task.evaluate()
    model = Classifier("toy", task.model, encoder.tokenizer, task.head(), (), 12, "masked")
    lost, right = [], []
    for shown, pieces, words in zip(task._held_masked, texts.pieces, texts.words, strict=True):
        for word in np.unique(words[shown.chosen]):
            told = []
            for place in np.flatnonzero(words == word):
                assert shown.pieces[place] == MASK
                logits = _logits(model, shown.pieces.tolist(), int(place))
                lost.append(float(-logits.log_softmax(0)[pieces[place]]))
                told.append(int(logits.argmax()) == pieces[place])
            right.append(all(told))
    assert measures["perplexity"] == pytest.approx(np.exp(np.mean(lost)), rel=1e-4)
    assert measures["accuracy"] == pytest.approx(np.mean(right))


def test_a_new_head_begins_with_passing_on(encoder: Encoder) -> None:
    first, last = MaskedWords(encoder, QUICK).head().steps
    assert torch.equal(first.weight, torch.eye(32))
    assert first.function == "gelu"
    assert first.norm is not None
    assert torch.equal(first.norm.weight, torch.ones(32))
    assert torch.equal(last.weight, encoder.model.get_input_embeddings().weight)


@pytest.mark.parametrize("tied", [True, False])
def test_the_head_of_a_model_for_masked_words_is_kept(tied: bool) -> None:
    model, tokenizer = _model(transformers.BertForMaskedLM, tie_word_embeddings=tied)
    torch.nn.init.normal_(model.cls.predictions.bias)
    encoder = open_encoder((model, tokenizer), masked=True)
    task = MaskedWords(encoder, QUICK)
    task.network.eval()
    pieces = torch.tensor([[2, 5, MASK, 6, 3]])
    with torch.no_grad():
        expected = model(input_ids=pieces).logits[0]
        found = task._head.logits(task.model(input_ids=pieces).last_hidden_state[0])
    assert torch.allclose(found, expected, atol=1e-5)
    settings = msgspec.structs.replace(QUICK, epochs=1)
    fitted = fit_masked(encoder, _language(16), settings, PLAN)
    shared = torch.equal(fitted.head.steps[-1].weight, fitted.model.get_input_embeddings().weight)
    assert shared == tied


def test_the_given_encoder_and_head_stay_as_they_are() -> None:
    model, tokenizer = _model(transformers.BertForMaskedLM)
    encoder, head = open_encoder((model, tokenizer), masked=True), masked_head(model, "toy")
    before, bias = model_hash(encoder.model), head.steps[0].weight.clone()
    settings = msgspec.structs.replace(QUICK, epochs=1)
    found = fit_masked(encoder, _language(16), settings, PLAN)
    assert model_hash(encoder.model) == before != model_hash(found.model)
    assert torch.equal(head.steps[0].weight, bias)


def test_vectors_that_a_model_widens_are_narrowed_again() -> None:
    torch.manual_seed(0)
    config = transformers.ElectraConfig(
        vocab_size=len(PIECES),
        embedding_size=16,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=37,
        max_position_embeddings=20,
    )
    vocabulary = {piece: number for number, piece in enumerate(PIECES)}
    tokenizer = transformers.BertTokenizer(vocab=vocabulary)
    encoder = open_encoder((transformers.ElectraModel(config), tokenizer))
    settings = msgspec.structs.replace(QUICK, epochs=1)
    found = fit_masked(encoder, _language(16), settings, PLAN)
    assert [step.weight.shape for step in found.head.steps] == [(16, 32), (len(PIECES), 16)]


@given(
    st.lists(st.integers(1, 3), min_size=1, max_size=30),
    st.floats(0.01, 0.99),
    st.integers(0, 9),
    st.booleans(),
)
def test_masks_are_of_whole_words_and_so_many(
    sizes: list[int], share: float, seed: int, always: bool
) -> None:
    words = np.concatenate([[-1], np.repeat(np.arange(len(sizes)), sizes), [-1]])
    pieces = np.arange(len(words)) + 1000
    masks = Masks(4, np.array([7, 8]), share)
    found = masks.put(pieces, words, np.random.default_rng(seed), always=always)
    chosen = np.unique(words[found.chosen])
    assert np.array_equal(found.chosen, np.isin(words, chosen))  # whole words
    assert not found.chosen[[0, -1]].any()
    assert len(chosen) == max(1, round(share * len(sizes)))
    assert np.array_equal(found.pieces[~found.chosen], pieces[~found.chosen])
    for word in chosen:  # one fate for all pieces of a word
        shown = found.pieces[words == word]
        left = np.array_equal(shown, pieces[words == word])
        assert (shown == 4).all() or (not always and (left or set(shown) <= {7, 8}))
    assert np.array_equal(pieces, np.arange(len(words)) + 1000)  # what was given is not changed


def test_eight_of_ten_chosen_words_are_masked_one_replaced_one_left() -> None:
    words = np.arange(40_000)
    found = Masks(4, np.array([7]), 0.5).put(words + 10, words, np.random.default_rng(0))
    shown, true = found.pieces[found.chosen], (words + 10)[found.chosen]
    shares = [(shown == 4).mean(), (shown == 7).mean(), (shown == true).mean()]
    # 20,000 draws: three standard errors are 3 * sqrt(.8 * .2 / 20000) = .0085 at most
    assert shares == pytest.approx([0.8, 0.1, 0.1], abs=0.0085)


def test_a_tokenizer_without_a_mask_is_refused(encoder: Encoder) -> None:
    class Maskless:
        mask_token_id = None
        pad_token_id = 0

    with pytest.raises(InputError, match="BertModel: its tokenizer has no mask"):
        MaskedWords(encoder._replace(tokenizer=Maskless()), QUICK)


def test_texts_without_words_are_left_out(encoder: Encoder) -> None:
    settings = msgspec.structs.replace(QUICK, epochs=1)
    found = fit_masked(encoder, [[], *_language(8)], settings, PLAN)
    assert found.report["fitted"] + found.report["held_out"] == 8
    with pytest.raises(InputError, match="no text has a word that can be masked"):
        fit_masked(encoder, [[]], settings, PLAN)


def test_nothing_held_out_is_nothing_measured(encoder: Encoder) -> None:
    task = MaskedWords(encoder, QUICK)
    task.hold_out(PieceTexts([], []))
    assert task.evaluate() == {}
    assert isinstance(task.head(), Head)
