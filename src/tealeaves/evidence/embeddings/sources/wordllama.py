"""WordLlama: the token table of a language model, distilled to 256 dimensions."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from tealeaves.evidence.embeddings.sources.pieces import VERSION
from tealeaves.evidence.embeddings.sources.token_table import StaticEmbedder, TokenTable
from tealeaves.evidence.embeddings.sources.weights import fingerprint_of_files, package_file

_PROCEDURE = "mean of tokens 1"


class WordLlama(StaticEmbedder):
    """l2_supercat_256, from the files of the package.

    The package's own loader is passed by: it fetches a file that it does not find, and looks for
    the tokenizer in the wrong place.
    """

    name = "wordllama"

    @cached_property
    def fingerprint(self) -> str:
        """Of the files of the package."""
        return fingerprint_of_files([_weights(), _tokenizer()], _PROCEDURE, VERSION)

    def load(self) -> TokenTable:
        """Read the table."""
        return TokenTable.read(_tokenizer(), _weights(), "embedding.weight", extra="embed")


def _weights() -> Path:
    return package_file("wordllama", "weights", "l2_supercat_256.safetensors", extra="embed")


def _tokenizer() -> Path:
    file = "l2_supercat_tokenizer_config.json"
    return package_file("wordllama", "tokenizers", file, extra="embed")
