"""``Embeddings``: words to vectors, from whatever gives them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from threading import RLock
from typing import Any

import numpy as np

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.evidence.embeddings.cache import VectorCache
from tealeaves.evidence.embeddings.embedder import Embedder
from tealeaves.evidence.embeddings.vectors import Vectors, WordVectors, usable

_MANY = 1 / 3  # from this share of unknown words on, something is wrong
_FEWEST = 5  # of fewer words no share is taken
_NAMED = 5
_PACKAGE = __name__.partition(".")[0]


class Embeddings:
    """Words to vectors: in batches, each word once, kept in memory and on disk.

    Several threads may share one; it can be copied and sent to other processes, without the model.

    >>> toy = Embeddings.of({"cat": [1.0, 0.0], "dog": [0.6, 0.8]}, name="toy")
    >>> vectors = toy.vectors(["cat", "dog", "xyz"])
    >>> vectors.unknown
    ('xyz',)

    Parameters
    ----------
    embedder
        Where the vectors come from.
    name
        What to call it; by default what the embedder is called.
    cache
        Whether they are kept on disk; only those of an embedder with a fingerprint are.
    """

    def __init__(self, embedder: Embedder, *, name: str = "", cache: bool = True) -> None:
        self.embedder = embedder
        self.name = name or embedder.name
        self._cache = cache
        self._disk: VectorCache | None = None
        self._kept: dict[str, Vectors] = {}
        self._lock = RLock()

    @classmethod
    def of(cls, given: Any, *, name: str = "", cache: bool = True) -> Embeddings:
        """Take whatever gives vectors.

        Parameters
        ----------
        given
            The name of an embedding (``tealeaves embeddings`` lists them), a file of word2vec,
            GloVe or fastText, a model of Hugging Face by its name or folder, a mapping from words,
            a function from words to rows, or anything with ``encode``.
        name
            What to call it in expressions and signatures.
        cache
            Whether vectors are kept on disk.
        """
        from tealeaves.evidence.embeddings.opening import embedder_of

        if isinstance(given, Embeddings):
            return given._called(name or given.name, cache=cache and given._cache)
        if isinstance(given, Embedder):  # which may be used elsewhere, by its own name
            return cls(given, name=name, cache=cache)
        embedder = embedder_of(given)
        embedder.name = name or embedder.name
        return cls(embedder, cache=cache)

    def _called(self, name: str, *, cache: bool) -> Embeddings:
        """Return the same by another name, with what it knows already."""
        if (name, cache) == (self.name, self._cache):
            return self
        other = type(self)(self.embedder, name=name, cache=cache)
        other._kept, other._lock = self._kept, self._lock
        return other

    def vectors(
        self, words: Iterable[str], *, further: Iterable[str] = (), progress: bool = False
    ) -> WordVectors:
        """Return the vectors of words; those that have none are NaN, with a warning if many.

        ``further`` words, such as stop words, are not counted for the warning.
        """
        judged = _checked(words)
        asked = list(dict.fromkeys([*judged, *_checked(further)]))
        with self._lock:
            missing = [word for word in asked if word not in self._kept]
            if missing:
                self._read(missing)
                self._embed([word for word in missing if word not in self._kept], progress=progress)
            found = WordVectors(
                self.name,
                self.embedder.fingerprint,
                {word: number for number, word in enumerate(asked)},
                self._matrix(asked),
                self.embedder.codes,
            )
        self._warn(found, judged)
        return found

    def _read(self, words: Sequence[str]) -> None:
        if not self._cache or not self.embedder.fingerprint:
            return
        if self._disk is None:
            self._disk = VectorCache(type(self.embedder).__name__, self.embedder.fingerprint)
        self._kept |= self._disk.read(words)

    def _embed(self, words: Sequence[str], *, progress: bool) -> None:
        for part in _batches(words, self.embedder.batch, self.name, progress=progress):
            rows = np.asarray(self.embedder.embed(part))
            if rows.ndim != 2 or len(rows) != len(part):
                size = "×".join(map(str, rows.shape))
                raise InputError(
                    f"{self.name}: {len(part)} words gave an array of {size}, not a row for each"
                )
            if self.embedder.fingerprint:
                with np.errstate(over="ignore"):
                    rows = rows.astype(np.float32)  # as they come from the disk
            new = dict(zip(part, usable(rows), strict=True))
            if self._disk is not None:
                self._disk.write(new)
            self._kept |= {
                word: row[:0] if np.isnan(row).any() else row for word, row in new.items()
            }

    def _matrix(self, words: Sequence[str]) -> Vectors:
        """Put the rows of words together, in which those without a vector are empty."""
        rows = [self._kept[word] for word in words]
        sizes = set(map(len, rows)) - {0}
        if len(sizes) > 1:
            raise InputError(f"{self.name}: vectors of {min(sizes)} and of {max(sizes)} numbers")
        kind = np.result_type(np.float32, *{row.dtype for row in rows})
        matrix = np.full((len(words), sizes.pop() if sizes else 1), np.nan, dtype=kind)
        for number, row in enumerate(rows):
            if len(row):
                matrix[number] = row
        return matrix

    def _warn(self, found: WordVectors, words: Sequence[str]) -> None:
        unknown = [word for word in words if word not in found.known]
        if len(words) < _FEWEST or len(unknown) <= _MANY * len(words):
            return
        named = ", ".join(sorted(unknown)[:_NAMED]) + (" …" if len(unknown) > _NAMED else "")
        made_for = f"; it was made for {self.embedder.languages}" if self.embedder.languages else ""
        warnings.warn(
            f"{self.name} has no vector for {len(unknown)} of {len(words)} words "
            f"({named}){made_for}: `tealeaves embeddings` lists others",
            TealeavesWarning,
            stacklevel=_levels_to_caller(),
        )

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what belongs to this process."""
        with self._lock:  # another thread may be adding words
            return {**self.__dict__, "_kept": dict(self._kept), "_disk": None, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=RLock())

    def __repr__(self) -> str:
        return f"Embeddings({self.name})"


def _checked(words: Iterable[str]) -> list[str]:
    """Return words once each; a text is no list of words, nor is a table."""
    if isinstance(words, str | bytes) or hasattr(words, "columns"):
        raise InputError(f"vectors are for a list of words, not for a {type(words).__name__}")
    found: list[Any] = list(words)
    for word in found:
        if not isinstance(word, str):
            raise InputError(f"vectors are for words, not for a {type(word).__name__}: {word}")
    return list(dict.fromkeys(found))


def _levels_to_caller() -> int:
    """Return how far up the line is that called this package: warnings are about that one."""
    level, frame = 0, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        level, frame = level + 1, frame.f_back
    return level + 1


def _batches(
    words: Sequence[str], size: int, name: str, *, progress: bool
) -> Iterator[Sequence[str]]:
    if not words:
        return
    from tqdm.auto import tqdm

    with tqdm(
        total=len(words),
        desc=f"embedding ({name})",
        unit="word",
        disable=None if progress else True,
        leave=False,
    ) as bar:
        for start in range(0, len(words), size):
            part = words[start : start + size]
            yield part
            bar.update(len(part))
