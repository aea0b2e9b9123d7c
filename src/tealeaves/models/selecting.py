"""Training a grid of models, and scoring all of them in one reading of the corpus."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.choice import EmbeddingChoice
from tealeaves.evidence.sources import check_relevance_tokens, open_relevance_source
from tealeaves.metrics.base import Metric
from tealeaves.metrics.evaluation import score
from tealeaves.metrics.planning import with_each_embedding
from tealeaves.metrics.registry import parse_metrics
from tealeaves.metrics.scores import Score, Scores
from tealeaves.models.base import Model
from tealeaves.models.candidates import Candidate, Run
from tealeaves.models.folder import SUFFIX, Manifest, RunFolder, Saved, versions_of
from tealeaves.models.plan import Planned, planned, read_grid, read_kinds, with_prefixes
from tealeaves.models.selection import Selection
from tealeaves.models.sketch import (
    check_labels,
    check_metrics,
    check_relevance,
    warn_of_relevance,
)
from tealeaves.models.texts import TrainingTexts, default_tokens, read_texts
from tealeaves.models.training import as_corpus, check_size, fit
from tealeaves.text.corpus import Corpus, Text
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics

# the runs of each model, by the name that their labels begin with
Plan = dict[str, list[Planned]]

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
    threads: int | None = None,
    progress: bool = False,
) -> Selection:
    """Train models with each number of topics, score them and say which to take.

    Parameters
    ----------
    models
        Expressions such as ``"lda"`` or ``["lda(eta=0.1)", "nmf"]``, without k and seed.
    corpus
        The texts: a corpus, a path, or texts in memory. They are trained on and scored with.
    k
        The numbers of topics: ``"5:60:5"``, ``"5,10,20"`` or numbers; models that find their own
        need none.
    metrics
        What is computed; the first metric decides.
    tokens
        The token pipeline; by default words without the stop words of the texts' language, where
        they say it.
    embeddings
        What gives words their vectors, for metrics that need them; as for :func:`tealeaves.score`.
    relevance
        Relevance gathered before, or its file, of the same tokens and of all pairs of words that
        topics may have, or a classifier; as for :func:`tealeaves.score`.
    weight
        ``"documents"`` weights topics by the documents whose best topic they are; None does not.
    runs, seed
        How often each is trained, with the seeds from ``seed`` on.
    folder
        Where each model is saved as soon as it is trained; without it all are kept in memory.
    resume, restart
        Go on with what is in the folder, or begin anew.
    also, threads, progress
        As for :func:`tealeaves.score`.
    """
    choice = EmbeddingChoice(embeddings)
    asked = with_each_embedding(parse_metrics(metrics), choice)
    if runs < 1:
        raise InputError(f"runs={runs}: at least 1 is needed")
    kinds = read_kinds(models)
    grid = read_grid(kinds, k)
    place = None if folder is None else RunFolder(folder)
    if place:
        place.check(resume=resume, restart=restart)
    known = place.manifest() if place and not restart else None
    named = with_prefixes(kinds, known.models if known else {})
    seeds = range(seed, seed + runs)
    plan = {name: planned(kind, name, grid, seeds) for name, kind in named.items()}
    largest = [members[-1].model for members in plan.values()]
    for model in largest:
        model.check()
    opened = as_corpus(corpus)
    pipeline = Pipeline.parse(default_tokens(opened) if tokens is None else tokens)
    gathered = open_relevance_source(relevance)
    check_relevance_tokens(gathered, pipeline, "the models are made with")
    check = partial(check_metrics, largest, asked, pipeline, choice, weight=weight, runs=runs)
    check()
    check_relevance(asked, gathered)
    texts = read_texts(opened, pipeline)
    check(language=texts.language)  # of which there may be no list of stop words
    check_labels(asked, texts)
    limited = _check_sizes(plan, texts)
    warn_of_relevance(asked, gathered, limited)
    if place:
        place.begin(_manifest(plan, texts, pipeline), restart=restart)
    trained = _trained(_all(plan), texts, place, progress=progress)
    loaded = list(trained.values())
    scores = score(
        loaded,
        opened,
        asked,
        tokens=pipeline,
        embeddings=embeddings,
        relevance=gathered,
        weight=weight,
        also=also,
        threads=threads,
        progress=progress,
    )
    sizes = {topics.model: len(topics) for topics in loaded}
    return Selection(
        _candidates(plan, sizes, scores, place),
        {repr(metric): metric.better for metric in asked},
        trained=trained,
        weight=weight if _is_weighted(scores, asked[0]) else None,
        tokens=repr(pipeline),
        folder=place.path if place else None,
        scores=scores,
        notes=scores.notes,
    )


def _all(plan: Plan) -> list[Planned]:
    return [one for members in plan.values() for one in members]


def _check_sizes(plan: Plan, texts: TrainingTexts) -> list[TrainingTexts]:
    """Refuse, before anything is trained, what is larger than the texts allow.

    Return the texts with the words that are left for models.
    """
    known: dict[tuple[int, float], TrainingTexts] = {}
    for one in _all(plan):
        limits = one.model.settings.min_df, one.model.settings.max_df
        if limits not in known:
            known[limits] = texts.limited(min_df=limits[0], max_df=limits[1])
        check_size(one.model, known[limits])
    return list(known.values())


def _manifest(plan: Plan, texts: TrainingTexts, pipeline: Pipeline) -> Manifest:
    kinds = {name: members[0].model for name, members in plan.items()}
    return Manifest(
        corpus=texts.digest,
        tokens=pipeline.signature,
        models={name: kind.signature for name, kind in kinds.items()},
        packages=versions_of(list(kinds.values())),
        files=sorted(one.label + SUFFIX for one in _all(plan)),
    )


def _trained(
    plan: Sequence[Planned], texts: TrainingTexts, place: RunFolder | None, *, progress: bool
) -> Mapping[str, Topics]:
    """Train what is not trained yet; each model is saved before the next is begun."""
    found: dict[str, Topics] = {}
    done = {one.label for one in plan if place and place.holds(one, len(texts))}
    with _bar(len(plan), len(done), shown=progress) as advance:
        for one in plan:
            if one.label not in done:
                advance(0, one.label)
                topics = replace(fit(one.model, texts), model=one.label)
                if place:
                    topics.save(place.file(one.label))
                else:
                    found[one.label] = topics
                del topics  # not to be held while the next is trained
                advance(1, one.label)
    # read back, so that a run that was resumed sees what one that was not sees
    return Saved(place, [one.label for one in plan]) if place else found


@contextmanager
def _bar(total: int, done: int, *, shown: bool) -> Iterator[Callable[[int, str], None]]:
    from tqdm.auto import tqdm

    with tqdm(total=total, initial=done, unit="model", disable=None if shown else True) as bar:

        def advance(number: int, label: str) -> None:
            bar.set_description(f"training {label}")
            bar.update(number)

        yield advance


def _is_weighted(scores: Scores, metric: Metric) -> bool:
    """Tell whether the metric was weighted: those with their own value for models are not."""
    rows = (row for row in scores if row.topic is None and row.metric == repr(metric))
    return any("|weight=" in row.signature for row in rows if row.support)


def _candidates(
    plan: Plan, sizes: Mapping[str, int], scores: Scores, place: RunFolder | None
) -> list[Candidate]:
    """Put the runs of each number of topics together."""
    rows: dict[str, list[Score]] = {}
    for row in scores:
        if row.topic is None:
            rows.setdefault(row.model, []).append(row)
    families: dict[tuple[str, str], list[Planned]] = {}
    for name, members in plan.items():
        for one in members:
            families.setdefault((name, one.model.family), []).append(one)
    found = []
    for (_, family), members in families.items():
        first = members[0].model
        mean = round(sum(sizes[one.label] for one in members) / len(members))
        k = getattr(first.settings, "k", mean)
        runs = tuple(_run(one, rows[one.label], place) for one in members)
        found.append(Candidate(first.kind, k, family, runs))
    return found


def _run(one: Planned, rows: Sequence[Score], place: RunFolder | None) -> Run:
    return Run(
        one.label,
        one.model.settings.seed,
        place.file(one.label) if place else None,
        {row.metric: row.value for row in rows},
        {row.metric: row.support for row in rows},
    )
