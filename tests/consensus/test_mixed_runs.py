"""Models beside each other of which only some can be judged, and texts that are not there."""

from __future__ import annotations

import math
import warnings

import pytest

import tealeaves
from tealeaves.topics.topics import Topics

ENGLISH = Topics.of([["cat", "dog", "horse", "cow"], ["bread", "soup", "salt", "oven"]], model="en")
FINNISH = Topics.of([["kissa", "koira", "hevonen"]], model="fi", language="fi")


def test_a_model_that_nothing_judges_does_not_end_the_run_of_the_others() -> None:
    pytest.importorskip("wordllama")
    scores = tealeaves.score([FINNISH, ENGLISH], None, "consensus", mark=True)
    assert math.isnan(scores.value("fi", "consensus"))
    assert scores.value("en", "consensus") == pytest.approx(
        tealeaves.score(ENGLISH, None, "consensus").value("en", "consensus")
    )
    assert {row.support for row in scores if row.model == "fi"} == {0.0}
    assert any(note.startswith("consensus: fi: not judged") for note in scores.notes)
    assert any(note.startswith("consensus: en: judged by ") for note in scores.notes)
    ranked = tealeaves.score([FINNISH, ENGLISH], None, "consensus(kind=ranks)")
    assert math.isnan(ranked.value("fi", "consensus(kind=ranks)"))
    assert ranked.value("en", "consensus(kind=ranks)") == 0.5
    assert any("ranks among 2 topics of this run" in note for note in ranked.notes)
    alone = tealeaves.score(ENGLISH, None, "consensus(kind=ranks)")
    assert {row.signature for row in ranked if row.model == "en"} == {
        row.signature for row in alone
    }


def test_a_model_that_nothing_judges_is_explained_as_such() -> None:
    pytest.importorskip("wordllama")
    found = tealeaves.consensus.explain([FINNISH, ENGLISH], top=4)
    topic = next(row for row in found if row.model == "fi" and row.topic is not None)
    assert math.isnan(topic.value)
    assert topic.odd == []


def test_nothing_is_warned_of_a_corpus_that_is_not_there() -> None:
    """To `words` both years are s, but only the reference is looked into, by other tokens."""
    texts = ["the 1960s and the 1970s", "music of the 1960s", "cats", "dogs"] * 20
    years = [["1960s", "1970s", "music"]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = tealeaves.score(
            years, None, "consensus", reference=texts, reference_tokens="tokens"
        )
    assert scores.value("model", "consensus") > 0
    with pytest.warns(UserWarning, match="are the same word in this text"):
        tealeaves.score(years, texts, "consensus")


def test_a_guess_at_the_language_silences_no_last_source() -> None:
    """Jargon is cut to pieces as foreign words are; a text that lacks it is no other source."""
    pytest.importorskip("wordllama")
    jargon = [["kinase", "phosphorylation", "ubiquitin", "apoptosis"]]
    alone = tealeaves.score(jargon, None, "consensus").value("model", "consensus")
    texts = ["a cat and a dog", "soup and bread"] * 30
    beside = tealeaves.score(jargon, texts, "consensus").value("model", "consensus")
    assert beside == pytest.approx(alone)
    known = [" ".join(jargon[0]), "soup and bread"] * 30
    scores = tealeaves.score(jargon, known, "consensus")
    assert scores.value("model", "consensus") != pytest.approx(alone)
