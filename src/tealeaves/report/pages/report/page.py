"""A report as one page of HTML, with its style, its scripts and its data inside."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache

from tealeaves.files import atomic_write, check_writable
from tealeaves.report.pages.embedding import (
    SHARED,
    enclosed,
    environment,
    fingerprint,
    mended,
    read_text,
)
from tealeaves.report.pages.embedding import check_page as check_template
from tealeaves.report.pages.report.blocks import Blocks
from tealeaves.report.pages.report.vega import check_vega, vega_script
from tealeaves.report.sections.parts import Figure, Page, Picker
from tealeaves.version import __version__

# in the order in which they need each other
_SCRIPTS = (
    "data",
    "numbers",
    "words",
    "sides",
    "table",
    "csv",
    "saving",
    "colours",
    "drawing",
    "queue",
)
_MORE = ("figures", "tables", "theme", "why", "contents", "main")


def check_page() -> None:
    """Refuse to begin without the packages that a page needs."""
    check_template()
    check_vega()


def report_page(page: Page) -> str:
    """Return the page as HTML that needs nothing but a browser."""
    _check_ids(page)
    blocks = Blocks()
    own = scripts()
    drawn = any(isinstance(part, Figure | Picker) for one in page.sections for part in one.parts)
    given = [vega_script(), own] if drawn else [own]
    template = environment(__package__).get_template("page.html.j2")
    text = str(
        template.render(
            page=page,
            blocks=blocks,
            kind=lambda part: type(part).__name__.removeprefix("Report").lower(),
            scripts=given,
            allowed=[fingerprint(script) for script in given],
            style=read_text(__package__, "style.css"),
            version=__version__,
        )
    )
    return str(mended(text))


def save_report_page(page: Page, path: str | os.PathLike[str]) -> None:
    """Write the page to a file."""
    check_writable(path)
    content = report_page(page)
    with atomic_write(path) as stream:
        stream.write(content.encode())


@cache
def scripts() -> str:
    """Return the scripts of the page as one."""
    own = [read_text(__package__, f"scripts/{name}.js") for name in (*_SCRIPTS, *_MORE)]
    return enclosed([read_text(SHARED, "scripts/elements.js"), *own])


def _check_ids(page: Page) -> None:
    """Refuse a page in which two things have the same address."""
    twice = [name for name, count in Counter(_ids(page)).items() if count > 1]
    if twice:
        raise ValueError(f"two parts of the report are called {twice[0]}")


def _ids(page: Page) -> Iterator[str]:
    for section in page.sections:
        yield section.id
        for part in section.parts:
            if isinstance(part, Figure | Picker):
                yield part.id
