"""What is shown: charts, pages, and reports on what was computed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tealeaves.report.report import report_html, save_report
    from tealeaves.report.run.files import open_run, save_run
    from tealeaves.report.run.results import make_run
    from tealeaves.report.run.run import Run

# Loaded on first use: charts and pages need packages that not everybody has.
_HOMES = {
    "Run": "run.run",
    "make_run": "run.results",
    "open_run": "run.files",
    "report_html": "report",
    "save_report": "report",
    "save_run": "run.files",
}

__all__ = ["Run", "make_run", "open_run", "report_html", "save_report", "save_run"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
