"""What an encoder makes of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tealeaves.evidence.relevance.classifier.batching import Numbers, padded


class Read(NamedTuple):
    """What an encoder makes of texts: the last layer, the pooled first token, and the padding.

    ``pooled`` is None for encoders without a layer for it; ``mask`` is 1 where there is a piece.
    """

    last: Any
    pooled: Any
    mask: Any

    @property
    def first(self) -> Any:
        """The first token of each text."""
        return self.last[:, 0]

    @property
    def mean(self) -> Any:
        """The mean over all tokens of each text."""
        shown = self.mask[:, :, None].to(self.last.dtype)
        return (self.last * shown).sum(dim=1) / shown.sum(dim=1)


def read_texts(model: Any, texts: Sequence[Numbers]) -> Read:
    """Read the pieces of texts, where the model is."""
    pieces = padded(texts, model.config.pad_token_id or 0).to(model.device)
    mask = padded([np.ones_like(text) for text in texts], 0).to(model.device)
    output = model(input_ids=pieces, attention_mask=mask)
    return Read(output.last_hidden_state, getattr(output, "pooler_output", None), mask)
