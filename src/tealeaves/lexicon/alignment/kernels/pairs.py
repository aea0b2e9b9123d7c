"""The pairs of words in the cells of a bitext: their numbers, and sums over them.

The cells of a passage are its pairs of a source and a target token: first those of the first source
token with each target token, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.kernels import Arguments, kernel

if TYPE_CHECKING:
    from tealeaves.kernels import F32, F64, I32, I64


@dataclass(frozen=True, eq=False)
class TokenCells(Arguments):
    """The tokens of a bitext and their cells.

    ``rows`` has the passage of each source token, ``source`` its word, ``firsts`` its first cell.
    ``target`` has the word of each target token; ``target_starts`` is where those of a passage
    begin.
    """

    rows: I32
    source: I32
    target_starts: I64
    target: I32
    firsts: I64


@kernel
def number_pairs(order: I64, tokens: TokenCells, last_pairs: I32, cells: I32) -> int:
    """Write the number of the pair of words in each cell; return how many pairs there are.

    ``order`` has the source tokens sorted by word. ``last_pairs`` has two numbers for each target
    word, side by side in memory: the last source word that was paired with it, at first -1, and the
    number of that pair.
    """
    pairs = 0
    for token in order:
        word, row, cell = tokens.source[token], tokens.rows[token], tokens.firsts[token]
        for place in range(tokens.target_starts[row], tokens.target_starts[row + 1]):
            other = 2 * tokens.target[place]
            if last_pairs[other] != word:
                last_pairs[other] = word
                last_pairs[other + 1] = pairs
                pairs += 1
            cells[cell] = last_pairs[other + 1]
            cell += 1
    return pairs


@kernel
def name_pairs(tokens: TokenCells, cells: I32, pair_source: I32, pair_target: I32) -> None:
    """Write the two words of each pair."""
    for token, word in enumerate(tokens.source):
        row, cell = tokens.rows[token], tokens.firsts[token]
        for place in range(tokens.target_starts[row], tokens.target_starts[row + 1]):
            pair_source[cells[cell]] = word
            pair_target[cells[cell]] = tokens.target[place]
            cell += 1


@kernel
def add_cells(cells: I32, values: F32, sums: F64) -> None:
    """Add the value of each cell to that of its pair."""
    for cell in range(len(cells)):
        sums[cells[cell]] += values[cell]


@kernel
def spread_pairs(cells: I32, values: F32, sums: F32) -> None:
    """Add the value of each pair to its cells."""
    for cell in range(len(cells)):
        sums[cell] += values[cells[cell]]


@kernel
def add_margins(
    tokens: TokenCells, forward: F32, backward: F32, targets: F64, sources: F64
) -> None:
    """Sum the links of each token: of target tokens forward, of source tokens backward."""
    for token, row in enumerate(tokens.rows):
        cell = tokens.firsts[token]
        for place in range(tokens.target_starts[row], tokens.target_starts[row + 1]):
            targets[place] += forward[cell]
            sources[token] += backward[cell]
            cell += 1
