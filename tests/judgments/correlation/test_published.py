from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from tealeaves.errors import TealeavesWarning
from tealeaves.judgments import correlate, read_judgments

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
