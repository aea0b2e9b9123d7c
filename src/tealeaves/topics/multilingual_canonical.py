"""The canonical JSON of topics in several languages, its schema and its smallest form."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.topics.canonical import (
    ARRAYS,
    Count,
    Position,
    TopicRecord,
    TopicsFile,
    arrays_of_topics,
    canonical_file,
    decoded_json,
    parse_file,
    readable,
    schema_of,
)
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics

SCHEMA_PATH = Path(__file__).with_name("multilingual.schema.json")
# the arrays of tuples; those of the languages are called like en/topic_word
TUPLES = {
    "document_topic": "<f8",
    "best_topic": "<i4",
    "document_lengths": "<i8",
    "document_languages": "|b1",
}


class MultilingualFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Aligned topics in several languages; documents are tuples of linked ones."""

    languages: dict[str, TopicsFile | list[TopicRecord | list[str]]]
    format: Literal["tealeaves-multilingual-topics"] = "tealeaves-multilingual-topics"
    version: Annotated[int, Meta(ge=1, le=1)] = 1
    model: str | None = None
    documents: list[Count | None] | None = None
    document_topic: list[list[float]] | None = None
    outliers: Annotated[int, Meta(ge=0)] = 0
    best_topic: list[Position] | None = None
    document_ids: list[str] | None = None
    document_lengths: list[Count] | None = None
    document_languages: list[list[bool]] | None = None
    family: str = ""


def schema() -> bytes:
    """Return the JSON schema of the canonical form."""
    return schema_of(MultilingualFile, "tealeaves topics in several languages")


def parse_multilingual(data: bytes, name: str, model: str, arrays: Mapping[str, Any]) -> Topics:
    """Read the canonical form or ``{"languages": {"en": [[word, …], …], …}}``.

    A file of one language is read as plain topics.
    """
    _check_languages(data, name)
    try:
        file = decoded_json(data, MultilingualFile, name)
    except InputError as error:
        raise InputError(f"{name}: {_which(data, name, error)}") from error
    model = file.model or model
    unknown = sorted(arrays.keys() - TUPLES.keys() - set(_arrays_of_sides(file.languages)))
    if unknown:
        known = ", ".join(file.languages)
        raise InputError(f"{name}: the array {unknown[0]!r} is of none of the languages {known}")
    sides = {
        language: _side(side, f"{name}: {language}", model, _beside(language, arrays))
        for language, side in file.languages.items()
    }
    try:
        return _model(file, sides, model, arrays)
    except InputError as error:
        raise InputError(f"{name}: {str(error).removeprefix(f'{model}: ')}") from error


def multilingual_json(topics: MultilingualTopics, arrays: Mapping[str, Any]) -> bytes:
    """Return the JSON of topics with these of their arrays in it."""
    listed = {name: arrays[name].tolist() for name in TUPLES if name in arrays}
    counts = [topic.documents for topic in topics.topics]
    file = MultilingualFile(
        {},
        model=topics.model,
        documents=None if counts == _common_counts(topics) else counts,
        outliers=topics.outliers,
        document_ids=None if topics.document_ids is None else list(topics.document_ids),
        family=topics.family,
        **listed,
    )
    sides = {
        language: readable(_content(side, _beside(language, arrays)), "   ")
        for language, side in topics.by_language.items()
    }
    rows = b",\n  ".join(msgspec.json.encode(name) + b": " + text for name, text in sides.items())
    header = {"format": file.format, "version": file.version, "model": file.model}
    content = header | {"languages": msgspec.Raw(b"{\n  " + rows + b"\n }")}
    others = msgspec.to_builtins(file)
    return readable(content | {key: others[key] for key in others if key not in content}) + b"\n"


def multilingual_arrays(topics: MultilingualTopics) -> dict[str, Any]:
    """Return all arrays that the model has: its own, and those of each language."""
    found = {name: getattr(topics, name) for name in TUPLES}
    own = {name: array for name, array in found.items() if array is not None}
    for language, side in topics.by_language.items():
        for name, array in arrays_of_topics(side).items():
            own[f"{language}/{name}"] = array
    return own


def array_kind(name: str) -> str | None:
    """Return the kind of an array by its name; nothing if no such array is known.

    >>> array_kind("document_languages"), array_kind("es/assignments/words"), array_kind("es/x")
    ('|b1', '<i4', None)
    """
    known = TUPLES | ARRAYS
    plain = name.partition("/")[2]
    return known.get(name) or (ARRAYS.get(plain) if plain else None)


def _side(side: Any, where: str, model: str, arrays: Mapping[str, Any]) -> Topics:
    file = TopicsFile(side) if isinstance(side, list) else side
    # the sides bear the name of the whole, whatever theirs was
    file.model = None
    return parse_file(file, where, model, arrays)


def _model(
    file: MultilingualFile, sides: dict[str, Topics], model: str, arrays: Mapping[str, Any]
) -> Topics:
    found: dict[str, Any] = {name: arrays.get(name, getattr(file, name)) for name in TUPLES}
    found |= {
        "outliers": file.outliers,
        "document_ids": None if file.document_ids is None else tuple(file.document_ids),
        "family": file.family,
    }
    if len(sides) == 1:
        return _plain(sides, file, found)
    return MultilingualTopics.of_languages(sides, model=model, documents=file.documents, **found)


def _plain(sides: dict[str, Topics], file: MultilingualFile, found: dict[str, Any]) -> Topics:
    """Return the topics of the only language, with what is said of the documents."""
    ((language, side),) = sides.items()
    left = {"document_languages"} | {name for name, value in found.items() if value is None}
    said = {name: value for name, value in found.items() if name not in left}
    topics = side.topics
    if file.documents is not None:
        if len(file.documents) != len(side):
            count = len(file.documents)
            raise InputError(f"{side.model}: {count} document counts for {len(side)} topics")
        counted = zip(topics, file.documents, strict=True)
        topics = tuple(replace(topic, documents=count) for topic, count in counted)
    return replace(side, topics=topics, language=language, **said)


def _content(side: Topics, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return a side as it stands in the file; its name and language are said there already."""
    file = canonical_file(side, arrays)
    file.model, file.language = None, ""
    content: dict[str, Any] = msgspec.to_builtins(file)
    return content


def _common_counts(topics: MultilingualTopics) -> list[int | None]:
    """Return the numbers of documents that follow from the sides."""
    plain = MultilingualTopics.of_languages(topics.by_language, model=topics.model)
    return [topic.documents for topic in plain.topics]


def _beside(language: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arrays of one language, by their names in ``ARRAYS``."""
    named = ((name, f"{language}/{name}") for name in ARRAYS)
    return {name: arrays[key] for name, key in named if key in arrays}


def _arrays_of_sides(languages: Mapping[str, Any]) -> Iterator[str]:
    return (f"{language}/{name}" for language in languages for name in ARRAYS)


def _check_languages(data: bytes, name: str) -> None:
    """Refuse a language that is named twice, of which JSON would keep the last."""
    found = decoded_json(data, dict[str, msgspec.Raw], name).get("languages", msgspec.Raw(b"{}"))
    pairs = json.loads(bytes(found), object_pairs_hook=tuple)
    names = [pair[0] for pair in pairs] if isinstance(pairs, tuple) else []
    if len(set(names)) < len(names):
        twice = next(one for one in names if names.count(one) > 1)
        raise InputError(f"{name}: the language {twice!r} is given twice")


def _which(data: bytes, name: str, error: InputError) -> str:
    """Return what is wrong, with the language in which it is, which msgspec does not say."""
    said = str(error).removeprefix(f"{name}: ")
    try:
        raw = msgspec.json.decode(data, type=dict[str, msgspec.Raw])["languages"]
        sides = msgspec.json.decode(bytes(raw), type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError):
        return said
    for language, side in sides.items():
        try:
            msgspec.json.decode(bytes(side), type=TopicsFile | list[TopicRecord | list[str]])
        except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
            return f"{language}: {wrong}"
    return said
