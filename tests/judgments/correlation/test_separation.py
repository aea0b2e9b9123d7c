from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.judgments import Correlations, Judgments, correlate
from tealeaves.judgments.correlation.separation import separation
from tealeaves.metrics.scores import Scores

ScoresOf = Callable[..., Scores]
PeopleOf = Callable[..., Judgments]
HUMAN = [1, 1, 2, 2, 3, 3, 4, 4, 5]
RISING = [0.0, 3, 1, 2, 4, 5, 2, 7, 8]
# thirds: 4, 4, 5 have 2, 7, 8; 1, 1, 2, 2 (the third of the lowest is a 2) have 0, 3, 1, 2
# 2 is above 0 and 1, and ties with 2: 2.5 of 4; 7 and 8 are above all: (2.5 + 4 + 4) / 12
AUC = 10.5 / 12


def found_of(
    scores_of: ScoresOf, people_of: PeopleOf, words: list[str] | None = None, **given: Any
) -> Correlations:
    columns = {
        "rising": RISING,
        "falling": [-value for value in RISING],
        "gaps": [*RISING[:-1], math.nan],
        "perfect": HUMAN,
    }
    scores = scores_of(columns, words=words or [])
    scores.better = {"rising": "higher", "falling": "lower"}
    plan: dict[str, Any] = {"draws": 200, "permutations": 19, "coefficients": "pearson"}
    return correlate(scores, people_of(HUMAN), **(plan | given))


def test_auc_by_hand_and_by_direction(scores_of: ScoresOf, people_of: PeopleOf) -> None:
    found = separation(found_of(scores_of, people_of))
    assert found.auc("rising") == pytest.approx(AUC)
    assert found.auc("falling") == pytest.approx(AUC)  # lower is better
    row = found.rows[0]
    assert (row.n_high, row.n_low, row.n_between) == (3, 4, 2)
    assert (row.from_high, row.to_low) == (4, 2)
    assert row.low <= row.auc <= row.high
    assert row.low < row.high


def test_a_topic_without_a_value_is_dropped_for_its_metric_alone(
    scores_of: ScoresOf, people_of: PeopleOf
) -> None:
    found = separation(found_of(scores_of, people_of))
    row = next(row for row in found.rows if row.metric == "gaps")
    assert (row.n_high, row.n_low, row.dropped) == (2, 4, 1)
    assert row.auc == pytest.approx(6.5 / 8)  # 8 is gone


def test_halves(scores_of: ScoresOf, people_of: PeopleOf) -> None:
    found = separation(found_of(scores_of, people_of), "halves")
    # four of nine: 3, 4, 4, 5 and with the first 3 the other; 1, 1, 2, 2
    assert (found.rows[0].n_high, found.rows[0].n_low) == (5, 4)
    # 4, 5, 7 and 8 are above all four, 2 is as above
    assert found.auc("rising") == pytest.approx((4 * 4 + 2.5) / 20)


def test_groups_that_are_wholly_apart_have_no_interval(
    scores_of: ScoresOf, people_of: PeopleOf
) -> None:
    found = separation(found_of(scores_of, people_of))
    row = next(row for row in found.rows if row.metric == "perfect")
    assert (row.auc, row.remark) == (1.0, "wholly apart")
    assert math.isnan(row.low)
    assert "1.000 (wholly apart)" in str(found)


def test_near_identical_topics_are_drawn_as_one(scores_of: ScoresOf, people_of: PeopleOf) -> None:
    words = ["a b", "c d", "e f", "g h", "i j", "k l", "m n", "m n", "m n"]
    apart = separation(found_of(scores_of, people_of)).rows[0]
    near = separation(found_of(scores_of, people_of, words)).rows[0]
    assert (apart.clusters, near.clusters) == (7, 5)
    assert near.auc == apart.auc
    assert (near.low, near.high) != (apart.low, apart.high)
    assert "clusters of near-identical topics" in str(
        separation(found_of(scores_of, people_of, words))
    )


def test_without_draws_there_are_no_intervals(scores_of: ScoresOf, people_of: PeopleOf) -> None:
    found = separation(found_of(scores_of, people_of, draws=0))
    assert found.auc("rising") == pytest.approx(AUC)
    assert all(math.isnan(row.low) for row in found.rows)
    assert "interval, bootstrap" not in str(found)


def test_an_interval_covers_what_it_should() -> None:
    """Of samples with a known AUC, about 95 % of intervals hold it."""
    from tealeaves.judgments.correlation.matching import MatchedScores
    from tealeaves.judgments.correlation.plan import CorrelationPlan
    from tealeaves.judgments.correlation.result import Correlations
    from tealeaves.judgments.judgments import TopicKey

    rng = np.random.default_rng(1)
    keys = [TopicKey("", "m", str(number)) for number in range(60)]
    human = np.repeat([0.0, 1.0], 30)
    truth = 0.7602499389  # Phi(1 / sqrt 2): normals that are one deviation apart
    held = 0
    for _ in range(100):
        scores = {"x": rng.normal(size=60) + human}
        part = MatchedScores("", "", "topic", keys, human, scores, [()] * 60)
        [row] = separation(Correlations([], parts=[part], plan=CorrelationPlan(draws=200))).rows
        held += row.low <= truth <= row.high
    assert 88 <= held <= 99


def test_constant_people_have_no_groups(scores_of: ScoresOf, people_of: PeopleOf) -> None:
    scores = scores_of({"rising": RISING})
    found = separation(correlate(scores, people_of([2] * 9), draws=0, permutations=19))
    assert math.isnan(found.auc("rising"))
    assert found.rows[0].remark == "people's scores are constant"
    assert "– (people's scores are constant)" in str(found)


def test_json_has_all_and_rows_are_plain(scores_of: ScoresOf, people_of: PeopleOf) -> None:
    found = separation(found_of(scores_of, people_of))
    content = json.loads(found.to_json())
    assert len(content["separations"]) == len(content["rows"]) == 4
    assert content["separations"][3]["low"] is None
    assert found.to_csv().splitlines()[0].startswith("dataset,task,model,by,metric,split,auc,low")
    assert found.to_markdown().count("| rising") == 2


def test_errors_are_one_line(scores_of: ScoresOf, people_of: PeopleOf) -> None:
    found = found_of(scores_of, people_of)
    with pytest.raises(InputError, match=r"no split third; did you mean thirds\? \(there are"):
        separation(found, "third")
    with pytest.raises(InputError, match="nothing to split"):
        separation(Correlations(found.rows))
    with pytest.raises(InputError, match="0 AUCs of npmi"):
        separation(found).auc("npmi")
