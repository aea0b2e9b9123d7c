"""A semantic map as a file: what its suffix allows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tealeaves.errors import InputError
from tealeaves.report import save_semantic_map
from tests.lexicon.maps.test_semantic_map import found

__all__ = ["found"]  # a fixture


def test_a_page_a_chart_and_a_table(found: Any, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("jinja2")
    language = found.languages[0]
    save_semantic_map(found, tmp_path / "map.html", title="Hands", show=[language])
    assert f'"show":"{language}"' in (tmp_path / "map.html").read_text()
    save_semantic_map(found, tmp_path / "map.json", title="Hands", show=found.languages)
    assert json.loads((tmp_path / "map.json").read_text())["title"]["text"] == "Hands"
    save_semantic_map(found, tmp_path / "map.tsv")
    tokens = len(found.table.occurrences)
    assert len((tmp_path / "map.tsv").read_text().splitlines()) == tokens + 1
    assert found.summary.startswith(f"{tokens} tokens, {len(found.languages)} languages, ")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("map.gif", {}, "map.gif: a map is written as .html, .svg"),
        ("map.tsv", {"title": "Hands"}, "a table of numbers has no title"),
        ("map.tsv", {"show": ["fin"]}, "a table of numbers has no choice of languages"),
        ("map.html", {"show": ["fin", "rus"]}, "a page shows one language first"),
        ("map.tsv/map.tsv", {}, "map.tsv"),
    ],
)
def test_what_a_file_cannot_show_is_refused(
    found: Any, tmp_path: Path, name: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        save_semantic_map(found, tmp_path / name, **options)
    assert not list(tmp_path.iterdir())


def test_an_unknown_language_is_named_with_those_that_there_are(found: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"--show: fra was not extracted \(there are fin"):
        save_semantic_map(found, tmp_path / "map.json", show=["fra"])
