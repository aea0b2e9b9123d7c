"""What several tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Examples are drawn anew each run on a developer's machine, the same ones in CI.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder of reference data; tests that need it are skipped where it is not given."""
    folder = os.environ.get("TEALEAVES_DATA")
    if not folder:
        pytest.skip("TEALEAVES_DATA is not set: it must name the folder of reference data")
    path = Path(folder)
    if not path.is_dir():
        pytest.skip(f"TEALEAVES_DATA={folder} is not a folder")
    return path
