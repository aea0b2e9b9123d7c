"""Invariants of all crosslingual metrics; a new one is tested automatically."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves import MultilingualTopics, PairedCorpus, Scores, Topics, demo
from tealeaves.metrics import METRICS, Metric

EVERY = [pytest.param(one, id=name) for name, one in METRICS.items() if one.crosslingual]


def with_all_distributions(model: MultilingualTopics) -> MultilingualTopics:
    """Give each language side distributions in which the first words are the most likely."""
    return MultilingualTopics.of_languages(
        {name: with_distributions(side) for name, side in model.by_language.items()},
        model=model.model,
    )


def with_distributions(side: Topics) -> Topics:
    vocabulary = tuple(sorted({word for topic in side.topics for word in topic.words}))
    place = {word: column for column, word in enumerate(vocabulary)}
    phi = np.full((len(side), len(vocabulary)), 1e-4)
    for row, topic in enumerate(side.topics):
        phi[row, [place[word] for word in topic.words]] += 1 / np.arange(2, 2 + len(topic.words))
    phi /= phi.sum(axis=1, keepdims=True)
    return replace(side, vocabulary=vocabulary, topic_word=phi)


@pytest.fixture(scope="module")
def models() -> list[MultilingualTopics]:
    return [with_all_distributions(model) for model in demo.multilingual_models()]


@pytest.fixture(scope="module")
def given(models: list[MultilingualTopics]) -> dict[str, Any]:
    """Return the other sources of the metrics: texts with labels, and a dictionary."""
    english, spanish = (models[0].side(name) for name in ("en", "es"))
    pairs = [
        pair
        for one, other in zip(english.topics, spanish.topics, strict=True)
        for pair in zip(one.words, other.words, strict=True)
    ]
    corpus = PairedCorpus({name: demo.corpus(name) for name in demo.LANGUAGES})
    return {"corpus": corpus, "dictionary": {"en-es": pairs}}


def values(scores: Scores, model: str) -> dict[Any, tuple[float, float]]:
    return {row.topic: (row.value, row.support) for row in scores if row.model == model}


@pytest.mark.parametrize("one", EVERY)
class TestEveryCrosslingualMetric:
    def test_stays_within_its_bounds(self, one: Metric, models: Any, given: Any) -> None:
        scores = tealeaves.score(models, metrics=one, **given)
        low, high = one.bounds
        for row in scores:
            assert 0 <= row.support <= 1
            assert math.isnan(row.value) == (row.support == 0), row
            assert math.isnan(row.value) or low - 1e-9 <= row.value <= high + 1e-9, row
        assert all(not math.isnan(row.value) for row in scores.models)
        assert bool(scores.topics.rows) == (one.level == "topic")

    def test_prefers_topics_that_are_the_same_in_both(
        self, one: Metric, models: Any, given: Any
    ) -> None:
        """English words with the Spanish words of another topic are worse."""
        good = models[0]
        sides = dict(good.by_language)
        sides["es"] = rotated(sides["es"])
        crossed = MultilingualTopics.of_languages(sides, model="crossed")
        scores = tealeaves.score([good, crossed], metrics=one, **given)
        result = [scores.value(name, one) for name in ("good", "crossed")]
        if one.name in ("inpmi", "twc"):
            assert result[0] == pytest.approx(result[1])
        else:
            assert result[0] > result[1] if one.better == "higher" else result[0] < result[1]

    def test_the_order_of_topics_does_not_matter(
        self, one: Metric, models: Any, given: Any
    ) -> None:
        order = [3, 0, 7, 1, 2, 6, 5, 4]
        turned = MultilingualTopics.of_languages(
            {name: reordered(side, order) for name, side in models[1].by_language.items()},
            model=models[1].model,
        )
        forth = values(tealeaves.score(models[1], metrics=one, **given), models[1].model)
        back = values(tealeaves.score(turned, metrics=one, **given), models[1].model)
        assert set(forth) == set(back)
        for topic in forth:
            assert forth[topic] == pytest.approx(back[topic], nan_ok=True), topic

    def test_the_order_of_languages_does_not_matter(
        self, one: Metric, models: Any, given: Any
    ) -> None:
        sides = models[1].by_language
        turned = MultilingualTopics.of_languages(
            {name: sides[name] for name in reversed(tuple(sides))}, model=models[1].model
        )
        forth = values(tealeaves.score(models[1], metrics=one, **given), models[1].model)
        back = values(tealeaves.score(turned, metrics=one, **given), models[1].model)
        for topic in forth:
            assert forth[topic] == pytest.approx(back[topic], nan_ok=True), topic

    def test_a_model_alone_scores_as_among_others(
        self, one: Metric, models: Any, given: Any
    ) -> None:
        alone = tealeaves.score(models[:1], metrics=one, **given)
        among = tealeaves.score(models, metrics=one, **given)
        assert alone.value("good", one) == among.value("good", one)

    def test_of_bare_words_it_says_something_or_why_not(
        self, one: Metric, models: Any, given: Any
    ) -> None:
        bare = MultilingualTopics.of_languages(
            {"en": [["sky", "moon"]], "es": [["cielo", "luna"]]}, model="bare"
        )
        scores = tealeaves.score([models[0], bare], metrics=one, **given)
        lack = one.why_not(bare)
        assert math.isnan(scores.value("bare", one)) == bool(lack)
        if lack:
            assert f"bare: no {one!r}: {lack}" in scores.notes

    def test_the_signature_names_what_it_rests_on(
        self, one: Metric, models: Any, given: Any
    ) -> None:
        row = tealeaves.score(models[0], metrics=one, **given).models.rows[0]
        assert row.signature.startswith(one.signature)
        assert re.search("[0-9a-f]{16}", row.signature), "a digest of texts or of a dictionary"

    def test_refuses_topics_in_one_language(self, one: Metric) -> None:
        assert one.why_not(Topics.of([["sky", "moon"]]))


def reordered(side: Topics, order: list[int]) -> Topics:
    assert side.topic_word is not None
    topics = tuple(side.topics[k] for k in order)
    return replace(side, topics=topics, topic_word=side.topic_word[order])


def rotated(side: Topics) -> Topics:
    """Give each topic the words and distribution of the next, under its own id."""
    assert side.topic_word is not None
    order = [*range(1, len(side)), 0]
    topics = tuple(
        replace(side.topics[k], id=topic.id) for k, topic in zip(order, side.topics, strict=True)
    )
    return replace(side, topics=topics, topic_word=side.topic_word[order])


def test_all_are_found() -> None:
    assert {one.values[0].name for one in EVERY if isinstance(one.values[0], Metric)} >= {
        "cnpmi",
        "inpmi",
        "twc",
        "mta",
        "crosslingual_f1",
    }
