"""Strings of letters that occur in several texts, length by length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.compiling.arrays import I64


def repeated_strings(
    letters: I64, owners: I64, ends: I64, longest: int
) -> Iterator[tuple[I64, I64]]:
    """Yield for each length where strings of several texts begin, and numbers that tell them apart.

    A string of one text only is left out, and so is all that contains it: strings of n + 1 letters
    are looked for where there was one of n. The first length without any ends it.

    Parameters
    ----------
    letters
        The letters of all texts, one after the other, as numbers.
    owners
        The text that each letter is of, in ascending order.
    ends
        Where each text ends.
    longest
        The length to stop at.

    >>> letters, owners = np.array([0, 1, 2, 1, 2]), np.array([0, 0, 0, 1, 1])
    >>> found = repeated_strings(letters, owners, np.array([3, 5]), 2_000_000_000)
    >>> [(at.tolist(), ids.tolist()) for at, ids in found]
    [([1, 2, 3, 4], [0, 1, 0, 1]), ([1, 3], [0, 0])]
    """
    size = int(letters.max(initial=0)) + 1
    at, ids = np.arange(len(letters)), letters
    for length in range(1, longest + 1):
        if length > 1:
            room = at + length <= ends[owners[at]]
            at, ids = at[room], ids[room]
            ids = np.unique(ids * size + letters[at + length - 1], return_inverse=True)[1]
        several = _in_several(ids, owners[at])
        held = several[ids]
        at, ids = at[held], (np.cumsum(several) - 1)[ids[held]]
        if not len(at):
            return
        yield at, ids


def _in_several(ids: I64, owners: I64) -> NDArray[np.bool_]:
    """Say of each string whether it occurs in more than one text."""
    first, last = np.zeros((2, int(ids.max(initial=-1)) + 1), np.int64)
    # texts come in ascending order, and what is written last stays
    last[ids] = owners
    first[ids[::-1]] = owners[::-1]
    several: NDArray[np.bool_] = first != last
    return several
