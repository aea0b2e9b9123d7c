"""Models of Hugging Face as classifiers: heads against the models' own logits, and refusals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.classifiers.encoders import open_encoder
from tealeaves.evidence.attention.network.families import classifying_head, masked_head
from tealeaves.evidence.attention.network.head import Head
from tealeaves.evidence.embeddings.sources.huggingface import quiet_transformers

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

PIECES = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "cat",
    "dog",
    "##s",
    "sat",
    "the",
    "on",
    "it",
)
SIZES = {
    "vocab_size": len(PIECES),
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 20,
    "max_position_embeddings": 24,
    "num_labels": 3,
}
DISTIL = {"vocab_size": len(PIECES), "dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 20,
          "max_position_embeddings": 24, "num_labels": 3}  # fmt: skip
FAMILIES = {
    "Bert": SIZES,
    "Roberta": SIZES,
    "XLMRoberta": SIZES,
    "Camembert": SIZES,
    "Electra": {**SIZES, "embedding_size": 12},
    "DistilBert": DISTIL,
}
IDS = [[2, 5, 7, 8, 10, 3], [2, 9, 6, 4, 8, 3]]


def _model(family: str, purpose: str, **changed: Any) -> Any:
    config = getattr(transformers, f"{family}Config")(**{**FAMILIES[family], **changed})
    torch.manual_seed(3)
    model = getattr(transformers, f"{family}For{purpose}")(config).double().eval()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "bias" in name or "norm" in name.lower():  # which begin as 0 and 1
                weight.normal_()
    return model


def _answers(head: Head, last: Any) -> Any:
    """What a head makes of the last layer, written down once more."""
    functions = {"": lambda x: x, "tanh": torch.tanh, "relu": torch.relu,
                 "gelu": lambda x: x * (1 + torch.erf(x / 2**0.5)) / 2}  # fmt: skip
    found = {"cls": last[:, 0], "mean": last.mean(dim=1), "masked": last}[head.pooling]
    for step in head.steps:
        found = found @ step.weight.T
        if step.bias is not None:
            found = found + step.bias
        found = functions[step.function](found)
        if step.norm is not None:
            spread = (found.var(dim=-1, correction=0, keepdim=True) + step.norm.eps).sqrt()
            found = (found - found.mean(dim=-1, keepdim=True)) / spread
            found = found * step.norm.weight + step.norm.bias
    return found


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("purpose", ["SequenceClassification", "MaskedLM"])
def test_a_head_gives_the_logits_of_its_model(family: str, purpose: str) -> None:
    model = _model(family, purpose)
    head = (masked_head if purpose == "MaskedLM" else classifying_head)(model, family)
    with torch.no_grad():
        ids = torch.tensor(IDS)
        expected = model(input_ids=ids).logits
        found = _answers(head, model.base_model(input_ids=ids).last_hidden_state)
    assert found.shape == ((2, 6, 12) if purpose == "MaskedLM" else (2, 3))
    assert found.std() > 0.1
    torch.testing.assert_close(found, expected, rtol=1e-12, atol=1e-12)


def _saved(model: Any, folder: Path, tokenizer: Any = None) -> Path:
    vocabulary = {piece: number for number, piece in enumerate(PIECES)}
    with quiet_transformers():
        model.float().save_pretrained(folder)
        (tokenizer or transformers.BertTokenizer(vocab=vocabulary)).save_pretrained(folder)
    return folder


def test_a_sequence_classification_model_is_a_classifier(tmp_path: Path) -> None:
    model = _model("Bert", "SequenceClassification", id2label={0: "pets", 1: "cars", 2: "rain"})
    found = Classifier.open(_saved(model, tmp_path / "news"))
    assert (found.kind, found.name, found.labels) == ("given", "news", ("pets", "cars", "rain"))
    assert found.longest == 24  # places of the model
    with torch.no_grad():
        ids = torch.tensor(IDS)
        logits = _answers(found.head, found.model(input_ids=ids).last_hidden_state)
        torch.testing.assert_close(logits, model(input_ids=ids).logits, rtol=1e-5, atol=1e-5)
    found.save(tmp_path / "saved")
    assert Classifier.open(tmp_path / "saved") == found


def test_a_masked_model_has_no_classes(tmp_path: Path) -> None:
    found = Classifier.open(_saved(_model("DistilBert", "MaskedLM"), tmp_path / "masked"))
    assert (found.kind, found.labels, found.head.pooling) == ("masked", (), "masked")
    assert found.head.steps[-1].weight.shape == (len(PIECES), 16)
    found.save(tmp_path / "saved")
    assert Classifier.open(tmp_path / "saved") == found


def _gpt2() -> Any:
    config = transformers.GPT2Config(vocab_size=12, n_embd=16, n_layer=1, n_head=2, n_positions=24)
    return transformers.GPT2ForSequenceClassification(config)


def _bart() -> Any:
    config = transformers.BartConfig(
        vocab_size=12, d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16,
    )  # fmt: skip
    return transformers.BartForSequenceClassification(config)


def _plain() -> Any:
    return _model("Bert", "MaskedLM").base_model


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "one class": (
        lambda: _model("Bert", "SequenceClassification", num_labels=1),
        "a model that predicts a number",
    ),
    "regression": (
        lambda: _model("Bert", "SequenceClassification", problem_type="regression"),
        "a model that predicts a number",
    ),
    "unknown function": (
        lambda: _model("Bert", "MaskedLM", hidden_act="silu"),
        "its head uses silu, which is not known here",
    ),
    "no head": (_plain, r"without a head that predicts classes or masked words \(BertModel\): fit"),
    "decoder": (
        lambda: _model("Bert", "MaskedLM", is_decoder=True),
        "a model that writes texts",
    ),
    "gpt2": (_gpt2, "the attention of gpt2 cannot be followed"),
    "bart": (_bart, "a model that writes texts"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_models_that_cannot_be_used_are_refused_in_one_line(tmp_path: Path, case: str) -> None:
    make, message = REFUSED[case]
    with quiet_transformers():
        model = make()
    with pytest.raises(InputError, match=message) as error:
        Classifier.open(_saved(model, tmp_path / "model"))
    assert "\n" not in str(error.value)


def test_weights_that_could_run_code_are_refused(tmp_path: Path) -> None:
    folder = _saved(_model("Bert", "SequenceClassification"), tmp_path / "model")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(InputError, match="no weights in safetensors"):
        Classifier.open(folder)


def test_weights_that_lack_a_layer_are_refused(tmp_path: Path) -> None:
    """The package transformers would make it at random."""
    model = _model("Bert", "SequenceClassification")
    folder = _saved(model.base_model, tmp_path / "model")
    config = model.config
    config.architectures = ["BertForSequenceClassification"]
    config.save_pretrained(folder)
    with pytest.raises(InputError, match=r"its weights lack classifier\.bias"):
        Classifier.open(folder)


def test_a_file_is_no_classifier(tmp_path: Path) -> None:
    (tmp_path / "model.bin").touch()
    with pytest.raises(InputError, match="a file; a classifier is a folder"):
        Classifier.open(tmp_path / "model.bin")


def _byte_pairs(**settings: Any) -> Any:
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "a", "b", "Ġ", "Ġa"]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    return transformers.RobertaTokenizer(vocab=vocabulary, merges=[("Ġ", "a")], **settings)


def test_byte_pairs_are_those_of_words_after_a_space(tmp_path: Path) -> None:
    model = _model("Roberta", "SequenceClassification")
    found = Classifier.open(_saved(model, tmp_path / "model", _byte_pairs()))
    read = found.tokenizer(["a", "a"], is_split_into_words=True)
    assert found.tokenizer.convert_ids_to_tokens(read.input_ids) == ["<s>", "Ġa", "Ġa", "</s>"]
    assert found.longest == 22  # RoBERTa keeps two places
    with pytest.raises(InputError, match="make its tokenizer with add_prefix_space=True"):
        open_encoder((model, _byte_pairs()))
    assert open_encoder((model, _byte_pairs(add_prefix_space=True))).origin is None


def _masked_logits(model: Any, encoder: Any) -> tuple[Any, Any]:
    ids = torch.tensor(IDS)
    with torch.no_grad():
        found = _answers(encoder.masked, encoder.model(input_ids=ids).last_hidden_state)
        output = model.float()(input_ids=ids)
    return found, output.get("logits", output.get("prediction_logits"))


@pytest.mark.parametrize("family", FAMILIES)
def test_an_encoder_in_a_folder_keeps_its_head_for_masked_words(
    tmp_path: Path, family: str
) -> None:
    model = _model(family, "MaskedLM")
    folder = _saved(model, tmp_path / "model")
    found = open_encoder(folder, masked=True)
    torch.testing.assert_close(*_masked_logits(model, found), rtol=1e-5, atol=1e-5)
    assert open_encoder(folder).masked is None  # it was not asked for


def test_a_model_with_several_heads_has_one_for_masked_words(tmp_path: Path) -> None:
    model = _model("Bert", "PreTraining")
    found = open_encoder(_saved(model, tmp_path / "model"), masked=True)
    torch.testing.assert_close(*_masked_logits(model, found), rtol=1e-5, atol=1e-5)
    plain = open_encoder(
        _saved(_model("Bert", "SequenceClassification"), tmp_path / "x"), masked=True
    )
    assert plain.masked is None


def test_a_pooler_that_would_be_random_is_left_out(tmp_path: Path) -> None:
    folder = _saved(_model("Roberta", "MaskedLM"), tmp_path / "model", _byte_pairs())
    found = open_encoder(folder)
    assert found.pooler is None
    assert not [name for name in found.model.state_dict() if "pooler" in name]
    assert found.model(input_ids=torch.tensor(IDS)).last_hidden_state.shape == (2, 6, 16)


def test_encoders_are_refused_likewise(tmp_path: Path) -> None:
    with quiet_transformers():
        folder = _saved(_bart(), tmp_path / "bart")
        gpt2 = _gpt2()
    with pytest.raises(InputError, match="a model that writes texts"):
        open_encoder(folder)
    with pytest.raises(InputError, match="GPT2ForSequenceClassification: the attention of gpt2"):
        open_encoder((gpt2, _byte_pairs()))
    with pytest.raises(InputError, match="dict: not a model of the package transformers"):
        open_encoder(({}, _byte_pairs()))
    with pytest.raises(InputError, match="no model in"):
        open_encoder(tmp_path)
