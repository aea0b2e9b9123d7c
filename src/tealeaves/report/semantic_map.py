"""A semantic map as a file: a page, a chart, or a table of its numbers."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.files import atomic_write, check_writable
from tealeaves.lexicon.maps.token_table import check_languages

if TYPE_CHECKING:
    from tealeaves.lexicon.maps.semantic_map import SemanticMap

_KINDS = (".html", ".svg", ".png", ".pdf", ".json", ".tsv")


def save_semantic_map(
    semantic_map: SemanticMap,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    show: Sequence[str] = (),
) -> None:
    """Write a semantic map; the suffix of the file says how.

    Parameters
    ----------
    semantic_map
        Made by :func:`tealeaves.lexicon.map_tokens`.
    path
        The page: ``.html``. Or the map alone, as a chart: ``.svg``, ``.png``, ``.pdf``, ``.json``
        (Vega-Lite). Or its numbers, a row for each token: ``.tsv``.
    title
        The title; by default the lemmas.
    show
        The language that the page shows first, or the languages of a chart's panels.
    """
    check_semantic_map_file(path, title=title, show=show)
    check_languages(show, semantic_map.languages, "--show")
    suffix = Path(path).suffix.lower()
    if suffix == ".html":
        from tealeaves.report.pages import save_semantic_map_page

        save_semantic_map_page(semantic_map, path, title=title, show=next(iter(show), None))
    elif suffix == ".tsv":
        from tealeaves.lexicon.maps.semantic_map import save_map_rows

        save_map_rows(semantic_map, path)
    else:
        from tealeaves.report.charts import save_chart, semantic_map_chart

        chart = semantic_map_chart(semantic_map, show, title=title)
        if suffix != ".json":
            save_chart(chart, path)
            return
        with atomic_write(path) as stream:
            stream.write(json.dumps(chart.to_dict(validate=False), ensure_ascii=False).encode())


def check_semantic_map_file(
    path: str | os.PathLike[str], *, title: str | None = None, show: Sequence[str] = ()
) -> None:
    """Raise, before any work is done, for a file that the map cannot be written to."""
    suffix = Path(path).suffix.lower()
    if suffix not in _KINDS:
        raise InputError(f"{path}: a map is written as {', '.join(_KINDS)}")
    if suffix == ".tsv" and (title or show):
        what = "title (--title)" if title else "choice of languages (--show)"
        raise InputError(f"{path}: a table of numbers has no {what}: leave it out")
    if suffix == ".html" and len(show) > 1:
        raise InputError(
            f"{path}: a page shows one language first (--show {show[0]}); a chart shows several"
        )
    check_writable(path)
    if suffix == ".html":
        from tealeaves.report.pages.semantic_map.page import check_page

        check_page()
    elif suffix == ".json":
        require("altair", extra="report", reason="a chart")
    elif suffix != ".tsv":
        from tealeaves.report.charts import check_chart_kind

        check_chart_kind(path)
