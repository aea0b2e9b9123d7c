"""The table of word pieces that all-MiniLM-L6-v2 begins with."""

from __future__ import annotations

from tealeaves.evidence.embeddings.sources.minilm import checked_files, minilm_fingerprint
from tealeaves.evidence.embeddings.sources.token_table import StaticEmbedder, TokenTable

_PROCEDURE = "mean of word pieces 1"


class StaticMiniLM(StaticEmbedder):
    """The mean of the input vectors of a word's pieces; neither torch nor the layers are needed."""

    name = "minilm_static"

    @property
    def fingerprint(self) -> str:
        """Of the published weights; loading checks that they are these."""
        return minilm_fingerprint(_PROCEDURE)

    def load(self) -> TokenTable:
        """Read one tensor of the model."""
        weights, tokenizer = checked_files()
        tensor = "embeddings.word_embeddings.weight"
        return TokenTable.read(tokenizer, weights, tensor, extra="minilm")
