"""Vectors from objects in memory: mappings, functions, and whatever has ``encode``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.embedder import Embedder, spoken
from tealeaves.evidence.embeddings.sources.arrays import as_numbers
from tealeaves.evidence.embeddings.sources.lookup import Lookup
from tealeaves.evidence.embeddings.vectors import Vectors, no_vectors

_NO_TABLES = (str, bytes, bytearray, list, tuple, set, frozenset, range, np.ndarray)


class Function(Embedder):
    """A function from a list of words to a row for each."""

    def __init__(self, function: Callable[[list[str]], Any]) -> None:
        self._function = function

    @property
    def fingerprint(self) -> str:
        """Not known: what a function does cannot be told by looking at it."""
        return ""

    def embed(self, words: Sequence[str]) -> Vectors:
        """Ask the function; not for words of underscores alone, of which nothing is left."""
        texts = [spoken(word) for word in words]
        asked = [text for text in texts if text]
        if not asked:
            return no_vectors(words, 1)
        rows = self._rows(asked)
        found = np.full((len(words), rows.shape[1]), np.nan, dtype=rows.dtype)
        found[[bool(text) for text in texts]] = rows
        return found

    def _rows(self, texts: list[str]) -> Vectors:
        found = self._function(list(texts))
        try:
            rows = as_numbers(found)
        except ValueError as error:
            raise InputError(f"{self.name}: no table of numbers for {len(texts)} words") from error
        if rows.ndim != 2 or len(rows) != len(texts):
            size = "×".join(map(str, rows.shape)) or "no size"
            raise InputError(
                f"{self.name}: {len(texts)} words gave an array of {size}, not a row for each"
            )
        return rows


class Table(Lookup):
    """A mapping from words to vectors, or what looks like one, such as gensim's KeyedVectors.

    Those of fastText say of every word that they have it, and make a vector of its parts. So they
    are asked for what they have first.
    """

    def __init__(self, mapping: Any) -> None:
        self._mapping = mapping
        self._words = getattr(mapping, "key_to_index", mapping)

    @property
    def fingerprint(self) -> str:
        """Not known: the vectors that are taken identify themselves."""
        return ""

    def find(self, word: str) -> Any:
        """Return the vector of exactly this word."""
        return self._mapping[word] if word in self._words else None

    def compose(self, word: str) -> Any:
        """Return the vector that is made for a word, by those that can."""
        if self._words is self._mapping or word not in self._mapping:
            return None
        return self._mapping[word]


def embedder_of_object(given: Any) -> Embedder:
    """Choose by what an object can do."""
    if isinstance(given, type):
        raise InputError(f"the class {given.__name__} gives no vectors: take an object of it")
    if isinstance(given, Mapping):
        return Table(given)
    if callable(getattr(given, "encode", None)) and not isinstance(given, _NO_TABLES):
        return Function(given.encode)
    given = getattr(given, "wv", given)  # a word2vec model of gensim, not only its vectors
    if _is_table(given):
        return Table(given)
    if callable(given):
        return Function(given)
    raise InputError(
        f"{type(given).__name__}: an object that gives no vectors: take a name, a file, a mapping "
        "from words, a function from a list of words to rows, or anything with encode"
    )


def _is_table(given: Any) -> bool:
    """Tell what has words from arrays, lists and frames of data, which have other keys."""
    return (
        hasattr(given, "__getitem__")
        and hasattr(given, "__contains__")
        and not isinstance(given, _NO_TABLES)
        and getattr(given, "ndim", 1) == 1
    )
