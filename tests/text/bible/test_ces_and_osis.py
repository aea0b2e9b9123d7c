"""Bibles in XML: CES and OSIS."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import BinaryIO

import pytest

from tealeaves.errors import InputError
from tealeaves.text.bible.ces import read_ces
from tealeaves.text.bible.osis import read_osis
from tealeaves.text.bible.verses import Verse

Read = Callable[[BinaryIO, str], Iterator[Verse]]

CES = """<?xml version="1.0" ?>
<cesDoc version="4">
\t<cesHeader version="2"><fileDesc><titleStmt><h.title>Bible(GLA)</h.title></titleStmt></fileDesc>
\t</cesHeader>
\t<text><body id="Bible" lang="gd">
\t\t<div id="b.MAR" type="book"><div id="b.MAR.1" type="chapter">
\t\t\t<seg id="b.MAR.1.1" type="verse">
\t\t\t\tA beginning &amp; more
\t\t\t</seg>
\t\t\t<seg type = ' Verse'  id='b.MAR.1.2 '>one\n<seg type="w">two</seg> three</seg>
\t\t\t<seg id="b.MAR.1.3">no type</seg><seg id="x" type="page">no verse</seg>
\t\t\t<seg id="b.MAR.1.9" type="heading">no verse</seg>
\t\t</div></div>
\t</body></text>
</cesDoc>
"""

OSIS = """<?xml version="1.0" encoding="UTF-8"?>
<osis xmlns="http://www.bibletechnologies.net/2003/OSIS/namespace">
<osisText osisIDWork="X"><header><work osisWork="X"><title>T</title></work></header>
<div type="book" osisID="Gen"><title>Genesis</title>
<chapter osisID="Gen.1"><title>The Creation</title>
<p><verse osisID="Gen.1.1">In the <w lemma="x">beginning</w><note>a
<q>note</q><verse osisID="Gen.9.9">x</verse></note>.</verse>
<verse osisID="Gen.1.2 Gen.1.3">two and<lb/>three</verse></p>
</chapter>
<chapter sID="Gen.2" osisID="Gen.2"/>
between
<lg><l><verse sID="Gen.2.1" osisID="X:Gen.2.1!a"/>first line</l><l>second
<divineName>Lord</divineName> line<reference osisRef="Ps.1.1">Ps 1</reference></l></lg>
<verse eID="Gen.2.1"/>
lost
<p><verse sID="Gen.2.2" osisID="Gen.2.2"/>across</p><p>paragraphs<title>heading <hi>x</hi></title>
<verse eID="Gen.2.2"/><verse sID="Gen.2.3"/>no end
<verse sID="Gen.2.4" osisID="Gen.2.4"/>last</p>
<chapter eID="Gen.2"/></div></osisText></osis>
"""


def texts(read: Read, data: str) -> dict[str, str]:
    return {str(v.reference): v.text for v in read(io.BytesIO(data.encode()), "a.xml")}


def refusal(read: Read, data: str) -> str:
    with pytest.raises(InputError) as caught:
        texts(read, data)
    return str(caught.value)


def test_ces_verses_are_read_whatever_the_quotes_and_spaces() -> None:
    assert texts(read_ces, CES) == {
        "MRK 1:1": "A beginning & more",
        "MRK 1:2": "one two three",
        "MRK 1:3": "no type",
    }


def test_ces_verses_know_their_line() -> None:
    assert [v.line for v in read_ces(io.BytesIO(CES.encode()), "a.xml")] == [7, 10, 12]


def test_osis_containers_and_milestones_are_read_without_notes_and_titles() -> None:
    assert texts(read_osis, OSIS) == {
        "GEN 1:1": "In the beginning.",
        "GEN 1:2": "two and three",
        "GEN 2:1": "first line second Lord line",
        "GEN 2:2": "across paragraphs",
        "GEN 2:3": "no end",
        "GEN 2:4": "last",
    }


@pytest.mark.parametrize(
    ("read", "good", "broken", "example"),
    [
        (read_ces, "b.MAR.1.2", "b.MAR.1", "b.GEN.1.1"),
        (read_ces, "b.MAR.1.2", "MARK", "b.GEN.1.1"),
        (read_osis, "Gen.1.2 Gen.1.3", "Gen.1", "Gen.1.1"),
        (read_osis, "Gen.1.2 Gen.1.3", "", "Gen.1.1"),
    ],
)
def test_a_broken_verse_is_an_error_that_names_its_line(
    read: Read, good: str, broken: str, example: str
) -> None:
    data = CES if read is read_ces else OSIS
    line = next(n for n, text in enumerate(data.split("\n"), 1) if good in text)
    message = refusal(read, data.replace(good, broken))
    assert message.startswith(f"a.xml:{line}: {broken!r} is not a verse")
    assert message.endswith(example)


@pytest.mark.parametrize(("read", "data"), [(read_ces, CES), (read_osis, OSIS)])
def test_entities_and_damage_are_errors(read: Read, data: str) -> None:
    declared = data.replace("?>\n", "?>\n<!DOCTYPE x [<!ENTITY e 'text'>]>\n", 1)
    assert refusal(read, declared).startswith("a.xml:2: the entity e is declared")
    assert refusal(read, data[:-12]).startswith("a.xml:")
    assert "entity" in refusal(read, data.replace("line", "&nbsp;").replace("one", "&nbsp;"))


def test_an_osis_verse_continues_after_a_verse_inside_it() -> None:
    data = """<osis><verse osisID="Gen.1.1">a <q><verse osisID="Gen.1.2">in</verse></q> b</verse>
    between <verse osisID="Gen.1.3!a">c</verse></osis>"""
    verses = [
        (str(verse.reference), verse.text, verse.is_part)
        for verse in read_osis(io.BytesIO(data.encode()), "a.xml")
    ]
    assert verses == [
        ("GEN 1:1", "a", False), ("GEN 1:2", "in", False), ("GEN 1:1", "b", True),
        ("GEN 1:3", "c", True),
    ]  # fmt: skip
