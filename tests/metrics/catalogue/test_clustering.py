"""Topics of documents against labels: worked examples, and scikit-learn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tealeaves
from tealeaves import Topics, demo
from tealeaves.errors import InputError
from tealeaves.evidence.counting.corpus import count_corpus
from tealeaves.evidence.requests import CountRequest
from tealeaves.evidence.units import Unit
from tealeaves.metrics import Score, Scores, metric
from tealeaves.metrics.catalogue.clustering import (
    adjusted_rand_index,
    normalised_mutual_information,
    purity,
)
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.pipeline import Pipeline

BEST = [0, 0, 0, 1, 1, 2]
LABELS = ["x", "x", "y", "y", "y", "x"]


def model(best: list[int], topics: int = 3, **known: Any) -> Topics:
    lists = [[f"w{k}"] for k in range(topics)]
    return Topics.of(lists, model="m", best_topic=np.array(best), **known)


def texts(labels: list[str], ids: list[str] | None = None) -> list[Document]:
    names = ids or [f"d{n}" for n in range(len(labels))]
    return [Document("a", id=i, label=label) for i, label in zip(names, labels, strict=True)]


def scored(best: list[int], labels: list[str], spec: str = "clustering") -> Scores:
    return tealeaves.score(model(best, max(3, *best) + 1), texts(labels), spec)


def row(best: list[int], labels: list[str], spec: str = "clustering") -> Score:
    [score] = scored(best, labels, spec).models
    return score


# ------------------------------------------------------------------ worked examples


def test_purity_by_hand() -> None:
    # topic 0 has x x y: 2 of 3; topic 1 has y y: 2 of 2; topic 2 has x: 1 of 1; all: 5 of 6
    scores = tealeaves.score(model(BEST), texts(LABELS), "clustering")
    assert [one.value for one in scores.topics] == pytest.approx([2 / 3, 1, 1])
    assert scores.models.rows[0].value == pytest.approx(5 / 6)
    assert not any("have no" in note for note in scores.notes)


def test_mutual_information_by_hand() -> None:
    # topics (2, 2) by labels (2, 2), with counts 2 0 / 1 1 over 4 documents
    # H(topics) = log 2, H(labels) = -(3/4 log 3/4 + 1/4 log 1/4), H(both) = 1/2 log 2 + 2/4 log 4
    topics = math.log(2)
    labels = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))
    shared = topics + labels - 1.5 * math.log(2)
    best, given_labels = [0, 0, 1, 1], ["x", "x", "x", "y"]
    for average, mean in (
        ("arithmetic", (topics + labels) / 2),
        ("geometric", math.sqrt(topics * labels)),
        ("min", labels),
        ("max", topics),
    ):
        score = row(best, given_labels, f"clustering(measure=nmi, average={average})")
        assert score.value == pytest.approx(shared / mean)


def test_adjusted_rand_index_by_hand() -> None:
    # of 6 pairs 1 is together by both, 2 by topic, 3 by label: expected 2 * 3 / 6 = 1
    # (1 - 1) / ((2 + 3) / 2 - 1) = 0
    assert row([0, 0, 1, 1], ["x", "x", "x", "y"], "clustering(measure=ari)").value == 0.0
    # 2 0 / 0 2: both 2, 2 by topic, 2 by label, expected 4/6: (2 - 2/3) / (2 - 2/3) = 1
    assert row([0, 0, 1, 1], ["x", "x", "y", "y"], "clustering(measure=ari)").value == 1.0


# ------------------------------------------------------------------ scikit-learn


@given(
    st.integers(1, 40).flatmap(
        lambda size: st.tuples(
            st.lists(st.integers(0, 4), min_size=size, max_size=size),
            st.lists(st.sampled_from("uvwxy"), min_size=size, max_size=size),
        )
    )
)
def test_they_are_those_of_scikit_learn(both: tuple[list[int], list[str]]) -> None:
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
    from sklearn.metrics.cluster import contingency_matrix

    best, labels = both
    for average in ("arithmetic", "geometric", "min", "max"):
        expected = normalized_mutual_info_score(labels, best, average_method=average)
        actual = row(best, labels, f"clustering(measure=nmi, average={average})").value
        assert actual == pytest.approx(expected, abs=1e-9)
    ours = row(best, labels, "clustering(measure=ari)").value
    assert ours == pytest.approx(adjusted_rand_score(labels, best), abs=1e-9)
    table = contingency_matrix(labels, best)
    assert row(best, labels).value == pytest.approx(table.max(axis=0).sum() / table.sum())


def test_many_documents_do_not_overflow() -> None:
    table = np.array([[3 * 10**9, 10**9], [10**9, 3 * 10**9]])
    assert adjusted_rand_index(table) == pytest.approx(0.25)  # (2 * 3/4 - 1)² for halves
    assert purity(table) == 0.75
    assert 0 < normalised_mutual_information(table, "arithmetic") < 0.2


# ------------------------------------------------------------------ what must hold


def test_the_demo_by_its_labels_agrees_and_the_shuffled_one_does_not(
    rich_models: list[Topics],
) -> None:
    specs = ["clustering", "clustering(measure=nmi)", "clustering(measure=ari)"]
    scores = tealeaves.score(rich_models, demo.corpus(), specs)
    for spec in specs:
        assert scores.value("good", spec) == 1.0
        assert scores.value("shuffled", spec) < 0.5


def test_only_purity_has_values_of_topics() -> None:
    assert metric("clustering").level == "topic"
    nmi = metric("clustering(measure=nmi)")
    assert nmi.level == "model"
    assert nmi(measure="purity").level == "topic"
    scores = scored(BEST, LABELS, "clustering(measure=nmi)")
    assert not scores.topics.rows
    assert not any("have no" in note for note in scores.notes)


def test_documents_without_label_or_topic_are_left_out() -> None:
    # what is left: 0 x, 1 x
    score = row([0, -1, 0, 1], ["x", "y", "", "x"])
    assert (score.value, score.support) == (1.0, 0.5)
    nothing = row([-1, 0], ["x", ""])
    assert math.isnan(nothing.value)
    assert nothing.support == 0


def test_the_best_topic_of_a_matrix_counts() -> None:
    theta = np.array([[0.6, 0.4], [0.2, 0.8], [0.0, 0.0]])
    topics = Topics.of([["a"], ["b"]], model="m", document_topic=theta)
    [score] = tealeaves.score(topics, texts(["x", "y", "y"]), "clustering(measure=nmi)").models
    assert score.value == 1.0
    assert score.support == pytest.approx(2 / 3)


# ------------------------------------------------------------------ which text is which


def test_documents_are_found_by_their_ids() -> None:
    topics = model([0, 1], document_ids=("p", "q"))
    labelled = texts(["x", "y", "x", "x"], ["q", "p", "r", "s"])
    scores = tealeaves.score(topics, labelled, "clustering(measure=nmi)")
    assert (scores.models.rows[0].value, scores.models.rows[0].support) == (1.0, 0.5)


def test_other_texts_are_refused() -> None:
    with pytest.raises(InputError, match="m: it has 2 documents, the corpus 3"):
        row([0, 1], ["x", "y", "x"])


def test_it_says_what_is_lacking() -> None:
    with pytest.raises(InputError, match=r"no labels.*--label-field"):
        row([0, 1], ["", ""])
    with pytest.raises(InputError, match="m: no document-topic matrix, and no best topic"):
        tealeaves.score(Topics.of([["a"]], model="m"), texts(["x"]), "clustering")
    counts = count_corpus(Corpus.of(["a"]), Pipeline.parse("words"), [CountRequest(Unit())])
    with pytest.raises(InputError, match="clustering needs texts: give a corpus"):
        tealeaves.score(model([0]), metrics="clustering", counts=counts)


def test_other_labels_have_another_signature() -> None:
    first, second = row([0, 1], ["x", "y"]).signature, row([0, 1], ["x", "x"]).signature
    assert "labels=" in first
    assert first != second
