"""Long texts that are split in pieces have the same tokens as if they were split at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.text import Corpus
from tealeaves.text.blocks import DocumentRun, TextBlock
from tealeaves.text.html import html_slices, strip_html
from tealeaves.text.pieces import piece_splitter, pieces
from tealeaves.text.pipeline import Pipeline

PIPELINES = [
    "words",
    "words(digits=true, min_length=2)",
    "words(lower=false, stopwords=en)",
    "words(marks=false)",
    "words(html=true)",
    "words(lemmas=en)",
    "tokens",
    "tokens(digits=false, lower=true)",
    "tokens(marks=false)",
    "characters",
    "characters(html=true)",
    "icu",
    "icu(language=zh)",
    "icu(language=th, digits=true)",
    "icu(html=true)",
]
# characters at which steps of pipelines look at their neighbours
SIGNS = (
    "aB\u03a3\u03c2\u0130\u00e9e\u0301\u0308\u0327 \n\t\r\u00a0\u200d\u200c\u00ad'.:,;\u3002"
    "\uff01\u3001\u795e\u4e0a\u5e1d\u6771\u304b\u3099\u30ab\uff9e\u0e01\u0e33\u0e49\u0e44\u05d0\u05bc"
    '\u064b\u0627\u1100\u1161\u11a8\uac00\U0001f1e6\U0001f1e8\U0001f468\U0001f3fb19<>/!-&#x";w'
)
PARTS = [
    *SIGNS,
    *("<b>", "</b>", "<!--", "-->", "<script>", "</script>", "&amp;", "&#32;", "&eacute"),
    *("http://a.b/c", "www.", "mailto:", "hadn't", "the", "<a href='x", "<p\n", "\r\n", "  "),
]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=60).map("".join)


def block_of(text: str) -> TextBlock:
    return TextBlock.of(["before", text, "after"], [DocumentRun("s", 0, 3)])


@pytest.mark.parametrize("expression", PIPELINES)
@settings(max_examples=150, deadline=None)
@given(text=TEXTS, size=st.integers(4, 40))
@example(text="ΑΣ Σ'. ΑΣ\nΣ。Σ", size=5)
@example(text="1，2，a，\u0663，東", size=4)
@example(text="<!-- a b --> c <script> d e <b x> f &am p; g", size=6)
def test_pieces_have_the_tokens_of_the_text(expression: str, text: str, size: int) -> None:
    pipeline = Pipeline.parse(expression)
    lists = list(piece_splitter(pipeline, size)(block_of(text).slices(1, size)))
    assert [token for tokens in lists for token in tokens] == pipeline.tokenizer()(text)


@settings(max_examples=300, deadline=None)
@given(text=TEXTS, size=st.integers(4, 40))
def test_slices_of_html_are_what_is_visible(text: str, size: int) -> None:
    assert "".join(html_slices(text, size)) == strip_html(text)


@given(text=st.text(max_size=50), size=st.integers(4, 9))
def test_slices_are_whole_characters(text: str, size: int) -> None:
    assert "".join(block_of(text).slices(1, size)) == text


def test_a_slice_of_invalid_utf_8_is_an_error_at_its_byte(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\n" + "é".encode() * 10 + b"\x80\x80\x80\x80\x80 end\n")
    (block,) = Corpus.open(path).blocks()
    for size in range(4, 30):
        with pytest.raises(InputError, match=r"a\.txt:2: invalid UTF-8 at byte 24 of the file"):
            list(block.slices(1, size))


@pytest.mark.parametrize("expression", PIPELINES)
def test_prose_is_cut_into_many_pieces(expression: str) -> None:
    """Else the tests above would compare whole texts."""
    text = "The <b>house</b> of 3 lords。神の国、東京。 Это слово.\n" * 50
    pipeline = Pipeline.parse(expression)
    lists = list(piece_splitter(pipeline, 200)(block_of(text).slices(1, 200)))
    assert len(lists) > 10
    assert max(map(len, lists)) < 300


def test_a_text_without_a_place_to_cut_is_one_piece() -> None:
    assert list(pieces(["ab"] * 1_000, "words")) == ["ab" * 1_000]
