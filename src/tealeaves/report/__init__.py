"""What is shown: charts, pages, and reports on what was computed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tealeaves.report.reporting import make_run, report_html, save_report
    from tealeaves.report.run.record import Run
    from tealeaves.report.run.saving import save_run
    from tealeaves.report.run.tables import open_run

# Loaded on first use: charts and pages need packages that not everybody has.
_HOMES = {
    "Run": "run.record",
    "make_run": "reporting",
    "open_run": "run.tables",
    "report_html": "reporting",
    "save_report": "reporting",
    "save_run": "run.saving",
}

__all__ = ["Run", "make_run", "open_run", "report_html", "save_report", "save_run"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
