"""Self-attention of several heads, and how gradients and relevance pass through it."""

from __future__ import annotations

from typing import Any, NamedTuple

from tealeaves.evidence.relevance.network.linear import Linear, ratio
from tealeaves.evidence.relevance.network.sharing import Rules

Tensor = Any


class Attended(NamedTuple):
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
    """Queries, keys and values of all heads in one linear layer.

    Parameters
    ----------
    query, key, value
        The linear layers of a model.
    heads
        How many heads there are.
    """

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

    def forward(self, x: Tensor, hidden: Tensor) -> Attended:
        """Attend to the tokens of each text that are not ``hidden`` (padding)."""
        projected = self.projection.forward(x)
        query, key, value = (self._split(part) for part in projected.chunk(3, dim=-1))
        scores = query @ key.transpose(-1, -2)
        shown = scores * self._scale
        if hidden.any():
            shown.masked_fill_(hidden[:, None, None, :], float("-inf"))
        weights = shown.softmax(dim=-1)
        output = weights @ value
        return Attended(x, projected, query, key, value, scores, weights, output)

    def gradient_of_weights(self, output: Tensor, kept: Attended) -> Tensor:
        """Return the gradient of the attention, from that of the output."""
        return output @ kept.value.transpose(-1, -2)

    def gradient(self, output: Tensor, kept: Attended) -> tuple[Tensor, Tensor]:
        """Return the gradients of the attention and of the input, from that of the output."""
        weights = self.gradient_of_weights(output, kept)
        value = kept.weights.transpose(-1, -2) @ output
        along = (weights * kept.weights).sum(dim=-1, keepdim=True)
        scores = kept.weights * (weights - along) * self._scale
        query, key = scores @ kept.key, scores.transpose(-1, -2) @ kept.query
        return weights, self.projection.back(self._joined(query, key, value))

    def lrp(self, output: Tensor, kept: Attended) -> tuple[Tensor, Tensor]:
        """Return the gradients of the values and of the input, the attention taken for constant.

        The relevance that flows from token i to token j is then A_ij (dO_i · V_j), and its sum over
        all i and j is that of the head, O · dO.
        """
        value = self.merged(kept.weights.transpose(-1, -2) @ output)
        return value, self.value.back(value)

    def share(self, relevance: Tensor, kept: Attended, rules: Rules) -> tuple[Tensor, Tensor]:
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

    def share_to_weights(self, relevance: Tensor, kept: Attended, rules: Rules) -> Tensor:
        """Share out the relevance of the output to the attention alone."""
        kept = _sized(kept) if rules.by_size else kept
        s = ratio(relevance, kept.output)
        return kept.weights * (s @ kept.value.transpose(-1, -2)) / 2

    def split(self, x: Tensor) -> Tensor:
        """Give each head its neurons: texts × heads × tokens × neurons."""
        return self._split(x)

    def _split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    @staticmethod
    def merged(x: Tensor) -> Tensor:
        """Put the neurons of all heads of a token side by side."""
        return x.transpose(1, 2).flatten(2)

    def _joined(self, *parts: Tensor) -> Tensor:
        import torch

        return torch.cat([self.merged(part) for part in parts], dim=-1)


def _sized(kept: Attended) -> Attended:
    """Put sizes in the place of values, queries and keys."""
    value = kept.value.abs()
    return kept._replace(
        value=value, query=kept.query.abs(), key=kept.key.abs(), output=kept.weights @ value
    )
