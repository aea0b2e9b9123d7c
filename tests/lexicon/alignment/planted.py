"""A made-up language pair whose dictionary, inflection and links are known."""

from __future__ import annotations

import random
from typing import Literal

from tealeaves.lexicon.bitext import Bitext

from .synthetic import bitext_of

Kind = Literal["suffixing", "prefixing", "isolating"]
AFFIXES = [a + b for a in "aeiou" for b in "nstlkr"]


def _syllables(rng: random.Random, number: int) -> str:
    return "".join(rng.choice("bdfghjklmnprstv") + rng.choice("aeiouy") for _ in range(number))


def planted(
    kind: Kind, passages: int = 500, words: int = 250, seed: int = 0
) -> tuple[Bitext, set[tuple[int, int]]]:
    """Return a bitext and its links as source token, target place.

    The words of the source are lemmas, few of them frequent. In the target language the last words
    of a passage come first; each word has one of thirty affixes, if there are any; and some words
    of either language have no counterpart.
    """
    rng = random.Random(seed)
    stems = [_syllables(rng, 3) for _ in range(words)]
    weights = [1 / (rank + 3) for rank in range(words)]
    source, target, links = [], [], set()
    first = 0
    for _ in range(passages):
        chosen = rng.choices(range(words), weights, k=rng.randint(4, 10))
        order = [*range(len(chosen) // 2, len(chosen)), *range(len(chosen) // 2)]
        text: list[str] = []
        for place in order:
            if rng.random() < 0.1:
                continue
            links.add((first + place, len(text)))
            text.append(_inflected(rng, stems[chosen[place]], kind))
            if rng.random() < 0.1:
                text.append(rng.choice(("ha", "mu")))
        source.append([f"lemma{word}" for word in chosen])
        target.append(text or ["ha"])
        first += len(chosen)
    return bitext_of(source, target), links


def _inflected(rng: random.Random, stem: str, kind: Kind) -> str:
    if kind == "isolating":
        return stem
    affix = rng.choice(AFFIXES)
    return stem + affix if kind == "suffixing" else affix + stem
