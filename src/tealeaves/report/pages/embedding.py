"""Pages as single files of HTML, with templates, styles, scripts and data inside."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.files import atomic_write, check_writable

PAGE_SUFFIXES = (".html", ".htm")


def check_page() -> None:
    """Refuse to begin without the packages that a page needs."""
    require("jinja2", extra="report", reason="a page")


def fingerprint(script: str) -> str:
    """Return the hash by which the page allows this script to run, and no other."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def enclosed(scripts: Iterable[str]) -> str:
    """Return scripts as one, whose names are not visible outside."""
    return '(() => {\n"use strict";\n' + "\n".join(scripts) + "\n})();"


def joined_scripts(package: str, names: Iterable[str]) -> str:
    """Return the scripts of a page and those that all pages share as one."""
    own = [read_text(package, f"scripts/{name}.js") for name in names]
    return enclosed([read_text(__package__, "scripts/elements.js"), *own])


@cache
def read_text(package: str, name: str) -> str:
    """Return a text file of a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


# they come from words, and would be commands for a terminal that shows the file
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def _without_controls(value: Any) -> Any:
    """Return a value that is put into a page; text is escaped and has no control characters."""
    if not isinstance(value, str) or hasattr(value, "__html__") or not _CONTROL.search(value):
        return value
    markupsafe = require("markupsafe", extra="report", reason="a page")
    return markupsafe.Markup(_CONTROL.sub(_reference, str(markupsafe.escape(value))))


def _reference(found: re.Match[str]) -> str:
    """Return a control character as HTML can write it; those from 128 on stand for others there."""
    code = ord(found[0])
    return f"&#{code};" if 0 < code < 0x80 else "\N{REPLACEMENT CHARACTER}"


@cache
def environment(package: str) -> Any:
    """Return the templates of a package; all values in them are escaped."""
    jinja2 = require("jinja2", extra="report", reason="a page")
    return jinja2.Environment(
        autoescape=True,
        finalize=_without_controls,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=jinja2.FunctionLoader(lambda name: read_text(package, name)),
    )


def check_page_file(path: str | os.PathLike[str]) -> None:
    """Raise for a file that no page can be written to."""
    check_writable(path)
    if Path(path).suffix.lower() not in PAGE_SUFFIXES:
        raise InputError(f"{path}: a page is written as {' or '.join(PAGE_SUFFIXES)}")


def save_page(path: str | os.PathLike[str], make: Callable[[], str]) -> None:
    """Write the page that ``make`` returns to a file."""
    check_page_file(path)
    content = make()
    with atomic_write(path) as stream:
        stream.write(content.encode())
