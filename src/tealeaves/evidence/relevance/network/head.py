"""Heads: what stands between the last layer of a transformer and its answer."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

Pooling = Literal["cls", "mean", "masked"]
#: Functions that a head may use, by the names that they have in settings of models.
Function = Literal["", "tanh", "gelu", "relu"]


class Scaling(NamedTuple):
    """The weights of a layer normalisation: tensors of as many numbers as there are neurons."""

    weight: Any
    bias: Any
    eps: float


class Dense(NamedTuple):
    """A linear layer, the function that follows it, and a layer normalisation after that.

    ``weight`` is a tensor of outputs by inputs, as torch has it; ``bias`` is a tensor or None.
    """

    weight: Any
    bias: Any = None
    function: Function = ""
    norm: Scaling | None = None


class Head(NamedTuple):
    """What is taken of the last layer, and the linear layers that make the answer of it.

    ``cls`` takes the first token, ``mean`` the mean over all tokens of the text, its ends too;
    ``masked`` takes each masked token, for which the answer is the word that was there.
    """

    pooling: Pooling
    steps: tuple[Dense, ...]
