"""``Bitext``: the passages of two languages, side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tealeaves.errors import InputError
from tealeaves.lexicon.words import Words


@dataclass(frozen=True, eq=False)
class Passages:
    """The passages (verses, sentences) of a language, as they stand and as they are counted.

    Parameters
    ----------
    language
        How the language is called.
    keys
        What links a passage with those of other languages.
    forms
        The tokens as they stand, for people to read.
    words
        What is aligned and looked for, token by token: lemmas (``hand``), lemmas with their part
        of speech (``hand/N``), or forms in lower case.
    name
        The file, for messages.
    texts
        The passages as they are written, where they were kept.
    """

    language: str
    keys: tuple[str, ...]
    forms: Words
    words: Words
    name: str = ""
    texts: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.keys)

    def taken(self, rows: list[int]) -> Passages:
        """Return some of the passages, in the order given."""
        keys = tuple(self.keys[row] for row in rows)
        texts = tuple(self.texts[row] for row in rows) if self.texts else ()
        forms, words = self.forms.taken(rows), self.words.taken(rows)
        return Passages(self.language, keys, forms, words, self.name, texts)


@dataclass(frozen=True, eq=False)
class Bitext:
    """Passages that two languages share, row by row.

    >>> en = Passages("en", ("1", "2"), *[Words.of([["a", "hand"], ["two"]])] * 2)
    >>> fi = Passages("fi", ("2", "1", "3"), *[Words.of([["kaksi"], ["käsi"], []])] * 2)
    >>> bitext = Bitext.of(en, fi)
    >>> bitext.keys, bitext.target.words.text(0)
    (('1', '2'), ['käsi'])
    """

    source: Passages
    target: Passages

    @classmethod
    def of(cls, source: Passages, target: Passages) -> Bitext:
        """Lay the passages with the same key side by side, in the order of the source.

        A passage that is empty on a side says nothing and is left out.
        """
        rows, others = shared_rows(source, target)
        return cls(source.taken(rows), target.taken(others))

    @property
    def keys(self) -> tuple[str, ...]:
        """The key of each row."""
        return self.source.keys

    def __len__(self) -> int:
        return len(self.source)


def shared_rows(source: Passages, target: Passages) -> tuple[list[int], list[int]]:
    """Return the rows of the passages that both have words in: those here, and those there."""
    _check_filled(source)
    _check_filled(target)
    full, filled = np.diff(target.words.starts) > 0, np.diff(source.words.starts) > 0
    there = {key: row for row, key in enumerate(target.keys) if full[row]}
    rows = [row for row, key in enumerate(source.keys) if filled[row] and key in there]
    if not rows:
        one, other = (side.name or side.language for side in (source, target))
        raise InputError(
            f"{one} and {other} share no passage: ids such as {source.keys[0]!r} in the first, "
            f"{target.keys[0]!r} in the second"
        )
    return rows, [there[source.keys[row]] for row in rows]


def _check_filled(passages: Passages) -> None:
    if not len(passages.words.numbers):
        raise InputError(f"{passages.name or passages.language} has no words")
