"""Themes of words that are often in the same texts, and vectors that know the same themes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tealeaves import Embeddings, Topics

THEMES, WORDS = 8, 8
LETTERS = "abcdefgh"


def word(letter: str, number: int) -> str:
    """Return a word of a theme: ak, al, am."""
    return letter + "".join("klmnopqrst"[int(digit)] for digit in str(number))


#: A topic of each theme, and one that has a word of each.
PURE = [[word(letter, number) for number in range(WORDS)] for letter in LETTERS]
MIXED = [word(letter, number) for number, letter in enumerate(LETTERS)]
TOPICS = [*PURE, MIXED]


def texts(seed: int = 0, *, number: int = 160, noise: int = 2) -> list[str]:
    """Return texts of five words of a theme, and some of any: shorter than all windows."""
    rng = np.random.default_rng(seed)
    every = [word for theme in PURE for word in theme]
    found = []
    for text in range(number):
        own = rng.choice(PURE[text % THEMES], 5, replace=False).tolist()
        found.append(" ".join(own + rng.choice(every, noise).tolist()))
    return found


def vectors(seed: int = 0) -> dict[str, list[float]]:
    """Return vectors that point to their themes, roughly."""
    rng = np.random.default_rng(seed)
    theme = np.eye(THEMES)
    return {
        word: (theme[place] + 0.25 * rng.normal(size=THEMES)).tolist()
        for place, words in enumerate(PURE)
        for word in words
    }


def toy(
    name: str = "toy", seed: int = 0, rows: Mapping[str, list[float]] | None = None
) -> Embeddings:
    return Embeddings.of(rows or vectors(seed), name=name)


def english(topics: list[list[str]] | None = None, model: str = "model") -> Topics:
    return Topics.of(topics or TOPICS, model=model, language="en")


def finnish(topics: list[list[str]] | None = None, model: str = "malli") -> Topics:
    return Topics.of(topics or TOPICS, model=model, language="fi")
