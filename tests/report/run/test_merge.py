"""Runs are put together, and what does not fit together is refused."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tealeaves import demo
from tealeaves.comparison import Comparison, compare_scores
from tealeaves.errors import InputError
from tealeaves.metrics.scores import Score, Scores
from tealeaves.report import report_html
from tealeaves.report.run import Run, merge_runs, open_run
from tealeaves.report.run.results import make_run, run_of, run_of_table
from tealeaves.topics.topics import Topics


def a_run(
    name: str, values: Sequence[float], *, metric: str = "npmi@10", signature: str = "s"
) -> Run:
    """Return the run of one model of two words a topic."""
    model = Topics.of([[f"w{n}", f"v{n}"] for n in range(len(values))], model=name)
    rows = [Score(name, n, metric, value, 1.0, signature) for n, value in enumerate(values)]
    mean = math.fsum(values) / len(values)
    rows.append(Score(name, None, metric, mean, 1.0, signature))
    return run_of(Scores(rows, better={metric: "higher"}), [model])


def test_models_and_metrics_of_runs_stand_beside_each_other() -> None:
    found = merge_runs(
        [a_run("lda", [0.1, 0.3]), a_run("nmf", [0.2, 0.4]), a_run("lda", [1.0, 2.0], metric="c_v")]
    )
    assert [model.name for model in found.models] == ["lda", "nmf"]
    assert found.metrics == ["npmi@10", "c_v"]
    assert found.values["lda", None, "c_v"].value == 1.5
    assert found.decisive == "npmi@10"  # which both models have


def test_the_same_run_twice_counts_once() -> None:
    run = a_run("lda", [0.1, math.nan])
    found = merge_runs([run, run])
    assert len(found.scores.rows) == 3


@pytest.mark.parametrize(
    "other",
    [a_run("lda", [0.1, 0.3000001]), a_run("lda", [0.1, 0.3], signature="other texts")],
)
def test_two_scores_of_the_same_are_refused(other: Run) -> None:
    with pytest.raises(InputError, match="two runs have different scores of npmi@10 for lda"):
        merge_runs([a_run("lda", [0.1, 0.3]), other])


def test_different_texts_are_noted() -> None:
    runs = [
        a_run("lda", [0.1, 0.3], signature="npmi@10|tokens=words|texts=128#a|tealeaves=1"),
        a_run("nmf", [0.2, 0.4], signature="npmi@10|tokens=words|texts=40#b|tealeaves=1"),
    ]
    merged = merge_runs(runs)
    note = (
        "models such as lda, nmf were scored on different texts, so that their values of npmi@10 "
        "cannot be compared: score all models on the same texts"
    )
    assert merged.notes[0] == note
    assert merge_runs([merged, runs[0]]).notes.count(note) == 1
    assert note in report_html(merged)
    assert not merge_runs([runs[0], a_run("nmf", [0.2], signature="npmi@10|texts=128#a")]).notes


def test_other_words_under_the_same_name_are_another_model() -> None:
    model = Topics.of([["x", "y"]], model="lda")
    rows = [Score("lda", 0, "npmi@10", 0.9, 1.0, "s"), Score("lda", None, "npmi@10", 0.9, 1.0, "s")]
    scores = Scores(rows, better={"npmi@10": "higher"}, marked={("lda", 0): ("y",)})
    found = merge_runs([a_run("lda", [0.1]), run_of(scores, [model])], ["monday", "tuesday"])
    assert [one.name for one in found.models] == ["lda", "lda (tuesday)"]
    assert found.values["lda", None, "npmi@10"].value == 0.1
    assert found.values["lda (tuesday)", None, "npmi@10"].value == 0.9
    assert found.scores.marked == {("lda (tuesday)", 0): ("y",)}


def test_three_runs_of_two_models_are_two() -> None:
    lists = [[["x", "y"]], [["z", "w"]], [["z", "w"]]]
    runs = [run_of(Scores([], better={}), [Topics.of(one, model="m")]) for one in lists]
    assert [one.name for one in merge_runs(runs, ["A", "B", "C"]).models] == ["m", "m (B)"]


def test_models_with_no_topic_in_common_are_two() -> None:
    lists = [{"1": ["x", "y"]}, {"2": ["z", "w"]}]
    runs = [run_of(Scores([], better={}), [Topics.of(one, model="m")]) for one in lists]
    assert [one.name for one in merge_runs(runs, ["A", "B"]).models] == ["m", "m (B)"]


def test_an_error_says_what_differs_and_where() -> None:
    one, other = (a_run("lda", [0.1], signature=f"npmi@10|tokens={t}|x") for t in ("words", "icu"))
    with pytest.raises(InputError) as refused:
        merge_runs([one, other], ["monday", "tuesday"])
    said = str(refused.value)
    assert "0.1 with tokens=words in monday" in said
    assert "0.1 with tokens=icu in tuesday" in said
    with pytest.raises(InputError, match=r"topic 0: 0\.1 in monday, 0\.2 in tuesday"):
        merge_runs([a_run("lda", [0.1]), a_run("lda", [0.2])], ["monday", "tuesday"])


def test_a_topic_may_be_called_none() -> None:
    rows = [Score("m", "None", "npmi", 0.25, 1.0, ""), Score("m", None, "npmi", 0.5, 1.0, "")]
    found = merge_runs([run_of_table(Scores(rows, better={"npmi": "higher"}))])
    assert found.values["m", "None", "npmi"].value == 0.25
    assert found.values["m", None, "npmi"].value == 0.5


def test_a_model_without_a_value_of_its_own_has_the_mean_of_its_topics() -> None:
    rows = [Score("m", n, "npmi", value, 1.0, "") for n, value in enumerate([0.25, 0.75, math.nan])]
    found = merge_runs([run_of_table(Scores(rows, better={"npmi": "higher"}))])
    assert found.model_value("m", "npmi") == 0.5
    assert math.isnan(found.model_value("m", "c_v"))


def test_a_run_that_knows_fewer_words_or_topics_is_the_same_model() -> None:
    long = Topics.of([["w0", "v0", "u0"]], model="lda")
    found = merge_runs([a_run("lda", [0.1, 0.3]), run_of(Scores([], better={}), [long])])
    assert [topic.words for topic in found.models[0].topics] == [("w0", "v0", "u0"), ("w1", "v1")]


def test_no_runs_are_refused() -> None:
    with pytest.raises(InputError, match="no runs"):
        merge_runs([])


def test_consensus_decides_where_it_was_asked_for() -> None:
    run = make_run(demo.models(), demo.corpus(), "umass@10 consensus@10")
    assert merge_runs([run]).decisive == "consensus@10"


def test_a_table_of_another_program_is_a_run(tmp_path: Path) -> None:
    path = tmp_path / "theirs.csv"
    path.write_text("model,topic,c_v,words\nlda,0,0.5,cat dog\nlda,1,0.7,soup bread\n")
    found = merge_runs([open_run(path)])
    assert found.first_words["lda", "1"] == ("soup", "bread")
    assert found.topic_metrics == ["c_v"]


def test_data_sets_have_models_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "both.csv"
    path.write_text("dataset,model,topic,npmi\nnews,lda,0,0.5\nwiki,lda,0,0.7\n")
    found = merge_runs([open_run(path)])
    assert [model.name for model in found.models] == ["lda of news", "lda of wiki"]


def test_a_page_is_not_read_back(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"save the run beside it \(--run"):
        open_run(tmp_path / "report.html")


def test_scores_without_words_have_topics_all_the_same() -> None:
    rows = [Score("m", "a", "npmi", 0.5, 1.0, ""), Score("m", None, "npmi", 0.5, 1.0, "")]
    run = run_of_table(Scores(rows, better={"npmi": "higher"}))
    assert [topic.id for topic in run.models[0].topics] == ["a"]
    assert run.models[0].topics[0].words == ()


# ---------------------------------------------------------------------- comparisons


def compared(values: Mapping[str, Sequence[float]], metric: str = "npmi@10", **options: Any) -> Run:
    """Return the run of `compare` on models of two words a topic."""
    runs = [a_run(name, numbers, metric=metric) for name, numbers in values.items()]
    models = [model.as_topics() for run in runs for model in run.models]
    rows = [row for run in runs for row in run.scores.rows]
    scores = Scores(rows, better={metric: "higher"})
    return run_of(compare_scores(scores, models, **options), models)


def comparison_of(run: Run) -> Comparison:
    assert run.comparison is not None
    return run.comparison


BOTH = {"lda": [0.1, 0.3, 0.5], "nmf": [0.2, 0.45, 0.6]}
OPTIONS: dict[str, Any] = {
    "test": "t",
    "correction": "bh",
    "level": 0.1,
    "pairing": "id",
    "draws": 500,
    "seed": 7,
}


def test_metrics_of_other_runs_are_compared_in_the_same_way() -> None:
    run = compared(BOTH, **OPTIONS)
    more = [a_run(name, values[::-1], metric="c_v") for name, values in BOTH.items()]
    found = comparison_of(merge_runs([run, *more]))
    assert list(found.better) == ["npmi@10", "c_v"]
    assert found.design == comparison_of(run).design
    assert found.pair("lda", "nmf", "npmi@10") == comparison_of(run).pair("lda", "nmf", "npmi@10")


def test_models_of_other_runs_are_compared_in_the_same_way() -> None:
    merged = merge_runs([compared(BOTH, **OPTIONS), a_run("btm", [0.3, 0.2, 0.9])])
    found = comparison_of(merged)
    assert found.models == ["lda", "nmf", "btm"]
    assert found.design.options == {"over": "topics", **OPTIONS}
    assert merged.tested is found
    assert merged.analysis is not None
    assert merged.analysis.comparison is None  # the same is not kept twice


def test_a_renamed_model_is_compared_in_the_same_way() -> None:
    other = Topics.of([["x", "y"], ["z", "w"], ["u", "q"]], model="lda")
    rows = [Score("lda", n, "npmi@10", 0.5 + n, 1.0, "s") for n in range(3)]
    rows.append(Score("lda", None, "npmi@10", 1.5, 1.0, "s"))
    first = run_of(Scores(rows, better={"npmi@10": "higher"}), [other])
    found = comparison_of(merge_runs([first, compared(BOTH, **OPTIONS)], ["monday", "tuesday"]))
    assert found.models == ["lda", "lda (tuesday)", "nmf"]
    assert found.design.test == "t"


def test_a_comparison_of_everything_is_kept() -> None:
    run = compared(BOTH, **OPTIONS)
    assert merge_runs([run, a_run("lda", BOTH["lda"])]).comparison is run.comparison
    partly = merge_runs([run, a_run("lda", BOTH["lda"], metric="c_v")])
    assert partly.comparison is run.comparison  # nmf has no c_v


def test_the_first_of_two_ways_to_compare_counts_and_a_note_says_so() -> None:
    one, other = compared(BOTH, test="t"), compared(BOTH, metric="c_v", test="wilcoxon")
    found = merge_runs([one, other], ["monday", "tuesday"])
    assert comparison_of(found).design.test == "t"
    assert list(comparison_of(found).better) == ["npmi@10", "c_v"]
    note = (
        "tuesday compared models in another way than monday: all models are compared as in monday"
    )
    assert note in found.notes
    same = merge_runs([one, compared(BOTH, metric="c_v", test="t")])
    assert not any("in another way" in note for note in same.notes)


def test_models_that_cannot_be_compared_in_the_same_way_are_not_tested() -> None:
    other = Topics.of({"a": ["x", "y"], "b": ["z", "w"]}, model="btm")
    rows = [Score("btm", name, "npmi@10", 0.5, 1.0, "s") for name in "ab"]
    rows.append(Score("btm", None, "npmi@10", 0.5, 1.0, "s"))
    run = run_of(Scores(rows, better={"npmi@10": "higher"}), [other])
    found = merge_runs([compared(BOTH, **OPTIONS), run])
    assert found.tested is None
    assert found.analysis is not None
    assert "have no id in common" in found.analysis.untested


def test_by_default_more_models_get_more_permutations() -> None:
    values = {f"m{n}": [0.1 * n, 0.3, 0.5, 0.2 * n] for n in range(9)}
    run = compared(values)
    more = a_run("btm", [0.3, 0.2, 0.9, 0.4])
    assert comparison_of(run).design.options["draws"] is None
    assert comparison_of(merge_runs([run, more])).design.draws > comparison_of(run).design.draws
