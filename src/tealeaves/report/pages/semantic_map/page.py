"""A semantic map as one page of HTML, with its style, its scripts and its texts inside."""

from __future__ import annotations

import base64
import hashlib
import os
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from tealeaves.extras import require
from tealeaves.files import atomic_write, check_writable
from tealeaves.lexicon.semantic_map.semantic_map import SemanticMap
from tealeaves.report.charts.expressions import PALETTE
from tealeaves.report.charts.language_names import language_names
from tealeaves.report.pages.semantic_map.data import GUESS, group_name, page_data, told_sure
from tealeaves.version import __version__

# in the order in which they need each other
_SCRIPTS = ("data", "names", "sure", "colours", "texts", "state", "map", "multiples", "matrix")
_MORE = ("detail", "concordance", "main")
_SHOWN = 12  # expressions of a language that the table has
# the characters that could end a script, or a line of one
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def check_page() -> None:
    """Refuse to begin without the packages that a page needs."""
    require("jinja2", extra="report", reason="a page")


def semantic_map_page(
    found: SemanticMap, *, title: str | None = None, show: str | None = None
) -> str:
    """Return the page.

    Parameters
    ----------
    found
        The map.
    title
        What it is called; by default its lemmas.
    show
        The language that the map is coloured by at first.
    """
    data = page_data(found)
    script = scripts()
    lemmas = ", ".join(found.table.lemmas)
    return str(
        _template().render(
            title=title or lemmas,
            lemmas=lemmas,
            found=found,
            data=in_script(data | {"show": show or found.languages[0]}),
            script=script,
            style=_read("style.css"),
            allowed=_fingerprint(script),
            palette=len(PALETTE),
            shown=_SHOWN,
            marked=any("#" in one for row in data["languages"] for one in row["expressions"]),
            group_name=group_name,
            names=language_names([found.table.source]) | language_names(found.languages),
            guess=GUESS,
            told=told_sure,
            settings=_settings(found),
            version=__version__,
        )
    )


def save_semantic_map_page(
    found: SemanticMap,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    show: str | None = None,
) -> None:
    """Write the page to a file."""
    check_writable(path)
    content = semantic_map_page(found, title=title, show=show)
    with atomic_write(path) as stream:
        stream.write(content.encode())


def in_script(data: Any) -> str:
    """Return JSON that can stand in a script of HTML: no word, whatever it is, ends that.

    >>> in_script({"word": "</script>"})
    '{"word":"\\\\u003c/script\\\\u003e"}'
    """
    text = msgspec.json.encode(data).decode()
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return text


@cache
def scripts() -> str:
    """Return the scripts of the page as one, that nothing outside can see."""
    parts = [_read(f"scripts/{name}.js") for name in (*_SCRIPTS, *_MORE)]
    return '(() => {\n"use strict";\n' + "\n".join(parts) + "\n})();"


def _settings(found: SemanticMap) -> list[tuple[str, str, list[str]]]:
    """Return each model and signature with its languages."""
    table = found.table
    by_signature: dict[tuple[str, str], list[str]] = {}
    for language in found.languages:
        key = (table.models[language], table.signatures[language])
        by_signature.setdefault(key, []).append(language)
    return [(*key, languages) for key, languages in by_signature.items()]


def _fingerprint(script: str) -> str:
    """Return what lets this script run, and no other."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


@cache
def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


@cache
def _template() -> Any:
    jinja2 = require("jinja2", extra="report", reason="a page")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_read("page.html.j2"))
