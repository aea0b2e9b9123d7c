"""``run_of``: from a result to a run; ``make_run``: from models to a run."""

from __future__ import annotations

import math
import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import msgspec

from tealeaves.comparison.result import Comparison
from tealeaves.consensus.catalogue import consensus
from tealeaves.consensus.explanations import Explanations, explain_evidence
from tealeaves.consensus.metric import Consensus
from tealeaves.errors import InputError, TealeavesError
from tealeaves.evidence.dictionaries import Dictionaries
from tealeaves.evidence.sources import Sources
from tealeaves.judgments.correlation.correlation import correlate
from tealeaves.judgments.correlation.result import Correlations
from tealeaves.metrics.base import Metric
from tealeaves.metrics.crosslingual.side_by_side import side_by_side
from tealeaves.metrics.evaluation import DEFAULT_CROSSLINGUAL_METRICS, DEFAULT_METRICS, score
from tealeaves.metrics.reading import SavedScores
from tealeaves.metrics.registry import metric as parse_metric
from tealeaves.metrics.registry import parse_metrics
from tealeaves.metrics.scores import Scores
from tealeaves.models.selection.result import Selection
from tealeaves.parameters import check_keywords
from tealeaves.report.run.analysis import analysed
from tealeaves.report.run.run import JudgedModel, MetricFacts, Run, RunOrigin
from tealeaves.topics.multilingual import MultilingualTopics, are_multilingual, languages_of
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topic, Topics
from tealeaves.version import __version__

#: The first words of topics that are kept.
KEPT = 30
#: The models of a selection that are shown with their topics.
MOST_CANDIDATES = 10
_DEFAULT_TOP = 10
# what numbers may depend on
_PACKAGES = (
    "numpy", "scipy", "polars", "tomotopy", "scikit-learn", "torch", "transformers",
    "wordllama", "icu4py", "simplemma", "stopwordsiso",
)  # fmt: skip


def make_run(
    models: Any, corpus: Any = None, metrics: Any = None, *, judgments: Any = None, **options: Any
) -> Run:
    """Score models, explain their topics, correlate with people: all that a report needs.

    Parameters
    ----------
    models, corpus, metrics, options
        As for :func:`tealeaves.score`.
    judgments
        What people say of these topics, as :func:`tealeaves.correlate` takes it.

    >>> from tealeaves import demo
    >>> run = make_run(demo.models(), demo.corpus(), "npmi@10")
    >>> [model.name for model in run.models]
    ['good', 'middling', 'shuffled']
    """
    check_keywords(make_run, options, score)
    judged = read_models(models)
    default = DEFAULT_CROSSLINGUAL_METRICS if are_multilingual(judged) else DEFAULT_METRICS
    parsed = parse_metrics(default if metrics is None else metrics)
    scores = score(judged, corpus, parsed, also=explainer_for(parsed, judged), **options)
    given = corpus.dictionary if isinstance(corpus, Sources) else options.get("dictionary")
    result = scores if judgments is None else correlate(scores, judgments)
    return run_of(result, judged, scores=scores, dictionary=given)


# ---------------------------------------------------------------------- runs of results


def run_of(
    result: Scores | Comparison | Correlations | Selection,
    models: Any = None,
    *,
    scores: Scores | None = None,
    dictionary: Any = None,
    command: Sequence[str] = (),
) -> Run:
    """Return the run of a result, which :func:`save_report` shows and :func:`save_run` keeps.

    Parameters
    ----------
    result
        What :func:`tealeaves.score`, :func:`tealeaves.compare`,
        :func:`~tealeaves.judgments.compare_judgments`, :func:`tealeaves.correlate` or
        :func:`tealeaves.select` returned. If it was asked for with ``also="consensus@10"``, the
        report explains topics.
    models
        The models that were scored. Without them, the report shows the words that the scores have,
        but no weights of words and no reasons. A selection has its models.
    scores
        The scores that were correlated; a comparison and a selection have theirs.
    dictionary
        The dictionary of topics in several languages, as for :func:`tealeaves.score`: the report
        marks translations.
    command
        The arguments of the command that made the result. The report shows it.

    >>> from tealeaves import compare, demo
    >>> models = demo.models()
    >>> comparison = compare(models, demo.corpus(), "npmi@10", test="t", also="consensus@10")
    >>> run = run_of(comparison, models)
    >>> run.comparison.design.test, len(run.explanations.topics)
    ('t', 24)
    """
    origin = made_now(command)
    if isinstance(result, Selection):
        return analysed(_run_of_selection(result, origin))
    if not isinstance(result, Scores | Comparison | Correlations):
        raise InputError(
            "a run is made of scores, a comparison, correlations or a selection, "
            f"not of {result!r:.40}"
        )
    if isinstance(result, Scores):
        scores = result
    elif isinstance(result, Comparison) and scores is None:
        scores = result.scores
    if scores is None:
        run = Run(origins=[origin])
    elif models is None:
        run = run_of_table(scores, origin)
    else:
        run = _run_of_scores(read_models(models), scores, dictionary, origin)
    if isinstance(result, Comparison):
        by_metrics = scores is not None
        added: Any = {"comparison": result} if by_metrics else {"people_comparisons": [result]}
        run = msgspec.structs.replace(run, **added)
    elif isinstance(result, Correlations):
        run = run.with_correlations(result)
    return analysed(run)


def _run_of_scores(
    models: Sequence[Topics], scores: Scores, dictionary: Any, origin: RunOrigin
) -> Run:
    sides = []
    if are_multilingual(models):
        known = dictionary is not None
        dictionaries = Dictionaries.open(dictionary, languages_of(models)) if known else None
        sides = [side_by_side(models, scores, dictionaries)]
    return Run(
        origins=[origin],
        models=[_judged_model(model) for model in models],
        scores=_kept_scores(scores),
        facts=_facts(scores),
        explanations=_explanations(models, scores),
        side_by_side=sides,
    )


def run_of_table(scores: Scores, origin: RunOrigin | None = None) -> Run:
    """Return the run of scores that were read from a file, and of the words that it has.

    It has no analysis yet.
    """
    named = _named_by_dataset(scores) if isinstance(scores, SavedScores) else scores
    topics: dict[str, dict[str, Topic]] = {row.model: {} for row in named.rows}
    for row in named.rows:
        if row.topic is not None:
            topic = Topic(row.topic, tuple(named.words.get((row.model, row.topic), ())))
            topics[row.model].setdefault(str(row.topic), topic)
    return Run(
        origins=[origin or RunOrigin()],
        models=[JudgedModel(name, list(by_id.values())) for name, by_id in topics.items()],
        scores=_kept_scores(named),
        facts=_facts(named),
    )


def _named_by_dataset(scores: SavedScores) -> Scores:
    """Add the data set to the names of models if there are several: each has its own topics."""
    if len(set(scores.datasets)) < 2:
        return scores
    rows, words = [], {}
    for row, dataset in zip(scores.rows, scores.datasets, strict=True):
        name = f"{row.model} of {dataset}" if dataset else row.model
        rows.append(msgspec.structs.replace(row, model=name))
        topic = "" if row.topic is None else str(row.topic)
        if listed := scores.topic_words.get((dataset, row.model, topic)):
            words[name, row.topic] = listed
    return Scores(rows, better=scores.better, words=words, notes=scores.notes)


def _run_of_selection(selection: Selection, origin: RunOrigin) -> Run:
    """Return the run of a selection, with the topics of the best run of the best candidates."""
    best = [selection.best_of(one).label for one in selection.ranking[:MOST_CANDIDATES]]
    # a selection that was read from a file has neither models nor scores
    models = [selection.trained[label] for label in best if label in selection.trained]
    scores = selection.scores
    return Run(
        origins=[origin],
        models=[_judged_model(model) for model in models],
        scores=Scores([]) if scores is None else _kept_scores(scores, best),
        facts={} if scores is None else _facts(scores),
        explanations=None if scores is None else _explanations(models, scores),
        selections=[selection],
    )


def made_now(command: Sequence[str] = ()) -> RunOrigin:
    """Return the origin of a run that is made now."""
    packages = {"tealeaves": __version__, "Python": platform.python_version()}
    for name in _PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return RunOrigin(list(command), date, packages)


# ---------------------------------------------------------------------- explanations


def explainer_for(metrics: Iterable[str | Metric], models: Sequence[Topics]) -> list[Consensus]:
    """Return the metric that explains topics, for ``also``; none for topics in several languages.

    It judges as many first words as the metrics do, if these agree, else 10.
    """
    if are_multilingual(models):
        return []
    specs = list(metrics)
    tops = {metric.top for metric in parse_metrics(specs) if metric.top} if specs else set()
    return [consensus @ (tops.pop() if len(tops) == 1 else _DEFAULT_TOP)]


def _explanations(models: Sequence[Topics], scores: Scores) -> Explanations | None:
    """Explain topics by the evidence behind scores; None if it says nothing of any topic."""
    explainer = next((metric for metric in scores.also if isinstance(metric, Consensus)), None)
    if explainer is None or scores.evidence is None:
        return None
    explanations = explain_evidence(models, scores.evidence, explainer)
    known = any(math.isfinite(row.value) for row in explanations.topics)
    return explanations if known else None


# ---------------------------------------------------------------------- models and scores


def _judged_model(model: Topics) -> JudgedModel:
    several = isinstance(model, MultilingualTopics)
    languages = list(model.languages) if isinstance(model, MultilingualTopics) else [model.language]
    documents = model.documents_per_topic()
    weights = _weights(model)
    topics = [
        Topic(
            topic.id,
            topic.words if several else topic.words[:KEPT],
            weights[number],
            documents[0][number] if documents else None,
        )
        for number, topic in enumerate(model.topics)
    ]
    named = [name for name in languages if name]
    return JudgedModel(model.model, topics, named, model.family, model.tokens)


def _weights(model: Topics) -> list[tuple[float, ...] | None]:
    """Return p(w|t) of the words that are kept, else their weights; None if neither is known."""
    if model.topic_word is None or model.vocabulary is None:
        return [None if one.weights is None else one.weights[:KEPT] for one in model.topics]
    place = {word: number for number, word in enumerate(model.vocabulary)}
    return [
        tuple(float(row[place[word]] / (row.sum() or 1.0)) for word in topic.words[:KEPT])
        if all(word in place for word in topic.words[:KEPT])
        else None
        for topic, row in zip(model.topics, model.topic_word, strict=True)
    ]


def _kept_scores(scores: Scores, models: Sequence[str] | None = None) -> Scores:
    """Return scores without their evidence, of all models or of some."""
    return Scores(
        [row for row in scores.rows if models is None or row.model in models],
        better=scores.better,
        marked={
            (model, topic): words
            for (model, topic), words in scores.marked.items()
            if models is None or model in models
        },
        notes=scores.notes,
    )


def _facts(scores: Scores) -> dict[str, MetricFacts]:
    facts = {}
    for label in dict.fromkeys(row.metric for row in scores.rows):
        try:
            metric = parse_metric(label)
        except TealeavesError:  # a metric of another program
            continue
        facts[label] = MetricFacts(
            metric.summary, metric.better, *metric.bounds, metric.level, metric.cite
        )
    return facts
