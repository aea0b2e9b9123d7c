"""A report as one page of HTML, with its style, its scripts and its data inside."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from tealeaves.cache import cached
from tealeaves.extras import require
from tealeaves.report.nested_data import valid_text
from tealeaves.report.pages import embedding
from tealeaves.report.pages.embedding import (
    enclosed,
    environment,
    fingerprint,
    joined_scripts,
    read_text,
    save_page,
)
from tealeaves.report.pages.report.data import PageData
from tealeaves.report.pages.report.tables import cell_text, is_long, pieces
from tealeaves.report.sections.parts import Figure, Page, Picker
from tealeaves.version import __version__

# in the order in which they need each other
_SCRIPTS = (
    *("data", "numbers", "words", "sides", "table", "csv", "saving", "colours", "drawing"),
    *("queue", "figures", "tables", "theme", "why", "contents", "main"),
)
# the only name that leaves the script
_SNIPPET = "window.vegaEmbed = vegaEmbed;"


def check_page() -> None:
    """Refuse to begin without the packages that a page needs."""
    embedding.check_page()
    _converter()


def report_page(page: Page) -> str:
    """Return the page as HTML that needs nothing but a browser."""
    _check_ids(page)
    drawn = any(isinstance(part, Figure | Picker) for one in page.sections for part in one.parts)
    page_scripts = [vega_script(), scripts()] if drawn else [scripts()]
    text = _template().render(
        page=page,
        data=PageData(),
        kind=lambda part: type(part).__name__.removeprefix("Report").lower(),
        scripts=page_scripts,
        allowed=[fingerprint(script) for script in page_scripts],
        style=read_text(__package__, "style.css"),
        version=__version__,
    )
    return str(valid_text(str(text)))


def save_report_page(page: Page, path: str | os.PathLike[str]) -> None:
    """Write the page to a file."""
    save_page(path, lambda: report_page(page))


@cache
def scripts() -> str:
    """Return the scripts of the page as one."""
    return joined_scripts(__package__, _SCRIPTS)


@cache
def vega_script() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, which adds ``vegaEmbed`` to the window.

    Bundling takes longer than all else, so the bundle is kept between runs.
    """
    converter = _converter()
    key = f"{converter.__version__} {_SNIPPET}"
    bundle = cached("vega.js", key, lambda: converter.javascript_bundle(_SNIPPET).encode())
    return enclosed([bundle.decode()])


def _converter() -> Any:
    return require("vl_convert", extra="report", reason="a page with charts")


def _template() -> Any:
    templates = environment(__package__)
    # macros of imported templates see nothing else
    templates.globals.update(cell_text=cell_text, is_long=is_long, pieces=pieces)
    return templates.get_template("page.html.j2")


def _check_ids(page: Page) -> None:
    twice = [name for name, count in Counter(_ids(page)).items() if count > 1]
    if twice:
        raise ValueError(f"two parts of the report are called {twice[0]}")


def _ids(page: Page) -> Iterator[str]:
    for section in page.sections:
        yield section.id
        for part in section.parts:
            if isinstance(part, Figure | Picker):
                yield part.id
