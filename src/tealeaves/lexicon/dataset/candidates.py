"""The lemmas of a source text: how often they occur, and where tokens can be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.bitext import Passages, shared_rows
from tealeaves.lexicon.dataset.annotation import pos_of
from tealeaves.lexicon.dataset.bins import Bin, bin_of, read_bins

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I64
    from tealeaves.lexicon.dataset.sample import SamplePlan


@dataclass(frozen=True, eq=False)
class Candidates:
    """A source text, beside how many targets have each of its passages.

    Parameters
    ----------
    source
        The source text, lemmatised and tagged.
    targets
        How many languages there are.
    having
        For each passage how many of them have it.
    """

    source: Passages
    targets: int
    having: I64

    @classmethod
    def of(cls, source: Passages, targets: Sequence[Passages]) -> Candidates:
        """Look which passages each target has."""
        having = np.zeros(len(source), np.int64)
        for target in targets:
            having[shared_rows(source, target)[0]] += 1
        return cls(source, len(targets), having)

    @property
    def shared(self) -> int:
        """The number of passages that all targets have."""
        return int((self.having == self.targets).sum())

    @cached_property
    def counts(self) -> I64:
        """How often each word occurs in the source text."""
        words = self.source.words
        return np.bincount(words.numbers, minlength=len(words.vocabulary)).astype(np.int64)

    @cached_property
    def shared_counts(self) -> I64:
        """How often each word occurs in passages that all targets have."""
        words = self.source.words
        there = (self.having == self.targets)[words.rows]
        return np.bincount(words.numbers[there], minlength=len(words.vocabulary)).astype(np.int64)

    def per_million(self, count: int) -> float:
        """Return a count per million tokens of the source text."""
        return count * 1e6 / len(self.source.words.numbers)

    @cached_property
    def has_pos(self) -> bool:
        """Whether words are marked with their part of speech."""
        return any(pos_of(word) for word in self.source.words.vocabulary)

    def strata(self, plan: SamplePlan) -> Mapping[tuple[str, Bin], list[str]]:
        """Return the lemmas that may be drawn, by part of speech and bin, in alphabetical order.

        Each has as many tokens as are wanted in passages that all targets have.
        """
        bins = read_bins(plan.bins)
        kinds = plan.pos if self.has_pos else ("",)
        found: dict[tuple[str, Bin], list[str]] = {(p, b): [] for p in kinds for b in bins}
        excluded = frozenset(plan.exclude)
        for number, word in enumerate(self.source.words.vocabulary):
            pos = pos_of(word)
            lemma = word.removesuffix(f"/{pos}")
            place = bin_of(self.per_million(int(self.counts[number])), bins)
            if place is None or (pos, place) not in found or excluded & {word, lemma}:
                continue
            enough = self.shared_counts[number] >= plan.tokens
            if enough and len(lemma) >= plan.letters and lemma.replace("-", "").isalpha():
                found[pos, place].append(word)
        return {stratum: sorted(words) for stratum, words in found.items()}
