"""Probes: a linear classifier on the features of an encoder, which stays as it is."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.classifiers.encoders import Encoder, limit_of
from tealeaves.evidence.attention.devices import (
    device_of,
    explain_memory_errors,
    free_memory,
    is_memory_error,
    memory_error,
    one_thread,
    sensible_threads,
)
from tealeaves.evidence.attention.network.head import Dense, Head
from tealeaves.evidence.attention.training.checkpoints import finished_classifier, fit_key
from tealeaves.evidence.attention.training.examples import Examples, split_rows
from tealeaves.evidence.attention.training.pieces import (
    Numbers,
    PieceTexts,
    encode_texts,
    split_texts,
)
from tealeaves.evidence.attention.training.report import held_out_report
from tealeaves.evidence.attention.training.settings import Features, FitOptions, FitSettings
from tealeaves.extras import require
from tealeaves.jobs import progress_bar

Matrix = NDArray[np.float64]
#: The strengths that are tried: C of scikit-learn, the inverse of the penalty.
STRENGTHS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
_USUAL = 0.03  # if none can be tried
_ROUNDS = 1000


class LinearProbe(NamedTuple):
    """Weights and biases that make logits of features, and whether the search for them ended."""

    weight: Matrix
    bias: NDArray[np.float64]
    converged: bool

    def logits(self, features: Matrix) -> Matrix:
        """Return a row of logits for each row of features."""
        return np.asarray(features @ self.weight.T + self.bias)


def fit_probe(
    encoder: Encoder, examples: Examples, settings: FitSettings, options: FitOptions
) -> Classifier:
    """Fit a multinomial logistic regression on features of the encoder.

    The held-out texts are never fitted on, so that the report is true of the classifier that is
    returned. The penalty is chosen on a part of the others.
    """
    begun = time.monotonic()
    longest = limit_of(encoder, settings.longest)
    fitted, held = split_rows(examples.classes, options.held_out, settings.seed)
    texts = split_texts(encoder.tokenizer, examples.words, longest)
    how = ("probe", options.pooling, str(longest), *examples.labels)
    fit = fit_key(how, settings, encoder.model, texts.pieces, [examples.classes, held])
    if finished := finished_classifier(options, fit):
        return finished
    features = features_of(encoder, texts, options, batch=settings.batch)
    strength = best_strength(features[fitted], examples.classes[fitted], settings.seed)
    linear = regress(features[fitted], examples.classes[fitted], strength)
    predicted = linear.logits(features[held]).argmax(axis=1)
    report = {
        **examples.report,
        "how": "probe",
        "encoder": encoder.name,
        "pooling": options.pooling,
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
        head=_head(encoder, linear, options),
        labels=examples.labels,
        longest=longest,
        kind="probe",
        report=report,
        origin=encoder.origin,
    )


def best_strength(features: Matrix, classes: Numbers, seed: int) -> float:
    """Return the strength with the least loss on a fifth of the texts, fitted on the others."""
    rows, tried = split_rows(classes, 0.2, seed)
    if not len(tried):  # a single text of each class
        return _USUAL
    losses = [
        _loss(
            regress(features[rows], classes[rows], strength).logits(features[tried]), classes[tried]
        )
        for strength in STRENGTHS
    ]
    return STRENGTHS[int(np.argmin(losses))]


def regress(features: Matrix, classes: Numbers, strength: float) -> LinearProbe:
    """Fit logits for classes 0, 1, ... by multinomial logistic regression with a squared penalty.

    For the solver and the penalty, features are shifted to mean 0 and divided by one number, so
    that their mean variance is 1. Dividing each by its own deviation would give weight to neurons
    that hardly vary, as MiniLM has, and pass relevance through them. Weights and biases are those
    for the features as they are.
    """
    models = require("sklearn.linear_model", extra="relevance", reason="a probe")
    centre, spread = features.mean(axis=0), float(np.sqrt(features.var(axis=0).mean())) or 1.0
    solver = models.LogisticRegression(C=strength, max_iter=_ROUNDS)
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the report says whether it converged
        solver.fit((features - centre) / spread, classes)
    weight, bias = solver.coef_, solver.intercept_
    if len(weight) == 1:  # of two classes, the second has the logit and the first its negative
        weight, bias = np.vstack([-weight, weight]) / 2, np.concatenate([-bias, bias]) / 2
    weight = weight / spread
    return LinearProbe(weight, bias - weight @ centre, bool(np.all(solver.n_iter_ < _ROUNDS)))


def _loss(logits: Matrix, classes: Numbers) -> float:
    """Return the mean negative logarithm of the probability of the true class."""
    highest = logits.max(axis=1, keepdims=True)
    totals = np.log(np.exp(logits - highest).sum(axis=1)) + highest[:, 0]
    return float(np.mean(totals - logits[np.arange(len(classes)), classes]))


def _head(encoder: Encoder, linear: LinearProbe, options: FitOptions) -> Head:
    torch = require("torch", extra="relevance", reason="a probe")
    dtype = encoder.model.dtype
    answer = Dense(
        torch.from_numpy(np.ascontiguousarray(linear.weight)).to(dtype),
        torch.from_numpy(linear.bias).to(dtype),
    )
    if options.pooling != "pooler":
        return Head(options.pooling, (answer,))
    first: Any = encoder.pooler
    return Head("cls", (first, answer))


# ---------------------------------------------------------------------- features


def features_of(encoder: Encoder, texts: PieceTexts, options: FitOptions, *, batch: int) -> Matrix:
    """Return a row for each text; texts of about one length are computed together.

    The longest come first, so that too little memory shows at once.
    """
    if options.pooling == "pooler" and encoder.pooler is None:
        raise InputError(
            f"{encoder.name}: a model without a pooler: pool by cls or mean (--pooling cls)"
        )
    device = device_of(options.device)
    order = np.argsort(-texts.lengths, kind="stable")

    def compute(rows: Numbers) -> Matrix:
        return _pooled(encoder, [texts.pieces[row] for row in rows], options.pooling)

    parts = []
    with (
        _on_device(encoder.model, device),
        sensible_threads(),
        progress_bar(len(order), "reading texts", shown=options.progress, unit="text") as bar,
    ):
        for part in halving(order, batch, compute, device):
            parts.append(part)
            bar.update(len(part))
    return np.concatenate(parts)[np.argsort(order)]


def halving(
    order: Numbers, size: int, compute: Callable[[Numbers], Matrix], device: Any
) -> Iterator[Matrix]:
    """Compute rows in turn; if memory is too small, continue with half as many at a time."""
    start = 0
    while start < len(order):
        rows = order[start : start + size]
        try:
            part = compute(rows)
        except (RuntimeError, MemoryError) as error:
            if not is_memory_error(error):
                raise
            free_memory(device)
            if len(rows) == 1:
                advice = "read less of each (--longest)"
                raise memory_error(device, "a single text", advice) from error
            size = len(rows) // 2
            continue
        yield part
        start += len(rows)


@contextmanager
def _on_device(model: Any, device: Any) -> Iterator[None]:
    """Move a model to a device, and back afterwards."""
    before = model.device
    try:
        with explain_memory_errors(device, "the encoder", "use a smaller one (--encoder)"):
            model.to(device)
        yield
    finally:
        model.to(before)


def _pooled(encoder: Encoder, pieces: list[Numbers], pooling: Features) -> Matrix:
    torch = require("torch", extra="relevance", reason="a classifier")
    with torch.inference_mode():
        read = encode_texts(encoder.model, pieces)
        features = {"cls": read.first, "mean": read.mean, "pooler": read.pooled}[pooling]
    return np.asarray(features.cpu().double().numpy(), dtype=np.float64)
