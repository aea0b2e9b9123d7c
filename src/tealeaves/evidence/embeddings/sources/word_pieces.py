"""Word pieces: which words a tokenizer of pieces knows, and vectors that are means of pieces.

Such a tokenizer accepts every word, and writes a word that it has never seen letter by letter. The
vectors of letters say nothing about a word: to MiniLM, which is English, all Russian words would be
alike. So words that are written letter by letter have no vector here.
"""

from __future__ import annotations

import re
import unicodedata
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tealeaves.arrays import Bools, Vectors, offsets
from tealeaves.evidence.embeddings.embeddings import Embedder, missing_vectors, spoken_form
from tealeaves.extras import require
from tealeaves.tensors import map_matrix

# The version of the rules that decide which words are known. It is part of fingerprints: count up
# when a rule changes, so that vectors on disk are made again.
PIECE_RULES = "pieces 1"

# The parts of a word, as they are written; None is a part that the tokenizer does not know.
Pieces = Sequence[str | None]
Splitter = Callable[[list[str]], list[Pieces]]

# From this share of single letters on, a word counts as written letter by letter. It must be below
# 1, since MiniLM has a few endings of Russian (р о с с ии), and above 3/5 (p y gm y).
_SINGLE_LETTER_SHARE = 2 / 3
_BYTE_TOKEN = re.compile(r"<0x[0-9A-F]{2}>")
_TOKEN_MARKS = ("##", "▁", "Ġ")  # what tokenizers write before a piece
_SCRIPTS_WITHOUT_SPACES = (
    *("CJK", "HIRAGANA", "KATAKANA", "HANGUL SYLLABLE", "BOPOMOFO"),
    *("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"),
)


def embed_known_terms(
    words: Sequence[str],
    encode: Callable[[list[str]], Any],
    split: Splitter,
    *,
    characters: bool,
    dimensions: int,
) -> Vectors:
    """Encode the words that the tokenizer knows; all others have a row of NaN.

    Parameters
    ----------
    words
        Words as topics write them.
    encode
        Returns one row per term.
    split, characters
        As for ``known_terms``.
    dimensions
        The length of rows, used if no word is known.
    """
    terms = [spoken_form(word) for word in words]
    numbers = np.flatnonzero(known_terms(terms, split, characters=characters))
    if not len(numbers):
        return missing_vectors(words, dimensions)
    rows = encode([terms[number] for number in numbers])
    vectors = missing_vectors(words, rows.shape[1])
    vectors[numbers] = rows
    return vectors


def known_terms(terms: Iterable[str], split: Splitter, *, characters: bool) -> Bools:
    """Tell for each term whether all of its words are known by their pieces.

    Parameters
    ----------
    terms
        Words, or several words with spaces between them.
    split
        Returns the pieces of each word.
    characters
        Whether a single character of a script without spaces, such as Chinese, counts as known. It
        does not for an embedding that was made for English.
    """
    words_of_terms = [term.split() for term in terms]
    words = list(dict.fromkeys(w for words in words_of_terms for w in words if _is_encodable(w)))
    pieces_of_words = zip(words, split(words) if words else [], strict=True)
    known = {word for word, pieces in pieces_of_words if is_known(pieces, characters=characters)}
    return np.array([bool(part) and known.issuperset(part) for part in words_of_terms], dtype=bool)


def is_known(pieces: Pieces, *, characters: bool) -> bool:
    """Tell whether all pieces of a word are known and it is not written letter by letter.

    Letters that stand alone in the word itself, as in ``u.s.`` and ``3d``, do not count as such.

    >>> is_known(["m", "il", "k"], characters=False)
    True
    >>> is_known(["п", "р", "и"], characters=False)
    False
    >>> is_known(["u", ".", "s", "."], characters=False)
    True
    """
    texts = [piece for piece in pieces if piece is not None]
    if not texts or len(texts) < len(pieces):
        return False
    letters = single_letters = 0
    for run in _runs_of_letters(texts):
        letters += len(run)
        if len(run) > 1:
            single_letters += sum(
                is_single and not (characters and _has_no_spaces(letter))
                for letter, is_single in run
            )
    return not letters or single_letters < _SINGLE_LETTER_SHARE * letters


def _is_encodable(word: str) -> bool:
    """Tell whether a word can be written in UTF-8: half of a surrogate pair cannot."""
    return not any("\ud800" <= character <= "\udfff" for character in word)


def _runs_of_letters(pieces: Iterable[str]) -> Iterator[list[tuple[str, bool]]]:
    """Yield the runs of letters in a word; each letter with whether it is a piece of its own."""
    characters = [
        (character, sum(map(str.isalpha, piece)) == 1)
        for piece in pieces
        for character in piece
        if not unicodedata.category(character).startswith("M")
    ]
    for are_letters, run in groupby(characters, key=lambda pair: pair[0].isalpha()):
        if are_letters:
            yield list(run)


def _has_no_spaces(character: str) -> bool:
    """Tell whether a character belongs to a script that puts no spaces between words."""
    return unicodedata.name(character, "").startswith(_SCRIPTS_WITHOUT_SPACES)


def pieces_of(encoding: Any, word: str, unknown: frozenset[int]) -> Pieces:
    """Return the pieces of a word from an ``Encoding`` of the package tokenizers.

    They are cut out of the word by the offsets of the encoding: the names of tokens may have marks,
    stripped accents or bytes instead.
    """
    pieces: list[str | None] = []
    before = (-1, -1)
    for number, token, place in zip(encoding.ids, encoding.tokens, encoding.offsets, strict=True):
        if number not in unknown and not _without_marks(token):
            continue  # a space
        start, end = place
        if number in unknown or _BYTE_TOKEN.fullmatch(token):
            pieces.append(None)
        elif place == before and end - start == 1:
            pieces.append(None)  # a part of a character
        else:
            pieces.append(word[start:end].strip())
        before = place
    return pieces


def _without_marks(token: str) -> str:
    for mark in _TOKEN_MARKS:
        token = token.removeprefix(mark)
    return token


def piece_splitter(tokenizer: Any) -> Splitter:
    """Return a function that splits words by a tokenizer of the package tokenizers."""
    added = tokenizer.get_added_tokens_decoder()
    special = {number for number, token in added.items() if token.special}
    unknown_token = tokenizer.token_to_id(getattr(tokenizer.model, "unk_token", None) or "")
    unknown = frozenset(special if unknown_token is None else special | {unknown_token})

    def split(words: list[str]) -> list[Pieces]:
        encodings = tokenizer.encode_batch(words, add_special_tokens=False)
        pairs = zip(encodings, words, strict=True)
        return [pieces_of(encoding, word, unknown) for encoding, word in pairs]

    return split


class PieceTable(NamedTuple):
    """A tokenizer of the package tokenizers, and the row of each of its tokens."""

    tokenizer: Any
    rows: Vectors

    @classmethod
    def read(cls, tokenizer: Path, weights: Path, tensor: str, *, extra: str) -> PieceTable:
        """Read a tokenizer, and map a tensor of a safetensors file."""
        library = require("tokenizers", extra=extra, reason="this embedding")
        loaded = library.Tokenizer.from_file(str(tokenizer))
        loaded.no_padding()
        loaded.no_truncation()
        return cls(loaded, map_matrix(weights, tensor))


class StaticEmbedder(Embedder):
    """The unweighted mean of the vectors of a word's tokens, without special tokens."""

    batch = 8192

    @abstractmethod
    def load(self) -> PieceTable:
        """Read the table."""

    @cached_property
    def _table(self) -> PieceTable:
        return self.load()

    @cached_property
    def _split(self) -> Splitter:
        return piece_splitter(self._table.tokenizer)

    def embed(self, words: Sequence[str]) -> Vectors:
        """Average the tokens of each word."""
        dimensions = self._table.rows.shape[1]
        return embed_known_terms(
            words, self._encode, self._split, characters=False, dimensions=dimensions
        )

    def _encode(self, terms: list[str]) -> Vectors:
        encodings = self._table.tokenizer.encode_batch(terms, add_special_tokens=False)
        sizes = np.array([len(encoding.ids) for encoding in encodings])
        ids = (token for encoding in encodings for token in encoding.ids)
        tokens = np.fromiter(ids, np.int64, sizes.sum())
        starts = offsets(sizes)[:-1]
        sums = np.add.reduceat(self._table.rows[tokens].astype(np.float32), starts, axis=0)
        return np.asarray(sums / sizes[:, None], dtype=np.float32)
