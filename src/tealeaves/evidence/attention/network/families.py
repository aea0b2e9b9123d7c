"""The families of transformers that can be followed: where each keeps its layers and heads.

A new family is a ``ModelFamily`` in ``FAMILIES``, by the ``model_type`` of its settings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, get_args

from tealeaves.errors import InputError
from tealeaves.evidence.attention.network.attention import Attention, Layer
from tealeaves.evidence.attention.network.head import Dense, Function, Head, Scaling
from tealeaves.evidence.attention.network.layers import Activation, Linear, Norm

Tensor = Any


class EncoderParts(NamedTuple):
    """What gives tokens their first states, the layers above it, and the heads of each layer."""

    embed: Callable[[Tensor], Tensor]
    layers: list[Layer]
    heads: int


class ModelFamily(NamedTuple):
    """How the models of a family are read: the encoder, and both kinds of heads.

    The functions of heads take a model and what messages call it.
    """

    encoder: Callable[[Any], EncoderParts]
    classifying_head: Callable[[Any, str], Head]
    masked_head: Callable[[Any, str], Head]


def encoder_parts(model: Any) -> EncoderParts:
    """Return the parts of an encoder; one whose attention cannot be followed is an error."""
    check_family(model.config)
    return FAMILIES[model.config.model_type].encoder(model)


def classifying_head(model: Any, name: str) -> Head:
    """Return the head of a sequence classification model of the package transformers."""
    return FAMILIES[model.config.model_type].classifying_head(model, name)


def masked_head(model: Any, name: str) -> Head:
    """Return the head of a masked language model of the package transformers."""
    return FAMILIES[model.config.model_type].masked_head(model, name)


def check_family(config: Any, name: str = "") -> None:
    """Refuse, by its settings alone, a model whose attention cannot be followed.

    ``name`` is what the message calls the model.
    """
    prefix = f"{name}: " if name else ""
    if getattr(config, "is_decoder", False) or getattr(config, "is_encoder_decoder", False):
        raise InputError(f"{prefix}a model that writes texts, whose relevance cannot be followed")
    positions = getattr(config, "position_embedding_type", "absolute") or "absolute"
    kind, known = config.model_type, config.model_type in FAMILIES
    if not known or positions != "absolute":
        which = f"{kind} with {positions} places" if known else kind
        raise InputError(
            f"{prefix}the attention of {which} cannot be followed, only that of BERT, RoBERTa, "
            "XLM-RoBERTa, CamemBERT, ELECTRA and DistilBERT"
        )


# ---------------------------------------------------------------------- encoders


def _bert(model: Any) -> EncoderParts:
    config = model.config
    project = getattr(model, "embeddings_project", None)  # of ELECTRA with small embeddings

    def embed(ids: Tensor) -> Tensor:
        states = model.embeddings(input_ids=ids)
        return states if project is None else project(states)

    layers = [_bert_layer(layer, config) for layer in model.encoder.layer]
    return EncoderParts(embed, layers, config.num_attention_heads)


def _bert_layer(layer: Any, config: Any) -> Layer:
    attention, out = layer.attention.self, layer.attention.output
    query, key, value = map(_linear, (attention.query, attention.key, attention.value))
    return Layer(
        Attention(query, key, value, config.num_attention_heads),
        _linear(out.dense),
        _norm(out.LayerNorm),
        _linear(layer.intermediate.dense),
        Activation(config.hidden_act),
        _linear(layer.output.dense),
        _norm(layer.output.LayerNorm),
    )


def _distilbert(model: Any) -> EncoderParts:
    config = model.config
    layers = [_distilbert_layer(layer, config) for layer in model.transformer.layer]
    return EncoderParts(model.embeddings, layers, config.n_heads)


def _distilbert_layer(layer: Any, config: Any) -> Layer:
    attention = layer.attention
    query, key, value = map(_linear, (attention.q_lin, attention.k_lin, attention.v_lin))
    return Layer(
        Attention(query, key, value, config.n_heads),
        _linear(attention.out_lin),
        _norm(layer.sa_layer_norm),
        _linear(layer.ffn.lin1),
        Activation(config.activation),
        _linear(layer.ffn.lin2),
        _norm(layer.output_layer_norm),
    )


def _linear(module: Any) -> Linear:
    return Linear(module.weight, module.bias)


def _norm(module: Any) -> Norm:
    return Norm(module.weight, module.bias, module.eps)


# ---------------------------------------------------------------------- heads


def _dense(layer: Any, function: str = "", norm: Any = None, *, name: str = "") -> Dense:
    """Return a linear layer of torch, the function that follows it, and a normalisation."""
    if function not in get_args(Function):
        known = ", ".join(filter(None, get_args(Function)))
        raise InputError(f"{name}: its head uses {function}, which is not known here ({known} are)")
    scaling = norm and Scaling(norm.weight.detach(), norm.bias.detach(), norm.eps)
    bias = None if layer.bias is None else layer.bias.detach()
    return Dense(layer.weight.detach(), bias, function, scaling)  # type: ignore[arg-type]


def _bert_head(model: Any, _name: str) -> Head:
    return Head("cls", (_dense(model.bert.pooler.dense, "tanh"), _dense(model.classifier)))


def _bert_masked(model: Any, name: str) -> Head:
    layers = model.cls.predictions
    first = layers.transform
    step = _dense(first.dense, _function(model.config.hidden_act), first.LayerNorm, name=name)
    return Head("masked", (step, _dense(layers.decoder)))


def _roberta_head(model: Any, _name: str) -> Head:
    layers = model.classifier
    return Head("cls", (_dense(layers.dense, "tanh"), _dense(layers.out_proj)))


def _roberta_masked(model: Any, _name: str) -> Head:
    layers = model.lm_head
    step = _dense(layers.dense, "gelu", layers.layer_norm)
    return Head("masked", (step, _dense(layers.decoder)))


def _electra_head(model: Any, _name: str) -> Head:
    layers = model.classifier
    return Head("cls", (_dense(layers.dense, "gelu"), _dense(layers.out_proj)))


def _electra_masked(model: Any, _name: str) -> Head:
    first = model.generator_predictions
    step = _dense(first.dense, "gelu", first.LayerNorm)
    return Head("masked", (step, _dense(model.generator_lm_head)))


def _distilbert_head(model: Any, _name: str) -> Head:
    return Head("cls", (_dense(model.pre_classifier, "relu"), _dense(model.classifier)))


def _distilbert_masked(model: Any, name: str) -> Head:
    function = _function(model.config.activation)
    step = _dense(model.vocab_transform, function, model.vocab_layer_norm, name=name)
    return Head("masked", (step, _dense(model.vocab_projector)))


def _function(name: Any) -> str:
    """Return a function of a model's settings by the one name that it has here."""
    return {"gelu_python": "gelu"}.get(str(name), str(name))


_ROBERTA = ModelFamily(_bert, _roberta_head, _roberta_masked)
FAMILIES = {
    "bert": ModelFamily(_bert, _bert_head, _bert_masked),
    "camembert": _ROBERTA,
    "distilbert": ModelFamily(_distilbert, _distilbert_head, _distilbert_masked),
    "electra": ModelFamily(_bert, _electra_head, _electra_masked),
    "roberta": _ROBERTA,
    "xlm-roberta": _ROBERTA,
}
