"""Catalogues: what their modules hold, by name."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest

from tealeaves.catalogues import by_name, values_in
from tealeaves.errors import TealeavesError


@dataclass(frozen=True)
class Thing:
    name: str


def test_values_of_all_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "tried_catalogue"
    folder.mkdir()
    for name, text in (("__init__", "outside = 0.25"), ("one", "a = 0.5"), ("two", "b = 0.75")):
        (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    found = [one for one in values_in(import_module(folder.name)) if isinstance(one, float)]
    assert sorted(found) == [0.5, 0.75]
    for name in [name for name in sys.modules if name.startswith(folder.name)]:
        monkeypatch.delitem(sys.modules, name)


def test_a_name_stands_for_one() -> None:
    one, two = Thing("b"), Thing("a")
    assert list(by_name([one, two, one], "things").items()) == [("a", two), ("b", one)]
    with pytest.raises(TealeavesError, match="two things are called a"):
        by_name([two, Thing("a")], "things")
