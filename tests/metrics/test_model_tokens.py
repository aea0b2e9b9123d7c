"""Models that say which tokens their words are."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import tealeaves
from tealeaves import Topics, demo

pytest.importorskip("simplemma")
LEMMAS = "words(lemmas=en)"
TEXTS = ["better wood, better wool", "the best wood was better", "good wool"] * 20


def of(tokens: str, words: list[str]) -> Topics:
    return Topics.of([words], model="m", tokens=tokens)


def test_words_that_are_tokens_are_not_put_through_the_pipeline_again() -> None:
    # stop words left alone by a pipeline of another language would be removed by it
    stop = "words(stopwords=en)"
    again = tealeaves.score(of("", ["wood", "the"]), TEXTS, "npmi", tokens=stop)
    own = tealeaves.score(of(stop, ["wood", "the"]), TEXTS, "npmi", tokens=stop)
    assert any("removed by the tokens: the" in note for note in again.notes)
    assert any("not in the corpus: the" in note for note in own.notes)


def test_a_lemma_need_not_be_its_own_lemma() -> None:
    tokenize = tealeaves.Pipeline.parse(LEMMAS).tokenizer()
    [lemma] = tokenize("weeds")
    assert tokenize(lemma) != [lemma]
    texts = ["weeds wood", "weeds wood", "wood", "other"]
    again = tealeaves.score(of("", [lemma, "wood"]), texts, "npmi", tokens=LEMMAS)
    assert math.isnan(again.value("m", "npmi"))
    own = tealeaves.score(of(LEMMAS, [lemma, "wood"]), texts, "npmi", tokens=LEMMAS)
    assert own.value("m", "npmi") > 0


def test_without_tokens_those_of_the_models_are_taken() -> None:
    stop = "words(stopwords=en)"
    one, bare = of(stop, ["wood", "wool"]), Topics.of([["wood", "wool"]], model="bare")
    scores = tealeaves.score([one, bare], TEXTS, "npmi(window=2)")
    asked = tealeaves.score([one, bare], TEXTS, "npmi(window=2)", tokens=stop)
    assert [row.signature for row in scores] == [row.signature for row in asked]
    assert f"scored with the tokens {stop} of other models: bare" in scores.notes
    plain = tealeaves.score(bare, TEXTS, "npmi(window=2)")
    assert "stopwords=none" in plain.rows[0].signature


def test_other_tokens_than_the_models_are_noted() -> None:
    one = of("words(stopwords=en)", ["wood", "wool"])
    note = "m: made with the tokens words(stopwords=en), scored with words"
    assert note in tealeaves.score(one, TEXTS, "npmi", tokens="words").notes
    two = replace(of("words(min_length=3)", ["wood", "wool"]), model="two")
    assert note in tealeaves.score([one, two], TEXTS, "npmi").notes  # they do not agree


def test_a_trained_model_is_scored_with_its_own_tokens() -> None:
    pytest.importorskip("tomotopy")
    topics = tealeaves.train(
        "lda(k=3, iterations=50)", demo.corpus(), tokens="attention(language=en)"
    )
    assert topics.tokens
    scores = tealeaves.score(topics, demo.corpus(), "npmi@10 perplexity")
    assert all(row.support == 1 for row in scores if row.metric == "npmi@10")
    assert scores.notes == []


def test_texts_that_are_not_those_of_the_training_are_refused() -> None:
    pytest.importorskip("tomotopy")
    topics = tealeaves.train("lda(k=3, iterations=50)", demo.corpus())
    tealeaves.score(topics, demo.corpus(), "perplexity")
    with pytest.raises(tealeaves.errors.InputError, match="texts are not as long as the model's"):
        tealeaves.score(topics, demo.corpus("es"), "perplexity")  # the ids are the same
    with pytest.raises(tealeaves.errors.InputError, match="texts are not as long as the model's"):
        tealeaves.score(topics, demo.corpus("es"), "switchp(assignment=probable)")
    other = "words(min_length=5)"
    with pytest.raises(tealeaves.errors.InputError, match="it was made with the tokens words"):
        tealeaves.score(topics, demo.corpus(), "perplexity", tokens=other)
    backwards = [replaced.text for replaced in demo.corpus()][::-1]
    with pytest.raises(tealeaves.errors.InputError, match="in their order"):
        tealeaves.score(topics, backwards, "perplexity")
