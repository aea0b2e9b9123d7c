"""Published and independently computed values on real texts."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves.metrics import Scores, metric

pytestmark = pytest.mark.reference

EXACT = {
    "npmi(eps=1e-12)": ("exact_doc", "npmi"),
    "npmi(window=10, eps=1e-12)": ("exact_w10", "npmi"),
    "c_npmi": ("exact_w10", "npmi"),
    "c_v": ("exact_w110", "cv"),
    "umass": ("exact_doc", "umass"),
    "npmi": ("doc_npmi_minus1_if_no_cooc", "npmi"),
    "npmi(never=0)": ("doc_npmi_zero_if_no_cooc (jhlau rule)", "npmi"),
}
GENSIM = {
    "c_npmi(compat=gensim)": "c_npmi",
    "npmi(window=10, compat=gensim)": "c_npmi",
    "npmi(compat=gensim)": "c_npmi_doc",
    "c_v(compat=gensim)": "c_v",
    "umass(compat=gensim)": "u_mass",
}


@pytest.fixture(scope="module")
def golden(reference_data: Path) -> dict[str, Any]:
    path = reference_data / "golden_counts" / "ng2k_K50.json"
    values_by_rule: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return values_by_rule


@pytest.fixture(scope="module")
def scores(reference_data: Path, golden: dict[str, Any]) -> Scores:
    corpus = reference_data / "golden_counts" / "ng2k_prep.txt.gz"
    return tealeaves.score(golden["topics"], corpus, [*EXACT, *GENSIM], tokens="tokens")


def values(scores: Scores, spec: str) -> list[float]:
    return [row.value for row in scores.topics if row.metric == repr(metric(spec))]


@pytest.mark.parametrize("spec", EXACT)
def test_exact_values_of_fifty_topics(scores: Scores, golden: dict[str, Any], spec: str) -> None:
    variant, column = EXACT[spec]
    expected = golden["exact_and_variants"][variant][column]
    assert len(expected) == 50
    np.testing.assert_allclose(values(scores, spec), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("spec", GENSIM)
def test_values_of_gensim(scores: Scores, golden: dict[str, Any], spec: str) -> None:
    expected = golden["gensim"][GENSIM[spec]]
    np.testing.assert_allclose(values(scores, spec), expected, rtol=0, atol=1e-9)


def test_a_word_absent_from_the_text_lowers_the_support(
    scores: Scores, golden: dict[str, Any]
) -> None:
    absent = {word for word, documents in golden["word_doc_freq"].items() if documents == 0}
    assert absent == {"militia"}
    for number, words in enumerate(golden["topics"]):
        row = next(r for r in scores.topics if (r.topic, r.metric) == (number, "npmi"))
        left = len(set(words) - absent)
        assert row.support == pytest.approx(left * (left - 1) / (len(words) * (len(words) - 1)))


def test_gensim_values_on_twenty_newsgroups(reference_data: Path) -> None:
    specs = {
        "u_mass": "umass(compat=gensim)@10",
        "c_uci": "c_uci(compat=gensim)@10",
        "c_npmi": "c_npmi(compat=gensim)@10",
        "c_v": "c_v(compat=gensim)@10",
    }
    folder = reference_data / "khodorchenko2022"
    with (folder / "reference_gensim_coherence.tsv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    wanted = {(row["model_id"], int(row["topic_seq"])) for row in rows}
    models: dict[str, dict[int, list[str]]] = {}
    with gzip.open(folder / "topics.jsonl.gz", "rt", encoding="utf-8") as stream:
        for record in map(json.loads, stream):
            key = (record["model_id"], record["topic_seq"])
            if key in wanted:
                models.setdefault(key[0], {})[key[1]] = record["words"]
    corpus = reference_data / rows[0]["text_file"]
    judged = [tealeaves.Topics.of(topics, model=name) for name, topics in models.items()]
    scores = tealeaves.score(judged, corpus, specs.values(), tokens="tokens")
    assert len(rows) == 96
    for row in rows:
        actual = scores.value(row["model_id"], specs[row["measure"]], int(row["topic_seq"]))
        assert actual == pytest.approx(float(row["value"]), abs=1e-6)
