"""Lines and rows that are not equally many: no link may shift."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.text import PairedCorpus

LINKS = [None, "line", "id"]


def lines(folder: Path, name: str, *texts: str) -> Path:
    path = folder / name
    path.write_text("".join(f"{text}\n" for text in texts))
    return path


def rows(folder: Path, name: str, *ids: str) -> Path:
    return lines(folder, name, *(json.dumps({"id": i, "text": f"of {i}"}) for i in ids))


def refusal(paired: PairedCorpus, folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        paired.keys(paired.languages[0])
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(f"{folder}/", "")


@pytest.mark.parametrize("links", LINKS)
def test_as_many_blocks_of_other_numbers_of_lines(tmp_path: Path, links: str | None) -> None:
    # 5 and 7 lines are two blocks of four each
    en, sv = lines(tmp_path, "a.en", *"12345"), lines(tmp_path, "a.sv", *"1234567")
    paired = PairedCorpus.open({"en": en, "sv": sv}, unit="block(size=4)", links=links)
    assert refusal(paired, tmp_path).startswith("a.en has 5 documents, a.sv 7: to be linked")


@pytest.mark.parametrize("links", LINKS)
def test_blocks_of_equally_many_lines(tmp_path: Path, links: str | None) -> None:
    en, sv = lines(tmp_path, "a.en", *"12345"), lines(tmp_path, "a.sv", *"abcde")
    paired = PairedCorpus.open({"en": en, "sv": sv}, unit="block(size=4)", links=links)
    assert [[d.text for d in sides.values()] for _, sides in paired.tuples()] == [
        ["1\n2\n3\n4", "a\nb\nc\nd"], ["5", "e"],
    ]  # fmt: skip
    assert paired.linked("en", "sv") == len(list(paired.tuples())) == 2


@pytest.mark.parametrize("unit", [None, "block(size=4)"])
def test_several_files_are_compared_one_by_one(tmp_path: Path, unit: str | None) -> None:
    # 5 + 3 lines are as many as 4 + 4, but from the fifth on they would be linked to others
    paths = {
        "en": [lines(tmp_path, "a.en", *"12345"), lines(tmp_path, "b.en", *"678")],
        "sv": [lines(tmp_path, "a.sv", *"1234"), lines(tmp_path, "b.sv", *"5678")],
    }
    message = refusal(PairedCorpus.open(paths, unit=unit), tmp_path)
    assert message.startswith("a.en has 5 documents, a.sv 4: to be linked line by line")
    lines(tmp_path, "a.sv", *"1234x")
    lines(tmp_path, "b.sv", *"678")
    assert PairedCorpus.open(paths, unit=unit).linked("en", "sv") == (8 if unit is None else 3)


def test_one_file_against_several_has_as_many_lines_in_all(tmp_path: Path) -> None:
    paths = {
        "en": [lines(tmp_path, "a.en", *"123"), lines(tmp_path, "b.en", *"45")],
        "sv": [lines(tmp_path, "all.sv", *"12345")],
    }
    assert PairedCorpus.open(paths).linked("en", "sv") == 5
    # blocks of two end with the file: 12 3 45 against 12 34 5
    message = refusal(PairedCorpus.open(paths, unit="block(2)"), tmp_path)
    assert message.startswith("block 3-4 has 1 lines in a.en b.en, 2 in all.sv")


def test_rows_of_a_text_in_blocks(tmp_path: Path) -> None:
    en, sv = rows(tmp_path, "en.jsonl", *"xxxxxyy"), rows(tmp_path, "sv.jsonl", *"xxxxxxzz")
    paired = PairedCorpus.open({"en": en, "sv": sv}, unit="block(size=4)")
    assert refusal(paired, tmp_path).startswith("'x' has 5 rows in en.jsonl, 6 in sv.jsonl")
    rows(tmp_path, "sv.jsonl", *"xxxxxzz")
    paired = PairedCorpus.open({"en": en, "sv": sv}, unit="block(size=4)")
    assert paired.keys("sv") == ["x:1-4", "x:5-8", "z:1-4"]
    assert paired.linked("en", "sv") == 2


def test_rows_are_compared_with_every_language(tmp_path: Path) -> None:
    paths = {
        "en": rows(tmp_path, "en.jsonl", *"xxxyy"),
        "sv": rows(tmp_path, "sv.jsonl", *"yy"),
        "tr": rows(tmp_path, "tr.jsonl", *"xxyy"),
    }
    message = refusal(PairedCorpus.open(paths, unit="block(size=4)"), tmp_path)
    assert message.startswith("'x' has 3 rows in en.jsonl, 2 in tr.jsonl")


def test_a_translation_may_lack_verses_of_a_block(tmp_path: Path) -> None:
    en = lines(tmp_path, "en.tsv", "GEN 1:1\ta", "GEN 1:2\tb", "GEN 1:3\tc")
    sv = lines(tmp_path, "sv.tsv", "GEN 1:1\ta", "GEN 1:3\tc")
    paired = PairedCorpus.open({"en": en, "sv": sv}, unit="block(size=2)")
    assert paired.keys("sv") == ["GEN 1:1-2", "GEN 1:3-4"]
    assert paired.linked("en", "sv") == 2


def test_documents_of_several_rows_are_linked_by_their_number(tmp_path: Path) -> None:
    en, sv = rows(tmp_path, "en.jsonl", *"aabb"), rows(tmp_path, "sv.jsonl", *"xyy")
    paired = PairedCorpus.open({"en": en, "sv": sv}, unit="document", links="line")
    assert paired.linked("en", "sv") == 2


def test_the_lines_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tealeaves.text.sources import SourceFile

    paths = {name: lines(tmp_path, f"a.{name}", *"12345") for name in ("en", "sv")}
    paired = PairedCorpus.open(paths, unit="block(size=2)")
    opened: list[str] = []
    whole = SourceFile.open

    def noted(file: SourceFile, meter: object) -> object:
        opened.append(file.name)
        return whole(file, meter)  # type: ignore[arg-type]

    monkeypatch.setattr(SourceFile, "open", noted)
    assert paired.linked("en", "sv") == 3
    assert sorted(opened) == sorted(map(str, paths.values()))
