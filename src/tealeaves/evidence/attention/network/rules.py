"""Rules by which relevance is shared out among contributions of both signs.

Chefer et al. (2021) divide by sums and products whose parts may cancel out. Then shares are large
and of both signs, and change by half if a weight changes in its seventh digit, so that in single
precision they are random. Shared out by sizes, no share is negative or larger than the whole.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

Tensor = Any
#: ``sizes`` is stable; ``chefer`` is the published rule, for double precision.
RuleName = Literal["sizes", "chefer"]


class Rules(NamedTuple):
    """How relevance is shared out.

    ``by_size``: by the sizes of the parts of sums and products. ``least``: an input x of a linear
    layer with weight w gets relevance in proportion to x⁺w⁺ + x⁻w⁻ + least·|x||w|.
    """

    by_size: bool
    least: float

    def of_sum(self, relevance: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
        """Share out the relevance of a sum, text by text."""
        if not self.by_size:
            return _by_sign(relevance, a, b)
        sizes = a.abs(), b.abs()
        s = ratio(relevance, sizes[0] + sizes[1])
        return sizes[0] * s, sizes[1] * s


SIZES = Rules(by_size=True, least=1e-3)
CHEFER = Rules(by_size=False, least=0.0)
RULES: dict[RuleName, Rules] = {"sizes": SIZES, "chefer": CHEFER}


def _by_sign(relevance: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Share by what the two have in each neuron; then scale the two parts so that they have the
    whole in the ratio of their sizes, since shares of opposite signs grow without bound.
    """
    s = ratio(relevance, a + b)
    parts = (a * s, b * s)
    sums = [part.sum(dim=(1, 2), keepdim=True) for part in parts]
    whole = relevance.sum(dim=(1, 2), keepdim=True)
    size = sums[0].abs() + sums[1].abs()
    first, second = (
        part * ratio(ratio(total.abs(), size) * whole, total)
        for part, total in zip(parts, sums, strict=True)
    )
    return first, second


def ratio(relevance: Tensor, z: Tensor) -> Tensor:
    """Return relevance / z; 0 where z is 0."""
    import torch

    tiny = torch.finfo(z.dtype).tiny ** 0.5
    return (relevance / z).masked_fill_(z.abs() <= tiny, 0)
