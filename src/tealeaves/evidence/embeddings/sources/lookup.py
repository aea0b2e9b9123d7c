"""Looking words up in a table of vectors."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.embedder import Embedder, spoken
from tealeaves.evidence.embeddings.sources.arrays import as_numbers
from tealeaves.evidence.embeddings.vectors import Vectors

# which of the rules below made vectors that are kept on disk: count on when one changes
VERSION = "lookup 1"


def nothing(word: str) -> Any:  # noqa: ARG001
    """Make no vector of a word that a table does not have, as most tables do."""
    return None


class Finder(NamedTuple):
    """Looks words up: a word as it is written, then in lower case.

    A term of several words is looked up joined by underscores and by spaces, as tables may have
    it; else it is the mean of its words, if all are there. A vector that has no direction (not
    finite, or all zeros) counts as none.

    Parameters
    ----------
    name
        What the table is called in messages.
    find
        Gives the vector of exactly this word, or None.
    compose
        Gives a vector that is made for a single word which the table does not have, or None.
    """

    name: str
    find: Callable[[str], Any]
    compose: Callable[[str], Any] = nothing

    def rows(self, words: Sequence[str]) -> Vectors:
        """Return a row for each word; NaN where there is none."""
        found = [self._vector(word) for word in words]
        there = [row for row in found if row is not None]
        if len(sizes := set(map(len, there))) > 1:
            raise self._unequal(sizes)
        kind = np.result_type(np.float32, *{row.dtype for row in there})
        empty = np.full(sizes.pop() if sizes else 1, np.nan, dtype=kind)
        rows = [empty if row is None else row for row in found]
        return np.array(rows, dtype=kind).reshape(len(rows), len(empty))

    def _vector(self, word: str) -> Vectors | None:
        for form in forms(word):
            found = self._numbers(form, self.find(form))
            if found is not None:
                return found
        parts = spoken(word).split()
        if parts == [word]:
            return self._numbers(word, self.compose(word))
        rows = [row for part in parts if (row := self._vector(part)) is not None]
        if not rows or len(rows) < len(parts):
            return None
        if len(sizes := set(map(len, rows))) > 1:
            raise self._unequal(sizes)
        kind = np.result_type(*rows)
        return np.asarray(np.mean(rows, axis=0, dtype=np.float64), dtype=kind)

    def _numbers(self, word: str, found: Any) -> Vectors | None:
        if found is None:
            return None
        try:
            row = as_numbers(found)
        except ValueError as error:
            raise InputError(f"{self.name}: the vector of {word!r} is not numbers") from error
        if row.ndim != 1 or not row.size:
            raise InputError(f"{self.name}: the vector of {word!r} is not a list of numbers")
        return row if row.any() and np.isfinite(row).all() else None

    def _unequal(self, sizes: set[int]) -> InputError:
        return InputError(f"{self.name}: vectors of {min(sizes)} and of {max(sizes)} numbers")


class Lookup(Embedder):
    """A table of words, in which they are looked up as by ``Finder``."""

    @abstractmethod
    def find(self, word: str) -> Any:
        """Return the vector of exactly this word, or None."""

    def compose(self, word: str) -> Any:
        """Return a vector that is made for a single word which the table does not have, or None."""
        return nothing(word)

    def embed(self, words: Sequence[str]) -> Vectors:
        """Look all words up."""
        return Finder(self.name, self.find, self.compose).rows(words)


def forms(word: str) -> list[str]:
    """Return how a word may stand in a table, the best first.

    >>> forms("New_York")
    ['New_York', 'New York', 'new_york', 'new york']
    """
    return list(dict.fromkeys(_forms(word)))


def all_forms(words: Sequence[str]) -> set[str]:
    """Return all that may be looked up for words: their forms, and those of their parts.

    >>> sorted(all_forms(["ice_cream", "Oz"]))
    ['Oz', 'cream', 'ice', 'ice cream', 'ice_cream', 'oz']
    """
    parts = {part for word in words for part in spoken(word).split()}
    return {form for word in {*words, *parts} for form in _forms(word)}


def _forms(word: str) -> Iterator[str]:
    for form in (word, word.lower()):
        yield form
        if " " in form or "_" in form:
            yield form.replace(" ", "_")
            yield form.replace("_", " ")
