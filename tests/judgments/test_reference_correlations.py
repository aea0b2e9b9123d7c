"""Correlations that were published, or computed apart, from the data of their papers."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.statistics.correlation import COEFFICIENTS, pearson
from tealeaves.statistics.phi_k import phi_k

pytestmark = pytest.mark.reference


def rows_of(path: Path) -> list[dict[str, str]]:
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def test_labels_of_khodorchenko2022(reference_data: Path) -> None:
    pytest.importorskip("phik")
    folder = reference_data / "khodorchenko2022"
    labels: dict[tuple[str, ...], list[tuple[float, float]]] = {}
    for row in rows_of(folder / "llm_vs_human_labels.tsv.gz"):
        key = (row["corpus"], row["n_classes"], row["rater"])
        pair = (float(row["rater_code"]), float(row["human_code"]))
        labels.setdefault(key, []).append(pair)
    published = rows_of(folder / "reference_phik.tsv")
    assert len(published) == 17
    for row in published:
        rater, human = np.array(labels[row["corpus"], row["n_classes"], row["rater"]]).T
        assert len(human) == int(row["n"])
        found = phi_k(rater, human, classes=True, x_classes=True)
        assert found == pytest.approx(float(row["phik_published"]), abs=1e-9), row
        if row["n_classes"] != "4":  # whose coding is not known
            r = pearson(rater, human)[0]
            assert r == pytest.approx(float(row["pearson_published"]), abs=1e-9), row


def test_topics_of_hoyle2021(reference_data: Path) -> None:
    pytest.importorskip("phik")
    folder = reference_data / "hoyle2021"
    with gzip.open(folder / "topics.jsonl.gz", "rt", encoding="utf-8") as file:
        topics = [json.loads(line) for line in file]
    reference = rows_of(folder / "reference_topic_level_correlations.tsv")
    assert len(reference) == 104
    for row in reference:
        x, y = _sides(topics, row)
        assert len(x) == int(row["n"])
        names = {"kendall": "kendall_tau_b"}
        for name, coefficient in COEFFICIENTS.items():
            expected = float(row[names.get(name, name)])
            assert coefficient(x, y)[0] == pytest.approx(expected, abs=1e-6), (name, row)
        expected = float(row["phik_default_bins10"])
        assert phi_k(x, y, bins=10) == pytest.approx(expected, abs=1e-6), row


def _sides(topics: list[dict[str, Any]], row: dict[str, str]) -> tuple[np.ndarray, np.ndarray]:
    pairs = [
        (topic["metrics"].get(row["metric"]), topic[row["human"]])
        for topic in topics
        if topic["corpus"] == row["corpus"] and row["model"] in ("all", topic["model"])
    ]
    x, y = np.array([pair for pair in pairs if None not in pair], dtype=float).T
    return x, y
