"""What the sections of a report say, checked by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec
import pytest

from tealeaves import demo
from tealeaves.comparison import compare_scores
from tealeaves.consensus.explanations import Explanation, Explanations
from tealeaves.consensus.words import WeakPair
from tealeaves.judgments.judgments import Judgments
from tealeaves.metrics.scores import Score, Scores
from tealeaves.report.report import make_page
from tealeaves.report.run import Run, merge_runs
from tealeaves.report.run.results import make_run, run_of, run_of_table
from tealeaves.report.run.run import RunOrigin
from tealeaves.report.sections.extremes import extremes
from tealeaves.report.sections.metric_agreement import metric_agreement
from tealeaves.report.sections.parts import (
    Card,
    Cards,
    Code,
    Figure,
    Notes,
    Picker,
    ReportTable,
    Section,
)
from tealeaves.report.sections.people import people
from tealeaves.report.sections.provenance import provenance
from tealeaves.report.sections.strips import strips
from tealeaves.report.sections.terms import terms
from tealeaves.report.sections.verdict import verdict
from tealeaves.report.sections.words import words_of
from tealeaves.topics.topics import Topics

T = TypeVar("T")
Values = Mapping[str, Mapping[str, Sequence[float]]]


def merged_run(values: Values, better: Mapping[str, str], support: float = 1.0) -> Run:
    """Return the run of models with a value for each topic, by metric; models have the mean."""
    return merge_runs([run_with(values, better, support)])


def run_with(values: Values, better: Mapping[str, str], support: float = 1.0) -> Run:
    models, rows = [], []
    for name, metrics in values.items():
        size = len(next(iter(metrics.values())))
        words = [[f"{name}{n}", f"other{n}", "shared"] for n in range(size)]
        models.append(Topics.of(words, model=name))
        for metric, column in metrics.items():
            known = [value for value in column if not math.isnan(value)]
            rows += [
                Score(name, n, metric, value, 0.0 if math.isnan(value) else 1.0, f"{metric}|s")
                for n, value in enumerate(column)
            ]
            mean = math.fsum(known) / len(known) if known else math.nan
            rows.append(Score(name, None, metric, mean, support, f"{metric}|s"))
    return run_of(Scores(rows, better=better), models)


GOOD = [0.5, 0.6, 0.7, 0.55, 0.65, 0.45, 0.52, 0.61]
BAD = [0.1, 0.2, 0.05, 0.15, 0.12, 0.18, 0.11, 0.02]
HIGHER = {"npmi@10": "higher"}


def test_the_best_model_is_named_with_what_it_differs_from() -> None:
    found = merged_run({"bad": {"npmi@10": BAD}, "good": {"npmi@10": GOOD}}, HIGHER)
    section = verdict(found)
    assert section is not None
    assert section.lead[0].startswith("“good” is best by npmi@10 (normalised pointwise")
    assert section.lead[0].endswith("mean): 0.573 (0.503 to 0.642).")
    assert section.lead[1] == "It differs significantly from all others."
    table = _one(section, ReportTable)
    assert [row[:2] for row in table.rows] == [[1, "good"], [2, "bad"]]
    assert str(table.rows[0][2]).startswith("0.573 [")
    assert str(table.rows[0][2]).endswith("a")
    assert str(table.rows[1][2]).endswith("b")
    assert [row[3] for row in table.rows] == [8, 8]


def test_a_difference_that_may_be_chance_is_not_called_one() -> None:
    near = [value + (0.02, -0.01)[n % 2] for n, value in enumerate(GOOD)]
    section = verdict(merged_run({"a": {"npmi@10": GOOD}, "b": {"npmi@10": near}}, HIGHER))
    assert section is not None
    assert "does not differ significantly from" in section.lead[1]


def test_lower_can_be_better() -> None:
    found = merged_run({"a": {"x": GOOD}, "b": {"x": BAD}}, {"x": "lower"})
    section = verdict(found)
    assert section is not None
    assert section.lead[0].startswith("“b” is best by x: 0.116")


def test_metrics_that_disagree_are_named() -> None:
    values = {"a": {"m": GOOD, "n": BAD}, "b": {"m": BAD, "n": GOOD}}
    section = verdict(merged_run(values, {"m": "higher", "n": "higher"}))
    assert section is not None
    assert "1 of 2 metrics puts it first; n puts “b” first." in section.lead


def test_low_support_is_told() -> None:
    section = verdict(merged_run({"a": {"npmi@10": GOOD}}, HIGHER, support=0.5))
    assert "(50 % support)" in str(_one(section, ReportTable).rows[0][2])
    two = {"a": {"npmi@10": GOOD}, "b": {"npmi@10": BAD}}
    section = verdict(merged_run(two, HIGHER, support=0.5))
    assert section is not None
    assert section.lead[-1].startswith("Look at the support: npmi@10 of “a” rests on 50 %")


def test_one_model_is_compared_with_none() -> None:
    section = verdict(merged_run({"a": {"npmi@10": GOOD}}, HIGHER))
    assert section is not None
    assert section.lead[0].startswith("“a” scores 0.573 (0.503 to 0.642) by npmi@10 (")
    assert [type(part) for part in section.parts] == [ReportTable]


def test_models_without_a_value_are_last_and_have_no_place() -> None:
    nothing = [math.nan] * 8
    section = verdict(merged_run({"a": {"npmi@10": nothing}, "b": {"npmi@10": GOOD}}, HIGHER))
    assert [row[:2] for row in _one(section, ReportTable).rows] == [[1, "b"], [None, "a"]]


def test_nothing_is_best_where_nothing_has_a_value() -> None:
    nothing = [math.nan] * 8
    section = verdict(merged_run({"a": {"npmi@10": nothing}, "b": {"npmi@10": nothing}}, HIGHER))
    assert _lead(section)[0].startswith("No model has a value of npmi@10.")
    assert [row[0] for row in _one(section, ReportTable).rows] == [None, None]


def test_equals_share_the_first_place() -> None:
    values = {name: {"m": GOOD, "n": BAD} for name in "ab"}
    section = verdict(merged_run(values, {"m": "higher", "n": "higher"}))
    assert _lead(section)[0].startswith("“a” and “b” share the first place by m, with 0.573")
    assert [row[0] for row in _one(section, ReportTable).rows] == [1, 1]
    assert "puts" not in " ".join(_lead(section))


def test_a_metric_without_direction_ranks_nobody() -> None:
    section = verdict(merged_run({"a": {"foo": GOOD}, "b": {"foo": BAD}}, {}))
    assert _lead(section) == [
        "Models are not ranked, because it is not known whether higher or lower is better for foo."
    ]


def test_models_with_no_metric_in_common_are_not_ranked() -> None:
    runs = [
        run_with({"a": {"m": GOOD}}, {"m": "higher"}),
        run_with({"b": {"n": BAD}}, {"n": "higher"}),
    ]
    found = merge_runs(runs)
    section = verdict(found)
    assert _lead(section) == [
        "Models cannot be ranked: no metric whose direction is known was computed for all of them."
    ]
    assert make_page(found).sections


def test_scores_without_words_are_compared_all_the_same() -> None:
    rows = [
        Score(name, n, "npmi@10", value, 1.0, "")
        for name, values in (("a", GOOD), ("b", BAD))
        for n, value in enumerate(values)
    ]
    found = merge_runs([run_of_table(Scores(rows, better=HIGHER))])
    section = verdict(found)
    assert _lead(section)[1] == "It differs significantly from all others."
    assert [one.id for one in make_page(found).sections] == [
        "verdict",
        "topics",
        "extremes",
        "provenance",
    ]


def test_scores_of_models_alone_are_ranked() -> None:
    rows = [Score("a", None, "npmi@10", 0.5, 1.0, ""), Score("b", None, "npmi@10", 0.6, 1.0, "")]
    page = make_page(merge_runs([run_of_table(Scores(rows, better=HIGHER))]))
    assert page.sections[0].lead[0].startswith("“b” is best by npmi@10")


def test_families_are_ranked_where_runs_are_compared() -> None:
    models, rows = [], []
    for family, base in (("lda", 0.1), ("nmf", 0.3)):
        for seed in range(5):
            name = f"{family}-{seed}"
            models.append(Topics.of([["x", "y"]], model=name, family=family))
            value = base + seed / 100
            rows += [Score(name, 0, "npmi@10", value, 1.0, "s")]
            rows += [Score(name, None, "npmi@10", value, 1.0, "s")]
    scores = Scores(rows, better=HIGHER)
    compared = compare_scores(scores, models, over="seeds")
    run = run_of(compared, models, scores=scores)
    section = verdict(merge_runs([run]))
    assert _lead(section)[0].startswith("“nmf” is best by npmi@10")
    table = _one(section, ReportTable)
    assert [[*row[:2], row[-1]] for row in table.rows] == [[1, "nmf", 5], [2, "lda", 5]]
    assert table.columns[-1] == "runs"


def test_a_comparison_of_some_models_is_made_anew() -> None:
    values = {"a": {"npmi@10": GOOD}, "b": {"npmi@10": BAD}}
    run = run_with(values, HIGHER)
    models = [model.as_topics() for model in run.models]
    compared = compare_scores(run.scores, models, test="t")
    run = msgspec.structs.replace(run, comparison=compared)
    better = run_with({"c": {"npmi@10": [value + 1 for value in GOOD]}}, HIGHER)
    assert merge_runs([run]).comparison is not None
    both = merge_runs([run, better])
    assert both.tested is not None
    assert both.tested.models == ["a", "b", "c"]
    assert both.tested.design.test == "t"
    lead = _lead(verdict(both))
    assert lead[0].startswith("“c” is best by npmi@10")


def test_infinity_is_no_best() -> None:
    rows = [Score(n, None, "npmi@10", v, 1.0, "") for n, v in (("a", math.inf), ("b", 0.5))]
    lead = _lead(verdict(merge_runs([run_of_table(Scores(rows, better=HIGHER))])))
    assert lead[0].startswith("“b” is best by npmi@10")
    rows = [Score(n, None, "npmi@10", math.inf, 1.0, "") for n in "ab"]
    lead = _lead(verdict(merge_runs([run_of_table(Scores(rows, better=HIGHER))])))
    assert lead == ["No model has a finite value of npmi@10: none can be called the best."]


def test_topics_are_not_ordered_by_a_metric_without_direction() -> None:
    assert extremes(merged_run({"a": {"foo": GOOD}, "b": {"foo": BAD}}, {})) is None


def test_notes_of_every_part_are_in_the_verdict() -> None:
    run = make_run(demo.models()[:1], demo.corpus(), "npmi@10")
    assert run.explanations is not None
    notes = _all(verdict(merge_runs([run])), Notes)
    said = [line for part in notes for line in part.lines]
    assert set(run.scores.notes) | set(run.explanations.notes) == set(said)


def test_near_identical_topics_have_one_card() -> None:
    same = [
        ["sun", "moon", "star"],
        ["sun", "moon", "star"],
        ["cat", "dog", "cow"],
        ["a", "b", "c"],
    ]
    models = [Topics.of(same, model=name) for name in "ab"]
    rows = [
        Score(model.model, n, "npmi@10", value, 1.0, "s")
        for model in models
        for n, value in enumerate([0.9, 0.8, 0.7, 0.1])
    ]
    _, best = _all(extremes(merge_runs([run_of(Scores(rows, better=HIGHER), models)])), Cards)
    assert [card.words[0].text for card in best.cards] == ["sun"]


def test_consensus_of_some_models_alone_does_not_order_topics() -> None:
    values = {"a": {"npmi@10": GOOD}, "b": {"npmi@10": BAD}}
    row = Explanation(model="a", topic=0, value=0.5, support=1.0, words=["a0", "other0"])
    explanations = Explanations([row], level=0.9, top=10)
    run = msgspec.structs.replace(run_with(values, HIGHER), explanations=explanations)
    section = extremes(merge_runs([run]))
    assert _lead(section)[0] == "16 topics are ranked by npmi@10."
    assert "did not judge the topics of all models" in _lead(section)[1]


def test_every_metric_has_a_strip_and_its_table_all_topics() -> None:
    values = {"a": {"m": [*GOOD[:7], math.nan], "n": BAD}, "b": {"m": BAD, "n": GOOD}}
    section = strips(merged_run(values, {"m": "higher", "n": "lower"}))
    picker = _one(section, Picker)
    assert picker.names == ["m", "n"]
    table = picker.figures[0].table
    assert len(table.rows) == 16
    assert [row[2] for row in table.rows][:2] == [0.7, 0.65]
    assert table.rows[-1][:2] == ["a", "7"]  # undefined: last
    assert picker.figures[1].table.rows[0][2] == min(BAD)  # lower is better


def test_terms_have_a_matrix_a_model_and_topics_keep_their_numbers() -> None:
    section = terms(merged_run({"a": {"m": GOOD}, "b": {"m": BAD}}, {"m": "higher"}))
    picker = _one(section, Picker)
    assert picker.names == ["a", "b"]
    rows = picker.figures[0].table.rows
    assert {row[1] for row in rows} == {str(n) for n in range(8)}
    assert len(rows) == 8 * 3
    assert {row[1] for row in rows if row[0] == "shared"} == {str(n) for n in range(8)}


def test_best_and_worst_by_the_decisive_metric() -> None:
    section = extremes(merged_run({"a": {"npmi@10": GOOD}, "b": {"npmi@10": BAD}}, HIGHER))
    worst, best = _all(section, Cards)
    assert [card.title for card in worst.cards][:2] == ["b · topic 7", "b · topic 2"]
    assert [card.title for card in best.cards][:2] == ["a · topic 2", "a · topic 4"]
    assert best.cards[0].values == [("npmi@10", "0.700")]
    assert "There are no reasons, because this run has no consensus." in _lead(section)


def test_reasons_odd_words_and_weakest_pairs_are_those_of_consensus() -> None:
    run = run_with({"a": {"npmi@10": GOOD}}, HIGHER)
    rows = [
        Explanation(
            model="a",
            topic=n,
            value=0.1 * n,
            support=1.0,
            low=0.0,
            high=1.0,
            parts={"texts.best": -0.2, "vectors.best": -0.1},
            odd=["shared"] if n == 0 else [],
            fits={"shared": 0.25},
            weakest=[WeakPair("a0", "shared", 0.05)],
            words=[f"a{n}", f"other{n}", "shared"],
        )
        for n in range(8)
    ]
    explanations = Explanations(rows, level=0.9, top=10)
    found = merge_runs([msgspec.structs.replace(run, explanations=explanations)])
    worst, best = _all(extremes(found), Cards)
    card: Card = worst.cards[0]
    assert card.title == "Topic 0"
    assert [(word.text, word.odd) for word in card.words] == [
        ("a0", False),
        ("other0", False),
        ("shared", True),
    ]
    assert card.words[2].why == "fit 0.25, where an average word has 1; least related to a0 (0.05)"
    assert card.reasons == ["best words less related (−0.30)"]
    assert card.weakest == ["a0–shared (0.05)"]
    assert card.values[0] == ("consensus", "0.00 [0.00 to 1.00]")
    assert best.cards[0].title == "Topic 7"


def test_words_are_marked_by_scores_where_nothing_is_explained() -> None:
    model = Topics.of([["cat", "soup", "dog"]], model="m")
    rows = [Score("m", 0, "npmi", 0.5, 1.0, "s"), Score("m", None, "npmi", 0.5, 1.0, "s")]
    scores = Scores(rows, better={"npmi": "higher"}, marked={("m", 0): ("soup",)})
    found = merge_runs([run_of(scores, [model])])
    assert [word.text for word in words_of(found, "m", "0") if word.odd] == ["soup"]


def test_metrics_that_order_topics_alike_agree() -> None:
    turned = [-value for value in GOOD]
    values = {"a": {"m": GOOD, "loss": turned, "n": BAD}}
    section = metric_agreement(merged_run(values, {"m": "higher", "loss": "lower", "n": "higher"}))
    assert "m and loss agree most (1.00)" in " ".join(_lead(section))
    table = _one(section, Figure).table
    assert {tuple(row[:2]): row[2] for row in table.rows}["m", "loss"] == pytest.approx(1.0)


def test_one_metric_has_none_to_agree_with() -> None:
    assert metric_agreement(merged_run({"a": {"npmi@10": GOOD}}, HIGHER)) is None


def test_people_and_their_ceiling() -> None:
    judgments = Judgments.of(demo.judgments()).of_tasks(["rating"])
    run = make_run(demo.models(), demo.corpus(), "npmi@10", judgments=judgments)
    section = people(merge_runs([run]))
    [lead] = _lead(section)
    assert lead.startswith("rating: npmi@10 agrees best with people: Pearson's r is 0.81 (0.58")
    assert "Between one person and the others it is 0.77." in lead
    assert "A metric can be expected to reach 0.96 at most." in lead
    forest, scatter = _all(section, Figure)
    assert len(scatter.table.rows) == 24
    assert [row[2] for row in forest.table.rows] == ["pearson", "spearman", "kendall"]


def test_what_it_rests_on_has_signatures_versions_and_the_command() -> None:
    run = run_with({"a": {"npmi@10": GOOD}, "b": {"npmi@10": BAD}}, HIGHER)
    command = ["tealeaves", "report", "a b.run"]
    section = provenance(merge_runs([run]), command)
    assert _one(section, Code).text == "tealeaves report 'a b.run'"
    signatures, metrics, versions = _all(section, ReportTable)
    assert signatures.rows == [["npmi@10", "all", "npmi@10|s"]]
    assert metrics.rows[0][0] == "npmi@10"
    assert all(f"{name} " in str(versions.rows[0][1]) for name in ("tealeaves", "Python", "numpy"))


def test_no_signatures_are_spoken_of_where_there_are_none() -> None:
    rows = [Score("a", None, "npmi@10", 0.5, 1.0, "")]
    found = merge_runs([run_of_table(Scores(rows, better=HIGHER))])
    assert provenance(found).lead == [
        "These scores have no signatures: how they were computed is not known."
    ]
    assert not [
        table for table in _all(provenance(found), ReportTable) if table.caption == "Signatures"
    ]
    assert provenance(merge_runs([Run(origins=[RunOrigin()])])).lead == []


def test_notes_are_told() -> None:
    model = Topics.of([["a", "b"]], model="m")
    run = run_of(Scores([], better={}, notes=["3 words are not in the texts"]), [model])
    page = make_page(merge_runs([run]))
    notes = [part for part in page.sections[-1].parts if isinstance(part, Notes)]
    assert notes[0].lines == ["3 words are not in the texts"]


def test_a_report_of_the_demo_has_its_sections_in_order() -> None:
    run = make_run(demo.models(), demo.corpus(), "npmi@10 c_v@10", judgments=_people())
    page = make_page(merge_runs([run]))
    assert [section.id for section in page.sections] == [
        "verdict",
        "topics",
        "extremes",
        "terms",
        "metrics",
        "people",
        "provenance",
    ]
    assert page.title == "Topics of good, middling and shuffled"
    assert ("Topics", "24") in page.facts


def _people() -> Judgments:
    return Judgments.of(demo.judgments())


def _lead(section: Section | None) -> Sequence[str]:
    assert section is not None
    return section.lead


def _all(section: Section | None, kind: type[T]) -> list[T]:
    assert section is not None
    return [part for part in section.parts if isinstance(part, kind)]


def _one(section: Section | None, kind: type[T]) -> T:
    return _all(section, kind)[0]
