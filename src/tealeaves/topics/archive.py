"""The ``.topics`` archive: the canonical JSON, and the matrices as binary arrays."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tealeaves.archives import (
    array_bytes,
    array_of,
    arrays_of,
    checksum,
    read_archive,
    write_archive,
)
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
    from collections.abc import Mapping

    from tealeaves.topics.topics import Topics

HEADER = "topics.json"
_CHECKSUM = "checksum.txt"
_TOKENS = tuple(name for name in ARRAYS if name.startswith("assignments/"))


def write_topics_archive(topics: Topics, path: str | os.PathLike[str]) -> None:
    """Write topics to an archive, atomically; the same topics make the same bytes."""
    header = canonical_json(topics, {})
    arrays = {
        f"{name}.npy": array_bytes(array, _known_kind(name))
        for name, array in arrays_of_topics(topics).items()
    }
    digest = checksum(header, arrays).encode() + b"\n"
    write_archive(path, {HEADER: header, **arrays, _CHECKSUM: digest})


def read_topics_archive(path: str | os.PathLike[str], model: str) -> Topics:
    """Read the topics of an archive; a damaged or foreign file is an error."""
    members = read_archive(path, "topics")
    arrays = arrays_of(members)
    if HEADER not in members:
        raise InputError(f"{path}: not a whole file of topics: there is no {HEADER} in it")
    if members.get(_CHECKSUM, b"").strip() != checksum(members[HEADER], arrays).encode():
        raise InputError(f"{path}: the checksum is wrong: the file is damaged")
    return parse_json(members[HEADER], str(path), model, _read_arrays(arrays, path))


def _read_arrays(members: Mapping[str, bytes], path: str | os.PathLike[str]) -> dict[str, Any]:
    arrays = {}
    for member, data in members.items():
        name = member.removesuffix(".npy")
        try:
            expected = _known_kind(name)
            array = array_of(data)
        except InputError as error:
            raise InputError(f"{path}: {error}") from error
        except ValueError as error:
            raise InputError(f"{path}: the array {name} cannot be read: {error}") from error
        if array.dtype.str != expected:
            raise InputError(
                f"{path}: the array {name} is of kind {array.dtype.str}, not {expected}"
            )
        if name.endswith(_TOKENS) and array.ndim != 1:
            raise InputError(f"{path}: the array {name} is not a plain list of numbers")
        arrays[name] = array
    return arrays


def _known_kind(name: str) -> str:
    kind = array_kind(name)
    if kind is None:
        known = ", ".join(ARRAYS | TUPLE_ARRAYS)
        raise InputError(f"the array {name!r} is not known: known are {known}")
    return kind
