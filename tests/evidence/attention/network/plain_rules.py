"""The rules of relevance once more, text by text and written out: what the network is held to.

CP-LRP is gradient times input by torch's own differentiation, with all that it takes for constant
cut off. Deep Taylor decomposition is that of Chefer et al. 2021, module by module, with the
positive and the negative parts of inputs and weights apart. Gradients of the attention are those
of the models of transformers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from tealeaves.arrays import Floats
from tealeaves.evidence.attention.network.head import Head
from tealeaves.evidence.attention.network.network import Batch
from tealeaves.evidence.attention.network.rules import SIZES, Rules

torch = pytest.importorskip("torch")
functional = torch.nn.functional
Tensor = Any
FUNCTIONS = {"": lambda x: x, "tanh": torch.tanh, "gelu": functional.gelu, "relu": torch.relu}


class Flow(NamedTuple):
    """Relevance by layer of one text: heads × tokens × tokens, and of the outputs of heads."""

    matrices: list[Tensor]
    heads: list[Tensor]


# ---------------------------------------------------------------------- CP-LRP


def lrp(model: Any, head: Head, batch: Batch) -> Flow:
    """Return CP-LRP of a batch of one text; the relevance in all is the total of its logits.

    Each edge, attention times value, is a variable of its own: its relevance is what flows there.
    """
    edges: list[Tensor] = []
    x = embedded(model, batch)[0].detach()
    for layer in model.encoder.layer:
        x = _lrp_layer(layer, x, edges)
    asked = total(head, x, batch, constant=True)
    gradients = torch.autograd.grad(asked, edges)
    matrices = [(e * g).sum(-1).detach() for e, g in zip(edges, gradients, strict=True)]
    # O is the sum of its edges, so each of them has the gradient of O
    outputs = [(e.sum(2) * g[:, :, 0]).sum((1, 2)) for e, g in zip(edges, gradients, strict=True)]
    return Flow(matrices, [found.detach() for found in outputs])


def _lrp_layer(layer: Any, x: Tensor, edges: list[Tensor]) -> Tensor:
    own = layer.attention.self
    query, key, value = (_split(part(x), own) for part in (own.query, own.key, own.value))
    attention = (query @ key.transpose(1, 2) / query.shape[-1] ** 0.5).softmax(-1).detach()
    edge = attention[..., None] * value[:, None]  # heads × from × to × neurons
    if not edge.requires_grad:
        edge.requires_grad_()
    edges.append(edge)
    merged = edge.sum(2).transpose(0, 1).flatten(1)
    out = layer.attention.output
    middle = _constant_norm(out.dense(merged) + x, out.LayerNorm)
    risen = layer.intermediate.dense(middle)
    active = risen * (functional.gelu(risen) / risen).detach()
    last = layer.output
    return _constant_norm(last.dense(active) + middle, last.LayerNorm)


def _constant_norm(x: Tensor, norm: Any) -> Tensor:
    centred = x - x.mean(-1, keepdim=True)
    deviation = (x.var(-1, unbiased=False, keepdim=True) + norm.eps).sqrt().detach()
    return centred / deviation * norm.weight + norm.bias


def embedded(model: Any, batch: Batch) -> Tensor:
    found = model.embeddings(input_ids=batch.ids)
    project = getattr(model, "embeddings_project", None)
    return found if project is None else project(found)


def total(head: Head, states: Tensor, batch: Batch, *, constant: bool = False) -> Tensor:
    """Return the logits that are asked for, added up; the largest where none is named."""
    x = taken(head, states, batch)
    for step in head.steps[:-1]:
        y = functional.linear(x, step.weight, step.bias)
        active = FUNCTIONS[step.function](y)
        x = y * (active / y).detach() if constant else active
        if step.norm and constant:
            x = _constant_norm(x, step.norm)
        elif step.norm:
            x = functional.layer_norm(x, x.shape[-1:], *step.norm)
    logits = functional.linear(x, head.steps[-1].weight, head.steps[-1].bias)
    targets = logits.argmax(-1) if batch.targets is None else batch.targets[0]
    return logits[torch.arange(len(logits)), targets].sum()


def taken(head: Head, states: Tensor, batch: Batch) -> Tensor:
    if head.pooling == "mean":
        return states.mean(0, keepdim=True)
    return states[:1] if batch.positions is None else states[batch.positions[0]]


# ---------------------------------------------------------------------- gradients


def gradients(model: Any, head: Head, batch: Batch) -> list[Tensor]:
    """Return the gradients of the attention of each layer, by the model of transformers."""
    model.set_attn_implementation("eager")
    found = model(input_ids=batch.ids, attention_mask=batch.shown, output_attentions=True)
    asked = total(head, found.last_hidden_state[0], batch)
    return [one[0] for one in torch.autograd.grad(asked, found.attentions)]


# ---------------------------------------------------------------------- deep Taylor decomposition


def decomposed(
    model: Any, head: Head, batch: Batch, rules: Rules = SIZES
) -> tuple[Flow, list[Tensor]]:
    """Return the relevance of attention and heads, and of the input of each layer."""
    with torch.no_grad():
        x = embedded(model, batch)[0]
        inputs = []
        for layer in model.encoder.layer:
            inputs.append(x)
            x = _Forward(layer, x).y
        relevance = _share_head(head, x, batch, rules.least)
        matrices: list[Tensor] = []
        heads: list[Tensor] = []
        totals: list[Tensor] = []
        for layer, given in zip(reversed(model.encoder.layer), reversed(inputs), strict=True):
            matrix, output, relevance = _share_layer(
                layer, _Forward(layer, given), relevance, rules
            )
            matrices.insert(0, matrix)
            heads.insert(0, output.sum((1, 2)))
            totals.insert(0, relevance)
    return Flow(matrices, heads), totals


class _Forward:
    """All that a layer of BERT computes."""

    def __init__(self, layer: Any, x: Tensor) -> None:
        own, out = layer.attention.self, layer.attention.output
        self.x = x
        self.query, self.key, self.value = (
            _split(part(x), own) for part in (own.query, own.key, own.value)
        )
        self.scores = self.query @ self.key.transpose(1, 2)
        self.weights = (self.scores / self.query.shape[-1] ** 0.5).softmax(-1)
        self.merged = _merged(self.weights @ self.value)
        self.added = out.dense(self.merged)
        self.middle = out.LayerNorm(self.added + x)
        self.active = functional.gelu(layer.intermediate.dense(self.middle))
        self.fallen = layer.output.dense(self.active)
        self.y = layer.output.LayerNorm(self.fallen + self.middle)


def _share_layer(
    layer: Any, at: _Forward, relevance: Tensor, rules: Rules
) -> tuple[Tensor, Tensor, Tensor]:
    own, out, least = layer.attention.self, layer.attention.output, rules.least
    of_sum = share_sum_by_size if rules.by_size else share_sum
    of_product = share_product_by_size if rules.by_size else share_product
    fallen, middle = of_sum(at.fallen, at.middle, relevance)
    active = share_linear(at.active, layer.output.dense.weight, fallen, least)
    middle = middle + share_linear(at.middle, layer.intermediate.dense.weight, active, least)
    added, rest = of_sum(at.added, at.x, middle)
    output = _split(share_linear(at.merged, out.dense.weight, added, least), own)
    matrix, value = of_product(at.weights, at.value, output)
    query, key = of_product(at.query, at.key.transpose(1, 2), matrix)
    for part, given in (
        (own.query, query),
        (own.key, key.transpose(1, 2)),
        (own.value, value),
    ):
        rest = rest + share_linear(at.x, part.weight, _merged(given), least)
    return matrix, output, rest


def share_linear(x: Tensor, weight: Tensor, relevance: Tensor, least: float = 0.0) -> Tensor:
    """Share out by x⁺w⁺ + x⁻w⁻, and ``least`` of |x||w|."""
    up, down, size = x.clamp(min=0), x.clamp(max=0), x.abs()
    wide, narrow, whole = weight.clamp(min=0), weight.clamp(max=0), weight.abs()
    s = _safe(relevance, up @ wide.T + down @ narrow.T + least * (size @ whole.T))
    return up * (s @ wide) + down * (s @ narrow) + least * size * (s @ whole)


def share_linear_doubled(x: Tensor, weight: Tensor, relevance: Tensor) -> Tensor:
    """Share out the whole by x⁺w⁺ and once more by x⁻w⁻: a known mistake."""
    up, down = x.clamp(min=0), x.clamp(max=0)
    wide, narrow = weight.clamp(min=0), weight.clamp(max=0)
    first, second = _safe(relevance, up @ wide.T), _safe(relevance, down @ narrow.T)
    return up * (first @ wide) + down * (second @ narrow)


def share_sum(a: Tensor, b: Tensor, relevance: Tensor) -> tuple[Tensor, Tensor]:
    s = _safe(relevance, a + b)
    first, second = a * s, b * s
    sizes = (first.sum().abs(), second.sum().abs())
    whole = relevance.sum() / (sizes[0] + sizes[1])
    return first * whole * sizes[0] / first.sum(), second * whole * sizes[1] / second.sum()


def share_sum_by_size(a: Tensor, b: Tensor, relevance: Tensor) -> tuple[Tensor, Tensor]:
    share = a.abs() / (a.abs() + b.abs())
    return relevance * share, relevance * (1 - share)


def share_product_by_size(a: Tensor, b: Tensor, relevance: Tensor) -> tuple[Tensor, Tensor]:
    """Share out the relevance of a product of matrices by the sizes of its terms."""
    return share_product(a.abs(), b.abs(), relevance)


def share_product(a: Tensor, b: Tensor, relevance: Tensor) -> tuple[Tensor, Tensor]:
    """Share out the relevance of a product of matrices by its terms, half to each factor."""
    terms = a[..., :, :, None] * b[..., None, :, :]
    shares = terms * _safe(relevance, a @ b)[..., :, None, :]
    return shares.sum(-1) / 2, shares.sum(-3) / 2


def _share_head(head: Head, states: Tensor, batch: Batch, least: float) -> Tensor:
    inputs = [taken(head, states, batch)]
    for step in head.steps:
        y = functional.linear(inputs[-1], step.weight, step.bias)
        y = FUNCTIONS[step.function](y)
        inputs.append(functional.layer_norm(y, y.shape[-1:], *step.norm) if step.norm else y)
    logits = inputs.pop()
    targets = logits.argmax(-1) if batch.targets is None else batch.targets[0]
    relevance = functional.one_hot(targets, logits.shape[-1]).to(states.dtype) / len(targets)
    for step, x in zip(reversed(head.steps), reversed(inputs), strict=True):
        # something adds to the logit that was chosen
        relevance = share_linear(
            x, step.weight, relevance, 0.0 if step is head.steps[-1] else least
        )
    found = torch.zeros_like(states)
    if head.pooling == "mean":
        return states.abs() / states.abs().sum(0) * relevance
    for place, one in zip(_places(batch), relevance, strict=True):
        found[place] += one
    return found


def _places(batch: Batch) -> list[int]:
    return [0] if batch.positions is None else batch.positions[0].tolist()


def rollout(model: Any, head: Head, batch: Batch, rules: Rules = SIZES) -> Tensor:
    """Return the product of I + mean over heads of (gradient × relevance)⁺, last layer first."""
    flow, _ = decomposed(model, head, batch, rules)
    size = flow.matrices[0].shape[-1]
    found = torch.eye(size, dtype=flow.matrices[0].dtype)
    for gradient, relevance in zip(gradients(model, head, batch), flow.matrices, strict=True):
        found = (torch.eye(size) + torch.relu(gradient * relevance).mean(0)) @ found
    return found


def _safe(relevance: Tensor, z: Tensor) -> Tensor:
    return torch.where(z == 0, 0.0, relevance / torch.where(z == 0, 1.0, z))


def _split(x: Tensor, own: Any) -> Tensor:
    return x.view(len(x), own.num_attention_heads, -1).transpose(0, 1)


def _merged(x: Tensor) -> Tensor:
    return x.transpose(0, 1).flatten(1)


class Expected:
    """What the oracles say of one text, token by token: layers × heads × tokens × tokens."""

    def __init__(self, model: Any, head: Head, one: Batch) -> None:
        model.set_attn_implementation("eager")
        with torch.no_grad():
            found = model(one.ids, one.shown, output_attentions=True)
            self.total = float(total(head, found.last_hidden_state[0], one))
        self.attention = torch.cat(found.attentions).numpy()
        flow = lrp(model, head, one)
        self.lrp = torch.stack(flow.matrices).numpy() / abs(self.total)
        self.heads = torch.stack(flow.heads).numpy() / abs(self.total)
        self.improved = rollout(model, head, one).numpy()

    @property
    def confidence(self) -> Floats:
        """The mean over tokens of the largest attention, the end left out."""
        return np.asarray(self.attention[..., :-1].max(axis=-1).mean(axis=-1))
