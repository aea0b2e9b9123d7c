"""The canonical JSON of topics, its schema, and the shorter forms that are read too."""

from __future__ import annotations

import codecs
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.files import atomic_write
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    from collections.abc import Mapping

_Kind = TypeVar("_Kind")

MULTILINGUAL = "tealeaves-multilingual-topics"
SCHEMA_PATH = Path(__file__).with_name("topics.schema.json")
# the fields that are arrays, and their kinds in an archive
ARRAYS = {
    "topic_word": "<f8",
    "document_topic": "<f8",
    "best_topic": "<i4",
    "document_lengths": "<i8",
    "term_frequency": "<i8",
    "samples": "<f8",
    "assignments/starts": "<i8",
    "assignments/words": "<i4",
    "assignments/topics": "<i4",
}

Position = Annotated[int, Meta(ge=-1, le=2**31 - 1)]  # of a topic or a word; -1 is none
Count = Annotated[int, Meta(ge=0, le=2**53)]


class TopicRecord(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One topic: its words, best first."""

    words: list[str]
    id: int | str | None = None
    weights: list[float] | None = None
    documents: Annotated[int, Meta(ge=0)] | None = None


class AssignmentsRecord(msgspec.Struct, forbid_unknown_fields=True):
    """The word and the topic of each token; those of document d are at starts[d] to starts[d+1]."""

    starts: list[Count]
    words: list[Position]
    topics: list[Position]


class TopicsFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The topics of one model."""

    topics: list[TopicRecord | list[str]]
    format: Literal["tealeaves-topics"] = "tealeaves-topics"
    version: Annotated[int, Meta(ge=1, le=1)] = 1
    model: str | None = None
    language: str = ""
    vocabulary: list[str] | None = None
    topic_word: list[list[float]] | None = None
    document_topic: list[list[float]] | None = None
    outliers: Annotated[int, Meta(ge=0)] = 0
    best_topic: list[Position] | None = None
    document_ids: list[str] | None = None
    document_lengths: list[Count] | None = None
    term_frequency: list[Count] | None = None
    assignments: AssignmentsRecord | None = None
    samples: list[list[list[float]]] | None = None
    family: str = ""
    tokens: str = ""


def parse_json(
    data: bytes, name: str, model: str, arrays: Mapping[str, Any] | None = None
) -> Topics:
    """Read the canonical form, ``{"topics": [[word, …], …]}`` or a bare list of word lists.

    ``arrays`` are those that lie beside the JSON, by the names in ``ARRAYS``.
    """
    data = data.removeprefix(codecs.BOM_UTF8)
    found = _checked_syntax(data, name)
    if isinstance(found, dict) and ("languages" in found or found.get("format") == MULTILINGUAL):
        from tealeaves.topics.multilingual_canonical import parse_multilingual

        return parse_multilingual(data, name, model, arrays or {})
    if isinstance(found, list):
        file = TopicsFile([*decoded_json(data, list[list[str]], name)])
    else:
        file = decoded_json(data, TopicsFile, name)
    return parse_file(file, name, model, arrays or {})


def decoded_json(data: bytes, kind: type[_Kind], name: str) -> _Kind:
    """Return what JSON of a known syntax says, or what is wrong with it."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise InputError(f"{name}: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        # what the standard library lets pass: NaN, lone surrogates, UTF-16
        raise InputError(f"{name}: not valid JSON in UTF-8: {error}") from error


def schema() -> bytes:
    """Return the JSON schema of the canonical form."""
    return schema_of(TopicsFile, "tealeaves topics")


def schema_of(kind: Any, title: str) -> bytes:
    """Return the JSON schema of a kind of file."""
    found = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    found |= msgspec.json.schema(kind)
    return json.dumps(found, indent=2).encode() + b"\n"


def write_topics(topics: Topics, path: str | os.PathLike[str]) -> None:
    """Write the canonical JSON (``.json``), or an archive with binary matrices (``.topics``)."""
    suffix = Path(path).suffix.lower()
    if suffix == ".topics":
        from tealeaves.topics.archive import write_archived

        write_archived(topics, path)
    elif suffix == ".json":
        data = canonical_json(topics, arrays_of_topics(topics))
        with atomic_write(path) as stream:
            stream.write(data)
    else:
        raise InputError(
            f"{path}: topics are written to a .json file or, with large matrices, a .topics file"
        )


def canonical_json(topics: Topics, arrays: Mapping[str, Any]) -> bytes:
    """Return the JSON of topics with these of their arrays in it."""
    if isinstance(topics, MultilingualTopics):
        from tealeaves.topics.multilingual_canonical import multilingual_json

        return multilingual_json(topics, arrays)
    file = canonical_file(topics, arrays)
    header = {"format": file.format, "version": file.version}
    return readable(header | msgspec.to_builtins(file)) + b"\n"


def canonical_file(topics: Topics, arrays: Mapping[str, Any]) -> TopicsFile:
    """Return what is written of topics, with these of their arrays in it."""
    listed = {name: array.tolist() for name, array in arrays.items()}
    parts = [listed.pop(f"assignments/{part}", None) for part in ("starts", "words", "topics")]
    return TopicsFile(
        [_record(topic) for topic in topics.topics],
        model=topics.model,
        language=topics.language,
        vocabulary=None if topics.vocabulary is None else list(topics.vocabulary),
        outliers=topics.outliers,
        document_ids=None if topics.document_ids is None else list(topics.document_ids),
        family=topics.family,
        tokens=topics.tokens,
        assignments=None if parts[0] is None else AssignmentsRecord(*parts),
        **listed,
    )


def arrays_of_topics(topics: Topics) -> dict[str, Any]:
    """Return all arrays that the model has, by the names in ``ARRAYS``."""
    if isinstance(topics, MultilingualTopics):
        from tealeaves.topics.multilingual_canonical import multilingual_arrays

        return multilingual_arrays(topics)
    found = {}
    for name in ARRAYS:
        field, _, part = name.partition("/")
        value = getattr(topics, field)
        if value is not None:
            found[name] = getattr(value, part) if part else value
    return found


def _record(topic: Topic) -> TopicRecord:
    weights = None if topic.weights is None else list(topic.weights)
    return TopicRecord(list(topic.words), topic.id, weights, topic.documents)


def readable(content: Mapping[str, Any], indent: str = " ") -> bytes:
    """Write JSON with a line for each field, and for each topic or row of a matrix."""
    margin = b"\n" + indent.encode()
    fields = []
    for key, value in content.items():
        if isinstance(value, list) and value and isinstance(value[0], list | dict):
            rows = (b"," + margin + b" ").join(msgspec.json.encode(row) for row in value)
            text = b"[" + margin + b" " + rows + margin + b"]"
        else:
            text = msgspec.json.encode(value)
        fields.append(msgspec.json.encode(key) + b": " + text)
    return b"{" + margin + (b"," + margin).join(fields) + margin[:-1] + b"}"


def _checked_syntax(data: bytes, name: str) -> Any:
    """Let the standard library name the line, which msgspec does not."""
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        hint = "; is it a corpus? say -c before each, or quote the glob"
        raise InputError(
            f"{name}:{error.lineno}: not valid JSON at column {error.colno}: {error.msg}"
            f"{hint if error.msg == 'Extra data' else ''}"
        ) from error
    except RecursionError as error:
        raise InputError(f"{name}: not topics: nested too deeply") from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name}: invalid UTF-8 at byte {error.start}: save it as UTF-8"
        ) from error
    except ValueError as error:  # a number of thousands of digits
        raise InputError(f"{name}: not topics: {error}") from error


def parse_file(file: TopicsFile, name: str, model: str, arrays: Mapping[str, Any]) -> Topics:
    """Make topics of what a file says, and of the arrays beside it."""
    topics = []
    for number, entry in enumerate(file.topics):
        record = TopicRecord(entry) if isinstance(entry, list) else entry
        identity = number if record.id is None else record.id
        weights = tuple(record.weights) if record.weights is not None else None
        topics.append(Topic(identity, tuple(record.words), weights, record.documents))
    try:
        return Topics(
            tuple(topics),
            model=file.model or model,
            language=file.language,
            vocabulary=None if file.vocabulary is None else tuple(file.vocabulary),
            outliers=file.outliers,
            document_ids=None if file.document_ids is None else tuple(file.document_ids),
            family=file.family,
            tokens=file.tokens,
            **_arrays(file, arrays),
        )
    except InputError as error:
        label = file.model or model
        text = str(error).removeprefix(f"{label}: ")
        raise InputError(f"{name}: {text}") from error


def _arrays(file: TopicsFile, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arrays of the JSON or those beside it; they are checked where topics are made."""
    found = {name: arrays.get(name, getattr(file, name)) for name in ARRAYS if "/" not in name}
    try:
        found["samples"] = _floats(found["samples"])
    except ValueError as error:
        raise InputError("the samples are not of one size") from error
    said = file.assignments
    parts = [
        arrays.get(f"assignments/{part}", getattr(said, part, None))
        for part in ("starts", "words", "topics")
    ]
    if any(part is not None for part in parts):
        if any(part is None for part in parts):
            raise InputError("the token assignments do not fit together")
        found["assignments"] = Assignments(*parts)
    return found


def _floats(values: Any) -> Any:
    import numpy as np

    return None if values is None else np.asarray(values, dtype=np.float64)
