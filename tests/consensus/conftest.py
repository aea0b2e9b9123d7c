"""What tests of consensus share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tealeaves.evidence.embeddings import catalogue


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Do as if no embedding were installed."""
    catalogue.open_named.cache_clear()
    monkeypatch.setattr(catalogue, "_is_installed", lambda _: False)
    yield
    catalogue.open_named.cache_clear()
