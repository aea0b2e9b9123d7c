"""Evaluations: what they say of models, of lines, of each two models, and how they are written."""

from __future__ import annotations

import csv
import io
import json
import math
import random
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tealeaves.errors import InputError
from tealeaves.lexicon import (
    Evaluation,
    bcubed,
    error_parts,
    evaluate,
    evaluate_rows,
    extraction_error,
    indices,
    lemma_errors,
)
from tealeaves.lexicon.error.measures import MEASURES, Pair
from tealeaves.lexicon.error.summaries import EvaluationPlan

from .test_extraction_error import sets

Models = dict[str, dict[str, Pair]]
POS = {f"w{n}": "NAV"[n % 3] for n in range(24)}


def made_up(seed: int = 0, wrong: tuple[float, ...] = (0.1, 0.2, 0.6)) -> Models:
    """Make models that are right but for some share of tokens; lemmas have 8 tokens."""
    draw = random.Random(seed)

    def token() -> frozenset[str]:
        return frozenset(draw.choices("xyz", k=draw.choice([0, 1, 1, 1, 1, 1, 2])))

    annotated = {lemma: [token() for _ in range(8)] for lemma in POS}
    return {
        f"m{number}": {
            lemma: ([token() if draw.random() < share else one for one in gold], gold)
            for lemma, gold in annotated.items()
        }
        for number, share in enumerate(wrong)
    }


@pytest.fixture(scope="module")
def found() -> Evaluation:
    return evaluate(made_up(), POS, target="fi", draws=1000)


def mean(values: list[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known)


# ---------------------------------------------------------------------- means


@pytest.mark.parametrize("pos", [None, "N", "A", "V"])
def test_means_are_over_the_lemmas_of_a_part_of_speech(found: Evaluation, pos: str | None) -> None:
    for model, lemmas in made_up().items():
        own = [pair for lemma, pair in lemmas.items() if pos in (None, POS[lemma])]
        row = found.summary(model, pos=pos)
        assert (row.lemmas, row.tokens) == (len(own), 8 * len(own))
        assert row.error == pytest.approx(mean([extraction_error(*pair) for pair in own]))
        parts = [error_parts(*pair) for pair in own]
        for name in ("expressed_error", "mismatched", "all_same", "chance", "empty_extracted"):
            expected = mean([getattr(one, name) for one in parts])
            assert getattr(row.measures, name) == pytest.approx(expected), name
        assert row.measures.bcubed_f == pytest.approx(mean([bcubed(*pair).f for pair in own]))
        assert row.measures.ari == pytest.approx(mean([indices(*pair).ari for pair in own]))
        assert row.measures.v_measure == pytest.approx(
            mean([indices(*pair).v_measure for pair in own])
        )
        assert row.low < row.error < row.high


def test_corrected_forms_are_of_means(found: Evaluation) -> None:
    row = found.summary("m1").measures
    assert row.corrected == pytest.approx(1 - row.error / min(row.all_same, row.all_different))
    assert row.adjusted == pytest.approx(1 - row.error / row.chance)
    assert 0 < row.corrected < row.adjusted < 1


def test_every_measure_is_of_its_own_lemma() -> None:
    """A mistake in what is called what would show in a row of one lemma."""
    pair = (sets("a a ab 0 c b c a 0 d"), sets("x y xy x x 0 z z z w"))
    [row] = lemma_errors({"l": {"hand": pair}})
    parts, cubed, clusters = error_parts(*pair), bcubed(*pair), indices(*pair)
    assert (row.tokens, row.pairs, row.expressed_pairs, row.single) == (10, 45, 21, 6)
    expected = {name: getattr(parts, name) for name in MEASURES if hasattr(parts, name)} | {
        "bcubed_precision": cubed.precision,
        "bcubed_recall": cubed.recall,
        "bcubed_f": cubed.f,
        "ari": clusters.ari,
        "v_measure": clusters.v_measure,
        "raw_forms": math.nan,
    }
    assert len(set(expected.values())) == len(MEASURES)  # no two are alike by chance
    for name in MEASURES:
        assert getattr(row.measures, name) == pytest.approx(expected[name], nan_ok=True), name


def test_lines_are_there_for_each_part_of_speech(found: Evaluation) -> None:
    some = next(iter(made_up().values()))
    for pos in (None, "N", "A", "V"):
        gold = [pair[1] for lemma, pair in some.items() if pos in (None, POS[lemma])]
        same = mean([extraction_error([{"s"}] * 8, one) for one in gold])
        apart = [{str(token)} for token in range(8)]
        different = mean([extraction_error(apart, one) for one in gold])
        assert found.summary("all same", pos=pos).error == pytest.approx(same)
        assert found.summary("all different", pos=pos).error == pytest.approx(different)
    assert [row.model for row in found.selected()] == [
        "m0",
        "m1",
        "m2",
        "all same",
        "all different",
    ]
    assert all(row.low < row.error < row.high for row in found.lines)


def test_annotated_words_as_they_stand_are_a_line_where_they_are_known() -> None:
    gold = sets("x x y y")
    series: Models = {name: {"hand": (sets(said), gold), "foot": (gold, gold)}
                      for name, said in (("l", "a a a a"), ("m", "a a b b"))}  # fmt: skip
    forms = {"hand": [{"kädet"}, {"käsi"}, {"käden"}, {"käden"}]}
    found = evaluate(series, forms=forms)
    row = found.summary("annotated words as they stand")
    assert row.error == pytest.approx(1 / 6)  # of six pairs the first is torn apart
    assert row.lemmas == 1
    assert "annotated words as they stand" in str(found)
    assert len(found.lines) == 3
    assert len(evaluate(series).lines) == 2


def test_languages_count_alike() -> None:
    gold = sets("x x y")
    right, wrong = (gold, gold), (sets("a a a"), gold)
    rows = [
        *lemma_errors({"l": {"hand": right, "foot": right, "eye": right}}, target="fi"),
        *lemma_errors({"l": {"hand": wrong}}, target="sv"),
    ]
    found = evaluate_rows(rows)
    assert found.targets == ["fi", "sv"]
    assert found.summary("l").error == pytest.approx((0 + 2 / 3) / 2)
    assert (found.summary("l").lemmas, found.summary("l").tokens) == (3, 12)
    assert found.summary("l", "fi").error == 0
    assert [found.summary("l", target).tokens for target in ("fi", "sv")] == [9, 3]
    assert found.summary("l", "sv").error == pytest.approx(2 / 3)
    table = found.by_target.table()
    assert [labels for labels, _ in table.rows][:4] == [
        ["all", "l"], ["all", "all same"], ["all", "all different"], ["fi", "l"],
    ]  # fmt: skip


def test_a_part_of_speech_of_one_language_has_its_mean_over_that() -> None:
    gold = sets("x x y")
    right, wrong = (gold, gold), (sets("a a a"), gold)
    verbs = dict.fromkeys(("go", "see"), "V")
    nouns = dict.fromkeys(("hand", "foot"), "N")
    finnish: Models = {"l": {"hand": right, "foot": wrong, "go": right, "see": right}}
    german: Models = {"l": {"go": wrong, "see": right}}
    found = evaluate_rows([
        *lemma_errors(finnish, nouns | verbs, target="fi"),
        *lemma_errors(german, verbs, target="de"),
    ])  # fmt: skip
    assert found.summary("l", pos="N").error == pytest.approx(1 / 3)
    assert found.summary("l", "fi", "N").error == pytest.approx(1 / 3)
    assert found.summary("l", pos="V").error == pytest.approx((0 + 1 / 3) / 2)
    [labels, cells] = found.table().rows[0]
    assert (labels, [str(cell) for cell in cells[2:4]]) == (["l"], ["0.333", "0.167"])
    said = "the total of a part of speech is over the languages that have it: N is not in de"
    assert said in found.notes


def test_a_language_with_a_single_lemma_has_no_interval_nor_has_the_total() -> None:
    gold = sets("x x y")
    right, wrong = (gold, gold), (sets("a a a"), gold)
    pos = {"hand": "N", "foot": "N", "go": "V"}
    finnish: Models = {"l": {"hand": right, "foot": wrong, "go": wrong}}
    german: Models = {"l": {"hand": wrong}}
    found = evaluate_rows([
        *lemma_errors(finnish, pos, target="fi"), *lemma_errors(german, pos, target="de"),
    ])  # fmt: skip
    assert math.isnan(found.summary("l").low)
    assert math.isnan(found.summary("l", "de").low)
    assert found.summary("l", "fi").low < found.summary("l", "fi").high
    said = "a language with a single lemma has no interval, nor has a total over it: de, fi (V)"
    assert said in found.notes
    assert [str(cell) for cell in found.table().rows[0][1][:2]] == ["0.556", "–"]
    # of one language nothing of this is said
    alone = evaluate_rows(list(lemma_errors(finnish, pos, target="fi")))
    assert not any("total" in note for note in alone.notes)


def test_one_part_of_speech_is_not_told_apart() -> None:
    gold = sets("x x y")
    series: Models = {"l": {"hand": (gold, gold), "foot": (gold, gold)}}
    assert evaluate(series, dict.fromkeys(("hand", "foot"), "N")).pos == []
    assert evaluate(series, {"hand": "N"}).pos == ["N"]
    assert evaluate(series, {"hand": "V", "foot": "A"}).pos == ["A", "V"]


# ---------------------------------------------------------------------- left out


def test_lemmas_with_fewer_than_two_tokens_are_left_out_and_counted() -> None:
    gold = sets("x x y")
    series: Models = {"l": {"hand": (gold, gold), "one": (sets("a"), sets("x")), "none": ([], [])}}
    found = evaluate(series)
    assert (found.summary("l").lemmas, found.summary("l").left_out) == (1, 2)
    assert found.summary("l").tokens == 3
    assert found.summary("l").error == 0
    assert found.notes[0] == "2 lemmas are left out, with fewer than two tokens: one, none"
    assert len(found.by_lemma.to_dicts()) == 3


def test_nothing_but_short_lemmas_is_refused() -> None:
    with pytest.raises(InputError, match="no lemma has two tokens or more"):
        evaluate({"l": {"one": (sets("a"), sets("x"))}})
    with pytest.raises(InputError, match="no lemma has two tokens or more"):
        evaluate({})


def test_a_lemma_that_is_there_twice_is_refused() -> None:
    gold = sets("x x y")
    rows = list(lemma_errors({"l": {"hand": (gold, gold)}}, target="fi"))
    with pytest.raises(InputError, match="'hand' in fi is there twice for l"):
        evaluate_rows(rows * 2)


def test_models_with_different_lemmas_are_told_and_compared_on_the_same() -> None:
    series = made_up()
    kept = list(POS)[:15]
    series["m2"] = {lemma: series["m2"][lemma] for lemma in kept}
    found = evaluate(series, draws=200)
    assert any("missing from m2 (9 of 24)" in note for note in found.notes)
    row = found.difference("m0", "m2")
    assert row.lemmas == 15
    assert row.error_a == pytest.approx(mean([extraction_error(*series["m0"][w]) for w in kept]))
    assert row.error_a - row.error_b == pytest.approx(row.difference)
    assert found.difference("m0", "m1").lemmas == 24


# ---------------------------------------------------------------------- differences


def test_differences_intervals_and_p(found: Evaluation) -> None:
    assert [(row.model_a, row.model_b) for row in found.differences] == [
        ("m0", "m1"), ("m0", "m2"), ("m1", "m2"),
    ]  # fmt: skip
    series = made_up()
    for row in found.differences:
        apart = np.array([
            extraction_error(*series[row.model_a][lemma])
            - extraction_error(*series[row.model_b][lemma]) for lemma in POS
        ])  # fmt: skip
        assert row.difference == pytest.approx(apart.mean())
        assert row.low < row.difference < row.high
        # near Student's, which knows nothing of draws
        half = 2.07 * apart.std(ddof=1) / math.sqrt(len(apart))
        assert row.high - row.low == pytest.approx(2 * half, rel=0.15)
        signs = np.random.default_rng(99).choice([-1.0, 1.0], size=(4000, len(apart)))
        p = np.mean(np.abs(signs @ apart) >= abs(apart.sum()) - 1e-12)
        assert row.p == pytest.approx(p, abs=0.02)
        assert row.significant == (row.p_corrected <= 0.05)
    ordered = sorted(found.differences, key=lambda row: row.p)
    assert ordered[0].p_corrected == pytest.approx(3 * ordered[0].p)  # Holm, of three


def test_letters_say_who_differs(found: Evaluation) -> None:
    letters = {row.model: row.letters for row in found.selected() if row.kind == "model"}
    assert found.difference("m0", "m2").significant
    assert not set(letters["m0"]) & set(letters["m2"])
    assert letters["m0"].startswith("a")  # the best
    assert all(not row.letters for row in found.selected(pos="N"))


def test_a_difference_is_significant_after_correction() -> None:
    # six lemmas, all of one sign: p is 2 of 64, and three times as much after Holm
    gold = sets("x x y y")
    answers = {"l": "a a b b", "m": "a a b c", "n": "a a a a"}
    series: Models = {
        model: {f"w{n}": (sets(said), gold) for n in range(6)} for model, said in answers.items()
    }
    found = evaluate(series)
    assert [row.p for row in found.differences] == [2 / 64] * 3
    assert [row.p_corrected for row in found.differences] == [6 / 64] * 3
    assert not any(row.significant for row in found.differences)
    plain = evaluate(series, correction="none")
    assert all(row.significant for row in plain.differences)
    assert [row.letters for row in plain.selected()] == ["a", "b", "c", "", ""]


def test_models_that_share_no_lemma_have_no_letters() -> None:
    series = made_up()
    halves = list(POS)[:12], list(POS)[12:]
    for model, half in zip(("m1", "m2"), halves, strict=True):
        series[model] = {lemma: series[model][lemma] for lemma in half}
    found = evaluate(series, draws=200)
    assert math.isnan(found.difference("m1", "m2").difference)
    assert math.isnan(found.difference("m1", "m2").p_corrected)
    assert found.difference("m0", "m2").p < 0.1
    assert not any(row.letters for row in found.summaries)
    said = "no letters: models that share fewer than two lemmas were not tested: m1 and m2"
    assert said in found.notes


def test_a_line_is_never_the_best_model() -> None:
    gold = sets("x x x y")
    series: Models = {
        model: {"hand": (sets(said), gold), "foot": (sets(said), gold)}
        for model, said in {"l": "a b c d", "m": "a b c c"}.items()
    }
    found = evaluate(series)
    assert found.summary("all different").error == found.summary("l").error
    assert found.summary("all same").error == found.summary("l").error
    best = [labels[0] for labels, cells in found.table().rows if cells[0].best]
    assert best == ["l"]


def test_the_level_is_that_of_intervals_and_tests() -> None:
    series = made_up(wrong=(0.3, 0.35))
    wide, narrow = (evaluate(series, draws=1000, level=level) for level in (0.99, 0.5))
    assert narrow.plan.alpha == 0.5
    assert wide.summary("m0").low < narrow.summary("m0").low
    assert wide.summary("m0").high > narrow.summary("m0").high
    assert (wide.differences[0].p, narrow.differences[0].p) == (narrow.differences[0].p,) * 2


def test_the_same_seed_gives_the_same_numbers() -> None:
    first, again, other = (evaluate(made_up(), POS, draws=200, seed=seed) for seed in (1, 1, 2))
    assert first.to_json() == again.to_json()
    assert first.summary("m2").low != other.summary("m2").low


def test_too_few_lemmas_for_any_test_have_no_letters() -> None:
    series = {model: {w: lemmas[w] for w in list(POS)[:4]} for model, lemmas in made_up().items()}
    found = evaluate(series)
    assert not any(row.letters for row in found.summaries)
    assert any("no test could reach p ≤ 0.05" in note for note in found.notes)
    assert any("intervals are Student's: 4 lemmas" in note for note in found.notes)


def test_one_lemma_has_no_interval_and_no_test() -> None:
    series = {model: {"w0": lemmas["w0"]} for model, lemmas in made_up().items()}
    found = evaluate(series)
    assert math.isnan(found.summary("m0").low)
    assert math.isnan(found.differences[0].p)
    assert any("a single lemma has no interval" in note for note in found.notes)
    assert "–" in str(found.pairs)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"draws": 5}, "draws must be 20 or more"),
        ({"level": 1.0}, "between 0 and 1"),
        ({"correction": "bonferroni"}, "no correction named 'bonferroni'"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        EvaluationPlan(**given)  # type: ignore[arg-type]


def test_names_that_are_not_there_are_refused(found: Evaluation) -> None:
    with pytest.raises(InputError, match="no mean of m9; there are the models m0, m1, m2"):
        found.summary("m9")
    with pytest.raises(InputError, match="m1 and m0 were not compared in this order"):
        found.difference("m1", "m0")


# ---------------------------------------------------------------------- written


def test_the_table_always_has_the_two_lines(found: Evaluation) -> None:
    table = found.table()
    assert table.metrics[:5] == ["E", "95 % interval", "N", "A", "V"]
    assert len(set(table.metrics)) == len(table.metrics)
    assert [labels[0] for labels, _ in table.rows][-2:] == ["all same", "all different"]
    shown = {labels[0]: [str(cell) for cell in cells] for labels, cells in table.rows}
    row = found.summary("m1")
    assert shown["m1"][0].split()[0] == f"{row.error:.3f}"
    assert shown["m1"][1] == f"[{row.low:.3f}, {row.high:.3f}]"
    assert shown["m1"][2] == f"{found.summary('m1', pos='N').error:.3f}"
    assert shown["all same"][2] == f"{found.summary('all same', pos='N').error:.3f}"
    best = [labels[0] for labels, cells in table.rows if cells[0].best]
    assert best == ["m0"]
    assert "Annotated as empty: " in "\n".join(found.legend)


def test_views_have_their_own_rows(found: Evaluation) -> None:
    assert len(found.by_pos.to_dicts()) == 4 * 5
    assert len(found.by_lemma.to_dicts()) == 3 * 24
    assert len(found.pairs.to_dicts()) == 3
    assert {row["kind"] for row in found.to_dicts()} == {"model", "line"}
    assert len(found.by_lemma.table().rows) == 3 * 24
    assert next(labels for labels, _ in found.pairs.table().rows) == ["m0", "m1"]
    assert "*" in "".join(str(cell) for _, cells in found.pairs.table().rows for cell in cells)


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".md", ".tex", ".parquet"])
def test_it_is_saved_in_every_format(found: Evaluation, suffix: str, tmp_path: Path) -> None:
    for name, one in (("models", found), ("pairs", found.pairs), ("lemmas", found.by_lemma)):
        path = tmp_path / f"{name}{suffix}"
        one.save(path)
        if suffix == ".jsonl":
            assert [json.loads(line) for line in path.read_text().splitlines()] == json.loads(
                one.to_json()
            )["rows"]
        elif suffix == ".csv":
            rows = list(csv.DictReader(io.StringIO(path.read_text())))
            assert len(rows) == len(one.to_dicts())
        elif suffix == ".parquet":
            assert pl.read_parquet(path).height == len(one.to_dicts())
        else:
            assert path.stat().st_size > 100


def test_json_has_everything(found: Evaluation) -> None:
    content = json.loads(found.to_json())
    assert set(content) == {"rows", "differences", "lemmas", "plan", "notes"}
    assert len(content["lemmas"]) == 72
    line = next(row for row in content["rows"] if row["kind"] == "line")
    assert line["ari"] is None
    assert content["plan"]["draws"] == 1000
