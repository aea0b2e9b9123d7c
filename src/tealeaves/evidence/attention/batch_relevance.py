"""One batch through the network: what it says about each pair of occurrences, and its heads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.evidence.attention.batches import Entries
from tealeaves.evidence.attention.network.network import SMALLEST_LOGIT, Batch, Network
from tealeaves.evidence.attention.sample import SampledText

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Floats
    from tealeaves.evidence.attention.heads import FixedHeads

Tensor = Any
# if at most one of so many pairs of tokens is needed, single products are faster than all of them
_DENSE = 128


@dataclass(frozen=True, eq=False)
class BatchRelevance:
    """Numbers of each pair of occurrences (k), and of each text (s), of a batch.

    ``attention`` and ``lrp`` are by layer and head; ``improved`` is None if it was not computed.
    ``confidence`` and ``relevance`` are those of the heads in each text. A text that is
    ``undecided`` has no relevance.
    """

    entries: Entries
    attention: Floats
    lrp: Floats
    improved: Floats | None
    confidence: Floats
    relevance: Floats
    undecided: Bools

    def of_heads(self, fixed: FixedHeads) -> tuple[Floats, Floats]:
        """Return attention (mean over confident heads) and LRP (sum over important heads)."""
        layers = np.arange(len(fixed.confident))
        attention = self.attention[:, layers, fixed.confident].mean(axis=1)
        return attention, self.lrp[:, fixed.important].sum(axis=1)


def batch_relevance(
    network: Network, batch: Batch, texts: Sequence[SampledText], *, improved: bool
) -> BatchRelevance:
    """Compute a batch, and take the numbers of the pairs of its texts."""
    trace = network.forward(batch)
    entries = Entries.of(texts)
    total = trace.answer.total
    cells = _Cells(entries, total)
    undecided = total.abs() < SMALLEST_LOGIT
    scale = _zero_where(undecided, 1 / total.abs())
    lrp = np.empty((len(entries.key), network.layers, network.heads))
    relevance = np.empty((len(texts), network.layers, network.heads))
    for number, gradient in network.lrp(trace):
        kept = trace.layers[number].attended
        flow = cells.flow(kept.weights, gradient, kept.value) * scale[cells.b, None]
        lrp[:, number] = cells.sums(flow)
        heads = (kept.output * gradient).sum(dim=(2, 3)) * scale[:, None]
        relevance[:, number] = _numpy(heads)
    return BatchRelevance(
        entries,
        np.stack([cells.means(weights) for weights in trace.attention], axis=1),
        lrp,
        cells.means(network.rollout(trace).unsqueeze(1))[:, 0] if improved else None,
        np.stack([_confidence(weights, batch.shown) for weights in trace.attention], axis=1),
        relevance,
        _numpy(undecided).astype(np.bool_),
    )


class _Cells:
    """Takes the numbers of the entries out of matrices of tokens by tokens."""

    def __init__(self, entries: Entries, like: Tensor) -> None:
        import torch

        self._entries = entries
        self.b, self._i, self._j, self._pair = (
            torch.from_numpy(array).to(like.device)
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

    def means(self, weights: Tensor) -> Floats:
        """Return attention between words, by heads.

        It is summed over the pieces attended to, and is the mean over the pieces that attend, so
        that a word pays 1 in all.
        """
        return self.sums(weights[self.b, :, self._i, self._j] * self._share[:, None])

    def sums(self, values: Tensor) -> Floats:
        """Sum the entries of each pair of words."""
        if not self._entries.is_plain:
            zeros = values.new_zeros((len(self._entries.key), values.shape[1]))
            values = zeros.index_add(0, self._pair, values)
        return _numpy(values)


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
