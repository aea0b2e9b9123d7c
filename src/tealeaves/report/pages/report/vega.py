"""The library that draws the charts of a page in the browser."""

from __future__ import annotations

from functools import cache

from tealeaves.compiling.cache import cached
from tealeaves.extras import require
from tealeaves.report.pages.embedding import enclosed

# the only name that leaves the script
_SNIPPET = "window.vegaEmbed = vegaEmbed;"


@cache
def vega_script() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, which adds ``vegaEmbed`` to the window.

    Putting it together takes longer than all else, so it is kept between runs.
    """
    converter = require("vl_convert", extra="report", reason="a page with charts")
    key = f"{converter.__version__} {_SNIPPET}"
    bundle = cached("vega.js", key, lambda: converter.javascript_bundle(_SNIPPET).encode())
    return enclosed([bundle.decode()])


def check_vega() -> None:
    """Refuse to begin without the package that brings the library."""
    require("vl_convert", extra="report", reason="a page with charts")
