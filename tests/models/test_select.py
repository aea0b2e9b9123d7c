"""Choosing a model: the demo's themes are found, and the choice follows its rule."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from tealeaves import demo, score
from tealeaves.errors import InputError
from tealeaves.models import Selection, model, select
from tealeaves.models.candidates import Candidate, Run

SMALL = "lda(iterations=40)"


def made(values: dict[int, list[float]], better: str = "higher") -> Selection:
    """A selection of made-up scores."""
    candidates = [
        Candidate(
            "lda",
            k,
            f"lda(k={k})",
            tuple(
                Run(f"lda-{k}-{seed}", seed, None, {"npmi": value}, {"npmi": 1.0})
                for seed, value in enumerate(found, 1)
            ),
        )
        for k, found in values.items()
    ]
    return Selection(candidates, {"npmi": better}, trained={}, weight=None, tokens="words")


def chosen(found: Selection) -> Candidate:
    assert found.best is not None
    return found.best


def chosen_run(found: Selection) -> Run:
    assert found.best_run is not None
    return found.best_run


@pytest.mark.parametrize(("language", "seed"), [("en", 1), ("es", 101)])
def test_lda_finds_the_eight_themes_of_the_demo(language: str, seed: int) -> None:
    found = select("lda", demo.corpus(language), "2:20:2", seed=seed)
    assert 6 <= chosen(found).k <= 10
    assert chosen(found).mean("npmi@10").value > 0.45


def test_nmf_finds_the_eight_themes_of_the_demo() -> None:
    found = select("nmf", demo.corpus("en"), "2:20:4,8", runs=2)
    assert 6 <= chosen(found).k <= 10


def test_the_numbers_are_those_of_score() -> None:
    found = select(SMALL, demo.corpus("en"), "4,6", "npmi@10 c_v@10", runs=2)
    assert list(found.trained) == ["lda-4-1", "lda-4-2", "lda-6-1", "lda-6-2"]
    scores = score(
        list(found.trained.values()),
        demo.corpus("en"),
        "npmi@10 c_v@10",
        tokens="words(stopwords=en)",
        weight="documents",
    )
    for candidate in found.candidates:
        for run in candidate.runs:
            for metric, value in run.values.items():
                assert value == scores.value(run.label, metric)
    assert found.best_topics is found.trained[chosen_run(found).label]
    plain = select(SMALL, demo.corpus("en"), "4", runs=2, weight=None)
    first = plain.candidates[0].runs[0]
    unweighted = score(found.trained["lda-4-1"], demo.corpus("en"), "npmi@10")
    assert first.values["npmi@10"] == unweighted.value("lda-4-1", "npmi@10")


def test_what_is_not_weighted_is_not_called_so() -> None:
    found = select(SMALL, demo.corpus("en"), "3,4", "perplexity npmi@10", runs=1)
    assert found.explain()[0] == ("Take lda(k=4, iterations=40): its perplexity is the lowest.")
    found = select(SMALL, demo.corpus("en"), "3,4", "npmi@10 perplexity", runs=1)
    assert "npmi@10 (weighted by documents)" in found.explain()[0]


def test_the_best_mean_is_taken_and_close_ones_are_named() -> None:
    # means 0.1, 0.5, 0.52; s² = 0.0004 each; t(6) = 2.4469; 2.4469 * √(0.0004 * 2 / 3) = 0.03996
    found = made({4: [0.08, 0.1, 0.12], 8: [0.48, 0.5, 0.52], 12: [0.5, 0.52, 0.54]})
    assert chosen(found).k == 12
    assert [one.k for one in found.as_good] == [8]
    assert chosen_run(found).label == "lda-12-3"
    assert found.explain() == [
        "Take lda(k=12): its npmi is the highest over 3 runs.",
        "Not clearly worse: k=8; of these lda(k=8) has the fewest topics.",
        "Its best run: lda-12-3",
    ]


def test_a_clear_choice_says_so_and_lower_may_be_better() -> None:
    found = made({4: [0.1, 0.11], 8: [0.5, 0.51]}, better="lower")
    assert chosen(found).k == 4
    assert chosen_run(found).label == "lda-4-1"
    assert "lowest" in found.explain()[0]
    assert found.explain()[1].startswith("All others are clearly worse")


def test_of_a_single_run_nothing_is_sure() -> None:
    found = made({4: [0.1], 8: [0.5]})
    assert found.as_good == []
    assert "single run" in found.explain()[1]
    assert "±" not in str(found)
    row = json.loads(found.to_jsonl().splitlines()[0])
    assert (row["mean"], row["low"], row["runs"]) == (0.1, None, 1)


def test_what_has_no_value_is_not_taken() -> None:
    found = made({4: [math.nan, math.nan], 8: [-0.5, math.nan]})
    assert chosen(found).k == 8
    assert found.explain() == [
        "Take lda(k=8): no other has a finite npmi.",
        "Not compared, without a finite value of npmi: k=4.",
        "Its best run: lda-8-1",
    ]
    assert [row["runs"] for row in found.to_dicts()] == [0, 1]


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("nothing", [math.nan, math.inf, -math.inf])
def test_without_any_value_nothing_is_chosen(nothing: float, better: str) -> None:
    found = made({4: [nothing, nothing], 8: [nothing, nothing]}, better=better)
    assert (found.best, found.best_run, found.best_topics) == (None, None, None)
    said = "No model has a finite value of npmi: nothing can be chosen."
    assert found.explain() == [said]
    content = json.loads(found.to_json())
    assert content["best"] is None
    assert content["notes"] == [said]
    assert not any(row["chosen"] for row in content["rows"])
    assert "**" not in found.to_markdown()


@pytest.mark.parametrize("nothing", [math.nan, math.inf])
def test_what_has_no_value_is_not_called_worse(nothing: float) -> None:
    found = made({4: [0.1, 0.11], 6: [0.1, nothing], 8: [0.5, 0.51], 9: [nothing, nothing]})
    if math.isnan(nothing):  # a single run is compared by the variance of the others
        assert [one.k for one in found.without_value] == [9]
    else:
        assert [one.k for one in found.without_value] == [6, 9]
    listed = ", ".join(f"k={one.k}" for one in found.without_value)
    assert found.explain() == [
        "Take lda(k=8): its npmi is the highest over 2 runs.",
        "All others that have a value are clearly worse (95 % interval of the difference).",
        f"Not compared, without a finite value of npmi: {listed}.",
        "Its best run: lda-8-2",
    ]
    compared = json.loads(found.to_json())["best"]["not_compared"]
    assert compared == [one.family for one in found.without_value]


def test_of_one_candidate_nothing_is_said_of_others() -> None:
    assert made({4: [0.1, 0.2, 0.3]}).explain() == [
        "Only lda(k=4) was tried: its npmi is 0.2000 over 3 runs.",
        "Its best run: lda-4-3",
    ]
    assert made({4: [0.1]}).explain()[0] == "Only lda(k=4) was tried: its npmi is 0.1000."


def test_more_runs_are_advised_only_where_there_was_one() -> None:
    found = made({4: [0.1, math.nan], 8: [0.5, math.nan]})
    assert found.explain()[1] == "None has a value of two runs: how sure that is cannot be said."


def test_of_equals_the_fewer_topics_are_taken() -> None:
    assert chosen(made({8: [0.5, 0.5], 4: [0.5, 0.5]})).k == 4


def test_tables() -> None:
    # s² = 0.01 each, so pooled; t(4) = 2.776445; 2.776445 * 0.1 / √3 = 0.160298
    found = made({4: [0.3, 0.4, 0.5], 8: [0.6, 0.7, 0.8]})
    lines = str(found).splitlines()
    assert lines[:3] == [
        "model  k           npmi ↑",
        "lda    4  0.4000 ± 0.1603",
        "lda    8  0.7000 ± 0.1603",
    ]
    assert lines[3].startswith("±: 95 % interval, variance of runs pooled over all candidates")
    low = json.loads(found.to_jsonl().splitlines()[0])["low"]
    assert low == pytest.approx(0.4 - 0.160298, abs=1e-6)
    assert "**0.7000 ± 0.1603**" in found.to_markdown()
    assert found.to_polars().columns[:4] == ["model", "k", "metric", "mean"]
    assert found.to_csv().splitlines()[0].startswith("model,k,metric,mean,low,high")
    assert json.loads(found.to_json())["best"]["model"] == "lda(k=8)"
    assert "tabular" in found.to_latex()


def test_models_of_one_name_are_told_apart() -> None:
    found = select(["lda(iterations=20)", "lda(iterations=30)"], demo.corpus("en"), 4, runs=1)
    assert list(found.trained) == ["lda.1-4-1", "lda.2-4-1"]
    assert [one.kind for one in found.candidates] == ["lda(iterations=20)", "lda(iterations=30)"]


def test_a_model_that_finds_its_number_of_topics_is_one_candidate() -> None:
    found = select("hdp(iterations=50)", demo.corpus("en"), runs=2)
    [one] = found.candidates
    sizes = [len(topics) for topics in found.trained.values()]
    assert one.k == round(sum(sizes) / 2)


@pytest.mark.parametrize(
    ("models", "k", "message"),
    [
        ("lda", "500", "more topics than texts with words"),
        ("lad", "5", "did you mean lda"),
        ([], "5", "no model is named"),
        ("lda", "5:2", "holds no number"),
        ("lda", None, "lda: give the numbers of topics with -k"),
        ("lda(k=20)", "5", r"lda\(k=20\): leave out k, which -k gives to each model"),
        ("lda(seed=1)", "5", r"lda\(seed=1\): leave out seed, which --seed gives to each model"),
        (model("lda(seed=9)"), "5", "leave out seed"),
        ("lda(iterations=10, samples=6)", "5", "at most one sample an iteration"),
    ],
)
def test_nonsense_is_refused_before_anything_is_trained(
    models: Any, k: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        select(models, demo.corpus("en"), k, folder=tmp_path / "grid")
    assert not (tmp_path / "grid").exists()


def test_printed_it_has_its_notes_at_the_end() -> None:
    found = made({2: [0.1, 0.2], 4: [0.3, 0.4]})
    assert found.notes == []
    before = str(found)
    found.notes += ["vectors: minilm", "another"]
    assert str(found) == f"{before}\nvectors: minilm\nanother"
