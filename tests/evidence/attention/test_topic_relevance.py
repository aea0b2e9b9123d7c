"""Relevance for the words of models, in memory and in a file."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tealeaves
from tealeaves.errors import InputError
from tealeaves.evidence.attention import Classifier, gather_file
from tealeaves.evidence.attention.text_relevance import text_relevance
from tealeaves.text.corpus import Corpus

WORDS = [f"w{number}" for number in range(12)]
TOPICS = [["w0", "w1", "w2"], ["w3", "w4", "w5"]]
TEXTS = [" ".join(random.Random(seed).choices(WORDS, k=8)) for seed in range(90)]
SMALL: dict[str, Any] = {"budget": 70, "head_sample": 20, "device": "cpu", "improved": False}


@pytest.fixture(scope="module")
def classifier(tiny_classifier: Callable[..., Classifier]) -> Classifier:
    return tiny_classifier()


def test_a_file_holds_what_is_gathered_in_memory(classifier: Classifier, tmp_path: Path) -> None:
    corpus, output = Corpus.of(TEXTS), tmp_path / "toy.relevance"
    notes: list[str] = []
    gathered = gather_file(
        TOPICS, corpus, output, classifier=classifier, on_note=notes.append, **SMALL
    )
    in_memory = tealeaves.relevance(TOPICS, corpus, classifier=classifier, **SMALL)
    assert gathered.relevance == in_memory == tealeaves.Relevance.load(output)
    assert not gathered.was_complete
    assert str(gathered).startswith(f"{output}: tiny read 70 of 90 texts; 6 words, ")
    [note] = notes
    assert note.startswith("the texts are read with the tokens of the classifier, tokens")


def test_a_complete_file_is_not_gathered_again(classifier: Classifier, tmp_path: Path) -> None:
    corpus, output = Corpus.of(TEXTS), tmp_path / "toy.relevance"
    options: dict[str, Any] = {"classifier": classifier, **SMALL}
    first = gather_file(TOPICS, corpus, output, **options)
    with pytest.raises(InputError, match="holds relevance already: --restart replaces it"):
        gather_file(TOPICS, corpus, output, **options)
    again = gather_file(TOPICS, corpus, output, resume=True, **options)
    assert again.was_complete
    assert again.relevance == first.relevance
    other = gather_file(TOPICS, corpus, output, restart=True, **options | {"budget": 30})
    assert (other.was_complete, other.relevance.totals.used) == (False, 30)


def test_heads_of_a_file_make_relevance_that_adds(classifier: Classifier, tmp_path: Path) -> None:
    april, may = (tmp_path / f"{name}.relevance" for name in ("april", "may"))
    options: dict[str, Any] = {"classifier": classifier, **SMALL}
    first = gather_file(TOPICS, Corpus.of(TEXTS[:50], name="april"), april, **options)
    rest = Corpus.of(TEXTS[50:], name="may")
    second = gather_file(TOPICS, rest, may, heads_of=april, **options)
    both = first.relevance + second.relevance
    assert both.texts == first.relevance.texts + second.relevance.texts


def test_an_open_classifier_is_returned_as_it_is(classifier: Classifier) -> None:
    assert Classifier.open(classifier) is classifier


def test_a_text_with_the_words_of_a_topic_marked(classifier: Classifier, tmp_path: Path) -> None:
    classifier.save(tmp_path / "saved")
    notes: list[str] = []
    for source in (classifier, tmp_path / "saved"):
        shown = text_relevance("w3 w0 w9 w1", TOPICS[0], classifier=source, on_note=notes.append)
        assert shown.words == ("w3", "w0", "w9", "w1")
        assert shown.marked == {1, 3}
        assert shown.classifier == "tiny"
    assert not notes
    text_relevance("w3 w4", TOPICS[0], classifier=classifier, on_note=notes.append)
    assert notes == ["no word of the topic is in the text"]
