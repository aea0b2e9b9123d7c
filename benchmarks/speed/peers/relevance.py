"""LRP and Improved LRP of 32 texts by torch and transformers; prints results and seconds.

Run in the environment of vectors: ``python -m benchmarks.speed.peers.relevance lrp`` or ``...
improved``, with ``exact`` for results that are compared. Both run the model of transformers as it
is; its attention is replaced through the interface that it has for this.

``lrp`` is gradient times input by torch's own differentiation, in batches: inside a context, the
deviation in layer normalisation, the ratio of output and input of activations, and the attention
are cut off from it.

``improved`` is written as Chefer et al. 2021 describe it. Hooks keep the inputs and outputs of the
modules; relevance goes back module by module, for linear layers by four products of the positive
and negative parts of inputs and weights; gradients of the attention are those of torch. It takes
text by text, as the rule for residuals sums over all that it is given.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch.nn import functional
from transformers import AttentionInterface
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, AttentionMaskInterface

from benchmarks.speed.clock import Clock
from benchmarks.speed.made_up import EncoderWithHead, read_encoder
from benchmarks.speed.work.relevance import off_diagonal

Tensor = Any
_AT_ONCE = 16  # as ours; 4 to 32 take the same CPU time
_NAME = "kept"


class Kept(NamedTuple):
    """What attention computes in one layer."""

    query: Tensor
    key: Tensor
    value: Tensor
    scores: Tensor
    weights: Tensor
    output: Tensor


@contextmanager
def kept_attention(model: Any, *, constant: bool) -> Iterator[list[Kept]]:
    """Keep what attention computes, layer by layer; ``constant`` cuts off its weights."""
    calls: list[Kept] = []

    def attend(
        _: Any, query: Tensor, key: Tensor, value: Tensor, mask: Tensor, scaling: float, **__: Any
    ) -> tuple[Tensor, Tensor]:
        scores = query @ key.transpose(2, 3)
        shown = scores * scaling if mask is None else scores * scaling + mask
        weights = shown.softmax(dim=-1)
        if constant:
            weights = weights.detach()
        output = weights @ value
        calls.append(Kept(query, key, value, scores, weights, output))
        return output.transpose(1, 2).contiguous(), weights

    AttentionInterface.register(_NAME, attend)
    # of a name that it does not know, padding would be attended to
    AttentionMaskInterface.register(_NAME, ALL_MASK_ATTENTION_FUNCTIONS["eager"])
    before = model.config._attn_implementation
    model.set_attn_implementation(_NAME)
    try:
        yield calls
    finally:
        model.set_attn_implementation(before)


def largest_logits(given: EncoderWithHead, pieces: Tensor) -> Tensor:
    """Return the logit of the predicted class of each text, which can be differentiated."""
    embedded = given.model.embeddings.word_embeddings(pieces).detach().requires_grad_()
    shown = torch.ones_like(pieces)
    states = given.model(inputs_embeds=embedded, attention_mask=shown).last_hidden_state
    return (states.mean(dim=1) @ given.weight.T).amax(dim=1)


# ---------------------------------------------------------------------- LRP


def lrp(given: EncoderWithHead) -> list[float]:
    """Return the share of each head in the logit, the mean over the texts."""
    parts = given.pieces.split(_AT_ONCE)
    return torch.cat([_shares(given, part) for part in parts]).mean(dim=0).flatten().tolist()


def _shares(given: EncoderWithHead, pieces: Tensor) -> Tensor:
    with kept_attention(given.model, constant=True) as kept, linear_rules(given.model):
        logits = largest_logits(given, pieces)
        for one in kept:
            one.output.retain_grad()
        logits.sum().backward()
    shares = [(one.output * one.output.grad).sum(dim=(2, 3)) for one in kept]
    return (torch.stack(shares, dim=1) / logits[:, None, None]).detach()


@contextmanager
def linear_rules(model: Any) -> Iterator[None]:
    """Take layer normalisation and activations for linear at the point where they are."""
    norms: list[Any] = [one for one in model.modules() if isinstance(one, torch.nn.LayerNorm)]
    activations = [layer.intermediate.intermediate_act_fn for layer in model.encoder.layer]
    for norm in norms:
        norm.forward = _normaliser(norm)
    for activation in activations:
        activation.forward = _activator(activation.forward)
    try:
        yield
    finally:
        for module in (*norms, *activations):
            del module.forward


def _normaliser(norm: Any) -> Callable[[Tensor], Tensor]:
    def forward(x: Tensor) -> Tensor:
        centred = x - x.mean(dim=-1, keepdim=True)
        deviation = (centred.square().mean(dim=-1, keepdim=True) + norm.eps).sqrt().detach()
        return centred / deviation * norm.weight + norm.bias

    return forward


def _activator(function: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    def forward(x: Tensor) -> Tensor:
        given = x.detach()
        return x * safe_divide(function(given), given)

    return forward


# ---------------------------------------------------------------------- Improved LRP


def improved(given: EncoderWithHead) -> list[float]:
    """Return what Improved LRP has beside the diagonal, text by text."""
    return off_diagonal(torch.stack([_rolled(given, text) for text in given.pieces.split(1)]))


def _rolled(given: EncoderWithHead, pieces: Tensor) -> Tensor:
    """Return the product of I + mean over heads of (gradient × relevance)⁺, last layer first."""
    with kept_modules(given.model) as modules:
        with kept_attention(given.model, constant=False) as kept:
            logits = largest_logits(given, pieces)
        gradients = torch.autograd.grad(logits.sum(), [one.weights for one in kept])
    with torch.no_grad():
        one = torch.eye(pieces.shape[1], dtype=given.weight.dtype)
        product = one
        relevance = _through_head(given, modules[given.model.encoder.layer[-1]].output)
        for number in reversed(range(len(kept))):
            layer = _Layer(given.model.encoder.layer[number], modules, kept[number])
            weights, relevance = layer.relprop(relevance)
            step = (gradients[number] * weights).clamp(min=0).mean(dim=1)[0]
            product = product @ (one + step)
    return product


class ModulePass(NamedTuple):
    """The inputs and the output of a module."""

    inputs: tuple[Tensor, ...]
    output: Tensor


@contextmanager
def kept_modules(model: Any) -> Iterator[dict[Any, ModulePass]]:
    """Keep what goes into each module of the layers, and what comes out."""
    passed: dict[Any, ModulePass] = {}

    def keep(module: Any, inputs: tuple[Tensor, ...], output: Any) -> None:
        passed[module] = ModulePass(inputs, output[0] if isinstance(output, tuple) else output)

    hooks = [one.register_forward_hook(keep) for one in model.encoder.layer.modules()]
    try:
        yield passed
    finally:
        for hook in hooks:
            hook.remove()


def _through_head(given: EncoderWithHead, states: Tensor) -> Tensor:
    """Start with 1 for the predicted class; what a mean has is shared out by size."""
    mean = states.mean(dim=1)
    predicted = (mean @ given.weight.T).argmax(dim=1)
    start = functional.one_hot(predicted, len(given.weight)).to(mean.dtype)
    size = states.abs()
    return size / size.sum(dim=1, keepdim=True) * linear(mean, given.weight, start)[:, None]


class _Layer:
    """A layer of BERT, through which relevance goes back module by module."""

    def __init__(self, layer: Any, modules: dict[Any, ModulePass], kept: Kept) -> None:
        self._layer = layer
        self._modules = modules
        self._kept = kept

    def relprop(self, relevance: Tensor) -> tuple[Tensor, Tensor]:
        """Return the relevance of the attention and of the input.

        Normalisation, activations and softmax leave relevance as it is.
        """
        attention, out = self._layer.attention, self._layer.output
        fallen, middle = self._added(out, relevance)
        active = self._linear(out.dense, fallen)
        middle = middle + self._linear(self._layer.intermediate.dense, active)
        added, x = self._added(attention.output, middle)
        weights, query, key, value = self._attention(self._linear(attention.output.dense, added))
        own = attention.self
        for module, part in ((own.query, query), (own.key, key), (own.value, value)):
            x = x + self._linear(module, part.transpose(1, 2).flatten(2))
        return weights, x

    def _linear(self, module: Any, relevance: Tensor) -> Tensor:
        return linear(self._modules[module].inputs[0], module.weight, relevance)

    def _added(self, module: Any, relevance: Tensor) -> tuple[Tensor, Tensor]:
        """Share out what a residual adds to the output of the linear layer before it."""
        residual = self._modules[module].inputs[1]
        return added(self._modules[module.dense].output, residual, relevance)

    def _attention(self, relevance: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        kept = self._kept
        split = relevance.unflatten(-1, (kept.output.shape[1], -1)).transpose(1, 2)
        weights, value = product(kept.weights, kept.value, kept.output, split)
        query, key = product(kept.query, kept.key.transpose(2, 3), kept.scores, weights)
        return weights, query, key.transpose(2, 3), value


def linear(x: Tensor, weight: Tensor, relevance: Tensor) -> Tensor:
    """Share out by x⁺w⁺ + x⁻w⁻."""
    positive, negative = x.clamp(min=0), x.clamp(max=0)
    wide, narrow = weight.clamp(min=0), weight.clamp(max=0)
    z = functional.linear(positive, wide) + functional.linear(negative, narrow)
    s = safe_divide(relevance, z)
    return positive * (s @ wide) + negative * (s @ narrow)


def added(a: Tensor, b: Tensor, relevance: Tensor) -> tuple[Tensor, Tensor]:
    """Share out by what each adds, then give each as much of the whole as it has in size."""
    s = safe_divide(relevance, a + b)
    first, second = a * s, b * s
    one, other, whole = first.sum(), second.sum(), relevance.sum()
    size = one.abs() + other.abs()
    first = first * safe_divide(one.abs() / size * whole, one)
    return first, second * safe_divide(other.abs() / size * whole, other)


def product(a: Tensor, b: Tensor, z: Tensor, relevance: Tensor) -> tuple[Tensor, Tensor]:
    """Share out the relevance of a product of matrices, half to each."""
    s = safe_divide(relevance, z)
    return a * (s @ b.transpose(2, 3)) / 2, b * (a.transpose(2, 3) @ s) / 2


def safe_divide(relevance: Tensor, z: Tensor) -> Tensor:
    """Divide, with 0 where there is nothing to divide by."""
    return torch.where(z == 0, 0.0, relevance / torch.where(z == 0, 1.0, z))


def main() -> None:
    """Time it once the model is loaded and was used before."""
    given = read_encoder(exact="exact" in sys.argv)
    given.model.requires_grad_(requires_grad=False)
    work = {"lrp": lrp, "improved": improved}[sys.argv[1]]
    work(given._replace(pieces=given.pieces[:1]))
    clock = Clock()
    clock.report(clock(lambda: work(given)))


if __name__ == "__main__":
    main()
