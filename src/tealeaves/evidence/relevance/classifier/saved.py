"""What a classifier says of itself, read without loading its network."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tealeaves.evidence.relevance.classifier.classifier import Classifier, Origin

_SETTINGS = "classifier.json"
_ENGLISH = "minilm"  # the packaged encoder, which learnt from English alone


class About(NamedTuple):
    """What is known of a classifier; all is empty where nothing is.

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


def about(classifier: Any) -> About:
    """Tell what a classifier, or the folder of a saved one, says of itself.

    Of a name of the hub, and of anything else, nothing is known before it is opened.

    >>> about("owner/name")
    About(tokens='', language='', fingerprint='')
    """
    if isinstance(classifier, Classifier):
        return _about(classifier.report, classifier.origin, "")
    if isinstance(classifier, str | os.PathLike):
        try:
            content = (Path(classifier).expanduser() / _SETTINGS).read_bytes()
            found = msgspec.json.decode(content, type=_Settings)
        except (OSError, msgspec.DecodeError):
            return About()  # what is wrong with it is said when it is opened
        return _about(found.report, found.origin, found.fingerprint)
    return About()


def language_of(encoder: Any) -> str:
    """Return the language that an encoder was made for, where it is known: None is MiniLM.

    >>> language_of(None), language_of("owner/name")
    ('en', '')
    """
    return "en" if encoder is None or str(encoder) == _ENGLISH else ""


def _about(report: dict[str, Any], origin: Origin | None, fingerprint: str) -> About:
    language = "en" if origin is not None and origin.source == _ENGLISH else ""
    return About(str(report.get("tokens") or ""), language, fingerprint)
