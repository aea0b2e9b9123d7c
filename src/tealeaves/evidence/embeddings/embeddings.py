"""Embeddings: the vectors of words, each computed once and kept in memory and on disk."""

from __future__ import annotations

import hashlib
import sys
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import RLock
from typing import Any

import numpy as np

from tealeaves.arrays import Floats, Vectors, little_endian_bytes
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.evidence.embeddings.cache import VectorCache
from tealeaves.jobs import progress_bar

_UNKNOWN_SHARE = 1 / 3  # a larger share of words without a vector is worth a warning
_FEWEST_WORDS = 5  # fewer words than these give no share worth a warning
_WORDS_SHOWN = 5  # in the warning
_PACKAGE = __name__.partition(".")[0]


class Embedder(ABC):
    """Turns words into vectors. The weights are loaded when the first word is embedded.

    Words are written as in the topics. A term of several words is one of them (``new york``,
    ``new_york``).
    """

    #: What it is called in expressions, such as ``isim(embedding=wordllama)``.
    name: str = "given"
    #: The languages that it was made for, in words; empty if they are not known.
    languages: str = ""
    #: The codes of these languages, such as ``en``.
    codes: frozenset[str] = frozenset()
    #: How many words are embedded at a time, and written to disk before the next ones.
    batch: int = 1024

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """What identifies the weights, so that vectors can be kept on disk; "" if nothing does.

        It must be known without loading the weights.
        """

    @abstractmethod
    def embed(self, words: Sequence[str]) -> Vectors:
        """Return one row per word; a word that the embedding does not know has a row of NaN.

        The row of a word must not depend on the other words.
        """

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the loaded weights when an embedder is copied or sent to another process."""
        kind = type(self)
        return {
            name: value
            for name, value in self.__dict__.items()
            if not isinstance(getattr(kind, name, None), cached_property)
        }


def spoken_form(word: str) -> str:
    """Return a word as it stands in a sentence: many models join terms by underscores.

    >>> spoken_form("new_york")
    'new york'
    """
    return " ".join(word.replace("_", " ").split())


def missing_vectors(words: Sequence[str], dimensions: int) -> Vectors:
    """Return one row of NaN per word."""
    return np.full((len(words), dimensions), np.nan, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class WordVectors:
    """The vectors of some words, from one embedding; an unknown word has a row of NaN.

    >>> toy = WordVectors("toy", "", {"cat": 0, "xyz": 1}, np.array([[3.0, 4.0], [np.nan] * 2]))
    >>> toy.of(["cat", "xyz"])
    array([[ 3.,  4.],
           [nan, nan]])
    >>> toy.unknown
    ('xyz',)

    Parameters
    ----------
    name
        What the embedding is called.
    fingerprint
        What identifies its weights, for signatures; "" if that is not known.
    numbers
        The number of each word's row.
    matrix
        The rows.
    codes
        The languages that the embedding was made for, such as ``en``; empty if not known.
    """

    name: str
    fingerprint: str
    numbers: Mapping[str, int]
    matrix: Vectors
    codes: frozenset[str] = frozenset()

    def of(self, words: Iterable[str]) -> Floats:
        """Return the rows of words; each must be among the words of this object."""
        rows = np.fromiter((self.numbers[word] for word in words), dtype=np.int64)
        return self.matrix[rows].astype(np.float64)

    @cached_property
    def known(self) -> frozenset[str]:
        """The words that have a vector."""
        finite = np.asarray(np.isfinite(self.matrix).all(axis=1))
        return frozenset(word for word, row in self.numbers.items() if finite[row])

    @property
    def unknown(self) -> tuple[str, ...]:
        """The words that have no vector."""
        return tuple(word for word in self.numbers if word not in self.known)

    def signature(self, words: Iterable[str]) -> str:
        """Return the name and the fingerprint, or a digest of these vectors if there is none."""
        return f"{self.name}:{self.fingerprint[:8] or self._digest(words)}"

    def _digest(self, words: Iterable[str]) -> str:
        digest = hashlib.blake2b(digest_size=4)
        for word in sorted(words):
            row = self.matrix[self.numbers[word]]
            digest.update(word.encode("utf-8", "surrogatepass") + b"\0" + little_endian_bytes(row))
        return digest.hexdigest()


class Embeddings:
    """Gives words their vectors: in batches, each word once, kept in memory and on disk.

    Several threads may share one object. It can be copied and sent to other processes; the loaded
    weights stay behind.

    >>> toy = Embeddings.of({"cat": [1.0, 0.0], "dog": [0.6, 0.8]}, name="toy")
    >>> vectors = toy.vectors(["cat", "dog", "xyz"])
    >>> vectors.unknown
    ('xyz',)

    Parameters
    ----------
    embedder
        What computes the vectors.
    name
        What to call it; by default the name of the embedder.
    cache
        Whether vectors are kept on disk. Those of an embedder without a fingerprint never are.
    """

    def __init__(self, embedder: Embedder, *, name: str = "", cache: bool = True) -> None:
        self.embedder = embedder
        self.name = name or embedder.name
        self._cache = cache
        self._disk: VectorCache | None = None
        self._rows: dict[str, Vectors] = {}  # an empty row: the word has no vector
        self._lock = RLock()

    @classmethod
    def of(cls, source: Any, *, name: str = "", cache: bool = True) -> Embeddings:
        """Return embeddings from anything that gives vectors.

        Parameters
        ----------
        source
            The name of an embedding (``tealeaves embeddings`` lists them), a file of word2vec,
            GloVe or fastText, a model of Hugging Face by its name or folder, a mapping from words,
            a function from words to rows, or anything with ``encode``.
        name
            What to call it in expressions and signatures.
        cache
            Whether vectors are kept on disk.
        """
        from tealeaves.evidence.embeddings.choice import make_embedder

        if isinstance(source, Embeddings):
            return source._renamed(name or source.name, cache=cache and source._cache)
        if isinstance(source, Embedder):  # it keeps its own name: it may be used elsewhere
            return cls(source, name=name, cache=cache)
        embedder = make_embedder(source)
        embedder.name = name or embedder.name
        return cls(embedder, cache=cache)

    def _renamed(self, name: str, *, cache: bool) -> Embeddings:
        """Return these embeddings under another name; both share the vectors in memory."""
        if (name, cache) == (self.name, self._cache):
            return self
        other = type(self)(self.embedder, name=name, cache=cache)
        other._rows, other._lock = self._rows, self._lock
        return other

    def vectors(
        self, words: Iterable[str], *, further: Iterable[str] = (), progress: bool = False
    ) -> WordVectors:
        """Return the vectors of words, and warn if many words have none.

        ``further`` words, such as stop words, do not count for the warning.
        """
        topic_words = _unique_words(words)
        all_words = list(dict.fromkeys([*topic_words, *_unique_words(further)]))
        with self._lock:
            new = [word for word in all_words if word not in self._rows]
            if new:
                self._read_disk(new)
                self._embed([word for word in new if word not in self._rows], progress=progress)
            vectors = WordVectors(
                self.name,
                self.embedder.fingerprint,
                {word: number for number, word in enumerate(all_words)},
                self._matrix(all_words),
                self.embedder.codes,
            )
        self._warn_about_unknown(vectors, topic_words)
        return vectors

    def _read_disk(self, words: Sequence[str]) -> None:
        if not self._cache or not self.embedder.fingerprint:
            return
        if self._disk is None:
            self._disk = VectorCache(type(self.embedder).__name__, self.embedder.fingerprint)
        self._rows |= self._disk.read(words)

    def _embed(self, words: Sequence[str], *, progress: bool) -> None:
        for batch in _batches(words, self.embedder.batch, self.name, progress=progress):
            rows = np.asarray(self.embedder.embed(batch))
            if rows.ndim != 2 or len(rows) != len(batch):
                size = "×".join(map(str, rows.shape))
                raise InputError(
                    f"{self.name}: {len(batch)} words gave an array of {size}, not one row per word"
                )
            if self.embedder.fingerprint:
                with np.errstate(over="ignore"):
                    rows = rows.astype(np.float32)  # the precision of the vectors on disk
            new = dict(zip(batch, _without_direction_as_nan(rows), strict=True))
            if self._disk is not None:
                self._disk.write(new)
            self._rows |= {
                word: row[:0] if np.isnan(row).any() else row for word, row in new.items()
            }

    def _matrix(self, words: Sequence[str]) -> Vectors:
        rows = [self._rows[word] for word in words]
        sizes = set(map(len, rows)) - {0}
        if len(sizes) > 1:
            raise InputError(f"{self.name}: vectors of {min(sizes)} and of {max(sizes)} numbers")
        kind = np.result_type(np.float32, *{row.dtype for row in rows})
        matrix = np.full((len(words), sizes.pop() if sizes else 1), np.nan, dtype=kind)
        for number, row in enumerate(rows):
            if len(row):
                matrix[number] = row
        return matrix

    def _warn_about_unknown(self, vectors: WordVectors, words: Sequence[str]) -> None:
        unknown = [word for word in words if word not in vectors.known]
        if len(words) < _FEWEST_WORDS or len(unknown) <= _UNKNOWN_SHARE * len(words):
            return
        examples = ", ".join(sorted(unknown)[:_WORDS_SHOWN])
        more = " …" if len(unknown) > _WORDS_SHOWN else ""
        made_for = f"; it was made for {self.embedder.languages}" if self.embedder.languages else ""
        warnings.warn(
            f"{self.name} has no vector for {len(unknown)} of {len(words)} words "
            f"({examples}{more}){made_for}: `tealeaves embeddings` lists others",
            TealeavesWarning,
            stacklevel=_levels_to_caller(),
        )

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the lock and the open cache, which belong to this process."""
        with self._lock:  # another thread may be adding words
            return {**self.__dict__, "_rows": dict(self._rows), "_disk": None, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=RLock())

    def __repr__(self) -> str:
        return f"Embeddings({self.name})"


def _unique_words(words: Iterable[str]) -> list[str]:
    """Return each word once; refuse a text or a table, which is iterable but no list of words."""
    if isinstance(words, str | bytes) or hasattr(words, "columns"):
        raise InputError(f"vectors are for a list of words, not for a {type(words).__name__}")
    listed: list[Any] = list(words)
    for word in listed:
        if not isinstance(word, str):
            raise InputError(f"vectors are for words, not for a {type(word).__name__}: {word}")
    return list(dict.fromkeys(listed))


def _without_direction_as_nan(rows: Vectors) -> Vectors:
    """Replace rows that have no direction (all zeros, or not finite) by rows of NaN."""
    copy = np.array(rows, dtype=np.result_type(rows, np.float32), ndmin=2)
    with np.errstate(over="ignore", invalid="ignore"):
        length = np.linalg.norm(copy.astype(np.float64), axis=1)
    copy[~(np.isfinite(length) & (length > 0))] = np.nan
    return copy


def _batches(
    words: Sequence[str], size: int, name: str, *, progress: bool
) -> Iterator[Sequence[str]]:
    if not words:
        return
    title = f"embedding ({name})"
    with progress_bar(len(words), title, shown=progress, unit="word", leave=False) as bar:
        for start in range(0, len(words), size):
            batch = words[start : start + size]
            yield batch
            bar.update(len(batch))


def _levels_to_caller() -> int:
    """Return the stack level of the code that called this package: the warning names its line."""
    level, frame = 0, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        level, frame = level + 1, frame.f_back
    return level + 1
