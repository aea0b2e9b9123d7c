"""Tidy tables: one row per answer, with columns of known names or of names that the user states."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tealeaves.judgments.judgments import Judgments
from tealeaves.judgments.layouts.layout import JudgmentsLayout
from tealeaves.judgments.tables import ColumnChoice, judgments_of_rows
from tealeaves.tables.rows import Row


def read_tidy(rows: Sequence[Row], path: Path, columns: ColumnChoice | None = None) -> Judgments:
    """Make judgments of the rows; ``columns`` names columns."""
    return judgments_of_rows(rows, columns, name=str(path))


TIDY = JudgmentsLayout("tidy", lambda columns: True, read_tidy)  # noqa: ARG005
