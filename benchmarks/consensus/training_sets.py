"""What the predictors of consensus are fitted to: topics that people judged, seen by all sources.

People's scales become one: 0 is the worst answer that could be given and 1 the best, so that a mean
vote m from a to b becomes (m - a) / (b - a).
"""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
import numpy as np

from benchmarks.consensus.fitting import TrainingSet
from benchmarks.folders import data_folder
from benchmarks.people.sets import OWN_FILE, SETS, WIKIPEDIA_FILE, PeopleSet
from tealeaves.arrays import Floats, Integers
from tealeaves.consensus.predictors import EMBEDDINGS, EmbeddingScale, Predictors
from tealeaves.consensus.relations import UNITS, Moments, Relations, moments_of_cosines
from tealeaves.consensus.sources import ModelSources, first_words
from tealeaves.evidence.counting.corpus import count_corpus
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.embeddings import Embeddings
from tealeaves.evidence.embeddings.embeddings import WordVectors
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import CountRequest
from tealeaves.evidence.wording import Wording
from tealeaves.judgments.correlation.clusters import clusters_of
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics

OWN_TOKENS, WIKIPEDIA_TOKENS = "tokens", "words(lemmas=en)"


class Judged(NamedTuple):
    """Topics that people judged: the models, by how many words, and answers from 0 to 1."""

    name: str
    corpus: str
    words: int
    models: list[Topics]
    human: Floats
    own: bool = False

    @property
    def shown(self) -> list[tuple[str, ...]]:
        """The words that people saw."""
        return [topic.words[: self.words] for model in self.models for topic in model.topics]


@cache
def judged_sets() -> dict[str, Judged]:
    """Return all sets: 20 Newsgroups, Wikitext (ratings and intrusion), Wikipedia by 5 to 20."""
    return {one.name: _judged(one) for one in SETS}


def _judged(given: PeopleSet) -> Judged:
    low, high = _SCALES.get(given.task, (1.0, 3.0))
    said = {(key.model, key.topic): mean for key, mean in given.judgments.human().items()}
    models = given.material.models
    answers = [said[model.model, str(topic.id)] for model in models for topic in model.topics]
    human = (np.array(answers) - low) / (high - low)
    corpus = _CORPORA[given.material.folder]
    return Judged(given.name, corpus, given.material.words, models, human, given.own)


# from the worst answer to the best; ratings are from 1 to 3
_SCALES = {"votes": (1.0, 4.0), "intrusion": (0.0, 1.0)}
_CORPORA = {
    "khodorchenko2022": "20 Newsgroups",
    "hoyle2021": "Wikitext",
    "lau_baldwin2016": "Wikipedia",
}

#: How the sets are called that are named in code.
NEWSGROUPS, RATINGS, INTRUSION = "khodorchenko2022", "hoyle2021_ratings", "hoyle2021_intrusion"
WIKI = {words: f"lau_baldwin2016_top{words}" for words in (10, 5, 15, 20)}

#: The sets that predictors are fitted to; of Wikipedia's topics each counts once, not four times.
TRAINING_WEIGHTS = {NEWSGROUPS: 1.0, RATINGS: 1.0} | dict.fromkeys(WIKI.values(), 0.25)


def data_rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of a file of the data."""
    with gzip.open(data_folder() / name) as lines:
        return [msgspec.json.decode(line) for line in lines]


#: Embeddings whose scale predictors know, though not fitted with them; the words of topics
#: are English, those of navec are Russian.
ENGLISH_ONES, RUSSIAN_ONE = ("minilm", "use", "glove"), "navec"
_RUSSIAN = "paired_ntrex128/rus.tsv.gz"


def embedding_scales(
    sets: Sequence[Judged],
) -> tuple[dict[str, EmbeddingScale], dict[str | None, WordVectors]]:
    """Return what predictors must know of embeddings, and the vectors of all words in our own."""
    words = sorted({word for one in sets for word in first_words(one.models, None)})
    vectors: dict[str | None, WordVectors] = {
        name: Embeddings.of(name).vectors(words) for name in EMBEDDINGS
    }
    known = {name: _known(vectors[name], words, lengths=True) for name in EMBEDDINGS}
    for name in ENGLISH_ONES:
        known[name] = _known(Embeddings.of(name).vectors(words), words)
    russian = _usual_words(_RUSSIAN)
    known[RUSSIAN_ONE] = _known(Embeddings.of(RUSSIAN_ONE).vectors(russian), russian)
    return known, vectors


def _known(vectors: WordVectors, words: Sequence[str], *, lengths: bool = False) -> EmbeddingScale:
    cosines = moments_of_cosines(vectors, words)
    assert cosines is not None
    rounded = Moments(round(cosines.mean, _DECIMALS), round(cosines.deviation, _DECIMALS))
    if not lengths:
        return EmbeddingScale(vectors.fingerprint, rounded)
    lengths_of_vectors = np.linalg.norm(vectors.of(words), axis=1)
    mean, deviation = float(np.nanmean(lengths_of_vectors)), float(np.nanstd(lengths_of_vectors))
    own = Moments(round(mean, _DECIMALS), round(deviation, _DECIMALS))
    return EmbeddingScale(vectors.fingerprint, rounded, own)


_DECIMALS = 6


def _usual_words(name: str, first: int = 150, last: int = 2500) -> list[str]:
    """Return the words of a text by how often they occur, but for the most frequent ones."""
    with gzip.open(data_folder() / name, "rt", encoding="utf-8") as lines:
        frequencies = Counter(
            word for line in lines for word in re.findall(r"[^\W\d_]{3,}", line.lower())
        )
    return [word for word, _ in frequencies.most_common(last)][first:]


class ReadSets(NamedTuple):
    """All sets as training sets, and what was counted in the two texts."""

    training_sets: dict[str, TrainingSet]
    own: list[Counts]
    wikipedia: list[Counts]


def training_sets_of(
    sets: Sequence[Judged],
    predictors: Predictors,
    vectors: Mapping[str | None, WordVectors],
    reference: str = WIKIPEDIA_TOKENS,
) -> ReadSets:
    """Return all sets as training sets; each text is read once."""
    clusters = _clusters(sets)
    there = Wording(Pipeline.parse(reference))
    here = Wording(Pipeline.parse(OWN_TOKENS), reference=there)
    wiki = _counted(WIKIPEDIA_FILE, reference, [one.models for one in sets], there)
    own = _counted(OWN_FILE, OWN_TOKENS, [one.models for one in sets if one.own], here)
    training_sets = {}
    for one in sets:
        evidence = Evidence(own if one.own else (), vectors=vectors, reference=Evidence(wiki))
        seen = [
            ModelSources.of(model, one.words, evidence, here, predictors) for model in one.models
        ]
        relations = _joined([_whole(sources) for sources in seen])
        weight = TRAINING_WEIGHTS.get(one.name, 1.0)
        training_sets[one.name] = TrainingSet(
            one.name, relations, one.human, clusters[one.name], weight
        )
    return ReadSets(training_sets, own, wiki)


def _whole(sources: ModelSources) -> Relations:
    """Return the relations of a model, all of whose topics have the same number of words."""
    [(rows, relations)] = sources.relations
    assert rows.tolist() == list(range(len(sources.model)))
    return relations


def _joined(parts: Sequence[Relations]) -> Relations:
    """Put the relations of models after each other; all have the same sources."""

    def joined(name: str) -> dict[str, Any]:
        columns = [getattr(part, name) for part in parts]
        return {key: np.concatenate([column[key] for column in columns]) for key in columns[0]}

    lengths = [part.lengths for part in parts if part.lengths is not None]
    assert len(lengths) == len(parts)
    words = [words for part in parts for words in part.words]
    return Relations(
        words, joined("logits"), joined("known"), joined("common"), np.concatenate(lengths)
    )


def _counted(
    name: str, tokens: str, groups: Sequence[list[Topics]], wording: Wording
) -> list[Counts]:
    models = [model for group in groups for model in group]
    requests = [CountRequest(unit, *wording.pairs(models, None)) for unit in UNITS]
    return count_corpus(Corpus.open(data_folder() / name), Pipeline.parse(tokens), requests)


def _clusters(sets: Sequence[Judged]) -> dict[str, Integers]:
    """Number clusters of nearly the same topics; those of one corpus are numbered together.

    Sets of one corpus are the same topics, by fewer words or another question.
    """
    clusters: dict[str, Integers] = {}
    start = 0
    for corpus in dict.fromkeys(one.corpus for one in sets):
        some = [one for one in sets if one.corpus == corpus]
        widest = max(some, key=lambda one: one.words)
        own = clusters_of(widest.shown)
        clusters |= {one.name: own + start for one in some}
        start += int(own.max()) + 1
    return clusters
