"""A classifier is tried before it is used: wrong ones are noticed."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import pytest

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.network.layers import Activation, Linear, Norm
from tealeaves.evidence.attention.network.network import Network
from tealeaves.evidence.attention.network.verification import _trial_batch, verified_network

from .tiny_models import a_classifier, tiny, tokenizer_in_memory

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
CPU = torch.device("cpu")


@pytest.mark.parametrize("pooling", ["cls", "mean", "masked"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_classifier_that_is_followed(pooling: Any, dtype: Any) -> None:
    classifier = a_classifier(pooling, dtype=dtype)
    before = classifier.fingerprint
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        network = verified_network(classifier, CPU)
    assert isinstance(network, Network)
    assert network.device == CPU
    assert network._layers[0].out.weight.dtype == dtype
    again = a_classifier(pooling, dtype=dtype)
    assert before == again.fingerprint == classifier.fingerprint


def test_a_short_limit() -> None:
    verified_network(a_classifier(longest=4), CPU)


@pytest.mark.parametrize("pooling", ["cls", "masked"])
@pytest.mark.parametrize(
    ("owner", "name", "wrong"),
    [
        (Norm, "lrp", Norm.gradient),  # the deviation is not constant
        (Norm, "lrp", lambda self, gradient, normal: gradient * self.weight / normal.deviation),
        (Activation, "ratio", lambda self, x, y: self.slope(x)),
        (Linear, "back", lambda self, gradient: gradient @ self.weight.abs()),
    ],
)
def test_a_rule_that_loses_relevance(
    pooling: Any, owner: Any, name: str, wrong: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(owner, name, wrong)
    with pytest.warns(TealeavesWarning, match=r"toy: LRP loses [\d.]+% of the relevance"):
        verified_network(a_classifier(pooling), CPU)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("size", [0.0, 1e-5])
def test_a_logit_near_0_is_no_loss(dtype: Any, size: float) -> None:
    """All classes have logits that almost cancel out: rounding is no share of nothing."""
    classifier = a_classifier(dtype=dtype)
    network = verified_network(classifier, CPU)
    first, last = classifier.head.steps
    logits = network.predicted(network.forward(_trial_batch(classifier, CPU)))[0, 0]
    balanced = last._replace(bias=last.bias - logits + size)
    head = classifier.head._replace(steps=(first, balanced))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        verified_network(replace(classifier, head=head), CPU)


def test_a_head_of_nothing() -> None:
    classifier = a_classifier("mean")
    first, last = classifier.head.steps
    nothing = last._replace(weight=0 * last.weight, bias=0 * last.bias)
    head = classifier.head._replace(steps=(first, nothing))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        verified_network(replace(classifier, head=head), CPU)


def test_a_model_that_computes_something_else() -> None:
    """The settings say GELU, the model does something else."""
    classifier = a_classifier()
    for layer in classifier.model.encoder.layer:
        layer.intermediate.intermediate_act_fn = torch.nn.ReLU()
    with pytest.raises(InputError, match=r"toy: the attention of this model \(bert\)") as raised:
        verified_network(classifier, CPU)
    assert "\n" not in str(raised.value)


def test_a_model_that_is_not_a_number() -> None:
    classifier = a_classifier()
    with torch.no_grad():
        classifier.model.encoder.layer[0].output.dense.bias[0] = float("nan")
    with pytest.raises(InputError, match="cannot be followed"):
        verified_network(classifier, CPU)


def test_a_model_of_another_kind() -> None:
    config = transformers.MPNetConfig(
        vocab_size=99, hidden_size=32, num_hidden_layers=1, num_attention_heads=4,
        intermediate_size=37,
    )  # fmt: skip
    head = a_classifier().head
    other = Classifier(
        "toy", transformers.MPNetModel(config).double(), tokenizer_in_memory(), head,
        tuple("vwxyz"), 40, "given",
    )  # fmt: skip
    with pytest.raises(InputError, match="the attention of mpnet cannot be followed"):
        verified_network(other, CPU)


def test_another_device_gets_a_copy(monkeypatch: Any) -> None:
    """The model of the classifier stays where it is; tensors without data show it."""
    classifier = a_classifier()
    with pytest.raises((NotImplementedError, RuntimeError)):  # no data, no numbers
        verified_network(classifier, torch.device("meta"))
    assert next(classifier.model.parameters()).device == CPU
    assert torch.equal(
        classifier.model.encoder.layer[0].output.dense.weight,
        tiny().encoder.layer[0].output.dense.weight,
    )
    assert classifier.head.steps[0].weight.device == CPU


def test_a_network_that_no_memory_holds(monkeypatch: Any) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9")

    monkeypatch.setattr(Network, "forward", full)
    with pytest.raises(InputError) as told:
        verified_network(a_classifier(), CPU)
    assert str(told.value) == (
        "too little memory on cpu for the network of toy: use a classifier with a smaller one"
    )


def test_the_published_rules_are_in_double_precision() -> None:
    """In single precision they would be chance; the classifier's own model stays as it is."""
    classifier = a_classifier("mean", dtype=torch.float32)
    network = verified_network(classifier, CPU, "chefer")
    assert network.rules == "chefer"
    assert network._layers[0].out.weight.dtype == torch.float64
    assert classifier.model.dtype == torch.float32
