"""Tidy tables: one row per answer, with columns of known names or of names that the user states."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tealeaves.judgments.judgments import Judgments
from tealeaves.judgments.layouts.layout import JudgmentsLayout
from tealeaves.judgments.melting import Named
from tealeaves.judgments.tables import judgments_of
from tealeaves.tables.rows import Row


def read_tidy(rows: Sequence[Row], path: Path, columns: Named | None = None) -> Judgments:
    """Make judgments of the rows; ``columns`` says what the columns are called."""
    records = [row.values for row in rows]
    return judgments_of(records, columns, name=str(path), places=[row.where for row in rows])


TIDY = JudgmentsLayout("tidy", lambda columns: True, read_tidy)  # noqa: ARG005
