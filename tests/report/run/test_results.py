"""Every result of a command becomes a run in Python too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tealeaves import compare, correlate, demo, score, select
from tealeaves.errors import InputError
from tealeaves.evidence.sources import Sources
from tealeaves.judgments import Judgments, compare_judgments
from tealeaves.metrics.reading import read_scores
from tealeaves.report import Run, make_run, merge_runs, report_html, run_of

ALSO = "consensus@10"
TEXTS = ["red blue green", "cat dog cow", "red green", "dog cow"] * 10


def test_a_run_of_scores_is_the_one_that_is_made_of_models() -> None:
    models = demo.models()
    scores = score(models, demo.corpus(), "npmi@10", also=ALSO)
    made = make_run(models, demo.corpus(), "npmi@10")
    assert _without_date(run_of(scores, models)) == _without_date(made)


def _without_date(run: Run) -> str:
    return report_html(msgspec.structs.replace(run, origins=[]))


def test_topics_are_explained_only_if_evidence_was_gathered_for_it() -> None:
    models = demo.models()[:1]
    for also in ("", "npmi@5"):
        scores = score(models, demo.corpus(), "npmi@10", also=also)
        assert run_of(scores, models).explanations is None


def test_a_comparison_has_its_scores() -> None:
    models = demo.models()
    comparison = compare(models, demo.corpus(), "npmi@10", test="t", also=ALSO)
    run = run_of(comparison, models, command=["tealeaves", "compare"])
    assert run.comparison is comparison
    assert run.explanations is not None
    assert run.metrics == ["npmi@10"]
    assert run.origins[0].command == ["tealeaves", "compare"]


def test_without_models_the_words_are_those_of_the_scores() -> None:
    models = demo.models()
    comparison = compare(models, demo.corpus(), "npmi@10")
    run = run_of(comparison)
    assert run.comparison is comparison
    assert [model.name for model in run.models] == [model.model for model in models]
    assert run.models[0].topics[0].words == models[0].topics[0].words
    assert run.analysis is not None


def test_a_comparison_by_people_has_no_scores() -> None:
    comparison = compare_judgments(Judgments.of(demo.judgments()))
    run = run_of(comparison)
    assert (run.comparison, run.people_comparisons) == (None, [comparison])


def test_correlations_stand_beside_the_scores() -> None:
    models = demo.models()
    scores = score(models, demo.corpus(), "npmi@10", also=ALSO)
    found = correlate(scores, demo.judgments(), draws=100, permutations=99)
    run = run_of(found, models, scores=scores)
    assert run.correlations == [found]
    assert run.explanations is not None
    alone = run_of(found)
    assert (alone.models, alone.correlations) == ([], [found])
    assert "npmi@10" in report_html(alone)


def test_correlations_of_a_table(tmp_path: Path) -> None:
    scores = score(demo.models(), demo.corpus(), "npmi@10")
    scores.save(tmp_path / "scores.csv")
    saved = read_scores(tmp_path / "scores.csv")
    run = run_of(correlate(saved, demo.judgments(), draws=100, permutations=99), scores=saved)
    assert len(run.models) == 3
    assert len(run.correlations) == 1


def test_a_selection_has_its_models() -> None:
    selection = select("lda_vb", TEXTS, [2, 3], runs=2, also=ALSO)
    run = run_of(selection)
    assert run.selections == [selection]
    assert len(run.models) == 2
    assert run.explanations is not None


@pytest.mark.parametrize("as_sources", [False, True])
def test_translations_are_marked_by_the_dictionary(as_sources: bool, tmp_path: Path) -> None:
    demo.copy_to(tmp_path)
    corpus = {name: tmp_path / f"{name}.jsonl" for name in ("en", "es")}
    models = demo.multilingual_models()
    english, spanish = (models[0].side(name).topics[0].words[0] for name in ("en", "es"))
    given: dict[str, Any] = {"dictionary": {"en-es": [(english, spanish)]}}
    if as_sources:
        run = make_run(models, Sources(corpus, **given), "cnpmi@10")
    else:
        run = make_run(models, corpus, "cnpmi@10", **given)
    assert any(row.matches for row in run.side_by_side[0].rows)
    plain = make_run(models, corpus, "cnpmi@10")
    assert not any(row.matches for row in plain.side_by_side[0].rows)


@pytest.mark.parametrize("wrong", [None, "scores.csv", 3])
def test_what_is_no_result_is_refused_in_a_line(wrong: Any) -> None:
    with pytest.raises(InputError, match="a run is made of scores, a comparison, corr") as raised:
        run_of(wrong)
    assert "\n" not in str(raised.value)


def test_equal_results_of_several_runs_count_once() -> None:
    models = demo.models()
    scores = score(models, demo.corpus(), "npmi@10")
    people = Judgments.of(demo.judgments())

    def correlated(seed: int) -> Run:
        found = correlate(scores, people, draws=100, permutations=99, seed=seed)
        return run_of(found, models, scores=scores)

    assert len(merge_runs([correlated(0), correlated(0)]).correlations) == 1
    assert len(merge_runs([correlated(0), correlated(1)]).correlations) == 2
    compared = [run_of(compare_judgments(people)) for _ in range(2)]
    assert len(merge_runs(compared).people_comparisons) == 1
    selected = [run_of(select("lda_vb", TEXTS, [2, 3], runs=2)) for _ in range(2)]
    assert len(merge_runs(selected).selections) == 1


def test_equal_sides_of_several_runs_count_once(tmp_path: Path) -> None:
    demo.copy_to(tmp_path)
    corpus = {name: tmp_path / f"{name}.jsonl" for name in ("en", "es")}
    runs = [make_run(demo.multilingual_models(), corpus, "cnpmi@10") for _ in range(2)]
    assert len(merge_runs(runs).side_by_side) == 1
