"""Changes of files: of their bytes, and of what is inside of them (JSON, archives, arrays)."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Callable
from hashlib import blake2b
from random import Random
from typing import Any

from tealeaves.artifacts import HEADER

_MOST = 1 << 20  # bytes that a changed file may have

_NUMBERS = (
    b"-1",
    b"0",
    b"1",
    b"-0.0",
    b"2",
    b"3.5",
    b"1e999",
    b"-1e308",
    b"NaN",
    b"nan",
    b"inf",
    b"Infinity",
    b"2147483648",
    b"-2147483649",
    b"4294967296",
    b"9223372036854775807",
    b"9223372036854775808",
    b"18446744073709551616",
    b"1" + b"0" * 400,
    b"1" * 5000,
    b"0x10",
    b"1_000",
    b"\xd9\xa3",
    b"\xc2\xb2",
)
_PIECES = (
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xef\xbb\xbf",
    b"\x00",
    b"\x1b[2J",
    b"\r",
    b"\n",
    b"\r\n\r\n",
    b"\t",
    b'"',
    b"'",
    b"\\",
    b"\\ud800",
    b"\xe2\x80\xa8",
    b"[" * 3000,
    b"{" * 3000,
    b"(" * 500,
    b'{"a":' * 2000,
    b"<a>" * 2000,
    b"&x;",
    b"<!DOCTYPE a [<!ENTITY x 'y'>]>",
    b"<!--",
    b"]]>",
    b"PK\x03\x04",
    b"PAR1",
    b"\x1f\x8b\x08",
    b"BZh9",
    b"\x28\xb5\x2f\xfd",
    b"\x80\x04",
    b"\x93NUMPY",
    b",",
    b";",
    b"=",
    b" " * 300,
    b"#",
    b"null",
    b"true",
    b"[]",
    b"{}",
    b"e\xcc\x81" * 50,
    b"\xf0\x9f\x98\x80",
    b"x" * 70_000,
)
_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    0.5,
    -0.5,
    1e308,
    -1e308,
    float("nan"),
    float("inf"),
    2**31,
    2**53 + 1,
    2**63,
    2**64,
    -(2**63) - 1,
    10**400,
    "",
    " ",
    "x",
    "1",
    "nan",
    "\x00",
    "\ud800",
    "é" * 300,
    [],
    {},
    [[]],
    [None],
    [1, "a"],
    {"a": 1},
    [[[[[[]]]]]],
)


def mutated(data: bytes, random: Random, others: Callable[[], bytes]) -> bytes:
    """Change data in one to four ways; ``others`` returns another file to take pieces of."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        inner = _inside(data, random, others) if random.random() < 0.6 else None
        data = _changed_bytes(data, random, others) if inner is None else inner
    return data[:_MOST]


# ---------------------------------------------------------------------- bytes


def _changed_bytes(data: bytes, random: Random, others: Callable[[], bytes]) -> bytes:
    change: Callable[..., bytes] = random.choice(_BYTE_CHANGES)
    start, stop = sorted(random.randrange(len(data) + 1) for _ in range(2))
    if random.random() < 0.7:  # most pieces are short
        stop = min(stop, start + random.choice((1, 2, 4, 8, 40)))
    return change(data, start, stop, random, others)


def _flip(data: bytes, start: int, stop: int, random: Random, _: Any) -> bytes:
    changed = bytearray(data)
    for place in range(start, min(stop, start + 8)):
        changed[place] ^= 1 << random.randrange(8)
    return bytes(changed)


def _cut(data: bytes, start: int, *_: Any) -> bytes:
    return data[:start]


def _delete(data: bytes, start: int, stop: int, *_: Any) -> bytes:
    return data[:start] + data[stop:]


def _repeat(data: bytes, start: int, stop: int, random: Random, _: Any) -> bytes:
    return data[:stop] + data[start:stop] * random.choice((1, 2, 100)) + data[stop:]


def _swap(data: bytes, start: int, stop: int, random: Random, _: Any) -> bytes:
    middle = random.randint(start, stop)
    return data[:start] + data[middle:stop] + data[start:middle] + data[stop:]


def _insert(data: bytes, start: int, _: int, random: Random, __: Any) -> bytes:
    return data[:start] + random.choice(_PIECES) + data[start:]


def _replace(data: bytes, start: int, stop: int, random: Random, _: Any) -> bytes:
    return data[:start] + random.choice(_PIECES) + data[stop:]


def _splice(data: bytes, start: int, stop: int, random: Random, others: Any) -> bytes:
    other: bytes = others()
    first = random.randrange(len(other) + 1)
    return data[:start] + other[first : first + random.choice((4, 64, 4096))] + data[stop:]


def _number(data: bytes, start: int, _: int, random: Random, __: Any) -> bytes:
    """Replace the next written number."""
    digits = b"0123456789.-"
    while start < len(data) and data[start] not in digits:
        start += 1
    stop = start
    while stop < len(data) and data[stop] in digits:
        stop += 1
    return data[:start] + random.choice(_NUMBERS) + data[stop:]


def _line(data: bytes, _: int, __: int, random: Random, ___: Any) -> bytes:
    """Repeat, delete or move a line."""
    lines = data.splitlines(keepends=True) or [b""]
    one = lines.pop(random.randrange(len(lines)))
    for _repeat_number in range(random.choice((0, 1, 2))):
        lines.insert(random.randrange(len(lines) + 1), one)
    return b"".join(lines)


_BYTE_CHANGES: tuple[Callable[..., bytes], ...] = (
    _flip,
    _flip,
    _cut,
    _delete,
    _repeat,
    _swap,
    _insert,
    _insert,
    _replace,
    _splice,
    _number,
    _number,
    _line,
)


# ---------------------------------------------------------------------- what is inside


def _inside(data: bytes, random: Random, others: Callable[[], bytes]) -> bytes | None:
    """Change what a compressed file, an archive, an array or JSON holds; None if it is none."""
    if data.startswith(b"\x1f\x8b"):
        return _recompressed(data, gzip.decompress, gzip.compress, random, others)
    if data.startswith(b"BZh"):
        return _recompressed(data, bz2.decompress, bz2.compress, random, others)
    if data.startswith(b"PK"):
        return _changed_archive(data, random, others)
    if data.startswith(b"\x93NUMPY"):
        return _changed_array(data, random, others)
    if data.lstrip()[:1] in (b"{", b"["):
        return _changed_json(data, random)
    return None


def _recompressed(
    data: bytes,
    decompress: Callable[[bytes], bytes],
    compress: Callable[[bytes], bytes],
    random: Random,
    others: Callable[[], bytes],
) -> bytes | None:
    try:
        return compress(mutated(decompress(data), random, others))
    except (OSError, EOFError, ValueError, zlib.error):
        return None


def _changed_archive(data: bytes, random: Random, others: Callable[[], bytes]) -> bytes | None:
    """Change a member, its name, or leave it out; an artifact gets the checksum that is right."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            members = {name: file.read(name) for name in file.namelist()}
    except Exception:  # noqa: BLE001  # it was changed before
        return None
    if not members:
        return None
    name = random.choice(list(members))
    kind = random.random()
    if kind < 0.8:
        members[name] = mutated(members[name], random, others)
    elif kind < 0.9:
        del members[name]
    else:
        members[random.choice(["x.npy", "é", "../a.npy", name + "x"])] = members.pop(name)
    if HEADER in members and random.random() < 0.95:
        members[HEADER] = _signed(members[HEADER], members)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", random.choice((0, 8))) as file:
        for name, content in members.items():
            file.writestr(zipfile.ZipInfo(name), content)
    return stream.getvalue()


def _signed(header: bytes, members: dict[str, bytes]) -> bytes:
    """Return a header with the checksum of its content and of the other members."""
    import msgspec

    try:
        fields: dict[str, Any] = msgspec.json.decode(header, type=dict[str, msgspec.Raw])
        content = bytes(fields["content"])
        digest = blake2b(content, digest_size=16)
        for name in sorted(members.keys() - {HEADER}):
            digest.update(name.encode() + members[name])
        fields["checksum"] = msgspec.Raw(msgspec.json.encode(digest.hexdigest()))
        return msgspec.json.encode(fields)
    except Exception:  # noqa: BLE001  # it was changed before
        return header


def _changed_array(data: bytes, random: Random, others: Callable[[], bytes]) -> bytes | None:
    """Change the header of an array as text, or one of its numbers."""
    start = data.find(b"\n") + 1
    if start == 0 or random.random() < 0.3:
        header = _changed_bytes(data[10:start], random, others)
        length = len(header).to_bytes(4, "little")[:2]
        return data[:8] + length + header + data[start:]
    size = random.choice((1, 4, 8))
    place = start + size * random.randrange(max(1, (len(data) - start) // size))
    new = random.choice(
        (
            b"\xff" * size,
            b"\0" * size,
            b"\x80".rjust(size, b"\0"),
            b"\xf0\x7f".rjust(size, b"\0")[:size],
            b"\xf8\x7f".rjust(size, b"\0")[:size],
            random.randbytes(size),
            b"\1".ljust(size, b"\0"),
        )
    )
    return data[:place] + new + data[place + size :]


def _changed_json(data: bytes, random: Random) -> bytes | None:
    """Change a value or a name of JSON, or of one line of JSON."""
    lines = data.splitlines(keepends=True)
    try:
        content = json.loads(data)
        first, last, end = b"", b"", b""
    except (ValueError, RecursionError):
        number = random.randrange(len(lines))
        try:
            content = json.loads(lines[number])
        except (ValueError, RecursionError):
            return None
        first, last, end = b"".join(lines[:number]), b"".join(lines[number + 1 :]), b"\n"
    try:
        text = json.dumps(_changed_value(content, random), ensure_ascii=random.random() < 0.5)
    except (ValueError, OverflowError, RecursionError):  # of numbers of thousands of digits
        return None
    if random.random() < 0.05 and text.startswith("{"):  # a name that is there twice
        text = text[:-1] + "," + text[1:]
    return first + text.encode("utf-8", "surrogatepass") + end + last


def _changed_value(value: Any, random: Random) -> Any:
    deeper = isinstance(value, dict | list) and value and random.random() < 0.85
    if not deeper:
        return _new_value(value, random)
    if isinstance(value, list):
        place = random.randrange(len(value))
        if random.random() < 0.15:
            return value[:place] + value[place + random.choice((0, 1)) :] + value[place : place + 1]
        return [
            *value[:place],
            _changed_value(value[place], random),
            *value[place + 1 :],
        ]
    key = random.choice(list(value))
    changed = dict(value)
    kind = random.random()
    if kind < 0.06:
        del changed[key]
    elif kind < 0.12:
        changed[random.choice(["", "x", "é", key.upper(), key + " "])] = changed.pop(key)
    elif key != "checksum":
        changed[key] = _changed_value(changed[key], random)
    if random.random() < 0.7:
        changed.pop("checksum", None)  # so that what stands behind it is read
    return changed


def _new_value(value: Any, random: Random) -> Any:
    kind = random.random()
    if isinstance(value, int | float) and not isinstance(value, bool) and kind < 0.5:
        return random.choice(
            (value + 1, -value, value * 10**6, value / 3, float(value), str(value))
        )
    if isinstance(value, str) and kind < 0.4:
        return random.choice(
            (value * 2, value[:-1], value + "\x00", value.upper(), [value], value * 999)
        )
    if kind > 0.97:
        nested: Any = value
        for _ in range(random.choice((5, 200, 900))):
            nested = [nested]
        return nested
    return random.choice(_VALUES)
