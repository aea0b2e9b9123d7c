"""What tests of consensus share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tealeaves.evidence.embeddings import known


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Do as if no embedding were installed."""
    known.opened.cache_clear()
    monkeypatch.setattr(known, "_is_there", lambda _: False)
    yield
    known.opened.cache_clear()
