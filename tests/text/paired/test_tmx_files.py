"""Several TMX files a side: units are linked within their file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.text import PairedCorpus


def tmx(path: Path, *units: tuple[str, str]) -> Path:
    """Write units, each with its attributes and its word, in English and Swedish."""
    written = "".join(
        f'<tu {attributes}><tuv xml:lang="en"><seg>{word}</seg></tuv>'
        f'<tuv xml:lang="sv"><seg>sv {word}</seg></tuv></tu>'
        for attributes, word in units
    )
    path.write_text(f"<tmx><body>{written}</body></tmx>")
    return path


def shown(paired: PairedCorpus) -> list[tuple[str, ...]]:
    return [(key, *(d.text for d in sides.values())) for key, sides in paired.tuples()]


def test_a_unit_without_an_id_is_not_the_one_that_is_called_by_its_number(tmp_path: Path) -> None:
    path = tmx(tmp_path / "a.tmx", ("", "king"), ('tuid="1"', "house"))
    assert shown(PairedCorpus.open({"en": path, "sv": path})) == [
        ("unit 1", "king", "sv king"), ("1", "house", "sv house"),
    ]  # fmt: skip


@pytest.mark.parametrize("attributes", ["", 'tuid="1"'])
@pytest.mark.parametrize("unit", [None, "document"])
def test_the_same_ids_in_two_files_are_two_units(
    tmp_path: Path, attributes: str, unit: str | None
) -> None:
    one = tmx(tmp_path / "a.tmx", (attributes, "king"))
    two = tmx(tmp_path / "b.tmx", (attributes, "house"))
    called = "1" if attributes else "unit 1"
    for turned in ([one, two], [two, one]):  # the order does not matter
        paired = PairedCorpus.open({"en": [one, two], "sv": turned}, unit=unit)
        assert shown(paired) == [
            (f"1: {called}", "king", "sv king"), (f"2: {called}", "house", "sv house"),
        ]  # fmt: skip


def test_files_of_other_names_are_linked_in_their_order(tmp_path: Path) -> None:
    en = [tmx(tmp_path / f"{n}.en.tmx", ("", f"{n} king")) for n in range(2)]
    sv = [tmx(tmp_path / f"{n}.sv.tmx", ("", f"{n} kung")) for n in range(2)]
    assert shown(PairedCorpus.open({"en": en, "sv": sv})) == [
        ("1: unit 1", "0 king", "sv 0 kung"), ("2: unit 1", "1 king", "sv 1 kung"),
    ]  # fmt: skip


def test_an_id_that_stands_twice_in_a_file_is_refused(tmp_path: Path) -> None:
    path = tmx(tmp_path / "a.tmx", ('tuid="1"', "king"), ('tuid="1"', "house"))
    with pytest.raises(InputError, match="documents 1 and 2 both have '1'"):
        PairedCorpus.open({"en": path, "sv": path}).keys("en")
