"""What pages are put together from: templates, styles, scripts and data inside one file of HTML."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from tealeaves.extras import require

#: The folder of what all pages share.
SHARED = __package__
# the characters that could end a script, or a line of one
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def check_page() -> None:
    """Refuse to begin without the packages that a page needs."""
    require("jinja2", extra="report", reason="a page")


def mended(data: Any) -> Any:
    """Return data whose texts can be written: halves of characters become U+FFFD.

    >>> mended({"tea": ["\\ud83d\\udc4b", "\\udc4b", 1]}) == {"tea": ["👋", "\\ufffd", 1]}
    True
    """
    if isinstance(data, str):
        return data.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(data, dict):
        return {mended(key): mended(value) for key, value in data.items()}
    return [mended(one) for one in data] if isinstance(data, list | tuple) else data


def encoded(data: Any) -> bytes:
    """Return JSON, whatever texts the data have."""
    try:
        return msgspec.json.encode(data)
    except UnicodeEncodeError:
        return msgspec.json.encode(mended(data))


def in_script(data: Any) -> str:
    """Return JSON that can stand in a script of HTML: no word, whatever it is, ends that.

    >>> in_script({"word": "</script>"})
    '{"word":"\\\\u003c/script\\\\u003e"}'
    """
    text = encoded(data).decode()
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return text


def fingerprint(script: str) -> str:
    """Return what lets this script run, and no other."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def enclosed(scripts: Iterable[str]) -> str:
    """Return scripts as one, that nothing outside can see."""
    return '(() => {\n"use strict";\n' + "\n".join(scripts) + "\n})();"


@cache
def read_text(package: str, name: str) -> str:
    """Return a text that lies in a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


@cache
def environment(package: str) -> Any:
    """Return what makes HTML of the templates of a package: whatever is put in is text there."""
    jinja2 = require("jinja2", extra="report", reason="a page")
    return jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=jinja2.FunctionLoader(lambda name: read_text(package, name)),
    )
