"""A bitext whose links are known: each source word has one translation, in another order."""

from __future__ import annotations

import random

from tealeaves.lexicon.alignment.links import Links
from tealeaves.lexicon.bitext import Bitext, Passages
from tealeaves.lexicon.words import Words


def bitext_of(source: list[list[str]], target: list[list[str]]) -> Bitext:
    keys = tuple(str(row) for row in range(len(source)))
    one, other = Words.of(source), Words.of(target)
    return Bitext.of(Passages("xx", keys, one, one), Passages("yy", keys, other, other))


def synthetic(passages: int = 120, seed: int = 0) -> tuple[Bitext, set[tuple[int, int]]]:
    """Return a bitext and its links as source token, target place."""
    rng = random.Random(seed)
    source, target, links = [], [], set()
    first = 0
    for _ in range(passages):
        words = rng.sample(range(40), rng.randint(3, 6))
        order = list(range(len(words)))
        if len(order) > 3:  # two neighbours change places
            order[1], order[2] = order[2], order[1]
        source.append([f"s{word}" for word in words])
        target.append([f"t{words[place]}" for place in order])
        links |= {(first + place, at) for at, place in enumerate(order)}
        first += len(words)
    return bitext_of(source, target), links


def points(links: Links) -> set[tuple[int, int]]:
    return set(zip(links.tokens.tolist(), links.places.tolist(), strict=True))
