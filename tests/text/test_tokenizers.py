from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import MissingExtraError
from tealeaves.text import Pipeline
from tealeaves.text.tokenizers import normalize


def tokens(pipeline: str, text: str) -> list[str]:
    return Pipeline.parse(pipeline).tokenizer()(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("... 42 !", []),
        ("The quick-brown fox.", ["the", "quick", "brown", "fox"]),
        ("don't l'été O’Neill", ["don", "t", "l", "été", "o", "neill"]),
        ("snake_case e-mail@site.org", ["snake", "case", "e", "mail", "site", "org"]),
        ("हिन्दी भाषा में", ["हिन्दी", "भाषा", "में"]),
        ("कृष्‍ण", ["कृष्‍ण"]),
        ("مُحَمَّدٌ كِتَاب", ["مُحَمَّدٌ", "كِتَاب"]),
        ("می‌خواهم کتاب‌ها را", ["می‌خواهم", "کتاب‌ها", "را"]),
        ("\u200cword\u200c word", ["word", "word"]),
        ("Straße GROẞ", ["straße", "groß"]),
        ("ΟΔΥΣΣΕΥΣ σοφός", ["οδυσσευς", "σοφός"]),
        ("İstanbul", ["i\u0307stanbul"]),
        ("Привет, мир!", ["привет", "мир"]),
        ("covid19 3d", ["covid", "d"]),
        ("ǅungla", ["ǆungla"]),
    ],
)
def test_words_are_runs_of_letters_and_marks_in_lower_case(text: str, expected: list[str]) -> None:
    assert tokens("words", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("covid19 in 2020", ["covid19", "in", "2020"]),
        ("١٢٣ ३d", ["١٢٣", "३d"]),
        ("3.14 x²", ["3", "14", "x²"]),
    ],
)
def test_digits_belong_to_words_if_wanted(text: str, expected: list[str]) -> None:
    assert tokens("words(digits=true)", text) == expected


def test_words_keep_their_case_if_wanted() -> None:
    assert tokens("words(lower=false)", "Straße IN Köln") == ["Straße", "IN", "Köln"]


@pytest.mark.parametrize("pipeline", ["words", "words(lower=false)", "icu", "words(digits=true)"])
@pytest.mark.parametrize("text", ["Café", "naïve Ångström", "Việt Nam", "ΐ", "한국어", "İzmir"])
def test_composed_and_decomposed_accents_give_the_same_tokens(pipeline: str, text: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    words = tokens(pipeline, composed)
    assert tokens(pipeline, decomposed) == words
    assert all(unicodedata.is_normalized("NFC", token) for token in words)


@settings(deadline=None)
@given(st.text())
def test_the_form_of_a_text_never_matters_to_its_words(text: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert tokens("words", composed) == tokens("words", decomposed)


@settings(deadline=None)
@given(st.text())
def test_words_of_words_are_the_words(text: str) -> None:
    words = tokens("words", text)
    assert tokens("words", " ".join(words)) == words
    assert not any(sign.isspace() or sign.isdecimal() for token in words for sign in token)


@settings(deadline=None)
@given(st.text(), st.booleans())
def test_normal_form_is_stable(text: str, lower: bool) -> None:
    once = normalize(text, lower=lower)
    assert unicodedata.is_normalized("NFC", once)
    assert normalize(once, lower=lower) == once


def test_tokens_are_split_at_white_space_and_left_as_they_are() -> None:
    text = "New_York\tdon't  42 Cafe\u0301\n(x)"
    assert tokens("tokens", text) == ["New_York", "don't", "42", "Cafe\u0301", "(x)"]


def test_tokens_may_be_lowered_and_bare_numbers_left_out() -> None:
    assert tokens("tokens(lower=true)", "New_York 42") == ["new_york", "42"]
    assert tokens("tokens(digits=false)", "New_York 42 4x ٤٢") == ["New_York", "4x"]
    assert tokens("tokens(lower=true, digits=false)", "A 1") == ["a"]


@pytest.mark.parametrize(
    ("pipeline", "text", "expected"),
    [
        ("icu(language=th)", "สวัสดีชาวโลก", ["สวัสดี", "ชาว", "โลก"]),
        ("icu(language=zh)", "我喜欢北京大学。", ["我", "喜欢", "北京", "大学"]),
        ("icu(language=ja)", "東京に住む。", ["東京", "に", "住む"]),
        ("icu", "The cat's 9 lives, e-mail!", ["the", "cat's", "lives", "e", "mail"]),
        ("icu(lower=false)", "Don't Panic", ["Don't", "Panic"]),
        ("icu(digits=true)", "42 is 4x 3.14", ["42", "is", "4x", "3.14"]),
        ("icu", "", []),
    ],
)
def test_icu_knows_where_words_end(pipeline: str, text: str, expected: list[str]) -> None:
    assert tokens(pipeline, text) == expected


@pytest.mark.parametrize(
    ("pipeline", "text", "expected"),
    [
        ("characters", "我喜欢北京。", ["我", "喜", "欢", "北", "京"]),
        ("characters", "時々スーパーへ", ["時", "々", "ス", "ー", "パ", "ー", "へ"]),
        ("characters", "The iPhone是GOD的手", ["the", "iphone", "是", "god", "的", "手"]),
        ("characters(lower=false)", "GOD的", ["GOD", "的"]),
        ("characters", "ที่นี่", ["ที่", "นี่"]),  # marks stay with their letter
        ("characters", "か\u3099", ["が"]),  # in normal form C
        ("characters", "二〇二〇 A1", ["二", "二", "a"]),
        ("characters(digits=true)", "二〇 A1中2", ["二", "〇", "a1", "中", "2"]),
        ("characters", "한국어 हिन्दी", ["한국어", "हिन्दी"]),  # parted by spaces, so words
        ("characters", "", []),
    ],
)
def test_characters_of_scripts_without_spaces_are_tokens(
    pipeline: str, text: str, expected: list[str]
) -> None:
    assert tokens(pipeline, text) == expected


@settings(deadline=None)
@given(st.text(st.characters(exclude_characters="\u200c\u200d", codec="utf-8")))
def test_characters_are_the_words_in_smaller_pieces(text: str) -> None:
    pieces, words = tokens("characters", text), tokens("words", text)
    assert "".join(pieces) == "".join(words)
    assert len(pieces) >= len(words)


@settings(deadline=None)
@given(st.text(st.sampled_from("aÅé ж.9كِ한हि-")))
def test_characters_are_words_in_scripts_with_spaces(text: str) -> None:
    assert tokens("characters", text) == tokens("words", text)


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8")))
def test_icu_tokens_are_in_the_text_in_order(text: str) -> None:
    rest = normalize(text, lower=True)
    for token in tokens("icu", text):
        place = rest.find(token)
        assert place >= 0
        rest = rest[place + len(token) :]


def test_a_missing_icu_is_an_error_that_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "icu4py", None)
    monkeypatch.setitem(sys.modules, "icu4py.breakers", None)
    with pytest.raises(MissingExtraError, match=r"pipeline icu.*icu4py.*tealeaves\[langs\]"):
        Pipeline.parse("icu").tokenizer()
