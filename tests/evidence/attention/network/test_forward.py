"""The network computes what the models of transformers do, and leaves them as they are."""

from __future__ import annotations

from typing import Any

import pytest

from tealeaves.errors import InputError
from tealeaves.evidence.attention.network.head import Dense, Head, Pooling, Scaling
from tealeaves.evidence.attention.network.layers import Activation
from tealeaves.evidence.attention.network.network import Batch, Network

from . import plain_rules as plain
from .tiny_models import (
    FAMILIES,
    HEADS,
    HEADS_OF_MODELS,
    LAYERS,
    a_batch,
    a_head,
    randomised,
    single,
    some_texts,
    tiny,
)

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


def close(found: Any, expected: Any, within: float = 1e-12) -> None:
    torch.testing.assert_close(found, expected, rtol=within, atol=within)


@pytest.mark.parametrize("family", FAMILIES)
def test_states_and_attention_are_those_of_the_model(family: str) -> None:
    model = tiny(family)
    batch = a_batch(some_texts())
    network = Network(model, a_head())
    assert (network.layers, network.heads) == (LAYERS, HEADS)
    trace = network.forward(batch)
    model.set_attn_implementation("eager")
    with torch.no_grad():
        expected = model(batch.ids, batch.shown, output_attentions=True)
    seen = batch.shown.bool()
    close(trace.answer.states[seen], expected.last_hidden_state[seen])
    for found, attention in zip(trace.attention, expected.attentions, strict=True):
        rows = seen[:, None, :, None].expand_as(found)
        close(found[rows], attention[rows])


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_is_changed_in_the_model(family: str) -> None:
    model = tiny(family)
    batch = a_batch(some_texts())
    weights = {name: weight.clone() for name, weight in model.state_dict().items()}
    implementation = model.config._attn_implementation
    before = model(batch.ids, batch.shown).last_hidden_state
    network = Network(model, a_head())
    trace = network.forward(batch)
    network.rollout(trace)
    network.conserved(trace)
    assert model.config._attn_implementation == implementation
    assert torch.equal(model(batch.ids, batch.shown).last_hidden_state, before)
    after = model.state_dict()
    assert list(after) == list(weights)
    assert all(torch.equal(after[name], weight) for name, weight in weights.items())
    assert all(weight.grad is None for weight in model.parameters())
    assert all(weight.requires_grad for weight in model.parameters())


def test_no_graph_is_kept() -> None:
    network = Network(tiny(), a_head(steps=True))
    trace = network.forward(a_batch(some_texts()))
    found = [trace.start, *trace.attention, trace.answer.total, network.conserved(trace)]
    found += [network.rollout(trace), *(gradient for _, gradient in network.lrp(trace))]
    assert not any(tensor.requires_grad for tensor in found)


def test_a_classification_model() -> None:
    config = transformers.BertConfig(
        vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=37, num_labels=5,
    )  # fmt: skip
    whole = randomised(transformers.BertForSequenceClassification(config), 1).double().eval()
    pooler, last = whole.bert.pooler.dense, whole.classifier
    head = Head(
        "cls", (Dense(pooler.weight, pooler.bias, "tanh"), Dense(last.weight, last.bias))
    )  # fmt: skip
    batch = a_batch(some_texts())
    network = Network(whole.bert, head)
    trace = network.forward(batch)
    with torch.no_grad():
        expected = whole(batch.ids, batch.shown).logits
    close(network.predicted(trace)[:, 0], expected)
    close(trace.answer.total, expected.max(dim=1).values)


def test_a_model_of_masked_words() -> None:
    config = transformers.BertConfig(
        vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=37,
    )  # fmt: skip
    whole = randomised(transformers.BertForMaskedLM(config), 2).double().eval()
    turn = whole.cls.predictions.transform
    norm = Scaling(turn.LayerNorm.weight, turn.LayerNorm.bias, turn.LayerNorm.eps)
    last = whole.cls.predictions.decoder
    head = Head(
        "masked",
        (Dense(turn.dense.weight, turn.dense.bias, "gelu", norm), Dense(last.weight, last.bias)),
    )
    batch = a_batch(some_texts(), "masked")
    trace = Network(whole.bert, head).forward(batch)
    with torch.no_grad():
        logits = whole(batch.ids, batch.shown).logits
    close(trace.answer.logits[0], torch.stack([logits[0, 1, 11], logits[0, 3, 12]]))
    close(trace.answer.total[0], logits[0, 1, 11] + logits[0, 3, 12])
    close(trace.answer.total[2], logits[2, 2, 15])  # its second place is none


@pytest.mark.parametrize(("pooling", "steps"), HEADS_OF_MODELS)
def test_what_is_asked_for(pooling: Pooling, steps: bool) -> None:
    """The plain forward pass of the oracle gives the same total, text by text."""
    model, head = tiny(), a_head(pooling, steps=steps)
    batch = a_batch(some_texts(), pooling)
    trace = Network(model, head).forward(batch)
    for row in range(3):
        one = single(batch, row)
        states = model(one.ids, one.shown).last_hidden_state[0]
        close(trace.answer.total[row], plain.total(head, states, one).detach())


def test_a_named_target() -> None:
    network = Network(tiny(), a_head(steps=True))
    batch = a_batch(some_texts())
    logits = network.predicted(network.forward(batch))
    asked = torch.tensor([[3], [0], [4]])
    total = network.forward(batch._replace(targets=asked)).answer.total
    close(total, logits[:, 0].gather(1, asked)[:, 0])


def test_a_last_layer_without_bias() -> None:
    head = a_head()
    bare = Head("cls", (head.steps[0]._replace(bias=None),))
    batch = a_batch(some_texts())
    with_bias = Network(tiny(), head)
    logits = with_bias.predicted(with_bias.forward(batch))[:, 0] - head.steps[0].bias
    network = Network(tiny(), bare)
    trace = network.forward(batch)
    close(trace.answer.total, logits.max(dim=1).values)
    close(network.conserved(trace), trace.answer.total, 1e-9)


@pytest.mark.parametrize("kind", ["gelu", "gelu_new", "relu", "silu"])
def test_functions_of_models(kind: str) -> None:
    config = transformers.BertConfig(
        vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=37, hidden_act=kind,
    )  # fmt: skip
    model = randomised(transformers.BertModel(config), 4).double().eval()
    batch = a_batch(some_texts((6,)))
    network = Network(model, a_head())
    trace = network.forward(batch)
    with torch.no_grad():
        close(trace.answer.states, model(batch.ids).last_hidden_state)
    close(network.conserved(trace), trace.answer.total, 1e-9)


def test_an_unknown_function() -> None:
    with pytest.raises(InputError, match="passes through the function quick_gelu is not known"):
        Activation("quick_gelu")


# ---------------------------------------------------------------------- what is refused

_SMALL = {
    "vocab_size": 50, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
    "intermediate_size": 16,
}  # fmt: skip


# what DeBERTa's own module does when it is imported
@pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning")
@pytest.mark.parametrize(
    ("config", "model", "changes", "said"),
    [
        ("MPNetConfig", "MPNetModel", {}, "the attention of mpnet cannot be followed"),
        ("ModernBertConfig", "ModernBertModel", {"pad_token_id": 0}, "the attention of modernbert"),
        ("DebertaV2Config", "DebertaV2Model", {}, "the attention of deberta-v2 cannot"),
        ("DebertaConfig", "DebertaModel", {}, "the attention of deberta cannot be followed"),
        ("AlbertConfig", "AlbertModel", {"embedding_size": 8}, "the attention of albert cannot"),
        ("BertConfig", "BertModel", {"is_decoder": True}, "a model that writes texts"),
        ("RobertaConfig", "RobertaModel", {"is_decoder": True}, "a model that writes texts"),
        (
            "BertConfig",
            "BertModel",
            {"position_embedding_type": "relative_key"},
            "the attention of bert with relative_key places cannot be followed",
        ),
    ],
)
def test_models_that_cannot_be_followed(
    config: str, model: str, changes: dict[str, Any], said: str
) -> None:
    made = getattr(transformers, model)(getattr(transformers, config)(**_SMALL, **changes))
    with pytest.raises(InputError, match=said) as raised:
        Network(made, a_head())
    assert "\n" not in str(raised.value)


def test_an_encoder_with_a_decoder() -> None:
    config = transformers.T5Config(
        vocab_size=50, d_model=16, num_layers=1, num_heads=2, d_ff=16, d_kv=8
    )
    with pytest.raises(InputError, match="a model that writes texts"):
        Network(transformers.T5Model(config), a_head())


def test_padding_of_another_number() -> None:
    """RoBERTa counts its places from the padding on."""
    config = transformers.RobertaConfig(
        **{**_SMALL, "vocab_size": 99, "hidden_size": 32, "num_attention_heads": 4}, pad_token_id=1
    )
    model = randomised(transformers.RobertaModel(config), 3).double().eval()
    batch = a_batch(some_texts(), pad=1)
    found = Network(model, a_head()).forward(batch).answer.states
    for row in range(3):
        one: Batch = single(batch, row)
        expected = model(one.ids).last_hidden_state[0].detach()
        close(found[row, : len(expected)], expected)
