"""Charts as files: HTML that needs no network, SVG, PNG and PDF."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.files import atomic_write, check_writable

_KINDS = ("html", "svg", "png", "pdf")
_SCALE = 2  # pixels a point, for screens of today


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
    """Write a chart of Altair; the suffix says how."""
    check_chart_file(path)
    kind = Path(path).suffix.lower().removeprefix(".")
    with atomic_write(path) as stream:
        stream.write(_rendered(chart, kind))


def _rendered(chart: Any, kind: str) -> bytes:
    if kind == "html":
        text = io.StringIO()
        chart.save(text, format="html", inline=True)  # the scripts are inside: no network
        return text.getvalue().encode()
    import vl_convert

    content = chart.to_dict()
    if kind == "svg":
        return str(vl_convert.vegalite_to_svg(content)).encode()
    if kind == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(content))
    return bytes(vl_convert.vegalite_to_png(content, scale=_SCALE))
