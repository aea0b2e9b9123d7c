"""Linear layers, normalisation and activation, and how relevance passes through them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

from tealeaves.errors import InputError

Tensor = Any


class Linear:
    """``y = W x + b``; the weight is a tensor of outputs × inputs, the bias may be None."""

    def __init__(self, weight: Tensor, bias: Tensor = None) -> None:
        self.weight = weight.detach()
        self.bias = None if bias is None else bias.detach()

    def forward(self, x: Tensor) -> Tensor:
        """Return the outputs."""
        import torch

        return torch.nn.functional.linear(x, self.weight, self.bias)

    def back(self, gradient: Tensor) -> Tensor:
        """Return the gradient of the inputs, which is that of LRP too: the layer is linear.

        The bias keeps the share of the relevance that it has in the output.
        """
        return gradient @ self.weight

    def share(self, x: Tensor, y: Tensor, relevance: Tensor, least: float = 0.0) -> Tensor:
        """Share out relevance by the z+ rule of deep Taylor decomposition (Chefer et al. 2021).

        An input gets relevance for what it adds to an output, of either sign of its own: x⁺w⁺ and
        x⁻w⁻, whose sum over the inputs is z = (x·w + |x|·|w|) / 2. So the known outputs save one
        product of matrices, and two more are done in one. ``least`` of |x||w| is added to that of
        each input, so that no relevance is lost where no input adds anything.
        """
        size = x.abs()
        whole = size @ self._absolute.T
        plain = y if self.bias is None else y - self.bias
        z = plain / 2 + whole * (0.5 + least)
        s = (relevance / z).masked_fill_(self._is_zero(z, whole), 0)
        signed, unsigned = (s @ self._both).split(x.shape[-1], dim=-1)
        return x * signed / 2 + size * unsigned * (0.5 + least)

    def _is_zero(self, z: Tensor, whole: Tensor) -> Tensor:
        """Tell where no input adds anything, except by rounding."""
        import torch

        most = whole if self.bias is None else whole + self.bias.abs()
        rounding = torch.finfo(z.dtype).eps * self.weight.shape[1] ** 0.5
        return z <= most * (4 * rounding)

    @property
    def _absolute(self) -> Tensor:
        return self._both[:, self.weight.shape[1] :]

    @cached_property
    def _both(self) -> Tensor:
        import torch

        return torch.cat([self.weight, self.weight.abs()], dim=1)


class NormTrace(NamedTuple):
    """What is kept of a forward pass: the input at mean 0 and variance 1, and what divided it."""

    values: Tensor
    deviation: Tensor


class Norm:
    """Mean 0 and variance 1 over the neurons of each token, then a weight and a bias of each."""

    def __init__(self, weight: Tensor, bias: Tensor, eps: float) -> None:
        self.weight = weight.detach()
        self.bias = bias.detach()
        self._eps = eps

    def forward(self, x: Tensor) -> tuple[Tensor, NormTrace]:
        """Return the output, and what is kept."""
        centred = x - x.mean(dim=-1, keepdim=True)
        deviation = (centred.square().mean(dim=-1, keepdim=True) + self._eps).sqrt()
        kept = NormTrace(centred / deviation, deviation)
        return kept.values * self.weight + self.bias, kept

    def gradient(self, gradient: Tensor, kept: NormTrace) -> Tensor:
        """Return the gradient of the input."""
        scaled = gradient * self.weight
        along = (scaled * kept.values).mean(dim=-1, keepdim=True)
        return (scaled - scaled.mean(dim=-1, keepdim=True) - kept.values * along) / kept.deviation

    def lrp(self, gradient: Tensor, kept: NormTrace) -> Tensor:
        """Return the gradient of the input, with the deviation as a constant.

        With the deviation as a function of the input, its relevance would be 0.
        """
        scaled = gradient * self.weight
        return (scaled - scaled.mean(dim=-1, keepdim=True)) / kept.deviation


class Activation:
    """A function that is applied to each neuron, by the name that it has in settings of models."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._function = _function(name)

    def forward(self, x: Tensor) -> Tensor:
        """Apply the function."""
        return self._function(x)

    def slope(self, x: Tensor) -> Tensor:
        """Return the derivative."""
        import torch

        with torch.enable_grad():
            start = x.detach().requires_grad_()
            [slope] = torch.autograd.grad(self._function(start).sum(), start)
        return slope

    def ratio(self, x: Tensor, y: Tensor) -> Tensor:
        """Return y / x, which makes the function linear: relevance passes unchanged."""
        return (y / x).nan_to_num_(0.0, 0.0, 0.0)  # if x is 0, its relevance is 0


def _function(name: str) -> Callable[[Tensor], Tensor]:
    import torch
    from torch.nn import functional

    def approximate(x: Tensor) -> Tensor:
        return functional.gelu(x, approximate="tanh")

    known: dict[str, Callable[[Tensor], Tensor]] = {
        "gelu": functional.gelu,
        "gelu_new": approximate,
        "gelu_pytorch_tanh": approximate,
        "relu": functional.relu,
        "silu": functional.silu,
        "swish": functional.silu,
        "tanh": torch.tanh,
    }
    if name not in known:
        raise InputError(f"how relevance passes through the function {name} is not known")
    return known[name]
