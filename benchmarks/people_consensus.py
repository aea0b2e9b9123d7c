"""The stage of consensus: what judges say of topics that they were not taught with.

Its times are those of the metric itself: what it asks of each source is gathered once more.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from consensus_lessons import judged_sets, lessons_of, taught_embeddings
from consensus_predictions import TRIED, Known, Tried, evidence_of, predictions
from lexicon_gold import data_folder
from people_sets import MATERIALS, OWN, OWN_TEXTS, SETS, WIKIPEDIA, Material, PeopleSet
from people_stages import AS_LEMMAS, AS_MADE, OWN_MATERIAL, Scored, Stage, embedded, requests_for
from people_variants import CONSENSUS, LEMMAS, at, expressions, topics_in
from tealeaves import Corpus, Pipeline
from tealeaves.consensus.predictors import EMBEDDINGS, Predictors, open_predictors
from tealeaves.consensus.relations import CORPUS, REFERENCE
from tealeaves.evidence.counting.corpus import count_corpus

_NAMES = {REFERENCE: LEMMAS}  # as they are called in the tables


def consensus_stage() -> Stage:
    """Return the stage; it is done anew where other judges come with tealeaves."""
    return Stage(
        CONSENSUS, expressions(CONSENSUS), by_consensus, {"judges": open_predictors().signature}
    )


def by_consensus(asked: Sequence[str]) -> Iterator[Scored]:
    """Score by judges that were taught without the topics that they judge."""
    sets = list(judged_sets().values())
    embeddings, vectors = taught_embeddings(sets)
    read = lessons_of(sets, Predictors(embeddings=embeddings, predictors=()), vectors)
    known = Known(read, embeddings, vectors)
    found, gathering = predictions(known), gathering_seconds()
    # sets of the same topics by the same words are judged alike
    by_material = {one.material: one for one in reversed(SETS)}
    for label in asked:
        tried = TRIED[label]
        took = sum(gathering[name] for name in tried.sources)
        each = seconds_a_topic(tried, known)
        for material, one in by_material.items():
            if one.name in found[label]:
                values = found[label][one.name].tolist()
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
        CORPUS: _counting(OWN_TEXTS, AS_MADE, [OWN_MATERIAL]),
        REFERENCE: _counting(WIKIPEDIA, AS_LEMMAS, MATERIALS),
        **{name: embedded(name)[1] for name in EMBEDDINGS},
    }


def _counting(file: str, tokens: str, materials: Sequence[Material]) -> float:
    pipeline = Pipeline.parse(tokens)
    requests = requests_for(CONSENSUS, materials, pipeline)
    start = time.process_time()
    count_corpus(Corpus.open(data_folder() / file), pipeline, requests)
    return time.process_time() - start


def seconds_a_topic(tried: Tried, known: Known) -> float:
    """Judge the topics whose texts are at hand from memory, by the judges of tealeaves."""
    metric, judged = at(tried.metric, OWN_MATERIAL.words), judged_sets()[OWN.name]
    seconds = []
    for _ in range(2):  # the first time loads what is late
        evidence, wording = evidence_of(judged, tried, known)  # anew: it keeps what was asked
        start = time.process_time()
        metric.score(judged.models, evidence, wording)
        seconds.append(time.process_time() - start)
    return min(seconds) / topics_in(OWN_MATERIAL)
