"""Correlate 20 metrics with people; prints the coefficients and the seconds.

Run in our environment: ``python -m benchmarks.speed.work.people``. With a folder after it, it saves
the scores and the judgments there instead, for ``tealeaves correlate``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.speed.clock import Clock
from benchmarks.speed.made_up import (
    DRAWS,
    JUDGED_MODELS,
    JUDGED_TOPICS,
    METRICS,
    PERMUTATIONS,
    People,
    make_people,
)
from tealeaves.judgments import Correlations, Judgments, correlate
from tealeaves.metrics.scores import Score, Scores

COEFFICIENTS = ("pearson", "spearman")


def scores_of(people: People) -> Scores:
    """Return the metrics as scores."""
    rows = [
        Score(*_name(topic), f"metric {number:02}", float(people.metrics[topic, number]), 1.0, "")
        for topic in range(JUDGED_TOPICS)
        for number in range(METRICS)
    ]
    return Scores(rows)


def judgments_of(people: People) -> Judgments:
    """Return the answers as judgments, with the words of the topics."""
    rows = []
    for topic, answers in enumerate(people.answers.tolist()):
        model, number = _name(topic)
        shown = {"model": model, "topic": number, "words": people.words[topic]}
        rows += [{**shown, "annotator": f"person {who}", "answer": answer}
                 for who, answer in enumerate(answers)]  # fmt: skip
    return Judgments.of(rows)


def _name(topic: int) -> tuple[str, int]:
    model, number = divmod(topic, JUDGED_TOPICS // JUDGED_MODELS)
    return f"model {model:02}", number


def main() -> None:
    """Time it once, after a first time with few draws that loads what is loaded lazily."""
    people = make_people()
    scores, judgments = scores_of(people), judgments_of(people)
    _correlate(scores, judgments, 100, 20)
    clock = Clock()
    correlations = clock(lambda: _correlate(scores, judgments, DRAWS, PERMUTATIONS))
    if any((row.n, row.clusters) != (JUDGED_TOPICS, JUDGED_TOPICS) for row in correlations.rows):
        sys.exit("not all topics were drawn by themselves: this is not the work of the others")
    clock.report([row.value for row in correlations.rows])


def _correlate(scores: Scores, judgments: Judgments, draws: int, permutations: int) -> Correlations:
    return correlate(
        scores, judgments, coefficients=COEFFICIENTS, draws=draws, permutations=permutations
    )


def save(folder: Path) -> None:
    """Write both files."""
    folder.mkdir(parents=True, exist_ok=True)
    people = make_people()
    scores_of(people).save(folder / "scores.jsonl")
    judgments_of(people).save(folder / "judgments.csv")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        save(Path(sys.argv[1]))
    else:
        main()
