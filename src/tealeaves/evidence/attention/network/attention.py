"""Self-attention and the layers around it, forward and back by three rules."""

from __future__ import annotations

from typing import Any, NamedTuple

from tealeaves.evidence.attention.network.layers import Activation, Linear, Norm, NormTrace
from tealeaves.evidence.attention.network.rules import Rules, ratio

Tensor = Any
# biases, and the gradients of what they are added to
Biased = list[tuple[Tensor, Tensor]]


class AttentionTrace(NamedTuple):
    """What is kept of a forward pass; all but ``x`` and ``projected`` are of texts by heads.

    ``weights`` are the attention A, rows the tokens that attend, columns those attended to;
    ``output`` is O = A V.
    """

    x: Tensor
    projected: Tensor
    query: Tensor
    key: Tensor
    value: Tensor
    scores: Tensor
    weights: Tensor
    output: Tensor


class Attention:
    """Queries, keys and values of all heads in one linear layer."""

    def __init__(self, query: Linear, key: Linear, value: Linear, heads: int) -> None:
        import torch

        parts = (query, key, value)
        weight = torch.cat([part.weight for part in parts])
        biases: list[Tensor] = [part.bias for part in parts]
        bias = None if biases[0] is None else torch.cat(biases)
        self.projection = Linear(weight, bias)
        self.value = value
        self.heads = heads
        self._scale = (value.weight.shape[0] // heads) ** -0.5

    def forward(self, x: Tensor, hidden: Tensor) -> AttentionTrace:
        """Attend to the tokens of each text that are not ``hidden`` (padding)."""
        projected = self.projection.forward(x)
        query, key, value = (self.split(part) for part in projected.chunk(3, dim=-1))
        scores = query @ key.transpose(-1, -2)
        shown = scores * self._scale
        if hidden.any():
            shown.masked_fill_(hidden[:, None, None, :], float("-inf"))
        weights = shown.softmax(dim=-1)
        output = weights @ value
        return AttentionTrace(x, projected, query, key, value, scores, weights, output)

    def gradient_of_weights(self, output: Tensor, kept: AttentionTrace) -> Tensor:
        """Return the gradient of the attention, from that of the output."""
        return output @ kept.value.transpose(-1, -2)

    def gradient(self, output: Tensor, kept: AttentionTrace) -> tuple[Tensor, Tensor]:
        """Return the gradients of the attention and of the input, from that of the output."""
        weights = self.gradient_of_weights(output, kept)
        value = kept.weights.transpose(-1, -2) @ output
        along = (weights * kept.weights).sum(dim=-1, keepdim=True)
        scores = kept.weights * (weights - along) * self._scale
        query, key = scores @ kept.key, scores.transpose(-1, -2) @ kept.query
        return weights, self.projection.back(self._joined(query, key, value))

    def lrp(self, output: Tensor, kept: AttentionTrace) -> tuple[Tensor, Tensor]:
        """Return the gradients of the values and of the input, with the attention as a constant.

        The relevance that flows from token i to token j is then A_ij (dO_i · V_j), and its sum over
        all i and j is that of the head, O · dO.
        """
        value = self.merged(kept.weights.transpose(-1, -2) @ output)
        return value, self.value.back(value)

    def share(self, relevance: Tensor, kept: AttentionTrace, rules: Rules) -> tuple[Tensor, Tensor]:
        """Share out the relevance of the output to the attention and, through it, to the input.

        A product of matrices halves relevance between its two operands.
        """
        kept = _sized(kept) if rules.by_size else kept
        s = ratio(relevance, kept.output)
        weights = kept.weights * (s @ kept.value.transpose(-1, -2)) / 2
        value = kept.value * (kept.weights.transpose(-1, -2) @ s) / 2
        scores = kept.query @ kept.key.transpose(-1, -2) if rules.by_size else kept.scores
        s = ratio(weights, scores)
        query = kept.query * (s @ kept.key) / 2
        key = kept.key * (s.transpose(-1, -2) @ kept.query) / 2
        outputs = self._joined(query, key, value)
        return weights, self.projection.share(kept.x, kept.projected, outputs, rules.least)

    def share_to_weights(self, relevance: Tensor, kept: AttentionTrace, rules: Rules) -> Tensor:
        """Share out the relevance of the output to the attention alone."""
        kept = _sized(kept) if rules.by_size else kept
        s = ratio(relevance, kept.output)
        return kept.weights * (s @ kept.value.transpose(-1, -2)) / 2

    def split(self, x: Tensor) -> Tensor:
        """Give each head its neurons: texts × heads × tokens × neurons."""
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    @staticmethod
    def merged(x: Tensor) -> Tensor:
        """Put the neurons of all heads of a token side by side."""
        return x.transpose(1, 2).flatten(2)

    def _joined(self, *parts: Tensor) -> Tensor:
        import torch

        return torch.cat([self.merged(part) for part in parts], dim=-1)


def _sized(kept: AttentionTrace) -> AttentionTrace:
    """Replace values, queries and keys by their sizes."""
    value = kept.value.abs()
    return kept._replace(
        value=value, query=kept.query.abs(), key=kept.key.abs(), output=kept.weights @ value
    )


class LayerTrace(NamedTuple):
    """What is kept of a forward pass through a layer."""

    x: Tensor
    attended: AttentionTrace
    merged: Tensor
    added: Tensor
    first: NormTrace
    middle: Tensor
    risen: Tensor
    active: Tensor
    fallen: Tensor
    second: NormTrace


class Layer(NamedTuple):
    """Attention and two linear layers, each added to what came in and normalised."""

    attention: Attention
    out: Linear
    first: Norm
    up: Linear
    activation: Activation
    down: Linear
    second: Norm

    def forward(self, x: Tensor, hidden: Tensor) -> tuple[Tensor, LayerTrace]:
        """Return the output, and what is kept."""
        attended = self.attention.forward(x, hidden)
        merged = self.attention.merged(attended.output)
        added = self.out.forward(merged)
        middle, first = self.first.forward(x + added)
        risen = self.up.forward(middle)
        active = self.activation.forward(risen)
        fallen = self.down.forward(active)
        y, second = self.second.forward(middle + fallen)
        kept = LayerTrace(x, attended, merged, added, first, middle, risen, active, fallen, second)
        return y, kept

    def gradient(self, gradient: Tensor, kept: LayerTrace) -> tuple[Tensor, Tensor]:
        """Return the gradients of the attention and of the input."""
        rest, output = self._gradient_of_output(gradient, kept)
        weights, x = self.attention.gradient(output, kept.attended)
        return weights, rest + x

    def gradient_of_weights(self, gradient: Tensor, kept: LayerTrace) -> Tensor:
        """Return the gradient of the attention, of a layer below which none is needed."""
        _, output = self._gradient_of_output(gradient, kept)
        return self.attention.gradient_of_weights(output, kept.attended)

    def _gradient_of_output(self, gradient: Tensor, kept: LayerTrace) -> tuple[Tensor, Tensor]:
        """Return what bypasses the attention, and what goes to the outputs of its heads."""
        fallen = self.second.gradient(gradient, kept.second)
        risen = self.down.back(fallen) * self.activation.slope(kept.risen)
        added = self.first.gradient(fallen + self.up.back(risen), kept.first)
        return added, self.attention.split(self.out.back(added))

    def lrp(self, gradient: Tensor, kept: LayerTrace) -> tuple[Tensor, Tensor, Biased]:
        """Return the gradients of the heads' outputs and of the input, by the rules of CP-LRP."""
        fallen = self.second.lrp(gradient, kept.second)
        risen = self.down.back(fallen) * self.activation.ratio(kept.risen, kept.active)
        middle = fallen + self.up.back(risen)
        added = self.first.lrp(middle, kept.first)
        output = self.attention.split(self.out.back(added))
        value, x = self.attention.lrp(output, kept.attended)
        biased = [
            (self.second.bias, gradient),
            (self.down.bias, fallen),
            (self.up.bias, risen),
            (self.first.bias, middle),
            (self.out.bias, added),
            (self.attention.value.bias, value),
        ]
        return output, added + x, biased

    def share(self, relevance: Tensor, kept: LayerTrace, rules: Rules) -> tuple[Tensor, Tensor]:
        """Return the relevance of the attention and of the input, by deep Taylor decomposition."""
        rest, output = self._shared_to_output(relevance, kept, rules)
        weights, x = self.attention.share(output, kept.attended, rules)
        return weights, rest + x

    def share_to_weights(self, relevance: Tensor, kept: LayerTrace, rules: Rules) -> Tensor:
        """Return the relevance of the attention alone, for the lowest layer that is needed."""
        _, output = self._shared_to_output(relevance, kept, rules)
        return self.attention.share_to_weights(output, kept.attended, rules)

    def _shared_to_output(
        self, relevance: Tensor, kept: LayerTrace, rules: Rules
    ) -> tuple[Tensor, Tensor]:
        """Return what bypasses the attention, and what goes to the outputs of its heads."""
        least = rules.least
        middle, fallen = rules.of_sum(relevance, kept.middle, kept.fallen)
        active = self.down.share(kept.active, kept.fallen, fallen, least)
        middle = middle + self.up.share(kept.middle, kept.risen, active, least)
        rest, added = rules.of_sum(middle, kept.x, kept.added)
        output = self.out.share(kept.merged, kept.added, added, least)
        return rest, self.attention.split(output)
