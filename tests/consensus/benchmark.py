"""The modules of the benchmark, which fits the predictors of consensus."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def benchmark_module(name: str) -> Any:
    """Import a module of the benchmark; tests are skipped where benchmarks are not installed."""
    if not BENCHMARKS.exists():
        pytest.skip("the benchmarks are not there", allow_module_level=True)
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(BENCHMARKS))
