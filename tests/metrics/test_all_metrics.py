"""What every registered metric must do; a new metric is tested here without a line being added."""

from __future__ import annotations

import copy
import hashlib
import math
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

import tealeaves
import tealeaves.metrics
from tealeaves import Topics, demo
from tealeaves.errors import InputError
from tealeaves.evidence.attention import Relevance
from tealeaves.metrics import METRICS, Metric, Score, Scores, metric
from tealeaves.metrics.attention.family import RelevanceMetric
from tealeaves.metrics.coherence_by_counts.family import Coherence

EVERY = [pytest.param(one, id=name) for name, one in METRICS.items()]
COHERENCE = [one for one in EVERY if isinstance(one.values[0], Coherence)]
# metrics of several languages are tested together in test_all_crosslingual.py
OTHERS = [
    pytest.param(one, id=name)
    for name, one in METRICS.items()
    if not isinstance(one, Coherence) and not one.crosslingual
]
TEXTS = ["cat dog bird", "dog cat", "bird song", "cat bird song dog", "soup bread", "bread", "song"]
GOOD, ODD = ["cat", "dog", "bird"], ["cat", "soup", "song"]


def vectors(words: list[str]) -> np.ndarray[Any, Any]:
    """Vectors that depend on the word alone, and mean nothing."""
    seeds = [
        int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest()) for word in words
    ]
    return np.array([np.random.default_rng(seed).normal(size=6) for seed in seeds])


def of_topic(one: Metric, words: list[str], texts: list[str] = TEXTS) -> tuple[float, float]:
    scores = tealeaves.score([words], texts, one, tokens="tokens")
    [row] = scores.topics.rows
    return row.value, row.support


@pytest.mark.parametrize("one", EVERY)
class TestEveryMetric:
    def test_declares_itself(self, one: Metric) -> None:
        assert one.name.isidentifier()
        assert one.name == one.name.lower()
        assert one.summary
        assert one.details.strip()
        assert one.cite
        assert one.source
        assert one.better in ("higher", "lower")
        assert one.bounds[0] < one.bounds[1]

    def test_can_be_imported_by_all_its_names(self, one: Metric) -> None:
        for name in (one.name, *one.aliases):
            assert getattr(tealeaves.metrics, name) == one

    def test_is_written_as_it_is_read(self, one: Metric) -> None:
        for variant in (one, one @ 7):
            assert metric(repr(variant)) == variant
            assert repr(metric(repr(variant))) == repr(variant)
            assert repr(metric(variant.signature)) == repr(variant)

    def test_can_be_copied_and_sent(self, one: Metric) -> None:
        for twin in (copy.deepcopy(one @ 5), pickle.loads(pickle.dumps(one @ 5))):
            assert twin == one @ 5
            assert hash(twin) == hash(one @ 5)

    def test_unknown_parameters_are_refused(self, one: Metric) -> None:
        with pytest.raises(InputError, match=f"{one.name} has no parameter wibble"):
            one(wibble=1)

    def test_every_parameter_is_in_the_signature(self, one: Metric) -> None:
        for name in one.accepts:
            if getattr(one.settings, name) is not None:
                assert f"{name}=" in one.signature

    @pytest.mark.parametrize("top", [0, -1])
    def test_at_least_one_word(self, one: Metric, top: int) -> None:
        with pytest.raises(InputError, match="at least 1"):
            one @ top


@pytest.mark.parametrize("one", COHERENCE)
class TestEveryCoherence:
    def test_stays_within_its_bounds(self, one: Metric) -> None:
        low, high = one.bounds
        for words in (GOOD, ODD, ["cat", "dog"], ["soup", "song"]):
            value, support = of_topic(one, words)
            assert low - 1e-9 <= value <= high + 1e-9
            assert support == 1.0

    def test_prefers_words_that_belong_together(self, one: Metric) -> None:
        scores = tealeaves.score(demo.models(), demo.corpus(), one @ 10)
        good, shuffled = (scores.value(m, repr(one @ 10)) for m in ("good", "shuffled"))
        assert good > shuffled if one.better == "higher" else good < shuffled

    def test_says_nothing_of_a_single_word(self, one: Metric) -> None:
        value, support = of_topic(one, ["cat"])
        assert math.isnan(value)
        assert support == 0

    def test_says_nothing_of_absent_words(self, one: Metric) -> None:
        value, support = of_topic(one, ["xxx", "yyy", "zzz"])
        assert math.isnan(value)
        assert support == 0

    def test_an_absent_word_lowers_the_support_alone(self, one: Metric) -> None:
        whole, partly = of_topic(one, GOOD), of_topic(one, [*GOOD, "xxx"])
        assert partly[0] == pytest.approx(whole[0])
        assert 0 < partly[1] < 1

    def test_a_short_topic_is_scored_on_what_it_has(self, one: Metric) -> None:
        whole, short = of_topic(one, GOOD), of_topic(one @ 10, GOOD)
        assert short[0] == whole[0]
        assert 0 < short[1] < 1

    def test_a_word_listed_twice_counts_once(self, one: Metric) -> None:
        with pytest.warns(tealeaves.errors.TealeavesWarning, match="more than once"):
            twice = of_topic(one, ["cat", "dog", "cat", "bird"])
        assert twice == of_topic(one, GOOD)

    def test_only_the_first_words_count(self, one: Metric) -> None:
        assert of_topic(one @ 3, [*GOOD, "soup"]) == of_topic(one @ 3, GOOD)

    def test_the_order_of_texts_and_topics_does_not_matter(self, one: Metric) -> None:
        assert of_topic(one, GOOD) == of_topic(one, GOOD, TEXTS[::-1])
        forth = tealeaves.score([GOOD, ODD], TEXTS, one, tokens="tokens").topics.rows
        back = tealeaves.score([ODD, GOOD], TEXTS, one, tokens="tokens").topics.rows
        assert [row.value for row in forth] == [row.value for row in reversed(back)]

    def test_a_model_alone_scores_as_among_others(self, one: Metric) -> None:
        alone = tealeaves.score({"m": [GOOD]}, TEXTS, one, tokens="tokens")
        among = tealeaves.score(
            {"m": [GOOD], "n": [ODD, [*GOOD, "soup"]]}, TEXTS, one, tokens="tokens"
        )
        assert alone.value("m", repr(one)) == among.value("m", repr(one))


Given = dict[str, Any]


@pytest.fixture
def given(rich_relevance: Relevance) -> Given:
    """What metrics need beside texts."""
    return {"embeddings": vectors, "relevance": rich_relevance}


def rows_of(scores: Scores, model: str) -> dict[Any, Score]:
    return {row.topic: row for row in scores if row.model == model}


@pytest.mark.parametrize("one", OTHERS)
class TestEveryOtherMetric:
    def test_stays_within_its_bounds(
        self, one: Metric, rich_models: list[Topics], given: Given
    ) -> None:
        scores = tealeaves.score(rich_models, demo.corpus(), one, **given)
        low, high = one.bounds
        for row in scores:
            assert 0 <= row.support <= 1
            assert math.isnan(row.value) == (row.support == 0), row
            assert math.isnan(row.value) or low - 1e-9 <= row.value <= high + 1e-9, row
        assert all(not math.isnan(row.value) for row in scores.models)
        assert bool(scores.topics.rows) == (one.level == "topic")

    def test_the_order_of_topics_does_not_matter(
        self, one: Metric, rich_models: list[Topics], given: Given
    ) -> None:
        order = [3, 0, 7, 1, 2, 6, 5, 4]
        turned = [reordered(model, order) for model in rich_models]
        forth = tealeaves.score(rich_models, demo.corpus(), one, **given)
        back = tealeaves.score(turned, demo.corpus(), one, **given)
        for model in ("good", "shuffled"):
            here, there = rows_of(forth, model), rows_of(back, model)
            assert set(here) == set(there)
            for topic in here:
                assert here[topic].value == pytest.approx(there[topic].value, nan_ok=True), topic

    def test_a_model_alone_scores_as_among_others(
        self, one: Metric, rich_models: list[Topics], given: Given
    ) -> None:
        if one.name == "stability":
            pytest.skip("it compares a model with the others")
        alone = tealeaves.score(rich_models[:1], demo.corpus(), one, **given)
        among = tealeaves.score(rich_models, demo.corpus(), one, **given)
        assert alone.value("good", one) == among.value("good", one)

    def test_of_bare_words_it_says_something_or_why_not(
        self, one: Metric, rich_models: list[Topics], given: Given
    ) -> None:
        bare = Topics.of([GOOD, ODD], model="bare")
        scores = tealeaves.score([rich_models[0], bare], demo.corpus(), one, **given)
        lack = one.lacks(bare)
        if lack:
            assert math.isnan(scores.value("bare", one))
            assert f"bare: no {one!r}: {lack}" in scores.notes
            with pytest.raises(InputError, match="cannot be computed: bare: "):
                tealeaves.score(bare, demo.corpus(), one, **given)
        elif one.name != "stability":  # it has no other run to be compared with
            assert not math.isnan(scores.value("bare", one))


def reordered(model: Topics, order: list[int]) -> Topics:
    """Put the topics of a model in another order; they keep their ids."""
    assert model.topic_word is not None
    assert model.document_topic is not None
    assert model.samples is not None
    assert model.assignments is not None
    new = np.argsort(order)
    return replace(
        model,
        topics=tuple(model.topics[k] for k in order),
        topic_word=model.topic_word[order],
        document_topic=model.document_topic[:, order],
        samples=model.samples[:, order],
        assignments=replace(
            model.assignments, topics=new[model.assignments.topics].astype(np.int32)
        ),
    )


vocabulary = st.sampled_from([f"w{i}" for i in range(8)])


@settings(max_examples=30)
@drawn(
    st.lists(st.lists(vocabulary, max_size=15), min_size=1, max_size=10),
    st.lists(st.lists(vocabulary, min_size=1, max_size=6, unique=True), min_size=1, max_size=4),
)
def test_values_and_supports_keep_their_promises(
    maker: Any, texts: list[list[str]], topics: list[list[str]]
) -> None:
    if not any(texts):
        return
    every = [one for one in METRICS.values() if not one.lacks(Topics.of(topics))]
    relevance = maker.of_tokens(texts, [f"w{i}" for i in range(8)])
    if not any(len(set(topic) & set(text)) > 1 for topic in topics for text in texts):
        every = [one for one in every if not isinstance(one, RelevanceMetric)]
    scores = tealeaves.score(topics, texts, every, tokens="tokens", relevance=relevance)
    bounds = {repr(one): one.bounds for one in every}
    for row in scores:
        assert 0 <= row.support <= 1
        assert math.isnan(row.value) == (row.support == 0), row
        low, high = bounds[row.metric]
        assert math.isnan(row.value) or low - 1e-7 <= row.value <= high + 1e-7, row


def summed(scores: Scores) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([row.value for row in scores.topics])


def test_symmetric_measures_do_not_see_the_order_of_words() -> None:
    specs = "npmi pmi ppmi c_npmi c_uci c_v c_a"
    forth = tealeaves.score([GOOD, ODD], TEXTS, specs, tokens="tokens")
    back = tealeaves.score([GOOD[::-1], ODD[::-1]], TEXTS, specs, tokens="tokens")
    np.testing.assert_allclose(summed(forth), summed(back), atol=1e-12)


@pytest.mark.parametrize(
    ("row", "same_as"),
    [
        ("c_npmi", "npmi(window=10, eps=1e-12)"),
        ("c_uci", "pmi(window=10, eps=1e-12)"),
        ("npmi", "coherence"),
        ("c_v", "coherence(segmentation=one_set, similarity=cosine, window=110, eps=1e-12)"),
        ("c_a", "coherence(similarity=cosine, context=5, never=0)"),
        ("c_p", "coherence(segmentation=one_pre, confirmation=fitelson, window=70)"),
        ("umass", "coherence(segmentation=one_pre, confirmation=log_conditional, eps=1e-12)"),
        ("umass", "lcp"),
        ("uci", "c_uci"),
        ("u_mass", "umass"),
    ],
)
def test_rows_of_one_table(row: str, same_as: str) -> None:
    lists = [list(topic.words) for model in demo.models() for topic in model.topics]
    both = [tealeaves.score(lists, demo.corpus(), f"{spec}@8") for spec in (row, same_as)]
    np.testing.assert_array_equal(summed(both[0]), summed(both[1]))
