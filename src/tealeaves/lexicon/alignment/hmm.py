"""The own aligner: IBM model 1 and a hidden Markov model, both directions trained to agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import InputError
from tealeaves.jobs import processors
from tealeaves.lexicon.advancing import Advance
from tealeaves.lexicon.alignment.links import Links
from tealeaves.lexicon.alignment.training import Probabilities, Trainer
from tealeaves.lexicon.alignment.two_way import TwoWay
from tealeaves.lexicon.alignment.views import LENGTHS, Grid, View, beginnings, endings
from tealeaves.lexicon.bitext import Bitext

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F32, I32

#: so many cells, each of which takes some sixty bytes, are aligned at most
MOST = 2**28

_BY_WORDS, _BY_JUMPS = 4, 5
# views are tried on so many cells at most, and so many passages, with so many steps of either kind
_TRIED, _PASSAGES, _TRIES = 800_000, 2500, (3, 2)
# by how much both directions must agree better than with whole words
_BETTER = 0.005
# links less likely than this are dropped, but for the likeliest of each source token
_LEAST = 0.01
_SURE = 0.5
# the words of a passage: room and time grow with their square
_LONGEST = 3000


@dataclass(frozen=True, eq=False)
class Posteriors(TwoWay):
    """The links of both directions that are likelier than not, and the likelihoods of all.

    ``mean`` are the links of the mean of both directions, the unlikely ones too; each source token
    has at least one, the likeliest.
    """

    mean: Links

    def likely(self) -> Links:
        """Return all links, with the mean of their probabilities in both directions."""
        return self.mean


def align_hmm(
    bitext: Bitext, *, threads: int | None = None, advance: Advance | None = None
) -> Posteriors:
    """Align the words of a bitext."""
    _check_lengths(bitext)
    number = threads or processors()
    grid = Grid(bitext.source.words, bitext.target.words)
    _check_size(bitext, grid)
    steps = len(LENGTHS) * 2 + 1 + _BY_WORDS + _BY_JUMPS
    tick = _ticking(steps, advance)
    views = [View.of(grid, numbers) for numbers in chosen_views(grid, number, tick)]
    found = Trainer(grid, views, number).train(_BY_WORDS, _BY_JUMPS, tick)
    return _posteriors(grid, found)


def chosen_views(
    grid: Grid, threads: int = 1, advance: Callable[[], None] = lambda: None
) -> Iterator[I32]:
    """Yield the target words as they are, then by beginnings and ends, if that serves.

    It serves where both directions agree better than with whole words; how many letters are taken
    is decided by that too. Prefixing and suffixing languages need not be told apart by anybody.
    """
    yield grid.target.numbers
    usual = max(1, int(grid.starts[-1]) // max(1, len(grid.source)))
    some = grid.some(min(_PASSAGES, max(1, _TRIED // usual)))
    whole = _agreement(some, some.target.numbers, threads)
    advance()
    for part in (beginnings, endings):
        best, letters = whole + _BETTER, 0
        for length in LENGTHS:
            agreed = _agreement(some, part(some.target, length), threads)
            advance()
            if agreed > best:
                best, letters = agreed, length
        if letters:
            yield part(grid.target, letters)


def _check_lengths(bitext: Bitext) -> None:
    """Refuse passages so long that a pair of them alone would fill the memory."""
    for side in (bitext.source, bitext.target):
        lengths = np.diff(side.words.starts)
        longest = int(lengths.argmax())
        if lengths[longest] > _LONGEST:
            raise InputError(
                f"{side.name or side.language}: passage {side.keys[longest]!r} has "
                f"{lengths[longest]} words, and the aligner takes {_LONGEST} at most: link "
                "verses or sentences, not whole texts"
            )


def _agreement(grid: Grid, target: I32, threads: int) -> float:
    return Trainer(grid, [View.of(grid, target)], threads).train(*_TRIES).agreement


def _check_size(bitext: Bitext, grid: Grid) -> None:
    cells = int(grid.starts[-1])
    if cells > MOST:
        one, other = (side.name or side.language for side in (bitext.source, bitext.target))
        words = round((cells / len(bitext)) ** 0.5)
        raise InputError(
            f"{one} and {other}: passages of about {words:,} words are too long to align so many "
            f"({len(bitext):,}); cut them into sentences or verses, or take fewer"
        )


def _ticking(steps: int, advance: Advance | None) -> Callable[[], None]:
    done = 0

    def tick() -> None:
        nonlocal done
        done += 1
        if advance:
            advance(done, steps)

    return tick


def _posteriors(grid: Grid, found: Probabilities) -> Posteriors:
    firsts = grid.firsts
    mean = (found.forward + found.backward) * np.float32(0.5)
    lengths = np.diff(firsts)
    linked = lengths > 0
    best = np.maximum.reduceat(mean, firsts[:-1][linked])
    kept = (mean >= _LEAST) | (mean == np.repeat(best, lengths[linked]))
    return Posteriors(
        _links(grid, found.forward, found.forward >= _SURE),
        _links(grid, found.backward, found.backward >= _SURE),
        grid.source.starts,
        _links(grid, mean, kept),
    )


def _links(grid: Grid, probabilities: F32, kept: np.ndarray) -> Links:
    firsts = grid.firsts
    cells = np.flatnonzero(kept)
    tokens = np.searchsorted(firsts, cells, "right") - 1
    starts = np.searchsorted(cells, firsts).astype(np.int64)
    return Links(starts, (cells - firsts[tokens]).astype(np.int32), probabilities[cells])
