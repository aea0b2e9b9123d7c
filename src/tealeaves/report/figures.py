"""The figures of a report as files of their own, for papers."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from tealeaves.report.charts.saving import save_chart
from tealeaves.report.sections.parts import Figure, Page, Picker


def save_figures(page: Page, folder: str | os.PathLike[str], kind: str = "svg") -> list[Path]:
    """Write each figure of a report to a folder, and return the files."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    written = []
    for name, figure in _figures(page):
        path = place / f"{name}.{kind}"
        save_chart(figure.chart, path)
        written.append(path)
    return written


def _figures(page: Page) -> Iterator[tuple[str, Figure]]:
    """Yield each figure and the name of its file, which no two share."""
    seen: set[str] = set()
    for section in page.sections:
        for part in section.parts:
            if isinstance(part, Figure):
                yield _unique(part.id, seen), part
            elif isinstance(part, Picker):
                for chosen, figure in zip(part.names, part.figures, strict=True):
                    yield _unique(f"{part.id}-{plain(chosen)}", seen), figure


def plain(name: str) -> str:
    """Write a name so that every file system takes it.

    >>> plain("npmi(window=10)@10"), plain("../../Модель 1")
    ('npmi-window-10-10', 'Модель-1')
    """
    return re.sub(r"[^\w]+", "-", name).strip("-_")[:80] or "figure"


def _unique(name: str, seen: set[str]) -> str:
    found, number = name, 2
    while found.casefold() in seen:
        found, number = f"{name}-{number}", number + 1
    seen.add(found.casefold())
    return found
