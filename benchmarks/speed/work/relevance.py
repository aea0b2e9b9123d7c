"""Follow 32 texts through MiniLM, or score from stored relevance; prints results and seconds.

Run in the environment of vectors: ``python -m benchmarks.speed.work.relevance lrp``, ``...
improved`` or ``... both`` (in one pass), and ``... lrp exact`` or ``... improved exact`` for
results that are compared; ``... score FILE`` and ``... load FILE`` for stored relevance, made anew
in that file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.speed.clock import Clock

FIVE = "attention_sum lrp_sum improved_lrp_sum relevance_count cooccurrence"
_AT_ONCE = 8  # texts of 128 word pieces that a gathering takes together
_REPEATS = 3
Work = Callable[[], list[float]]


def following(*, lrp: bool, improved: bool, exact: bool = False) -> Work:
    """Return the work of the network, forward and back."""
    import torch

    from benchmarks.speed.made_up import read_encoder
    from tealeaves.evidence.attention.network.head import Dense, Head
    from tealeaves.evidence.attention.network.network import Batch, Network

    model, weight, pieces = read_encoder(exact=exact)
    # compared is the published rule, timed the one that is taken
    network = Network(model, Head("mean", (Dense(weight),)), "chefer" if exact else "sizes")
    batches = [Batch(part, torch.ones_like(part)) for part in pieces.split(_AT_ONCE)]

    def work() -> list[float]:
        shares, rolled = [], []
        for batch in batches:
            trace = network.forward(batch)
            if lrp:
                shares.append(_shares(network, trace))
            if improved:
                rolled.append(network.rollout(trace))
        means = torch.cat(shares).mean(dim=0).flatten().tolist() if lrp else []
        return means + (off_diagonal(torch.cat(rolled)) if improved else [])

    return work


def _shares(network: Any, trace: Any) -> Any:
    """Return the share of each head in the logit: texts × layers × heads."""
    import torch

    shares: list[Any] = [None] * network.layers
    for number, gradient in network.lrp(trace):
        shares[number] = (trace.layers[number].attended.output * gradient).sum(dim=(2, 3))
    return torch.stack(shares, dim=1) / trace.answer.total[:, None, None]


def off_diagonal(matrices: Any) -> list[float]:
    """Return the logarithm of what each text has beside the diagonal.

    It is small and differs much from text to text: differences of logarithms are relative.
    """
    beside = matrices.double()
    beside.diagonal(dim1=1, dim2=2).zero_()
    logarithms: list[float] = beside.sum(dim=(1, 2)).log().tolist()
    return logarithms


def scoring(path: Path) -> Work:
    """Return the scoring of all models by five metrics, once relevance is read."""
    from benchmarks.speed.made_up_relevance import make_topics
    from tealeaves import score

    relevance, topics = _stored(path)(), make_topics()
    return lambda: [row.value for row in score(topics, None, FIVE, relevance=relevance).models]


def loading(path: Path) -> Work:
    """Return the reading of stored relevance."""
    read = _stored(path)
    return lambda: read().sums.sum(axis=0).tolist()


def _stored(path: Path) -> Callable[[], Any]:
    from benchmarks.speed.made_up_relevance import make_relevance
    from tealeaves.evidence.attention import Relevance

    make_relevance().save(path)
    return lambda: Relevance.load(path)


def main() -> None:
    """Time it once everything is loaded and was done before."""
    how, *rest = sys.argv[1:]
    if how in ("score", "load"):
        work = {"score": scoring, "load": loading}[how](Path(rest[0]))
    else:
        work = following(lrp=how != "improved", improved=how != "lrp", exact=bool(rest))
    values, clock = work(), Clock()
    for _ in range(0 if "exact" in rest else _REPEATS):
        clock(work)
    clock.report(values)


if __name__ == "__main__":
    main()
