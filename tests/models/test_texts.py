"""The texts that models are trained on: vocabulary, ids, language and default tokens."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tealeaves import demo, read_topics
from tealeaves.errors import TealeavesWarning
from tealeaves.models import train
from tealeaves.models.texts import default_tokens, read_texts
from tealeaves.text import Corpus, Document, Pipeline, stopwords

SMALL = "nmf(iterations=200)"


@pytest.mark.parametrize(
    ("said", "tokens", "language"),
    [
        (["es", "es"], "words", "es"),
        (["es", ""], "words", "es"),
        (["", "es"], "words(stopwords=en)", "es"),  # the texts know better
        (["es-MX", "ES", "es_AR"], "words", "es"),
        (["es", "en"], "words(stopwords=es)", ""),
        (["es", "Spanish"], "words", "es"),
        (["Klingon"], "words", ""),
        (["Klingon"], "words(stopwords=es)", "es"),
        (["es", "Klingon"], "words", ""),
        (["eng"], "words", "en"),
        (["", ""], "words", ""),
        ([""], "words(stopwords=es)", "es"),
        ([""], "words(lemmas=es)", "es"),
        ([""], "attention(language=es)", "es"),
        ([""], "words(stopwords=en, lemmas=es)", ""),
        ([""], "words(stopwords=en+es)", ""),
    ],
)
def test_the_language_is_what_texts_or_else_tokens_say(
    said: list[str], tokens: str, language: str
) -> None:
    text = "gato perro casa libro mesa agua"
    corpus = Corpus.of([Document(text, language=one) for one in said])
    texts = read_texts(corpus, Pipeline.parse(tokens))
    assert texts.language == language
    assert texts.limited().language == language


def test_a_list_of_ones_own_says_no_language(tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("casa\n")
    corpus = Corpus.of(["gato casa"])
    alone = Pipeline.parse(f'words(stopwords="{own}")')
    assert read_texts(corpus, alone).language == ""
    beside = Pipeline.parse(f'words(stopwords="es+{own}")')
    assert read_texts(corpus, beside).language == "es"


def test_a_text_far_behind_is_asked_too() -> None:
    corpus = Corpus.of([Document("gato", language="es")] * 1500 + [Document("cat", language="en")])
    assert read_texts(corpus, Pipeline.parse("words")).language == ""


@pytest.mark.parametrize("suffix", ["topics", "json"])
def test_trained_topics_keep_it_in_their_file(suffix: str, tmp_path: Path) -> None:
    topics = train(SMALL, demo.corpus("es"), k=2)
    assert topics.language == "es"
    topics.save(tmp_path / f"nmf.{suffix}")
    assert read_topics(tmp_path / f"nmf.{suffix}").language == "es"
    untold = [document.text for document in demo.corpus("es")]
    assert train(SMALL, untold, k=2).language == ""


def test_too_rare_and_too_common_words_are_left_out() -> None:
    texts = read_texts(Corpus.of(["a b c", "a b", "a c d", "a"]), Pipeline.parse("words"))
    assert texts.document_frequency().tolist() == [4, 2, 2, 1]
    limited = texts.limited(min_df=2, max_df=0.5)
    assert limited.vocabulary == ("b", "c")
    assert [limited.words(row) for row in limited.rows()] == [["b", "c"], ["b"], ["c"], []]


def test_ids_that_are_not_unique_are_no_ids() -> None:
    pipeline = Pipeline.parse("words")
    twice = Corpus.of([Document("a b", id="x"), Document("a b", id="x")])
    assert read_texts(twice, pipeline).document_ids is None
    once = Corpus.of([Document("a b", id="x"), Document("a b", id="y")])
    assert read_texts(once, pipeline).document_ids == ("x", "y")
    partly = Corpus.of([Document("a b", id="x"), Document("a b")])
    assert read_texts(partly, pipeline).document_ids is None


def test_without_their_lists_stop_words_stay_with_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "stopwordsiso", None)
    stopwords._list_of_language.cache_clear()
    with pytest.warns(TealeavesWarning, match=r"stop words stay .*tealeaves\[langs\]"):
        assert default_tokens(demo.corpus("en")) == "words"
