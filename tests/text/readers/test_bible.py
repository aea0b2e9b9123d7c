"""Bibles as documents: formats, order and numbers of verses, errors."""

from __future__ import annotations

import gzip
import itertools
from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.text import Corpus, PairedCorpus
from tealeaves.text.bible.verses import VerseReference
from tealeaves.text.bible.versification import find_versification
from tealeaves.text.files import SourceFile
from tealeaves.text.readers.bible import is_bible

TSV = "GEN 1:1\tIn the beginning\nGEN 1:2\tAnd the earth\n"
CES = """<?xml version="1.0"?><cesDoc><text>
<seg id="b.GEN.1.1" type="verse">In the beginning</seg>
<seg id="b.GEN.1.2" type="verse">And the earth</seg></text></cesDoc>"""
BARE = CES.replace("cesDoc", "teiCorpus")
OSIS = """<?xml version="1.0"?><osis><osisText>
<verse osisID="Gen.1.1">In the beginning</verse>
<verse osisID="Gen.1.2">And the earth</verse></osisText></osis>"""
USFM = "\\id GEN\n\\c 1\n\\p\n\\v 1 In the beginning\n\\v 2 And the earth\n"
FORMATS = {
    "a.tsv": TSV,
    "ces.xml": CES,
    "bare.xml": BARE,
    "osis.xml": OSIS,
    "a.usfm": USFM,
    "01GEN.SFM": USFM,
}


def ids(*paths: Path, reader: str = "bible") -> list[str]:
    return [document.id for document in Corpus.open(*paths, reader=reader)]


def texts(path: Path, reader: str = "bible") -> dict[str, str]:
    return {document.id: document.text for document in Corpus.open(path, reader=reader)}


def refusal(path: Path, reader: str = "bible") -> str:
    with pytest.raises(InputError) as caught:
        texts(path, reader)
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(f"{path.parent}/", "")


def write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("before", ["", "\ufeff", "\n" * 100])
def test_the_format_is_recognised_by_the_content(tmp_path: Path, name: str, before: str) -> None:
    path = write(tmp_path / name, before + FORMATS[name])
    assert is_bible(SourceFile(path))
    assert texts(path) == {"GEN 1:1": "In the beginning", "GEN 1:2": "And the earth"}


def test_documents_know_their_place(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", TSV)
    corpus = Corpus.open(path, reader="bible")
    assert [document.position for document in corpus] == [0, 1]
    assert {document.source for document in corpus} == corpus.identities


def test_compressed_bibles_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv.gz"
    path.write_bytes(gzip.compress(TSV.encode()))
    assert ids(path) == ["GEN 1:1", "GEN 1:2"]


def test_ebible_uses_the_references_in_its_folder(tmp_path: Path) -> None:
    write(tmp_path / "vref.txt", "GEN 1:1\nGEN 1:2\nGEN 1:3\n")
    path = write(tmp_path / "eng-web.txt", "In the beginning\n<range>\nAnd God said\n")
    assert is_bible(SourceFile(path))
    assert not is_bible(SourceFile(tmp_path / "vref.txt"))
    assert texts(path) == {"GEN 1:1": "In the beginning", "GEN 1:3": "And God said"}


def test_ebible_may_name_its_references(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other").mkdir()
    references = write(tmp_path / "other" / "verses.txt", "MAT 1:1\n")
    path = write(tmp_path / "a.txt", "The book\n")
    assert not is_bible(SourceFile(path))
    assert ids(path, reader=f"bible(references='{references}')") == ["MAT 1:1"]
    assert ids(path, reader="bible(references=other/verses.txt)") == [
        "MAT 1:1"
    ]  # relative to its folder
    monkeypatch.chdir(tmp_path / "other")
    assert ids(path, reader="bible(format=ebible, references=verses.txt)") == ["MAT 1:1"]


def test_a_folder_of_books_and_several_files_are_read_in_order(tmp_path: Path) -> None:
    first = write(tmp_path / "01-GEN.usfm", USFM)
    second = write(tmp_path / "02-EXO.usfm", USFM.replace("GEN", "EXO"))
    expected = ["GEN 1:1", "GEN 1:2", "EXO 1:1", "EXO 1:2"]
    assert ids(tmp_path) == ids(first, second) == expected


def test_verses_are_renumbered_and_those_without_a_number_left_out(tmp_path: Path) -> None:
    psalm = "PSA 51:1\tTo the\nPSA 51:2\twhen Nathan\nPSA 51:3\tHave mercy\nMAL 3:19\tbehold\n"
    path = write(tmp_path / "heb.tsv", psalm)
    corpus = Corpus.open(path, reader="bible(versification=hebrew)")
    expected = [("PSA 51:1", "Have mercy"), ("MAL 4:1", "behold")]
    assert [(document.id, document.text) for document in corpus] == expected


def test_titles_that_are_verse_0_are_left_out(tmp_path: Path) -> None:
    assert ids(write(tmp_path / "a.tsv", "PSA 3:0\tA psalm\nPSA 3:1\tLord\n")) == ["PSA 3:1"]


def test_parts_and_verses_with_one_english_number_are_one_document(tmp_path: Path) -> None:
    parts = write(tmp_path / "a.tsv", "GEN 1:1a\tIn the\nGEN 1:1b\tbeginning\nGEN 1:2\tAnd\n")
    assert texts(parts) == {"GEN 1:1": "In the beginning", "GEN 1:2": "And"}
    halves = write(tmp_path / "b.tsv", "1KI 22:43\tHe walked\n1KI 22:44\tyet the\n")
    assert texts(halves, "bible(versification=org)") == {"1KI 22:43": "He walked yet the"}


DOUBLED = [
    ("a.tsv", "GEN 1:1\ta\nGEN 1:2\tb\nGEN 1:1\tc\n", "a.tsv:3: GEN 1:1 is at line 1 too"),
    (
        "a.xml",
        OSIS.replace("</osisText>", '<verse osisID="Gen.1.1">x</verse></osisText>'),
        "a.xml:3: GEN 1:1 is at line 2 too",
    ),
    ("a.usfm", USFM + "\\v 1 c\n", "a.usfm:6: GEN 1:1 is at line 4 too"),
]


@pytest.mark.parametrize(("name", "content", "message"), DOUBLED)
def test_a_verse_that_is_there_twice_is_an_error(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    assert refusal(write(tmp_path / name, content)).startswith(message)


def test_parts_may_have_other_verses_between_them(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "GEN 2:4a\ta\nGEN 2:5\tb\nGEN 2:4b\tc\n")
    assert texts(path) == {"GEN 2:4": "a c", "GEN 2:5": "b"}


def test_a_missing_verse_may_come_later(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "GEN 1:1\t\nGEN 1:2\tb\nGEN 1:1\ta\n")
    assert texts(path) == {"GEN 1:1": "a", "GEN 1:2": "b"}


def test_several_verses_written_with_a_comma(tmp_path: Path) -> None:
    usfm = write(tmp_path / "a.usfm", USFM.replace("v 1 ", "v 1,2 ").replace("v 2 ", "v 3 "))
    assert ids(usfm) == ["GEN 1:1", "GEN 1:3"]


def test_a_bible_in_utf16_is_recognised_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(OSIS.replace('"1.0"', '"1.0" encoding="UTF-16"').encode("utf-16"))
    assert is_bible(SourceFile(path))
    assert ids(path) == ["GEN 1:1", "GEN 1:2"]


def test_other_files_in_a_folder_of_books_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "00-README.txt", "Read me.\n")
    write(tmp_path / "copr.htm", "<html></html>\n")
    write(tmp_path / "01-GEN.usfm", USFM)
    assert ids(tmp_path) == ["GEN 1:1", "GEN 1:2"]


def test_verses_without_text_are_missing(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "GEN 1:1\t \nGEN 1:2\t\nGEN 1:3\tlight\n")
    corpus = Corpus.open(path, reader="bible")
    assert [(d.id, d.position) for d in corpus] == [("GEN 1:3", 0)]


def test_other_numberings_are_other_documents(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", TSV)
    english = Corpus.open(path, reader="bible").identities
    hebrew = Corpus.open(path, reader="bible(versification=hebrew)").identities
    assert english.isdisjoint(hebrew)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", "GEN 1:1\ta\nGENESIS 1\tb\n", "a.tsv:2: 'GENESIS 1' is not a verse; write"),
        ("a.tsv", "id\ttext\nGEN 1:1\ta\n", "a.tsv:1: 'id' is not a verse; write"),
        ("a.txt", "Call me Ishmael.\n", "a.txt: not a Bible: it begins with 'Call me Ishmael.'"),
        ("a.txt", "", "a.txt: not a Bible: it begins with ''"),
        ("a.xml", "<html><p>no Bible</p></html>", "a.xml: not a Bible: it begins with '<html>"),
        ("a.xml", CES.replace("GEN.1.2", "GEN"), "a.xml:3: 'b.GEN' is not a verse; write"),
        ("a.xml", OSIS.replace("And", "&amp;&x;"), "a.xml:3: an entity, but entities are not read"),
        ("a.usfm", USFM.replace("v 2", "v two"), "a.usfm:5: 'GEN 1:two' is not a verse"),
    ],
)
def test_a_broken_bible_is_an_error_that_names_the_place(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    assert refusal(write(tmp_path / name, content)).startswith(message)


def test_a_bible_of_another_length_than_its_references_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "vref.txt", "GEN 1:1\nGEN 1:2\n")
    path = write(tmp_path / "a.txt", "In the beginning\n")
    assert refusal(path).startswith("a.txt has 1 lines, but vref.txt has 2: there must be one")
    write(tmp_path / "vref.txt", "GEN 1:1\nGEN one\n")
    assert refusal(write(path, "a\nb\n")).startswith("vref.txt:2: 'GEN one' is not a verse")


@pytest.mark.parametrize(
    ("reader", "message"),
    [
        ("bible(format=ebible)", "a.tsv: no file vref.txt in its folder"),
        ("bible(references=nowhere.txt)", "a.tsv: no file nowhere.txt in its folder"),
        ("bible(versification=klingon)", "unknown versification klingon"),
        (
            "bible(format=word)",
            "bible(format=word): format must be one of tsv, ebible, ces, osis, usfm",
        ),
        ("bible(verses=2)", "bible(verses=2): bible has no parameter verses"),
    ],
)
def test_wrong_parameters_are_an_error(tmp_path: Path, reader: str, message: str) -> None:
    assert refusal(write(tmp_path / "a.tsv", TSV), reader).startswith(message)


def test_a_plain_table_is_no_bible(tmp_path: Path) -> None:
    assert not is_bible(SourceFile(write(tmp_path / "a.tsv", "id\ttext\n1\ta\n")))
    assert not is_bible(SourceFile(write(tmp_path / "a.txt", "words\n")))
    assert not is_bible(SourceFile(write(tmp_path / "a.jsonl", '{"text": "a"}\n')))


# ---------------------------------------------------------------------- order of verses


NUMBERINGS = ("hebrew", "vulgate", "synodal", "synodal_protestant")


def write_verses(path: Path, verses: list[VerseReference]) -> Path:
    path.write_text("".join(f"{verse}\tof {verse}\n" for verse in verses))
    return path


def verses_of(name: str) -> list[VerseReference]:
    """Return verses in the order of a file: all that have moved, and the first of each chapter."""
    moved = find_versification(name).moves
    last: dict[str, int] = {}
    for verse in (*moved, *filter(None, moved.values())):
        last[verse.book] = max(last.get(verse.book, 0), verse.chapter)
    first = {VerseReference(book, n, 1) for book in last for n in range(1, last[book] + 1)}
    return sorted({*moved, *first})


@pytest.mark.parametrize("name", NUMBERINGS)
def test_every_chapter_is_in_one_piece(tmp_path: Path, name: str) -> None:
    path = write_verses(tmp_path / "a.tsv", verses_of(name))
    corpus = Corpus.open(path, reader=f"bible(versification={name})")
    chapters = [document.id for document in corpus.group("chapter")]
    assert len(chapters) == len(set(chapters)) > 100
    documents = list(corpus)
    assert [document.position for document in documents] == list(range(len(documents)))


def test_the_end_of_romans_in_the_synodal_bible(tmp_path: Path) -> None:
    # 14:24-26 are 16:25-27 in English Bibles
    places = [(14, 1), (14, 23), (14, 24), (14, 26), (15, 1), (16, 1), (16, 24)]
    path = write_verses(tmp_path / "ru.tsv", [VerseReference("ROM", *place) for place in places])
    reader = "bible(versification=synodal)"
    assert [(d.id, d.text) for d in Corpus.open(path, reader=reader)][4:] == [
        ("ROM 16:24", "of ROM 16:24"), ("ROM 16:25", "of ROM 14:24"), ("ROM 16:27", "of ROM 14:26"),
    ]  # fmt: skip
    english = [(14, 1), (15, 1), (16, 1), (16, 27)]
    en = write_verses(tmp_path / "en.tsv", [VerseReference("ROM", *place) for place in english])
    paired = PairedCorpus.open({"en": en, "ru": path}, reader={"en": "bible", "ru": reader})
    assert paired.keys("ru") == paired.keys("en") == ["ROM 14", "ROM 15", "ROM 16"]


def test_books_keep_the_order_of_the_file(tmp_path: Path) -> None:
    books = ("MAT", "GEN", "PSA")
    verses = [VerseReference(book, 1, n) for book, n in itertools.product(books, (2, 1, 3))]
    verse_ids = [
        d.id for d in Corpus.open(write_verses(tmp_path / "a.tsv", verses), reader="bible")
    ]
    assert verse_ids == [f"{book} 1:{n}" for book, n in itertools.product(books, (1, 2, 3))]


def test_a_chapter_in_two_files_is_refused_with_a_hint_for_bibles(tmp_path: Path) -> None:
    files = [write_verses(tmp_path / f"{n}.tsv", [VerseReference("GEN", 1, n)]) for n in (1, 2)]
    en = write_verses(tmp_path / "en.tsv", [VerseReference("GEN", 1, 1)])
    with pytest.raises(InputError, match=r"both have 'GEN 1', .*must be in one file"):
        PairedCorpus.open({"en": en, "sv": files}).keys("en")
