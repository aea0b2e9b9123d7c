"""A semantic map as one page of HTML, with its style, its scripts and its texts inside."""

from __future__ import annotations

import os
from functools import cache

from tealeaves.files import atomic_write, check_writable
from tealeaves.lexicon.semantic_map.semantic_map import SemanticMap
from tealeaves.report.charts.semantic_map import PALETTE, language_names
from tealeaves.report.pages.embedding import (
    SHARED,
    check_page,
    enclosed,
    environment,
    fingerprint,
    in_script,
    mended,
    read_text,
)
from tealeaves.report.pages.semantic_map.data import GUESS, group_name, page_data, told_sure
from tealeaves.version import __version__

# in the order in which they need each other
_SCRIPTS = ("data", "names", "sure", "colours", "texts", "state", "map", "multiples", "matrix")
_MORE = ("detail", "concordance", "main")
_SHOWN = 12  # expressions of a language that the table has

__all__ = ["check_page", "save_semantic_map_page", "semantic_map_page"]


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
        environment(__package__)
        .get_template("page.html.j2")
        .render(
            title=title or lemmas,
            lemmas=lemmas,
            found=found,
            data=in_script(data | {"show": show or found.languages[0]}),
            script=script,
            style=read_text(__package__, "style.css"),
            allowed=fingerprint(script),
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
        stream.write(mended(content).encode())


@cache
def scripts() -> str:
    """Return the scripts of the page as one."""
    own = [read_text(__package__, f"scripts/{name}.js") for name in (*_SCRIPTS, *_MORE)]
    return enclosed([read_text(SHARED, "scripts/elements.js"), *own])


def _settings(found: SemanticMap) -> list[tuple[str, str, list[str]]]:
    """Return each model and signature with its languages."""
    table = found.table
    by_signature: dict[tuple[str, str], list[str]] = {}
    for language in found.languages:
        key = (table.models[language], table.signatures[language])
        by_signature.setdefault(key, []).append(language)
    return [(*key, languages) for key, languages in by_signature.items()]
