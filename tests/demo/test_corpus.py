"""The demo corpus has the themes, pairs and lengths that it promises."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tealeaves import demo
from tealeaves.errors import InputError
from tealeaves.text import Document


def texts(language: str) -> list[Document]:
    return list(demo.corpus(language))


@pytest.mark.parametrize("language", demo.LANGUAGES)
def test_at_least_eight_themes_of_fifteen_texts(language: str) -> None:
    themes = Counter(text.label for text in texts(language))
    assert len(themes) >= 8
    assert min(themes.values()) >= 15
    assert {text.language for text in texts(language)} == {language}


def test_the_languages_are_paired() -> None:
    english, spanish = texts("en"), texts("es")
    assert [(t.id, t.label) for t in english] == [(t.id, t.label) for t in spanish]
    assert len({t.id for t in english}) == len(english)


@pytest.mark.parametrize("language", demo.LANGUAGES)
def test_texts_are_of_80_to_150_words(language: str) -> None:
    lengths = {t.id: len(re.findall(r"\w+", t.text)) for t in texts(language)}
    assert {name: n for name, n in lengths.items() if not 80 <= n <= 150} == {}


@pytest.mark.parametrize("language", demo.LANGUAGES)
def test_no_two_texts_share_a_run_of_six_words(language: str) -> None:
    seen: dict[tuple[str, ...], str] = {}
    for text in texts(language):
        words = re.findall(r"\w+", text.text.lower())
        for start in range(len(words) - 5):
            other = seen.setdefault(tuple(words[start : start + 6]), text.id)
            assert other == text.id, words[start : start + 6]


@pytest.mark.parametrize("language", demo.LANGUAGES)
def test_topics_are_made_of_words_of_the_corpus(language: str) -> None:
    known = {w for t in texts(language) for w in re.findall(r"\w+", t.text.lower())}
    for model in demo.models(language):
        assert len(model) == 8
        for topic in model.topics:
            assert len(topic.words) == 10
            assert set(topic.words) <= known


def test_copies_are_never_written_over(tmp_path: Path) -> None:
    copies = demo.copy_to(tmp_path / "play")
    assert len(copies) == 2 + 6 + 1
    assert tmp_path / "play" / "invented_judgments.csv" in copies
    with pytest.raises(InputError, match="exists already"):
        demo.copy_to(tmp_path / "play")


def test_other_languages_are_refused() -> None:
    with pytest.raises(InputError, match="en and es, not in fr"):
        demo.corpus("fr")
