"""Where the data, the working files and the repository are."""

from __future__ import annotations

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
WORK = HERE / ".work"  # not in the repository


def data_folder() -> Path:
    """Return the folder of the reference data."""
    folder = os.environ.get("TEALEAVES_DATA")
    if not folder:
        sys.exit("benchmarks: set TEALEAVES_DATA to the folder of the data")
    return Path(folder)
