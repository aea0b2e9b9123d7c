"""The modules of the study that fits the predictors of consensus."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def benchmark_module(name: str) -> Any:
    """Import a module of the study; tests are skipped where benchmarks are not installed."""
    if not (ROOT / "benchmarks").exists():
        pytest.skip("the benchmarks are not there", allow_module_level=True)
    sys.path.insert(0, str(ROOT))
    try:
        return importlib.import_module(f"benchmarks.consensus.{name}")
    finally:
        sys.path.remove(str(ROOT))
