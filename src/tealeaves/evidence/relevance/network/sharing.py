"""How relevance is shared out where contributions have signs: by their sizes, or by themselves.

Chefer et al. (2021) divide by sums and products whose parts may cancel out. There shares are large
and of both signs, and change by half when a weight changes in its seventh digit: what single
precision leaves of them is chance. By sizes, no share is negative or larger than the whole.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from tealeaves.evidence.relevance.network.linear import ratio

Tensor = Any
#: ``sizes`` is stable; ``chefer`` is the published rule, for double precision.
RuleName = Literal["sizes", "chefer"]


class Rules(NamedTuple):
    """Whether the parts of sums and products share by their sizes, and what inputs of linear layers
    get for all that they contribute, of what they get for what they add.
    """

    by_size: bool
    least: float

    def of_sum(self, relevance: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
        """Share out the relevance of a sum, text by text."""
        if not self.by_size:
            return _by_sign(relevance, a, b)
        one, other = a.abs(), b.abs()
        s = ratio(relevance, one + other)
        return one * s, other * s


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
        part * ratio(ratio(one.abs(), size) * whole, one)
        for part, one in zip(parts, sums, strict=True)
    )
    return first, second
