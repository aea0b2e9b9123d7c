"""What is trained says the language of its texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tealeaves import demo, read_topics
from tealeaves.models import select, train
from tealeaves.models.texts import read_texts
from tealeaves.text import Corpus, Document, Pipeline

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


@pytest.mark.parametrize("saved", [True, False])
def test_selected_topics_say_it_and_embeddings_of_others_are_noted(
    saved: bool, tmp_path: Path
) -> None:
    from tealeaves.evidence.embeddings import Embeddings

    words = {word for text in demo.corpus("es") for word in text.text.lower().split()}
    english = Embeddings.of({word: [1.0] for word in words}, name="mine")
    english.embedder.codes = frozenset({"en"})
    found = select(
        SMALL,
        demo.corpus("es"),
        "2",
        "embedding_coherence@10",
        runs=1,
        embeddings=english,
        folder=tmp_path / "grid" if saved else None,
    )
    assert found.trained["nmf-2-1"].language == "es"
    note = "mine was made for en, but nmf-2-1 says its language is es"
    assert any(note in one for one in found.notes)
    assert note in str(found)
