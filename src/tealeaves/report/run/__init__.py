"""Runs: what a command found, kept so that a report can be made of it, and of several together."""

from tealeaves.report.run.record import Run
from tealeaves.report.run.saving import read_run, save_run

__all__ = ["Run", "read_run", "save_run"]
