"""Layer normalisation, and how gradients and relevance pass through it."""

from __future__ import annotations

from typing import Any, NamedTuple

Tensor = Any


class Normal(NamedTuple):
    """What is kept of a forward pass: the input at mean 0 and variance 1, and what divided it."""

    values: Tensor
    deviation: Tensor


class Norm:
    """Mean 0 and variance 1 over the neurons of each token, then a weight and a bias of each."""

    def __init__(self, weight: Tensor, bias: Tensor, eps: float) -> None:
        self.weight = weight.detach()
        self.bias = bias.detach()
        self._eps = eps

    def forward(self, x: Tensor) -> tuple[Tensor, Normal]:
        """Return the output, and what is kept."""
        centred = x - x.mean(dim=-1, keepdim=True)
        deviation = (centred.square().mean(dim=-1, keepdim=True) + self._eps).sqrt()
        normal = Normal(centred / deviation, deviation)
        return normal.values * self.weight + self.bias, normal

    def gradient(self, gradient: Tensor, normal: Normal) -> Tensor:
        """Return the gradient of the input."""
        found = gradient * self.weight
        along = (found * normal.values).mean(dim=-1, keepdim=True)
        return (found - found.mean(dim=-1, keepdim=True) - normal.values * along) / normal.deviation

    def lrp(self, gradient: Tensor, normal: Normal) -> Tensor:
        """Return the gradient of the input, the deviation taken for a constant.

        With the deviation as a function of the input, its relevance would be nothing.
        """
        found = gradient * self.weight
        return (found - found.mean(dim=-1, keepdim=True)) / normal.deviation
