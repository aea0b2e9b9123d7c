"""Heads of models that were trained elsewhere: the layers of each family, in their order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from tealeaves.errors import InputError
from tealeaves.evidence.relevance.network.head import Dense, Function, Head, Scaling

_Builder = Callable[[Any, str], Head]


def classifying_head(model: Any, name: str) -> Head:
    """Return the head of a sequence classification model of the package transformers."""
    return _CLASSIFYING[model.config.model_type](model, name)


def masked_head(model: Any, name: str) -> Head:
    """Return the head of a masked language model of the package transformers."""
    return _MASKED[model.config.model_type](model, name)


def dense(layer: Any, function: str = "", norm: Any = None, *, name: str = "") -> Dense:
    """Return a linear layer of torch, what follows it, and a normalisation of torch."""
    if function not in get_args(Function):
        known = ", ".join(filter(None, get_args(Function)))
        raise InputError(f"{name}: its head uses {function}, which is not known here ({known} are)")
    scaling = norm and Scaling(norm.weight.detach(), norm.bias.detach(), norm.eps)
    bias = None if layer.bias is None else layer.bias.detach()
    return Dense(layer.weight.detach(), bias, function, scaling)  # type: ignore[arg-type]


def _bert(model: Any, _name: str) -> Head:
    return Head("cls", (dense(model.bert.pooler.dense, "tanh"), dense(model.classifier)))


def _roberta(model: Any, _name: str) -> Head:
    layers = model.classifier
    return Head("cls", (dense(layers.dense, "tanh"), dense(layers.out_proj)))


def _electra(model: Any, _name: str) -> Head:
    layers = model.classifier
    return Head("cls", (dense(layers.dense, "gelu"), dense(layers.out_proj)))


def _distilbert(model: Any, _name: str) -> Head:
    return Head("cls", (dense(model.pre_classifier, "relu"), dense(model.classifier)))


def _masked_bert(model: Any, name: str) -> Head:
    layers = model.cls.predictions
    first = layers.transform
    step = dense(first.dense, _function(model.config.hidden_act), first.LayerNorm, name=name)
    return Head("masked", (step, dense(layers.decoder)))


def _masked_roberta(model: Any, _name: str) -> Head:
    layers = model.lm_head
    return Head("masked", (dense(layers.dense, "gelu", layers.layer_norm), dense(layers.decoder)))


def _masked_electra(model: Any, _name: str) -> Head:
    first = model.generator_predictions
    step = dense(first.dense, "gelu", first.LayerNorm)
    return Head("masked", (step, dense(model.generator_lm_head)))


def _masked_distilbert(model: Any, name: str) -> Head:
    function = _function(model.config.activation)
    step = dense(model.vocab_transform, function, model.vocab_layer_norm, name=name)
    return Head("masked", (step, dense(model.vocab_projector)))


def _function(name: Any) -> str:
    """Return the function of a model's settings by its one name here."""
    return {"gelu_python": "gelu"}.get(str(name), str(name))


_CLASSIFYING: dict[str, _Builder] = {
    "bert": _bert,
    "roberta": _roberta,
    "xlm-roberta": _roberta,
    "camembert": _roberta,
    "electra": _electra,
    "distilbert": _distilbert,
}
_MASKED: dict[str, _Builder] = {
    "bert": _masked_bert,
    "roberta": _masked_roberta,
    "xlm-roberta": _masked_roberta,
    "camembert": _masked_roberta,
    "electra": _masked_electra,
    "distilbert": _masked_distilbert,
}
