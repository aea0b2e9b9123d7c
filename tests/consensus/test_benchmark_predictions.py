"""What the table of all metrics shows of consensus: nothing that its predictors were fitted to."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tealeaves import Corpus, Pipeline, Topics
from tealeaves.arrays import Floats
from tealeaves.consensus.predictors import Predictors
from tealeaves.consensus.relations import UNITS
from tealeaves.evidence import Counts, count_corpus
from tealeaves.evidence.requests import CountRequest
from tealeaves.evidence.wording import Wording

from .benchmark import benchmark_module
from .made import relations_of, symmetric

EVERYTHING = ["corpus", "reference", "minilm_static", "wordllama"]
TOPICS, SIZE = 24, 6
CORPORA = {"khodorchenko2022": "20 Newsgroups", "hoyle2021_ratings": "Wikitext"} | {
    f"lau_baldwin2016_top{words}": "Wikipedia" for words in (10, 5, 15, 20)
}
TrainingSet = benchmark_module("fitting").TrainingSet
TrainingSets = dict[str, Any]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The modules of the benchmark, with sets that are made up."""
    training_sets, trials, predictions = (
        benchmark_module(name) for name in ("training_sets", "trials", "predictions")
    )
    sets = {
        name: training_sets.Judged(name, corpus, SIZE, models(name), np.zeros(TOPICS))
        for name, corpus in CORPORA.items()
    }
    for module in (trials, predictions):
        monkeypatch.setattr(module, "judged_sets", lambda: sets)
    return SimpleNamespace(
        predictions=predictions, read=training_sets.ReadSets, judged=training_sets.Judged
    )


@pytest.fixture
def made_up(bench: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The same, where training sets say what texts and vectors would."""
    monkeypatch.setattr(bench.predictions, "sources_of", sources_of)
    return bench


def sources_of(judged: Any, tried: Any, known: Any, _: Predictors) -> list[Any]:
    """Return the relations of a training set in the place of those that texts and vectors say."""
    given = known.read.training_sets[judged.name].relations
    found, start = [], 0
    for model in judged.models:
        mine = (np.arange(TOPICS) >= start) & (np.arange(TOPICS) < start + len(model))
        rows = np.arange(len(model))
        relations = [(rows, given.part(mine, tried.sources))]
        found.append(SimpleNamespace(model=model, names=tried.sources, relations=relations))
        start += len(model)
    return found


def models(name: str) -> list[Topics]:
    """Two models, as many topics each; no two share a word."""
    words = [[f"{name}{topic}w{word}" for word in range(SIZE)] for topic in range(TOPICS)]
    half = TOPICS // 2
    return [Topics.of(words[:half], model="a"), Topics.of(words[half:], model="b")]


def made_training_sets() -> TrainingSets:
    found = {}
    for seed, name in enumerate(CORPORA):
        own = relations_of(EVERYTHING, topics=TOPICS, size=SIZE, seed=seed, lengths=True)
        human = np.random.default_rng(seed).random(TOPICS)
        found[name] = TrainingSet(name, own, human, np.arange(TOPICS) // 2 + 1000 * seed)
    return found


def predicted(bench: Any, training_sets: TrainingSets) -> dict[str, dict[str, Floats]]:
    known = bench.predictions.Known(bench.read(training_sets, [], []), {}, {})
    found: dict[str, dict[str, Floats]] = bench.predictions.predictions(known)
    return found


def differ(one: dict[str, Floats], other: dict[str, Floats]) -> list[str]:
    """Return the sets of which something else is said."""
    assert list(one) == list(other)
    return [name for name in one if not np.array_equal(one[name], other[name])]


def test_what_people_said_of_a_corpus_does_not_reach_its_predictions(made_up: Any) -> None:
    training_sets = made_training_sets()
    before = predicted(made_up, training_sets)
    own = training_sets["hoyle2021_ratings"]
    training_sets["hoyle2021_ratings"] = replace(own, human=1 - own.human)
    after = predicted(made_up, training_sets)
    everywhere = [name for name in CORPORA if name != "hoyle2021_ratings"]
    for label, found in before.items():
        if label == made_up.predictions.RANKS:
            assert differ(found, after[label]) == []  # fitted to nothing
        elif label != made_up.predictions.UNSEEN_CLUSTER:
            assert differ(found, after[label]) == everywhere, label


def test_what_people_said_of_a_cluster_does_not_reach_its_predictions(made_up: Any) -> None:
    label, name = made_up.predictions.UNSEEN_CLUSTER, "khodorchenko2022"
    training_sets = made_training_sets()
    [(_, before)] = predicted(made_up, training_sets)[label].items()
    human = training_sets[name].human.copy()
    human[:2] = 1 - human[:2]  # the first cluster
    training_sets[name] = replace(training_sets[name], human=human)
    [(_, after)] = predicted(made_up, training_sets)[label].items()
    assert before[:2].tolist() == after[:2].tolist()
    assert (before[2:] != after[2:]).any()


@pytest.mark.parametrize("source", EVERYTHING)
def test_rows_are_of_the_sources_that_they_name(made_up: Any, source: str) -> None:
    training_sets = made_training_sets()
    before = predicted(made_up, training_sets)
    after = predicted(
        made_up, {name: without_sense(one, source) for name, one in training_sets.items()}
    )
    for label, tried in made_up.predictions.TRIED.items():
        assert bool(differ(before[label], after[label])) == (source in tried.sources), label


def without_sense(training_set: Any, source: str) -> Any:
    """Return a training set in which one source says something else, drawn at random."""
    given = training_set.relations
    drawn = np.random.default_rng(99).normal(-1, 2, size=(TOPICS, SIZE, SIZE))
    return replace(
        training_set, relations=replace(given, logits={**given.logits, source: symmetric(drawn)})
    )


@pytest.mark.parametrize(
    ("sources", "own", "there"),
    [
        (("corpus", "reference"), True, {"corpus": 3, "reference": 5}),
        (("corpus", "reference"), False, {"reference": 5}),
        (("corpus",), True, {"corpus": 3}),
        (("corpus",), False, {"corpus": 5}),  # Wikipedia is taken for it
        (("minilm_static",), True, {}),
    ],
)
def test_which_texts_are_asked(
    bench: Any, sources: tuple[str, ...], own: bool, there: dict[str, int]
) -> None:
    models = [Topics.of([["cat", "dog"]], model="m"), Topics.of([["dog", "cow"]], model="n")]
    judged = bench.judged("set", "corpus", 2, models, np.zeros(2), own)
    read = bench.read({}, counted(models, "tokens", 3), counted(models, "words(lemmas=en)", 5))
    tried = bench.predictions.Tried(sources, None)
    blank = Predictors(embeddings={}, predictors=())
    known = bench.predictions.Known(read, {}, {})
    found = bench.predictions.sources_of(judged, tried, known, blank)
    assert [one.model for one in found] == models
    for one in found:
        documents = {name: text.counts[UNITS[0]].totals.units for name, text in one.texts.items()}
        assert documents == there


def counted(models: list[Topics], tokens: str, texts: int) -> list[Counts]:
    pipeline = Pipeline.parse(tokens)
    terms = Wording(pipeline).pairs(models, None)
    corpus = Corpus.of(["cat dog cow"] * texts)
    return count_corpus(corpus, pipeline, [CountRequest(unit, *terms) for unit in UNITS])
