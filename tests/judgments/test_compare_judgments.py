"""Do models differ in people's judgments?"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tealeaves.errors import InputError
from tealeaves.judgments import Judgments, read_judgments
from tealeaves.judgments.comparison import compare_judgments

RNG = np.random.default_rng(3)


def people(values: dict[str, Any], task: str = "rating", **more: Any) -> list[dict[str, Any]]:
    """Return two answers to each topic, whose mean is its value."""
    return [
        {"model": name, "topic": k, "annotator": who, "task": task, "answer": value + shift, **more}
        for name, row in values.items()
        for k, value in enumerate(row)
        for who, shift in (("ann", -1.0), ("bob", 1.0))
    ]


VALUES = {"lda": RNG.normal(3, 1, 20), "nmf": RNG.normal(2, 1, 20), "lsa": RNG.normal(2.5, 1, 15)}


def test_each_task_is_a_metric_over_topics() -> None:
    rows = people(VALUES)
    rows += [
        {"model": m, "topic": k, "annotator": a, "task": "intrusion", "answer": w, "key": "cat"}
        for m in ("lda", "nmf")
        for k in range(20)
        for a, w in (("ann", "cat"), ("bob", "cat" if m == "lda" else "dog"))
    ]
    found = compare_judgments(Judgments.of(rows), test="t")
    assert list(found.better) == ["rating", "intrusion"]
    assert (found.design.over, found.models) == ("topics", ["lda", "nmf", "lsa"])
    row = found.pair("lda", "nmf", "rating")
    assert row.difference == pytest.approx(VALUES["lda"].mean() - VALUES["nmf"].mean())
    oracle = stats.ttest_ind(VALUES["lda"], VALUES["nmf"], equal_var=False)
    assert row.p == pytest.approx(oracle.pvalue, rel=1e-9)
    values = {(one.model, one.metric): one.value for one in found.summary}
    assert (values["lda", "intrusion"], values["nmf", "intrusion"]) == (1.0, 0.5)
    assert math.isnan(values["lsa", "intrusion"])
    assert "topics without a value: 15 of lsa (intrusion)" in found.notes
    assert "intrusion: the value of a topic is the share of right answers" in found.notes


def test_topics_are_matched_where_their_words_are_known() -> None:
    rows = people({name: VALUES[name] for name in ("lda", "nmf")})
    for one in rows:
        one["words"] = f"w{one['topic']} v{one['topic']}"
    [row] = compare_judgments(Judgments.of(rows), test="t").pairs
    assert (row.pairing, row.n) == ("matched", 20)
    assert row.p == pytest.approx(stats.ttest_rel(VALUES["lda"], VALUES["nmf"]).pvalue, rel=1e-9)


def test_without_words_topics_may_be_paired_by_their_ids() -> None:
    judgments = Judgments.of(people({name: VALUES[name] for name in ("lda", "nmf")}))
    found = compare_judgments(judgments)
    assert found.pairs[0].pairing == "none"
    assert any("words of topics are not known: lda and nmf" in note for note in found.notes)
    assert compare_judgments(judgments, pairing="id").pairs[0].pairing == "id"


def test_what_does_not_count_is_said() -> None:
    rows = people(VALUES)
    rows[0]["answer"] = None
    rows.append({**rows[5], "topic": 99, "gold": True})
    found = compare_judgments(Judgments.of(rows))
    assert any(note.startswith("rating: 1 ") for note in found.notes)
    assert found.pair("lda", "nmf", "rating").n == 40  # the check is no topic


def test_one_model_and_several_data_sets_are_refused() -> None:
    with pytest.raises(InputError, match="lda: one model alone"):
        compare_judgments(Judgments.of(people({"lda": VALUES["lda"]})))
    both = [*people(VALUES, dataset="news"), *people(VALUES, dataset="wiki")]
    with pytest.raises(InputError, match=r"several data sets \(news, wiki\).*dataset=news"):
        compare_judgments(Judgments.of(both))
    with pytest.raises(InputError, match="draws must be at least 1, not 0"):
        compare_judgments(Judgments.of(people(VALUES)), draws=0)


@pytest.mark.reference
def test_intrusion_of_two_models_of_hoyle_does_not_differ(reference_data: Path) -> None:
    """Of 50 topics each, dvae has .753 and etm .698: t tests give p = .20."""
    path = reference_data / "hoyle2021" / "annotations_all.tsv.gz"
    judgments = read_judgments(path).of_tasks(["intrusion"])
    row = compare_judgments(judgments, correction="none").pair("dvae", "etm", "intrusion")
    assert (row.value_a, row.value_b) == pytest.approx((0.753, 0.698), abs=5e-4)
    assert row.n == 100
    assert row.p == pytest.approx(0.20, abs=0.015)
    assert not row.significant
