"""Texts as a network reads them: word pieces, and the occurrences of requested words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.evidence.requests import Term

if TYPE_CHECKING:
    from tealeaves.arrays import Integers
    from tealeaves.evidence.attention.frame import Frame


@dataclass(frozen=True, eq=False)
class ReadText:
    """One text: its word pieces, and the occurrences of requested words.

    Parameters
    ----------
    pieces
        The word pieces with both ends, cut to what the network reads.
    words
        The number of the word that each piece belongs to, -1 for the ends.
    cut
        Whether words were cut off.
    terms
        The number of the requested word of each occurrence.
    starts, stops
        The pieces of each occurrence.
    """

    pieces: Integers
    words: Integers
    cut: bool
    terms: Integers
    starts: Integers
    stops: Integers

    def __len__(self) -> int:
        return len(self.pieces)


class TextReader:
    """Splits the tokens of texts into word pieces, and looks for terms in them.

    Each word is split by itself and once, with a tokenizer of the package transformers. A text is
    cut at ``longest`` pieces, with both ends; a word is read completely or not at all.
    """

    def __init__(self, tokenizer: Any, terms: Sequence[Term], longest: int) -> None:
        self._tokenizer = tokenizer
        self._most_pieces = longest - 2
        self._pieces: dict[str, list[int]] = {}
        # the requested words by their first token
        self._terms: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        for number, term in enumerate(terms):
            if term.tokens:
                self._terms.setdefault(term.tokens[0], []).append((term.tokens, number))

    def read(self, tokens: Sequence[str]) -> ReadText:
        """Read a text."""
        self._learn(tokens)
        ends, kept = [0], []
        for token in tokens:
            pieces = self._pieces[token]
            if ends[-1] + len(pieces) > self._most_pieces:
                break
            kept += pieces
            ends.append(ends[-1] + len(pieces))
        count = len(ends) - 1
        words = np.repeat(np.arange(count), np.diff(ends))
        occurrences = self._occurrences(tokens[:count], ends)
        first, last = self._tokenizer.cls_token_id, self._tokenizer.sep_token_id
        return ReadText(
            np.array([first, *kept, last], dtype=np.int64),
            np.concatenate([[-1], words, [-1]]).astype(np.int64),
            count < len(tokens),
            *np.array(occurrences, dtype=np.int64).reshape(-1, 3).T,
        )

    def _occurrences(
        self, tokens: Sequence[str], ends: Sequence[int]
    ) -> list[tuple[int, int, int]]:
        occurrences = []
        for start, token in enumerate(tokens):
            for sequence, number in self._terms.get(token, ()):
                stop = start + len(sequence)
                # a word without a piece is not seen; the first piece marks the start of the text
                if tuple(tokens[start:stop]) == sequence and ends[stop] > ends[start]:
                    occurrences.append((number, ends[start] + 1, ends[stop] + 1))
        return occurrences

    def _learn(self, tokens: Iterable[str]) -> None:
        """Split the words that are new."""
        new = [token for token in dict.fromkeys(tokens) if token not in self._pieces]
        if not new:
            return
        split = self._tokenizer(
            [[token] for token in new], is_split_into_words=True, add_special_tokens=False
        )
        self._pieces.update(zip(new, split["input_ids"], strict=True))


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of occurrences in one text, in both directions: the one that attends comes first.

    ``keys`` are those of the pairs of words: first number times the number of terms plus second.
    """

    keys: Integers
    left: Integers
    right: Integers

    def __len__(self) -> int:
        return len(self.keys)


def occurrence_pairs(text: ReadText, frame: Frame) -> Pairs:
    """Return all pairs of occurrences of two different words that are requested together."""
    size = len(text.terms)
    left, right = (side.ravel() for side in np.indices((size, size)))
    # words of several tokens may overlap with others
    apart = (text.stops[left] <= text.starts[right]) | (text.stops[right] <= text.starts[left])
    different = apart & (text.terms[left] != text.terms[right])
    left, right = left[different], right[different]
    keys = text.terms[left] * len(frame.terms) + text.terms[right]
    requested = frame.are_requested(keys)
    return Pairs(keys[requested], left[requested], right[requested])
