"""One batch through the network: what it says of each pair of occurrences, and of its heads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.evidence.relevance.batches import Entries, entries_of
from tealeaves.evidence.relevance.network.network import Batch, Network, Trace
from tealeaves.evidence.relevance.sampling import Chosen

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Floats

Tensor = Any
#: Below this size, a logit is too near to nothing for its parts to be shares of it.
NOTHING = 1e-6
_DENSE = 128  # of so many pairs of tokens one is asked for: then all products are sooner made


@dataclass(frozen=True, eq=False)
class Run:
    """What a batch said: of each pair of occurrences (k), and of each text (s).

    ``attention`` and ``lrp`` are by layer and head; ``improved`` is None where it was not asked
    for. ``confidence`` and ``relevance`` are those of the heads in each text. A text that is
    ``undecided`` has no relevance.
    """

    entries: Entries
    attention: Floats
    lrp: Floats
    improved: Floats | None
    confidence: Floats
    relevance: Floats
    undecided: Bools


def run(network: Network, batch: Batch, texts: Sequence[Chosen], *, improved: bool) -> Run:
    """Let a batch through, and look at the pairs of its texts."""
    trace = network.forward(batch)
    entries = entries_of(texts)
    total = trace.answer.total
    look = _Looking(entries, total)
    undecided = total.abs() < NOTHING
    scale = _zero_where(undecided, 1 / total.abs())
    shape = (len(entries.key), network.layers, network.heads)
    lrp = np.empty(shape)
    relevance = np.empty((len(texts), network.layers, network.heads))
    for number, gradient in network.lrp(trace):
        kept = trace.layers[number].attended
        flow = look.flow(kept.weights, gradient, kept.value) * scale[look.b, None]
        lrp[:, number] = look.summed(flow)
        heads = (kept.output * gradient).sum(dim=(2, 3)) * scale[:, None]
        relevance[:, number] = _numpy(heads)
    return Run(
        entries,
        np.stack([look.meant(weights) for weights in trace.attention], axis=1),
        lrp,
        _improved(network, trace, look) if improved else None,
        np.stack([_confidence(weights, batch.shown) for weights in trace.attention], axis=1),
        relevance,
        _numpy(undecided).astype(np.bool_),
    )


class _Looking:
    """Takes the numbers of the entries out of matrices of tokens by tokens."""

    def __init__(self, entries: Entries, like: Tensor) -> None:
        import torch

        device = like.device

        self._entries = entries
        self.b, self._i, self._j, self._pair = (
            torch.from_numpy(array).to(device)
            for array in (entries.b, entries.i, entries.j, entries.pair)
        )
        self._share = torch.from_numpy(entries.share).to(like)  # some GPUs have no float64

    def flow(self, weights: Tensor, gradient: Tensor, value: Tensor) -> Tensor:
        """Return the relevance that flows from i to j, A_ij (dO_i · V_j), entries by heads."""
        b, i, j = self.b, self._i, self._j
        cells = weights.shape[0] * weights.shape[2] * weights.shape[3]
        if cells <= _DENSE * len(b):
            products = (gradient @ value.transpose(-1, -2))[b, :, i, j]
        else:
            products = (gradient[b, :, i] * value[b, :, j]).sum(dim=-1)
        return weights[b, :, i, j] * products

    def meant(self, weights: Tensor) -> Floats:
        """Return attention between words: summed over the pieces attended to, the mean over those
        that attend, so that what a word pays is 1 in all.
        """
        found = weights[self.b, :, self._i, self._j] if weights.dim() == 4 else None
        if found is None:
            found = weights[self.b, self._i, self._j].unsqueeze(-1)
        return self.summed(found * self._share[:, None])

    def summed(self, values: Tensor) -> Floats:
        """Sum the entries of each pair of words."""
        if not self._entries.is_plain:
            whole = values.new_zeros((len(self._entries.key), values.shape[1]))
            values = whole.index_add(0, self._pair, values)
        return _numpy(values)


def _improved(network: Network, trace: Trace, look: _Looking) -> Floats:
    return look.meant(network.rollout(trace))[:, 0]


def _confidence(weights: Tensor, shown: Tensor) -> Floats:
    """Return how confident each head is: the mean of the largest attention that tokens pay.

    The end of the text is left out among the tokens attended to (Voita et al. 2019).
    """
    last = shown.sum(dim=1) - 1
    seen = shown.clone().scatter_(1, last[:, None], 0).to(weights.dtype)
    largest = (weights * seen[:, None, None, :]).amax(dim=-1)
    rows = shown.to(weights.dtype)[:, None, :]
    return _numpy((largest * rows).sum(dim=-1) / rows.sum(dim=-1))


def _zero_where(condition: Tensor, values: Tensor) -> Tensor:
    import torch

    return torch.where(condition, torch.zeros_like(values), values)


def _numpy(values: Tensor) -> Floats:
    return np.asarray(values.cpu().double().numpy())
