"""The ``.topics`` archive: an artifact of the canonical JSON, and the matrices as binary arrays."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from tealeaves.artifacts import ArtifactFormat
from tealeaves.errors import InputError
from tealeaves.topics.canonical import (
    ARRAYS,
    TUPLE_ARRAYS,
    array_kind,
    arrays_of_topics,
    canonical_json,
    parse_json,
)

if TYPE_CHECKING:
    from tealeaves.arrays import Array
    from tealeaves.topics.topics import Topics

TOPICS = ArtifactFormat("tealeaves-topics-archive", 2, msgspec.Raw, holds="topics")
_TOKENS = tuple(name for name in ARRAYS if name.startswith("assignments/"))


def write_topics_archive(topics: Topics, path: str | os.PathLike[str]) -> None:
    """Write topics to an archive, completely or not at all."""
    import numpy as np

    arrays = {
        name: np.asarray(array, _known_kind(name, path))
        for name, array in arrays_of_topics(topics).items()
    }
    TOPICS.save(path, msgspec.Raw(canonical_json(topics, {}).strip()), arrays)


def read_topics_archive(path: str | os.PathLike[str], model: str) -> Topics:
    """Read the topics of an archive; a damaged or foreign file is an error."""
    artifact = TOPICS.load(path)
    for name, array in artifact.arrays.items():
        _check_array(name, array, path)
    return parse_json(bytes(artifact.content), str(path), model, artifact.arrays)


def _check_array(name: str, array: Array, path: str | os.PathLike[str]) -> None:
    expected = _known_kind(name, path)
    if array.dtype.str != expected:
        raise InputError(f"{path}: the array {name} is of kind {array.dtype.str}, not {expected}")
    if name.endswith(_TOKENS) and array.ndim != 1:
        raise InputError(f"{path}: the array {name} is not a plain list of numbers")


def _known_kind(name: str, path: str | os.PathLike[str]) -> str:
    kind = array_kind(name)
    if kind is None:
        known = ", ".join(ARRAYS | TUPLE_ARRAYS)
        raise InputError(f"{path}: the array {name!r} is not known: known are {known}")
    return kind
