"""Reports in Python: score, keep what was found, write the page."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import msgspec

from tealeaves.consensus.explanations import Explanations
from tealeaves.judgments.correlation.correlation import correlate
from tealeaves.metrics.crosslingual.side_by_side import side_by_side
from tealeaves.metrics.evaluation import DEFAULT_CROSSLINGUAL_METRICS, DEFAULT_METRICS, score
from tealeaves.metrics.registry import parse_metrics
from tealeaves.metrics.scores import Scores
from tealeaves.report.building import page_of
from tealeaves.report.pages import report_page, save_report_page
from tealeaves.report.run.explaining import explained, explainer
from tealeaves.report.run.making import (
    beside_record,
    explanations_record,
    judged_models,
    made_now,
    people_record,
    scores_record,
)
from tealeaves.report.run.merging import findings_of
from tealeaves.report.run.record import Run
from tealeaves.report.sections.parts import Page
from tealeaves.topics.multilingual import are_multilingual
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topics


def make_run(
    models: Any, corpus: Any = None, metrics: Any = None, *, judgments: Any = None, **given: Any
) -> Run:
    """Score models, explain their topics, correlate with people; all that a report needs.

    Parameters
    ----------
    models, corpus, metrics
        As of :func:`tealeaves.score`, and so is all that is ``given`` beside.
    judgments
        What people say of these topics, as :func:`tealeaves.correlate` takes it.

    >>> from tealeaves import demo
    >>> run = make_run(demo.models(), demo.corpus(), "npmi@10")
    >>> [model.name for model in run.models]
    ['good', 'middling', 'shuffled']
    """
    judged = read_models(models)
    usual = DEFAULT_CROSSLINGUAL_METRICS if are_multilingual(judged) else DEFAULT_METRICS
    asked = parse_metrics(usual if metrics is None else metrics)
    judge = explainer(asked, judged)
    scores = score(judged, corpus, asked, also=[judge] if judge else [], **given)
    reasons = explained(judged, scores, judge) if judge else None
    run = run_of(judged, scores, reasons)
    if judgments is None:
        return run
    return with_parts(run, people=people_record(correlate(scores, judgments)))


def run_of(
    models: Sequence[Topics],
    scores: Scores,
    explanations: Explanations | None = None,
    *,
    dictionaries: Any = None,
    command: Sequence[str] = (),
) -> Run:
    """Keep scores of models, and what is said of their topics."""
    beside = None
    if are_multilingual(models):
        beside = beside_record(side_by_side(models, scores, dictionaries))
    return Run(
        made=made_now(command),
        models=judged_models(models),
        scores=scores_record(scores),
        explanations=explanations_record(explanations) if explanations else None,
        beside=beside,
    )


def with_parts(run: Run, **parts: Any) -> Run:
    """Return a run with more of what was found, by the names of its fields."""
    return msgspec.structs.replace(run, **parts)


def report_html(
    runs: Run | Sequence[Run], *, title: str | None = None, command: Sequence[str] = ()
) -> str:
    """Return the report on one run or several as one page of HTML."""
    return report_page(_page(runs, title, command))


def save_report(
    runs: Run | Sequence[Run],
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    command: Sequence[str] = (),
) -> None:
    """Write the report on one run or several to a file of HTML that needs nothing else."""
    save_report_page(_page(runs, title, command), path)


def _page(runs: Run | Sequence[Run], title: str | None, command: Sequence[str]) -> Page:
    given = [runs] if isinstance(runs, Run) else list(runs)
    return page_of(findings_of(given), title=title, command=command)
