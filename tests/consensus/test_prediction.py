"""From relations to predict_topics: values, intervals, support, and what moved them."""

from __future__ import annotations

import numpy as np
import pytest

from tealeaves import Topics
from tealeaves.consensus.prediction import PredictedTopics, predict_topics, signal_table
from tealeaves.consensus.predictors import open_predictors
from tealeaves.consensus.sources import ModelSources
from tealeaves.consensus.words import fits
from tealeaves.evidence import Evidence, count_corpus
from tealeaves.evidence.wording import Wording
from tealeaves.metrics import metric
from tealeaves.metrics.planning import count_requests
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline

from .small_world import MIXED, PURE, english, texts, toy

PREDICTORS = open_predictors()
#: Of the last topics one has words that vectors do not know, one a single known word, one none.
STRANGE = [[*PURE[0][:6], "xx", "yy"], ["ak", "xx"], ["zz", "xx", "yy"], ["ak"]]
MODEL = english([*PURE, MIXED, PURE[1][:3], *STRANGE])
WORDS = sorted({word for topic in MODEL.topics for word in topic.words})


def sources_of(model: Topics, top: int | None = None, *, embedded: bool = True) -> ModelSources:
    """Return the sources: texts, which know xx and yy, and vectors, which do not."""
    pipeline = Pipeline.parse("words")
    wording = Wording(pipeline)
    requests = count_requests([model], [metric("consensus")], wording)
    counts = count_corpus(Corpus.of([*texts(), "xx yy ak", "xx ak al"]), pipeline, requests)
    vectors = toy().vectors(WORDS)
    evidence = Evidence(
        counts, vectors={"toy": vectors}, chosen_embeddings=["toy"] if embedded else []
    )
    return ModelSources.of(model, top, evidence, wording, PREDICTORS)


@pytest.fixture(scope="module")
def found() -> PredictedTopics:
    return predict_topics(sources_of(MODEL), PREDICTORS)


def test_topics_stand_in_the_order_of_the_model(found: PredictedTopics) -> None:
    """Though they are judged by their number of words."""
    assert len(found.values) == len(found.low) == len(found.predictors) == len(MODEL)
    turned = english([list(topic.words) for topic in reversed(MODEL.topics)])
    other = predict_topics(sources_of(turned), PREDICTORS)
    np.testing.assert_allclose(other.values[::-1], found.values, atol=1e-12)
    np.testing.assert_allclose(other.support[::-1], found.support, atol=1e-12)
    assert other.sources[::-1] == found.sources
    for one, own in zip(other.parts[::-1], found.parts, strict=True):
        assert one == pytest.approx(own, abs=1e-12)


def test_each_topic_is_judged_by_the_sources_that_know_it(found: PredictedTopics) -> None:
    # of the ten pairs of the tenth topic: all; of the eleventh's 28, 15 are known to vectors
    assert found.sources[9:] == [("corpus", "toy"), ("corpus", "toy"), ("corpus",), ("corpus",), ()]
    predictors = [None if predictor is None else predictor.parts for predictor in found.predictors]
    both = ("corpus", "vectors")
    assert predictors == [both] * 11 + [("corpus",)] * 2 + [None]


def test_support_is_the_share_of_pairs_over_all_sources(found: PredictedTopics) -> None:
    """The word zz is nowhere: of three pairs the corpus knows one."""
    wanted = [1] * 10 + [(1 + 15 / 28) / 2, 1 / 2, (1 / 3) / 2, 0]
    assert found.support == pytest.approx(wanted)


def test_of_one_word_nothing_is_said(found: PredictedTopics) -> None:
    for numbers in (found.values, found.low, found.high):
        assert np.isnan(numbers).tolist() == [False] * 13 + [True]
    assert (found.parts[-1], found.sources[-1]) == ({}, ())


def test_parts_are_of_the_signals_and_add_up(found: PredictedTopics) -> None:
    signals, _ = signal_table([sources_of(MODEL)])
    for row in range(13):
        predictor = found.predictors[row]
        assert predictor is not None
        assert tuple(found.parts[row]) == predictor.model.signals
        for line in predictor.model.lines:
            part = line.part(signals[line.signal][[row]])
            assert found.parts[row][line.signal] == pytest.approx(part[0])
        total = predictor.model.average + sum(found.parts[row].values())
        assert found.values[row] == pytest.approx(min(max(total, 0), 1))
        low, high = predictor.interval(found.values[[row]])
        assert (found.low[row], found.high[row]) == (low[0], high[0])


def test_a_lower_level_has_narrower_intervals(found: PredictedTopics) -> None:
    half = predict_topics(sources_of(MODEL), PREDICTORS, 0.5)
    np.testing.assert_array_equal(half.values, found.values)
    assert (half.low >= found.low)[:-1].all()
    assert (half.high <= found.high)[:-1].all()
    assert (half.high - half.low)[:-1].mean() < (found.high - found.low)[:-1].mean() - 0.1


def test_sources_that_do_not_judge_take_their_share_of_support() -> None:
    with_vectors = predict_topics(sources_of(MODEL), PREDICTORS)
    without = predict_topics(sources_of(MODEL, embedded=False), PREDICTORS)
    assert with_vectors.values[11] == pytest.approx(without.values[11], abs=1e-12)
    assert with_vectors.support[11] == without.support[11] / 2


def test_first_words() -> None:
    """What similar means in vectors is told by the first words, too."""
    cut = english([list(topic.words[:7]) for topic in MODEL.topics])
    found, wanted = (
        predict_topics(sources_of(model, top), PREDICTORS)
        for model, top in ((MODEL, 7), (cut, None))
    )
    assert "toy" in found.sources[0]
    np.testing.assert_allclose(found.values, wanted.values, atol=1e-12)
    assert found.sources == wanted.sources


def test_fits_of_all_topics() -> None:
    found = fits(sources_of(MODEL))
    words = [topic.words for topic in MODEL.topics]
    assert [tuple(fit) for fit in found[:-1]] == words[:-1]
    assert found[-1] == {}
    # what vectors do not know fits worse than what both know
    assert max(found[10]["xx"], found[10]["yy"]) < min(found[10][word] for word in PURE[0][:6])
