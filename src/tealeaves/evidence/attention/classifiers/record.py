"""What a classifier records about itself, read without loading its network."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tealeaves.evidence.attention.classifiers.classifier import Classifier, Origin
from tealeaves.json_data import decode_json

_SETTINGS = "classifier.json"
_ENGLISH = "minilm"  # the packaged encoder, which was trained on English


class ClassifierRecord(NamedTuple):
    """What is known about a classifier; empty if nothing is.

    ``tokens`` is the pipeline that it was fitted with, ``language`` the one that its encoder was
    made for, ``fingerprint`` identifies a saved one by its content.
    """

    tokens: str = ""
    language: str = ""
    fingerprint: str = ""


class _Settings(msgspec.Struct):
    report: dict[str, Any]
    fingerprint: str
    origin: Origin | None = None


def record_of(classifier: Any) -> ClassifierRecord:
    """Return what a classifier, or the folder of a saved one, records about itself.

    About a name of the hub, and about anything else, nothing is known before it is opened.

    >>> record_of("owner/name")
    ClassifierRecord(tokens='', language='', fingerprint='')
    """
    if isinstance(classifier, Classifier):
        return _record(classifier.report, classifier.origin, "")
    if isinstance(classifier, str | os.PathLike):
        try:
            content = (Path(classifier).expanduser() / _SETTINGS).read_bytes()
            settings = decode_json(content, _Settings)
        except (OSError, msgspec.DecodeError):
            return ClassifierRecord()  # opening it says what is wrong with it
        return _record(settings.report, settings.origin, settings.fingerprint)
    return ClassifierRecord()


def language_of(encoder: Any) -> str:
    """Return the language that an encoder was made for, if it is known: None is MiniLM.

    >>> language_of(None), language_of("owner/name")
    ('en', '')
    """
    return "en" if encoder is None or str(encoder) == _ENGLISH else ""


def _record(report: dict[str, Any], origin: Origin | None, fingerprint: str) -> ClassifierRecord:
    language = "en" if origin is not None and origin.source == _ENGLISH else ""
    return ClassifierRecord(str(report.get("tokens") or ""), language, fingerprint)
