"""What is shown: charts, pages, and reports on what was computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.lazy_names import lazy_names

if TYPE_CHECKING:
    from tealeaves.report.report import report_html, save_figures, save_report
    from tealeaves.report.run.files import open_run, save_run
    from tealeaves.report.run.merge import merge_runs
    from tealeaves.report.run.results import make_run, run_of
    from tealeaves.report.run.run import Run
    from tealeaves.report.semantic_map import save_semantic_map

# Loaded on first use: charts and pages need packages that not everybody has.
_PUBLIC_NAMES = {
    "run.run": ("Run",),
    "run.results": ("make_run", "run_of"),
    "run.merge": ("merge_runs",),
    "run.files": ("open_run", "save_run"),
    "report": ("report_html", "save_figures", "save_report"),
    "semantic_map": ("save_semantic_map",),
}

__all__ = [
    "Run",
    "make_run",
    "merge_runs",
    "open_run",
    "report_html",
    "run_of",
    "save_figures",
    "save_report",
    "save_run",
    "save_semantic_map",
]

__getattr__, __dir__ = lazy_names(__name__, _PUBLIC_NAMES)
