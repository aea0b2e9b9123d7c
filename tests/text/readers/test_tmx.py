from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.text import Corpus, Document

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def tu(*segments: tuple[str, str], attributes: str = "") -> str:
    inside = "".join(f'<tuv xml:lang="{lang}"><seg>{text}</seg></tuv>' for lang, text in segments)
    return f"<tu {attributes}><note>a note</note>{inside}</tu>"


def write(path: Path, *units: str, head: str = HEAD) -> Path:
    body = "\n".join(units)
    start = '<tmx version="1.4"><header srclang="en"><note>n</note></header>'
    path.write_text(f"{head}{start}<body>{body}</body></tmx>", encoding="utf-8")
    return path


def read(path: Path, language: str = "en") -> list[Document]:
    return list(Corpus.open(path, reader=f"tmx(language={language})"))


def test_segments_of_a_language(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.tmx",
        tu(("en-US", "a king"), ("sv", "en kung"), attributes='tuid="k-1"'),
        tu(("sv", "ett år")),
        tu(("EN", "R&amp;B"), ("sv", "R&amp;B")),
    )
    documents = read(path)
    assert [(d.id, d.text, d.language, d.position) for d in documents] == [
        ("k-1", "a king", "en", 0), ("unit 3", "R&B", "en", 1),
    ]  # fmt: skip
    assert [d.id for d in read(path, "swe")] == ["k-1", "unit 2", "unit 3"]
    assert {d.source for d in documents}.isdisjoint({d.source for d in read(path, "sv")})


def test_codes_inside_segments_are_no_text(tmp_path: Path) -> None:
    text = 'a <bpt i="1">{<sub>x</sub></bpt><hi>bold</hi><ept i="1">}</ept> king<ph>&lt;br/></ph>'
    text += "<it>i</it><ut>u</ut>"
    [document] = read(write(tmp_path / "a.tmx", tu(("en", text))))
    assert document.text == "a bold king"


def test_the_region_decides_between_two(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tmx", tu(("en-US", "color"), ("en-GB", "colour"), ("sv", "färg")))
    assert [d.text for d in read(path, "en")] == ["color"]
    assert [d.text for d in read(path, "en-gb")] == ["colour"]


def test_the_older_attribute(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    path.write_text('<tmx><body><tu><tuv lang="FR"><seg>roi</seg></tuv></tu></body></tmx>')
    assert [d.text for d in read(path, "fr")] == ["roi"]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]))))
def test_any_text_is_read_as_it_was_written(texts: list[str]) -> None:
    import tempfile
    from xml.sax.saxutils import escape

    with tempfile.TemporaryDirectory() as folder:
        units = [tu(("en", escape(text)), ("sv", "x")) for text in texts]
        path = write(Path(folder) / "a.tmx", *units, tu(("en", "last")))
        assert [d.text for d in read(path)] == [*texts, "last"]


@pytest.mark.parametrize(
    ("head", "unit", "message"),
    [
        ("", tu(("sv", "kung"), ("de", "König")), r"no segment in en \(languages here: sv, de\)"),
        ("", "", r"no segment in en \(languages here: none\)"),
        ('<!DOCTYPE tmx [<!ENTITY x "y">]>\n', tu(("en", "&x;")), r"a\.tmx:1: the entity x"),
        ("", "<tu>", r"a\.tmx:1: not well-formed"),
    ],
)
def test_damage_is_an_error_of_one_line(tmp_path: Path, head: str, unit: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(write(tmp_path / "a.tmx", unit, head=head))


def test_a_document_type_without_entities_is_fine(tmp_path: Path) -> None:
    head = '<?xml version="1.0"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'
    assert len(read(write(tmp_path / "a.tmx", tu(("en", "king")), head=head))) == 1


def test_other_xml_is_no_tmx(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text("<html/>")
    with pytest.raises(InputError, match=r"a\.xml: not a TMX file"):
        read(path)


def test_a_language_must_be_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"needs the parameter language: tmx\(language=\.\.\.\)"):
        Corpus.open(write(tmp_path / "a.tmx"), reader="tmx")
