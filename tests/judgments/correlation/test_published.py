"""Correlations that were published, or computed by others, from the data of their papers."""

from __future__ import annotations

import csv
import gzip
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import TealeavesWarning
from tealeaves.judgments import correlate, read_judgments
from tealeaves.statistics.correlation import COEFFICIENTS, pearson
from tealeaves.statistics.phi_k import phi_k

NAMES = {
    "pearson": "pearson",
    "spearman": "spearman",
    "kendall": "kendall_tau_b",
    "phik": "phik_default_bins10",
}


@pytest.mark.reference
def test_published_correlations_come_out_of_the_file(reference_data: Path) -> None:
    """All four coefficients of the reference, for all topics and for each model alone."""
    import polars as pl

    folder = reference_data / "hoyle2021"
    path = folder / "topics.jsonl.gz"
    expected = pl.read_csv(folder / "reference_topic_level_correlations.tsv", separator="\t")
    given: dict[str, Any] = {"coefficients": tuple(NAMES), "draws": 0, "permutations": 19}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TealeavesWarning)
        found = correlate(path, path, **given)
        apart = correlate(path, path, within="model", **given)
    values = {
        (r.model or "all", r.metric, r.task, r.coefficient): (r.value, r.n)
        for r in [*found.rows, *apart.rows]
    }
    checked = 0
    for row in expected.iter_rows(named=True):
        task = row["human"].removesuffix("_mean")
        for name, column in NAMES.items():
            value, n = values[row["model"], row["metric"], task, name]
            assert n == row["n"]
            assert value == pytest.approx(row[column], abs=1e-6), (row, name)
            checked += 1
    assert checked == 4 * 104


@pytest.mark.reference
def test_from_text_to_verdict(reference_data: Path) -> None:
    """Document NPMI of 15 words on 20 Newsgroups against the votes on 1,100 topics."""
    from tealeaves import Corpus, score

    people = read_judgments(reference_data / "khodorchenko2022" / "topics.jsonl.gz")
    texts = Corpus.open(reference_data / "20newsgroups" / "processed.jsonl.gz")
    scores = score(people.models(), texts, "npmi(oov=zero)@15", tokens="tokens")
    given: dict[str, Any] = {"coefficients": ("pearson",), "draws": 200, "permutations": 199}
    [topic] = correlate(scores, people, **given).rows
    assert topic.n == 1100
    assert topic.value == pytest.approx(0.637, abs=0.005)
    [model] = correlate(scores, people, by="model", **given).rows
    assert model.n == 50
    assert model.value == pytest.approx(0.898, abs=0.005)
    assert (topic.p, model.p) == (1 / 200, 1 / 200)


# ---------------------------------------------------------------------- published coefficients


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
