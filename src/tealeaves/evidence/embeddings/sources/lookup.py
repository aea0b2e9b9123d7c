"""Word lookup: how a word is found in a table of vectors."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tealeaves.arrays import Vectors
from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.embeddings import Embedder, spoken_form

# The version of the rules of this module. It is part of fingerprints: count up when a rule changes,
# so that vectors on disk are made again.
LOOKUP_RULES = "lookup 1"


def no_vector(word: str) -> Any:  # noqa: ARG001
    """Return None: most tables cannot compose a vector for a word that they do not have."""
    return None


class WordLookup(NamedTuple):
    """Looks words up in a table: as they are written, then in lower case.

    A term of several words is looked up joined by underscores and by spaces. If the table does not
    have it, its vector is the mean of its words, provided that all of them have one. A vector that
    has no direction (all zeros, or not finite) counts as missing.

    Parameters
    ----------
    name
        What the table is called in messages.
    find
        Returns the vector of exactly this word, or None.
    compose
        Returns a vector for a single word that the table does not have, or None.
    """

    name: str
    find: Callable[[str], Any]
    compose: Callable[[str], Any] = no_vector

    def rows(self, words: Sequence[str]) -> Vectors:
        """Return one row per word; NaN for a word without a vector."""
        vectors = [self._vector(word) for word in words]
        present = [vector for vector in vectors if vector is not None]
        self._check_sizes(present)
        kind = np.result_type(np.float32, *{vector.dtype for vector in present})
        missing = np.full(len(present[0]) if present else 1, np.nan, dtype=kind)
        rows = [missing if vector is None else vector for vector in vectors]
        return np.array(rows, dtype=kind).reshape(len(rows), len(missing))

    def _vector(self, word: str) -> Vectors | None:
        for form in word_forms(word):
            vector = self._check_vector(form, self.find(form))
            if vector is not None:
                return vector
        parts = spoken_form(word).split()
        if parts == [word]:
            return self._check_vector(word, self.compose(word))
        vectors = [vector for part in parts if (vector := self._vector(part)) is not None]
        if not vectors or len(vectors) < len(parts):
            return None
        self._check_sizes(vectors)
        kind = np.result_type(*vectors)
        return np.asarray(np.mean(vectors, axis=0, dtype=np.float64), dtype=kind)

    def _check_vector(self, word: str, value: Any) -> Vectors | None:
        if value is None:
            return None
        try:
            vector = as_numbers(value)
        except ValueError as error:
            raise InputError(f"{self.name}: the vector of {word!r} is not numbers") from error
        if vector.ndim != 1 or not vector.size:
            raise InputError(f"{self.name}: the vector of {word!r} is not a list of numbers")
        return vector if np.isfinite(vector).all() and vector.any() else None

    def _check_sizes(self, vectors: Sequence[Vectors]) -> None:
        sizes = set(map(len, vectors))
        if len(sizes) > 1:
            raise InputError(f"{self.name}: vectors of {min(sizes)} and of {max(sizes)} numbers")


class LookupEmbedder(Embedder):
    """An embedder that looks words up in a table, by the rules of ``WordLookup``."""

    @abstractmethod
    def find(self, word: str) -> Any:
        """Return the vector of exactly this word, or None."""

    def compose(self, word: str) -> Any:
        """Return a vector for a single word that the table does not have, or None."""
        return None

    def embed(self, words: Sequence[str]) -> Vectors:
        """Look all words up."""
        return WordLookup(self.name, self.find, self.compose).rows(words)


def word_forms(word: str) -> list[str]:
    """Return the forms in which a word is looked up, the best first.

    >>> word_forms("New_York")
    ['New_York', 'New York', 'new_york', 'new york']
    """
    cases = (word, word.lower())
    return list(
        dict.fromkeys(
            form
            for case in cases
            for form in (case, case.replace(" ", "_"), case.replace("_", " "))
        )
    )


def all_word_forms(words: Sequence[str]) -> set[str]:
    """Return all forms that may be looked up for words: their own, and those of their parts.

    >>> sorted(all_word_forms(["ice_cream", "Oz"]))
    ['Oz', 'cream', 'ice', 'ice cream', 'ice_cream', 'oz']
    """
    parts = {part for word in words for part in spoken_form(word).split()}
    return {form for word in {*words, *parts} for form in word_forms(word)}


def as_numbers(values: Any) -> Vectors:
    """Return lists, arrays or tensors as one array; anything else is a ValueError.

    >>> as_numbers([[1, 2], (3.5, 4)])
    array([[1. , 2. ],
           [3.5, 4. ]])
    """
    array = np.asarray(_tensors_to_arrays(values))
    if array.dtype.kind not in "biufO":  # numpy would convert texts such as "1.5"
        raise ValueError(f"{array.dtype} is no kind of number")
    is_single = array.dtype in (np.float16, np.float32)
    try:
        with np.errstate(over="ignore"):  # a number that is too large becomes infinite
            return array.astype(np.float32 if is_single else np.float64)
    except (TypeError, OverflowError) as error:
        raise ValueError(str(error)) from error


def _tensors_to_arrays(values: Any) -> Any:
    """Convert tensors: numpy refuses those that have a gradient or are on another device."""
    if isinstance(values, list | tuple) and any(hasattr(one, "detach") for one in values):
        return [_tensors_to_arrays(one) for one in values]
    return values.detach().cpu().double().numpy() if hasattr(values, "detach") else values
