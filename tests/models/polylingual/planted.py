"""Tuples in two languages of which the topics are known."""

from __future__ import annotations

import random

from tealeaves.text.paired import PairedCorpus

THEMES = 3
WORDS = 6  # of each theme and language


def words_of(language: str, theme: int) -> list[str]:
    """Return the words of a theme: ``enaa``, ``enab``, …"""
    return [f"{language}{chr(97 + theme)}{chr(97 + number)}" for number in range(WORDS)]


def planted_tuples(
    tuples: int = 40, *, seed: int = 1, length: int = 20, lacking: int = 0
) -> list[dict[str, str]]:
    """Make tuples of one theme each, theme after theme; each ``lacking``-th has no Swedish."""
    draw = random.Random(seed)
    texts = []
    for number in range(tuples):
        sides = {}
        for language in ("en", "sv"):
            if language == "sv" and lacking and number % lacking == 0:
                continue
            sides[language] = " ".join(draw.choices(words_of(language, number % THEMES), k=length))
        texts.append(sides)
    return texts


def planted(tuples: int = 40, **options: int) -> PairedCorpus:
    """Make paired texts of such tuples."""
    return PairedCorpus.of(planted_tuples(tuples, **options))
