"""Classifiers that are there already: saved ones, and models of Hugging Face that have a head."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.evidence.relevance.classifier.classifier import Classifier, Kind, Origin
from tealeaves.evidence.relevance.classifier.encoders import (
    Encoder,
    check_family,
    limit_of,
    loading,
    located,
    origin_of,
)
from tealeaves.evidence.relevance.classifier.heads import classifying_head, masked_head
from tealeaves.evidence.relevance.classifier.storage import is_classifier, load_classifier

_LONGEST = 512
_CLASSIFYING, _MASKED = "ForSequenceClassification", "ForMaskedLM"


def open_classifier(name: str | os.PathLike[str]) -> Classifier:
    """Open a classifier.

    Parameters
    ----------
    name
        A folder that was saved here; or a model of Hugging Face that tells classes of texts or
        masked words, as a folder or by its name. It is fetched unless it is on this machine; only
        weights in safetensors are loaded, and no code of the model is run.
    """
    folder = Path(name).expanduser()
    if folder.is_dir() and is_classifier(folder):
        return load_classifier(folder)
    if not folder.is_dir() and folder.exists():
        raise InputError(f"{name}: a file; a classifier is a folder")
    if not folder.is_dir() and "/" not in str(name):  # nothing is asked of the net for a slip
        raise InputError(
            f"{name}: no such folder of a classifier (a model of Hugging Face is owner/name)"
        )
    return _opened(*located(origin_of(name), str(name)), str(name))


def _opened(folder: Path, origin: Origin, name: str) -> Classifier:
    with loading(name) as load:
        config = load.config(folder)
        check_family(config, name)
        kind = _kind(config, name)
        model, missing = load.model(
            f"AutoModel{_MASKED if kind == 'masked' else _CLASSIFYING}", folder
        )
        tokenizer = load.tokenizer(folder)
    if missing:
        raise InputError(f"{name}: its weights lack {missing[0]}, so that it cannot be used")
    head = (masked_head if kind == "masked" else classifying_head)(model, name)
    called = origin.name if origin.source == "hub" else folder.name
    encoder = Encoder(called, model.base_model, tokenizer, origin, None)
    return Classifier(
        name=called,
        model=encoder.model,
        tokenizer=tokenizer,
        head=head,
        labels=() if kind == "masked" else _labels(config),
        longest=limit_of(encoder, _LONGEST),
        kind=kind,
        report={"model": name},
        origin=origin,
    )


def _kind(config: Any, name: str) -> Kind:
    architecture = (config.architectures or [""])[0]
    if architecture.endswith(_MASKED):
        return "masked"
    if not architecture.endswith(_CLASSIFYING):
        raise InputError(
            f"{name}: a model without a head that tells classes or masked words "
            f"({architecture or 'no architecture named'}): fit a classifier on it first"
        )
    if config.num_labels < 2 or config.problem_type == "regression":
        raise InputError(f"{name}: a model that tells a number, not one of several classes")
    return "given"


def _labels(config: Any) -> tuple[str, ...]:
    return tuple(str(config.id2label[number]) for number in range(config.num_labels))
