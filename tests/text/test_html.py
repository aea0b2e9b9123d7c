from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.text.html import strip_html


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plain text", ["plain", "text"]),
        ("<p>one</p><p>two</p>", ["one", "two"]),
        ("one<br>two<br/>three", ["one", "two", "three"]),
        ("<a href='https://e.org/x'>link</a>", ["link"]),
        ("<!-- not <b>this</b>\n -->but this", ["but", "this"]),
        ("<script type=x>if (a < b) {}</script>a<STYLE>p {c: d}</STYLE >b", ["a", "b"]),
        ("a <!-- open <script>no</script> <!-- b", ["a", "<!--", "open", "<!--", "b"]),
        ("<!DOCTYPE html><?xml version='1'?>a", ["a"]),
        ("<p\nclass='x'\n>a</p\n>", ["a"]),
        ("caf&eacute; &amp; t&#233; &#x2014;", ["café", "&", "té", "—"]),
        ("1 < 2 and 3 > 2", ["1", "<", "2", "and", "3", ">", "2"]),
        ("I <3 you", ["I", "<3", "you"]),
        ("see http://a.org/b?c=d&amp;e=f, or www.b.org now", ["see", "or", "now"]),
        ("write mailto:me@e.org soon", ["write", "soon"]),
        ("FTP://X.Y/z end", ["end"]),
        ("a &lt;b&gt; c", ["a", "<b>", "c"]),
    ],
)
def test_markup_goes_and_text_stays(text: str, words: list[str]) -> None:
    assert strip_html(text).split() == words


@settings(deadline=None)
@given(st.text(st.characters(exclude_characters="<>&:."), max_size=50))
def test_text_without_markup_is_left_as_it_is(text: str) -> None:
    assert strip_html(text) == text


def test_a_long_run_of_letters_does_not_take_quadratic_time() -> None:
    start = time.perf_counter()
    assert strip_html("acgt" * 5_000) == "acgt" * 5_000
    assert time.perf_counter() - start < 0.5
