"""``Morphs``: the target text cut into morphs by Morfessor, which are aligned instead of words."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tealeaves.arrays import offsets, ranges
from tealeaves.extras import require
from tealeaves.jobs import Advance
from tealeaves.lexicon.bitext import Bitext
from tealeaves.lexicon.words import Words

if TYPE_CHECKING:
    from tealeaves.kernels import I32

#: How the frequencies of words are changed before Morfessor learns from them.
Dampening = Literal["none", "log", "ones"]

_DAMPENED: MappingProxyType[str, Callable[[int], int]] = MappingProxyType(
    {
        "none": lambda count: count,
        "log": lambda count: round(math.log(count + 1, 2)),
        "ones": lambda _: 1,
    }
)
# Morfessor stops when it gains little; with a Bible, after about six rounds.
_ROUNDS = 8


@dataclass(frozen=True, eq=False)
class Morphs:
    """Texts cut into morphs.

    Parameters
    ----------
    words
        The texts, with morphs for words.
    places
        For each morph the place, in its text, of the word that it is part of.
    """

    words: Words
    places: I32

    @classmethod
    def of(cls, words: Words, cut: dict[str, list[str]]) -> Morphs:
        """Cut the words of texts; ``cut`` has the morphs of each word.

        >>> morphs = Morphs.of(Words.of([["kädet"], ["on", "kädet"]]), {"kädet": ["käde", "t"]})
        >>> list(morphs.words), morphs.places.tolist()
        ([['käde', 't'], ['on', 'käde', 't']], [0, 0, 0, 1, 1])
        """
        parts = [cut.get(word) or [word] for word in words.vocabulary]
        known: dict[str, int] = {}
        numbers = [known.setdefault(part, len(known)) for each in parts for part in each]
        sizes = np.array([len(each) for each in parts], np.int64)
        counts = sizes[words.numbers]
        morphs = np.array(numbers, np.int32)[ranges(offsets(sizes)[words.numbers], counts)]
        places = np.arange(len(words.numbers)) - words.starts[words.rows]
        return cls(
            Words(tuple(known), morphs, offsets(counts)[words.starts]),
            np.repeat(places, counts).astype(np.int32),
        )

    def with_morphs(self, bitext: Bitext) -> Bitext:
        """Return a bitext whose target has these morphs for words."""
        return Bitext(bitext.source, replace(bitext.target, words=self.words))


def check_morfessor() -> Any:
    """Return the package Morfessor; the error says how to install it."""
    return require("morfessor", extra="morphs", reason="cutting words into morphs")


def segmented(
    words: Words, *, dampening: Dampening = "log", seed: int = 1, advance: Advance | None = None
) -> Morphs:
    """Learn from the words of texts how to cut them, and cut them.

    Morfessor Baseline (Creutz and Lagus 2007; Virpioja et al. 2013) learns from each word as often
    as it occurs, or as log2 of that, or once: the lower the counts, the more it cuts. It visits the
    words in random order.
    """
    morfessor = check_morfessor()
    morfessor.utils.show_progress_bar = False
    frequencies = np.bincount(words.numbers, minlength=len(words.vocabulary)).tolist()
    occurring = [(n, word) for n, word in zip(frequencies, words.vocabulary, strict=True) if n]
    model = morfessor.BaselineModel()
    if advance:
        model.set_corpus_weight_updater(_progress_updater(morfessor, advance))
    model.load_data(occurring, count_modifier=_DAMPENED[dampening])
    state = random.getstate()
    try:  # it uses the global generator
        random.seed(seed)
        model.train_batch()
    finally:
        random.setstate(state)
    cut = {word: list(model.viterbi_segment(word, 0.0)[0]) for _, word in occurring}
    if advance:
        advance(_ROUNDS, _ROUNDS)
    return Morphs.of(words, cut)


def _progress_updater(morfessor: Any, advance: Advance) -> Any:
    """Return the object that Morfessor asks in each round for the weight of the text: always 1."""

    class Updater(morfessor.baseline.FixedCorpusWeight):  # type: ignore[misc]
        def update(self, model: Any, epoch: int) -> bool:
            advance(min(epoch, _ROUNDS - 1), _ROUNDS)
            changed: bool = super().update(model, epoch)
            return changed

    return Updater(1.0)
