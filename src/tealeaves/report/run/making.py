"""From what was found to records that can be saved."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Literal

from tealeaves.errors import TealeavesError
from tealeaves.metrics.registry import metric as parsed
from tealeaves.report.run.record import (
    BesideRecord,
    CandidateRecord,
    CandidateRun,
    ComparisonRecord,
    ExplanationsRecord,
    JudgedModel,
    JudgedTopic,
    Made,
    MatchedRecord,
    MetricFacts,
    PeopleRecord,
    ScoresRecord,
    SelectionRecord,
)
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics
from tealeaves.version import __version__

if TYPE_CHECKING:
    from tealeaves.consensus.explanations import Explanations
    from tealeaves.judgments.comparison import Comparison
    from tealeaves.judgments.correlation.correlations import Correlations
    from tealeaves.judgments.correlation.matching import Matched
    from tealeaves.metrics.crosslingual.side_by_side import SideBySide
    from tealeaves.metrics.scores import Scores
    from tealeaves.models.selection.result import Selection

#: The first words of topics that are kept.
KEPT = 30
# what numbers may depend on
_PACKAGES = (
    "numpy", "scipy", "numba", "polars", "tomotopy", "scikit-learn", "torch", "transformers",
    "wordllama", "icu4py", "simplemma", "stopwordsiso",
)  # fmt: skip


def made_now(command: Sequence[str] = ()) -> Made:
    """Say how a run is made that is made now."""
    packages = {"tealeaves": __version__, "Python": platform.python_version()}
    for name in _PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return Made(list(command), date, packages)


def judged_models(models: Sequence[Topics]) -> list[JudgedModel]:
    """Keep the first words of topics, with what models say of their weights."""
    return [_judged(model) for model in models]


def _judged(model: Topics) -> JudgedModel:
    several = isinstance(model, MultilingualTopics)
    languages = list(model.languages) if isinstance(model, MultilingualTopics) else [model.language]
    documents = model.documents_per_topic()
    weights = _weights(model)
    topics = [
        JudgedTopic(
            topic.id,
            list(topic.words if several else topic.words[:KEPT]),
            weights[number],
            documents[0][number] if documents else None,
        )
        for number, topic in enumerate(model.topics)
    ]
    named = [name for name in languages if name]
    return JudgedModel(model.model, topics, named, model.family, model.tokens)


def _weights(model: Topics) -> list[list[float] | None]:
    """Return p(w|t) of the words that are kept, else their weights; None where none are known."""
    if model.topic_word is None or model.vocabulary is None:
        return [None if one.weights is None else list(one.weights[:KEPT]) for one in model.topics]
    place = {word: number for number, word in enumerate(model.vocabulary)}
    return [
        [float(row[place[word]] / (row.sum() or 1.0)) for word in topic.words[:KEPT]]
        if all(word in place for word in topic.words[:KEPT])
        else None
        for topic, row in zip(model.topics, model.topic_word, strict=True)
    ]


def scores_record(scores: Scores) -> ScoresRecord:
    """Keep scores, what their metrics declare, and the odd words."""
    return ScoresRecord(
        list(scores.rows),
        dict(scores.better),
        _facts(dict.fromkeys(row.metric for row in scores.rows)),
        [(model, topic, list(odd)) for (model, topic), odd in scores.marked.items()],
        list(scores.notes),
    )


def _facts(labels: dict[str, None]) -> dict[str, MetricFacts]:
    found = {}
    for label in labels:
        try:
            one = parsed(label)
        except TealeavesError:  # a metric of another program
            continue
        found[label] = MetricFacts(one.summary, one.better, *one.bounds, one.level, one.cite)
    return found


def comparison_record(found: Comparison, of: Literal["metrics", "people"]) -> ComparisonRecord:
    """Keep a comparison ``of`` metrics or people's judgments."""
    return ComparisonRecord(
        of, found.pairs, found.summary, found.design, found.better, found.units, found.notes
    )


def explanations_record(found: Explanations) -> ExplanationsRecord:
    """Keep what consensus says."""
    return ExplanationsRecord(list(found.among), found.level, found.top, found.notes)


def people_record(found: Correlations) -> PeopleRecord:
    """Keep how metrics agree with people, and the values that it was computed from."""
    parts = [_matched(part) for part in found.parts]
    return PeopleRecord(found.rows, parts, found.better, found.plan, found.notes)


def _matched(part: Matched) -> MatchedRecord:
    return MatchedRecord(
        part.dataset,
        part.task,
        part.by,
        [key.model for key in part.keys],
        [key.topic for key in part.keys],
        part.human.tolist(),
        {name: column.tolist() for name, column in part.scores.items()},
        [list(words) for words in part.words],
        part.classes,
        part.model,
    )


def selection_record(found: Selection) -> SelectionRecord:
    """Keep what the models of a grid scored."""
    candidates = [
        CandidateRecord(
            one.kind,
            one.k,
            one.family,
            [CandidateRun(run.label, run.seed, run.values, run.support) for run in one.runs],
        )
        for one in found.candidates
    ]
    return SelectionRecord(candidates, found.better, found.weight, found.tokens, found.notes)


def beside_record(found: SideBySide) -> BesideRecord:
    """Keep topics side by side."""
    details = found.legend_details
    return BesideRecord(
        found.rows, found.metrics, found.better, details.marks, details.verdicts, found.notes
    )
