"""OCTIS: the output of a model as ``.npz``, which OCTIS saves, or as JSON with the same keys.

An output does not hold its vocabulary. It is read from ``vocabulary.txt`` in the same folder, or
the caller gives it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from tealeaves.artifacts import Archive, PickledArrayError, open_archive
from tealeaves.errors import InputError
from tealeaves.files import decode_text
from tealeaves.json_data import decode_python_json
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource, files_in
from tealeaves.topics.topics import Topics

_VOCABULARY = "vocabulary.txt"
_MATRICES = ("topic-word-matrix", "topic-document-matrix", "test-topic-document-matrix")
_STRING = 80  # bytes that a word takes in a list, about
_KEYS = ("topics", *_MATRICES[:2])  # those that are used


def is_octis_npz(file: TopicsSource) -> bool:
    """Recognise an archive of arrays by its suffix, or by the names that OCTIS gives to arrays."""
    named = any(f"{name}.npy" in file.members for name in ("topics", *_MATRICES))
    return named or file.path.suffix.lower() == ".npz"


def read_octis_npz(file: TopicsSource, options: TopicsOptions) -> Topics:
    """Read the arrays that are used; pickled ones are refused."""
    with open_archive(file.path, "arrays") as archive:
        output = {
            key: _read_array(archive, key, file.name)
            for key in _KEYS
            if f"{key}.npy" in archive.names
        }
    if not output:
        raise InputError(f"{file.name}: no output of OCTIS: it has no {', '.join(_KEYS)}")
    return _convert(output, options)


def is_octis_json(file: TopicsSource) -> bool:
    """Recognise JSON that has one of the matrices among its keys."""
    return not file.keys.isdisjoint(_MATRICES)


def read_octis_json(file: TopicsSource, options: TopicsOptions) -> Topics:
    """Read the topics and the matrices."""
    try:
        # Python writes NaN: a matrix with it is left out, but the words are good
        content: dict[str, Any] = decode_python_json(file.text())
    except msgspec.DecodeError as error:
        raise InputError(f"{file.name}: not valid JSON: {error}") from error
    output = {key: content[key] for key in _KEYS if content.get(key) is not None}
    if "topics" in output:
        output["topics"] = _without_weights(output["topics"])
    return _convert(output, options)


def is_octis_folder(folder: TopicsSource) -> bool:
    """Recognise a folder with a vocabulary and an output."""
    return (folder.path / _VOCABULARY).is_file() and bool(_outputs(folder))


def read_octis_folder(folder: TopicsSource, options: TopicsOptions) -> Topics:
    """Read the output with the vocabulary of the same folder."""
    outputs = _outputs(folder)
    if len(outputs) > 1:
        names = " and ".join(file.path.name for file in outputs[:2])
        raise InputError(
            f"{folder.name}: two outputs of OCTIS, {names}: keep each in a folder of its own"
        )
    path = folder.path / _VOCABULARY
    if options.vocabulary is None:
        words = decode_text(path.read_bytes(), str(path)).split()
        options = replace(options, vocabulary=words)
    read = read_octis_json if is_octis_json(outputs[0]) else read_octis_npz
    return read(outputs[0], options)


def _convert(output: dict[str, Any], options: TopicsOptions) -> Topics:
    from tealeaves.topics.adapters.octis import convert_octis_output

    return convert_octis_output(output, options)


def _outputs(folder: TopicsSource) -> list[TopicsSource]:
    return [
        file
        for file in files_in(folder.path)
        if file.path.suffix in (".npz", ".json") and (is_octis_npz(file) or is_octis_json(file))
    ]


def _read_array(archive: Archive, key: str, name: str) -> Any:
    try:
        array = archive.array(f"{key}.npy")
    except PickledArrayError as error:
        raise InputError(
            f"{name}: {key} is an array of Python objects, that is a pickle, which is never "
            "opened: save topics of one length each, or the output as JSON"
        ) from error
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{name}: {key} cannot be read: {error}") from error
    if key != "topics":
        return array
    archive.take(_STRING * array.size)
    return array.tolist()


def _without_weights(topics: Any) -> Any:
    """Return the words of topics that may be lists of pairs of a word and its weight."""
    if not isinstance(topics, list):
        return topics
    return [
        [entry[0] if isinstance(entry, list) and entry else entry for entry in topic]
        if isinstance(topic, list)
        else topic
        for topic in topics
    ]


OCTIS_NPZ = TopicsFormat(
    "an output of OCTIS (.npz)",
    is_octis_npz,
    read_octis_npz,
    options=("vocabulary", "top"),
    separated=True,
)
OCTIS_JSON = TopicsFormat(
    "an output of OCTIS (JSON)", is_octis_json, read_octis_json, options=("vocabulary", "top")
)
OCTIS_FOLDER = TopicsFormat(
    "a folder with an output of OCTIS and its vocabulary.txt",
    is_octis_folder,
    read_octis_folder,
    options=("vocabulary", "top"),
    folder=True,
)
