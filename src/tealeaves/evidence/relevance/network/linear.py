"""Linear layers, and how gradients and relevance pass through them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

Tensor = Any


class Linear:
    """``y = W x + b``.

    Parameters
    ----------
    weight
        Outputs by inputs.
    bias
        Of the outputs, or None.
    """

    def __init__(self, weight: Tensor, bias: Tensor = None) -> None:
        self.weight = weight.detach()
        self.bias = None if bias is None else bias.detach()

    def forward(self, x: Tensor) -> Tensor:
        """Return the outputs."""
        import torch

        return torch.nn.functional.linear(x, self.weight, self.bias)

    def back(self, gradient: Tensor) -> Tensor:
        """Return the gradient of the inputs, which is that of LRP too: nothing is to be linearised.

        The bias keeps the share of the relevance that it has in the output.
        """
        return gradient @ self.weight

    def share(self, x: Tensor, y: Tensor, relevance: Tensor, least: float = 0.0) -> Tensor:
        """Share out relevance by the z+ rule of deep Taylor decomposition (Chefer et al. 2021).

        An input gets relevance for what it adds to an output, of either sign of its own: x⁺w⁺ and
        x⁻w⁻, whose sum over the inputs is z = (x·w + |x|·|w|) / 2. So the outputs at hand save one
        product of matrices, and two more are done in one. ``least`` of |x||w| is added to that of
        each input, so that no relevance is lost where no input adds anything.
        """
        size = x.abs()
        whole = size @ self._absolute.T
        plain = y if self.bias is None else y - self.bias
        z = plain / 2 + whole * (0.5 + least)
        s = (relevance / z).masked_fill_(self._nothing(z, whole), 0)
        signed, unsigned = (s @ self._both).split(x.shape[-1], dim=-1)
        return x * signed / 2 + size * unsigned * (0.5 + least)

    def _nothing(self, z: Tensor, whole: Tensor) -> Tensor:
        """Tell where no input adds anything, but for rounding."""
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


def ratio(relevance: Tensor, z: Tensor) -> Tensor:
    """Divide relevance by what it is shared by; where that is nothing, so is the share."""
    import torch

    tiny = torch.finfo(z.dtype).tiny ** 0.5
    return (relevance / z).masked_fill_(z.abs() <= tiny, 0)
