"""Bibles in USFM."""

from __future__ import annotations

import pytest

from tealeaves.errors import InputError
from tealeaves.text.bible.usfm import read_usfm

GENESIS = r"""\id GEN A Bible
\ide UTF-8
\h Genesis
\toc1 The First Book
\mt1 Genesis
\ip An introduction.
\c 1
\s1 The Creation
\r (see \xt John 1:1\xt*)
\p
\v 1 In the \w beginning|strong="H7225"\w*, God\f + \ft The word is Elohim.\f* created \nd all\nd*.
\v 2 The earth was empty\x - \xo 1:2 \xt Ps 1\x*,
\q1 dark on
\q2 the surface
\b
\m and deep.
\v 3-4 \wj Let there \+w be|x="y"\+w* light\wj*
\p and there was.
\c 2
\cl Chapter Two
\d A title
\p
\v 1a The heavens\fig caption|src="a.jpg" size="col" ref="1.1"\fig* were
\v 1b finished.
\v 2 \va 3\va* On \vp 2b\vp* the seventh \pro fff\pro* day~of it\rq Gen 1\rq*.
\rem a remark
\s2 a heading
\d another title
\cl a label
\esb
\p aside
\esbe
\li1 item \qs Selah\qs*
\tr \th1 Day\tc1 One
"""


def texts(text: str) -> list[tuple[str, str]]:
    return [(str(verse.reference), verse.text) for verse in read_usfm(text, "a.usfm")]


def refusal(text: str) -> str:
    with pytest.raises(InputError) as caught:
        texts(text)
    return str(caught.value)


def test_verses_are_read_without_notes_headings_and_numbers() -> None:
    assert texts(GENESIS) == [
        ("GEN 1:1", "In the beginning, God created all."),
        ("GEN 1:2", "The earth was empty, dark on the surface and deep."),
        ("GEN 1:3", "Let there be light and there was."),
        ("GEN 2:1", "The heavens were"),
        ("GEN 2:1", "finished."),
        ("GEN 2:2", "On the seventh day of it. item Selah Day One"),
    ]


@pytest.mark.parametrize("other", ["va", "vp", "ca"])
def test_alternative_numbers_do_not_join_words(other: str) -> None:
    text = rf"""\id GEN
\c 1
\p
\v 1 God\{other} 2\{other}* \nd Lord\nd* and
\v 2,3 the rest"""
    assert texts(text) == [("GEN 1:1", "God Lord and"), ("GEN 1:2", "the rest")]


def test_verses_know_their_line() -> None:
    lines = GENESIS.split("\n")
    for verse in read_usfm(GENESIS, "a.usfm"):
        assert lines[verse.line - 1].startswith(f"\\v {verse.reference.verse}")


def test_a_file_may_hold_several_books_and_other_parts_are_passed_over() -> None:
    several = (
        "\\id FRT\n\\mt Preface\n\\p words\n\\id OBA\n\\c 1\n\\p\n\\v 1 a\n\\id JON\n\\c 1\n\\v 1 b"
    )
    assert texts(several) == [("OBA 1:1", "a"), ("JON 1:1", "b")]
    assert texts("\\id GLO\n\\c 1\n\\p\n\\v 1 a") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\\id GEN\n\\c 1\n\\p\n\\v x words\n", "a.usfm:4: 'GEN 1:x' is not a verse"),
        ("\\id GEN\n\\c one\n\\p\n\\v 1 words\n", "a.usfm:2: 'one' is not a chapter"),
        ("\\id GEN\n\\p\n\\v 1 words\n", "a.usfm:3: a verse before any chapter"),
        ("\\id NOPE\n\\c 1\n\\v 1 words\n", "a.usfm:1: 'NOPE' is not a book"),
        ("\n\\c 1\n\\v 1 words\n", "a.usfm:2: a chapter before any book"),
    ],
)
def test_a_broken_text_is_an_error_that_names_its_line(text: str, message: str) -> None:
    assert refusal(text).startswith(message)


def test_errors_of_the_parser_become_our_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object, **_more: object) -> None:
        raise AttributeError("no such thing")

    monkeypatch.setattr("usfmtc.USX.fromUsfm", fail)
    assert refusal(GENESIS).startswith("a.usfm:7: the USFM of GEN 1 cannot be read: no such thing")
