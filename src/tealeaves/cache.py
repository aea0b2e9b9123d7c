"""Files that can always be made again, kept between runs in the user's cache."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from tealeaves.errors import InputError
from tealeaves.files import atomic_write, user_cache
from tealeaves.system import is_trusted

_DIGEST = 16
_KEPT = 8


def cached(name: str, key: str, make: Callable[[], bytes]) -> bytes:
    """Return what ``make`` returned when it was last called for this name and key.

    A file that is damaged is made again; where nothing can be written, it is made each time.
    """
    folder = user_cache()
    if folder is None:
        return make()
    path = folder / f"{name}-{hashlib.blake2b(key.encode(), digest_size=8).hexdigest()}"
    found = _read(path)
    if found is not None:
        return found
    made = make()
    _write(path, made)
    return made


def _read(path: Path) -> bytes | None:
    try:
        stored = path.read_bytes() if is_trusted(path) else b""
    except OSError:
        return None
    digest, content = stored[:_DIGEST], stored[_DIGEST:]
    return content if digest == _digest(content) else None


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as stream:
            stream.write(_digest(content) + content)
        _forget_old(path)
    except (OSError, InputError):
        return  # there is no place: it is made again


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()


def _forget_old(path: Path) -> None:
    """Keep of each name only the newest few, those of other versions."""
    name = path.name.rpartition("-")[0]
    kept = sorted(path.parent.glob(f"{name}-*"), key=lambda one: one.stat().st_mtime)
    for old in kept[:-_KEPT]:
        old.unlink(missing_ok=True)
