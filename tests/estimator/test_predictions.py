"""``predict`` and ``explain``: topics of small texts in two or three languages."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.estimator.estimators import AtCardinality, Estimators, Seen
from tealeaves.estimator.predictions import EstimateExplanations, Predictions, explain, predict
from tealeaves.metrics.evaluation import score

from . import kings
from .made import estimators_of, linear

ln = math.log
# ten documents: king, crown, sea and corona are in 5, rey in 6, mar in 4
KING_REY = ln(0.4 / (0.5 * 0.6)) / -ln(0.4)  # together in 4
KING_MAR = ln(0.1 / (0.5 * 0.4)) / -ln(0.1)
SEA_REY = ln(0.2 / (0.5 * 0.6)) / -ln(0.2)
SEA_MAR = ln(0.3 / (0.5 * 0.4)) / -ln(0.3)
# king and corona are always together, and so are crown and corona; crown is where king is
CROWN = (KING_REY + 1 + KING_REY + 1) / 4
BOTH = (KING_REY + KING_MAR + SEA_REY + SEA_MAR) / 4
# castle and castillo are not there: their pairs count as 0, but where there is no other pair
CASTLE = (SEA_MAR + 0 + 0 + 0) / 4
CNPMI = [CROWN, BOTH, CASTLE, math.nan]

WIDE = Seen(mean=0.2, sd=0.5, low=-10.0, high=3000.0)
AT = {2: AtCardinality(WIDE, WIDE, WIDE, (WIDE,))}
#: Half of CNPMI, and a tenth; nine languages erred by .25.
HALF = estimators_of(linear({"cnpmi": 0.5}, 0.1, seen={"cnpmi": WIDE}, residuals=[0.25] * 9, at=AT))
HALVES = [0.1 + 0.5 * value for value in CNPMI]


def near(values: list[float]) -> Any:
    return pytest.approx(values, nan_ok=True)


@pytest.fixture(scope="module")
def predictions() -> Predictions:
    return predict(kings.model(), kings.paired(), estimator=HALF)


@pytest.fixture(scope="module")
def explanations() -> EstimateExplanations:
    return explain(kings.model(), kings.paired(), estimator=HALF)


# ---------------------------------------------------------------------- rows


def test_a_row_a_topic_and_one_for_the_model(predictions: Predictions) -> None:
    rows = list(predictions)
    assert len(predictions) == 5
    assert [row.topic for row in rows] == [0, 1, 2, 3, None]
    assert {(row.model, row.pivot, row.language) for row in rows} == {("m", "en", "es")}
    assert [row.cnpmi for row in rows[:4]] == near(CNPMI)
    assert [row.estimate for row in rows[:4]] == near(HALVES)
    assert [row.low for row in rows[:4]] == near([value - 0.25 for value in HALVES])
    assert [row.high for row in rows[:4]] == near([value + 0.25 for value in HALVES])
    assert rows[2].words == ["sea castle", "mar castillo"]
    assert [row.features for row in rows] == ["cnpmi"] * 3 + ["", ""]


def test_the_row_of_the_model_is_the_mean_of_what_could_be_judged(
    predictions: Predictions,
) -> None:
    last = predictions.rows[-1]
    assert last.cnpmi == pytest.approx(sum(CNPMI[:3]) / 3)
    assert last.estimate == pytest.approx(sum(HALVES[:3]) / 3)
    assert last.support == pytest.approx(sum(row.support for row in predictions.rows[:4]) / 4)
    assert np.isnan([last.low, last.high]).all()
    assert (last.trusted, last.reason, last.words) == (None, "", [])


def test_cnpmi_is_what_score_says(predictions: Predictions) -> None:
    found = score(kings.model(), kings.paired(), "cnpmi@10")
    [one] = found.models
    last = predictions.rows[-1]
    assert (last.cnpmi, last.support) == pytest.approx((one.value, one.support))


def test_each_topic_has_its_verdict(predictions: Predictions) -> None:
    rows = predictions.rows
    assert [row.trusted for row in rows] == [True, True, True, False, None]
    assert rows[0].reason.startswith("Nothing speaks against the reference")
    assert rows[3].reason == "Cannot be judged: the reference has no pair of its words."
    assert [row.topic for row in predictions.doubted] == [3]


def test_a_reason_names_what_moved_it() -> None:
    plain = Seen(mean=0.6, sd=0.1, low=0.0, high=1.0)
    full = Seen(mean=0.0, sd=1.0, low=0.0, high=1.0)
    one = linear(
        {"cnpmi": 0.1, "twc_pivot": -0.3},
        seen={"cnpmi": plain, "twc_pivot": full},
        at={2: AtCardinality(plain, plain, plain, (plain, full))},
    )
    row = predict(kings.model(), kings.paired(), estimator=estimators_of(one)).rows[0]
    # CNPMI .66 is .6 sd above the mean; the estimate, .066 - .3, is more than 8 below
    assert row.trusted is True
    assert row.reason == (
        "Nothing speaks against the reference: it has at least half of the words of each language. "
        "Mind that the estimate places it lower among topics than the reference's CNPMI does "
        "(lowered by share of words of the pivot language in the reference)."
    )


def test_the_level_of_intervals() -> None:
    found = predict(kings.model(), kings.paired(), estimator=HALF, level=0.95)
    assert found.level == 0.95
    # nine languages tell of no more than 90%: all that CNPMI can be
    assert (found.rows[0].low, found.rows[0].high) == (-1.0, 1.0)
    said = (
        "intervals of 95% reach from -1 to 1, because only 9 languages were learned from: 90% is "
        "the most (--level)"
    )
    assert said in found.notes
    for level in (0.0, 1.0, 90):
        with pytest.raises(InputError, match=r"^level must be between 0 and 1, not "):
            predict(kings.model(), kings.paired(), estimator=HALF, level=level)


def test_intervals_end_where_cnpmi_does() -> None:
    far = estimators_of(linear({"cnpmi": 0.0}, 0.9, residuals=[0.25] * 9))
    row = predict(kings.model(), kings.paired(), estimator=far).rows[0]
    assert (row.estimate, row.low, row.high) == pytest.approx((0.9, 0.65, 1.0))
    low = estimators_of(linear({"cnpmi": 0.0}, -0.9, residuals=[0.25] * 9))
    row = predict(kings.model(), kings.paired(), estimator=low).rows[0]
    assert (row.estimate, row.low, row.high) == pytest.approx((-0.9, -1.0, -0.65))


def test_only_estimators_that_judged_tell_of_their_languages() -> None:
    few = linear({"cnpmi": 0.5, "mta": 0.1}, residuals=[0.1] * 4)
    several = estimators_of(few, *HALF.estimators)
    given: Any = {"estimator": several, "level": 0.85}
    found = predict(kings.model(), kings.paired(), **given)  # without mta: by the other
    assert [row.features for row in found.rows[:3]] == ["cnpmi"] * 3
    assert not any("languages were learned from" in note for note in found.notes)
    found = predict(kings.model(), kings.paired(), dictionary=kings.DICTIONARY, **given)
    assert any(
        "because only 4 languages were learned from: 80% is the most" in n for n in found.notes
    )
    nobody = predict(kings.model(), kings.paired(), estimator=estimators_of(few), level=0.85)
    assert not any("languages were learned from" in note for note in nobody.notes)


def test_a_model_has_cnpmi_and_estimate_of_the_same_topics() -> None:
    """Topics 0 and 1 have years: of the words of the others none is in the table."""
    one = estimators_of(linear({"cnpmi": 0.5, "era_sd": 0.0}))
    years = {"king": 900, "crown": 1100}  # of sea and castle nothing is known
    found = predict(kings.model(), kings.paired(), estimator=one, years=years)
    there = [row for row in found.rows[:4] if not math.isnan(row.estimate)]
    assert 0 < len(there) < 3
    last = found.rows[-1]
    assert last.cnpmi == pytest.approx(sum(row.cnpmi for row in there) / len(there))
    assert last.estimate == pytest.approx(0.5 * last.cnpmi)
    lacking = predict(kings.model(), kings.paired(), estimator=one)
    assert lacking.rows[-1].cnpmi == pytest.approx(sum(CNPMI[:3]) / 3)
    assert math.isnan(lacking.rows[-1].estimate)


def test_how_many_words_are_judged() -> None:
    one = predict(kings.model(), kings.paired(), estimator=HALF, top=1)
    assert [row.cnpmi for row in one.rows[:4]] == near([KING_REY, KING_REY, SEA_MAR, math.nan])
    assert any("topics of 1 to 1 words, and the estimator knows 2 to 2" in n for n in one.notes)


# ---------------------------------------------------------------------- what is beside the texts


def test_a_topic_is_judged_by_the_best_that_it_can_have() -> None:
    several = estimators_of(
        linear({"cnpmi": 0.0, "mta": 1.0}),
        linear({"cnpmi": 0.0, "era_mean": 0.0001}),
        linear({"cnpmi": 0.0, "drift_mean": 1.0}),
        *HALF.estimators,
    )
    given = kings.model(), kings.paired()
    plain = predict(*given, estimator=several)
    assert [row.features for row in plain.rows[:3]] == ["cnpmi"] * 3
    assert plain.notes[-1] == "a better estimator applies with a dictionary (--dictionary)"
    years = predict(*given, estimator=several, years=kings.YEARS)
    # king 900 and crown 1100; king and sea 1000; of castle nothing is known
    assert [row.estimate for row in years.rows[:3]] == near([0.1, 0.095, 0.1])
    modern = predict(*given, estimator=several, modern=kings.MODERN)
    assert modern.rows[0].features == "cnpmi drift_mean"
    both = predict(*given, estimator=several, dictionary=kings.DICTIONARY, years=kings.YEARS)
    assert both.rows[0].features == "cnpmi mta"
    assert both.rows[1].estimate == pytest.approx(1.0)  # king is rey, sea is mar
    assert not any("better estimator" in note for note in both.notes)


def test_where_each_estimator_needs_more_no_topic_is_judged() -> None:
    found = predict(kings.model(), kings.paired(), estimator=estimators_of(linear({"mta": 1.0})))
    assert all(math.isnan(row.estimate) for row in found)
    assert [row.trusted for row in found] == [False] * 4 + [None]
    assert found.rows[0].reason == "Cannot be judged: it lacks features that each estimator needs."
    assert found.rows[3].reason == "Cannot be judged: the reference has no pair of its words."
    assert "a better estimator applies with a dictionary (--dictionary)" in found.notes


def test_a_further_feature_is_computed() -> None:
    several = estimators_of(linear({"cnpmi(never=-1)": 1.0}))
    found = predict(kings.model(), kings.paired(), estimator=several)
    assert found.rows[0].estimate == pytest.approx(CROWN)


def test_notes_say_who_judged_and_what_lacks(predictions: Predictions) -> None:
    assert any(note.startswith("m (en-es): undefined for 3: cnpmi") for note in predictions.notes)
    assert any("0, 1, 2 are estimated from cnpmi" in note for note in predictions.notes)


def test_estimators_of_a_file(predictions: Predictions, tmp_path: Path) -> None:
    HALF.save(tmp_path / "half.json")
    for given in (tmp_path / "half.json", str(tmp_path / "half.json")):
        found = predict(kings.model(), kings.paired(), estimator=given)
        assert found.to_jsonl() == predictions.to_jsonl()
    with pytest.raises(InputError, match=r"^nowhere.json: no such file"):
        predict(kings.model(), kings.paired(), estimator="nowhere.json")


def test_the_estimators_of_tealeaves_need_nothing_but_topics_and_texts() -> None:
    found = predict(kings.model(), kings.paired())
    assert all(-1 <= row.estimate <= 1 for row in found.rows[:2])
    assert all(math.isfinite(row.low) for row in found.rows[:2])
    assert math.isnan(found.rows[3].estimate)


# ---------------------------------------------------------------------- models and languages


def test_several_models_and_three_languages() -> None:
    models = [kings.model("en", "es", "sv", name=name) for name in ("one", "two")]
    found = predict(models, kings.paired("en", "es", "sv"), estimator=HALF)
    pairs = [("en", "es"), ("en", "sv"), ("es", "sv")]
    assert [(row.model, row.pivot, row.language, row.topic) for row in found] == [
        (name, *pair, topic)
        for name in ("one", "two")
        for pair in pairs
        for topic in (0, 1, 2, 3, None)
    ]
    assert [row.estimate for row in found.rows[:4]] == near(HALVES)
    printed = str(found)
    assert all(word in printed for word in ("one", "two", "es-sv", "kung krona"))


@pytest.mark.parametrize("judge", [predict, explain])
def test_pairs_without_the_pivot_are_told(judge: Any) -> None:
    found = judge(kings.model("en", "es", "sv"), kings.paired("en", "es", "sv"), estimator=HALF)
    said = "m: the estimators were learned from pairs with en, and es-sv is none"
    assert [note for note in found.notes if "pairs with" in note] == [said]


def test_the_pivot_is_first_however_languages_are_ordered() -> None:
    found = predict(kings.model("es", "en"), kings.paired("es", "en"), estimator=HALF)
    assert {(row.pivot, row.language) for row in found} == {("en", "es")}
    assert found.rows[0].words == ["king crown", "rey corona"]
    other = Estimators(pivot="es", learner="adaboost", estimators=HALF.estimators)
    turned = predict(kings.model(), kings.paired(), estimator=other)
    assert {(row.pivot, row.language) for row in turned} == {("es", "en")}


def test_topics_in_one_language_are_refused() -> None:
    with pytest.raises(InputError, match="has topics in one language; an estimator compares two"):
        predict([["king", "crown"]], kings.paired(), estimator=HALF)


# ---------------------------------------------------------------------- explanations


def test_contributions_add_up_to_the_estimate(explanations: EstimateExplanations) -> None:
    assert len(explanations) == 4
    for one, estimate in zip(explanations, HALVES, strict=True):
        if math.isnan(estimate):
            assert (one.contributions, one.values) == ({}, {})
            assert math.isnan(one.usual)
            continue
        assert one.usual == pytest.approx(0.1 + 0.5 * 0.2)  # the mean CNPMI was .2
        assert one.contributions == {"cnpmi": pytest.approx(0.5 * (one.values["cnpmi"] - 0.2))}
        assert one.usual + sum(one.contributions.values()) == pytest.approx(estimate)
        assert one.means == {"cnpmi": 0.2}


def test_rows_of_topics_and_features(
    explanations: EstimateExplanations, predictions: Predictions
) -> None:
    rows = explanations.to_dicts()
    assert [tuple(row) for row in rows] == [EstimateExplanations.columns] * 4
    assert [(row["feature"], row["group"]) for row in rows] == [("cnpmi", "base")] * 3 + [("", "")]
    assert [row["reason"] for row in rows] == [row.reason for row in predictions.rows[:4]]
    assert [one.prediction for one in explanations][:3] == predictions.rows[:3]


def test_what_moved_it_most_is_first() -> None:
    seen = dict.fromkeys(("cnpmi", "twc_pivot", "twc_other"), Seen(0.0, 1.0, 0.0, 1.0))
    one = linear(
        {"cnpmi": 0.01, "twc_pivot": -0.3, "twc_other": 0.0001},
        seen=seen,
        at={2: AtCardinality(WIDE, WIDE, WIDE, tuple(seen.values()))},
    )
    found = explain(kings.model(), kings.paired(), topics=[0], estimator=estimators_of(one))
    assert found.rows[0].ordered == ["twc_pivot", "cnpmi", "twc_other"]
    assert [row["feature"] for row in found.to_dicts()] == found.rows[0].ordered
    lines = str(found).splitlines()
    # what adds less than can be shown is one line
    assert ["twc_pivot" in lines[1], "cnpmi" in lines[2], "1 other " in lines[3]] == [True] * 3


@pytest.mark.parametrize("asked", [[2], ["2"], [2, "2"]])
def test_some_topics_only(asked: list[int | str]) -> None:
    found = explain(kings.model(), kings.paired(), topics=asked, estimator=HALF)
    assert [one.prediction.topic for one in found] == [2]


def test_an_unknown_topic_is_one_line() -> None:
    with pytest.raises(InputError, match=r"^no topic 7 \(there are 0, 1, 2, 3\)$"):
        explain(kings.model(), kings.paired(), topics=[1, 7], estimator=HALF)


def test_a_sentence_on_each_topic_stands_below(explanations: EstimateExplanations) -> None:
    below = explanations.legend
    assert len(below) == 5
    assert below[1].startswith(
        f"m en-es 0 (king crown / rey corona): estimate {HALVES[0]:.3f} [{HALVES[0] - 0.25:.3f}, "
        f"{HALVES[0] + 0.25:.3f}], that of an average topic is 0.200. Nothing speaks against"
    )
    assert below[4] == (
        "m en-es 3 (castle tower / castillo torre): Cannot be judged: the reference has no pair of "
        "its words."
    )


def test_many_further_features_are_explained_as_one() -> None:
    """13 features and 4 further ones are 17, of which 16 can be told apart."""
    from tealeaves.estimator.features import FEATURES

    more = ["cnpmi(never=-1)", "inpmi(never=-1)", "inpmi(never=0)", "twc"]
    slopes = dict.fromkeys([*FEATURES, *more], 0.0)
    slopes |= {"cnpmi": 0.1, "twc_pivot": 0.05, more[0]: 0.2, more[3]: -0.1}
    several = estimators_of(linear(slopes, 0.05))
    beside: Any = {
        "dictionary": kings.DICTIONARY, "years": kings.YEARS, "modern": kings.MODERN,
    }  # fmt: skip
    found = explain(kings.model(), kings.paired(), estimator=several, topics=[0], **beside)
    [one] = found
    assert list(one.contributions) == [*FEATURES, "further features"]
    # each was .5 on average; a line adds its slope times what is more
    v = one.values
    assert one.contributions["twc_pivot"] == pytest.approx(0.05 * (1.0 - 0.5))
    assert one.contributions["further features"] == pytest.approx(
        0.2 * (v[more[0]] - 0.5) - 0.1 * (v[more[3]] - 0.5)
    )
    total = one.usual + sum(one.contributions.values())
    assert total == pytest.approx(one.prediction.estimate)
    row = next(row for row in found.to_dicts() if row["feature"] == "further features")
    assert row["group"] == "more"
    assert math.isnan(row["value"])
    line = next(line for line in str(found).splitlines() if "further features" in line)
    assert line.split()[-3:-1] == ["–", "–"]
    assert len(predict(kings.model(), kings.paired(), estimator=several, **beside)) == 5
    # three are told apart
    three = estimators_of(linear({name: slopes[name] for name in [*FEATURES, *more[:3]]}))
    [one] = explain(kings.model(), kings.paired(), estimator=three, topics=[0], **beside)
    assert list(one.contributions) == [*FEATURES, *more[:3]]


# ---------------------------------------------------------------------- as whatever is wanted


@pytest.mark.parametrize("which", ["predictions", "explanations"])
def test_rows_leave_in_every_format(
    which: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    found = request.getfixturevalue(which)
    rows = [json.loads(line) for line in found.to_jsonl().splitlines()]
    assert len(rows) == len(found.to_dicts())
    assert tuple(rows[0]) == found.columns
    assert rows[3]["estimate"] is None
    assert rows[0]["estimate"] == pytest.approx(HALVES[0])
    whole = json.loads(found.to_json())
    assert whole["rows"] == rows
    assert whole["notes"] == found.notes
    table = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert [row["estimate"] for row in table][3] == ""
    assert float(table[0]["low"]) == pytest.approx(HALVES[0] - 0.25)
    frame = found.to_polars()
    assert frame.columns == list(found.columns)
    assert "Cannot be judged" in frame["reason"][3]
    for name in ("x.jsonl", "x.json", "x.csv", "x.md", "x.tex", "x.parquet"):
        found.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 0
    assert (tmp_path / "x.jsonl").read_text() == found.to_jsonl()
    assert "<table" in found.to_html()


def test_the_printed_table(predictions: Predictions) -> None:
    lines = str(predictions).splitlines()
    assert all(word in lines[0] for word in ("topic", "words", "estimate", "90% interval"))
    assert "model" not in lines[0]  # there is one
    first = next(line for line in lines if "king crown" in line)
    assert f"{CROWN:.3f}" in first
    assert f"[{HALVES[0] - 0.25:.3f}, {HALVES[0] + 0.25:.3f}]" in first
    assert "yes" in first
    unknown = next(line for line in lines if "castle tower" in line)
    assert unknown.split()[-1] == "–"
    assert "[" not in unknown
    assert any("tealeaves estimator explain" in line for line in predictions.legend)
