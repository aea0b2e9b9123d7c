"""Metrics of word vectors against people, on published judgments."""

from __future__ import annotations

from pathlib import Path

import pytest

import tealeaves
from tealeaves.judgments import Judgments, read_judgments

pytestmark = pytest.mark.reference

SIX = (
    "isim@10 int@10 ish@10 expressivity(weights=uniform)@10 embedding_coherence@10 "
    "embedding_diversity@10"
)


@pytest.fixture(scope="module")
def votes(reference_data: Path) -> Judgments:
    return read_judgments(reference_data / "khodorchenko2022" / "topics.jsonl.gz")


def pearson(people: Judgments, metrics: str, embedding: str, by: str = "topic") -> dict[str, float]:
    scores = tealeaves.score(people.models(), None, metrics, embeddings=embedding)
    correlations = tealeaves.correlate(
        scores, people, by=by, coefficients=("pearson",), draws=0, permutations=100
    )
    assert {row.n for row in correlations.rows} == {
        len(people.models()) if by == "model" else TOPICS
    }
    return {row.metric: row.value for row in correlations.rows}


TOPICS = 1100


# What was found on 148 of these topics when the metrics were chosen: .67 and .73.
@pytest.mark.parametrize(("embedding", "pilot"), [("minilm", 0.67), ("minilm_static", 0.73)])
def test_coherence_is_near_what_a_pilot_found(
    votes: Judgments, embedding: str, pilot: float
) -> None:
    [value] = pearson(votes, "embedding_coherence@10", embedding).values()
    assert value == pytest.approx(pilot, abs=0.04)


def test_all_six_in_one_call(votes: Judgments) -> None:
    correlations = pearson(votes, SIX, "wordllama")
    expected = {
        "isim@10": -0.17,
        "int@10": 0.56,
        "ish@10": 0.70,
        "expressivity(weights=uniform)@10": -0.19,
        "embedding_coherence@10": 0.68,
        "embedding_diversity@10": 0.17,
    }
    assert correlations == pytest.approx(expected, abs=0.006)


def test_models_that_people_prefer(votes: Judgments) -> None:
    correlations = pearson(votes, "embedding_coherence@10 int@10", "minilm_static", by="model")
    assert correlations == pytest.approx(
        {"embedding_coherence@10": 0.94, "int@10": 0.86}, abs=0.006
    )


def test_intruders_that_people_detect(reference_data: Path) -> None:
    """Pearson and Spearman with the share of people who found the intruder."""
    people = read_judgments(reference_data / "hoyle2021" / "topics.jsonl.gz")
    result = people.where(task="intrusion")
    scores = tealeaves.score(
        result.models(),
        None,
        "int@10 embedding_coherence@10",
        embeddings=["minilm_static", "wordllama"],
    )
    both = ("pearson", "spearman")
    rows = tealeaves.correlate(scores, result, coefficients=both, draws=0, permutations=100).rows
    assert {row.n for row in rows} == {150}
    values = {(row.metric, row.coefficient): row.value for row in rows}
    expected = {
        "int(embedding=minilm_static)@10": (0.40, 0.43),
        "embedding_coherence(embedding=minilm_static)@10": (0.41, 0.52),
        "int(embedding=wordllama)@10": (0.32, 0.38),
        "embedding_coherence(embedding=wordllama)@10": (0.31, 0.33),
    }
    for metric, numbers in expected.items():
        assert [values[metric, one] for one in both] == pytest.approx(numbers, abs=0.006)


def test_people_prefer_what_ish_calls_worse(votes: Judgments) -> None:
    scores = tealeaves.score(votes.models(), None, "ish@10 int@10", embeddings="minilm_static")
    correlations = tealeaves.correlate(
        scores, votes, coefficients=("pearson",), draws=200, permutations=200
    )
    [note] = [note for note in correlations.notes if "call worse" in note]
    assert note.endswith(": ish@10")
