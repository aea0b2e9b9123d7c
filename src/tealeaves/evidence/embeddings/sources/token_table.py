"""Static embeddings: a vector for each token, and a word is the mean of its tokens."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.embedder import Embedder, spoken
from tealeaves.evidence.embeddings.sources.pieces import Pieces, pieces_of, supported
from tealeaves.evidence.embeddings.vectors import Vectors, no_vectors
from tealeaves.extras import require

_KINDS = {"F32": "<f4", "F16": "<f2", "F64": "<f8"}
_PREFIX = 8  # bytes that say how long the header is


class TokenTable(NamedTuple):
    """A tokenizer of the package ``tokenizers``, and a row for each of its tokens."""

    tokenizer: Any
    rows: NDArray[np.floating]

    @classmethod
    def read(cls, tokenizer: Path, weights: Path, tensor: str, *, extra: str) -> TokenTable:
        """Read a tokenizer, and a tensor of a safetensors file."""
        library = require("tokenizers", extra=extra, reason="this embedding")
        found = library.Tokenizer.from_file(str(tokenizer))
        found.no_padding()
        found.no_truncation()
        return cls(found, read_tensor(weights, tensor))


class StaticEmbedder(Embedder):
    """The unweighted mean of the vectors of a word's tokens, without special tokens."""

    batch = 8192

    @abstractmethod
    def load(self) -> TokenTable:
        """Read the table."""

    @cached_property
    def _table(self) -> TokenTable:
        return self.load()

    @cached_property
    def _split(self) -> Callable[[list[str]], list[Pieces]]:
        return splitter(self._table.tokenizer)

    def embed(self, words: Sequence[str]) -> Vectors:
        """Average the tokens of each word."""
        rows = self._table.rows
        found = no_vectors(words, rows.shape[1])
        terms = [spoken(word) for word in words]
        fine = np.flatnonzero(supported(terms, self._split, characters=False))
        if len(fine):
            encoded = self._table.tokenizer.encode_batch(
                [terms[number] for number in fine], add_special_tokens=False
            )
            found[fine] = _means(rows, [one.ids for one in encoded])
        return found


def splitter(tokenizer: Any) -> Callable[[list[str]], list[Pieces]]:
    """Return what gives the pieces of words by a tokenizer of the package ``tokenizers``."""
    added = tokenizer.get_added_tokens_decoder()
    unknown = {number for number, token in added.items() if token.special}
    number = tokenizer.token_to_id(getattr(tokenizer.model, "unk_token", None) or "")
    unknown |= set() if number is None else {number}

    def split(words: list[str]) -> list[Pieces]:
        encoded = tokenizer.encode_batch(words, add_special_tokens=False)
        return [
            pieces_of(one, word, frozenset(unknown))
            for one, word in zip(encoded, words, strict=True)
        ]

    return split


def _means(rows: NDArray[np.floating], tokens: Sequence[Sequence[int]]) -> Vectors:
    sizes = np.array([len(one) for one in tokens])
    flat = np.fromiter((token for one in tokens for token in one), np.int64, sizes.sum())
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    sums = np.add.reduceat(rows[flat].astype(np.float32), starts, axis=0)
    return np.asarray(sums / sizes[:, None], dtype=np.float32)


def read_tensor(path: Path, name: str) -> NDArray[np.floating]:
    """Return a matrix of a safetensors file; only the rows that are used are read from disk."""
    size = path.stat().st_size
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(_PREFIX), "little")
            header = msgspec.json.decode(file.read(min(length, size)), type=dict[str, Any])
        one = header[name]
        kind, (height, width) = np.dtype(_KINDS[one["dtype"]]), one["shape"]
        begin, end = one["data_offsets"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: no matrix {name} of numbers in it, or it is damaged") from error
    start = _PREFIX + length + begin
    right_size = end - begin == height * width * kind.itemsize
    if not right_size or not 0 <= begin <= end <= size - (start - begin):
        raise InputError(f"{path}: {name} does not lie within the file, which is damaged")
    return np.memmap(path, kind, "r", start, (height, width))
