"""The result of a selection: the choice follows its rule, in words and tables."""

from __future__ import annotations

import json
import math

import pytest

from tealeaves.models import Selection
from tealeaves.models.selection.candidates import Candidate, TrainedRun


def selection_of(values: dict[int, list[float]], better: str = "higher") -> Selection:
    """A selection of made-up scores."""
    candidates = [
        Candidate(
            "lda",
            k,
            f"lda(k={k})",
            tuple(
                TrainedRun(f"lda-{k}-{seed}", seed, None, {"npmi": value}, {"npmi": 1.0})
                for seed, value in enumerate(runs, 1)
            ),
        )
        for k, runs in values.items()
    ]
    return Selection(candidates, {"npmi": better}, trained={}, weight=None, tokens="words")


def best_of(selection: Selection) -> Candidate:
    assert selection.best is not None
    return selection.best


def best_run_of(selection: Selection) -> TrainedRun:
    assert selection.best_run is not None
    return selection.best_run


def test_the_best_mean_is_taken_and_close_ones_are_named() -> None:
    # means 0.1, 0.5, 0.52; s² = 0.0004 each; t(6) = 2.4469; 2.4469 * √(0.0004 * 2 / 3) = 0.03996
    selection = selection_of({4: [0.08, 0.1, 0.12], 8: [0.48, 0.5, 0.52], 12: [0.5, 0.52, 0.54]})
    assert best_of(selection).k == 12
    assert [one.k for one in selection.as_good] == [8]
    assert best_run_of(selection).label == "lda-12-3"
    assert selection.explain() == [
        "Take lda(k=12): its npmi is the highest over 3 runs.",
        "Not clearly worse: k=8; of these lda(k=8) has the fewest topics.",
        "Its best run: lda-12-3",
    ]


def test_a_clear_choice_says_so_and_lower_may_be_better() -> None:
    selection = selection_of({4: [0.1, 0.11], 8: [0.5, 0.51]}, better="lower")
    assert best_of(selection).k == 4
    assert best_run_of(selection).label == "lda-4-1"
    assert "lowest" in selection.explain()[0]
    assert selection.explain()[1].startswith("All others are clearly worse")


def test_of_a_single_run_nothing_is_sure() -> None:
    selection = selection_of({4: [0.1], 8: [0.5]})
    assert selection.as_good == []
    assert "single run" in selection.explain()[1]
    assert "±" not in str(selection)
    row = json.loads(selection.to_jsonl().splitlines()[0])
    assert (row["mean"], row["low"], row["runs"]) == (0.1, None, 1)


def test_what_has_no_value_is_not_taken() -> None:
    selection = selection_of({4: [math.nan, math.nan], 8: [-0.5, math.nan]})
    assert best_of(selection).k == 8
    assert selection.explain() == [
        "Take lda(k=8): no other has a finite npmi.",
        "Not compared, without a finite value of npmi: k=4.",
        "Its best run: lda-8-1",
    ]
    assert [row["runs"] for row in selection.to_dicts()] == [0, 1]


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("nothing", [math.nan, math.inf, -math.inf])
def test_without_any_value_nothing_is_chosen(nothing: float, better: str) -> None:
    selection = selection_of({4: [nothing, nothing], 8: [nothing, nothing]}, better=better)
    assert (selection.best, selection.best_run, selection.best_topics) == (None, None, None)
    said = "No model has a finite value of npmi: nothing can be chosen."
    assert selection.explain() == [said]
    content = json.loads(selection.to_json())
    assert content["best"] is None
    assert content["notes"] == [said]
    assert not any(row["chosen"] for row in content["rows"])
    assert "**" not in selection.to_markdown()


@pytest.mark.parametrize("nothing", [math.nan, math.inf])
def test_what_has_no_value_is_not_called_worse(nothing: float) -> None:
    selection = selection_of(
        {4: [0.1, 0.11], 6: [0.1, nothing], 8: [0.5, 0.51], 9: [nothing, nothing]}
    )
    if math.isnan(nothing):  # a single run is compared by the variance of the others
        assert [one.k for one in selection.without_value] == [9]
    else:
        assert [one.k for one in selection.without_value] == [6, 9]
    listed = ", ".join(f"k={one.k}" for one in selection.without_value)
    assert selection.explain() == [
        "Take lda(k=8): its npmi is the highest over 2 runs.",
        "All others that have a value are clearly worse (95 % interval of the difference).",
        f"Not compared, without a finite value of npmi: {listed}.",
        "Its best run: lda-8-2",
    ]
    compared = json.loads(selection.to_json())["best"]["not_compared"]
    assert compared == [one.family for one in selection.without_value]


def test_of_one_candidate_nothing_is_said_of_others() -> None:
    assert selection_of({4: [0.1, 0.2, 0.3]}).explain() == [
        "Only lda(k=4) was tried: its npmi is 0.2000 over 3 runs.",
        "Its best run: lda-4-3",
    ]
    assert selection_of({4: [0.1]}).explain()[0] == "Only lda(k=4) was tried: its npmi is 0.1000."


def test_more_runs_are_advised_only_where_there_was_one() -> None:
    selection = selection_of({4: [0.1, math.nan], 8: [0.5, math.nan]})
    assert (
        selection.explain()[1]
        == "No model has values of two runs: how sure that is cannot be known."
    )


def test_of_equals_the_fewer_topics_are_taken() -> None:
    assert best_of(selection_of({8: [0.5, 0.5], 4: [0.5, 0.5]})).k == 4


def test_tables() -> None:
    # s² = 0.01 each, so pooled; t(4) = 2.776445; 2.776445 * 0.1 / √3 = 0.160298
    selection = selection_of({4: [0.3, 0.4, 0.5], 8: [0.6, 0.7, 0.8]})
    lines = str(selection).splitlines()
    assert lines[:3] == [
        "model  k           npmi ↑",
        "lda    4  0.4000 ± 0.1603",
        "lda    8  0.7000 ± 0.1603",
    ]
    assert lines[3].startswith("±: 95 % interval, variance of runs pooled over all candidates")
    low = json.loads(selection.to_jsonl().splitlines()[0])["low"]
    assert low == pytest.approx(0.4 - 0.160298, abs=1e-6)
    assert "**0.7000 ± 0.1603**" in selection.to_markdown()
    assert selection.to_polars().columns[:4] == ["model", "k", "metric", "mean"]
    assert selection.to_csv().splitlines()[0].startswith("model,k,metric,mean,low,high")
    assert json.loads(selection.to_json())["best"]["model"] == "lda(k=8)"
    assert "tabular" in selection.to_latex()


def test_printed_it_has_its_notes_at_the_end() -> None:
    selection = selection_of({2: [0.1, 0.2], 4: [0.3, 0.4]})
    assert selection.notes == []
    before = str(selection)
    selection.notes += ["vectors: minilm", "another"]
    assert str(selection) == f"{before}\nvectors: minilm\nanother"
