"""XML as a stream of events: what is read, what is refused, and where errors are said to be."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.text.xml import XmlEvent, parse_xml

LAUGHS = b"""<?xml version="1.0"?>
<!DOCTYPE a [
<!ENTITY l "ha">
<!ENTITY m "&l;&l;&l;&l;">
]>
<a>&m;</a>"""


def events(data: bytes) -> list[XmlEvent]:
    return list(parse_xml(io.BytesIO(data), "a.xml"))


def text(data: bytes) -> str:
    return "".join(event.name for event in events(data) if event.kind == "text")


def refusal(data: bytes) -> str:
    with pytest.raises(InputError) as caught:
        events(data)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_events_have_names_attributes_and_lines() -> None:
    parsed = events(b'<?xml version="1.0"?>\n<a xml:lang="en">\n<b/>x</a>\n')
    assert parsed[0] == ("start", "a", {"xml:lang": "en"}, 2)
    assert [(e.kind, e.name, e.line) for e in parsed[2:]] == [
        ("start", "b", 3),
        ("end", "b", 3),
        ("text", "x", 3),
        ("end", "a", 3),
    ]


def test_names_lose_their_prefix_and_comments_are_passed_over() -> None:
    parsed = events(b"<o:a xmlns:o='u'><!-- <b/> --><?p x?><o:b/></o:a>")
    assert [event.name for event in parsed] == ["a", "b", "b", "a"]


def test_the_characters_of_xml_itself_and_cdata_are_text() -> None:
    assert text(b"<a>&lt;&#229;&#x4E2D;&amp;<![CDATA[<b>&x;]]></a>") == "<å中&<b>&x;"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "cp1252"])
def test_encodings_are_read_as_declared(encoding: str) -> None:
    declared = encoding.removesuffix("-sig")
    data = f"<?xml version='1.0' encoding='{declared}'?><a>é</a>".encode(encoding)
    assert text(data) == "é"


def test_blank_lines_before_the_start_are_accepted_and_counted() -> None:
    assert events(b"\n \n<?xml version='1.0'?>\n<a/>")[0].line == 4
    assert refusal(b"\n\n<?xml version='1.0'?>\n<a>").startswith("a.xml:4: ")


def test_a_document_type_without_entities_is_passed_over() -> None:
    assert text(b'<!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx>x</tmx>') == "x"
    assert text(b"<!DOCTYPE a [<!ELEMENT a ANY>]><a>x</a>") == "x"


def test_entities_are_refused() -> None:
    assert refusal(LAUGHS).startswith("a.xml:3: the entity l is declared")
    assert refusal(b"<a>\n&nbsp;</a>").startswith("a.xml:2: an entity")


def test_no_other_file_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("<!ENTITY e 'secret'>")
    uri = secret.as_uri().encode()
    assert "entity e is declared" in refusal(
        b'<!DOCTYPE a [<!ENTITY e SYSTEM "%s">]><a>&e;</a>' % uri
    )
    assert "entity d is declared" in refusal(
        b'<!DOCTYPE a [<!ENTITY %% d SYSTEM "%s"> %%d;]><a/>' % uri
    )
    # an outer document type could declare it: the parser alone would pass over it
    outer = refusal(b'<!DOCTYPE a SYSTEM "%s">\n<a>&e;</a>' % uri)
    assert outer.startswith("a.xml:2: the entity e")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("before", ["", "<b/>" * 40_000])
def test_entities_of_attributes_are_refused_too(encoding: str, before: str) -> None:
    # the parser alone would leave them out, without a word
    head = f"<?xml version='1.0' encoding='{encoding}'?><!DOCTYPE a SYSTEM 'a.dtd'>"
    bad = f"{head}<a>{before}\n<b x='1' y='a>&e;'/></a>".encode(encoding)
    assert refusal(bad).startswith("a.xml:2: an entity, but entities are not read")
    good = f"{head}<a>{before}<!-- &e; --><b x='R&amp;B&#33;'>T&lt;<![CDATA[&e;]]></b></a>"
    assert [event.attributes for event in events(good.encode(encoding))][-4] == {"x": "R&B!"}
    assert text(good.encode(encoding)) == "T<&e;"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"<a>\n<b></a>", 2),
        (b"<a>\n\n", 3),
        (b"", 1),
        (b"plain text", 1),
        (b"<a>\n\xff</a>", 2),
        (b"<a/>\n<b/>", 2),
        (b"<?xml version='1.0' encoding='klingon'?><a/>", 1),
        (b"<?xml version='1.0' encoding='big5'?><a/>", 1),
    ],
)
def test_damage_is_one_line_that_names_file_and_line(data: bytes, line: int) -> None:
    assert refusal(data).startswith(f"a.xml:{line}: ")


def test_it_is_streamed() -> None:
    class Endless(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return super().read() or b"<b/>" * ((size or 0) // 4)

    stream = parse_xml(Endless(b"<a>"), "endless.xml")
    assert [next(stream).name for _ in range(3)] == ["a", "b", "b"]


@given(st.text(st.characters(min_codepoint=32, exclude_categories=["Cs", "Cn"]), max_size=200))
def test_any_text_comes_back(content: str) -> None:
    escaped = content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert text(f"<a>{escaped}</a>".encode()) == content


def test_long_texts_come_whole() -> None:
    content = "zwölf " * 50_000
    assert text(f"<a>{content}</a>".encode()) == content
