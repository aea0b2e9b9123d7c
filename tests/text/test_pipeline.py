"""Token pipelines: expressions, signatures, defaults by language, marks, HTML."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.text import Pipeline
from tealeaves.text.html import strip_html
from tealeaves.text.languages import language_code
from tealeaves.text.pipeline import default_pipeline
from tests.systems import needs_library

Kind = Literal["tokens", "words", "icu", "characters"]
KINDS: list[Kind] = ["tokens", "words", "icu", "characters"]


@st.composite
def pipelines(draw: st.DrawFn) -> Pipeline:
    kind = draw(st.sampled_from(KINDS))
    return Pipeline(
        kind=kind,
        lower=draw(st.booleans()),
        digits=draw(st.booleans()),
        stopwords=draw(st.sampled_from([None, "en", "no", "en+es"])),
        lemmas=draw(st.sampled_from([None, "en", "es"])),
        min_length=draw(st.integers(1, 20)),
        min_tokens=draw(st.integers(0, 20)),
        html=draw(st.booleans()),
        language=draw(st.sampled_from([None, "th", "zh"])) if kind == "icu" else None,
        marks=draw(st.booleans()),
    )


def tokens(pipeline: str, text: str) -> list[str]:
    return Pipeline.parse(pipeline).tokenizer()(text)


@settings(deadline=None)
@given(pipelines())
def test_what_is_printed_is_parsed_back(pipeline: Pipeline) -> None:
    assert Pipeline.parse(repr(pipeline)) == pipeline
    assert repr(Pipeline.parse(repr(pipeline))) == repr(pipeline)


@settings(deadline=None)
@given(pipelines(), pipelines())
def test_signatures_differ_exactly_where_pipelines_do(one: Pipeline, two: Pipeline) -> None:
    assert (one.signature == two.signature) == (one == two)


@pytest.mark.parametrize("kind", KINDS)
def test_any_changed_option_changes_the_signature(kind: Kind) -> None:
    plain = Pipeline.parse(kind)
    options = [
        f"lower={str(not plain.lower).lower()}",
        f"digits={str(not plain.digits).lower()}",
        "stopwords=en",
        "stopwords=es",
        "stopwords=en+es",
        "lemmas=en",
        "lemmas=es",
        "min_length=2",
        "min_tokens=1",
        "html=true",
    ]
    if kind == "icu":
        options += ["language=th", "language=ja"]
    signatures = {Pipeline.parse(f"{kind}({option})").signature for option in options}
    assert len(signatures | {plain.signature}) == len(options) + 1


def test_the_kind_is_part_of_the_signature() -> None:
    same = "(lower=true, digits=true)"
    assert len({Pipeline.parse(kind + same).signature for kind in KINDS}) == len(KINDS)


def test_the_signature_spells_the_defaults_out() -> None:
    signature = Pipeline.parse("words").signature
    assert signature.startswith("words(lower=true,digits=false,")
    assert "min_length=1" in signature


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("words", "words"),
        ("words()", "words"),
        ("words(lower=true, min_length=1)", "words"),
        ("words( min_length = 3 )", "words(min_length=3)"),
        ("tokens(lower=true)", "tokens(lower=true)"),
        ("tokens(lower=false)", "tokens"),
        ("words(stopwords='my stop.txt')", "words(stopwords='my stop.txt')"),
        ("words(stopwords=none)", "words"),
    ],
)
def test_only_what_differs_from_the_defaults_is_printed(text: str, printed: str) -> None:
    assert repr(Pipeline.parse(text)) == printed


def test_a_pipeline_parses_to_itself() -> None:
    pipeline = Pipeline.parse("words(min_length=3)")
    assert Pipeline.parse(pipeline) is pipeline


def test_short_tokens_are_dropped_last() -> None:
    assert tokens("words(min_length=3)", "a be sea हिन्दी") == ["sea", "हिन्दी"]
    assert tokens("tokens(min_length=2)", "a be sea") == ["be", "sea"]
    # the lemma of "were" is shorter than the word
    assert tokens("words(lemmas=en, min_length=3)", "they were mice") == ["they", "mouse"]


def test_html_is_stripped_first() -> None:
    assert tokens("words(html=true)", "<b>Caf&eacute;</b> <i class=x>noir</i>") == ["café", "noir"]
    assert tokens("tokens(html=true)", "<b>A</b> 1") == ["A", "1"]


def test_the_tokenizer_does_not_drop_short_texts_itself() -> None:
    assert tokens("words(min_tokens=5)", "two words") == ["two", "words"]


@pytest.mark.parametrize("language", ["en", "es"])
def test_attention_equals_its_spelled_out_form(language: str) -> None:
    short = Pipeline.parse(f"attention(language={language})")
    spelled = f"words(html=true, stopwords={language}, lemmas={language}, min_tokens=6)"
    assert short == Pipeline.parse(spelled)
    assert short.signature == Pipeline.parse(spelled).signature


def test_attention_is_english_by_default() -> None:
    assert Pipeline.parse("attention") == Pipeline.parse("attention(language=en)")


def test_attention_removes_markup_links_punctuation_digits_and_stop_words() -> None:
    text = (
        "<html><head><style>p {color: red}</style><script>var x = 1;</script></head>"
        "<body><!-- hidden --><p>The 3 cats were <b>chasing</b> mice&nbsp;&amp; birds!</p>"
        "<a href='https://example.org/path'>gardens</a> https://example.org/other?page=2 "
        "www.example.net</body></html>"
    )
    pipeline = Pipeline.parse("attention")
    assert pipeline.tokenizer()(text) == ["cat", "chase", "mouse", "bird", "garden"]
    assert pipeline.min_tokens == 6, "texts of more than five tokens are kept"


@pytest.mark.parametrize("text", ["attention(min_length=3)", "attention(language=en, lower=true)"])
def test_attention_takes_only_a_language(text: str) -> None:
    with pytest.raises(InputError, match="attention has only the parameter language, not"):
        Pipeline.parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wrods", r"unknown token pipeline wrods; did you mean words\? \(known: .*attention"),
        ("Words", r"did you mean words\?"),
        (
            "spacy",
            r"unknown token pipeline spacy \(known: tokens, words, icu, characters, attention\)",
        ),
        ("words(minlength=3)", r"no parameter minlength; did you mean min_length\?"),
        ("words(kind=icu)", r"words\(kind=icu\): words has no parameter kind"),
        ("words(zzz=1)", r"no parameter zzz \(it has: lower, digits,"),
        ("words@10", r"has no @10"),
        ("words(min_length=0)", r"min_length"),
        ("words(min_length=-1)", r"min_length"),
        ("words(min_length=two)", r"min_length"),
        ("words(min_length=1.5)", r"min_length"),
        ("words(min_length=true)", r"min_length"),
        ("words(min_tokens=-1)", r"min_tokens"),
        ("words(lower=1)", r"lower"),
        ("words(lower=yes)", r"lower"),
        ("words(html=none)", r"html"),
        ("words(stopwords=5)", r"stopwords"),
        ("words(stopwords=true)", r"stopwords"),
        ("words(lemmas=1.5)", r"lemmas"),
        ("attention(language=5)", r"stopwords"),
        ("words(language=th)", r"only icu has the parameter language"),
        ("tokens(language=en)", r"only icu has the parameter language"),
        ("words(", r"character 7"),
        ("", r"expected a name"),
    ],
)
def test_a_wrong_pipeline_is_an_error_that_says_why(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Pipeline.parse(text)


@pytest.mark.parametrize("option", ["stopwords", "lemmas"])
def test_an_empty_name_is_an_error(option: str) -> None:
    with pytest.raises(InputError, match=option):
        Pipeline.parse(f"words({option}='')")


def test_a_stop_word_file_may_have_any_path(tmp_path: Path) -> None:
    path = tmp_path / "it's (mine), really=so.txt"
    path.write_text("cat\n")
    pipeline = Pipeline(kind="words", lower=True, digits=False, stopwords=str(path))
    assert Pipeline.parse(repr(pipeline)) == pipeline
    assert pipeline.tokenizer()("cat dog") == ["dog"]


def test_pipelines_are_values() -> None:
    one, two = Pipeline.parse("words(min_length=3)"), Pipeline.parse("words( min_length=3)")
    assert one == two
    assert hash(one) == hash(two)
    with pytest.raises(AttributeError):
        one.min_length = 5  # type: ignore[misc]


@pytest.mark.parametrize("kind", KINDS)
def test_marks_of_arabic_and_hebrew_are_removed_if_wanted(kind: Kind) -> None:
    arabic, hebrew = "فِي ٱلْبَدْءِ كـــتاب", "בְּרֵאשִׁ֖ית בָּרָ֣א"
    assert tokens(f"{kind}(marks=false)", arabic) == ["في", "ٱلبدء", "كتاب"]
    assert tokens(f"{kind}(marks=false)", hebrew) == ["בראשית", "ברא"]
    assert tokens(kind, arabic) != ["في", "ٱلبدء", "كتاب"]


def test_hebrew_punctuation_still_separates_words() -> None:
    # U+05BE stands between the words, U+05C3 behind them
    assert tokens("words(marks=false)", "עַל־פְּנֵי׃") == ["על", "פני"]


def test_letters_with_their_marks_in_one_character_are_split() -> None:
    assert tokens("words(marks=false)", "\ufb2a\ufb31") == ["\u05e9\u05d1"]


def test_marks_are_in_signatures_only_if_they_are_removed() -> None:
    assert "marks" not in Pipeline.parse("words").signature
    assert "marks=false" in Pipeline.parse("words(marks=false)").signature
    assert repr(Pipeline.parse("words(marks=true)")) == "words"
    assert repr(Pipeline.parse("words(marks=false)")) == "words(marks=false)"


def test_stop_words_lose_their_marks_too(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("فِي\n", encoding="utf-8")
    assert tokens(f"words(marks=false, stopwords='{path}')", "في البدء") == ["البدء"]


@needs_library
@pytest.mark.parametrize("kind", ["tokens", "words"])
def test_bytes_are_not_searched_without_marks(kind: str) -> None:
    from tealeaves.evidence.counting.hits import can_find_in_bytes

    assert can_find_in_bytes(Pipeline.parse(kind))
    assert not can_find_in_bytes(Pipeline.parse(f"{kind}(marks=false)"))


@pytest.mark.parametrize("language", ["zho", "zh-CN", "jpn", "th", "lao", "khm", "mya"])
def test_languages_without_spaces_are_split_by_icu(language: str) -> None:
    pipeline = Pipeline.parse(default_pipeline(language))
    assert (pipeline.kind, pipeline.language) == ("icu", language_code(language))


@pytest.mark.parametrize("language", ["eng", "kor", "tr", "Klingon"])
def test_other_languages_are_split_into_words(language: str) -> None:
    assert default_pipeline(language) == "words"


# ---------------------------------------------------------------------- HTML


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
def test_markup_is_removed_and_text_stays(text: str, words: list[str]) -> None:
    assert strip_html(text).split() == words


@settings(deadline=None)
@given(st.text(st.characters(exclude_characters="<>&:."), max_size=50))
def test_text_without_markup_is_left_as_it_is(text: str) -> None:
    assert strip_html(text) == text


def test_the_scheme_of_a_link_is_short() -> None:
    """A search for its end stops early, so a long run of letters takes linear time."""
    longest = "s" * 21
    assert strip_html(f"{longest}://a b").split() == ["b"]
    assert strip_html(f"s{longest}://a b") == f"s{longest}://a b"
    assert strip_html("acgt" * 5_000) == "acgt" * 5_000
