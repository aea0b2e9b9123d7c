"""Probes: a linear classifier on an encoder as it is."""

from __future__ import annotations

import time
import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tealeaves.evidence.relevance.classifier.batching import Numbers, split_texts
from tealeaves.evidence.relevance.classifier.classifier import Classifier
from tealeaves.evidence.relevance.classifier.devices import one_thread
from tealeaves.evidence.relevance.classifier.encoders import Encoder, limit_of
from tealeaves.evidence.relevance.classifier.features import Matrix, features_of
from tealeaves.evidence.relevance.classifier.finished import finished, fit_key
from tealeaves.evidence.relevance.classifier.labelling import Examples, split
from tealeaves.evidence.relevance.classifier.plan import Plan
from tealeaves.evidence.relevance.classifier.presets import FitSettings
from tealeaves.evidence.relevance.classifier.report import held_out_report
from tealeaves.evidence.relevance.network.head import Dense, Head
from tealeaves.extras import require

#: Strengths of weights that are tried, C of scikit-learn: the inverse of the penalty.
STRENGTHS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
_USUAL = 0.03  # where nothing can be tried
_ROUNDS = 1000


class Linear(NamedTuple):
    """Weights and biases that make logits of features, and whether the search for them ended."""

    weight: Matrix
    bias: NDArray[np.float64]
    converged: bool

    def logits(self, features: Matrix) -> Matrix:
        """Return a row of logits for each row of features."""
        return np.asarray(features @ self.weight.T + self.bias)


def probe(encoder: Encoder, examples: Examples, settings: FitSettings, plan: Plan) -> Classifier:
    """Fit a multinomial logistic regression on features of the encoder.

    The held-out texts are never fitted on, so that what the report says is true of the classifier
    that is returned. The penalty is chosen on a part of the others.
    """
    begun = time.monotonic()
    longest = limit_of(encoder, settings.longest)
    fitted, held = split(examples.classes, plan.held_out, settings.seed)
    texts = split_texts(encoder.tokenizer, examples.words, longest)
    how = ("probe", plan.pooling, str(longest), *examples.labels)
    fit = fit_key(how, settings, encoder.model, texts.pieces, [examples.classes, held])
    if done := finished(plan, fit):
        return done
    features = features_of(encoder, texts, plan, batch=settings.batch)
    strength = best_strength(features[fitted], examples.classes[fitted], settings.seed)
    linear = regress(features[fitted], examples.classes[fitted], strength)
    predicted = linear.logits(features[held]).argmax(axis=1)
    report = {
        **examples.report,
        "how": "probe",
        "encoder": encoder.name,
        "pooling": plan.pooling,
        "longest": longest,
        "fit": fit,
        "cut": texts.cut,
        "seed": settings.seed,
        "strength": strength,
        "converged": linear.converged,
        "fitted": len(fitted),
        "seconds": time.monotonic() - begun,
        **held_out_report(examples.classes[held], predicted),
    }
    return Classifier(
        name=f"{encoder.name} probe",
        model=encoder.model,
        tokenizer=encoder.tokenizer,
        head=_head(encoder, linear, plan),
        labels=examples.labels,
        longest=longest,
        kind="probe",
        report=report,
        origin=encoder.origin,
    )


def best_strength(features: Matrix, classes: Numbers, seed: int) -> float:
    """Return the strength with the least loss on a fifth of the texts, fitted on the others."""
    rows, tried = split(classes, 0.2, seed)
    if not len(tried):  # a single text of each class
        return _USUAL
    losses = [
        _loss(
            regress(features[rows], classes[rows], strength).logits(features[tried]), classes[tried]
        )
        for strength in STRENGTHS
    ]
    return STRENGTHS[int(np.argmin(losses))]


def regress(features: Matrix, classes: Numbers, strength: float) -> Linear:
    """Fit logits for classes 0, 1, ... by multinomial logistic regression with a squared penalty.

    For the solver and the penalty, features are brought to mean 0 and divided by one number, so
    that their mean variance is 1: each by its own deviation would give a say to neurons that are
    all but dead, as MiniLM has, and pass relevance through them. Weights and biases are those for
    the features as they are.
    """
    models = require("sklearn.linear_model", extra="relevance", reason="a probe")
    centre, spread = features.mean(axis=0), float(np.sqrt(features.var(axis=0).mean())) or 1.0
    solver = models.LogisticRegression(C=strength, max_iter=_ROUNDS)
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # told in the report
        solver.fit((features - centre) / spread, classes)
    weight, bias = solver.coef_, solver.intercept_
    if len(weight) == 1:  # of two classes, one has the logit and the other its negative
        weight, bias = np.vstack([-weight, weight]) / 2, np.concatenate([-bias, bias]) / 2
    weight = weight / spread
    return Linear(weight, bias - weight @ centre, bool(np.all(solver.n_iter_ < _ROUNDS)))


def _loss(logits: Matrix, classes: Numbers) -> float:
    """Return the mean negative logarithm of the probability of the true class."""
    highest = logits.max(axis=1, keepdims=True)
    totals = np.log(np.exp(logits - highest).sum(axis=1)) + highest[:, 0]
    return float(np.mean(totals - logits[np.arange(len(classes)), classes]))


def _head(encoder: Encoder, linear: Linear, plan: Plan) -> Head:
    torch = require("torch", extra="relevance", reason="a probe")
    dtype = encoder.model.dtype
    answer = Dense(
        torch.from_numpy(np.ascontiguousarray(linear.weight)).to(dtype),
        torch.from_numpy(linear.bias).to(dtype),
    )
    if plan.pooling != "pooler":
        return Head(plan.pooling, (answer,))
    first: Any = encoder.pooler
    return Head("cls", (first, answer))
