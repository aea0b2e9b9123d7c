"""``Eras``: the years of first use of the words of one language."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.evidence.eras.deriving import first_years
from tealeaves.evidence.eras.rows import Asked, dated_rows, folded
from tealeaves.text.languages import language_code
from tealeaves.text.lemmas import lemmatizer, lemmatizer_version

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Eras:
    """Years of first use of the words of one language.

    A word is looked up in lower case and normal form C, and where it is not in the table, its lemma
    is. Lemmas need the extra ``langs`` and a language that it knows; ``lemmas`` tells whether
    they are looked up.

    >>> eras = Eras({"king": 900, "software": 1958})
    >>> eras.year("King"), eras.year("xylophone"), len(eras)
    (900.0, None, 2)
    """

    def __init__(self, given: Any, language: str = "en") -> None:
        self.language = language_code(language) or language.lower()
        self._years = _read(given)

    @classmethod
    def open(cls, given: Any, language: str = "en") -> Eras:
        """Read years of words; ``Eras`` are returned as they are.

        Parameters
        ----------
        given
            A table (``.tsv``, ``.csv``, ``.txt``, ``.jsonl``, ``.json``, ``.parquet``, compressed
            or not), a data frame, or a mapping from words to years. Without a header, the first
            column has the words, and the first column of numbers the years. A word that stands
            there several times has the earliest of its years.
        language
            The language of the words.
        """
        if isinstance(given, Eras):
            return given
        return cls(given, language)

    def year(self, word: str) -> float | None:
        """Return the year of a word, else that of its lemma, else None."""
        plain = folded(word)
        found = self._years.get(plain)
        if found is None and self._lemma is not None and plain:
            found = self._years.get(folded(self._lemma(plain)))
        return None if found is None else float(found)

    def years(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return the years of words, NaN where they are not known."""
        import numpy as np

        # None becomes NaN
        return np.array([self.year(word) for word in words], dtype=np.float64)

    @property
    def lemmas(self) -> bool:
        """Whether lemmas are looked up where words are not in the table."""
        return self._lemma is not None

    @cached_property
    def _lemma(self) -> Callable[[str], str] | None:
        try:
            return lemmatizer(self.language, lower=True)
        except (MissingExtraError, InputError):  # not installed, or not of this language
            return None

    @cached_property
    def signature(self) -> str:
        """What all years depend on: the table, the language and the lemmatizer."""
        lemmas = lemmatizer_version() if self.lemmas else ""
        digest = blake2b(f"{self.language}\n{lemmas}".encode(), digest_size=8)
        for word, year in sorted(self._years.items()):
            digest.update(f"\n{word}\t{year}".encode())
        return digest.hexdigest()

    def __len__(self) -> int:
        return len(self._years)

    def __repr__(self) -> str:
        return f"Eras({self.language}: {len(self)} words)"


def _read(given: Any) -> dict[str, int]:
    where = os.fspath(given) if isinstance(given, str | os.PathLike) else "the years of words"
    return first_years(dated_rows(given, Asked()), where)
