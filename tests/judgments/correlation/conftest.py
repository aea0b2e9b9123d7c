"""Scores and judgments of a few topics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from tealeaves.judgments import Judgments
from tealeaves.metrics.scores import Score, Scores


def _scores(
    columns: Mapping[str, Sequence[float]], model: str = "lda", words: Sequence[str] = ()
) -> Scores:
    rows = [
        Score(model, topic, metric, value, 1.0, "")
        for metric, values in columns.items()
        for topic, value in enumerate(values)
    ]
    return Scores(rows, words={(model, topic): text.split() for topic, text in enumerate(words)})


def _people(answers: Sequence[float], model: str = "lda") -> Judgments:
    return Judgments.of(
        [{"model": model, "topic": topic, "answer": x} for topic, x in enumerate(answers)]
    )


@pytest.fixture(scope="session")
def scores_of() -> Callable[..., Scores]:
    """Make scores of columns, a value a topic."""
    return _scores


@pytest.fixture(scope="session")
def people_of() -> Callable[..., Judgments]:
    """Make judgments, one answer a topic."""
    return _people
