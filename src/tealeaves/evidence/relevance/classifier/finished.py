"""What identifies a fit, and whether a folder holds already what it would make."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tealeaves.errors import InputError
from tealeaves.evidence.relevance.classifier.checkpoints import has_checkpoint
from tealeaves.evidence.relevance.classifier.classifier import Classifier
from tealeaves.evidence.relevance.classifier.identity import add_tensors
from tealeaves.evidence.relevance.classifier.plan import Plan
from tealeaves.evidence.relevance.classifier.presets import FitSettings
from tealeaves.evidence.relevance.classifier.storage import CHECKPOINTS, load_classifier, saved_fit


def fit_key(
    how: Sequence[str],
    settings: FitSettings,
    network: Any,
    texts: Iterable[NDArray[np.int64]],
    others: Sequence[NDArray[np.int64]] = (),
) -> str:
    """Return what identifies a fit: its way, settings, first weights, texts as pieces, and others.

    The size of batches is left out, so that a fit for which memory was too small can go on with
    smaller ones.
    """
    found = hashlib.blake2b(digest_size=16)
    named = {**msgspec.structs.asdict(settings), "batch": None}
    found.update(json.dumps([*how, named]).encode())
    add_tensors(found, network.state_dict().items())
    for numbers in (*texts, *others):
        found.update(f"{len(numbers)} ".encode())
        found.update(numbers.tobytes())
    return found.hexdigest()


def finished(plan: Plan, fit: str) -> Classifier | None:
    """Return the classifier that the folder of a fit holds, where it is what the fit would make.

    Parameters
    ----------
    plan
        With the folder; nothing is looked for unless the fit is to be resumed.
    fit
        What the report of the classifier says of its fit.
    """
    if plan.folder is None or not plan.resume:
        return None
    saved = saved_fit(plan.folder)
    if saved == fit:
        return load_classifier(plan.folder)
    # another classifier may be about to be replaced by an unfinished fit
    if saved is not None and not has_checkpoint(plan.folder / CHECKPOINTS):
        raise InputError(
            f"{plan.folder}: a classifier of other texts or settings: restart (--restart) replaces "
            "it"
        )
    return None
