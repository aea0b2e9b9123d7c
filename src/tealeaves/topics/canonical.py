"""The canonical JSON of topics, its schema, and the shorter forms that are read too."""

from __future__ import annotations

import codecs
import json
import os
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.files import atomic_write
from tealeaves.topics.topics import Topic, Topics

SCHEMA_PATH = Path(__file__).with_name("topics.schema.json")


class TopicRecord(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One topic: its words, best first."""

    words: list[str]
    id: int | str | None = None
    weights: list[float] | None = None
    documents: Annotated[int, Meta(ge=0)] | None = None


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


def parse_json(data: bytes, name: str, model: str) -> Topics:
    """Read the canonical form, ``{"topics": [[word, …], …]}`` or a bare list of word lists."""
    data = data.removeprefix(codecs.BOM_UTF8)
    _check_syntax(data, name)
    bare = data.lstrip().startswith(b"[")
    try:
        if bare:
            file = TopicsFile([*msgspec.json.decode(data, type=list[list[str]])])
        else:
            file = msgspec.json.decode(data, type=TopicsFile)
    except msgspec.ValidationError as error:
        raise InputError(f"{name}: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        # what the standard library lets pass: NaN, lone surrogates, UTF-16
        raise InputError(f"{name}: not valid JSON in UTF-8: {error}") from error
    return _topics(file, name, model)


def schema() -> bytes:
    """Return the JSON schema of the canonical form."""
    found = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "tealeaves topics"}
    found |= msgspec.json.schema(TopicsFile)
    return json.dumps(found, indent=2).encode() + b"\n"


def write_topics(topics: Topics, path: str | os.PathLike[str]) -> None:
    """Write the canonical JSON."""
    records: list[TopicRecord | list[str]] = [
        TopicRecord(
            words=list(topic.words),
            id=topic.id,
            weights=list(topic.weights) if topic.weights is not None else None,
            documents=topic.documents,
        )
        for topic in topics.topics
    ]
    phi, theta = topics.topic_word, topics.document_topic
    file = TopicsFile(
        records,
        model=topics.model,
        language=topics.language,
        vocabulary=list(topics.vocabulary) if topics.vocabulary is not None else None,
        topic_word=phi.tolist() if phi is not None else None,
        document_topic=theta.tolist() if theta is not None else None,
        outliers=topics.outliers,
    )
    header = {"format": file.format, "version": file.version}
    with atomic_write(path) as stream:
        stream.write(_readable(header | msgspec.to_builtins(file)))


def _readable(content: dict[str, Any]) -> bytes:
    """Write JSON with a line for each field, and for each topic or row of a matrix."""
    fields = []
    for key, value in content.items():
        if isinstance(value, list) and value and not isinstance(value[0], str):
            rows = b",\n  ".join(msgspec.json.encode(row) for row in value)
            text = b"[\n  " + rows + b"\n ]"
        else:
            text = msgspec.json.encode(value)
        fields.append(msgspec.json.encode(key) + b": " + text)
    return b"{\n " + b",\n ".join(fields) + b"\n}\n"


def _check_syntax(data: bytes, name: str) -> None:
    """Let the standard library name the line, which msgspec does not."""
    try:
        json.loads(data)
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


def _topics(file: TopicsFile, name: str, model: str) -> Topics:
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
            vocabulary=tuple(file.vocabulary) if file.vocabulary is not None else None,
            topic_word=file.topic_word,  # type: ignore[arg-type]  # checked and converted there
            document_topic=file.document_topic,  # type: ignore[arg-type]
            outliers=file.outliers,
        )
    except InputError as error:
        label = file.model or model
        text = str(error).removeprefix(f"{label}: ")
        raise InputError(f"{name}: {text}") from error
