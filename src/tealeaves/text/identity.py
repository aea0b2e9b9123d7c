"""What identifies the content of a file, wherever it lies and whatever it is called."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

_SAMPLES = 64
_SAMPLE_BYTES = 64 * 1024
_UNIT = re.compile(r":unit=\w+(?:\(size=\d+\))?")


def content_identity(path: Path) -> str:
    """Return a hash of a file's content.

    Up to 4 MiB are hashed whole; of a larger file its size and 64 evenly spaced samples, so that
    naming a file never costs a second pass over it.
    """
    size = path.stat().st_size
    digest = hashlib.blake2b(size.to_bytes(8, "little"), digest_size=8)
    with path.open("rb") as stream:
        if size <= _SAMPLES * _SAMPLE_BYTES:
            digest.update(stream.read())
        else:
            for number in range(_SAMPLES):
                stream.seek(number * (size - _SAMPLE_BYTES) // (_SAMPLES - 1))
                digest.update(stream.read(_SAMPLE_BYTES))
    return digest.hexdigest()


def with_unit(source: str, unit: str) -> str:
    """Return the source of documents that are joined to larger ones: they are other documents."""
    return f"{source}:unit={unit}"


def without_unit(source: str) -> str:
    """Return the source of the same texts as they were before they were joined.

    >>> without_unit(with_unit("9a3f:bible", "block(size=4)"))
    '9a3f:bible'
    """
    return _UNIT.sub("", source)
