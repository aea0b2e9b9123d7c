"""``VectorFile``: a file of word vectors, of which only the asked words are read."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from tealeaves.evidence.embeddings.contents import check_unchanged, content_hash, states_of
from tealeaves.evidence.embeddings.embedder import Embedder
from tealeaves.evidence.embeddings.sources.lookup import VERSION, Finder, all_forms, nothing
from tealeaves.evidence.embeddings.sources.weights import fingerprint
from tealeaves.evidence.embeddings.vectors import Vectors


class Scan(NamedTuple):
    """What one reading of a file found.

    ``compose`` gives a vector for a word that the file does not have, where the format can.
    """

    rows: Mapping[bytes, Any]
    compose: Callable[[str], Any] = nothing

    def find(self, word: str) -> Any:
        """Return what was found for exactly this word."""
        return self.rows.get(encoded(word))


class VectorFile(Embedder):
    """A file with a vector for each of many words.

    Such files have gigabytes. One is read once for all words that are asked together, and only
    their vectors are kept. Words are looked up as in any table of words.

    Parameters
    ----------
    path
        Where the file is.
    name
        What it is called in messages and expressions.
    compression
        The suffix of what it is compressed with, or nothing.
    """

    #: What the format is called in the fingerprint.
    layout: str = ""
    batch = sys.maxsize

    def __init__(self, path: Path, *, name: str, compression: str = "") -> None:
        self.name = name
        self._path = path.absolute()  # the working folder may be another one later
        self._file = name  # in messages, whatever the embedding is called later
        self._compression = compression
        self._states = states_of([path])

    @cached_property
    def fingerprint(self) -> str:
        """The content of the file, and how it is read."""
        self._check_unchanged()
        found = content_hash(self._path)
        self._check_unchanged()
        return fingerprint(found, self.layout, VERSION)

    @abstractmethod
    def scan(self, wanted: set[bytes]) -> Scan:
        """Read the file once, and return the rows of those wanted words that it has.

        Where the file has a word twice, the first counts.
        """

    def embed(self, words: Sequence[str]) -> Vectors:
        """Read the file for all words, and look them up in what was found."""
        wanted = {encoded(form) for form in all_forms(words)} - {b""}
        self._check_unchanged()
        scan = self.scan(wanted) if wanted else Scan({})
        found = Finder(self.name, scan.find, scan.compose).rows(words)
        self._check_unchanged()
        return found

    def _check_unchanged(self) -> None:
        check_unchanged([self._path], self._states, self._file)


def encoded(word: str) -> bytes:
    """Return the bytes of a word as files have it; none for what no file can have.

    The bytes of files are compared as they are: words that are not UTF-8 are never found.
    """
    try:
        return word.encode("utf-8")
    except UnicodeEncodeError:  # half of a surrogate pair
        return b""
