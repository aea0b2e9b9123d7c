"""Families of several runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tealeaves.comparison import compare_scores
from tealeaves.errors import InputError
from tealeaves.metrics.scores import Score, Scores

LDA = [0.30, 0.31, 0.35, 0.33, 0.36, 0.37]
NMF = [0.20, 0.24, 0.22, 0.27, 0.26, 0.21]


def runs(values: dict[str, list[float]], separator: str = "-", first: int = 1) -> dict[str, Any]:
    """Return each run as a model of two topics whose mean is the value."""
    return {
        f"{family}{separator}{number}": [value - 0.1, value + 0.1]
        for family, row in values.items()
        for number, value in enumerate(row, first)
    }


def test_runs_are_the_units(made: Any) -> None:
    found = compare_scores(*made(runs({"lda": LDA, "nmf": NMF})))
    assert (found.design.over, found.models) == ("seeds", ["lda", "nmf"])
    [row] = found.pairs
    assert (row.pairing, row.n) == ("seed", 6)
    assert (row.value_a, row.value_b) == pytest.approx((np.mean(LDA), np.mean(NMF)))
    assert row.p == 2 / 2**6  # all six are better
    assert row.significant
    assert [one.value for one in found.summary] == pytest.approx([np.mean(LDA), np.mean(NMF)])
    assert [one.n for one in found.summary] == [6, 6]
    assert any("by their names: lda (lda-1, lda-2, lda-3, lda-4 and 2 m" in n for n in found.notes)
    assert any("--over topics compares each by itself" in note for note in found.notes)
    assert "over runs" in str(found)


def test_runs_are_paired_by_their_seeds_in_whatever_order(made: Any) -> None:
    values = runs({"lda": LDA, "nmf": NMF})
    turned = dict(sorted(values.items(), key=lambda item: (item[0][:3], -int(item[0][-1]))))
    mixed = dict([*list(values.items())[:6], *list(turned.items())[6:]])
    assert list(mixed) != list(values)
    [row] = compare_scores(*made(mixed), test="t").pairs
    assert row.p == pytest.approx(stats.ttest_rel(LDA, NMF).pvalue, rel=1e-9)


def test_other_seeds_are_compared_without_pairs(made: Any) -> None:
    found = compare_scores(*made(runs({"lda": LDA}) | runs({"nmf": NMF}, first=4)), test="t")
    [row] = found.pairs
    assert row.pairing == "none"
    assert row.p == pytest.approx(stats.ttest_ind(LDA, NMF, equal_var=False).pvalue, rel=1e-9)
    assert any("their seeds differ: lda and nmf" in note for note in found.notes)


def test_a_single_run_is_shown_without_a_test(made: Any) -> None:
    found = compare_scores(*made(runs({"lda": LDA, "nmf": NMF}) | {"lsa": [0.4, 0.6]}))
    assert [row.letters for row in found.summary] == ["a", "b", ""]
    assert found.summary[2].value == 0.5
    assert "a single run, so not tested: lsa" in found.notes
    assert sum(row.significant for row in found.pairs) == 1
    # only one test was made, so nothing is to be corrected
    assert found.pair("lda", "nmf", "npmi").p_corrected == 2 / 2**6


def test_topics_may_be_compared_all_the_same(made: Any) -> None:
    given = made(runs({"lda": LDA[:2], "nmf": NMF[:2]}))
    assert compare_scores(*given).design.over == "seeds"
    found = compare_scores(*given, over="topics")
    assert (found.design.over, len(found.models)) == ("topics", 4)


def test_three_runs_can_never_differ(made: Any) -> None:
    given = made(runs({"lda": LDA[:3], "nmf": NMF[:3]}))
    # of 20 ways of dealing six values out, two are extreme: .1 is too much, as .25 of pairs
    found = compare_scores(*given)
    assert (found.pairs[0].p, found.pairs[0].pairing) == (0.1, "none")
    [note] = [note for note in found.notes if note.startswith("no letters for npmi: so few runs")]
    assert note.endswith("is 0.1, above 0.05; give more runs")
    assert [row.letters for row in found.summary] == ["", ""]
    assert compare_scores(*given, pairing="id").pairs[0].p == 0.25


def test_six_runs_of_four_families_are_told_apart(made: Any) -> None:
    """Pairs: 2 / 64, six times that is .19 at least. Dealt out anew: 2 / 924, six times .013."""
    values = {name: [10 * k + one for one in LDA] for k, name in enumerate(("a", "b", "c", "d"))}
    found = compare_scores(*made(runs(values)))
    assert [row.letters for row in found.summary] == ["d", "c", "b", "a"]
    assert {row.pairing for row in found.pairs} == {"none"}
    why = "compared without pairs, as so few pairs of runs can never differ significantly"
    assert any(note.startswith(why) for note in found.notes)
    # asked for, pairs are made, and letters are not
    paired = compare_scores(*made(runs(values)), pairing="id")
    assert {row.pairing for row in paired.pairs} == {"seed"}
    assert {row.letters for row in paired.summary} == {""}
    assert any("give more runs, or compare without pairs" in note for note in paired.notes)


def test_support_is_the_mean_of_that_of_the_runs(made: Any) -> None:
    scores, models = made(runs({"lda": LDA, "nmf": NMF}))
    rows = [
        Score(r.model, r.topic, r.metric, r.value, 0.5 if r.model.endswith("1") else 1.0, "")
        for r in scores
    ]
    found = compare_scores(Scores(rows, better=scores.better), models)
    assert [row.support for row in found.summary] == pytest.approx([5.5 / 6, 5.5 / 6])


def test_families_are_those_that_models_name(made: Any) -> None:
    names = list(runs({"x": LDA}))
    family = {name: "lda(k=2)" if number < 3 else "nmf(k=2)" for number, name in enumerate(names)}
    found = compare_scores(*made(runs({"x": LDA}), family=family))
    assert found.models == ["lda(k=2)", "nmf(k=2)"]
    assert found.pairs[0].pairing == "none"  # seeds 1 2 3 and 4 5 6


def test_metrics_of_whole_models_are_tested_over_runs(made: Any) -> None:
    values = runs({"lda": LDA, "nmf": NMF})
    whole = {name: float(np.mean(row)) + 1 for name, row in values.items()}
    found = compare_scores(*made(values, whole=whole))
    row = found.pair("lda", "nmf", "whole")
    assert row.significant
    assert row.value_a == pytest.approx(np.mean(LDA) + 1)


def test_families_of_one_run_each_are_refused(made: Any) -> None:
    with pytest.raises(InputError, match=r"but only a has several: a \(2\), b-1 \(1\)"):
        compare_scores(*made(runs({"a": LDA[:2], "b": NMF[:1]})), over="seeds")
