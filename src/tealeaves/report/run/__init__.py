"""Runs: what commands computed, kept for a report on one of them or on several together."""

from tealeaves.report.run.files import open_run, read_run, save_run
from tealeaves.report.run.merge import merge_runs, open_runs
from tealeaves.report.run.run import Run

__all__ = ["Run", "merge_runs", "open_run", "open_runs", "read_run", "save_run"]
