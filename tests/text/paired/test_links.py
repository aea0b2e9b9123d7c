"""Links of documents: by tables, ids, lines, blocks and units of TMX, and what is refused."""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path

import pytest

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.text import PairedCorpus

# ---------------------------------------------------------------------- ids and tables


def write_documents(path: Path, *ids: str) -> Path:
    path.write_text("".join(json.dumps({"id": i, "text": f"of {i}"}) + "\n" for i in ids))
    return path


@pytest.fixture
def paths(tmp_path: Path) -> dict[str, Path]:
    return {
        "en": write_documents(tmp_path / "en.jsonl", "Stockholm", "King", "Year", "Loner"),
        "sv": write_documents(tmp_path / "sv.jsonl", "År", "Kung", "Stockholm"),
        "tr": write_documents(tmp_path / "tr.jsonl", "Kral", "Yıl", "Ev"),
    }


def keys(paired: PairedCorpus) -> dict[str, list[str]]:
    return {language: paired.keys(language) for language in paired.languages}


@pytest.mark.parametrize("name", ["links.tsv", "links.csv", "links.jsonl", "links.tsv.gz"])
def test_a_table_links_ids(tmp_path: Path, paths: dict[str, Path], name: str) -> None:
    rows = [["King", "Kung", "Kral"], ["Year", "År", ""], ["", "Stockholm", "Yıl"]]
    table = tmp_path / name
    header = ["eng", "sv", "tr"]
    if "jsonl" in name:
        lines = [json.dumps({k: v for k, v in zip(header, row, strict=True) if v}) for row in rows]
    else:
        sign = "," if "csv" in name else "\t"
        lines = [sign.join(row) for row in [header, *rows]]
    data = "\n".join(lines).encode()
    table.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert keys(PairedCorpus.open(paths, links=table)) == {
        "en": ["", "King", "Year", ""],
        "sv": ["Year", "King", "sv=Stockholm"],
        "tr": ["King", "sv=Stockholm", ""],
    }


def test_columns_of_other_languages_are_passed_over(tmp_path: Path, paths: dict[str, Path]) -> None:
    table = tmp_path / "links.tsv"
    table.write_text("qid\tsv\tfr\ten\nQ1\tKung\tRoi\tKing\n")
    two = {language: paths[language] for language in ("en", "sv")}
    assert PairedCorpus.open(two, links=table).count_links("en", "sv") == 1


def test_a_language_without_a_column(tmp_path: Path, paths: dict[str, Path]) -> None:
    table = tmp_path / "links.tsv"
    table.write_text("en\tfr\nKing\tRoi\n")
    with pytest.raises(InputError, match=r"no column for sv \(columns here: en, fr\)"):
        PairedCorpus.open(paths, links=table)


def test_missing_documents_are_counted_and_named_once(
    tmp_path: Path, paths: dict[str, Path]
) -> None:
    table = tmp_path / "links.tsv"
    table.write_text("en\tsv\nKing\tKung\nFoo\tÅr\nBar\tBaz\n")
    two = {language: paths[language] for language in ("en", "sv")}
    paired = PairedCorpus.open(two, links=table)
    with pytest.warns(TealeavesWarning) as caught:
        assert paired.count_links("en", "sv") == 1
    [warning] = caught
    assert str(warning.message) == (
        f"2 of 3 rows of {table} name documents that are not there, the first en=Foo"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(list(paired.unlink(0.0, seed=1).tuples())) == 7


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("en\tsv\nKing\tKung\nKing\tÅr\n", r"links\.tsv:3: en=King is at .*links\.tsv:2 too"),
        ("en\tsv\n", "no rows"),
        ("en\tsv\nFoo\tKung\n", r"en\.jsonl: no document is in .*like 'Stockholm', .*like 'Foo'"),
        (
            "en\tsv\nKing\t\n\tKung\n",
            r"no document of .*en\.jsonl is linked to .*links in .*links\.tsv",
        ),
    ],
)
def test_wrong_tables_are_refused(
    tmp_path: Path, paths: dict[str, Path], rows: str, message: str
) -> None:
    table = tmp_path / "links.tsv"
    table.write_text(rows)
    two = {language: paths[language] for language in ("en", "sv")}
    with pytest.raises(InputError, match=message) as caught:
        PairedCorpus.open(two, links=table).count_links("en", "sv")
    assert "\n" not in str(caught.value)


def test_a_cell_is_one_id(tmp_path: Path, paths: dict[str, Path]) -> None:
    table = tmp_path / "links.jsonl"
    table.write_text('{"en": ["King", "Kings"], "sv": "Kung", "tr": 7}\n')
    with pytest.raises(InputError, match=r"links\.jsonl:1: en is \['King', 'Kings'\], not the id"):
        PairedCorpus.open(paths, links=table)


def test_numbers_are_ids_too(tmp_path: Path) -> None:
    paths = {name: write_documents(tmp_path / f"{name}.jsonl", "7", "8") for name in ("en", "sv")}
    table = tmp_path / "links.jsonl"
    table.write_text('{"en": 7, "sv": "8"}\n')
    assert keys(PairedCorpus.open(paths, links=table)) == {"en": ["7", ""], "sv": ["", "7"]}


def test_a_table_needs_documents_with_ids(tmp_path: Path, paths: dict[str, Path]) -> None:
    lines = tmp_path / "en.txt"
    lines.write_text("a king\na year\n")
    table = tmp_path / "links.tsv"
    table.write_text("en\tsv\nKing\tKung\n")
    with pytest.raises(InputError, match=r"en\.txt: documents have no ids, but .*links\.tsv names"):
        PairedCorpus.open({"en": lines, "sv": paths["sv"]}, links=table).count_links("en", "sv")


def test_documents_without_ids_are_not_linked_by_id(tmp_path: Path) -> None:
    en = tmp_path / "en.jsonl"
    en.write_text('{"id": "1", "text": "a"}\n{"text": "b"}\n')
    sv = write_documents(tmp_path / "sv.jsonl", "1", "2")
    for links in ("id", None):
        paired = PairedCorpus.open({"en": en, "sv": sv}, links=links)
        assert keys(paired) == {"en": ["1", ""], "sv": ["1", "2"]}
    en.write_text('{"text": "a"}\n{"id": "1", "text": "b"}\n')
    with pytest.raises(InputError, match=r"en\.jsonl: document 2 has an id, .*first has none"):
        keys(PairedCorpus.open({"en": en, "sv": sv}))
    chosen = PairedCorpus.open({"en": en, "sv": sv}, links="line")
    assert keys(chosen) == {"en": ["1", "2"], "sv": ["1", "2"]}
    en.write_text('{"text": "a"}\n{"text": "b"}\n')
    assert keys(PairedCorpus.open({"en": en, "sv": sv})) == {"en": ["1", "2"], "sv": ["1", "2"]}
    sv.write_text('{"id": "1", "text": "a"}\n{"text": "b"}\n')
    with pytest.raises(InputError, match=r"sv\.jsonl: document 2 has no id, but the first has one"):
        keys(PairedCorpus.open({"en": en, "sv": sv}))


def test_no_ids_at_all(tmp_path: Path) -> None:
    en, sv = tmp_path / "en.txt", write_documents(tmp_path / "sv.jsonl", "1")
    en.write_text("one\n")
    with pytest.raises(InputError, match=r"en\.txt: no document has an id"):
        PairedCorpus.open({"en": en, "sv": sv}, links="id").keys("sv")
    assert PairedCorpus.open({"en": en, "sv": sv}, links="line").count_links("en", "sv") == 1


def test_a_document_may_have_the_key_of_another_row_as_its_id(tmp_path: Path) -> None:
    en = write_documents(tmp_path / "en.jsonl", "King", "sv=Hus")
    sv = write_documents(tmp_path / "sv.jsonl", "Kung", "Hus")
    table = tmp_path / "links.tsv"
    table.write_text("en\tsv\nKing\tKung\n\tHus\nsv=Hus\t\n")
    assert keys(PairedCorpus.open({"en": en, "sv": sv}, links=table)) == {
        "en": ["King", "sv=Hus"],
        "sv": ["King", "sv=sv=Hus"],
    }


# ---------------------------------------------------------------------- lines and blocks


LINKS = [None, "line", "id"]


def write_lines(folder: Path, name: str, *texts: str) -> Path:
    path = folder / name
    path.write_text("".join(f"{text}\n" for text in texts))
    return path


def write_rows(folder: Path, name: str, *ids: str) -> Path:
    return write_lines(folder, name, *(json.dumps({"id": i, "text": f"of {i}"}) for i in ids))


def refusal(paired: PairedCorpus, folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        paired.keys(paired.languages[0])
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(f"{folder}/", "")


@pytest.mark.parametrize("links", LINKS)
def test_equally_many_blocks_of_different_numbers_of_lines_are_refused(
    tmp_path: Path, links: str | None
) -> None:
    # 5 and 7 lines are two blocks of four each
    en, sv = write_lines(tmp_path, "a.en", *"12345"), write_lines(tmp_path, "a.sv", *"1234567")
    paired = PairedCorpus.open({"en": en, "sv": sv}, unit="block(size=4)", links=links)
    assert refusal(paired, tmp_path).startswith("a.en has 5 documents, a.sv 7: to be linked")


@pytest.mark.parametrize("links", LINKS)
def test_blocks_of_equally_many_lines(tmp_path: Path, links: str | None) -> None:
    en, sv = write_lines(tmp_path, "a.en", *"12345"), write_lines(tmp_path, "a.sv", *"abcde")
    paired = PairedCorpus.open({"en": en, "sv": sv}, unit="block(size=4)", links=links)
    assert [[d.text for d in sides.values()] for _, sides in paired.tuples()] == [
        ["1\n2\n3\n4", "a\nb\nc\nd"], ["5", "e"],
    ]  # fmt: skip
    assert paired.count_links("en", "sv") == len(list(paired.tuples())) == 2


@pytest.mark.parametrize("unit", [None, "block(size=4)"])
def test_several_files_are_compared_one_by_one(tmp_path: Path, unit: str | None) -> None:
    # 5 + 3 lines are as many as 4 + 4, but from the fifth on they would be linked to others
    paths = {
        "en": [write_lines(tmp_path, "a.en", *"12345"), write_lines(tmp_path, "b.en", *"678")],
        "sv": [write_lines(tmp_path, "a.sv", *"1234"), write_lines(tmp_path, "b.sv", *"5678")],
    }
    message = refusal(PairedCorpus.open(paths, unit=unit), tmp_path)
    assert message.startswith("a.en has 5 documents, a.sv 4: to be linked line by line")
    write_lines(tmp_path, "a.sv", *"1234x")
    write_lines(tmp_path, "b.sv", *"678")
    assert PairedCorpus.open(paths, unit=unit).count_links("en", "sv") == (8 if unit is None else 3)


def test_one_file_can_be_linked_to_several_with_equally_many_lines(tmp_path: Path) -> None:
    paths = {
        "en": [write_lines(tmp_path, "a.en", *"123"), write_lines(tmp_path, "b.en", *"45")],
        "sv": [write_lines(tmp_path, "all.sv", *"12345")],
    }
    assert PairedCorpus.open(paths).count_links("en", "sv") == 5
    # blocks of two end with the file: 12 3 45 against 12 34 5
    message = refusal(PairedCorpus.open(paths, unit="block(2)"), tmp_path)
    assert message.startswith("block 3-4 has 1 lines in a.en b.en, 2 in all.sv")


def test_rows_of_a_text_in_blocks(tmp_path: Path) -> None:
    en, sv = (
        write_rows(tmp_path, "en.jsonl", *"xxxxxyy"),
        write_rows(tmp_path, "sv.jsonl", *"xxxxxxzz"),
    )
    paired = PairedCorpus.open({"en": en, "sv": sv}, unit="block(size=4)")
    assert refusal(paired, tmp_path).startswith("'x' has 5 rows in en.jsonl, 6 in sv.jsonl")
    write_rows(tmp_path, "sv.jsonl", *"xxxxxzz")
    paired = PairedCorpus.open({"en": en, "sv": sv}, unit="block(size=4)")
    assert paired.keys("sv") == ["x:1-4", "x:5-8", "z:1-4"]
    assert paired.count_links("en", "sv") == 2


def test_rows_are_compared_with_every_language(tmp_path: Path) -> None:
    paths = {
        "en": write_rows(tmp_path, "en.jsonl", *"xxxyy"),
        "sv": write_rows(tmp_path, "sv.jsonl", *"yy"),
        "tr": write_rows(tmp_path, "tr.jsonl", *"xxyy"),
    }
    message = refusal(PairedCorpus.open(paths, unit="block(size=4)"), tmp_path)
    assert message.startswith("'x' has 3 rows in en.jsonl, 2 in tr.jsonl")


def test_a_translation_may_lack_verses_of_a_block(tmp_path: Path) -> None:
    en = write_lines(tmp_path, "en.tsv", "GEN 1:1\ta", "GEN 1:2\tb", "GEN 1:3\tc")
    sv = write_lines(tmp_path, "sv.tsv", "GEN 1:1\ta", "GEN 1:3\tc")
    paired = PairedCorpus.open({"en": en, "sv": sv}, unit="block(size=2)")
    assert paired.keys("sv") == ["GEN 1:1-2", "GEN 1:3-4"]
    assert paired.count_links("en", "sv") == 2


def test_documents_of_several_rows_are_linked_by_their_number(tmp_path: Path) -> None:
    en, sv = write_rows(tmp_path, "en.jsonl", *"aabb"), write_rows(tmp_path, "sv.jsonl", *"xyy")
    paired = PairedCorpus.open({"en": en, "sv": sv}, unit="document", links="line")
    assert paired.count_links("en", "sv") == 2


def test_the_lines_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tealeaves.text.files import SourceFile

    paths = {name: write_lines(tmp_path, f"a.{name}", *"12345") for name in ("en", "sv")}
    paired = PairedCorpus.open(paths, unit="block(size=2)")
    names: list[str] = []
    whole = SourceFile.open

    def record_open(file: SourceFile, meter: object = None) -> object:
        names.append(file.name)
        return whole(file, meter)  # type: ignore[arg-type]

    monkeypatch.setattr(SourceFile, "open", record_open)
    assert paired.count_links("en", "sv") == 3
    assert sorted(names) == sorted(map(str, paths.values()))


# ---------------------------------------------------------------------- units of TMX


def write_tmx(path: Path, *units: tuple[str, str]) -> Path:
    """Write units, each with its attributes and its word, in English and Swedish."""
    written = "".join(
        f'<tu {attributes}><tuv xml:lang="en"><seg>{word}</seg></tuv>'
        f'<tuv xml:lang="sv"><seg>sv {word}</seg></tuv></tu>'
        for attributes, word in units
    )
    path.write_text(f"<tmx><body>{written}</body></tmx>")
    return path


def keyed_texts(paired: PairedCorpus) -> list[tuple[str, ...]]:
    return [(key, *(d.text for d in sides.values())) for key, sides in paired.tuples()]


def test_a_unit_without_an_id_is_not_the_one_that_is_called_by_its_number(tmp_path: Path) -> None:
    path = write_tmx(tmp_path / "a.tmx", ("", "king"), ('tuid="1"', "house"))
    assert keyed_texts(PairedCorpus.open({"en": path, "sv": path})) == [
        ("unit 1", "king", "sv king"), ("1", "house", "sv house"),
    ]  # fmt: skip


@pytest.mark.parametrize("attributes", ["", 'tuid="1"'])
@pytest.mark.parametrize("unit", [None, "document"])
def test_the_same_ids_in_two_files_are_two_units(
    tmp_path: Path, attributes: str, unit: str | None
) -> None:
    one = write_tmx(tmp_path / "a.tmx", (attributes, "king"))
    two = write_tmx(tmp_path / "b.tmx", (attributes, "house"))
    name = "1" if attributes else "unit 1"
    for reordered in ([one, two], [two, one]):  # the order does not matter
        paired = PairedCorpus.open({"en": [one, two], "sv": reordered}, unit=unit)
        assert keyed_texts(paired) == [
            (f"1: {name}", "king", "sv king"), (f"2: {name}", "house", "sv house"),
        ]  # fmt: skip


def test_files_of_other_names_are_linked_in_their_order(tmp_path: Path) -> None:
    en = [write_tmx(tmp_path / f"{n}.en.tmx", ("", f"{n} king")) for n in range(2)]
    sv = [write_tmx(tmp_path / f"{n}.sv.tmx", ("", f"{n} kung")) for n in range(2)]
    assert keyed_texts(PairedCorpus.open({"en": en, "sv": sv})) == [
        ("1: unit 1", "0 king", "sv 0 kung"), ("2: unit 1", "1 king", "sv 1 kung"),
    ]  # fmt: skip


def test_an_id_that_is_twice_in_a_file_is_refused(tmp_path: Path) -> None:
    path = write_tmx(tmp_path / "a.tmx", ('tuid="1"', "king"), ('tuid="1"', "house"))
    with pytest.raises(InputError, match="documents 1 and 2 both have '1'"):
        PairedCorpus.open({"en": path, "sv": path}).keys("en")
