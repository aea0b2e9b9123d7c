"""The floor: read a file and sum its bytes, the least that any counting has to do.

Run in our environment: ``python -m benchmarks.speed.work.floor FILE``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from benchmarks.speed.clock import Clock

_PIECE = 1 << 20  # a buffer that stays in the processor's cache, so the sum finds its bytes there


def total(path: Path) -> int:
    """Read in pieces into one buffer; of the simple ways the fastest."""
    buffer = np.empty(_PIECE, dtype=np.uint8)
    amount = 0
    with path.open("rb", buffering=0) as stream:
        while size := stream.readinto(buffer.data):
            amount += int(buffer[:size].sum(dtype=np.uint64))
    return amount


if __name__ == "__main__":
    clock = Clock()
    clock(lambda: total(Path(sys.argv[1])))
    clock.report([])
