"""Models on metrics: values that are known, tests of scipy, letters, and the demo."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tealeaves import Sources, Topics, demo
from tealeaves.comparison import Comparison, compare, compare_scores
from tealeaves.comparison.result import PairTable
from tealeaves.errors import InputError
from tealeaves.metrics.scores import Score, Scores

Scored = tuple[Scores, list[Topics]]


def scored(values: dict[str, Any]) -> Scored:
    """Return the scores of topics and their means, of models that have the same words."""
    rows = [
        Score(name, topic, "npmi", float(value), 1.0, "")
        for name, row in values.items()
        for topic, value in [*enumerate(row), (None, np.mean(row))]
    ]
    models = [
        Topics.of([[f"w{k}", f"v{k}"] for k in range(len(row))], model=name)
        for name, row in values.items()
    ]
    return Scores(rows, better={"npmi": "higher"}), models


RNG = np.random.default_rng(2)
A, B, C = RNG.normal(0.3, 0.1, 30), RNG.normal(0.2, 0.1, 30), RNG.normal(0.2, 0.1, 25)


@pytest.fixture(scope="module")
def demonstrated() -> Comparison:
    return compare(demo.models(), demo.corpus(), "npmi@10 c_v@10")


def test_a_pair_by_hand(made: Any) -> None:
    """Topics have the same words in both, so that topic k is beside topic k.

    Differences .1 .2 .3 .2, mean .2; of the 16 patterns of signs two reach it: p = 2 / 16.
    Their standard deviation is √((.01 + 0 + .01 + 0) / 3) = .0816497, d = .2 / that = 2.449490.
    """
    scores, models = made({"a": [0.3, 0.4, 0.5, 0.4], "b": [0.2, 0.2, 0.2, 0.2]})
    [row] = compare_scores(scores, models, pairing="matched").pairs
    assert (row.value_a, row.value_b) == pytest.approx((0.4, 0.2))
    assert row.difference == pytest.approx(0.2)
    assert row.p == row.p_corrected == 2 / 16
    assert row.effect == pytest.approx(2.449490, abs=1e-6)
    assert row.effect_name == "cohen_dz"
    assert row.cliff_delta == 1  # every value of a is above every one of b
    assert (row.n, row.dropped_a, row.dropped_b) == (4, 0, 0)
    assert (row.test, row.pairing, row.significant) == ("permutation", "matched", False)
    # t(3) = 3.182446; 3.182446 × .0816497 / 2 = .129923
    assert (row.low, row.high) == pytest.approx((0.2 - 0.129923, 0.2 + 0.129923), abs=1e-6)


@pytest.mark.parametrize(
    ("test", "oracle"),
    [
        ("t", stats.ttest_rel),
        ("wilcoxon", stats.wilcoxon),
    ],
)
def test_pairs_are_tested_as_scipy_does(made: Any, test: str, oracle: Callable[..., Any]) -> None:
    scores, models = made({"a": A, "b": B})
    [row] = compare_scores(scores, models, test=test).pairs
    assert row.p == pytest.approx(oracle(A, B).pvalue, rel=1e-9)


def test_flipped_signs_are_scipy_s(made: Any) -> None:
    near = B[:10] + 0.04
    scores, models = made({"a": A[:10], "b": near})
    [row] = compare_scores(scores, models).pairs
    oracle = stats.permutation_test(
        (A[:10] - near,), np.mean, permutation_type="samples", n_resamples=np.inf
    )
    assert row.p == pytest.approx(oracle.pvalue, abs=1e-12)
    assert 0.001 < row.p < 0.999


@pytest.mark.parametrize("test", ["permutation", "t", "wilcoxon"])
def test_without_pairs_each_side_is_drawn_for_itself(made: Any, test: str) -> None:
    scores, models = made({"a": A, "c": C})
    found = compare_scores(scores, models, test=test)
    [row] = found.pairs
    assert (row.pairing, row.n, row.effect_name) == ("none", 55, "hedges_g")
    assert any("different numbers of topics: a and c" in note for note in found.notes)
    assert row.difference == pytest.approx(A.mean() - C.mean())
    if test == "t":
        assert row.p == pytest.approx(stats.ttest_ind(A, C, equal_var=False).pvalue, rel=1e-9)
    elif test == "wilcoxon":
        assert row.p == pytest.approx(stats.mannwhitneyu(A, C).pvalue, rel=1e-9)
    else:

        def welch(x: Any, y: Any, axis: int) -> Any:
            return stats.ttest_ind(x, y, axis=axis, equal_var=False).statistic

        oracle = stats.permutation_test((A, C), welch, n_resamples=9999, rng=3, vectorized=True)
        # two Monte Carlo errors of p are at most 2 √(2 p / 10000)
        assert row.p == pytest.approx(oracle.pvalue, abs=2 * math.sqrt(2 * row.p / 10_000))
        assert row.p < 0.01


def test_three_models_and_their_letters(made: Any) -> None:
    """High and low differ, and what lies between differs from neither."""
    base = np.linspace(-0.1, 0.1, 12)
    noise = np.where(np.arange(12) % 2, 0.6, -0.6)
    values = {"low": base, "middle": base + 0.25 + noise, "high": base + 0.5}
    found = compare_scores(*made(values))
    assert {row.model: row.letters for row in found.summary} == {
        "low": "b",
        "middle": "ab",
        "high": "a",
    }
    cells = {labels[0]: cells[0] for labels, cells in found.table().rows}
    assert [str(cells[name]) for name in values] == ["0.0000  b", "0.2500 ab", "0.5000  a"]
    assert [cells[name].best for name in values] == [False, False, True]


def test_where_less_is_better_the_least_is_best(made: Any) -> None:
    base = np.linspace(0, 0.1, 12)
    found = compare_scores(*made({"low": base, "high": base + 1}, better="lower"))
    assert [row.letters for row in found.summary] == ["a", "b"]
    assert [cells[0].best for _, cells in found.table().rows] == [True, False]


@pytest.mark.parametrize(
    ("correction", "expected"), [("holm", [3, 2, 1]), ("bh", [3, 1.5, 1]), ("none", [1, 1, 1])]
)
def test_p_is_corrected_within_a_metric(made: Any, correction: str, expected: list[float]) -> None:
    found = compare_scores(
        *made({"a": A[:25], "b": B[:25], "c": C}), test="t", correction=correction
    )
    rows = sorted(found.pairs, key=lambda row: row.p)
    factors = [row.p_corrected / row.p for row in rows]
    assert len({row.p for row in rows}) == 3
    assert factors == pytest.approx(expected)


def test_good_topics_differ_from_shuffled_ones(demonstrated: Comparison) -> None:
    row = demonstrated.pair("good", "shuffled", "npmi@10")
    assert row.significant
    assert row.difference > 1
    assert row.p == 2 / 2**8  # eight topics, all of them better
    assert [row.letters for row in demonstrated.summary[:3]] == ["a", "b", "c"]


def test_values_are_those_of_score(demonstrated: Comparison) -> None:
    from tealeaves import score

    scores = score(demo.models(), demo.corpus(), "npmi@10 c_v@10")
    for row in demonstrated.summary:
        assert row.value == scores.value(row.model, row.metric)
        assert row.low < row.value < row.high
        assert row.n == 8


def test_the_same_model_twice_does_not_differ() -> None:
    good = demo.models()[0]
    again = replace(good, model="again", topics=good.topics[::-1])
    found = compare([good, again], demo.corpus(), "npmi@10")
    [row] = found.pairs
    assert (row.difference, row.p, row.significant) == (0, 1, False)
    assert "no difference at all: good and again (npmi@10)" in found.notes
    assert {row.letters for row in found.summary} == {"a"}


def test_two_models_of_one_name_are_numbered() -> None:
    good = demo.models()[0]
    assert compare([good, good], demo.corpus(), "npmi@10").models == ["good 1", "good 2"]


def test_the_same_seed_gives_the_same_numbers(made: Any) -> None:
    given = made({"a": A, "c": C})
    first, second = (compare_scores(*given, draws=500, seed=7).pairs for _ in range(2))
    assert first == second
    assert compare_scores(*given, draws=500, seed=8).pairs != first


def test_rows_table_and_json(demonstrated: Comparison, tmp_path: Path) -> None:
    rows = demonstrated.to_dicts()
    assert len(rows) == 2 * 3
    assert list(rows[0]) == [
        *["metric", "model_a", "model_b", "value_a", "value_b", "difference", "low", "high"],
        *["p", "p_corrected", "effect", "effect_name", "cliff_delta", "n", "dropped_a"],
        *["dropped_b", "test", "pairing", "significant"],
    ]
    content = json.loads(demonstrated.to_json())
    assert content["design"]["over"] == "topics"
    assert [row["letters"] for row in content["summary"][:3]] == ["a", "b", "c"]
    demonstrated.save(tmp_path / "pairs.parquet")
    assert "**0.5911 a**" in demonstrated.to_markdown()
    assert "other training runs of them may differ" in str(demonstrated)


def test_the_table_of_pairs(demonstrated: Comparison) -> None:
    pairs = PairTable(demonstrated)
    assert pairs.to_dicts() == demonstrated.to_dicts()
    lines = str(pairs).splitlines()
    assert lines[1].split()[:4] == ["npmi@10", "good", "middling", "0.3304"]
    assert "0.0234*" in lines[1]
    assert lines[0].split()[-3:] == ["n", "dropped", "pairing"]
    assert lines[1].split()[-5:] == ["8", "0", "+", "0", "matched"]
    assert "dropped: topics of a + those of b that are not in n." in str(pairs)
    assert "Cohen's d" in str(pairs)
    assert "Hedges" not in str(pairs)


def test_a_pair_that_was_not_compared(demonstrated: Comparison) -> None:
    with pytest.raises(InputError, match="shuffled and good were not compared in this order"):
        demonstrated.pair("shuffled", "good", "npmi@10")


@settings(max_examples=30)
@given(st.lists(st.tuples(*[st.integers(-20, 20)] * 2), min_size=2, max_size=7), st.booleans())
def test_the_other_way_round_all_is_mirrored(values: list[tuple[int, int]], paired: bool) -> None:
    a, b = np.array(values, dtype=float).T
    given_values = {"a": a, "b": b}
    pairing = "id" if paired else "none"
    there, back = (
        compare_scores(*scored({name: given_values[name] for name in names}), pairing=pairing)
        for names in ("ab", "ba")
    )
    [one], [other] = there.pairs, back.pairs
    assert one.p == pytest.approx(other.p, abs=1e-12)
    for name in ("difference", "effect", "cliff_delta"):
        mirrored = pytest.approx(-getattr(other, name), abs=1e-12, nan_ok=True)
        assert getattr(one, name) == mirrored
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-9)
    assert one.significant == other.significant


def test_what_is_dropped_stands_in_the_table_of_pairs(made: Any) -> None:
    given = made({"a": [math.nan, 0.2, 0.3, 0.4, 0.5], "b": [0.1, math.nan, math.nan, 0.3, 0.1]})
    lines = str(PairTable(compare_scores(*given, pairing="none"))).splitlines()
    assert lines[1].split()[-5:] == ["7", "1", "+", "2", "none"]


def test_a_p_that_is_the_level_is_significant(made: Any) -> None:
    """Three pairs of one sign: 2 / 8 = .25."""
    given = made({"a": [1.0, 2.0, 3.0], "b": [0.0, 0.0, 0.0]})
    [row] = compare_scores(*given, pairing="id", level=0.25).pairs
    assert (row.p_corrected, row.significant) == (0.25, True)
    assert not compare_scores(*given, pairing="id", level=0.2499).pairs[0].significant


def test_one_model_alone_is_refused() -> None:
    with pytest.raises(InputError, match="good: one model alone"):
        compare(demo.models()[:1], demo.corpus())


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (
            {"over": "topic"},
            "over must be one of auto, topics, seeds, not topic",
        ),
        ({"pairing": "seed"}, "pairing must be one of .*, not seed"),
        ({"test": "anova"}, "test must be one of .*, not anova"),
        ({"correction": "bonferroni"}, "correction must be one of .*, not bonferroni"),
        ({"level": 1.0}, "level must be between 0 and 1, not 1.0"),
        ({"draws": 0}, "draws must be at least 1, not 0"),
        ({"seed": -1}, "seed must be at least 0, not -1"),
        ({"weight": "documents"}, "tests over topics are of plain means"),
        ({"over": "seeds"}, "needs two families with two runs or more, but no family has several"),
    ],
)
def test_options_are_refused_before_any_work(option: dict[str, Any], message: str) -> None:
    def texts() -> Iterator[str]:
        yield str(1 / 0)  # read before the options were checked

    with pytest.raises(InputError, match=message):
        compare(demo.models(), texts(), "npmi@10", **option)


def test_models_may_be_whatever_is_known() -> None:
    texts = ["cat dog", "cat dog", "soup bread", "bread soup", "sun moon", "moon sun"]
    good = [["cat", "dog"], ["soup", "bread"], ["sun", "moon"]]
    bad = [["cat", "soup"], ["dog", "sun"], ["bread", "moon"]]
    found = compare({"good": good, "bad": Topics.of(bad)}, texts, "npmi")
    assert found.pair("good", "bad", "npmi").difference == 2
    assert any("fewer than 4 topics" in note for note in found.notes)


def test_sources_are_taken_whole_or_one_by_one(demonstrated: Comparison) -> None:
    texts = list(demo.corpus())
    metrics = "npmi@10 c_v@10"
    for sources in (
        compare(demo.models(), Sources(texts, tokens="words"), metrics),
        compare(demo.models(), texts, metrics, tokens="words"),
    ):
        assert [row.difference for row in sources.pairs] == [
            row.difference for row in demonstrated.pairs
        ]
    with pytest.raises(InputError, match="tokens belongs to the Sources"):
        compare(demo.models(), Sources(texts), metrics, tokens="words")
