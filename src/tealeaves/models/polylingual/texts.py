"""The texts of several languages a model is trained on, as numbers of words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tealeaves.models.texts import TrainingTexts


@dataclass(frozen=True, eq=False)
class PolylingualTexts:
    """Tuples of documents, each document a sequence of words of its language's vocabulary.

    The words of tuple d in language l are ``words[starts[d * L + l]:starts[d * L + l + 1]]``, L
    being the number of languages. A document that is linked to none is a tuple by itself, and a
    tuple of which no word is left stays, without words. Texts of one language are tuples of one
    document each: those of plain LDA.

    Parameters
    ----------
    languages, vocabularies
        The languages, and the words of each.
    starts, words
        Where the words of each document start, and their numbers in the language's vocabulary.
    keys
        The key of each tuple; nothing for a document that is linked to none.
    ids
        A name of its own for each tuple; empty where they have none.
    there
        Which documents there are: a row a tuple, a column a language. By default those with words.
    tokens, signatures
        The token pipelines of the languages, and all that decides their tokens.
    name, digest
        What the texts are called, and what tells them and their links from any others.

    >>> texts = PolylingualTexts(
    ...     ("en", "sv"),
    ...     (("king",), ("hus", "kung")),
    ...     starts=np.array([0, 2, 3, 3, 4]),
    ...     words=np.array([0, 0, 1, 0]),
    ... )
    >>> len(texts), texts.tuple_of(0), texts.tuple_of(1)
    (2, [['king', 'king'], ['kung']], [[], ['hus']])
    """

    languages: tuple[str, ...]
    vocabularies: tuple[tuple[str, ...], ...]
    starts: NDArray[np.int64]
    words: NDArray[np.int32]
    keys: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    there: NDArray[np.bool_] | None = None
    tokens: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    name: str = "memory"
    digest: str = ""

    @classmethod
    def of_one_language(cls, texts: TrainingTexts, signature: str = "") -> PolylingualTexts:
        """Take texts of one language for tuples of one document each."""
        return cls(
            (texts.language,),
            (texts.vocabulary,),
            texts.starts,
            texts.numbers,
            ("",) * len(texts),
            texts.document_ids or (),
            np.ones((len(texts), 1), dtype=np.bool_),
            (texts.tokens,),
            (signature or texts.tokens,),
            texts.name,
            texts.digest,
        )

    def __len__(self) -> int:
        return (len(self.starts) - 1) // len(self.languages)

    def tuple_of(self, row: int) -> list[list[str]]:
        """Return the words of one tuple, language by language."""
        first = row * len(self.languages)
        spans = zip(self.starts[first:], self.starts[first + 1 :], self.vocabularies, strict=False)
        return [
            [vocabulary[number] for number in self.words[start:stop].tolist()]
            for start, stop, vocabulary in spans
        ]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each document: a row a tuple, a column a language."""
        return np.diff(self.starts).reshape(-1, len(self.languages))

    @property
    def document_languages(self) -> NDArray[np.bool_]:
        """Which languages each tuple has a document in: a row a tuple, a column a language."""
        return self.lengths > 0 if self.there is None else self.there

    @cached_property
    def token_languages(self) -> NDArray[np.int64]:
        """The position of each token's language."""
        places = np.tile(np.arange(len(self.languages)), len(self))
        return np.repeat(places, np.diff(self.starts))

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Where the words of each language start when all vocabularies are laid end to end."""
        return np.cumsum([0, *map(len, self.vocabularies)])

    def term_frequency(self, language: int) -> NDArray[np.int64]:
        """Return how often each word of a language occurs."""
        size = len(self.vocabularies[language])
        return np.bincount(self.words[self.token_languages == language], minlength=size)

    def document_frequency(self) -> NDArray[np.int64]:
        """Return in how many documents each word occurs, all languages laid end to end."""
        total = int(self.offsets[-1])
        rows = np.repeat(np.arange(len(self)), self.lengths.sum(axis=1))
        placed = self.words + self.offsets[self.token_languages]
        return np.bincount(np.unique(rows * total + placed) % max(total, 1), minlength=total)

    def limited(self, *, min_df: int = 1, max_df: float = 1.0) -> PolylingualTexts:
        """Leave out words in too few, or too large a share, of their own language's documents."""
        frequency = self.document_frequency()
        sizes = [len(words) for words in self.vocabularies]
        documents = np.repeat(self.document_languages.sum(axis=0), sizes)
        kept = (frequency >= min_df) & (frequency <= max_df * documents)
        self._check_kept(kept, min_df, max_df)
        renumbered = np.concatenate([np.cumsum(part) - 1 for part in self._parted(kept)])
        placed = self.words + self.offsets[self.token_languages]
        left = kept[placed]
        starts = np.concatenate([[0], np.cumsum(left)])[self.starts]
        vocabularies = tuple(
            tuple(word for word, keep in zip(words, part.tolist(), strict=True) if keep)
            for words, part in zip(self.vocabularies, self._parted(kept), strict=True)
        )
        return replace(
            self,
            vocabularies=vocabularies,
            starts=starts.astype(np.int64),
            words=renumbered[placed[left]].astype(np.int32),
        )

    def _parted(self, values: NDArray[np.bool_]) -> Sequence[NDArray[np.bool_]]:
        """Cut what is laid end to end into the parts of the languages."""
        return np.split(values, self.offsets[1:-1])

    def _check_kept(self, kept: NDArray[np.bool_], min_df: int, max_df: float) -> None:
        for place, part in enumerate(self._parted(kept)):
            if not part.any():
                count = int(self.document_languages[:, place].sum())
                which = f"of {self.languages[place]} " if len(self.languages) > 1 else ""
                raise InputError(
                    f"{self.name}: no word {which}is in at least {min_df} and at most "
                    f"{max_df:.0%} of the {count} texts: set min_df and max_df"
                )
