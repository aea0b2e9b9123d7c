"""Intervals and p of ``correlate`` against plain loops over resampled topics."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tealeaves.errors import InputError
from tealeaves.judgments import Correlations, Judgments, correlate
from tealeaves.metrics.scores import Score, Scores
from tealeaves.statistics.hypothesis_tests import steiger, williams
from tealeaves.statistics.intervals import bca_interval, bca_p

N, SIZE = 40, 2  # topics, and how many of them are nearly the same
DRAWS, SEED = 200, 7
Array = np.ndarray[Any, np.dtype[np.float64]]


@pytest.fixture(scope="module")
def sample() -> dict[str, Array]:
    """People, two metrics and a control on topics that come in pairs of near-identical ones."""
    rng = np.random.default_rng(0)
    shared = np.repeat(rng.normal(size=N // SIZE), SIZE)
    y = shared + 0.5 * rng.normal(size=N)
    z = shared + rng.normal(size=N)
    return {"y": y, "z": z, "a": y + rng.normal(size=N), "b": y + 1.5 * rng.normal(size=N)}


def found(sample: dict[str, Array], **given: Any) -> Correlations:
    words: dict[tuple[str, int | str | None], list[str]]
    words = {("m", t): [f"u{t // SIZE}", f"v{t // SIZE}", f"w{t}"] for t in range(N)}
    rows = [
        Score("m", t, name, float(sample[name][t]), 1.0, "") for name in "abz" for t in range(N)
    ]
    people = Judgments.of(
        [{"model": "m", "topic": t, "answer": float(sample["y"][t])} for t in range(N)]
    )
    asked = {"draws": DRAWS, "permutations": 199, "seed": SEED, "coefficients": ("pearson",)}
    return correlate(Scores(rows, words=words), people, **{**asked, **given})


def resamples() -> list[list[int]]:
    """Draw whole clusters, as often as there are."""
    drawn = np.random.default_rng(SEED).integers(N // SIZE, size=(DRAWS, N // SIZE))
    return [[SIZE * c + k for c in row for k in range(SIZE)] for row in drawn]


def left_out() -> list[list[int]]:
    return [[t for t in range(N) if t // SIZE != c] for c in range(N // SIZE)]


def r(one: Array, other: Array) -> float:
    return float(stats.pearsonr(one, other)[0])


def partial(x: Array, y: Array, z: Array) -> float:
    residuals = [side - np.polyval(np.polyfit(z, side, 1), z) for side in (x, y)]
    return r(residuals[0], residuals[1])


def test_an_interval_is_that_of_a_plain_loop(sample: dict[str, Array]) -> None:
    x, y = sample["a"], sample["y"]
    row = found(sample).rows[0]
    draws, left = (np.array([r(x[i], y[i]) for i in rows]) for rows in (resamples(), left_out()))
    assert (row.low, row.high) == pytest.approx(bca_interval(r(x, y), draws, left), abs=1e-9)
    assert row.clusters == N // SIZE
    other = found(sample, level=0.8).rows[0]
    assert (other.low, other.high) == pytest.approx(
        bca_interval(r(x, y), draws, left, 0.8), abs=1e-9
    )
    assert other.high - other.low < row.high - row.low


def test_a_partial_interval_is_that_of_a_plain_loop(sample: dict[str, Array]) -> None:
    x, y, z = sample["a"], sample["y"], sample["z"]
    row = next(row for row in found(sample, control="z").rows if row.control)
    draws, left = (
        np.array([partial(x[i], y[i], z[i]) for i in rows]) for rows in (resamples(), left_out())
    )
    assert row.value == pytest.approx(partial(x, y, z))
    assert (row.low, row.high) == pytest.approx(bca_interval(row.value, draws, left), abs=1e-9)


def test_a_paired_test_is_that_of_a_plain_loop(sample: dict[str, Array]) -> None:
    a, b, y = sample["a"], sample["b"], sample["y"]
    test = found(sample, pairs=True).pairs[0]
    draws, left = (
        np.array([r(a[i], y[i]) - r(b[i], y[i]) for i in rows])
        for rows in (resamples(), left_out())
    )
    assert (test.metric_a, test.metric_b) == ("a", "b")
    assert (test.low, test.high) == pytest.approx(
        bca_interval(test.difference, draws, left), abs=1e-9
    )
    assert test.p == pytest.approx(bca_p(test.difference, draws, left))
    # near-identical topics are no further evidence
    expected = r(a, y), r(b, y), r(a, b), N // SIZE
    assert test.williams_p == pytest.approx(williams(*expected).p)
    assert test.steiger_p == pytest.approx(steiger(*expected).p)


def test_paired_tests_are_corrected_for_their_number(sample: dict[str, Array]) -> None:
    pairs = found(sample, pairs=True).pairs
    expected = stats.false_discovery_control([test.p for test in pairs])
    assert [test.p_corrected for test in pairs] == pytest.approx(list(expected))
    assert found(sample, pairs=True, correction="none").pairs[0].p_corrected == pairs[0].p


def test_p_permutes_the_means_of_clusters(sample: dict[str, Array]) -> None:
    means = {name: values.reshape(-1, SIZE).mean(axis=1) for name, values in sample.items()}
    row = found(sample, permutations=999).rows[0]
    expected = stats.pearsonr(means["a"], means["y"])
    assert row.p == pytest.approx(max(expected.pvalue, 1 / 1000), abs=0.02)
    # all topics as evidence would be far surer
    assert row.p > 10 * stats.pearsonr(sample["a"], sample["y"]).pvalue


def test_topics_without_the_control_are_dropped(sample: dict[str, Array]) -> None:
    holes = dict(sample) | {"z": np.where(np.arange(N) < 4, np.nan, sample["z"])}
    row = next(row for row in found(holes, control="z").rows if row.control)
    assert (row.n, row.dropped) == (N - 4, 4)
    kept = slice(4, None)
    assert row.value == pytest.approx(partial(*(sample[name][kept] for name in "ayz")))


def test_kendall_has_fewer_draws_and_permutations(sample: dict[str, Array]) -> None:
    row = found(sample, coefficients="kendall", draws=2000, permutations=2000).rows[0]
    assert (row.draws, row.permutations) == (500, 1000)


def test_votes_are_scaled_and_checks_left_out() -> None:
    scores = Scores([Score("m", t, "x", float(t), 1.0, "") for t in range(6)])
    votes = [[1, 1], [2, 1], [2, 3], [3, 3], [3, 4], [4, 4]]
    rows = [
        {"model": "m", "topic": t, "annotator": who, "answer": vote, "gold": False}
        for t, pair in enumerate(votes)
        for who, vote in zip("pq", pair, strict=True)
    ]
    rows += [
        {"model": "m", "topic": 0, "annotator": "p", "answer": 4, "gold": True, "item": "check"}
    ]
    human = [-2, -1.5, 0, 1, 1.5, 2]
    plain = correlate(scores, Judgments.of(rows), draws=0, scale="votes")
    assert plain.value("x") == pytest.approx(r(np.arange(6.0), np.array(human)))
    assert any("attention" in note for note in plain.notes)


def test_the_ceiling_of_majority_votes_is_that_of_single_votes() -> None:
    scores = Scores([Score("m", t, "x", float(t), 1.0, "") for t in range(12)])
    rows = [
        {"model": "m", "topic": t, "annotator": who, "answer": 1 + (t + place) // 4}
        for t in range(12)
        for place, who in enumerate("pqr")
    ]
    said = "rating: the ceiling is for single votes, not majority votes"
    found = {
        scale: correlate(scores, Judgments.of(rows), draws=0, scale=scale).notes
        for scale in ("majority", "votes")
    }
    assert said in found["majority"]
    assert said not in found["votes"]


def test_a_ceiling_of_models_is_of_their_means() -> None:
    rng = np.random.default_rng(3)
    truth = rng.normal(size=6)
    answers = truth[:, None, None] + rng.normal(size=(6, 5, 3))  # models, topics, people
    rows = [
        {"model": f"m{m}", "topic": t, "annotator": f"p{k}", "answer": float(answers[m, t, k])}
        for m in range(6) for t in range(5) for k in range(3)
    ]  # fmt: skip
    scores = Scores([Score(f"m{m}", None, "x", float(truth[m]), 1.0, "") for m in range(6)])
    found = correlate(scores, Judgments.of(rows), by="model", draws=0, coefficients="pearson")
    means = answers.mean(axis=1)
    expected = [r(means[:, k], np.delete(means, k, axis=1).mean(axis=1)) for k in range(3)]
    assert found.rows[0].ceiling == pytest.approx(np.mean(expected))


def test_a_ceiling_within_models_is_of_each() -> None:
    rng = np.random.default_rng(4)
    answers = rng.normal(size=(2, 8, 3)) + rng.normal(size=(2, 8, 1))
    rows = [
        {"model": f"m{m}", "topic": t, "annotator": f"p{k}", "answer": float(answers[m, t, k])}
        for m in range(2) for t in range(8) for k in range(3)
    ]  # fmt: skip
    scores = Scores([Score(f"m{m}", t, "x", float(t), 1.0, "") for m in range(2) for t in range(8)])
    found = correlate(scores, Judgments.of(rows), within="model", draws=0, coefficients="pearson")
    for m, row in enumerate(found.rows):
        one = answers[m]
        expected = [r(one[:, k], np.delete(one, k, axis=1).mean(axis=1)) for k in range(3)]
        assert row.ceiling == pytest.approx(np.mean(expected))


def test_pooled_data_sets_are_scaled_as_well_as_centred() -> None:
    rng = np.random.default_rng(5)
    rows, scores, expected = [], [], []
    for dataset, factor in (("one", 1.0), ("two", 50.0)):
        x = rng.normal(size=12)
        y = x + rng.normal(size=12)
        for t in range(12):
            rows.append({"dataset": dataset, "model": dataset, "topic": t, "answer": factor * y[t]})
            scores.append(Score(dataset, t, "x", float(x[t]), 1.0, ""))
        expected.append(r(x, y))
    found = correlate(Scores(scores), Judgments.of(rows), pool=True, draws=0)
    # of standardised data sets of the same size it is the mean of both
    assert found.value("x") == pytest.approx(np.mean(expected))


def test_a_data_set_with_constant_judgments_is_not_pooled() -> None:
    rows = [
        {"dataset": d, "model": d, "topic": t, "answer": 2 if d == "flat" else t * t}
        for d in ("one", "flat", "two") for t in range(6)
    ]  # fmt: skip
    scores = Scores(
        [Score(d, t, "x", float(t), 1.0, "") for d in ("one", "flat", "two") for t in range(6)]
    )
    found = correlate(scores, Judgments.of(rows), pool=True, draws=0)
    assert {row.dataset for row in found.rows} == {"pooled: one + two"}
    assert {row.n for row in found.rows} == {12}
    assert "rating: flat left out: people's scores are constant there" in found.notes


def test_scores_without_a_data_set_fit_one_alone() -> None:
    rows = [
        {"dataset": d, "model": "m", "topic": t, "answer": t} for d in ("x", "y") for t in range(5)
    ]
    scores = Scores([Score("m", t, "x", float(t), 1.0, "") for t in range(5)])
    with pytest.raises(InputError, match=r"judged in x and y, .* --where dataset=x"):
        correlate(scores, Judgments.of(rows))
    one = correlate(scores, Judgments.of(rows).where(dataset="x"), draws=0)
    assert one.value("x") == pytest.approx(1)


def test_notes_of_the_scores_are_kept(tmp_path: Any) -> None:
    path = tmp_path / "scores.csv"
    lines = [f"m,{t},{t * 0.1},{'n.a.x' if t == 3 else t}" for t in range(6)]
    path.write_text("\n".join(["model,topic,npmi,c_v", *lines]) + "\n", encoding="utf-8")
    people = Judgments.of([{"model": "m", "topic": t, "answer": t % 4} for t in range(6)])
    found = correlate(path, people, draws=0)
    assert {row.metric for row in found.rows} == {"npmi"}
    assert any("c_v" in note and "n.a.x" in note for note in found.notes)
    with pytest.raises(InputError, match=r"no scores of c_v .*n\.a\.x"):
        correlate(path, people, metrics=["c_v"])


def test_phi_k_of_few_topics_has_no_interval() -> None:
    scores = Scores([Score("m", t, "x", float(t), 1.0, "") for t in range(10)])
    people = Judgments.of([{"model": "m", "topic": t, "answer": t % 4} for t in range(10)])
    with pytest.warns(UserWarning, match="says little"):
        [row] = correlate(scores, people, coefficients="phik").rows
    assert not math.isnan(row.value)
    assert math.isnan(row.low)
    assert math.isnan(row.high)
