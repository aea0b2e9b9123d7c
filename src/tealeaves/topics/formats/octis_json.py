"""The output of an OCTIS model as JSON, with the keys that OCTIS gives."""

from __future__ import annotations

import json
from typing import Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.octis import MATRICES
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.formats import octis
from tealeaves.topics.formats.source import TopicsSource, decoded
from tealeaves.topics.topics import Topics

FORM = octis.FORM
STATED = octis.STATED


def fits(file: TopicsSource) -> bool:
    """One of the matrices by its key."""
    return not file.keys.isdisjoint(MATRICES)


def read(file: TopicsSource, parts: Parts) -> Topics:
    """Read the topics and the matrices."""
    try:
        # with NaN, which Python writes: the matrix that holds it is of no use, the words are
        output: dict[str, Any] = json.loads(decoded(file.data(), file.name))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file.name}: not valid JSON: {error}") from error
    used = {key: output[key] for key in ("topics", *MATRICES[:2]) if output.get(key) is not None}
    if "topics" in used:
        used["topics"] = _words(used["topics"])
    return octis.topics_of(used, parts, file.name)


def _words(topics: Any) -> Any:
    """Leave out weights: OCTIS loads topics as pairs of a word and its weight."""
    if not isinstance(topics, list):
        return topics
    return [
        [entry[0] if isinstance(entry, list) and entry else entry for entry in topic]
        if isinstance(topic, list)
        else topic
        for topic in topics
    ]
