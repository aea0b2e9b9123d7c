"""Classification: can the labels of documents be predicted from their topics?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import TextRequest
from tealeaves.evidence.wording import Wording
from tealeaves.extras import require
from tealeaves.metrics.base import Result
from tealeaves.metrics.per_text.labels import LabelledDocuments, LabelMetric, labelled_documents
from tealeaves.topics.distributions import theta
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from types import ModuleType

    from tealeaves.arrays import Floats, Integers

_STEPS = 100_000  # enough to converge, so that the limit does not change the result


class ClassificationSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Which classifier is trained, how it is tested, and what is measured.

    Parameters
    ----------
    measure
        ``accuracy``, or ``f1``: the mean of the labels' F1.
    folds
        The parts that the documents are divided into; each is predicted from the others.
    classifier
        ``logistic`` regression, or a linear support vector machine (``svm``).
    c
        The inverse of the strength of regularisation.
    seed
        Decides how the documents are divided.
    """

    measure: Literal["accuracy", "f1"] = "accuracy"
    folds: Annotated[int, Meta(ge=2, le=1000)] = 5
    classifier: Literal["logistic", "svm"] = "logistic"
    c: Annotated[float, Meta(gt=0, le=1e9)] = 1.0
    seed: Annotated[int, Meta(ge=0, le=2**32 - 1)] = 0


@dataclass(frozen=True, repr=False, eq=False)
class Classification(LabelMetric):
    """How well a classifier that sees only the topics of documents predicts their labels."""

    settings: ClassificationSettings

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[TextRequest]:
        """Ask for the texts' labels, and for scikit-learn before the texts are read."""
        _sklearn("sklearn.linear_model")
        return super().needs(models, wording)

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Train and test a classifier for each model."""
        return [self._result(model, labelled_documents(model, evidence.texts)) for model in models]

    def provenance(self, evidence: Evidence) -> str:
        """Return the texts, their labels, and the version of scikit-learn."""
        version = _sklearn("sklearn").__version__
        return f"{super().provenance(evidence)}|scikit-learn={version}"

    def provenance_of(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return what the classifier sees of documents."""
        return f"features={'theta' if _has_shares(model) else 'best_topic'}"

    def _result(self, model: Topics, documents: LabelledDocuments) -> Result:
        if not len(documents):
            return Result.of_model(model, np.nan)
        frequent = np.bincount(documents.labels) >= self.settings.folds
        if frequent.sum() < 2:
            raise InputError(
                f"{model.model}: {self!r} needs two labels with {self.settings.folds} documents "
                f"each, and {int(frequent.sum())} has so many: give more labelled texts, or fewer "
                "folds"
            )
        chosen = frequent[documents.labels]
        labels = documents.labels[chosen]
        predicted = self._predict(_features(model, documents)[chosen], labels)
        value = float((predicted == labels).mean())
        if self.settings.measure == "f1":
            scores = [_f1(predicted, labels, label) for label in sorted(set(labels.tolist()))]
            value = float(np.mean(scores))
        return Result.of_model(model, value, len(labels) / documents.texts)

    def _predict(self, features: Floats, labels: Integers) -> Any:
        """Predict each document from the folds that it is not in."""
        selection = _sklearn("sklearn.model_selection")
        folds = selection.StratifiedKFold(
            self.settings.folds, shuffle=True, random_state=self.settings.seed
        )
        return selection.cross_val_predict(self._classifier(), features, labels, cv=folds)

    def _classifier(self) -> Any:
        if self.settings.classifier == "svm":
            machine = _sklearn("sklearn.svm").LinearSVC
            return machine(C=self.settings.c, max_iter=_STEPS, random_state=self.settings.seed)
        regression = _sklearn("sklearn.linear_model").LogisticRegression
        return regression(C=self.settings.c, max_iter=_STEPS)


def _has_shares(model: Topics) -> bool:
    return model.document_topic is not None


def _features(model: Topics, documents: LabelledDocuments) -> Floats:
    """Return p(t|d) of each document or, where only its best topic is known, 1 for that."""
    if _has_shares(model):
        return theta(model)[documents.rows]
    return np.eye(len(model))[documents.topics]


def _f1(predicted: Integers, labels: Integers, label: int) -> float:
    """Return the harmonic mean of the precision and recall of a label."""
    right = int(((predicted == label) & (labels == label)).sum())
    return 2 * right / int((predicted == label).sum() + (labels == label).sum())


def _sklearn(module: str) -> ModuleType:
    return require(module, extra="models", reason="classification")


classification = Classification(
    name="classification",
    summary="how well a classifier predicts the labels of documents from their topics",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Blei, Ng & Jordan 2003; Forman & Scholz 2010",
    settings=ClassificationSettings(),
    level="model",
    formula=r"\frac{1}{N} \sum_{d=1}^{N} \left[ \hat{y}_d = y_d \right]",
    misleads=(
        "Many topics give the classifier more to learn from, whether they can be read or not. "
        "With few texts the value depends on the folds (try other seeds), and where one label is "
        "very frequent accuracy is high whatever the topics are (use measure=f1)."
    ),
    details="""\
    A classifier learns the labels of documents from p(t|d) alone, or from the best topic where
    nothing else is known. The documents are divided into folds, each label evenly; each fold is
    predicted by a classifier trained on the others. measure=accuracy: the share of the N documents
    whose label y equals the predicted label ŷ ([...] is 1 where the condition holds, else 0);
    measure=f1: the mean of the labels' F1, over the predictions of all folds together.

    Defaults: accuracy, 5 folds, logistic regression with c 1, seed 0; classifier=svm is a linear
    support vector machine. Documents without a label or a topic, and labels with fewer documents
    than folds, are left out; the support is the share of texts that remain. scikit-learn is needed.
    """,
)
