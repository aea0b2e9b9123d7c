"""``Morphs``: the target text cut into morphs by Morfessor, to be aligned instead of words."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tealeaves.extras import require
from tealeaves.lexicon.advancing import Advance
from tealeaves.lexicon.bitext import Bitext
from tealeaves.lexicon.words import Words

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32

#: what becomes of the frequencies of words before they are learnt from
Dampening = Literal["none", "log", "ones"]

_DAMPENED: MappingProxyType[str, Callable[[int], int]] = MappingProxyType(
    {
        "none": lambda count: count,
        "log": lambda count: round(math.log(count + 1, 2)),
        "ones": lambda _: 1,
    }
)
# Morfessor goes on until it gains little; a Bible takes some six rounds
_ROUNDS = 8


@dataclass(frozen=True, eq=False)
class Morphs:
    """Texts cut into morphs.

    Parameters
    ----------
    words
        The texts, with morphs for words.
    places
        For each morph the place of the word in its text that it is part of.
    """

    words: Words
    places: I32

    @classmethod
    def of(cls, words: Words, cut: dict[str, list[str]]) -> Morphs:
        """Cut the words of texts as a table says.

        >>> morphs = Morphs.of(Words.of([["kädet"], ["on", "kädet"]]), {"kädet": ["käde", "t"]})
        >>> list(morphs.words), morphs.places.tolist()
        ([['käde', 't'], ['on', 'käde', 't']], [0, 0, 0, 1, 1])
        """
        parts = [cut.get(word) or [word] for word in words.vocabulary]
        known: dict[str, int] = {}
        numbers = [known.setdefault(part, len(known)) for each in parts for part in each]
        sizes = np.array([len(each) for each in parts], np.int64)
        begins = np.cumsum(sizes) - sizes
        counts = sizes[words.numbers]
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        within = np.arange(starts[-1]) - np.repeat(starts[:-1], counts)
        flat = np.array(numbers, np.int32)[np.repeat(begins[words.numbers], counts) + within]
        places = np.arange(len(words.numbers)) - words.starts[words.rows]
        return cls(
            Words(tuple(known), flat, starts[words.starts]),
            np.repeat(places, counts).astype(np.int32),
        )

    def beside(self, bitext: Bitext) -> Bitext:
        """Return a bitext whose target has these morphs for words."""
        return Bitext(bitext.source, replace(bitext.target, words=self.words))


def check_morfessor() -> Any:
    """Return the package Morfessor, or say how to install it."""
    return require("morfessor", extra="morphs", reason="cutting words into morphs")


def segmented(
    words: Words, *, dampening: Dampening = "log", seed: int = 1, advance: Advance | None = None
) -> Morphs:
    """Learn from the words of texts how to cut them, and cut them.

    Morfessor Baseline (Creutz and Lagus 2007; Virpioja et al. 2013) learns from each word as often
    as it occurs, or from log2 of that, or from each once: the fewer, the more it cuts. It goes
    through the words in random order.
    """
    morfessor = check_morfessor()
    morfessor.utils.show_progress_bar = False
    frequencies = np.bincount(words.numbers, minlength=len(words.vocabulary)).tolist()
    occurring = [(n, word) for n, word in zip(frequencies, words.vocabulary, strict=True) if n]
    model = morfessor.BaselineModel()
    if advance:
        model.set_corpus_weight_updater(_telling(morfessor, advance))
    model.load_data(occurring, count_modifier=_DAMPENED[dampening])
    state = random.getstate()
    try:  # it draws from the generator that all share
        random.seed(seed)
        model.train_batch()
    finally:
        random.setstate(state)
    cut = {word: list(model.viterbi_segment(word, 0.0)[0]) for _, word in occurring}
    if advance:
        advance(_ROUNDS, _ROUNDS)
    return Morphs.of(words, cut)


def _telling(morfessor: Any, advance: Advance) -> Any:
    """Return what Morfessor asks, round by round, for the weight of the text: always 1."""

    class Telling(morfessor.baseline.FixedCorpusWeight):  # type: ignore[misc]
        def update(self, model: Any, epoch: int) -> bool:
            advance(min(epoch, _ROUNDS - 1), _ROUNDS)
            changed: bool = super().update(model, epoch)
            return changed

    return Telling(1.0)
