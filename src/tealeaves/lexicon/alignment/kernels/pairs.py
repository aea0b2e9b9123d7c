"""The pairs of words in the cells of a bitext: their numbers, and sums over them.

The cells of a passage are its pairs of a source and a target token: first those of the first source
token with each target token, and so on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.compiling.kernel import compiled

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F32, F64, I32, I64


@compiled
def number_pairs(
    order: I64,
    rows: I32,
    source: I32,
    target_starts: I64,
    target: I32,
    firsts: I64,
    seen: I32,
    slots: I32,
    cells: I32,
) -> int:
    """Write the number of the pair of words in each cell; return how many pairs there are.

    ``order`` has the source tokens sorted by word, ``firsts`` the first cell of each token. At the
    start, ``seen`` is -1 for each target word; then it has the last source word that was paired
    with it, and ``slots`` the number of that pair.
    """
    pairs = 0
    for token in order:
        word, row, cell = source[token], rows[token], firsts[token]
        for place in range(target_starts[row], target_starts[row + 1]):
            other = target[place]
            if seen[other] != word:
                seen[other] = word
                slots[other] = pairs
                pairs += 1
            cells[cell] = slots[other]
            cell += 1
    return pairs


@compiled
def name_pairs(
    rows: I32, source: I32, target_starts: I64, target: I32, firsts: I64,
    cells: I32, pair_source: I32, pair_target: I32,
) -> None:  # fmt: skip
    """Write the two words of each pair."""
    for token in range(len(source)):
        row, cell = rows[token], firsts[token]
        for place in range(target_starts[row], target_starts[row + 1]):
            pair_source[cells[cell]] = source[token]
            pair_target[cells[cell]] = target[place]
            cell += 1


@compiled
def add_cells(cells: I32, values: F32, sums: F64) -> None:
    """Add the value of each cell to that of its pair."""
    for cell in range(len(cells)):
        sums[cells[cell]] += values[cell]


@compiled
def spread_pairs(cells: I32, values: F32, sums: F32) -> None:
    """Add the value of each pair to its cells."""
    for cell in range(len(cells)):
        sums[cell] += values[cells[cell]]


@compiled
def add_margins(
    rows: I32, target_starts: I64, firsts: I64,
    forward: F32, backward: F32, targets: F64, sources: F64,
) -> None:  # fmt: skip
    """Sum the links of each token: of target tokens forward, of source tokens backward."""
    for token in range(len(rows)):
        row, cell = rows[token], firsts[token]
        for place in range(target_starts[row], target_starts[row + 1]):
            targets[place] += forward[cell]
            sources[token] += backward[cell]
            cell += 1
