"""Catalogues: members are found in packages and through entry points, by name or alias."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tealeaves import catalogue
from tealeaves.catalogue import Catalogue, members_of_entry_points, members_of_package
from tealeaves.errors import InputError, TealeavesError, TealeavesWarning
from tealeaves.expressions import Expression


@dataclass(frozen=True)
class Toy:
    name: str
    aliases: tuple[str, ...] = ()
    size: int = 1
    top: int | None = None

    def __call__(self, **changes: int) -> Toy:
        return replace(self, **changes)  # type: ignore[arg-type]

    def __matmul__(self, top: int) -> Toy:
        return replace(self, top=top)


BALL, DOLL = Toy("ball", aliases=("sphere",)), Toy("doll")
TOYS = Catalogue(
    "toy", lambda: [DOLL, BALL], aliases={"big ball": "ball(size=9)"}, example="ball(size=3)"
)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package with two modules of floats and integers."""
    folder = tmp_path / "toy_box"
    folder.mkdir()
    header = "from tests.base.test_catalogue import Toy\n"
    (folder / "__init__.py").write_text(header)
    (folder / "one.py").write_text(f"{header}second = Toy('b')\nother = 5\n")
    (folder / "two.py").write_text(f"{header}from toy_box.one import second\nfirst = Toy('a')\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.startswith("toy_box")]:
        monkeypatch.delitem(sys.modules, name)
    return "toy_box"


def test_a_package_is_searched_by_module(package: str) -> None:
    from tests.base.test_catalogue import Toy as Seen

    toys = Catalogue("toy", lambda: members_of_package(package, Seen))
    assert list(toys) == ["a", "b"]


def test_entry_points_are_searched(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.base.test_catalogue import Toy as Seen

    entries = [EntryPoint("box", package, "toys"), EntryPoint("none", "no_such_module", "toys")]
    monkeypatch.setattr(catalogue, "entry_points", lambda **_: entries)
    with pytest.warns(TealeavesWarning, match="the toys of no_such_module cannot be loaded"):
        members = members_of_entry_points("toys", Seen)
    assert {member.name for member in members} == {"a", "b"}


def test_members_keep_their_order_and_are_found_by_name_or_alias() -> None:
    assert list(TOYS) == ["doll", "ball"]
    assert len(TOYS) == 2
    assert TOYS["ball"] is TOYS.find("ball") is TOYS.find("sphere") is BALL


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(InputError, match=r"^unknown toy bal; did you mean ball\? \(known: doll, b"):
        TOYS.find("bal")
    listed = Catalogue("toy", lambda: [BALL], listing="`toys` lists all")
    with pytest.raises(InputError, match=r"^unknown toy xyz \(`toys` lists all\)$"):
        listed.find("xyz")


def test_expressions_set_parameters() -> None:
    assert TOYS.parse("ball(size=3)") == replace(BALL, size=3)
    assert TOYS.parse(" big ball ").size == 9
    assert TOYS.parse("doll@5", top=True).top == 5
    with pytest.raises(InputError, match="doll@5: a toy takes no @5"):
        TOYS.parse("doll@5")
    with pytest.raises(InputError, match=r"^a toy is written as 'ball\(size=3\)', not 5$"):
        TOYS.parse(5)  # type: ignore[arg-type]


def test_parsed_expressions_have_the_name_of_their_member() -> None:
    assert TOYS.expression("sphere(size=2)") == Expression("ball", {"size": 2})
    assert TOYS.expression("big ball") == Expression("ball", {"size": 9})


def test_two_members_of_one_name_are_an_error() -> None:
    with pytest.raises(TealeavesError, match="two toys are called ball"):
        list(Catalogue("toy", lambda: [BALL, Toy("ball", size=2)]))
    assert len(Catalogue("toy", lambda: [BALL, BALL])) == 1


def test_members_are_loaded_when_they_are_needed_and_again_when_asked() -> None:
    loads = []

    def load() -> list[Toy]:
        loads.append(1)
        return [BALL]

    toys = Catalogue("toy", load)
    assert not loads
    assert list(toys) == list(toys) == ["ball"]
    assert len(loads) == 1
    toys.reload()
    assert toys.find("sphere") is BALL
    assert len(loads) == 2
