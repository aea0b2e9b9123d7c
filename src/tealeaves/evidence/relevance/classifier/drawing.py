"""Texts drawn from all over a corpus, in one reading."""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

from tealeaves.errors import InputError
from tealeaves.evidence.relevance.sampling import drawn_number
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline


class Drawn(NamedTuple):
    """Texts as lists of words, their labels ("" where there is none), and how they were drawn."""

    words: list[list[str]]
    labels: list[str]
    report: dict[str, Any]


def draw(corpus: Corpus, pipeline: Pipeline, most: int, *, seed: int = 0) -> Drawn:
    """Draw texts at random, in the order of the corpus.

    Each text has a number that the seed and its identity decide; the texts with the smallest
    numbers are taken. So one reading is enough, and the seed alone says which texts are drawn.

    Parameters
    ----------
    corpus
        The texts.
    pipeline
        What makes words of them; texts without a word, or with fewer than it asks for, are left
        out.
    most
        How many are drawn at most.
    seed
        Which ones.
    """
    if most < 1:
        raise InputError(f"texts={most}: at least one text must be drawn")
    tokenize, least = pipeline.tokenizer(), max(1, pipeline.min_tokens)
    kept: list[tuple[int, int, list[str], str]] = []  # the largest number first
    read = 0
    for position, document in enumerate(corpus):
        read += 1
        number = -drawn_number(document, seed)
        if len(kept) == most and number < kept[0][0]:
            continue
        words = tokenize(document.text)
        if len(words) < least:
            continue
        entry = (number, position, words, document.label)
        (heapq.heappush if len(kept) < most else heapq.heapreplace)(kept, entry)
    if not kept:
        raise InputError(f"{corpus.name}: no text with a word to fit a classifier on")
    kept.sort(key=lambda entry: entry[1])
    report = {"corpus": corpus.name, "tokens": repr(pipeline), "read": read, "texts": len(kept)}
    return Drawn([words for _, _, words, _ in kept], [label for *_, label in kept], report)
