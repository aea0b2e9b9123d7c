"""Files that are either whole or not there."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from tealeaves.errors import InputError

_HOST = re.sub(r"[^A-Za-z0-9]", "", platform.node()) or "host"


def user_cache() -> Path | None:
    """Return the user's folder for files that can be made again: the one that is named, else ours
    among those of other programs; None where there is no home.
    """
    if chosen := os.environ.get("TEALEAVES_CACHE"):
        return _expanded(chosen)
    if named := os.environ.get("XDG_CACHE_HOME"):
        return _expanded(named) / "tealeaves"
    home = _expanded("~")
    return home / ".cache" / "tealeaves" if home.is_absolute() else None


def _expanded(path: str) -> Path:
    return Path(os.path.expanduser(path))  # noqa: PTH111  # there may be no home


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that takes its name only once it is completely written.

    The bytes go to a hidden neighbour which is flushed to disk and renamed at the end, so a
    killed run leaves either the old file or the new one, never a half.
    """
    check_writable(path)
    target = _target(path)
    temporary = target.with_name(f".{target.name}.{_HOST}-{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def check_writable(path: str | os.PathLike[str]) -> None:
    """Refuse, before any work is done, a place where no file can be put."""
    target = _target(path)
    if target.is_dir():
        raise InputError(f"{path}: a folder, not a file")
    if target.exists() and not target.is_file():
        raise InputError(f"{path}: not a regular file, which is never written over")
    if not os.access(target.parent, os.W_OK):
        raise InputError(f"{Path(path).parent}: not a folder that can be written to")


def remove_leftovers(path: str | os.PathLike[str]) -> None:
    """Remove what runs on this machine that were killed while writing have left."""
    target = _target(path)
    pattern = re.compile(rf"\.{re.escape(target.name)}\.{_HOST}-(\d+)\.tmp")
    for neighbour in target.parent.iterdir():
        found = pattern.fullmatch(neighbour.name)
        if found and not _is_running(int(found[1])):
            neighbour.unlink(missing_ok=True)


def _target(path: str | os.PathLike[str]) -> Path:
    """Return the file that is meant: what a link points to is written, not the link."""
    return Path(os.path.realpath(path))


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's
        return True
    return not _is_zombie(process)


def _is_zombie(process: int) -> bool:
    """Tell whether a process has ended, but nobody has asked how: it writes nothing more."""
    try:
        state = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:  # no such folder on this system, or it has gone
        return False
    return state[:1] == [b"Z"]
