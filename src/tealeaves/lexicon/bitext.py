"""``Passages`` of a language, and ``Bitext``: the passages that two languages share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tealeaves.errors import InputError
from tealeaves.lexicon.words import Words


@dataclass(frozen=True, eq=False)
class Passages:
    """The passages (verses, sentences) of a language: their forms, and a word for each form.

    Parameters
    ----------
    language
        The name of the language.
    keys
        The keys that link passages of several languages.
    forms
        The tokens as they are written, for people to read.
    words
        The words that are aligned and searched, token by token: lemmas (``hand``), lemmas with
        their part of speech (``hand/N``), or forms in lower case.
    name
        The file, for messages.
    texts
        The passages as they are written, if they were kept.
    """

    language: str
    keys: tuple[str, ...]
    forms: Words
    words: Words
    name: str = ""
    texts: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def label(self) -> str:
        """What messages call these passages: the file, or the language."""
        return self.name or self.language

    def taken(self, rows: list[int]) -> Passages:
        """Return some of the passages, in this order."""
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
        """Return the passages with the same key, in the order of the source.

        Passages that are empty on either side are left out.
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
    """Return the rows of the shared passages, in the source and in the target.

    Both have words in these passages.
    """
    for side in (source, target):
        if not len(side.words.numbers):
            raise InputError(f"{side.label} has no words")
    in_source, in_target = (np.diff(side.words.starts) > 0 for side in (source, target))
    row_of = {key: row for row, key in enumerate(target.keys) if in_target[row]}
    rows = [row for row, key in enumerate(source.keys) if in_source[row] and key in row_of]
    if not rows:
        raise InputError(
            f"{source.label} and {target.label} share no passage: ids such as "
            f"{source.keys[0]!r} in the first, {target.keys[0]!r} in the second"
        )
    return rows, [row_of[source.keys[row]] for row in rows]
