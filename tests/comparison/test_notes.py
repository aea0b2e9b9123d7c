"""What is missing, constant, infinite or too few is said, never silent."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from tealeaves.comparison import Comparison, compare, compare_scores
from tealeaves.comparison.design import ComparisonOptions, design_for
from tealeaves.errors import InputError
from tealeaves.metrics.scores import Score, Scores

NAN = math.nan
RNG = np.random.default_rng(5)


def said(found: Comparison, text: str) -> bool:
    return any(text in note for note in found.notes)


def test_pairs_without_a_value_are_dropped_and_counted(made: Any) -> None:
    found = compare_scores(
        *made({"a": [NAN, 0.2, 0.3, 0.4, 0.5], "b": [0.1, NAN, 0.2, 0.3, 0.1]}), pairing="id"
    )
    [row] = found.pairs
    assert (row.n, row.dropped_a, row.dropped_b) == (3, 2, 2)
    assert row.difference == pytest.approx((0.1 + 0.1 + 0.4) / 3)
    assert row.value_a == pytest.approx(0.35)  # of all topics that have a value
    assert said(found, "topics without a value: 1 of a (npmi), 1 of b (npmi)")


def test_without_pairs_each_side_drops_its_own(made: Any) -> None:
    given = made({"a": [NAN, 0.2, 0.3, 0.4, 0.5], "b": [0.1, NAN, NAN, 0.3, 0.1]})
    [row] = compare_scores(*given, pairing="none").pairs
    assert (row.n, row.dropped_a, row.dropped_b) == (7, 1, 2)


def test_topics_without_a_partner_are_counted(made: Any) -> None:
    found = compare_scores(*made({"a": [0.1, 0.2, 0.3, 0.4], "b": [0.1, 0.4]}), pairing="matched")
    [row] = found.pairs
    assert (row.n, row.dropped_a, row.dropped_b) == (2, 2, 0)
    assert said(found, "left out, as they have no partner: 2 of a and b")


def test_strangers_are_counted(made: Any) -> None:
    words = {"a": [["cat", "dog"], ["sun", "moon"]], "b": [["cat", "cow"], ["tax", "law"]]}
    found = compare_scores(
        *made({"a": [0.1, 0.2], "b": [0.3, 0.1]}, words=words), pairing="matched"
    )
    assert said(found, "do not make it more sensitive): 1 of 2 of a and b")


def test_constant_values_are_said(made: Any) -> None:
    found = compare_scores(*made({"a": [0.5] * 6, "b": [0.1, 0.2, 0.3, 0.2, 0.1, 0.2]}))
    assert said(found, "all topics have the same value: a (npmi)")
    [row] = found.pairs
    assert row.p == 2 / 2**6
    assert row.significant


def test_differences_that_are_all_the_same_have_no_t(made: Any) -> None:
    given = made({"a": [1.0, 2.0, 3.0, 4.0], "b": [0.0, 1.0, 2.0, 3.0], "c": [4.0, 1.0, 2.0, 2.5]})
    found = compare_scores(*given, test="t")
    row = found.pair("a", "b", "npmi")
    assert math.isnan(row.p)
    assert math.isnan(row.effect)
    assert (row.difference, row.significant) == (1, False)
    assert said(found, "all differences are the same and t is infinite: a and b (npmi)")
    assert said(found, "share a letter for lack of a test: a and b (npmi)")


def test_infinite_values_are_not_tested(made: Any) -> None:
    rows = list(RNG.normal(size=6))
    found = compare_scores(
        *made({"a": rows, "b": [math.inf, *rows[1:]], "c": [1 + value for value in rows]})
    )
    assert math.isnan(found.pair("a", "b", "npmi").p)
    assert said(found, "not tested, as a value is infinite: a and b (npmi), b and c (npmi)")
    summary = {row.model: row for row in found.summary}
    assert summary["b"].letters == ""
    assert summary["b"].value == math.inf
    assert math.isnan(summary["b"].low)
    assert summary["a"].letters
    assert "null" in found.to_jsonl()
    assert json.loads(found.to_json())["summary"][1]["value"] == "inf"


@pytest.mark.parametrize(
    "values",
    [{"a": [0.1], "b": [0.2]}, {"a": [NAN, NAN, 0.3], "b": [0.1, 0.2, 0.3]}],
)
def test_where_nothing_can_be_compared_there_is_one_error(
    made: Any, values: dict[str, list[float]]
) -> None:
    with pytest.raises(InputError, match="nothing can be compared over topics") as caught:
        compare_scores(*made(values))
    assert "a and b" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_metrics_of_whole_models_are_shown_without_letters(made: Any) -> None:
    values = {"a": RNG.normal(size=8), "b": RNG.normal(size=8)}
    found = compare_scores(*made(values, whole={"a": 0.9, "b": 0.7}))
    assert [(row.metric, row.letters, row.n) for row in found.summary if row.metric == "whole"] == [
        ("whole", "", 0),
        ("whole", "", 0),
    ]
    assert {row.metric for row in found.pairs} == {"npmi"}
    assert said(found, "whole judges models as a whole, so there is no test over topics")
    assert str(found.table().rows[0][1][1]) == "0.9000"


def test_only_metrics_of_whole_models_are_refused_over_topics(made: Any) -> None:
    scores, models = made({"a": [0.1, 0.2], "b": [0.1, 0.3]}, whole={"a": 0.9, "b": 0.7})
    only = Scores([row for row in scores if row.metric == "whole"], better={"whole": "higher"})
    with pytest.raises(InputError, match="compared over topics: whole judges models as a whole"):
        compare_scores(only, models)


def test_a_score_that_is_not_the_mean_of_its_topics_is_of_the_whole_model(made: Any) -> None:
    scores, models = made({"a": [0.1, 0.2], "b": [0.1, 0.3]})
    rows = [Score(r.model, r.topic, "odd", r.value + (r.topic is None), 1.0, "") for r in scores]
    both = Scores([*scores, *rows], better={"npmi": "higher", "odd": "higher"})
    assert said(compare_scores(both, models), "odd judges models as a whole")


def test_weighted_scores_are_refused_over_topics(made: Any) -> None:
    scores, models = made({"a": [0.1, 0.2], "b": [0.1, 0.3]})
    rows = [
        Score(r.model, r.topic, r.metric, r.value, 1.0, "x" if r.topic else "x|weight=documents")
        for r in scores
    ]
    with pytest.raises(InputError, match="npmi: these scores of models are weighted"):
        compare_scores(Scores(rows, better=scores.better), models)


def test_support_that_is_not_whole_stands_beside_the_value(made: Any) -> None:
    scores, models = made({"a": [0.1, 0.2, 0.3] * 2, "b": [0.1, 0.3, 0.2] * 2})
    rows = [Score(r.model, r.topic, r.metric, r.value, 0.5, "") for r in scores]
    found = compare_scores(Scores(rows, better=scores.better), models)
    assert str(found.table().rows[0][1][0]) == "0.2000 (50%) a"
    assert "share of comparisons that could be made" in found.legend[-1]


def test_scores_of_other_models_are_refused(made: Any) -> None:
    scores, _ = made({"a": [0.1, 0.2], "b": [0.1, 0.3]})
    _, models = made({"a": [0.1, 0.2], "c": [0.1, 0.3]})
    with pytest.raises(InputError, match="c: the scores have no npmi of the model"):
        compare_scores(scores, models)


def test_so_few_topics_can_never_differ(made: Any) -> None:
    """Five pairs: 2 / 32 = .0625; dealt out anew, 2 / 252 = .0079."""
    given = made({"a": np.arange(5.0), "b": np.arange(5.0) + 9})
    found = compare_scores(*given, pairing="matched")
    assert found.pairs[0].p == 2 / 32
    assert said(found, "no letters for npmi: so few topics can never differ significantly")
    assert said(found, "is 0.0625, above 0.05; give more topics, or compare without pairs")
    auto = compare_scores(*given)
    assert auto.pairs[0].significant
    assert (auto.pairs[0].pairing, auto.without_letters) == ("none", [])
    assert said(auto, "so few pairs of topics can never differ significantly: a and b")
    assert compare_scores(*given, level=0.1).pairs[0].pairing == "matched"


def test_no_letters_are_shown_where_nothing_could_differ(made: Any) -> None:
    """Three topics: 2 / 20 dealt out anew. In every format there is a line, and no letter."""
    found = compare_scores(*made({"a": [1.0, 2.0, 3.0], "b": [11.0, 12.0, 13.0]}))
    assert found.without_letters == ["npmi"]
    assert {row.letters for row in found.summary} == {""}
    assert [str(cells[0]) for _, cells in found.table().rows] == ["2.0000", "12.0000"]
    assert found.legend[0].startswith("No letters for npmi: no test could find a difference")
    assert not any("share a letter" in line for line in found.legend)
    content = json.loads(found.to_json())
    assert [row["letters"] for row in content["summary"]] == ["", ""]
    assert any(note.startswith("no letters for npmi: so few topics") for note in content["notes"])


def test_one_metric_may_lack_letters_and_another_have_them(made: Any) -> None:
    scores, models = made({"a": np.arange(8.0), "b": np.arange(8.0) + 20})
    rows = [
        Score(r.model, r.topic, "rare", r.value if r.topic in (None, 0, 1) else NAN, 1.0, "")
        for r in scores
    ]
    means = {"a": 0.5, "b": 20.5}
    rows = [
        Score(r.model, None, "rare", means[r.model], 1.0, "") if r.topic is None else r
        for r in rows
    ]
    both = Scores([*scores, *rows], better={"npmi": "higher", "rare": "higher"})
    found = compare_scores(both, models)
    assert found.without_letters == ["rare"]
    assert {r.metric for r in found.summary if r.letters} == {"npmi"}
    assert "share a letter" in found.legend[0]
    assert found.legend[1].startswith("No letters for rare:")


def test_pairing_is_chosen_by_numbers_and_never_by_values(made: Any) -> None:
    """Five models of eight topics: 2 / 256, ten times that is .078; so they are not paired."""
    for spread in (0.0, 1.0, 100.0):
        values = {name: RNG.normal(spread * k, 1, 8) for k, name in enumerate("abcde")}
        assert {row.pairing for row in compare_scores(*made(values)).pairs} == {"none"}
        four = {name: values[name] for name in "abcd"}  # six times 2 / 256 is .047
        assert {row.pairing for row in compare_scores(*made(four)).pairs} == {"matched"}
    assert len({row.letters for row in compare_scores(*made(values)).summary}) == 5


def test_the_correction_counts_in_what_can_never_differ(made: Any) -> None:
    """Six pairs: 2 / 64 = .03125 alone, three times that among three models."""
    row = np.arange(6.0)
    given = made({"a": row, "b": row + 9, "c": row + 20})
    found = compare_scores(*given, pairing="matched")
    assert said(found, "is 0.0938, above 0.05")
    assert not any(pair.significant for pair in found.pairs)
    assert compare_scores(*given).pairs[0].pairing == "none"
    controlled = compare_scores(*given, correction="bh")
    assert not said(controlled, "never")
    assert all(pair.significant for pair in controlled.pairs)
    assert {pair.pairing for pair in controlled.pairs} == {"matched"}


def test_too_few_draws_can_never_differ(made: Any) -> None:
    found = compare_scores(*made({"a": np.arange(12.0), "b": np.arange(12.0) + 9}), draws=10)
    assert said(found, "with 10 draws nothing can differ significantly: the smallest possible p")
    assert said(found, "is 0.0909, above 0.05; give more draws")
    assert not said(found, "topics can never")
    assert found.pairs[0].pairing == "matched"  # more pairs of topics would not help
    assert {row.letters for row in found.summary} == {""}


def test_many_models_have_as_many_draws_as_their_pairs_need(made: Any) -> None:
    """Twelve models are 66 pairs: 20 × 66 / .05 = 26,400 draws; with 1,000, 66 / 1001 > .05."""
    values = {f"m{chr(97 + k)}": RNG.normal(k, 0.1, 20) for k in range(12)}
    found = compare_scores(*made(values))
    assert (found.design.draws, found.design.bootstrap) == (26_400, 10_000)
    assert said(found, "26,400 permutations are drawn (bootstrap samples: 10,000)")
    assert len({row.letters for row in found.summary}) == 12
    fewer = compare_scores(*made(values), draws=1000)
    assert said(fewer, "no letters for npmi: with 1,000 draws nothing can differ significantly")
    assert not said(fewer, "permutations are drawn")


def test_models_of_many_sizes_have_fewer_draws_but_enough() -> None:
    """What is drawn for sizes 40 to 59 are 210 kinds of deals, 20,790 values at once."""

    def draws(units: list[int]) -> int:
        return design_for(units, "topics", ComparisonOptions()).draws

    assert draws([50] * 33) == 200_000  # 20 × 528 / .05 = 211,200 is above the most
    assert draws([40 + k % 20 for k in range(33)]) == 1_200_000_000 // 20_790
    # 2 × 4950 / .05: fewer could not tell a hundred models apart
    assert draws([40 + k % 20 for k in range(100)]) == 198_000


def test_student_s_intervals_are_said_where_there_are_any(made: Any) -> None:
    few = "those of fewer than 10 topics are Student's t"
    ten = {"a": RNG.normal(size=12), "b": RNG.normal(size=12)}
    assert not said(compare_scores(*made(ten)), few)
    # a metric without values has no interval of any kind
    scores, models = made(ten)
    rows = [Score(r.model, r.topic, "none", NAN, 1.0, "") for r in scores]
    both = Scores([*scores, *rows], better={"npmi": "higher", "none": "higher"})
    assert not said(compare_scores(both, models), few)
    # each model has 10 values of 12, but there are only 8 pairs
    holes = {name: row.copy() for name, row in ten.items()}
    holes["a"][:2] = NAN
    holes["b"][-2:] = NAN
    found = compare_scores(*made(holes))
    assert found.pairs[0].n == 8
    assert said(found, few)
    assert not said(compare_scores(*made(holes), pairing="none"), few)


def test_fewer_bootstrap_samples_of_many_topics_are_said(made: Any) -> None:
    values = {"a": RNG.normal(size=1250), "b": RNG.normal(size=1250)}
    found = compare_scores(*made(values), pairing="id")
    assert said(
        found, "intervals of up to 1,250 topics rest on 8,000 bootstrap samples, not on 10,000"
    )
    assert not said(compare_scores(*made(values), pairing="id", draws=500), "rest on")


def test_topics_without_a_value_are_said_once() -> None:
    texts = ["cat dog", "soup bread", "sun moon"]
    models = {
        "one": [["cat", "dog"], ["soup", "bread"], ["sun", "moon"], ["qqq", "www"]],
        "two": [["cat", "soup"], ["dog", "sun"], ["bread", "moon"], ["qqq", "eee"]],
    }
    found = compare(models, texts, "npmi")
    assert sum("one" in note and "1 of" in note for note in found.notes) == 1
    assert said(found, "one: 1 of 4 topics (3); two: 1 of 4 topics (3)")


def test_words_that_the_texts_lack_are_the_cause() -> None:
    models = {"one": [["qqq", "www"], ["eee", "rrr"]], "two": [["qqq", "rrr"], ["eee", "www"]]}
    with pytest.raises(InputError, match="one: not in the corpus: qqq, www, eee, rrr"):
        compare(models, ["cat dog", "soup bread"], "npmi")
