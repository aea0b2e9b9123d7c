"""Models of Hugging Face that were trained elsewhere to predict classes or masked words."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import Classifier, Kind
from tealeaves.evidence.attention.classifiers.encoders import (
    Encoder,
    limit_of,
    loading,
    locate,
    origin_of,
)
from tealeaves.evidence.attention.network.families import (
    check_family,
    classifying_head,
    masked_head,
)

_LONGEST = 512
_CLASSIFYING, _MASKED = "ForSequenceClassification", "ForMaskedLM"


def open_pretrained(source: str | os.PathLike[str]) -> Classifier:
    """Open a model with a head: a folder, or a name of the hub, which may be downloaded."""
    path, name = Path(source).expanduser(), str(source)
    if not path.is_dir() and path.exists():
        raise InputError(f"{name}: a file; a classifier is a folder")
    if not path.is_dir() and "/" not in name:  # a typing error is not looked up in the net
        raise InputError(
            f"{name}: no such folder of a classifier (a model of Hugging Face is owner/name)"
        )
    folder, origin = locate(origin_of(source), name)
    with loading(folder, name) as load:
        config = load.config()
        check_family(config, name)
        kind = _kind(config, name)
        model, missing = load.model(f"AutoModel{_MASKED if kind == 'masked' else _CLASSIFYING}")
        tokenizer = load.tokenizer()
    if missing:
        raise InputError(f"{name}: its weights lack {missing[0]}, so that it cannot be used")
    head = (masked_head if kind == "masked" else classifying_head)(model, name)
    title = origin.name if origin.source == "hub" else folder.name
    encoder = Encoder(title, model.base_model, tokenizer, origin, None)
    return Classifier(
        name=title,
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
            f"{name}: a model without a head that predicts classes or masked words "
            f"({architecture or 'no architecture named'}): fit a classifier on it first"
        )
    if config.num_labels < 2 or config.problem_type == "regression":
        raise InputError(f"{name}: a model that predicts a number, not one of several classes")
    return "given"


def _labels(config: Any) -> tuple[str, ...]:
    return tuple(str(config.id2label[number]) for number in range(config.num_labels))
