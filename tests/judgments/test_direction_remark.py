"""What is said where people prefer what a metric calls worse."""

from __future__ import annotations

import numpy as np
import pytest

import tealeaves
from tealeaves.judgments import Judgments
from tealeaves.metrics.scores import Score, Scores

SAID = "people prefer what is declared to be worse, by these metrics: "


def notes(noise: float, better: dict[str, str], draws: int) -> list[str]:
    """Correlate two metrics with 20 answers, which one follows and the other is against."""
    answers = np.arange(20.0)
    followed = answers + np.random.default_rng(1).normal(scale=noise, size=20)
    columns = {"with": followed, "against": -followed}
    rows = [
        Score("m", topic, metric, float(value), 1.0, "")
        for metric, values in columns.items()
        for topic, value in enumerate(values)
    ]
    people = Judgments.of(
        [{"model": "m", "topic": topic, "answer": x} for topic, x in enumerate(answers)]
    )
    found = tealeaves.correlate(
        Scores(rows, better=better),
        people,
        coefficients=("pearson",),
        draws=draws,
        permutations=199,
    )
    assert all(np.isnan(row.low) == (draws == 0) for row in found.rows)
    return [note for note in found.notes if note.startswith(SAID)]


@pytest.mark.parametrize("draws", [0, 200])
def test_it_is_said_with_intervals_and_without(draws: int) -> None:
    both = dict.fromkeys(("with", "against"), "higher")
    assert notes(3.0, both, draws) == [f"{SAID}against"]
    assert notes(3.0, dict.fromkeys(both, "lower"), draws) == [f"{SAID}with"]
    assert notes(3.0, {"with": "higher", "against": "lower"}, draws) == []


@pytest.mark.parametrize("draws", [0, 200])
def test_it_is_not_said_of_chance(draws: int) -> None:
    assert notes(200.0, dict.fromkeys(("with", "against"), "higher"), draws) == []
