"""The digest of a text: a hash of 64 bits that is fast enough to be computed for every text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.kernels import kernel

if TYPE_CHECKING:
    from tealeaves.kernels import I64, U8, U64

DIGESTS = 1 << 64  # digests are added modulo this

_PLACE = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_A, _B, _C = np.uint64(30), np.uint64(27), np.uint64(31)


def text_digest(text: str) -> int:
    """Return the digest of a text: a sum over its UTF-8 bytes, eight by eight, and its length.

    Every eight bytes are mixed with their place (the last steps of SplitMix64), so that each bit
    changes every other with a probability of one half. Without it, changes at two places could
    cancel each other out.

    >>> f"{text_digest('tea leaves'):016x}"
    '09022349aa6eb3a5'
    """
    return _bytes_digest(text.encode("utf-8", "surrogatepass"))


def _bytes_digest(data: bytes) -> int:
    words = np.frombuffer(data + bytes(-len(data) % 8), dtype="<u8")
    places = np.arange(1, len(words) + 1, dtype=np.uint64) * _PLACE
    # + 1, so that the digest of an empty text is not 0
    length = np.array([len(data) + 1], dtype=np.uint64) * _PLACE
    return int(mix(mix(words ^ places).sum(keepdims=True) ^ length)[0])


def mix(value: Any) -> Any:
    """Mix the bits of 64-bit numbers."""
    value = (value ^ (value >> _A)) * _FIRST
    value = (value ^ (value >> _B)) * _SECOND
    return value ^ (value >> _C)


@kernel
def digest_texts(data: U8, starts: I64, ends: I64, digests: U64) -> None:
    """Write the digest of each text; seven more bytes must follow the last."""
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        digests[number] = _bytes_digest(bytes(data[start:end]))
