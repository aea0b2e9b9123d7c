"""Models of several languages: ``{"languages": {"en": …, "es": …}}``, each whatever is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.parts import Parts, document_matrix
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics

LIBRARY = ""
PLAIN = "models of several languages"
USES: frozenset[str] = frozenset()
_TAKEN = ("name", "top", "limit", "document_topic", "document_topic_axes", "document_ids")


def fits(model: Any) -> bool:
    """A mapping whose only key is ``languages``, to a mapping."""
    return (
        isinstance(model, Mapping)
        and list(model) == ["languages"]
        and isinstance(model["languages"], Mapping)
    )


def convert(model: Any, parts: Parts) -> Topics:
    """Make topics of each language's model; documents are tuples of linked ones."""
    from tealeaves.topics.adapters import adapt

    for one in fields(Parts):
        if one.name not in _TAKEN and getattr(parts, one.name) is not getattr(Parts(), one.name):
            raise InputError(f"{parts.name}: {PLAIN} take no {one.name}=")
    sides = {}
    for language, side in model["languages"].items():
        try:
            sides[language] = adapt(side, name=parts.name, top=_top(side, parts))
        except InputError as error:
            text = str(error).removeprefix(f"{parts.name}: ")
            raise InputError(f"{parts.name}: {language}: {text}") from error
    topics = len(next(iter(sides.values()))) if sides else 0
    ids = parts.document_ids
    return MultilingualTopics.of_languages(
        sides,
        model=parts.name,
        document_topic=document_matrix(None, topics, parts),
        document_ids=None if ids is None else tuple(map(str, ids)),
    )


def _top(side: Any, parts: Parts) -> int | None:
    return None if isinstance(side, Topics) else parts.limit
