"""A semantic map as one page of HTML, with its style, its scripts and its texts inside."""

from __future__ import annotations

import os
from functools import cache

from tealeaves.lexicon.maps.semantic_map import SemanticMap
from tealeaves.report.charts.semantic_map import PALETTE, language_names
from tealeaves.report.nested_data import in_script, valid_text
from tealeaves.report.pages.embedding import (
    check_page,
    environment,
    fingerprint,
    joined_scripts,
    read_text,
    save_page,
)
from tealeaves.report.pages.semantic_map.data import GUESS, confidence_text, group_name, page_data
from tealeaves.version import __version__

# in the order in which they need each other
_SCRIPTS = (
    *("data", "names", "sure", "colours", "texts", "state", "map", "multiples", "matrix"),
    *("detail", "concordance", "main"),
)
_SHOWN = 12  # expressions of a language that the table has

__all__ = ["check_page", "save_semantic_map_page", "semantic_map_page"]


def semantic_map_page(
    semantic_map: SemanticMap, *, title: str | None = None, show: str | None = None
) -> str:
    """Return the page.

    Parameters
    ----------
    semantic_map
        The map.
    title
        The title of the page; by default the lemmas.
    show
        The language by which the map is coloured at first.
    """
    data = page_data(semantic_map)
    script = scripts()
    lemmas = ", ".join(semantic_map.table.lemmas)
    languages = semantic_map.languages
    template = environment(__package__).get_template("page.html.j2")
    return str(
        template.render(
            title=title or lemmas,
            lemmas=lemmas,
            map=semantic_map,
            data=in_script(data | {"show": show or languages[0]}),
            script=script,
            style=read_text(__package__, "style.css"),
            allowed=fingerprint(script),
            palette=len(PALETTE),
            shown=_SHOWN,
            marked=any("#" in one for row in data["languages"] for one in row["expressions"]),
            group_name=group_name,
            names=language_names([semantic_map.table.source]) | language_names(languages),
            guess=GUESS,
            confidence_text=confidence_text,
            settings=_settings(semantic_map),
            version=__version__,
        )
    )


def save_semantic_map_page(
    semantic_map: SemanticMap,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    show: str | None = None,
) -> None:
    """Write the page to a file."""
    save_page(path, lambda: valid_text(semantic_map_page(semantic_map, title=title, show=show)))


@cache
def scripts() -> str:
    """Return the scripts of the page as one."""
    return joined_scripts(__package__, _SCRIPTS)


def _settings(semantic_map: SemanticMap) -> list[tuple[str, str, list[str]]]:
    """Return each model and signature with its languages."""
    table = semantic_map.table
    by_signature: dict[tuple[str, str], list[str]] = {}
    for language in semantic_map.languages:
        key = (table.models[language], table.signatures[language])
        by_signature.setdefault(key, []).append(language)
    return [(*key, languages) for key, languages in by_signature.items()]
