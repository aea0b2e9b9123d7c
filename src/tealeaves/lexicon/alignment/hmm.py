"""Our own aligner: IBM model 1, then a hidden Markov model, both directions trained to agree.

Each direction explains the words of one side by those of the other. A step computes how probable
each link is (``kernels/posteriors.py``), then counts words and jumps by these probabilities. From
the first step with jumps on, words are counted by the product of both directions: a link that only
one of them has hardly counts (Liang, Taskar and Klein 2006, Alignment by agreement).

Words are seen in several views at once (``views.py``): the logarithms of their probabilities are
averaged, so that whole words decide where they are frequent, and beginnings where they are not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import InputError
from tealeaves.jobs import Advance
from tealeaves.kernels import check_steps
from tealeaves.lexicon.alignment.kernels.pairs import add_cells, add_margins, spread_pairs
from tealeaves.lexicon.alignment.kernels.posteriors import (
    Direction,
    PassageStarts,
    expect,
    work_size,
)
from tealeaves.lexicon.alignment.links import Links
from tealeaves.lexicon.alignment.symmetrization import TwoWay
from tealeaves.lexicon.alignment.views import LENGTHS, TokenGrid, WordView, beginnings, endings
from tealeaves.lexicon.bitext import Bitext
from tealeaves.system import processors

if TYPE_CHECKING:
    from tealeaves.arrays import Bools
    from tealeaves.kernels import F32, F64, I32, I64

#: The most cells that are aligned; each needs about sixty bytes.
MOST_CELLS = 2**28
# The most words of a passage: memory and time grow with their square.
_MOST_WORDS = 3000
# The steps of Python's loops for a cell, where kernels are not compiled.
_STEPS = 2000

# Steps of training without and with jumps.
_WORD_STEPS, _JUMP_STEPS = 4, 5
# Views are compared on at most so many cells and passages, with so many steps of either kind.
_TRIAL_CELLS, _TRIAL_PASSAGES, _TRIAL_STEPS = 800_000, 2500, (3, 2)
# By how much both directions must agree better than with whole words.
_GAIN = 0.005

# Less probable links are dropped, but for the most probable one of each source token.
_LEAST = 0.01
# Links of one direction have at least this probability.
_SURE = 0.5

#: The probability that a word has no counterpart.
ALONE = 0.2
#: Jumps of this length and longer ones have the same probability.
REACH = 12
#: The lowest probability of a pair of words.
FLOOR = 1e-9
# Added to the count of each jump, so that none is impossible.
_JUMP_PRIOR = 0.1
# The weight, in tokens, of the overall frequencies in those of words without counterpart.
_ALONE_PRIOR = 10.0
# The work is split into so many parts, whatever the number of threads, so that sums are the same.
_PARTS = 32


@dataclass(frozen=True, eq=False)
class Posteriors(TwoWay):
    """The links of both directions that are likelier than not, and the probabilities of all links.

    ``mean`` has the links by the mean of both directions, improbable ones too; each source token
    has at least its most probable link.
    """

    mean: Links

    def likely(self) -> Links:
        """Return all links, with the mean of their probabilities in both directions."""
        return self.mean


def align_hmm(
    bitext: Bitext, *, threads: int | None = None, advance: Advance | None = None
) -> Posteriors:
    """Align the words of a bitext."""
    grid = TokenGrid(bitext.source.words, bitext.target.words)
    _check_size(bitext, grid)
    workers = threads or processors()
    done, steps = 0, len(LENGTHS) * 2 + 1 + _WORD_STEPS + _JUMP_STEPS

    def tick() -> None:
        nonlocal done
        done += 1
        if advance:
            advance(done, steps)

    views = [WordView.of(grid, numbers) for numbers in chosen_views(grid, workers, tick)]
    return _posteriors(grid, Trainer(grid, views, workers).train(advance=tick))


def _check_size(bitext: Bitext, grid: TokenGrid) -> None:
    """Raise if the passages need too much memory."""
    for side in (bitext.source, bitext.target):
        lengths = np.diff(side.words.starts)
        longest = int(lengths.argmax())
        if lengths[longest] > _MOST_WORDS:
            raise InputError(
                f"{side.label}: passage {side.keys[longest]!r} has {lengths[longest]} words, and "
                f"the aligner takes {_MOST_WORDS} at most: link verses or sentences, not whole "
                "texts"
            )
    cells = int(grid.starts[-1])
    if cells > MOST_CELLS:
        words = round((cells / len(bitext)) ** 0.5)
        raise InputError(
            f"{bitext.source.label} and {bitext.target.label}: passages of about {words:,} words "
            f"are too long to align so many ({len(bitext):,}); cut them into sentences or verses, "
            "or take fewer"
        )
    check_steps("alignment", cells * _STEPS)


def chosen_views(
    grid: TokenGrid, threads: int = 1, advance: Callable[[], None] = lambda: None
) -> Iterator[I32]:
    """Yield the numbers of the target words, then those of their beginnings and ends, if useful.

    Beginnings (or ends) are useful if both directions agree better than with whole words; the
    number of letters is the one with the best agreement. So it need not be known whether a language
    has prefixes or suffixes.
    """
    yield grid.target.numbers
    cells_per_passage = max(1, int(grid.starts[-1]) // max(1, len(grid.source)))
    sample = grid.sample(min(_TRIAL_PASSAGES, max(1, _TRIAL_CELLS // cells_per_passage)))

    def agreement(target: I32) -> float:
        view = WordView.of(sample, target)
        reached = Trainer(sample, [view], threads).train(*_TRIAL_STEPS).agreement
        advance()
        return reached

    whole = agreement(sample.target.numbers)
    for part in (beginnings, endings):
        best, letters = whole + _GAIN, 0
        for length in LENGTHS:
            reached = agreement(part(sample.target, length))
            if reached > best:
                best, letters = reached, length
        if letters:
            yield part(grid.target, letters)


def _posteriors(grid: TokenGrid, trained: Probabilities) -> Posteriors:
    firsts = grid.firsts
    mean = (trained.forward + trained.backward) * np.float32(0.5)
    lengths = np.diff(firsts)
    linked = lengths > 0
    best = np.maximum.reduceat(mean, firsts[:-1][linked])
    kept = (mean >= _LEAST) | (mean == np.repeat(best, lengths[linked]))
    return Posteriors(
        _links(firsts, trained.forward, trained.forward >= _SURE),
        _links(firsts, trained.backward, trained.backward >= _SURE),
        grid.source.starts,
        _links(firsts, mean, kept),
    )


def _links(firsts: I64, probabilities: F32, kept: Bools) -> Links:
    cells = np.flatnonzero(kept)
    tokens = np.searchsorted(firsts, cells, "right") - 1
    starts = np.searchsorted(cells, firsts).astype(np.int64)
    return Links(starts, (cells - firsts[tokens]).astype(np.int32), probabilities[cells])


# ---------------------------------------------------------------------- training


@dataclass(frozen=True, eq=False)
class Probabilities:
    """The probability that each cell is a link, in both directions."""

    forward: F32
    backward: F32

    @property
    def agreement(self) -> float:
        """How far both directions agree: the share of either's links that the other has too.

        The better an alignment, the higher it is; no known links are needed. NaN if there are no
        links.
        """
        # not np.dot, which sums in single precision
        both = float(np.einsum("i,i->", self.forward, self.backward, dtype=np.float64))
        either = float(self.forward.sum(dtype=np.float64) + self.backward.sum(dtype=np.float64))
        return 2 * both / either if either else math.nan


@dataclass(frozen=True, eq=False)
class _Parameters:
    """What the model knows before a step, in both directions.

    ``forward`` and ``backward`` are the log probabilities of the words in each cell, ``…_alone``
    the probabilities of words without counterpart, ``…_jumps`` the weights of jumps (none for IBM
    model 1).
    """

    forward: F32
    backward: F32
    forward_alone: F64
    backward_alone: F64
    forward_jumps: F64
    backward_jumps: F64


class Trainer:
    """Trains an aligner on a grid, in some views."""

    def __init__(self, grid: TokenGrid, views: Sequence[WordView], threads: int = 1) -> None:
        self.grid, self.views, self.threads = grid, views, threads
        self.starts = grid.starts

    def train(
        self,
        word_steps: int = _WORD_STEPS,
        jump_steps: int = _JUMP_STEPS,
        advance: Callable[[], None] = lambda: None,
    ) -> Probabilities:
        """Return how probable each link is, after some steps without and with jumps."""
        jumps = np.exp(-0.3 * np.abs(np.arange(-REACH, REACH + 1) - 1.0))
        parameters, none = self._uniform(), np.zeros(0)
        with ThreadPoolExecutor(self.threads) as pool:
            for step in range(word_steps + jump_steps):
                with_jumps = step >= word_steps
                if step == word_steps:
                    parameters = replace(parameters, forward_jumps=jumps, backward_jumps=jumps)
                links, counts = self._expect(pool, parameters)
                advance()
                if step + 1 < word_steps + jump_steps:
                    learned = [c / c.sum() for c in counts] if with_jumps else [none, none]
                    del parameters  # to free memory before the new ones are computed
                    parameters = self._learn(pool, links, agreeing=with_jumps, jumps=learned)
        return links

    def _uniform(self) -> _Parameters:
        cells, none = int(self.starts[-1]), np.zeros(0)
        return _Parameters(
            np.zeros(cells, np.float32), np.zeros(cells, np.float32),
            np.ones(len(self.grid.target.numbers)), np.ones(len(self.grid.source.numbers)),
            none, none,
        )  # fmt: skip

    def _expect(
        self, pool: ThreadPoolExecutor, parameters: _Parameters
    ) -> tuple[Probabilities, F64]:
        """Return the probabilities of links, and the counts of jumps in both directions."""
        cells = int(self.starts[-1])
        links = Probabilities(np.empty(cells, np.float32), np.empty(cells, np.float32))
        counts = np.zeros((len(self._parts), 2, len(parameters.forward_jumps)))

        def run(part: int) -> None:
            first, last = self._parts[part]
            source, target = self.grid.source.starts, self.grid.target.starts
            cells = slice(self.starts[first], self.starts[last])
            forward = Direction(
                parameters.forward[cells],
                parameters.forward_alone[target[first] : target[last]],
                parameters.forward_jumps,
                counts[part][0],
                links.forward[cells],
            )
            backward = Direction(
                parameters.backward[cells],
                parameters.backward_alone[source[first] : source[last]],
                parameters.backward_jumps,
                counts[part][1],
                links.backward[cells],
            )
            passages = PassageStarts(source[first : last + 1], target[first : last + 1])
            expect(ALONE, passages, forward, backward, np.empty(self._work_size))

        list(pool.map(run, range(len(self._parts))))
        return links, counts.sum(axis=0) + _JUMP_PRIOR

    def _learn(
        self, pool: ThreadPoolExecutor, links: Probabilities, *, agreeing: bool, jumps: list[F64]
    ) -> _Parameters:
        """Return the parameters that the links give."""
        forward, backward = links.forward, links.backward
        if agreeing:
            forward = backward = forward * backward
        alone = self._alone(forward, backward)
        weight = 1 / len(self.views)

        def learn_side(side: int) -> tuple[F32, F64]:
            weights = (forward, backward)[side]
            logs, null = np.zeros(len(weights), np.float32), np.zeros(len(alone[side]))
            for view in self.views:
                explaining = view.pair_target if side else view.pair_source
                shares = _log_shares(view.cells, explaining, weights) * np.float32(weight)
                spread_pairs(view.cells, shares, logs)
                explained = view.source if side else view.target
                null += weight * np.log(_alone_shares(explained, alone[side]))
            return logs, np.exp(null)

        (first, first_alone), (second, second_alone) = pool.map(learn_side, (0, 1))
        return _Parameters(first, second, first_alone, second_alone, *jumps)

    def _alone(self, forward: F32, backward: F32) -> tuple[F64, F64]:
        """Return how probable it is that each target and source token has no counterpart."""
        targets = np.zeros(len(self.grid.target.numbers))
        sources = np.zeros(len(self.grid.source.numbers))
        add_margins(self.grid.tokens(self.grid.target.numbers), forward, backward, targets, sources)
        return np.maximum(0.0, 1 - targets), np.maximum(0.0, 1 - sources)

    @cached_property
    def _parts(self) -> list[tuple[int, int]]:
        """The passages in parts of about equally many cells."""
        wanted = np.linspace(0, self.starts[-1], _PARTS + 1)
        bounds = np.unique(np.searchsorted(self.starts, wanted))
        return [(int(a), int(b)) for a, b in pairwise(bounds)]

    @cached_property
    def _work_size(self) -> int:
        sides = self.grid.source, self.grid.target
        return work_size(max(int(np.diff(side.starts).max(initial=0)) for side in sides), REACH)


def _log_shares(cells: I32, explaining: I32, links: F32) -> F32:
    """Return the logarithm of each pair's share in the links of the word that explains it."""
    sums = np.zeros(len(explaining))
    add_cells(cells, links, sums)
    totals = np.maximum(np.bincount(explaining, sums), np.finfo(np.float64).tiny)
    # in place, because there are many pairs
    sums /= totals[explaining]
    np.maximum(sums, FLOOR, out=sums)
    np.log(sums, out=sums)
    return sums.astype(np.float32)


def _alone_shares(words: I32, alone: F64) -> F64:
    """Return, for each token, the share of its word among words without counterpart."""
    counts = np.bincount(words, alone)
    usual = np.bincount(words) / len(words)
    shares: F64 = (counts + _ALONE_PRIOR * usual) / (counts.sum() + _ALONE_PRIOR)
    return shares[words]
