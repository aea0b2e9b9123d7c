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

    A file that is damaged, or that others may write to, is made again; where nothing can be
    written, it is made each time.
    """
    folder = user_cache()
    if folder is None:
        return make()
    path = folder / f"{name}-{hashlib.blake2b(key.encode(), digest_size=8).hexdigest()}"
    seal = f"{name}\0{key}\0".encode()
    found = _read(path, seal)
    if found is not None:
        return found
    made = make()
    _write(path, seal, made)
    return made


def _read(path: Path, seal: bytes) -> bytes | None:
    try:
        stored = path.read_bytes() if is_trusted(path) else b""
    except OSError:
        return None
    digest, content = stored[:_DIGEST], stored[_DIGEST:]
    return content if digest == _digest(seal, content) else None


def _write(path: Path, seal: bytes, content: bytes) -> None:
    if path.is_symlink():
        return  # what it points to may be anything
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as stream:
            stream.write(_digest(seal, content) + content)
        _forget_old(path)
    except (OSError, InputError):
        return  # there is no place: it is made again


def _digest(seal: bytes, content: bytes) -> bytes:
    """Return a digest that fits under this name and key alone: a file may have been renamed."""
    digest = hashlib.blake2b(seal, digest_size=_DIGEST)
    digest.update(content)
    return digest.digest()


def _forget_old(path: Path) -> None:
    """Keep of each name only the newest few, those of other versions."""
    name = path.name.rpartition("-")[0]
    kept = sorted(path.parent.glob(f"{name}-*"), key=lambda one: one.stat().st_mtime)
    for old in kept[:-_KEPT]:
        old.unlink(missing_ok=True)
