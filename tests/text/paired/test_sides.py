from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.text import Corpus, PairedCorpus

TMX = """<?xml version="1.0"?><tmx version="1.4"><header srclang="en"/><body>
<tu tuid="a"><tuv xml:lang="en-US"><seg>king</seg></tuv>
<tuv xml:lang="sv"><seg>kung</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>house</seg></tuv></tu>
<tu><tuv xml:lang="SV-se"><seg>år</seg></tuv><tuv xml:lang="en"><seg>year</seg></tuv></tu>
</body></tmx>"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def jsonl(path: Path, *records: dict[str, object]) -> Path:
    return write(path, "\n".join(json.dumps(record) for record in records))


def keyed_texts(paired: PairedCorpus) -> list[tuple[str, ...]]:
    return [(key, *(d.text for d in sides.values())) for key, sides in paired.tuples()]


def test_moses_files_are_linked_line_by_line(tmp_path: Path) -> None:
    en = write(tmp_path / "corpus.en", "one\n\nthree\n")
    sv = write(tmp_path / "corpus.sv", "ett\ntvå\ntre\n")
    paired = PairedCorpus.open({"en": en, "sv": sv})
    assert keyed_texts(paired) == [("1", "one", "ett"), ("2", "", "två"), ("3", "three", "tre")]
    assert paired.name == f"en={en} sv={sv}"


def test_unequal_numbers_of_lines_name_both_files(tmp_path: Path) -> None:
    en = write(tmp_path / "corpus.en", "one\ntwo\n")
    sv = write(tmp_path / "corpus.sv", "ett\n")
    with pytest.raises(InputError, match=r"corpus\.en has 2 documents, .*corpus\.sv 1:"):
        list(PairedCorpus.open({"en": en, "sv": sv}).tuples())


def test_lines_in_blocks(tmp_path: Path) -> None:
    paths = {
        name: write(tmp_path / f"x.{name}", "\n".join(f"{name}{n}" for n in range(1, 6)))
        for name in ("en", "sv")
    }
    paired = PairedCorpus.open(paths, unit="block(size=2)")
    assert keyed_texts(paired)[1:] == [("3-4", "en3\nen4", "sv3\nsv4"), ("5-6", "en5", "sv5")]


def test_blocks_do_not_hide_unequal_numbers_of_lines(tmp_path: Path) -> None:
    en = write(tmp_path / "x.en", "1\n2\n3\n4\n")
    sv = write(tmp_path / "x.sv", "1\n2\n4\n")
    with pytest.raises(InputError, match=r"x\.en has 4 documents, .*x\.sv 3:"):
        PairedCorpus.open({"en": en, "sv": sv}, unit="block(size=2)").keys("en")


def test_folders_are_linked_by_names_without_the_language(tmp_path: Path) -> None:
    for name in ("news.en.txt", "deep/b.txt", "c.en", "only.txt"):
        write(tmp_path / "left" / name, f"en {name}")
    for name in ("news.sv.txt", "deep/b.txt", "c.swe"):
        write(tmp_path / "right" / name, f"sv {name}")
    for side, name in (("left", "packed.en.txt.gz"), ("right", "packed.sv.txt.gz")):
        (tmp_path / side / name).write_bytes(gzip.compress(b"a text"))
    paired = PairedCorpus.open({"en": tmp_path / "left", "sv": tmp_path / "right"})
    assert {key: len(sides) for key, sides in paired.tuples()} == {
        "c": 2, "deep/b.txt": 2, "news.txt": 2, "only.txt": 1, "packed.txt.gz": 2,
    }  # fmt: skip


def test_names_that_become_the_same_are_refused(tmp_path: Path) -> None:
    for name in ("news.en.txt", "news.txt"):
        write(tmp_path / "en" / name, "a text")
    write(tmp_path / "sv" / "news.txt", "en text")
    with pytest.raises(InputError, match=r"documents 1 and 2 both have 'news\.txt'"):
        PairedCorpus.open({"en": tmp_path / "en", "sv": tmp_path / "sv"}).keys("en")


def test_a_tmx_file_may_hold_all_languages(tmp_path: Path) -> None:
    path = write(tmp_path / "memory.tmx", TMX)
    paired = PairedCorpus.open({"en": path, "sv": path})
    assert keyed_texts(paired) == [
        ("a", "king", "kung"),
        ("unit 2", "house"),
        ("unit 3", "year", "år"),
    ]
    sources = [{d.source for d in paired.side(language)} for language in ("en", "sv")]
    assert sources[0].isdisjoint(sources[1])
    assert sources[0] == paired.side("en").identities
    assert sources[0] == Corpus.open(path, reader="tmx(language=en)").identities
    wide = tmp_path / "wide.xml"
    wide.write_bytes(TMX.replace("1.0", '1.0" encoding="UTF-16', 1).encode("utf-16"))
    assert PairedCorpus.open({"en": wide, "sv": wide}).count_links("en", "sv") == 2
    packed = tmp_path / "memory.tmx.gz"
    packed.write_bytes(gzip.compress(TMX.encode()))
    assert PairedCorpus.open({"en": packed, "swe": packed}).count_links("en", "sv") == 2


def test_standard_input_may_hold_all_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TMX.encode())))
    paired = PairedCorpus.open({"en": "-", "sv": "-"})
    assert keyed_texts(paired) == [
        ("a", "king", "kung"),
        ("unit 2", "house"),
        ("unit 3", "year", "år"),
    ]


def test_one_file_with_a_field_for_the_language(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path / "all.jsonl",
        {"id": "1", "language": "en", "text": "king"},
        {"id": "1", "language": "swe", "text": "kung"},
        {"id": "2", "language": "fr", "text": "maison"},
        {"id": "2", "language": "sv", "text": "hus"},
    )
    paired = PairedCorpus.open({"en": path, "sv": path})
    assert keyed_texts(paired) == [("1", "king", "kung"), ("2", "hus")]
    positions = [(d.position, d.text) for d in paired.side("sv")]
    assert positions == [(1, "kung"), (3, "hus")]
    assert paired.side("en").identities.isdisjoint(paired.side("sv").identities)
    assert {d.source for d in paired.side("en")} == paired.side("en").identities


def test_one_file_under_two_names_is_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = jsonl(
        tmp_path / "all.jsonl",
        {"id": "1", "language": "en", "text": "king"},
        {"id": "1", "language": "sv", "text": "kung"},
    )
    monkeypatch.chdir(tmp_path)
    assert keyed_texts(PairedCorpus.open({"en": path, "sv": "all.jsonl"})) == [
        ("1", "king", "kung")
    ]


def test_readers_may_differ_by_language(tmp_path: Path) -> None:
    en = write(tmp_path / "en.tsv", "x\tking\n")
    sv = write(tmp_path / "sv.jsonl", '{"1": "x", "2": "kung"}\n')
    fields = {"id": "1", "text": "2"}
    readers = {"en": "tsv(header=false)"}
    paired = PairedCorpus.open({"en": en, "sv": sv}, reader=readers, fields=fields)
    assert keyed_texts(paired) == [("x", "king", "kung")]


def test_a_language_field_does_not_matter_in_a_file_of_its_own(tmp_path: Path) -> None:
    en = jsonl(tmp_path / "en.jsonl", {"id": "1", "language": "xx", "text": "king"})
    sv = jsonl(tmp_path / "sv.jsonl", {"id": "1", "language": "yy", "text": "kung"})
    assert keyed_texts(PairedCorpus.open({"en": en, "sv": sv})) == [("1", "king", "kung")]


def test_a_field_that_links(tmp_path: Path) -> None:
    en = jsonl(tmp_path / "en.jsonl", {"id": "a", "text": "king", "qid": 7}, {"text": "lone"})
    sv = jsonl(tmp_path / "sv.jsonl", {"text": "x", "qid": None}, {"text": "kung", "qid": "7"})
    paired = PairedCorpus.open({"en": en, "sv": sv}, links="field:qid")
    assert keyed_texts(paired) == [("7", "king", "kung"), ("", "lone"), ("", "x")]
    assert next(iter(paired.side("en"))).id == "a"
    with pytest.raises(InputError, match=r"en\.jsonl: no document has a value in .*'qdi'"):
        PairedCorpus.open({"en": en, "sv": sv}, links="field:qdi").keys("en")


def test_rows_of_documents_and_columns_without_a_header(tmp_path: Path) -> None:
    en = write(tmp_path / "en.tsv", "d1\t1\tone\nd1\t2\ttwo\nd2\t1\tthree\n")
    sv = write(tmp_path / "sv.tsv", "d1\t1\tett\nd2\t1\ttre\n")
    options = {"reader": "tsv(header=false)", "fields": {"id": "1", "text": "3"}}
    paired = PairedCorpus.open({"en": en, "sv": sv}, unit="document", **options)  # type: ignore[arg-type]
    assert keyed_texts(paired) == [("d1", "one\ntwo", "ett"), ("d2", "three", "tre")]
    with pytest.raises(InputError, match=r"en\.tsv: documents 1 and 2 both have 'd1'"):
        PairedCorpus.open({"en": en, "sv": sv}, **options).keys("sv")  # type: ignore[arg-type]


def test_bibles_are_recognised_by_their_content_and_read_by_chapter(tmp_path: Path) -> None:
    en = write(tmp_path / "en.tsv", "GEN 1:1\tIn the beginning\nGEN 1:2\tdark\nGEN 2:1\tfinished\n")
    sv = write(tmp_path / "sv.tsv", "GEN 1:1\tI begynnelsen\nGEN 2:1\tfullbordad\n")
    paired = PairedCorpus.open({"en": en, "sv": sv})
    assert keyed_texts(paired) == [
        ("GEN 1", "In the beginning\ndark", "I begynnelsen"),
        ("GEN 2", "finished", "fullbordad"),
    ]
    verses = PairedCorpus.open({"en": en, "sv": sv}, unit="verse")
    assert verses.count_links("en", "sv") == 2
    assert verses.keys("en") == ["GEN 1:1", "GEN 1:2", "GEN 2:1"]


def test_jsonl_in_a_folder_with_references_of_a_bible_stays_jsonl(tmp_path: Path) -> None:
    write(tmp_path / "vref.txt", "GEN 1:1\n")
    paths = {n: jsonl(tmp_path / f"{n}.jsonl", {"id": "a", "text": n}) for n in ("en", "sv")}
    assert keyed_texts(PairedCorpus.open(paths)) == [("a", "en", "sv")]


def test_a_side_of_several_files(tmp_path: Path) -> None:
    first = jsonl(tmp_path / "a.jsonl", {"id": "1", "text": "king"})
    second = jsonl(tmp_path / "b.jsonl", {"id": "2", "text": "house"})
    sv = jsonl(tmp_path / "sv.jsonl", {"id": "2", "text": "hus"})
    paired = PairedCorpus.open({"en": [first, second], "sv": str(sv)})
    assert keyed_texts(paired) == [("1", "king"), ("2", "house", "hus")]
    with pytest.raises(InputError, match="the same texts"):
        PairedCorpus.open({"en": [first, first], "sv": sv})


@pytest.mark.parametrize(
    ("links", "message"),
    [("ids", "ids: links are id, line, field:NAME or a table"), ("no.tsv", "no such file")],
)
def test_unknown_links(tmp_path: Path, links: str, message: str) -> None:
    path = write(tmp_path / "a.txt", "one\n")
    with pytest.raises(InputError, match=message):
        PairedCorpus.open({"en": path, "sv": path}, links=links)


def test_paths_are_given_by_language() -> None:
    with pytest.raises(InputError, match="paths by language"):
        PairedCorpus.open(["en.txt", "sv.txt"])  # type: ignore[arg-type]


def test_a_file_paired_with_itself_is_two_sides(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "one\ntwo\n")
    paired = PairedCorpus.open({"en": path, "xx": path})
    assert keyed_texts(paired) == [("1", "one", "one"), ("2", "two", "two")]
    assert paired.side("en").identities.isdisjoint(paired.side("xx").identities)


def test_a_changed_file_is_noticed(tmp_path: Path) -> None:
    en, sv = write(tmp_path / "x.en", "a\nb\n"), write(tmp_path / "x.sv", "c\nd\n")
    paired = PairedCorpus.open({"en": en, "sv": sv})
    assert paired.count_links("en", "sv") == 2
    write(en, "a\nb\nc\n")
    with pytest.raises(InputError, match=r"x\.en: the texts were changed"):
        list(paired.keyed_documents("en"))


def test_the_name_of_a_tmx_file_decides_how_it_is_read(tmp_path: Path) -> None:
    comment = f"<!--{'x' * 100_000}-->"
    late = write(tmp_path / "late.tmx", TMX.replace("?><tmx", f"?>{comment}<tmx"))
    early = write(tmp_path / "early.tmx", TMX)
    texts = [
        [document.text for document in PairedCorpus.open({"en": path, "sv": path}).sides["en"]]
        for path in (late, early)
    ]
    assert texts[0] == texts[1] != []
    other = write(tmp_path / "other.tmx", "the cat\nthe dog\n")
    with pytest.raises(InputError, match=r"other\.tmx"):
        list(PairedCorpus.open({"en": other, "sv": other}).sides["en"])


def test_plain_corpora_refuse_tmx(tmp_path: Path) -> None:
    path = write(tmp_path / "memory.tmx", TMX)
    for name in (path, tmp_path):
        with pytest.raises(InputError, match=r"memory\.tmx: .*tmx\(language=en\)"):
            Corpus.open(name)
    assert len(list(Corpus.open(path, reader="lines"))) == 6


def test_plain_corpora_do_not_look_for_bibles(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "GEN 1:1\tIn the beginning\n")
    assert [d.text for d in Corpus.open(path)] == ["GEN 1:1\tIn the beginning"]


def test_a_field_that_links_may_be_another_number(tmp_path: Path) -> None:
    en = jsonl(tmp_path / "en.jsonl", {"text": "king", "qid": 7})
    sv = jsonl(tmp_path / "sv.jsonl", {"text": "kung", "qid": 7.0})
    paired = PairedCorpus.open({"en": en, "sv": sv}, links="field:qid")
    assert keyed_texts(paired) == [("7", "king", "kung")]


def test_two_names_of_a_language_are_one_side(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "one\n")
    with pytest.raises(InputError, match=r"^en and eng are the same language"):
        PairedCorpus.open({"en": path, "sv": path, "eng": path})
    assert PairedCorpus.open({"en-GB": path, "en-US": path}).count_links("en-GB", "en-US") == 1
