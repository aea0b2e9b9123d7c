from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import msgspec
import numpy as np
import pytest
from scipy import stats

import tealeaves
from tealeaves import demo
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.judgments import (
    Correlations,
    Judgments,
    correlate,
    score_judged_topics,
    separation,
)
from tealeaves.metrics.scores import Score, Scores
from tealeaves.statistics.phi_k import phi_k_p

HUMAN = [1.0, 2.0, 2.5, 3.0, 1.5, 2.0]
METRIC = [0.1, 0.3, 0.2, 0.6, 0.0, 0.3]
Scored = Callable[..., Scores]
Judged = Callable[..., Judgments]


def quick(scores: Scores, people: Judgments, **given: Any) -> Correlations:
    return correlate(scores, people, **{"draws": 200, "permutations": 199, **given})


def test_the_coefficients_are_scipys(scores_of: Scored, people_of: Judged) -> None:
    found = quick(scores_of({"m": METRIC}), people_of(HUMAN))
    assert found.value("m", "pearson") == pytest.approx(stats.pearsonr(METRIC, HUMAN)[0])
    assert found.value("m", "spearman") == pytest.approx(stats.spearmanr(METRIC, HUMAN)[0])
    assert found.value("m", "kendall") == pytest.approx(stats.kendalltau(METRIC, HUMAN)[0])


def test_a_row_says_what_it_rests_on(scores_of: Scored, people_of: Judged) -> None:
    found = quick(scores_of({"m": METRIC, "holes": [*METRIC[:5], math.nan]}), people_of(HUMAN))
    row, other = (r for r in found.rows if r.coefficient == "pearson")
    assert (row.n, row.dropped, row.clusters, row.draws, row.permutations) == (6, 0, 6, 200, 199)
    assert (other.n, other.dropped) == (5, 1)
    assert row.low <= row.value <= row.high
    assert 1 / 200 <= row.p <= row.p_corrected <= 1
    assert "5 (-1)" in str(found)


def test_infinite_values_are_dropped_and_counted(scores_of: Scored, people_of: Judged) -> None:
    found = quick(scores_of({"m": [*METRIC[:5], -math.inf]}), people_of(HUMAN))
    assert (found.rows[0].n, found.rows[0].dropped) == (5, 1)


def test_constant_columns_are_nan_and_say_why(scores_of: Scored, people_of: Judged) -> None:
    found = quick(scores_of({"m": [0.5] * 6, "k": METRIC}), people_of(HUMAN))
    row, other = found.rows[:2]
    assert math.isnan(row.value)
    assert math.isnan(row.p)
    assert row.remark == "the metric is constant"
    assert "– (the metric is constant)" in str(found)
    # a test that cannot be made does not count among the many
    assert other.p_corrected == pytest.approx(other.p)
    silent = quick(scores_of({"m": METRIC}), people_of([2.0] * 6))
    assert {r.remark for r in silent.rows} == {"people's scores are constant"}


@pytest.mark.parametrize("n", [1, 2, 3])
def test_fewer_than_four_topics_have_no_coefficient(
    scores_of: Scored, people_of: Judged, n: int
) -> None:
    found = quick(scores_of({"m": METRIC[:n]}), people_of(HUMAN[:n]))
    assert all(math.isnan(row.value) for row in found.rows)
    assert found.rows[0].remark == "fewer than 4 topics"
    assert found.rows[0].n == n


def test_many_metrics_are_corrected_for(scores_of: Scored, people_of: Judged) -> None:
    rng = np.random.default_rng(1)
    columns = {f"m{k}": list(rng.normal(size=30)) for k in range(5)}
    people = people_of(list(rng.normal(size=30)))
    found = quick(scores_of(columns), people, coefficients=("pearson",))
    expected = stats.false_discovery_control([row.p for row in found.rows])
    assert [row.p_corrected for row in found.rows] == pytest.approx(list(expected))


def test_partial_correlations_hold_the_control_fast(scores_of: Scored, people_of: Judged) -> None:
    rng = np.random.default_rng(2)
    z = rng.normal(size=200)
    x, y = z + 0.5 * rng.normal(size=200), z + 0.5 * rng.normal(size=200)
    scores = scores_of({"x": list(x), "z": list(z)})
    found = quick(scores, people_of(list(y)), control="z", coefficients=("pearson", "spearman"))
    residual = [side - np.polyval(np.polyfit(z, side, 1), z) for side in (x, y)]
    assert found.value("x", control="z") == pytest.approx(stats.pearsonr(*residual)[0])
    plain, partial = (r for r in found.rows if r.metric == "x" and r.coefficient == "pearson")
    assert plain.value > 0.7
    assert plain.p_corrected < 0.05
    assert partial.low < 0 < partial.high
    # the control given itself says nothing, and is not shown
    assert not [r for r in found.rows if r.metric == "z" and r.control == "z"]
    assert "x given z" in str(found)


def test_a_control_alone_is_only_correlated(scores_of: Scored, people_of: Judged) -> None:
    found = quick(scores_of({"z": METRIC}), people_of(HUMAN), control="z")
    assert [row.control for row in found.rows] == ["", "", ""]


def test_phi_k_has_n_bins_p_and_a_warning(scores_of: Scored, people_of: Judged) -> None:
    rng = np.random.default_rng(3)
    y = rng.normal(size=40)
    x = y + rng.normal(size=40)
    with pytest.warns(TealeavesWarning, match=r"phi_K of 40 values says little"):
        found = quick(scores_of({"x": list(x)}), people_of(list(y)), coefficients=("phik",), bins=5)
    [row] = found.rows
    assert (row.n, row.bins, row.noise_correction) == (40, 5, True)
    assert 0 < row.p <= 1
    assert row.remark
    assert "5 bins" in str(found)


def test_enough_topics_give_no_warning(scores_of: Scored, people_of: Judged) -> None:
    y = np.random.default_rng(4).normal(size=100)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = quick(scores_of({"x": list(y)}), people_of(list(y)), coefficients=("phik",))
    assert found.rows[0].value == pytest.approx(1, abs=0.01)


def test_phi_k_given_a_control_is_left_out_and_said(scores_of: Scored, people_of: Judged) -> None:
    x, y, z = np.random.default_rng(4).normal(size=(3, 100))
    scores = scores_of({"x": list(x), "z": list(z)})
    found = quick(scores, people_of(list(y)), control="z", coefficients=("phik",))
    assert not [r for r in found.rows if r.control]
    assert "phi_K has no partial form" in found.notes[-1]


def test_near_identical_topics_count_as_one(scores_of: Scored, people_of: Judged) -> None:
    rng = np.random.default_rng(5)
    y, x = np.repeat(rng.normal(size=(2, 12)), 5, axis=1)
    words = [f"a{k // 5} b{k // 5} c{k // 5} d{k}" for k in range(60)]  # Jaccard 3/5
    alike = quick(scores_of({"x": list(x)}, words=words), people_of(list(y)), draws=500)
    apart = quick(scores_of({"x": list(x)}), people_of(list(y)), draws=500)
    assert (alike.rows[0].n, alike.rows[0].clusters) == (60, 12)
    assert apart.rows[0].clusters == 60
    assert alike.rows[0].value == apart.rows[0].value
    widths = [found.rows[0].high - found.rows[0].low for found in (alike, apart)]
    assert widths[0] > 1.5 * widths[1]
    assert alike.rows[0].p > apart.rows[0].p
    assert "60 in 12" in str(alike)


def test_a_star_marks_what_is_significant(scores_of: Scored, people_of: Judged) -> None:
    rng = np.random.default_rng(11)
    y = rng.normal(size=40)
    noise = rng.normal(size=(2, 40))
    columns = {"close": list(y + 0.1 * noise[0]), "far": list(0.2 * y + noise[1])}
    found = quick(scores_of(columns), people_of(list(y)), coefficients=("pearson",))
    close, far = found.rows
    assert close.p_corrected < 0.05 < far.p_corrected < 0.5
    lines = str(found).splitlines()
    assert f"{close.value:.3f}*" in lines[1]
    assert "*" not in lines[2]


def test_the_mean_of_a_cluster_is_no_class(scores_of: Scored) -> None:
    """Each cluster holds votes of 2 and -2: means of clusters are numbers, to be put into bins."""
    rng = np.random.default_rng(12)
    rows = [
        {"model": "lda", "topic": t, "answer": int(vote)}
        for t, vote in enumerate(rng.choice([1, 2, 3, 4], size=240))
    ]
    words = [f"a{t // 2} b{t // 2} c{t}" for t in range(240)]
    scores = scores_of({"x": list(rng.normal(size=240))}, words=words)
    given: dict[str, Any] = {"coefficients": "phik", "draws": 0, "scale": "majority", "bins": 4}
    [row] = quick(scores, Judgments.of(rows), **given).rows
    assert row.clusters == 120
    means = Judgments.of(rows).scaled("majority").human().values()
    y = np.array(list(means)).reshape(-1, 2).mean(axis=1)
    x = np.array([one.value for one in scores.rows]).reshape(-1, 2).mean(axis=1)
    expected = phi_k_p(x, y, bins=4, draws=199, seed=0)
    assert row.p == pytest.approx(expected)
    assert row.p != phi_k_p(x, y, bins=4, classes=True, draws=199, seed=0)


def test_topics_that_are_all_nearly_the_same_say_nothing(
    scores_of: Scored, people_of: Judged
) -> None:
    found = quick(scores_of({"m": METRIC}, words=["a b c"] * 6), people_of(HUMAN))
    assert {r.remark for r in found.rows} == {"nearly all the same"}


def test_one_metric_against_another(scores_of: Scored, people_of: Judged) -> None:
    rng = np.random.default_rng(6)
    y = rng.normal(size=80)
    good, bad = y + 0.3 * rng.normal(size=80), y + 3 * rng.normal(size=80)
    scores = scores_of({"good": list(good), "bad": list(bad), "turned": list(-good)})
    scores.better = {"good": "higher", "bad": "higher", "turned": "lower"}
    found = quick(scores, people_of(list(y)), pairs=True, coefficients=("pearson", "kendall"))
    pairs = {(t.metric_a, t.metric_b, t.coefficient): t for t in found.pairs}
    assert len(pairs) == 6
    test = pairs["good", "bad", "pearson"]
    assert test.difference == pytest.approx(test.value_a - test.value_b)
    assert test.low > 0
    assert max(test.p_corrected, test.williams_p, test.steiger_p) < 0.05
    # a metric where lower is better is turned before it is compared
    same = pairs["good", "turned", "pearson"]
    assert same.difference == pytest.approx(0, abs=1e-12)
    assert same.p == 1
    assert math.isnan(pairs["good", "bad", "kendall"].williams_p)


def test_pairs_are_compared_on_the_topics_of_both(scores_of: Scored, people_of: Judged) -> None:
    y, a, b = np.random.default_rng(7).normal(size=(3, 40))
    a[:5], b[-5:] = math.nan, math.nan
    found = quick(scores_of({"a": list(a), "b": list(b)}), people_of(list(y)), versus="b")
    test = found.pairs[0]
    assert (test.metric_a, test.n, test.dropped) == ("b", 30, 10)
    assert test.value_b == pytest.approx(np.corrcoef(a[5:-5], y[5:-5])[0, 1])


def test_data_sets_are_kept_apart_or_pooled_in_words() -> None:
    rng = np.random.default_rng(8)
    rows, scores = [], []
    for shift, dataset in ((0, "one"), (100, "two")):
        for topic in range(20):
            value = float(rng.normal())
            rows.append({"dataset": dataset, "model": dataset, "topic": topic, "answer": value})
            scores.append(Score(dataset, topic, "m", shift - value, 1.0, ""))
    people = Judgments.of(rows)
    apart = quick(Scores(scores), people)
    assert {row.dataset for row in apart.rows} == {"one", "two"}
    assert apart.value("m", dataset="one") == pytest.approx(-1)
    pooled = quick(Scores(scores), people, pool=True)
    assert {row.dataset for row in pooled.rows} == {"pooled: one + two"}
    # raw, the distance between the data sets would hide it
    assert pooled.value("m") == pytest.approx(-1)
    assert "pooled over one + two" in " ".join(pooled.notes)


def test_models_may_be_taken_apart() -> None:
    rows = [(m, t, float(t if m == "a" else -t)) for m in "ab" for t in range(6)]
    people = Judgments.of([{"model": m, "topic": t, "answer": t} for m, t, _ in rows])
    scores = Scores([Score(m, t, "x", value, 1.0, "") for m, t, value in rows])
    found = quick(scores, people, within="model", coefficients=("pearson",))
    assert [row.model for row in found.rows] == ["a", "b"]
    assert [row.value for row in found.rows] == pytest.approx([1, -1])


def test_the_ceiling_stands_beside(scores_of: Scored, people_of: Judged) -> None:
    rng = np.random.default_rng(9)
    truth = rng.normal(size=30)
    rows = [
        {"model": "lda", "topic": t, "annotator": who, "answer": truth[t] + rng.normal()}
        for t in range(30)
        for who in "abc"
    ]
    found = quick(scores_of({"m": list(truth)}), Judgments.of(rows))
    # by hand: each of the three against the mean of the other two
    answers = np.array([row["answer"] for row in rows]).reshape(30, 3)
    alone = [
        np.corrcoef(answers[:, k], np.delete(answers, k, axis=1).mean(axis=1))[0, 1]
        for k in range(3)
    ]
    assert found.rows[0].ceiling == pytest.approx(np.mean(alone))
    assert "(one person and the others)" in str(found)
    single = quick(scores_of({"m": METRIC}), people_of(HUMAN))
    assert all(math.isnan(row.ceiling) for row in single.rows)
    assert "one person" not in str(single)


def test_the_same_seed_gives_the_same_numbers(scores_of: Scored, people_of: Judged) -> None:
    made = scores_of({"m": METRIC}), people_of(HUMAN)
    assert quick(*made).to_jsonl() == quick(*made).to_jsonl()
    assert quick(*made).to_jsonl() != quick(*made, seed=1).to_jsonl()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"coefficients": ("person",)}, r"no coefficient person; did you mean pearson\?"),
        ({"coefficients": ()}, "no coefficient was asked for"),
        ({"control": "q"}, "no scores of q"),
        ({"versus": "q"}, "no scores of q"),
        ({"draws": -1}, "draws"),
        ({"by": "word"}, "by"),
        ({"by": "model", "within": "model"}, "only one model"),
        ({"metrics": ["mm"]}, r"no scores of mm"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    scores_of: Scored, people_of: Judged, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        quick(scores_of({"m": METRIC}), people_of(HUMAN), **given)


# ---------------------------------------------------------------------- metrics against people


SAID = "people prefer what these metrics call worse: "


def notes(noise: float, better: dict[str, str], draws: int) -> list[str]:
    """Correlate two metrics with 20 answers, which one follows and the other is against."""
    answers = np.arange(20.0)
    followed = answers + np.random.default_rng(1).normal(scale=noise, size=20)
    columns = {"with": followed, "against": -followed}
    rows = [
        Score("m", topic, metric, float(value), 1.0, "")
        for metric, values in columns.items()
        for topic, value in enumerate(values)
    ]
    people = Judgments.of(
        [{"model": "m", "topic": topic, "answer": x} for topic, x in enumerate(answers)]
    )
    found = tealeaves.correlate(
        Scores(rows, better=better),
        people,
        coefficients=("pearson",),
        draws=draws,
        permutations=199,
    )
    assert all(np.isnan(row.low) == (draws == 0) for row in found.rows)
    return [note for note in found.notes if note.startswith(SAID)]


@pytest.mark.parametrize("draws", [0, 200])
def test_it_is_said_with_intervals_and_without(draws: int) -> None:
    both = dict.fromkeys(("with", "against"), "higher")
    assert notes(3.0, both, draws) == [f"{SAID}against"]
    assert notes(3.0, dict.fromkeys(both, "lower"), draws) == [f"{SAID}with"]
    assert notes(3.0, {"with": "higher", "against": "lower"}, draws) == []


@pytest.mark.parametrize("draws", [0, 200])
def test_it_is_not_said_of_chance(draws: int) -> None:
    assert notes(200.0, dict.fromkeys(("with", "against"), "higher"), draws) == []


# ---------------------------------------------------------------------- judged topics


def test_judged_topics_are_scored_and_required_metrics_checked_first() -> None:
    people = Judgments.of(demo.judgments()).of_tasks(["rating"])
    scores = score_judged_topics(people, demo.corpus(), "npmi@10")
    expected = tealeaves.score(people.topics_only.models(), demo.corpus(), "npmi@10")
    assert scores.rows == expected.rows
    with pytest.raises(InputError, match="c_v is not among the metrics: npmi@10"):
        score_judged_topics(people, "nowhere.txt", "npmi@10", required=("", "c_v"))


def test_results_are_their_fields() -> None:
    """Results can be written by msgspec and built from their fields again."""
    people = Judgments.of(demo.judgments())
    scores = tealeaves.score(demo.models(), demo.corpus(), "npmi@10 umass@10")
    result = correlate(scores, people, draws=100, permutations=19)

    def encoded(value: Any) -> bytes:
        return msgspec.json.encode(value, enc_hook=lambda array: array.tolist())

    copy = Correlations(**{one.name: getattr(result, one.name) for one in fields(result)})
    assert encoded(copy) == encoded(result)
    assert str(copy) == str(result)
    written = json.loads(encoded(result))
    assert list(written) == [one.name for one in fields(Correlations)]
    [first, _] = written["matrices"]
    assert first["metrics"] == ["npmi@10", "umass@10"]
    assert first["values"][0][1] == pytest.approx(result.rows[0].value)
    apart = separation(result)
    assert list(json.loads(encoded(apart))) == ["rows", "correlations", "notes", "spreads"]
    agreed = tealeaves.agreement(people, draws=0)
    names = ["rows", "careless", "level", "notes", "draws", "confidence"]
    assert list(json.loads(encoded(agreed))) == names
