"""Training a grid of models, and scoring all of them in one reading of the corpus."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tealeaves.errors import InputError
from tealeaves.evidence.sources import Sources, check_relevance_tokens, open_corpus
from tealeaves.jobs import explain_interruption, interrupt_at_sigterm, progress_bar
from tealeaves.metrics.base import Metric
from tealeaves.metrics.evaluation import score
from tealeaves.metrics.planning import check_sources_used, with_each_embedding
from tealeaves.metrics.registry import parse_metrics
from tealeaves.metrics.scores import Score, Scores
from tealeaves.models.model import Model
from tealeaves.models.selection.candidates import Candidate, TrainedRun
from tealeaves.models.selection.feasibility import (
    check_labels,
    check_metrics,
    check_relevance,
    warn_of_relevance,
)
from tealeaves.models.selection.folder import (
    SUFFIX,
    SavedModels,
    SelectionFolder,
    SelectionManifest,
    package_versions,
)
from tealeaves.models.selection.grid import (
    PlannedRun,
    name_kinds,
    parse_kinds,
    plan_runs,
    read_grid,
)
from tealeaves.models.selection.result import Selection
from tealeaves.models.texts import TrainingTexts, read_texts
from tealeaves.models.training import check_sizes, choose_tokens, fit, limit_vocabulary
from tealeaves.text.corpus import Corpus, Text
from tealeaves.text.paired import PairedCorpus
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics

# the runs of each model, by the prefix of their labels
RunsByPrefix = dict[str, list[PlannedRun]]

CRITERION = "npmi@10"
RUNS = 3


def select(
    models: str | Model | Iterable[str | Model],
    corpus: Corpus | str | os.PathLike[str] | Iterable[Text],
    k: str | int | Iterable[int] | None = None,
    metrics: str | Metric | Iterable[str | Metric] = CRITERION,
    *,
    tokens: str | Pipeline | None = None,
    embeddings: Any = None,
    relevance: Any = None,
    weight: str | None = "documents",
    runs: int = RUNS,
    seed: int = 1,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    restart: bool = False,
    also: str | Metric | Iterable[str | Metric] = (),
    strict: bool = False,
    threads: int | None = None,
    progress: bool = False,
    on_note: Callable[[str], None] | None = None,
) -> Selection:
    """Train models with each number of topics, score them and say which to take.

    Parameters
    ----------
    models
        Expressions such as ``"lda"`` or ``["lda(eta=0.1)", "nmf"]``, without k and seed.
    corpus
        The texts to train on and to score with: a corpus, a path, or texts in memory.
    k
        The numbers of topics: ``"5:60:5"``, ``"5,10,20"`` or numbers. Models that find their own
        need none.
    metrics
        What is computed; the first metric decides.
    tokens
        The token pipeline; by default words without the stop words of the texts' language, if the
        texts name it.
    embeddings
        Word vectors, for metrics that need them; as for :func:`tealeaves.score`.
    relevance
        Saved relevance, or its file, of the same tokens and of all pairs of words that topics may
        have; or a classifier; as for :func:`tealeaves.score`.
    weight
        ``"documents"`` weights topics by the documents whose best topic they are; None does not.
    runs
        How often each model is trained, each time with another seed.
    seed
        The first seed; the next run has ``seed + 1``.
    folder
        Where each model is saved as soon as it is trained. Without it, models stay in memory.
    resume
        Continue: train only the models that the folder does not have.
    restart
        Start again, and replace the models in the folder.
    also, strict, threads, progress
        As for :func:`tealeaves.score`.
    on_note
        Called with a note that says which tokens were chosen, if none are given.
    """
    sources = Sources(embeddings=embeddings, relevance=relevance)
    choice = sources.embedding_choice
    metric_list = with_each_embedding(parse_metrics(metrics), choice)
    if strict:  # before anything is trained
        check_sources_used([*metric_list, *(parse_metrics(also) if also else [])], sources)
    if runs < 1:
        raise InputError(f"runs must be at least 1, not {runs}")
    store = None if folder is None else SelectionFolder(folder)
    kinds = parse_kinds(models)
    grid = read_grid(kinds, k)
    if store:
        store.check(resume=resume, restart=restart)
    elif resume or restart:
        raise InputError("resume and restart need the folder of the selection")
    known = store.manifest() if store and not restart else None
    plan = {
        prefix: plan_runs(kind, prefix, grid, range(seed, seed + runs))
        for prefix, kind in name_kinds(kinds, known.models if known else {}).items()
    }
    largest = [prefix_runs[-1].model for prefix_runs in plan.values()]
    for model in largest:
        model.check()
    if isinstance(corpus, PairedCorpus):
        raise InputError("texts in one language are needed, not paired texts: give one side")
    corpus = open_corpus(corpus)
    with (
        explain_interruption(lambda: store.describe_trained() if store else ""),
        interrupt_at_sigterm(),
    ):
        pipeline = choose_tokens(corpus, tokens, on_note or (lambda _: None))
        known_relevance = sources.open_relevance
        check_relevance_tokens(known_relevance, pipeline, "the models are made with")
        check = partial(
            check_metrics, largest, metric_list, pipeline, choice, weight=weight, runs=runs
        )
        check()
        check_relevance(metric_list, known_relevance)
        texts = read_texts(corpus, pipeline)
        check(language=texts.languages[0])  # there may be no stop words of this language
        check_labels(metric_list, texts)
        warn_of_relevance(metric_list, known_relevance, _limit_vocabularies(plan, texts))
        if store:
            store.begin(_manifest(plan, texts), restart=restart)
        trained = _train_all(_all_runs(plan), texts, store, progress=progress)
        loaded = list(trained.values())
        scores = score(
            loaded,
            corpus,
            metric_list,
            tokens=pipeline,
            embeddings=embeddings,
            relevance=known_relevance,
            weight=weight,
            also=also,
            threads=threads,
            progress=progress,
        )
    sizes = {topics.model: len(topics) for topics in loaded}
    return Selection(
        _candidates(plan, sizes, scores, store),
        {repr(metric): metric.better for metric in metric_list},
        trained=trained,
        weight=weight if _is_weighted(scores, metric_list[0]) else None,
        tokens=repr(pipeline),
        scores=scores,
        notes=scores.notes,
    )


def _all_runs(plan: RunsByPrefix) -> list[PlannedRun]:
    return [run for prefix_runs in plan.values() for run in prefix_runs]


def _limit_vocabularies(plan: RunsByPrefix, texts: TrainingTexts) -> list[TrainingTexts]:
    """Return the texts with each vocabulary that models are trained with.

    Models that have more topics than the texts allow are refused.
    """
    limited: dict[tuple[int, float], TrainingTexts] = {}
    for run in _all_runs(plan):
        limits = run.model.settings.min_df, run.model.settings.max_df
        if limits not in limited:
            limited[limits] = texts.limited(min_df=limits[0], max_df=limits[1])
        check_sizes(run.model, limited[limits])
    return list(limited.values())


def _manifest(plan: RunsByPrefix, texts: TrainingTexts) -> SelectionManifest:
    kinds = {prefix: prefix_runs[0].model for prefix, prefix_runs in plan.items()}
    return SelectionManifest(
        corpus=texts.digest,
        tokens=texts.signatures[0],
        models={prefix: kind.kind_signature for prefix, kind in kinds.items()},
        packages=package_versions(list(kinds.values())),
        files=sorted(run.label + SUFFIX for run in _all_runs(plan)),
    )


def _train_all(
    runs: Sequence[PlannedRun],
    texts: TrainingTexts,
    store: SelectionFolder | None,
    *,
    progress: bool,
) -> Mapping[str, Topics]:
    """Train what is not trained yet; each model is saved before the next is begun."""
    trained: dict[str, Topics] = {}
    done = {run.label for run in runs if store and store.has_trained(run, len(texts))}
    bar = progress_bar(len(runs), "", shown=progress, initial=len(done), unit="model")
    with bar:
        for run in runs:
            if run.label not in done:
                bar.set_description(f"training {run.label}")
                topics = fit(run.model, limit_vocabulary(run.model, texts))
                topics = replace(topics, model=run.label)
                if store:
                    topics.save(store.file(run.label))
                else:
                    trained[run.label] = topics
                del topics  # not to be held while the next is trained
                bar.update()
    # read from the folder, so that a selection that was resumed gives the same as one that was not
    return SavedModels(store, [run.label for run in runs]) if store else trained


def _is_weighted(scores: Scores, metric: Metric) -> bool:
    """Tell whether the metric was weighted: metrics with a value of the whole model are not."""
    rows = (row for row in scores if row.topic is None and row.metric == repr(metric))
    return any("|weight=" in row.signature for row in rows if row.support)


def _candidates(
    plan: RunsByPrefix,
    sizes: Mapping[str, int],
    scores: Scores,
    store: SelectionFolder | None,
) -> list[Candidate]:
    """Group the runs by model and number of topics."""
    rows: dict[str, list[Score]] = {}
    for row in scores:
        if row.topic is None:
            rows.setdefault(row.model, []).append(row)
    families: dict[tuple[str, str], list[PlannedRun]] = {}
    for prefix, prefix_runs in plan.items():
        for run in prefix_runs:
            families.setdefault((prefix, run.model.family), []).append(run)
    candidates = []
    for (_, family), members in families.items():
        first = members[0].model
        mean_size = round(sum(sizes[run.label] for run in members) / len(members))
        trained = tuple(
            TrainedRun(
                run.label,
                run.model.settings.seed,
                store.file(run.label) if store else None,
                {row.metric: row.value for row in rows[run.label]},
                {row.metric: row.support for row in rows[run.label]},
            )
            for run in members
        )
        k = getattr(first.settings, "k", mean_size)
        candidates.append(Candidate(first.kind, k, family, trained))
    return candidates
