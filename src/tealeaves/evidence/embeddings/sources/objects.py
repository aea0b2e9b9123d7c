"""Embedders of objects in memory: mappings, functions, and anything with ``encode``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tealeaves.arrays import Vectors
from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.embeddings import Embedder, missing_vectors, spoken_form
from tealeaves.evidence.embeddings.sources.lookup import LookupEmbedder, as_numbers

_NOT_MAPPINGS = (str, bytes, bytearray, list, tuple, set, frozenset, range, np.ndarray)


def embedder_of_object(source: Any) -> Embedder:
    """Return an embedder for an object, chosen by the methods that the object has."""
    if isinstance(source, type):
        raise InputError(f"the class {source.__name__} gives no vectors; give an object of it")
    if isinstance(source, Mapping):
        return MappingEmbedder(source)
    if callable(getattr(source, "encode", None)) and not isinstance(source, _NOT_MAPPINGS):
        return FunctionEmbedder(source.encode)
    source = getattr(source, "wv", source)  # the vectors of a word2vec model of gensim
    if _is_like_mapping(source):
        return MappingEmbedder(source)
    if callable(source):
        return FunctionEmbedder(source)
    raise InputError(
        f"{type(source).__name__}: an object that gives no vectors; give a name, a file, a mapping "
        "from words, a function from a list of words to rows, or anything with encode"
    )


def _is_like_mapping(source: Any) -> bool:
    """Tell tables of words from arrays, lists and data frames, whose keys are no words."""
    return (
        hasattr(source, "__getitem__")
        and hasattr(source, "__contains__")
        and not isinstance(source, _NOT_MAPPINGS)
        and getattr(source, "ndim", 1) == 1
    )


class FunctionEmbedder(Embedder):
    """A function from a list of words to one row per word."""

    fingerprint = ""  # nothing identifies what a function computes

    def __init__(self, function: Callable[[list[str]], Any]) -> None:
        self._function = function

    def embed(self, words: Sequence[str]) -> Vectors:
        """Call the function with all words but those of underscores alone, which are empty."""
        texts = [spoken_form(word) for word in words]
        nonempty = [text for text in texts if text]
        if not nonempty:
            return missing_vectors(words, 1)
        rows = self._call(nonempty)
        vectors = np.full((len(words), rows.shape[1]), np.nan, dtype=rows.dtype)
        vectors[[bool(text) for text in texts]] = rows
        return vectors

    def _call(self, texts: list[str]) -> Vectors:
        values = self._function(list(texts))
        try:
            rows = as_numbers(values)
        except ValueError as error:
            raise InputError(f"{self.name}: no table of numbers for {len(texts)} words") from error
        if rows.ndim != 2 or len(rows) != len(texts):
            size = "×".join(map(str, rows.shape)) or "no size"
            raise InputError(
                f"{self.name}: {len(texts)} words gave an array of {size}, not one row per word"
            )
        return rows


class MappingEmbedder(LookupEmbedder):
    """A mapping from words to vectors, or an object like one, such as gensim's KeyedVectors.

    gensim's vectors of fastText claim to contain every word, since they compose a vector from its
    parts. So a word is first looked up among those that they really have.
    """

    fingerprint = ""  # signatures have a digest of the vectors instead

    def __init__(self, mapping: Any) -> None:
        self._mapping = mapping
        self._words = getattr(mapping, "key_to_index", mapping)

    def find(self, word: str) -> Any:
        """Return the vector of exactly this word."""
        return self._mapping[word] if word in self._words else None

    def compose(self, word: str) -> Any:
        """Return the vector that the mapping composes for a word, if it can."""
        if self._words is self._mapping or word not in self._mapping:
            return None
        return self._mapping[word]
