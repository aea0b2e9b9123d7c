"""Functions of single neurons, and how gradients and relevance pass through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tealeaves.errors import InputError

Tensor = Any


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
            given = x.detach().requires_grad_()
            [found] = torch.autograd.grad(self._function(given).sum(), given)
        return found

    def ratio(self, x: Tensor, y: Tensor) -> Tensor:
        """Return y / x, with which the function is taken for linear: relevance stays as it is."""
        return (y / x).nan_to_num_(0.0, 0.0, 0.0)  # where x is 0, so is its relevance


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
        raise InputError(f"relevance is not known to pass through the function {name}")
    return known[name]
