"""Lemmas with their part of speech."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.lexicon.analysers import FormAnalyser, Hanta, sentences
from tealeaves.text.pipeline import Pipeline

pytest.importorskip("HanTa")


@pytest.fixture(scope="module")
def english() -> Hanta:
    return Hanta("eng")


def tagged(tagger: Hanta, text: str) -> str:
    forms = Pipeline.parse("words(lower=false)").tokenizer()(text)
    return " ".join(tagger.words(forms, text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He took her by the hand.", "he take/V she by the hand/N"),
        ("They hand it to the first man.", "they hand/V it to the first/A man/N"),
        ("It was the same day, the other day.", "it be the same/A day/N the other/A day/N"),
        (
            "I don't know the king's men. He'll go!",
            "i do not know/V the king/N 's man/N he will go/V",
        ),
        ("Moses went up.", "moses go/V up"),  # names have no part of speech
        ("", ""),
    ],
)
def test_sentences_that_are_plain(english: Hanta, text: str, expected: str) -> None:
    assert tagged(english, text) == expected


def test_forms_with_an_apostrophe_within_are_their_first_word(english: Hanta) -> None:
    forms = ["The", "king’s", "men", "don't", "see", "the", "kings'", "dogs"]
    expected = ["the", "king/N", "man/N", "do", "see/V", "the", "king/N", "dog/N"]
    assert english.words(forms, " ".join(forms)) == expected


def test_a_stroke_is_only_before_the_part_of_speech(english: Hanta) -> None:
    found = english.words(["and/or", "/", "hand"], "and/or / hand")
    assert [word.count("/") for word in found] == [0, 0, 1]
    assert all(found)


def test_other_languages() -> None:
    assert tagged(Hanta("de"), "Die guten Hände sahen den ersten König.") == (
        "der gut/A hand/N sehen/V der erst/A könig/N"
    )
    assert tagged(Hanta("nld"), "De goede handen zien.") == "de goed/A hand/N zien/V"
    with pytest.raises(InputError, match=r"hanta knows en, de, nl, not 'fin'"):
        Hanta("fin")


@pytest.mark.parametrize(
    ("forms", "text", "expected"),
    [
        (["I", "don", "t", "Go"], "I don't. Go!", [["I", "do", "n't", "."], ["Go", "!"]]),
        (["he", "ll"], "he’ll", [["he", "'ll"]]),
        (["a", "b"], "", [["a", "b"]]),  # the text is not known
        (["a", "b", "c"], "a; c?", [["a", "b", ";", "c", "?"]]),  # a form that is not there
        ([], "...", [["."], ["."], ["."]]),
        (["O", "Neill"], "O'Neill", [["O", "Neill"]]),
    ],
)
def test_sentences_and_their_points(forms: list[str], text: str, expected: list[list[str]]) -> None:
    found = [[p.form for p in one] for one in sentences(forms, text, contracted=True)]
    assert found == expected


@settings(max_examples=50)
@given(
    st.lists(st.text("ab'’/N.é9 \t漢\u0301", min_size=1, max_size=6), max_size=6), st.text("ab. '")
)
def test_each_form_has_one_word(forms: list[str], text: str) -> None:
    found = _english().words(forms, text)
    assert len(found) == len(forms)
    assert all(found)


_TAGGERS: list[Hanta] = []


def _english() -> Hanta:
    if not _TAGGERS:
        _TAGGERS.append(Hanta("en"))
    return _TAGGERS[0]


def test_the_model_is_that_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of the model's name in the current folder would be unpickled by a bare name."""
    (tmp_path / "morphmodel_en.pgz").write_bytes(gzip.compress(b"cos\nabort\n(tR."))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "abort", lambda: pytest.fail("a foreign file was unpickled"))
    assert Hanta("en").words(["hands"], "hands") == ["hand/N"]


def test_the_signature_names_language_and_version(english: Hanta) -> None:
    assert english.signature.startswith("hanta(en#HanTa-")
    assert not isinstance(english, FormAnalyser)


# HanTa's tags of the reference are of tokens without points, in the order N, A, V
_PARTS = {"NN": "N", "AJ": "A", "ORD": "A", "VV": "V"}


def _published(word: str) -> str:
    lemma, _, tag = word.rpartition("/")
    part = next((pos for start, pos in _PARTS.items() if tag.startswith(start)), "")
    part = "A" if lemma.lower() in ("same", "other") else part
    return f"{lemma.lower()}/{part}" if part else lemma.lower()


@pytest.mark.reference
def test_words_agree_with_the_tags_of_the_aligned_bible(reference_data: Path) -> None:
    tagger = _english()
    same = tokens = 0
    with gzip.open(
        reference_data / "aligned_en_fi" / "verses.tsv.gz", "rt", encoding="utf-8"
    ) as rows:
        for number, row in enumerate(rows):
            if number % 40 != 1:
                continue
            _, english, tags, _ = row.rstrip("\n").split("\t")
            found = tagger.words(english.split(), english)
            expected = [_published(word) for word in tags.split()]
            tokens += len(expected)
            same += sum(a == b for a, b in zip(found, expected, strict=True))
    assert tokens > 15_000
    assert same / tokens > 0.995  # the others are forms such as king’s, which we part
