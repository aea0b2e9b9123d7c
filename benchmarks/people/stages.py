"""Scoring all judged topics, stage by stage: a stage is one kind of evidence, gathered once.

The results of a stage are kept in a file of the work folder: a run that is stopped goes on with the
next stage. Beside the values stands how long the evidence took to gather, and how long a metric
takes to score a topic from it: seconds of the processors, which others on the machine hardly
change.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from benchmarks.checkpoints import stored
from benchmarks.consensus.predictions import TRIED, Known, Tried, evidence_of, predictions
from benchmarks.consensus.training_sets import embedding_scales, judged_sets, training_sets_of
from benchmarks.folders import data_folder
from benchmarks.people.sets import (
    MATERIALS,
    OWN,
    OWN_FILE,
    SETS,
    WIKIPEDIA_FILE,
    Material,
    PeopleSet,
)
from benchmarks.people.variants import (
    CLASSIFIER,
    CONSENSUS,
    EMBEDDINGS,
    LEMMAS,
    LEMMATISED,
    OWN_TEXTS,
    WIKIPEDIA,
    WORDS,
    at,
    expressions,
    metric_in,
    topics_in,
)
from tealeaves import Corpus, Embeddings, Pipeline, Relevance, __version__, score
from tealeaves.consensus.predictors import EMBEDDINGS as CONSENSUS_EMBEDDINGS
from tealeaves.consensus.predictors import Predictors, open_predictors
from tealeaves.consensus.relations import CORPUS, REFERENCE
from tealeaves.errors import TealeavesWarning
from tealeaves.evidence.counting.corpus import count_corpus
from tealeaves.evidence.requests import CountRequest, join_count_requests
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.planning import count_requests

OWN_MATERIAL = OWN.material
BUDGET = 2000  # texts that the classifier reads
AS_MADE, AS_WRITTEN, AS_LEMMAS = "tokens", "words", "words(lemmas=en)"
_TOKENS = "tokens(min_tokens=6)"  # too short a text has nothing to classify
Given = dict[str, Any]


class Scored(NamedTuple):
    """What a metric says of the topics and models of a material; a model's topic is None."""

    expression: str
    evidence: str
    folder: str
    words: int
    better: str
    gathering: float
    seconds: float
    values: list[tuple[str, str | None, float]]


class Stage(NamedTuple):
    """One kind of evidence, which metrics it serves, and what scores them.

    ``rests_on`` is what else the numbers depend on.
    """

    name: str
    expressions: Sequence[str]
    work: Callable[[Sequence[str]], Iterator[Scored]]
    rests_on: Mapping[str, str] = MappingProxyType({})


def stages(folder: Path) -> list[Stage]:
    """Return all stages: those of single metrics, the quick ones first, then consensus."""
    words, counts, vectors, relevance = map(
        expressions, ("words", "counts", "vectors", "relevance")
    )
    return [
        Stage(WORDS, words, by_words),
        Stage(OWN_TEXTS, counts, by_own_texts),
        Stage(WIKIPEDIA, counts, by_wikipedia),
        Stage(LEMMAS, [one for one in counts if metric_in(one) in LEMMATISED], by_lemmas),
        *(Stage(name, vectors, embedded_by(name)) for name in EMBEDDINGS),
        Stage(CLASSIFIER, relevance, read_by_classifier(folder)),
        consensus_stage(),
    ]


def scored_in(stage: Stage, folder: Path) -> list[Scored]:
    """Return the results of a stage: from its file, if it has the same metrics, else computed."""
    made_by = {"version": __version__, "expressions": list(stage.expressions)}
    made_by |= stage.rests_on

    def compute() -> list[Scored]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TealeavesWarning)
            return list(stage.work(stage.expressions))

    path = folder / ("_".join(re.findall(r"\w+", stage.name)) + ".json")
    return [Scored(*row) for row in stored(path, made_by, compute)]


# ---------------------------------------------------------------------- evidence


def by_words(asked: Sequence[str]) -> Iterator[Scored]:
    """Score by the words of topics alone."""
    yield from _all_scored(asked, WORDS, MATERIALS, 0.0, {})


def by_own_texts(asked: Sequence[str]) -> Iterator[Scored]:
    """Score by counts of the texts that the topics were made of."""
    yield from _counted(asked, OWN_TEXTS, OWN_FILE, AS_MADE, [OWN_MATERIAL])


def by_wikipedia(asked: Sequence[str]) -> Iterator[Scored]:
    """Score by counts of Wikipedia."""
    yield from _counted(asked, WIKIPEDIA, WIKIPEDIA_FILE, AS_WRITTEN, MATERIALS)


def by_lemmas(asked: Sequence[str]) -> Iterator[Scored]:
    """Score by counts of Wikipedia, lemmatised: what consensus takes for a reference."""
    yield from _counted(asked, LEMMAS, WIKIPEDIA_FILE, AS_LEMMAS, MATERIALS)


def _counted(
    asked: Sequence[str], evidence: str, file: str, tokens: str, materials: Sequence[Material]
) -> Iterator[Scored]:
    """Count once for all metrics that ask for the same units."""
    pipeline, texts = Pipeline.parse(tokens), Corpus.open(data_folder() / file)
    together: dict[frozenset[str], list[str]] = {}
    requests = {one: requests_for(one, materials, pipeline) for one in asked}
    for one, needed in requests.items():
        together.setdefault(frozenset(str(request.unit) for request in needed), []).append(one)
    for same in together.values():
        joined = join_count_requests(request for one in same for request in requests[one])
        start = time.process_time()
        counts = count_corpus(texts, pipeline, joined)
        seconds = time.process_time() - start
        yield from _all_scored(same, evidence, materials, seconds, {"counts": counts})


def requests_for(
    expression: str, materials: Iterable[Material], pipeline: Pipeline
) -> list[CountRequest]:
    """Return what must be counted for a metric of all materials."""
    requests: list[CountRequest] = []
    for one in materials:
        requests += count_requests(one.models, [at(expression, one.words)], Wording(pipeline))
    return join_count_requests(requests)


def embedded_by(name: str) -> Callable[[Sequence[str]], Iterator[Scored]]:
    """Return the stage of an embedding: all words are embedded once, none is kept on disk."""

    def work(asked: Sequence[str]) -> Iterator[Scored]:
        embeddings, seconds = embedded(name)
        yield from _all_scored(asked, name, MATERIALS, seconds, {"embeddings": embeddings})

    return work


def embedded(name: str) -> tuple[Embeddings, float]:
    """Embed the words of all materials, and say how long it took."""
    words = {
        word
        for one in MATERIALS
        for model in one.models
        for topic in model.topics
        for word in topic.words[: one.words]
    }
    start = time.process_time()
    embeddings = Embeddings.of(name, cache=False)
    embeddings.vectors(sorted(words))
    return embeddings, time.process_time() - start


def read_by_classifier(folder: Path) -> Callable[[Sequence[str]], Iterator[Scored]]:
    """Return the stage of relevance: a probe is fitted to the texts, and reads some of them.

    Both are left to the commands, which go on where they were stopped.
    """

    def work(asked: Sequence[str]) -> Iterator[Scored]:
        texts = ["--corpus", str(data_folder() / OWN_FILE)]
        judged = ["--human", str(data_folder() / OWN_MATERIAL.folder / "topics.jsonl.gz")]
        probe, gathered = folder / "own.classifier", folder / "own.relevance"
        took = folder / "relevance_seconds.txt"
        if not probe.exists():
            _command(took, "fit", *texts, "--tokens", _TOKENS, "-o", str(probe))
        chosen = ["--classifier", str(probe), "--budget", str(BUDGET), "--seed", "0"]
        if not gathered.exists():
            _command(took, "gather", *judged, *texts, *chosen, "-o", str(gathered), "--resume")
        seconds = sum(map(float, took.read_text(encoding="utf-8").split()))
        given = {"relevance": Relevance.load(gathered)}
        yield from _all_scored(asked, CLASSIFIER, [OWN_MATERIAL], seconds, given)

    return work


def _command(took: Path, *given: str) -> None:
    """Run a command of relevance, and add its seconds to those of runs that were stopped."""
    before = os.times()
    try:
        subprocess.run([sys.executable, "-m", "tealeaves", "relevance", *given], check=True)
    finally:
        after = os.times()
        spent = sum(after[2:4]) - sum(before[2:4])  # of processes that were started here
        with took.open("a", encoding="utf-8") as stream:
            stream.write(f"{spent:.1f}\n")


# ---------------------------------------------------------------------- scores


def _all_scored(
    asked: Sequence[str],
    evidence: str,
    materials: Iterable[Material],
    gathering: float,
    given: Given,
) -> Iterator[Scored]:
    for one in materials:
        for expression in asked:
            yield _scored(expression, evidence, one, gathering, given)


def _scored(
    expression: str, evidence: str, material: Material, gathering: float, given: Given
) -> Scored:
    """Score from memory; what is timed is scored twice, as the first time loads what is late."""
    metric, models = at(expression, material.words), material.models
    seconds = []
    for _ in range(2 if material == OWN_MATERIAL else 1):
        start = time.process_time()
        scores = score(models, None, metric, **given)
        seconds.append(time.process_time() - start)
    values = [
        (row.model, None if row.topic is None else str(row.topic), row.value) for row in scores
    ]
    each = min(seconds) / topics_in(material)
    return Scored(expression, evidence, *material, metric.better, gathering, each, values)


# ---------------------------------------------------------------------- consensus

_NAMES = {REFERENCE: LEMMAS}  # as they are called in the tables


def consensus_stage() -> Stage:
    """Return the stage; it is done anew if other predictors come with tealeaves."""
    return Stage(
        CONSENSUS, expressions(CONSENSUS), by_consensus, {"judges": open_predictors().signature}
    )


def by_consensus(asked: Sequence[str]) -> Iterator[Scored]:
    """Score by predictors that were fitted without the topics that they score."""
    sets = list(judged_sets().values())
    embeddings, vectors = embedding_scales(sets)
    read = training_sets_of(sets, Predictors(embeddings=embeddings, predictors=()), vectors)
    known = Known(read, embeddings, vectors)
    predicted, gathering = predictions(known), gathering_seconds()
    # sets of the same topics by the same words are judged alike
    by_material = {one.material: one for one in reversed(SETS)}
    for label in asked:
        tried = TRIED[label]
        took = sum(gathering[name] for name in tried.sources)
        each = seconds_a_topic(tried, known)
        for material, one in by_material.items():
            if one.name in predicted[label]:
                values = predicted[label][one.name].tolist()
                yield Scored(
                    label, _from(tried), *material, "higher", took, each, _told(one, values)
                )


def _from(tried: Tried) -> str:
    return " + ".join(_NAMES.get(name, name) for name in tried.sources)


def _told(one: PeopleSet, values: Sequence[float]) -> list[tuple[str, str | None, float]]:
    topics = [
        (model.model, str(topic.id)) for model in one.material.models for topic in model.topics
    ]
    return [(*topic, value) for topic, value in zip(topics, values, strict=True)]


# ---------------------------------------------------------------------- times


def gathering_seconds() -> dict[str, float]:
    """Gather what consensus asks of each source, for all sets together."""
    return {
        CORPUS: _counting(OWN_FILE, AS_MADE, [OWN_MATERIAL]),
        REFERENCE: _counting(WIKIPEDIA_FILE, AS_LEMMAS, MATERIALS),
        **{name: embedded(name)[1] for name in CONSENSUS_EMBEDDINGS},
    }


def _counting(file: str, tokens: str, materials: Sequence[Material]) -> float:
    pipeline = Pipeline.parse(tokens)
    requests = requests_for(CONSENSUS, materials, pipeline)
    start = time.process_time()
    count_corpus(Corpus.open(data_folder() / file), pipeline, requests)
    return time.process_time() - start


def seconds_a_topic(tried: Tried, known: Known) -> float:
    """Judge the topics whose texts are available from memory, by the predictors of tealeaves."""
    metric, judged = at(tried.metric, OWN_MATERIAL.words), judged_sets()[OWN.name]
    seconds = []
    for _ in range(2):  # the first time loads what is late
        evidence, wording = evidence_of(judged, tried, known)  # anew: it keeps what was asked
        start = time.process_time()
        metric.score(judged.models, evidence, wording)
        seconds.append(time.process_time() - start)
    return min(seconds) / topics_in(OWN_MATERIAL)
