"""What tests of charts share: rows where they are used, and where text comes to stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import altair as alt
import pytest
import vl_convert

from tealeaves.report.pages import save_report_page

from .browser import Opened, chromium, opened
from .report_samples import HOSTILE, sample


class Text(NamedTuple):
    """A text of a drawn chart: its anchor, ``start``, ``end`` or ``middle``, in pixels."""

    text: str
    x: float
    y: float
    anchor: str


@pytest.fixture
def inline_rows() -> Iterator[None]:
    """Keep rows in the layers that draw them, not in a list at the end."""
    with alt.data_transformers.enable(consolidate_datasets=False):
        yield


@pytest.fixture(scope="session")
def texts_of() -> Callable[[Any], list[Text]]:
    """Return a function that draws a chart and says where its texts are."""

    def drawn(chart: Any) -> list[Text]:
        svg = vl_convert.vegalite_to_svg(chart.to_dict(validate=False))
        return list(_texts(ET.fromstring(svg), 0.0, 0.0))

    return drawn


def _texts(element: ET.Element, x: float, y: float) -> Iterator[Text]:
    moved = re.match(r"translate\(([-\d.e]+),([-\d.e]+)\)", element.get("transform", ""))
    if moved:
        x, y = x + float(moved[1]), y + float(moved[2])
    if element.tag.endswith("}text"):
        words = " ".join("".join(element.itertext()).split())
        yield Text(words, x, y, element.get("text-anchor", "start"))
    for child in element:
        yield from _texts(child, x, y)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser, started once for the tests of a file."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def report_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on hostile words."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    save_report_page(sample(HOSTILE), path)
    return path


@pytest.fixture(scope="module")
def desk(report_file: Path, browser: Any) -> Iterator[Opened]:
    """The report on hostile words, for tests that leave it as it is."""
    with opened(report_file, browser=browser) as one:
        yield one


@pytest.fixture
def shown(report_file: Path, browser: Any) -> Iterator[Opened]:
    """The report on hostile words, for tests that change it."""
    with opened(report_file, browser=browser) as one:
        yield one
