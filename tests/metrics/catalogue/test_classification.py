"""Labels from topics: separable and random documents, and scikit-learn's own way."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves import Topics, demo
from tealeaves.arrays import Floats
from tealeaves.errors import InputError, MissingExtraError
from tealeaves.metrics import Score
from tealeaves.text.document import Document


def model(theta: Any, **known: Any) -> Topics:
    shares = np.asarray(theta, dtype=np.float64)
    lists = [[f"w{k}"] for k in range(shares.shape[1])]
    return Topics.of(lists, model="m", document_topic=shares, **known)


def texts(labels: list[str]) -> list[Document]:
    return [Document("a", id=f"d{n}", label=label) for n, label in enumerate(labels)]


def row(topics: Topics, labels: list[str], spec: str = "classification") -> Score:
    [score] = tealeaves.score(topics, texts(labels), spec).models
    return score


def noisy(seed: int = 0, size: int = 90) -> tuple[Floats, list[str]]:
    """Documents of three labels whose topics overlap."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, size)
    return rng.dirichlet(np.ones(3), size) * 0.6 + 0.4 * np.eye(3)[labels], [
        "xyz"[label] for label in labels
    ]


# ------------------------------------------------------------------ worked examples


@pytest.mark.parametrize("classifier", ["logistic", "svm"])
@pytest.mark.parametrize("measure", ["accuracy", "f1"])
def test_labels_that_follow_from_topics_are_all_predicted(classifier: str, measure: str) -> None:
    labels = [*"xy"] * 6
    theta = [[0.9, 0.1] if label == "x" else [0.2, 0.8] for label in labels]
    score = row(model(theta), labels, f"classification(classifier={classifier}, measure={measure})")
    assert (score.value, score.support) == (1.0, 1.0)


def test_uninformative_topics_predict_the_most_frequent_label() -> None:
    # 8 x and 4 y, all with the same topics: x is predicted for all
    labels = [*"xxy"] * 4
    topics = model([[0.5, 0.5]] * 12)
    assert row(topics, labels, "classification(folds=4)").value == pytest.approx(8 / 12)
    # F1 of x: 2 * 8 / (12 + 8) = .8; of y: 0; mean .4
    assert row(topics, labels, "classification(folds=4, measure=f1)").value == pytest.approx(0.4)


# ------------------------------------------------------------------ scikit-learn


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("classifier", ["logistic", "svm"])
def test_it_is_what_scikit_learn_does(classifier: str, seed: int) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import accuracy_score, f1_score
    from sklearn.model_selection import StratifiedKFold
    from sklearn.svm import LinearSVC

    theta, labels = noisy()
    shares = theta / theta.sum(axis=1, keepdims=True)
    machine = LogisticRegression(C=2.0) if classifier == "logistic" else LinearSVC(C=2.0)
    y = np.array(labels)
    predicted = y.copy()
    for train, test in StratifiedKFold(4, shuffle=True, random_state=seed).split(shares, y):
        predicted[test] = machine.fit(shares[train], y[train]).predict(shares[test])
    common = f"classifier={classifier}, folds=4, c=2, seed={seed}"
    actual = row(model(theta), labels, f"classification({common})").value
    assert 0.5 < actual < 1
    assert actual == pytest.approx(accuracy_score(y, predicted))
    f1 = row(model(theta), labels, f"classification({common}, measure=f1)").value
    assert f1 == pytest.approx(f1_score(y, predicted, average="macro"))


# ------------------------------------------------------------------ what must hold


def test_it_prefers_the_model_whose_topics_are_the_labels(rich_models: list[Topics]) -> None:
    scores = tealeaves.score(rich_models, demo.corpus(), "classification")
    assert scores.value("good", "classification") == 1.0
    assert scores.value("shuffled", "classification") < 0.4
    assert not scores.topics.rows


def test_the_best_topic_alone_is_enough() -> None:
    labels = [*"xyz"] * 5
    best = np.array(["xyz".index(label) for label in labels])
    topics = Topics.of([["a"], ["b"], ["c"]], model="m", best_topic=best)
    assert row(topics, labels).value == 1.0


def test_the_folds_depend_on_the_seed_and_on_nothing_else() -> None:
    theta, labels = noisy(1, 60)
    actual = [row(model(theta), labels, f"classification(seed={s})").value for s in (3, 3, 4, 5, 6)]
    assert actual[0] == actual[1]
    assert len(set(actual)) > 1


def test_rare_labels_and_documents_without_are_left_out() -> None:
    labels = [*"xy"] * 5 + ["rare", "", "x"]
    theta = [[0.9, 0.1], [0.1, 0.9]] * 5 + [[0.5, 0.5], [0.5, 0.5], [0.0, 0.0]]
    score = row(model(theta), labels)
    assert score.value == 1.0
    assert score.support == pytest.approx(10 / 13)


def test_too_few_documents_are_an_error() -> None:
    theta = [[0.9, 0.1], [0.1, 0.9]] * 4
    with pytest.raises(InputError, match="two labels with 5 documents each, and 0 ha"):
        row(model(theta), [*"xy"] * 4)
    assert row(model(theta), [*"xy"] * 4, "classification(folds=4)").value == 1.0
    nothing = row(model(np.zeros((2, 2))), ["x", "y"])
    assert math.isnan(nothing.value)
    assert nothing.support == 0


def test_it_says_what_is_lacking() -> None:
    with pytest.raises(InputError, match=r"no labels.*--label-field"):
        row(model([[1.0, 0.0]]), [""])
    with pytest.raises(InputError, match="m: it has 2 documents, the corpus 3"):
        row(model([[1.0, 0.0]] * 2), [*"xyx"])


def test_without_scikit_learn_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "sklearn"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtraError, match=r"classification needs.*tealeaves\[models\]"):
        row(model([[0.9, 0.1], [0.1, 0.9]] * 5), [*"xy"] * 5)


def test_the_signature_names_the_classifier_and_its_version() -> None:
    import sklearn

    score = row(model([[0.9, 0.1], [0.1, 0.9]] * 5), [*"xy"] * 5)
    for part in ("classifier=logistic", "folds=5", "seed=0", f"scikit-learn={sklearn.__version__}"):
        assert part in score.signature
