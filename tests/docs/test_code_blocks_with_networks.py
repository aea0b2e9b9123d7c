"""Every code block of the pages that load networks runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.systems import needs_bash

from .pages import NETWORK_PAGES, run_page

pytestmark = needs_bash


@pytest.mark.parametrize("page", NETWORK_PAGES)
def test_blocks_run(page: str, tmp_path: Path) -> None:
    run_page(page, tmp_path)
