"""JSON files that say what they are: a format, its version, and who wrote them."""

from __future__ import annotations

import msgspec

from tealeaves.errors import InputError
from tealeaves.version import __version__


class _Header(msgspec.Struct):
    format: str = ""
    version: int = 0
    made_with: str = ""


def check_header(
    content: bytes, name: str, *, kind: str, wanted: tuple[str, int], made: str = ""
) -> None:
    """Refuse a file of another format or version than is ``wanted``.

    ``kind`` is what it should be a file of, and ``made`` what makes one.

    >>> check_header(b'{"format": "toys", "version": 2}', "a.json", kind="toys", wanted=("toys", 2))
    """
    what, version = wanted
    try:
        header = msgspec.json.decode(content, type=_Header)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{name}: not a file of {kind}: {error}") from error
    if header.format != what:
        how = f" (`{made}` makes one)" if made else ""
        raise InputError(f"{name}: not a file of {kind}{how}")
    if header.version != version:
        raise InputError(
            f"{name}: version {header.version} of the format, made with tealeaves "
            f"{header.made_with}; this is {__version__}, which reads version {version}"
        )
