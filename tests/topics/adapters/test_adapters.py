"""The list of adapters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tealeaves.topics.adapters import ADAPTERS, adapter_titles
from tealeaves.topics.adapters.adapter import SOME_ADAPTERS_USE, Adapter

PAGE = Path(__file__).parents[3] / "docs" / "topics.md"


def test_each_adapter_has_its_own_title() -> None:
    titles = adapter_titles()
    assert len(set(titles)) == len(titles) == len(ADAPTERS)


@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda adapter: adapter.title)
def test_an_adapter_uses_options_that_not_all_use(adapter: Adapter) -> None:
    assert SOME_ADAPTERS_USE.issuperset(adapter.options)


@pytest.mark.parametrize("title", [adapter.title for adapter in ADAPTERS if adapter.library])
def test_every_library_is_on_the_page(title: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert all(library in page for library in title.split(" and "))
