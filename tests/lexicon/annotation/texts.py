"""Small texts to sample from."""

from __future__ import annotations

from collections.abc import Iterable

from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.words import Words

# how often each lemma occurs among 1,000 passages of ten words
FREQUENCIES = {
    **{f"low{letter}/{pos}": 4 for letter in "abcdef" for pos in "NV"},
    **{f"mid{letter}/{pos}": 12 for letter in "abcd" for pos in "NV"},
    "higha/N": 60,
    "go/V": 12,
}


def source() -> Passages:
    """A tagged text of 10,000 tokens: each lemma is spread over its passages."""
    texts: list[list[str]] = [[] for _ in range(1000)]
    for start, (lemma, count) in enumerate(FREQUENCIES.items()):
        for number in range(count):
            texts[(start + 13 * number) % 1000].append(lemma)
    words = Words.of([*text, *["the"] * (10 - len(text))] for text in texts)
    forms = Words.of([word.partition("/")[0].title() for word in text] for text in words)
    return Passages("eng", tuple(f"v{n}" for n in range(1000)), forms, words, "eng.tsv")


def target(language: str, rows: Iterable[int] = range(1000)) -> Passages:
    """A text that has some of the passages."""
    keys = tuple(f"v{n}" for n in rows)
    words = Words.of([["sana", key] for key in keys])
    return Passages(language, keys, words, words, f"{language}.tsv")
