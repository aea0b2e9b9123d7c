"""Training the own aligner: what is known of words and jumps, from both directions at once.

Each direction explains the words of one side by those of the other. A step asks how likely each
link is (``kernels/expecting.py``), then counts words and jumps by these probabilities. From the
first step with jumps on, words are counted by the product of both directions: what only one of
them believes is hardly learned from (Liang, Taskar and Klein 2006, Alignment by agreement).

Words are seen in several views at once (``views.py``): the logarithms of their probabilities are
averaged, so that whole words decide where they are frequent, and beginnings where they are not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.alignment.kernels.expecting import expect
from tealeaves.lexicon.alignment.kernels.pairing import add_cells, add_margins, spread_pairs
from tealeaves.lexicon.alignment.views import Grid, View

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F32, F64, I64

#: the probability that a word has no counterpart
ALONE = 0.2
#: jumps farther than this are all alike
REACH = 12
#: a pair of words is never less likely than this
FLOOR = 1e-9
# so many of each jump are taken for granted, so that none is impossible
_SOME = 0.1
# how many tokens like all others a word without counterpart is believed to be
_PRIOR = 10.0
# passages are shared out in so many parts whatever the number of threads, so that sums are the same
_PARTS = 32


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What is believed before a step: of each cell, of each token alone, and of jumps."""

    forward: F32
    backward: F32
    forward_alone: F64
    backward_alone: F64
    forward_jumps: F64
    backward_jumps: F64


@dataclass(frozen=True, eq=False)
class Probabilities:
    """How likely each cell is a link, in both directions."""

    forward: F32
    backward: F32

    @property
    def agreement(self) -> float:
        """How far both directions agree: the share of either's links that the other has too.

        It is higher the better an alignment is, and needs nobody's links to compare with. It is
        NaN where there are no links.
        """
        # not np.dot, which adds up in single precision
        both = float(np.einsum("i,i->", self.forward, self.backward, dtype=np.float64))
        either = float(self.forward.sum(dtype=np.float64) + self.backward.sum(dtype=np.float64))
        return 2 * both / either if either else math.nan


class Trainer:
    """Trains an aligner on a grid, in some views."""

    def __init__(self, grid: Grid, views: Sequence[View], threads: int = 1) -> None:
        self.grid, self.views, self.threads = grid, views, threads
        self.starts, self.firsts = grid.starts, grid.firsts

    def train(
        self, by_words: int = 4, by_jumps: int = 5, advance: Callable[[], None] = lambda: None
    ) -> Probabilities:
        """Return how likely each link is, after some steps without and with jumps."""
        jumps = np.exp(-0.3 * np.abs(np.arange(-REACH, REACH + 1) - 1.0))
        beliefs, none = self._uniform(), np.zeros(0)
        with ThreadPoolExecutor(self.threads) as pool:
            for step in range(by_words + by_jumps):
                moved = step >= by_words
                if step == by_words:
                    beliefs = _with_jumps(beliefs, jumps, jumps)
                found, counts = self._expect(pool, beliefs)
                advance()
                if step + 1 < by_words + by_jumps:
                    learned = [count / count.sum() for count in counts] if moved else [none, none]
                    del beliefs  # what was believed needs not be kept beside what is learned
                    beliefs = self._learn(pool, found, agreeing=moved, jumps=learned)
        return found

    def _uniform(self) -> Beliefs:
        cells, none = int(self.starts[-1]), np.zeros(0)
        return Beliefs(
            np.zeros(cells, np.float32), np.zeros(cells, np.float32),
            np.ones(len(self.grid.target.numbers)), np.ones(len(self.grid.source.numbers)),
            none, none,
        )  # fmt: skip

    def _expect(
        self, pool: ThreadPoolExecutor, beliefs: Beliefs
    ) -> tuple[Probabilities, tuple[F64, F64]]:
        cells = int(self.starts[-1])
        found = Probabilities(np.empty(cells, np.float32), np.empty(cells, np.float32))
        counts = np.zeros((len(self._parts), 2, len(beliefs.forward_jumps)))

        def run(part: int) -> None:
            first, last = self._parts[part]
            expect(
                first, last, self.grid.source.starts, self.grid.target.starts, self.starts,
                beliefs.forward, beliefs.backward, beliefs.forward_alone, beliefs.backward_alone,
                ALONE, beliefs.forward_jumps, beliefs.backward_jumps,
                counts[part][0], counts[part][1], *self._room(), found.forward, found.backward,
            )  # fmt: skip

        list(pool.map(run, range(len(self._parts))))
        summed = counts.sum(axis=0) + _SOME
        return found, (summed[0], summed[1])

    def _learn(
        self,
        pool: ThreadPoolExecutor,
        found: Probabilities,
        *,
        agreeing: bool,
        jumps: Sequence[F64],
    ) -> Beliefs:
        """Return what links teach of words."""
        forward, backward = found.forward, found.backward
        if agreeing:
            forward = backward = forward * backward
        alone = self._alone(forward, backward)
        weight = 1 / len(self.views)

        def teach(side: int) -> tuple[F32, F64]:
            links = (forward, backward)[side]
            logs, null = np.zeros(len(links), np.float32), np.zeros(len(alone[side]))
            for view in self.views:
                given = view.pair_target if side else view.pair_source
                spread_pairs(view.cells, _log_shares(view, given, links) * np.float32(weight), logs)
                null += weight * np.log(_null(view.source if side else view.target, alone[side]))
            return logs, np.exp(null)

        (first, first_alone), (second, second_alone) = pool.map(teach, (0, 1))
        return Beliefs(first, second, first_alone, second_alone, jumps[0], jumps[1])

    def _alone(self, forward: F32, backward: F32) -> tuple[F64, F64]:
        """Return how likely each target token, and each source token, has no counterpart."""
        targets = np.zeros(len(self.grid.target.numbers))
        sources = np.zeros(len(self.grid.source.numbers))
        add_margins(
            self.grid.source.rows, self.grid.target.starts, self.firsts,
            forward, backward, targets, sources,
        )  # fmt: skip
        return np.maximum(0.0, 1 - targets), np.maximum(0.0, 1 - sources)

    @cached_property
    def _parts(self) -> list[tuple[int, int]]:
        """Passages in parts of about as many cells."""
        wanted = np.linspace(0, self.starts[-1], _PARTS + 1)
        bounds = np.unique(np.searchsorted(self.starts, wanted))
        return [(int(a), int(b)) for a, b in pairwise(bounds)]

    def _room(self) -> list[F64]:
        sides = self.grid.source, self.grid.target
        most = max(int(np.diff(side.starts).max(initial=0)) for side in sides)
        line, square = most + 2, (most + 2) * (most + 2)
        sizes = (square, square, line, line, line, square, square, line, line, line)
        return [np.empty(size) for size in sizes]


def _with_jumps(beliefs: Beliefs, forward: F64, backward: F64) -> Beliefs:
    return Beliefs(
        beliefs.forward, beliefs.backward, beliefs.forward_alone, beliefs.backward_alone,
        forward, backward,
    )  # fmt: skip


def _log_shares(view: View, given: object, links: F32) -> F32:
    """Return the logarithm of each pair's share in the links of the word that is given."""
    words: I64 = np.asarray(given)
    sums = np.zeros(len(view.pair_source))
    add_cells(view.cells, links, sums)
    totals = np.maximum(np.bincount(words, sums), np.finfo(np.float64).tiny)
    # there are many pairs: nothing is copied that need not be
    sums /= totals[words]
    np.maximum(sums, FLOOR, out=sums)
    np.log(sums, out=sums)
    return sums.astype(np.float32)


def _null(words: object, alone: F64) -> F64:
    """Return how likely each token's word is one without counterpart."""
    numbers: I64 = np.asarray(words)
    counts = np.bincount(numbers, alone)
    usual = np.bincount(numbers) / len(numbers)
    shares: F64 = (counts + _PRIOR * usual) / (counts.sum() + _PRIOR)
    return shares[numbers]
