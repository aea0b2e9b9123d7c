"""Which parts of a model of transformers do what, so that they can be followed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tealeaves.errors import InputError
from tealeaves.evidence.relevance.network.activation import Activation
from tealeaves.evidence.relevance.network.attention import Attention
from tealeaves.evidence.relevance.network.layer import Layer
from tealeaves.evidence.relevance.network.linear import Linear
from tealeaves.evidence.relevance.network.norm import Norm

Tensor = Any


class Parts(NamedTuple):
    """What gives tokens their first states, and the layers above it."""

    embed: Callable[[Tensor], Tensor]
    layers: list[Layer]
    heads: int


def parts_of(model: Any) -> Parts:
    """Return the parts of an encoder; one whose attention cannot be followed is an error."""
    check_followed(model.config)
    return _READERS[model.config.model_type](model)


def check_followed(config: Any) -> None:
    """Refuse, by its settings alone, a model whose attention cannot be followed."""
    if getattr(config, "is_decoder", False) or getattr(config, "is_encoder_decoder", False):
        raise InputError("a model that writes texts, whose relevance cannot be followed")
    places = getattr(config, "position_embedding_type", "absolute") or "absolute"
    kind, known = config.model_type, config.model_type in _READERS
    if not known or places != "absolute":
        which = f"{kind} with {places} places" if known else kind
        raise InputError(
            f"the attention of {which} cannot be followed, only that of BERT, RoBERTa, "
            "XLM-RoBERTa, CamemBERT, ELECTRA and DistilBERT"
        )


def _bert(model: Any) -> Parts:
    config = model.config
    project = getattr(model, "embeddings_project", None)  # ELECTRA's, where these are smaller

    def embed(ids: Tensor) -> Tensor:
        found = model.embeddings(input_ids=ids)
        return found if project is None else project(found)

    layers = [_bert_layer(layer, config) for layer in model.encoder.layer]
    return Parts(embed, layers, config.num_attention_heads)


def _bert_layer(layer: Any, config: Any) -> Layer:
    own, out = layer.attention.self, layer.attention.output
    query, key, value = (_linear(part) for part in (own.query, own.key, own.value))
    return Layer(
        Attention(query, key, value, config.num_attention_heads),
        _linear(out.dense),
        _norm(out.LayerNorm),
        _linear(layer.intermediate.dense),
        Activation(config.hidden_act),
        _linear(layer.output.dense),
        _norm(layer.output.LayerNorm),
    )


def _distilbert(model: Any) -> Parts:
    config = model.config
    layers = [_distilbert_layer(layer, config) for layer in model.transformer.layer]
    return Parts(model.embeddings, layers, config.n_heads)


def _distilbert_layer(layer: Any, config: Any) -> Layer:
    own = layer.attention
    query, key, value = (_linear(part) for part in (own.q_lin, own.k_lin, own.v_lin))
    return Layer(
        Attention(query, key, value, config.n_heads),
        _linear(own.out_lin),
        _norm(layer.sa_layer_norm),
        _linear(layer.ffn.lin1),
        Activation(config.activation),
        _linear(layer.ffn.lin2),
        _norm(layer.output_layer_norm),
    )


_READERS: dict[str, Callable[[Any], Parts]] = {
    "bert": _bert,
    "camembert": _bert,
    "distilbert": _distilbert,
    "electra": _bert,
    "roberta": _bert,
    "xlm-roberta": _bert,
}


def _linear(module: Any) -> Linear:
    return Linear(module.weight, module.bias)


def _norm(module: Any) -> Norm:
    return Norm(module.weight, module.bias, module.eps)
