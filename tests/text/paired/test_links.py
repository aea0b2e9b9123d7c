from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path

import pytest

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.text import PairedCorpus


def corpus(path: Path, *ids: str) -> Path:
    path.write_text("".join(json.dumps({"id": i, "text": f"of {i}"}) + "\n" for i in ids))
    return path


@pytest.fixture
def paths(tmp_path: Path) -> dict[str, Path]:
    return {
        "en": corpus(tmp_path / "en.jsonl", "Stockholm", "King", "Year", "Loner"),
        "sv": corpus(tmp_path / "sv.jsonl", "År", "Kung", "Stockholm"),
        "tr": corpus(tmp_path / "tr.jsonl", "Kral", "Yıl", "Ev"),
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
    assert PairedCorpus.open(two, links=table).linked("en", "sv") == 1


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
        assert paired.linked("en", "sv") == 1
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
        ("en\tsv\nKing\tKung\nKing\tÅr\n", r"links\.tsv:3: en=King stands at .*links\.tsv:2 too"),
        ("en\tsv\n", "no rows"),
        ("en\tsv\nFoo\tKung\n", r"en\.jsonl: no document is in .*like 'Stockholm', .*like 'Foo'"),
        (
            "en\tsv\nKing\t\n\tKung\n",
            r"no document of .*en\.jsonl is linked to .*links in .*links\.tsv",
        ),
    ],
)
def test_tables_that_cannot_be_meant(
    tmp_path: Path, paths: dict[str, Path], rows: str, message: str
) -> None:
    table = tmp_path / "links.tsv"
    table.write_text(rows)
    two = {language: paths[language] for language in ("en", "sv")}
    with pytest.raises(InputError, match=message) as caught:
        PairedCorpus.open(two, links=table).linked("en", "sv")
    assert "\n" not in str(caught.value)


def test_a_cell_is_one_id(tmp_path: Path, paths: dict[str, Path]) -> None:
    table = tmp_path / "links.jsonl"
    table.write_text('{"en": ["King", "Kings"], "sv": "Kung", "tr": 7}\n')
    with pytest.raises(InputError, match=r"links\.jsonl:1: en is \['King', 'Kings'\], not the id"):
        PairedCorpus.open(paths, links=table)


def test_numbers_are_ids_too(tmp_path: Path) -> None:
    paths = {name: corpus(tmp_path / f"{name}.jsonl", "7", "8") for name in ("en", "sv")}
    table = tmp_path / "links.jsonl"
    table.write_text('{"en": 7, "sv": "8"}\n')
    assert keys(PairedCorpus.open(paths, links=table)) == {"en": ["7", ""], "sv": ["", "7"]}


def test_a_table_needs_documents_with_ids(tmp_path: Path, paths: dict[str, Path]) -> None:
    lines = tmp_path / "en.txt"
    lines.write_text("a king\na year\n")
    table = tmp_path / "links.tsv"
    table.write_text("en\tsv\nKing\tKung\n")
    with pytest.raises(InputError, match=r"en\.txt: documents have no ids, but .*links\.tsv names"):
        PairedCorpus.open({"en": lines, "sv": paths["sv"]}, links=table).linked("en", "sv")


def test_documents_without_ids_are_not_linked_by_id(tmp_path: Path) -> None:
    en = tmp_path / "en.jsonl"
    en.write_text('{"id": "1", "text": "a"}\n{"text": "b"}\n')
    sv = corpus(tmp_path / "sv.jsonl", "1", "2")
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
    en, sv = tmp_path / "en.txt", corpus(tmp_path / "sv.jsonl", "1")
    en.write_text("one\n")
    with pytest.raises(InputError, match=r"en\.txt: no document has an id"):
        PairedCorpus.open({"en": en, "sv": sv}, links="id").keys("sv")
    assert PairedCorpus.open({"en": en, "sv": sv}, links="line").linked("en", "sv") == 1


def test_a_document_may_be_called_as_the_key_of_another_row(tmp_path: Path) -> None:
    en = corpus(tmp_path / "en.jsonl", "King", "sv=Hus")
    sv = corpus(tmp_path / "sv.jsonl", "Kung", "Hus")
    table = tmp_path / "links.tsv"
    table.write_text("en\tsv\nKing\tKung\n\tHus\nsv=Hus\t\n")
    assert keys(PairedCorpus.open({"en": en, "sv": sv}, links=table)) == {
        "en": ["King", "sv=Hus"],
        "sv": ["King", "sv=sv=Hus"],
    }
