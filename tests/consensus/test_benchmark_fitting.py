"""Predictors are fitted to topics that people rated, and tried on topics that were left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.arrays import Floats
from tealeaves.consensus.predictors import BANDS, PERCENTILES, EmbeddingScale, all_parts
from tealeaves.consensus.relations import Moments
from tealeaves.consensus.signals import names_of, signals_of

from .benchmark import benchmark_module
from .made import relations_of

fitting = benchmark_module("fitting")
TrainingSet, fit_training_sets, folds_of = (
    fitting.TrainingSet,
    fitting.fit_training_sets,
    fitting.folds_of,
)
left_out, percentiles = fitting.left_out, fitting.percentiles
fit_predictors, fit_predictor = fitting.fit_predictors, fitting.fit_predictor

EVERYTHING = ["corpus", "reference", "minilm_static", "wordllama"]
PARTS = ("corpus",)


def training_set(
    name: str = "one", *, topics: int = 40, seed: int = 0, without: str = "", weight: float = 1.0
) -> Any:
    """Return topics whose answers are those of the corpus, or of the reference, and some noise."""
    sources = [source for source in EVERYTHING if source != without]
    given_ = relations_of(sources, topics=topics, size=6, seed=seed, lengths=True)
    rng = np.random.default_rng(seed)
    human = signals_of(given_)["texts.best"] + 0.05 * rng.normal(size=topics)
    clusters = np.arange(topics) // 2 + 1000 * seed
    return TrainingSet(name, given_, human, clusters, weight)


# ---------------------------------------------------------------------- signals of training sets


@pytest.mark.parametrize(("parts", "embeddings"), all_parts())
def test_a_training_set_has_the_signals_that_judges_of_these_parts_read(
    parts: tuple[str, ...], embeddings: tuple[str, ...]
) -> None:
    own = training_set(topics=5)
    texts = [part for part in parts if part in ("corpus", "reference")]
    seen = own.relations.part(np.ones(5, dtype=bool), [*texts, *embeddings])
    wanted = signals_of(seen if "length" in parts else replace(seen, lengths=None))
    found = own.signals(parts, embeddings)
    assert found.shape == (5, len(names_of(parts)))
    for column, name in enumerate(names_of(parts)):
        np.testing.assert_array_equal(found[:, column], wanted[name])


def test_without_a_corpus_the_reference_is_taken_for_it() -> None:
    own = training_set(topics=5, without="corpus")
    np.testing.assert_array_equal(own.signals(["corpus"], []), own.signals(["reference"], []))
    both = ["corpus", "reference"]
    found = dict(zip(names_of(both), own.signals(both, []).T, strict=True))
    assert np.isnan(found.pop("agreement.texts")).all()  # there is nobody to agree with
    alone = dict(zip(names_of(["reference"]), own.signals(["reference"], []).T, strict=True))
    assert {name: some.tolist() for name, some in found.items()} == {
        name: some.tolist() for name, some in alone.items()
    }


def test_what_a_set_never_has_changes_nothing() -> None:
    """That corpus and reference agree is learned from the set that has both."""
    both, one = training_set("both", topics=60), training_set("one", seed=1, without="corpus")
    parts, everything = ("corpus", "reference"), [np.ones(60, bool), np.ones(40, bool)]
    tables = [some.signals(parts, []) for some in (both, one)]
    place = names_of(parts).index("agreement.texts")
    assert np.isfinite(tables[0]).all()
    assert np.isnan(tables[1]).all(axis=0).tolist() == [
        name == "agreement.texts" for name in names_of(parts)
    ]
    model = fit_training_sets([both, one], tables, everything, names_of(parts))
    other = tables[1].copy()
    other[:, place] = tables[0][:, place].mean()
    assert fit_training_sets([both, one], [tables[0], other], everything, names_of(parts)) == model
    assert model.parts(tables[1])[:, place].tolist() == [0] * 40
    assert np.isfinite(model.predict(tables[1])).all()


def test_lengths_that_a_set_does_not_have_are_not_a_number() -> None:
    own = training_set(topics=5)
    without = replace(own, relations=replace(own.relations, lengths=None))
    parts, embeddings = ("vectors", "length"), ("wordllama",)
    place = names_of(parts).index("vectors.length")
    found, wanted = without.signals(parts, embeddings), own.signals(parts, embeddings)
    assert np.isnan(found[:, place]).all()
    wanted[:, place] = np.nan
    np.testing.assert_array_equal(found, wanted)


# ---------------------------------------------------------------------- folds


@given(
    st.lists(st.lists(st.integers(0, 30), min_size=1, max_size=40), min_size=1, max_size=3),
    st.integers(1, 12),
    st.integers(0, 99),
)
def test_folds_never_split_a_cluster(clusters: list[list[int]], folds: int, seed: int) -> None:
    numbers = [np.array(some, dtype=np.int64) for some in clusters]
    found = folds_of(numbers, folds, seed)
    fold: dict[int, set[int]] = {}
    for some, own in zip(clusters, found, strict=True):
        assert len(some) == len(own)
        for cluster, number in zip(some, own.tolist(), strict=True):
            fold.setdefault(cluster, set()).add(number)
            assert 0 <= number < folds
    assert all(len(numbers) == 1 for numbers in fold.values())
    sizes = np.bincount([min(numbers) for numbers in fold.values()], minlength=folds)
    assert sizes.max() - sizes.min() <= 1


def test_another_seed_deals_otherwise() -> None:
    clusters = [np.arange(50)]
    one, same, other = (folds_of(clusters, 10, seed)[0].tolist() for seed in (0, 0, 1))
    assert one == same
    assert one != other


# ---------------------------------------------------------------------- leaving out


def predicted_of(training_sets: list[Any], seed: int = 0) -> Any:
    tables = [one.signals(PARTS, []) for one in training_sets]
    return left_out(training_sets, tables, names_of(PARTS), seed=seed)


def test_what_people_said_of_a_fold_does_not_reach_its_predictions() -> None:
    one, two = training_set("one", seed=0), training_set("two", seed=1)
    before = predicted_of([one, two])
    fold = folds_of([one.clusters, two.clusters], 10, 0)
    changed = one.human.copy()
    changed[fold[0] == 3] += 0.5
    after = predicted_of([replace(one, human=changed), two])
    for place in (0, 1):
        mine = fold[place] == 3
        assert mine.any()
        np.testing.assert_array_equal(before[place][mine], after[place][mine])
        assert (before[place][~mine] != after[place][~mine]).all()
    assert np.isfinite(np.concatenate(before)).all()


def test_each_is_predicted_by_a_model_of_the_others() -> None:
    own = training_set()
    table = own.signals(PARTS, [])
    [found] = predicted_of([own])
    [fold] = folds_of([own.clusters], 10, 0)
    for number in range(10):
        model = fit_training_sets([own], [table], [fold != number], names_of(PARTS))
        mine = fold == number
        np.testing.assert_array_equal(found[mine], model.predict(table[mine]))


def test_a_training_set_that_is_left_out_whole_changes_nothing() -> None:
    one, two = training_set("one"), training_set("two", seed=1)
    tables = [some.signals(PARTS, []) for some in (one, two)]
    used = [np.ones(40, dtype=bool), np.zeros(40, dtype=bool)]
    alone = fit_training_sets([one], tables[:1], used[:1], names_of(PARTS))
    assert fit_training_sets([one, two], tables, used, names_of(PARTS)) == alone
    assert fit_training_sets([two, one], tables[::-1], used[::-1], names_of(PARTS)) == alone


def test_a_training_set_of_no_weight_changes_neither_slopes_nor_level() -> None:
    """But for the knots, which are those of all topics: so the same topics again."""
    one = training_set("one")
    other = replace(one, name="two", human=one.human[::-1] + 0.3, weight=1e-9)
    table = one.signals(PARTS, [])
    everything = np.ones(40, dtype=bool)
    alone = fit_training_sets([one], [table], [everything], names_of(PARTS))
    both = fit_training_sets([one, other], [table, table], [everything] * 2, names_of(PARTS))
    assert [line.slopes for line in both.lines] == [
        pytest.approx(line.slopes, abs=2e-5) for line in alone.lines
    ]
    assert both.average == pytest.approx(alone.average, abs=2e-6)


def test_only_differences_within_a_training_set_change_slopes() -> None:
    """Another level of one training set's answers changes no slope."""
    one, two = training_set("one"), training_set("two", seed=1)
    raised = replace(two, human=two.human + 0.3)
    tables, everything = [one.signals(PARTS, []), two.signals(PARTS, [])], [np.ones(40, bool)] * 2
    plain, other = (
        fit_training_sets([one, some], tables, everything, names_of(PARTS))
        for some in (two, raised)
    )
    assert [line.slopes for line in other.lines] == [
        pytest.approx(line.slopes, abs=2e-6) for line in plain.lines
    ]
    assert other.average == pytest.approx(plain.average + 0.15, abs=2e-6)


# ---------------------------------------------------------------------- errors


def judged(human: Floats, weight: float = 1.0) -> Any:
    """Return a training set of which only the answers matter."""
    blank = relations_of(["corpus"], topics=1)
    return TrainingSet("set", blank, human, np.arange(len(human)), weight)


def column(percentile: float) -> int:
    return PERCENTILES.index(percentile)


def test_percentiles_by_hand() -> None:
    """Of ten errors, all of the same prediction, each is a tenth and stands in the middle of it:
    the lowest at .05, the next at .15, and between these the percentile goes straight.
    """
    errors = np.arange(10.0)[::-1] / 10
    found = percentiles([judged(0.5 + errors)], [np.full(10, 0.5)])
    assert len(found) == len(BANDS)
    wanted = [0, 0, 0, 0.05, 0.2, 0.45, 0.7, 0.85, 0.9, 0.9, 0.9]
    for band in found:  # a single prediction is as near to all as to any
        assert band == pytest.approx(wanted)


def test_near_predictions_count_more() -> None:
    """Of a prediction of .1 the error is 1, of one of .5 it is 0. By a kernel of a width of .12,
    at .3 both count the same; at .5 the error of 1 counts by exp(-(.4 / .12)² / 2) = .00387 of the
    other; at .1 the other way round.
    """
    far = float(np.exp(-0.5 * (0.4 / 0.12) ** 2))
    assert far == pytest.approx(0.00387, abs=1e-5)
    found = percentiles([judged(np.array([1.1, 0.5]))], [np.array([0.1, 0.5])])
    errors = dict(zip(BANDS, found, strict=True))
    # each has a half: they stand at .25 and .75
    assert [errors[0.3][column(p)] for p in (25, 50, 75)] == pytest.approx([0, 0.5, 1])
    # 0 stands in the middle of its 1 / (1 + far), 1 in the middle of the rest
    low, high = 0.5 / (1 + far), 1 - 0.5 * far / (1 + far)
    for percentile in (75, 90, 95):
        wanted = (percentile / 100 - low) / (high - low)
        assert errors[0.5][column(percentile)] == pytest.approx(wanted, abs=1e-4)
        assert errors[0.1][column(100 - percentile)] == pytest.approx(1 - wanted, abs=1e-4)
    assert errors[0.5][column(50)] == pytest.approx((0.5 - low) / (high - low), abs=1e-4)


def test_bands_are_wide_where_errors_are() -> None:
    rng = np.random.default_rng(0)
    predicted = rng.uniform(0, 1, size=3000)
    errors = rng.normal(size=3000) * np.where(np.abs(predicted - 0.5) < 0.2, 0.3, 0.05)
    found = percentiles([judged(predicted + errors)], [predicted])
    width = [band[column(95)] - band[column(5)] for band in found]
    assert width[0] < width[1] < width[2] > width[3] > width[4]
    assert width[2] == pytest.approx(2 * 1.645 * 0.3, rel=0.15)
    assert all(list(band) == sorted(band) for band in found)


def test_sets_count_by_their_weights_whatever_their_size() -> None:
    """The first set has three quarters of the mass, in two errors, which stand at .1875 and .5625;
    the other a quarter, so that its first error stands at .75, nearly.
    """
    training_sets = [judged(np.array([0.5, 0.6]), 3.0), judged(np.full(500, 0.7), 1.0)]
    found = percentiles(training_sets, [np.full(2, 0.5), np.full(500, 0.5)])
    for band in found:
        assert band[column(10)] == 0
        assert band[column(25)] == pytest.approx(0.1 * (0.25 - 0.1875) / 0.375, abs=1e-4)
        assert band[column(50)] == pytest.approx(0.1 * (0.5 - 0.1875) / 0.375, abs=1e-4)
        assert band[column(75)] == pytest.approx(0.2, abs=1e-3)
        assert band[column(99)] == pytest.approx(0.2)


def test_percentiles_lie_where_the_share_of_errors_is_reached() -> None:
    rng = np.random.default_rng(0)
    errors, weights = [rng.normal(size=500), rng.normal(1, 1, size=300)], [1.0, 0.25]
    training_sets = [
        judged(0.5 + some, weight) for some, weight in zip(errors, weights, strict=True)
    ]
    found = percentiles(training_sets, [np.full(500, 0.5), np.full(300, 0.5)])[2]
    mass = [weight / sum(weights) for weight in weights]
    for percentile in (5, 50, 95):
        below = sum(
            m * (one <= found[column(percentile)]).mean()
            for m, one in zip(mass, errors, strict=True)
        )
        assert below == pytest.approx(percentile / 100, abs=0.004)


# ---------------------------------------------------------------------- predictors


def test_a_judge_learns_what_people_said_and_knows_how_far_it_is_off() -> None:
    training_sets = [training_set("one", topics=150), training_set("two", topics=100, seed=1)]
    parts = ("corpus", "reference")
    predictor = fit_predictor(training_sets, parts, [])
    assert predictor.parts == parts
    tables = [one.signals(parts, []) for one in training_sets]
    for one, table in zip(training_sets, tables, strict=True):
        assert np.corrcoef(predictor.model.predict(table), one.human)[0, 1] > 0.8
    predicted = left_out(training_sets, tables, names_of(parts))
    assert predictor.errors == percentiles(training_sets, predicted)
    everything = [np.ones(len(one), dtype=bool) for one in training_sets]
    assert predictor.model == fit_training_sets(training_sets, tables, everything, names_of(parts))


def test_intervals_hold_for_topics_that_were_never_shown() -> None:
    predictor = fit_predictor([training_set(topics=300)], PARTS, [])
    new = training_set(topics=400, seed=5)
    low, high = predictor.interval(predictor.model.predict(new.signals(PARTS, [])), 0.8)
    inside = ((low <= new.human) & (new.human <= high)).mean()
    assert inside == pytest.approx(0.8, abs=0.06)


def test_all_are_fitted() -> None:
    scale = {"wordllama": EmbeddingScale("01", Moments(0.1, 0.2), Moments(1.0, 1.0))}
    found = fit_predictors([training_set(topics=24)], scale, source="made up")
    assert [predictor.parts for predictor in found.predictors] == [
        parts for parts, _ in all_parts()
    ]
    assert all(
        predictor.model.signals == names_of(predictor.parts) for predictor in found.predictors
    )
    assert (found.source, found.embeddings) == ("made up", scale)
    again = fit_predictors([training_set(topics=24)], scale, source="made up")
    assert again.signature == found.signature
