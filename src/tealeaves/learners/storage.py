"""Files of what was learned: JSON with a format, a version and a digest."""

from __future__ import annotations

import os
from functools import cache, lru_cache
from hashlib import blake2b
from importlib import resources
from pathlib import Path
from typing import ClassVar, TypeVar

import msgspec

from tealeaves.artifacts import check_json_header
from tealeaves.errors import InputError
from tealeaves.files import atomic_write
from tealeaves.json_data import decode_json
from tealeaves.json_files import Upgrades, upgraded, with_checksum, without_checksum

_SHIPPED = "shipped/english.json"


class LearnedFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was learned, as a file has it; subclasses begin with format, version and made_with.

    ``holds`` is what the file has, and ``made_by`` the command that makes one, for messages.
    """

    holds: ClassVar[str]
    file_format: ClassVar[tuple[str, int]]
    made_by: ClassVar[str] = ""
    #: How files of earlier versions are read.
    upgrades: ClassVar[Upgrades] = {}
    #: The number of spaces of an indented file; a file with 0 is one line.
    indent: ClassVar[int] = 0

    @property
    def signature(self) -> str:
        """A digest of the whole content."""
        return blake2b(msgspec.json.encode(self), digest_size=8).hexdigest()

    def check(self) -> None:
        """Raise if parts do not belong together."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a JSON file."""
        content = with_checksum(msgspec.json.encode(self))
        if self.indent:
            content = msgspec.json.format(content, indent=self.indent)
        with atomic_write(path) as stream:
            stream.write(content + b"\n")


Learned = TypeVar("Learned", bound=LearnedFile)


def open_learned(kind: type[Learned], path: str | os.PathLike[str] | None = None) -> Learned:
    """Read what was saved; without a path, the file that comes with tealeaves."""
    learned: Learned
    if path is None:
        learned = _shipped(kind)
        return learned
    file = Path(path).expanduser()
    if file.is_dir():
        raise InputError(f"{path}: a folder, not a file of {kind.holds}")
    if not file.is_file():
        cure = f" (`{kind.made_by}` makes it)" if kind.made_by else ""
        raise InputError(f"{path}: no such file of {kind.holds}{cure}")
    state = file.stat()
    learned = _read(kind, file, str(path), state.st_mtime_ns, state.st_size)
    return learned


@lru_cache(maxsize=4)
def _read(
    kind: type[Learned],
    file: Path,
    name: str,
    changed: int,  # noqa: ARG001
    size: int,  # noqa: ARG001
) -> Learned:
    """Read a file once as long as it does not change: a metric opens it at every step."""
    return _decoded(kind, file.read_bytes(), name)


@cache
def _shipped(kind: type[Learned]) -> Learned:
    package = kind.__module__.rpartition(".")[0]
    content = resources.files(package).joinpath(_SHIPPED).read_bytes()
    return _decoded(kind, content, f"the {kind.holds} of tealeaves")


def _decoded(kind: type[Learned], content: bytes, name: str) -> Learned:
    version = check_json_header(
        content,
        name,
        holds=kind.holds,
        wanted=kind.file_format,
        made_by=kind.made_by,
        earlier=kind.upgrades,
    )
    content = without_checksum(content, name)
    try:
        content = upgraded(content, version, kind.file_format[1], kind.upgrades)
        learned = decode_json(content, kind)
        learned.check()
    except (msgspec.DecodeError, InputError) as error:
        raise InputError(f"{name}: damaged: {error}") from error
    return learned
