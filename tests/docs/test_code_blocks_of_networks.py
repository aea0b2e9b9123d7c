"""Every code block of the pages that load networks runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from .pages import OF_NETWORKS, run_page


@pytest.mark.parametrize("page", OF_NETWORKS)
def test_blocks_run(page: str, tmp_path: Path) -> None:
    run_page(page, tmp_path)
