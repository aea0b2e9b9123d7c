"""Features of texts: what an encoder, as it is, makes of each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tealeaves.errors import InputError
from tealeaves.evidence.relevance.classifier.batching import Numbers, PieceTexts
from tealeaves.evidence.relevance.classifier.devices import device_of, sensible_threads
from tealeaves.evidence.relevance.classifier.encoders import Encoder
from tealeaves.evidence.relevance.classifier.plan import Features, Plan
from tealeaves.evidence.relevance.classifier.reading import read_texts
from tealeaves.evidence.relevance.memory import free, is_memory_error, memory_named, too_little
from tealeaves.extras import require
from tealeaves.jobs import progress_bar

Matrix = NDArray[np.float64]


def features_of(encoder: Encoder, texts: PieceTexts, plan: Plan, *, batch: int) -> Matrix:
    """Return a row for each text; texts of about one length are computed together.

    The longest come first: where a GPU has too little memory, that is known at once.
    """
    if plan.pooling == "pooler" and encoder.pooler is None:
        raise InputError(f"{encoder.name}: a model without a pooler: use pooling=cls or mean")
    device = device_of(plan.device)
    order = np.argsort(-texts.lengths, kind="stable")

    def compute(rows: Numbers) -> Matrix:
        return _pooled(encoder, [texts.pieces[row] for row in rows], plan.pooling)

    parts = []
    with moved(encoder.model, device), sensible_threads(), _bar(len(order), plan) as told:
        for part in halving(order, batch, compute, device):
            parts.append(part)
            told(len(part))
    return np.concatenate(parts)[np.argsort(order)]


def halving(
    order: Numbers, size: int, compute: Callable[[Numbers], Matrix], device: Any
) -> Iterator[Matrix]:
    """Compute rows in turn, half as many at a time from where memory is too small."""
    start = 0
    while start < len(order):
        rows = order[start : start + size]
        try:
            found = compute(rows)
        except (RuntimeError, MemoryError) as error:
            if not is_memory_error(error):
                raise
            free(device)
            if len(rows) == 1:
                advice = "read less of each (--longest)"
                raise too_little(device, "a single text", advice) from error
            size = len(rows) // 2
            continue
        yield found
        start += len(rows)


@contextmanager
def moved(model: Any, device: Any) -> Iterator[None]:
    """Bring a model to a device, and back where it was."""
    before = model.device
    try:
        with memory_named(device, "the encoder", "use a smaller one (--encoder)"):
            model.to(device)
        yield
    finally:
        model.to(before)


def _pooled(encoder: Encoder, pieces: list[Numbers], pooling: Features) -> Matrix:
    torch = require("torch", extra="relevance", reason="a classifier")
    with torch.inference_mode():
        read = read_texts(encoder.model, pieces)
        found = {"cls": read.first, "mean": read.mean, "pooler": read.pooled}[pooling]
    return np.asarray(found.cpu().double().numpy(), dtype=np.float64)


@contextmanager
def _bar(total: int, plan: Plan) -> Iterator[Callable[[int], None]]:
    with progress_bar(total, "reading texts", shown=plan.progress, unit="text") as bar:
        yield bar.update
