"""JSON files of ours: the checksum in their header, and upgrades of earlier versions.

The checksum is one of the content, not of the bytes: spaces and the order of names mean nothing.
A file that is written by hand, or changed on purpose, has no field ``checksum`` and is read as it
is. A file with a wrong one is damaged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.json_data import decode_json

_CHECKSUM = "checksum"
_AFTER = "made_with"  # the last of the fields that a header begins with

#: Makes of the content of one version that of the next; by the version that it reads.
Upgrades = Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]


def with_checksum(content: bytes) -> bytes:
    """Return a JSON object with its checksum.

    >>> with_checksum(b'{"format": "toys", "made_with": "0", "size": 1}')
    b'{"format":"toys","made_with":"0","checksum":"7775ed4c52dbecd84aebd0252e79dcbd","size":1}'
    """
    fields: dict[str, Any] = decode_json(content, dict[str, msgspec.Raw])
    sealed: dict[str, Any] = {} if _AFTER in fields else {_CHECKSUM: _digest(content)}
    for name, value in fields.items():
        sealed[name] = value
        if name == _AFTER:
            sealed[_CHECKSUM] = _digest(content)
    return msgspec.json.encode(sealed)


def without_checksum(content: bytes, name: str) -> bytes:
    """Check the checksum of a JSON object and return the object without it.

    What is no such object is returned as it is: its reader says what it should be.

    >>> without_checksum(with_checksum(b'{"size": 1}'), "a.json")
    b'{"size":1}'
    """
    try:
        fields: dict[str, Any] = decode_json(content, dict[str, msgspec.Raw])
        checksum = fields.pop(_CHECKSUM, None)
        is_right = checksum is None or decode_json(checksum) == _digest(content)
    except msgspec.DecodeError:
        return content
    if checksum is None:
        return content
    if not is_right:
        raise InputError(
            f"{name}: the checksum is wrong: the file is damaged, or was changed by hand: make it "
            f"again, or remove the field {_CHECKSUM} to read it as it is"
        )
    return msgspec.json.encode(fields)


def upgraded(content: bytes, version: int, current: int, upgrades: Upgrades) -> bytes:
    """Return the content of an earlier version as that of the current one."""
    if version == current:
        return content
    fields: dict[str, Any] = decode_json(content)
    for earlier in range(version, current):
        fields = upgrades[earlier](fields)
    return msgspec.json.encode(fields | {"version": current})


def _digest(content: bytes) -> str:
    fields: dict[str, Any] = decode_json(content, dict[str, Any])
    fields.pop(_CHECKSUM, None)
    return blake2b(msgspec.json.encode(fields, order="sorted"), digest_size=16).hexdigest()
