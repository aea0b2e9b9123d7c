"""The output of an OCTIS model: ``.npz`` as OCTIS saves it, alone or beside its vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from tealeaves.archives import PickledArrayError, array_of, arrays_of, read_archive
from tealeaves.errors import InputError
from tealeaves.topics.adapters import octis as live
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.formats.archived import names_in
from tealeaves.topics.formats.source import TopicsSource, decoded
from tealeaves.topics.topics import Topics

FORM = "an output of OCTIS (.npz or JSON)"
FOLDER = "that of an output of OCTIS (.npz or JSON) and its vocabulary.txt"
STATED = ("vocabulary", "top")
_VOCABULARY = "vocabulary.txt"
_USED = ("topics", *live.MATRICES[:2])


def fits(file: TopicsSource) -> bool:
    """An archive of arrays by its name, or by the names that OCTIS gives to them."""
    names = names_in(file)
    ours = any(f"{name}.npy" in names for name in ("topics", *live.MATRICES))
    return ours or file.path.suffix.lower() == ".npz"


def read(file: TopicsSource, parts: Parts) -> Topics:
    """Read the arrays that are used; pickled ones are refused."""
    members = arrays_of(read_archive(file.path, "arrays"))
    output = {}
    for name in _USED:
        if f"{name}.npy" in members:
            output[name] = _array(members[f"{name}.npy"], name, file.name)
    if not output:
        raise InputError(f"{file.name}: no output of OCTIS, for it has no {', '.join(_USED)}")
    return topics_of(output, parts, file.name)


def fits_folder(path: Path) -> bool:
    """A vocabulary and one output."""
    return (path / _VOCABULARY).is_file() and bool(_outputs(path))


def read_folder(path: Path, name: str, parts: Parts) -> Topics:
    """Read the output with the vocabulary that lies beside it."""
    from tealeaves.topics.formats import octis_json

    outputs = _outputs(path)
    if len(outputs) > 1:
        names = " and ".join(file.path.name for file in outputs[:2])
        raise InputError(f"{name}: two outputs of OCTIS, {names}: keep each in a folder of its own")
    text = decoded((path / _VOCABULARY).read_bytes(), str(path / _VOCABULARY))
    stated = parts if parts.vocabulary is not None else replace(parts, vocabulary=text.split())
    output = outputs[0]
    return octis_json.read(output, stated) if octis_json.fits(output) else read(output, stated)


def topics_of(output: Mapping[str, Any], parts: Parts, name: str) -> Topics:
    """Make topics of the parts of an output."""
    made = dict(output)
    if "topics" in made:
        try:
            made["topics"] = msgspec.convert(made["topics"], list[list[str]])
        except ValueError as error:
            raise InputError(f"{name}: its topics are no lists of words: {error}") from error
        if not all(made["topics"]):
            raise InputError(f"{name}: a topic has no words")
    return live.convert(made, parts)


def _outputs(path: Path) -> list[TopicsSource]:
    from tealeaves.topics.formats import octis_json

    found = []
    for file in sorted([*path.glob("*.npz"), *path.glob("*.json")]):
        try:
            source = TopicsSource.at(file, str(file), file.name)
        except InputError:  # empty
            continue
        if fits(source) or octis_json.fits(source):
            found.append(source)
    return found


def _array(data: bytes, key: str, name: str) -> Any:
    try:
        found = array_of(data)
    except PickledArrayError as error:
        raise InputError(
            f"{name}: {key} is an array of Python objects, that is a pickle, which is never "
            "opened: save topics of one length each, or the output as JSON"
        ) from error
    except ValueError as error:
        raise InputError(f"{name}: {key} cannot be read: {error}") from error
    return found.tolist() if key == "topics" else found
