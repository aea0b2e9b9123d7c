"""Charts as files: HTML that needs no network, SVG, PNG and PDF."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.files import atomic_write, check_writable
from tealeaves.report.nested_data import in_script, map_values

_KINDS = ("html", "svg", "png", "pdf")
# what XML has no place for
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SCALE = 2  # pixels a point, for screens of today
# What the menu of a chart offers: pictures. Its views of the source would take words for HTML,
# and its editor is on the network.
_ACTIONS = {"export": True, "source": False, "compiled": False, "editor": False}


class _ScriptEncoder(json.JSONEncoder):
    """What Altair writes the data of its page with."""

    def encode(self, o: Any) -> str:
        """Return JSON that no word of the data ends, not even ``</script>``."""
        return in_script(o)


def check_chart_file(path: str | os.PathLike[str]) -> None:
    """Refuse, before any work is done, a file that a chart cannot be written to."""
    check_chart_kind(path)
    check_writable(path)


def check_chart_kind(path: str | os.PathLike[str]) -> None:
    """Refuse a kind of file that no chart is, or that the packages for charts are missing for."""
    if Path(path).suffix.lower().removeprefix(".") not in _KINDS:
        raise InputError(f"{path}: a chart is written as .html, .svg, .png or .pdf")
    require("altair", extra="report", reason="a chart")
    require("vl_convert", extra="report", reason="a chart")


def save_chart(chart: Any, path: str | os.PathLike[str]) -> None:
    """Write a chart of Altair; the suffix says how.

    Parameters
    ----------
    chart
        A chart of this package, or of Altair.
    path
        The file: ``.html``, ``.svg``, ``.png`` or ``.pdf``.
    """
    check_chart_file(path)
    kind = Path(path).suffix.lower().removeprefix(".")
    with atomic_write(path) as stream:
        stream.write(rendered_chart(chart, kind))


def rendered_chart(chart: Any, kind: str) -> bytes:
    """Return the content of a file of a chart: ``html``, ``svg``, ``png`` or ``pdf``."""
    # not checked against the schema, which takes longer than all else: charts are made by us
    content = _without_controls(chart.to_dict(validate=False))
    if kind == "html":
        return _page(content).encode()
    import vl_convert

    text = json.dumps(content)
    if kind == "svg":
        return str(vl_convert.vegalite_to_svg(text)).encode()
    if kind == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(text))
    return bytes(vl_convert.vegalite_to_png(text, scale=_SCALE))


def _without_controls(value: Any) -> Any:
    """Replace what no SVG can hold: it would end the whole process, not only the drawing.

    >>> _without_controls({"words": ["a\\x1b[31m", "tab\\t"]})
    {'words': ['a\ufffd[31m', 'tab\\t']}
    """
    return map_values(value, _value_without_controls)


def _value_without_controls(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", value)


def _page(content: dict[str, Any]) -> str:
    """Return a page with its scripts inside: no network."""
    import altair as alt
    from altair.utils import spec_to_html

    return str(
        spec_to_html(
            content,
            mode="vega-lite",
            vega_version=alt.VEGA_VERSION,
            vegalite_version=alt.VEGALITE_VERSION,
            vegaembed_version=alt.VEGAEMBED_VERSION,
            embed_options={"mode": "vega-lite", "actions": _ACTIONS},
            json_kwds={"cls": _ScriptEncoder},
            template="inline",
        )
    )
