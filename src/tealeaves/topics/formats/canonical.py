"""Our own files of topics, in one language or several: JSON, and ``.topics`` archives.

An archive holds the same JSON, and the matrices as binary arrays.
"""

from __future__ import annotations

import codecs
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from tealeaves.artifacts import ArtifactFormat, artifact_format
from tealeaves.errors import InputError, errors_about
from tealeaves.files import atomic_write
from tealeaves.json_data import decode_json
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource
from tealeaves.topics.multilingual import MultilingualTopics, with_document_counts
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tealeaves.arrays import Array

_Decoded = TypeVar("_Decoded")

TOPICS = ArtifactFormat("tealeaves-topics-archive", 2, msgspec.Raw, holds="topics")
# the fields that are arrays, and their dtypes in an archive
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
_TOKEN_ARRAYS = ("assignments/starts", "assignments/words", "assignments/topics")
# the arrays of tuples of documents; those of a language are named like en/topic_word
TUPLE_ARRAYS = {
    "document_topic": "<f8",
    "best_topic": "<i4",
    "document_lengths": "<i8",
    "document_languages": "|b1",
}

Position = Annotated[int, Meta(ge=-1, le=2**31 - 1)]  # of a topic or a word; -1 is none
Count = Annotated[int, Meta(ge=0, le=2**53)]


# what stands in the files: the docstrings of these classes are the descriptions in the schemas


class TopicRecord(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One topic: its words, best first."""

    words: tuple[str, ...]
    id: int | str | None = None
    weights: tuple[float, ...] | None = None
    documents: Annotated[int, Meta(ge=0)] | None = None


class AssignmentsRecord(msgspec.Struct, forbid_unknown_fields=True):
    """The word and the topic of each token; those of document d are at starts[d] to starts[d+1]."""

    starts: list[Count]
    words: list[Position]
    topics: list[Position]


class TopicsFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The topics of one model."""

    topics: list[TopicRecord | tuple[str, ...]]
    format: Literal["tealeaves-topics"] = "tealeaves-topics"
    version: Annotated[int, Meta(ge=1, le=1)] = 1
    model: str | None = None
    language: str = ""
    vocabulary: tuple[str, ...] | None = None
    topic_word: list[list[float]] | None = None
    document_topic: list[list[float]] | None = None
    outliers: Annotated[int, Meta(ge=0)] = 0
    best_topic: list[Position] | None = None
    document_ids: tuple[str, ...] | None = None
    document_lengths: list[Count] | None = None
    term_frequency: list[Count] | None = None
    assignments: AssignmentsRecord | None = None
    samples: list[list[list[float]]] | None = None
    family: str = ""
    tokens: str = ""


class MultilingualFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Aligned topics in several languages; documents are tuples of linked ones."""

    languages: dict[str, TopicsFile | list[TopicRecord | tuple[str, ...]]]
    format: Literal["tealeaves-multilingual-topics"] = "tealeaves-multilingual-topics"
    version: Annotated[int, Meta(ge=1, le=1)] = 1
    model: str | None = None
    documents: list[Count | None] | None = None
    document_topic: list[list[float]] | None = None
    outliers: Annotated[int, Meta(ge=0)] = 0
    best_topic: list[Position] | None = None
    document_ids: tuple[str, ...] | None = None
    document_lengths: list[Count] | None = None
    document_languages: list[list[bool]] | None = None
    family: str = ""


# writing


def write_topics(topics: Topics, path: str | os.PathLike[str]) -> None:
    """Write the canonical JSON (``.json``), or an archive with binary matrices (``.topics``)."""
    suffix = Path(path).suffix.lower()
    if suffix == ".topics":
        import numpy as np

        arrays = {
            name: np.asarray(array, array_kind(name))
            for name, array in arrays_of_topics(topics).items()
        }
        TOPICS.save(path, msgspec.Raw(_canonical_json(topics, {}).strip()), arrays)
    elif suffix == ".json":
        data = _canonical_json(topics, arrays_of_topics(topics))
        with atomic_write(path) as stream:
            stream.write(data)
    else:
        raise InputError(
            f"{path}: topics are written to a .json file or, with large matrices, a .topics file"
        )


def _canonical_json(topics: Topics, arrays: Mapping[str, Any]) -> bytes:
    """Return the JSON of topics with these of their arrays."""
    if isinstance(topics, MultilingualTopics):
        return _multilingual_json(topics, arrays)
    file = _topics_file(topics, arrays)
    header = {"format": file.format, "version": file.version}
    return _indent_fields(header | msgspec.to_builtins(file)) + b"\n"


def arrays_of_topics(topics: Topics) -> dict[str, Any]:
    """Return all arrays of a model by name: those of ``ARRAYS``, or of tuples and languages."""
    if isinstance(topics, MultilingualTopics):
        fields = {name: getattr(topics, name) for name in TUPLE_ARRAYS}
        arrays = {name: array for name, array in fields.items() if array is not None}
        for language, side in topics.by_language.items():
            sides = arrays_of_topics(side).items()
            arrays |= {f"{language}/{name}": array for name, array in sides}
        return arrays
    arrays = {}
    for name in ARRAYS:
        field, _, part = name.partition("/")
        value = getattr(topics, field)
        if value is not None:
            arrays[name] = getattr(value, part) if part else value
    return arrays


def array_kind(name: str) -> str | None:
    """Return the dtype of an array by its name, None if there is no such array.

    >>> array_kind("document_languages"), array_kind("es/assignments/words"), array_kind("es/x")
    ('|b1', '<i4', None)
    """
    kinds = TUPLE_ARRAYS | ARRAYS
    of_language = name.partition("/")[2]
    return kinds.get(name) or (ARRAYS.get(of_language) if of_language else None)


def _multilingual_json(topics: MultilingualTopics, arrays: Mapping[str, Any]) -> bytes:
    counts = [topic.documents for topic in topics.topics]
    of_sides = MultilingualTopics.of_languages(topics.by_language, model=topics.model)
    file = MultilingualFile(
        {},
        documents=None if counts == [topic.documents for topic in of_sides.topics] else counts,
        outliers=topics.outliers,
        document_ids=topics.document_ids,
        family=topics.family,
        **{name: arrays[name].tolist() for name in TUPLE_ARRAYS if name in arrays},
    )
    sides = []
    for language, side in topics.by_language.items():
        side_file = _topics_file(side, _arrays_of_language(language, arrays))
        side_file.model, side_file.language = None, ""  # stated for the whole file
        content = _indent_fields(msgspec.to_builtins(side_file), "   ")
        sides.append(msgspec.json.encode(language) + b": " + content)
    languages = msgspec.Raw(b"{\n  " + b",\n  ".join(sides) + b"\n }")
    header = {"format": file.format, "version": file.version, "model": topics.model}
    return _indent_fields(header | msgspec.to_builtins(file) | {"languages": languages}) + b"\n"


def _topics_file(topics: Topics, arrays: Mapping[str, Any]) -> TopicsFile:
    lists = {name: array.tolist() for name, array in arrays.items()}
    parts = [lists.pop(f"assignments/{part}", None) for part in ("starts", "words", "topics")]
    return TopicsFile(
        [TopicRecord(t.words, t.id, t.weights, t.documents) for t in topics.topics],
        model=topics.model,
        language=topics.language,
        vocabulary=topics.vocabulary,
        outliers=topics.outliers,
        document_ids=topics.document_ids,
        family=topics.family,
        tokens=topics.tokens,
        assignments=None if parts[0] is None else AssignmentsRecord(*parts),
        **lists,
    )


def _indent_fields(content: Mapping[str, Any], indent: str = " ") -> bytes:
    """Return JSON with one line per field, and one per topic or row of a matrix."""
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


# reading


def _parse_json(
    data: bytes, name: str, model: str, arrays: Mapping[str, Any] | None = None
) -> Topics:
    """Read the canonical JSON, ``{"topics": [[word, …], …]}`` or a plain list of word lists.

    Several languages are ``{"languages": {"en": …, "es": …}}``. ``arrays`` are those of the archive
    that the JSON is part of, by their names.
    """
    data = data.removeprefix(codecs.BOM_UTF8)
    content = _parse_syntax(data, name)
    arrays = arrays or {}
    if isinstance(content, dict) and (
        "languages" in content or content.get("format") == "tealeaves-multilingual-topics"
    ):
        return _parse_multilingual(data, name, model, arrays)
    if isinstance(content, list):
        file = TopicsFile([*_decode(data, list[tuple[str, ...]], name)])
    else:
        file = _decode(data, TopicsFile, name)
    return _parse_topics(file, name, model, arrays)


def _parse_syntax(data: bytes, name: str) -> Any:
    """Parse with the standard library, which names the line of an error; msgspec does not."""
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


def _decode(data: bytes, kind: type[_Decoded], name: str) -> _Decoded:
    try:
        return decode_json(data, kind)
    except msgspec.ValidationError as error:
        raise InputError(f"{name}: {error}") from error
    except msgspec.DecodeError as error:
        # the standard library accepts NaN, lone surrogates and UTF-16
        raise InputError(f"{name}: not valid JSON in UTF-8: {error}") from error


def _parse_topics(file: TopicsFile, name: str, model: str, arrays: Mapping[str, Any]) -> Topics:
    """Return the topics of one language; ``name`` is the file, for errors."""
    topics = []
    for number, entry in enumerate(file.topics):
        record = TopicRecord(entry) if isinstance(entry, tuple) else entry
        identity = number if record.id is None else record.id
        topics.append(Topic(identity, record.words, record.weights, record.documents))
    model = file.model or model
    with errors_about(name, model):
        return Topics(
            tuple(topics),
            model=model,
            language=file.language,
            vocabulary=file.vocabulary,
            outliers=file.outliers,
            document_ids=file.document_ids,
            family=file.family,
            tokens=file.tokens,
            **_parse_arrays(file, arrays),
        )


def _parse_arrays(file: TopicsFile, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arrays of the archive or of the JSON; ``Topics`` checks them."""
    fields = {name: arrays.get(name, getattr(file, name)) for name in ARRAYS if "/" not in name}
    parts = [
        arrays.get(f"assignments/{part}", getattr(file.assignments, part, None))
        for part in ("starts", "words", "topics")
    ]
    if any(part is not None for part in parts):
        if any(part is None for part in parts):
            raise InputError("the token assignments do not fit together")
        fields["assignments"] = Assignments(*parts)
    return fields


def _parse_multilingual(data: bytes, name: str, model: str, arrays: Mapping[str, Any]) -> Topics:
    """Return the topics of several languages; those of one language are plain topics."""
    _check_languages(data, name)
    try:
        file = _decode(data, MultilingualFile, name)
    except InputError as error:
        raise InputError(f"{name}: {_locate_error(data, name, error)}") from error
    model = file.model or model
    of_languages = {f"{language}/{array}" for language in file.languages for array in ARRAYS}
    unknown = sorted(arrays.keys() - TUPLE_ARRAYS.keys() - of_languages)
    if unknown:
        known = ", ".join(file.languages)
        raise InputError(f"{name}: the array {unknown[0]!r} is of none of the languages {known}")
    sides = {}
    for language, side in file.languages.items():
        side_file = TopicsFile(side) if isinstance(side, list) else side
        side_file.model = None  # a side has the name of the whole model
        side_arrays = _arrays_of_language(language, arrays)
        sides[language] = _parse_topics(side_file, f"{name}: {language}", model, side_arrays)
    with errors_about(name, model):
        return _join_sides(file, sides, model, arrays)


def _join_sides(
    file: MultilingualFile, sides: dict[str, Topics], model: str, arrays: Mapping[str, Any]
) -> Topics:
    fields: dict[str, Any] = {name: arrays.get(name, getattr(file, name)) for name in TUPLE_ARRAYS}
    fields |= {"outliers": file.outliers, "document_ids": file.document_ids, "family": file.family}
    if len(sides) != 1:
        return MultilingualTopics.of_languages(
            sides, model=model, documents=file.documents, **fields
        )
    ((language, side),) = sides.items()
    del fields["document_languages"]
    fields = {name: value for name, value in fields.items() if value is not None}
    if file.documents is not None:
        fields["topics"] = with_document_counts(side, file.documents)
    return replace(side, language=language, **fields)


def _arrays_of_language(language: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arrays of one language by their names in ``ARRAYS``."""
    keys = {name: f"{language}/{name}" for name in ARRAYS}
    return {name: arrays[key] for name, key in keys.items() if key in arrays}


def _check_languages(data: bytes, name: str) -> None:
    """Check that no language is named twice: JSON would keep only the last."""
    languages = _decode(data, dict[str, msgspec.Raw], name).get("languages", msgspec.Raw(b"{}"))
    pairs = json.loads(bytes(languages), object_pairs_hook=tuple)
    names = [pair[0] for pair in pairs] if isinstance(pairs, tuple) else []
    if len(set(names)) < len(names):
        twice = next(language for language in names if names.count(language) > 1)
        raise InputError(f"{name}: the language {twice!r} is given twice")


def _locate_error(data: bytes, name: str, error: InputError) -> str:
    """Return what is wrong, with the language that is wrong, which msgspec does not name."""
    message = str(error).removeprefix(f"{name}: ")
    try:
        raw = decode_json(data, dict[str, msgspec.Raw])["languages"]
        sides = decode_json(bytes(raw), dict[str, msgspec.Raw])
    except (msgspec.DecodeError, KeyError):
        return message
    for language, side in sides.items():
        try:
            decode_json(bytes(side), TopicsFile | list[TopicRecord | tuple[str, ...]])
        except msgspec.DecodeError as wrong:
            return f"{language}: {wrong}"
    return message


# the formats


def is_json(file: TopicsSource) -> bool:
    """Recognise JSON by its name, or by its start unless the caller states a separator of words."""
    by_start = file.start.lstrip().startswith((b"{", b"["))
    return file.suffix == ".json" or (by_start and file.separator is None)


def read_json(file: TopicsSource, options: TopicsOptions) -> Topics:
    """Read the canonical JSON, or a shorter form of it."""
    return _parse_json(file.data(), file.name, options.name)


def is_topics_archive(file: TopicsSource) -> bool:
    """Accept any zip archive, and any file with the suffix of our archives."""
    return file.is_archive or file.suffix == ".topics"


def read_topics_archive(file: TopicsSource, options: TopicsOptions) -> Topics:
    """Read our own archive; damaged and other archives are errors."""
    if file.suffix != ".topics" and artifact_format(file.path) != TOPICS.name:
        raise InputError(f"{file.name}: an archive, not topics; counts are given with --counts")
    artifact = TOPICS.load(file.path)
    for name, array in artifact.arrays.items():
        _check_array(name, array, file.name)
    return _parse_json(bytes(artifact.content), file.name, options.name, artifact.arrays)


def _check_array(name: str, array: Array, file: str) -> None:
    expected = array_kind(name)
    if expected is None:
        known = ", ".join(ARRAYS | TUPLE_ARRAYS)
        raise InputError(f"{file}: the array {name!r} is not known: known are {known}")
    if array.dtype.str != expected:
        raise InputError(f"{file}: the array {name} is of kind {array.dtype.str}, not {expected}")
    if name.endswith(_TOKEN_ARRAYS) and array.ndim != 1:
        raise InputError(f"{file}: the array {name} is not a plain list of numbers")


JSON = TopicsFormat("JSON of word lists", is_json, read_json, separated=True)
ARCHIVE = TopicsFormat("a .topics archive", is_topics_archive, read_topics_archive, separated=True)
