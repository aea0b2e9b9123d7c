"""The run of a selection: what the grid scored, and the best run of each candidate."""

from __future__ import annotations

from collections.abc import Sequence

from tealeaves.consensus.metric import Consensus
from tealeaves.metrics.scores import Scores
from tealeaves.models.selection.candidates import Candidate
from tealeaves.models.selection.result import Selection
from tealeaves.report.run.explaining import explained
from tealeaves.report.run.making import (
    explanations_record,
    judged_models,
    made_now,
    scores_record,
    selection_record,
)
from tealeaves.report.run.record import Run

#: So many models are shown with their topics.
MOST = 10


def selected_run(found: Selection, judge: Consensus, command: Sequence[str] = ()) -> Run:
    """Keep a selection; topics are kept of the best run of the best candidates."""
    labels = best_runs(found)
    models = [found.trained[label] for label in labels]
    reasons = None
    if found.scores is not None:
        reasons = explained(models, found.scores, judge)
    return Run(
        made=made_now(command),
        models=judged_models(models),
        scores=None if found.scores is None else scores_record(_of(found.scores, labels)),
        explanations=explanations_record(reasons) if reasons else None,
        selection=selection_record(found),
    )


def best_runs(found: Selection, most: int = MOST) -> list[str]:
    """Return the labels of the best run of each candidate, the best candidates first."""
    metric = found.criterion
    lower = found.better[metric] == "lower"

    def gain(value: float) -> float:
        return -value if lower else value

    able = [one for one in found.candidates if one.has_value(metric)]
    able.sort(key=lambda one: gain(one.mean(metric).value), reverse=True)
    return [_best(one, metric, lower=lower) for one in able[:most]]


def _best(one: Candidate, metric: str, *, lower: bool) -> str:
    known = [run for run in one.runs if run.values[metric] == run.values[metric]]
    pick = min if lower else max
    return pick(known, key=lambda run: run.values[metric]).label


def _of(scores: Scores, labels: Sequence[str]) -> Scores:
    """Return the scores of some models."""
    chosen = set(labels)
    rows = [row for row in scores.rows if row.model in chosen]
    words = {key: words for key, words in scores.words.items() if key[0] in chosen}
    marked = {key: words for key, words in scores.marked.items() if key[0] in chosen}
    return Scores(rows, better=scores.better, words=words, marked=marked, notes=scores.notes)
