"""From saved records back to what was found."""

from __future__ import annotations

import numpy as np

from tealeaves.consensus.explanations import Explanations
from tealeaves.judgments.comparison.comparison import Comparison
from tealeaves.judgments.correlation.matching import MatchedScores
from tealeaves.judgments.correlation.result import Correlations
from tealeaves.judgments.judgments import TopicKey
from tealeaves.metrics.crosslingual.side_by_side import LegendDetails, SideBySide
from tealeaves.models.selection.candidates import Candidate, TrainedRun
from tealeaves.models.selection.result import Selection
from tealeaves.report.run.record import (
    BesideRecord,
    CandidateRecord,
    ComparisonRecord,
    ExplanationsRecord,
    JudgedModel,
    JudgedTopic,
    MatchedRecord,
    PeopleRecord,
    SelectionRecord,
)
from tealeaves.topics.topics import Topic, Topics


def topics_of(model: JudgedModel) -> Topics:
    """Return topics with the words that were kept."""
    topics = tuple(_topic(one) for one in model.topics)
    return Topics(topics, model=model.name, family=model.family, tokens=model.tokens)


def _topic(one: JudgedTopic) -> Topic:
    # two languages may share a word, which a topic of one would have but once
    words = tuple(dict.fromkeys(one.words))
    known = one.weights is not None and len(words) == len(one.weights)
    return Topic(one.id, words, tuple(one.weights or ()) if known else None, one.documents)


def comparison_of(record: ComparisonRecord) -> Comparison:
    """Return a comparison."""
    return Comparison(
        record.pairs,
        record.summary,
        design=record.design,
        better=record.better,
        units=record.units,
        notes=record.notes,
    )


def explanations_of(record: ExplanationsRecord) -> Explanations:
    """Return what consensus says."""
    return Explanations(record.rows, level=record.level, top=record.top, notes=record.notes)


def correlations_of(record: PeopleRecord) -> Correlations:
    """Return how metrics agree with people."""
    return Correlations(
        record.rows,
        parts=[_matched(part) for part in record.parts],
        better=record.better,
        notes=record.notes,
        plan=record.plan,
    )


def _matched(part: MatchedRecord) -> MatchedScores:
    keys = [
        TopicKey(part.dataset, model, topic)
        for model, topic in zip(part.models, part.topics, strict=True)
    ]
    return MatchedScores(
        part.dataset,
        part.task,
        part.by,
        keys,
        np.array(part.human, dtype=np.float64),
        {name: np.array(column, dtype=np.float64) for name, column in part.scores.items()},
        [tuple(words) for words in part.words],
        part.classes,
        part.model,
    )


def selection_of(record: SelectionRecord) -> Selection:
    """Return what the models of a grid scored; their topics are elsewhere."""
    return Selection(
        [_candidate(one) for one in record.candidates],
        record.better,
        trained={},
        weight=record.weight,
        tokens=record.tokens,
        notes=record.notes,
    )


def _candidate(one: CandidateRecord) -> Candidate:
    runs = (TrainedRun(run.label, run.seed, None, run.values, run.support) for run in one.runs)
    return Candidate(one.kind, one.k, one.family, tuple(runs))


def side_by_side_of(record: BesideRecord) -> SideBySide:
    """Return topics side by side."""
    return SideBySide(
        record.rows,
        record.metrics,
        better=record.better,
        notes=record.notes,
        legend_details=LegendDetails(record.marked, record.judged),
    )
