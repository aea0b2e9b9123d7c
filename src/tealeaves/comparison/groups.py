"""What is compared: models with the values of their topics, or families with those of their runs.

``pair_topics`` and ``pair_runs`` say which unit of one group belongs to which unit of another.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError
from tealeaves.metrics.scores import Score, Scores
from tealeaves.metrics.topic_similarity.matching import match_topics
from tealeaves.metrics.topic_similarity.word_lists import WordLists, jaccard
from tealeaves.tables.numbers import list_text
from tealeaves.topics.topics import Topics

FIRST_WORDS = 10
#: The fewest units that can be tested.
FEWEST = 2
#: A note names so many things before it counts the others.
MOST_NAMED = 4
PAIRINGS = ("auto", "matched", "id", "none")

# ---------------------------------------------------------------------- families of runs

# lda-20-1, lda_run2, lda.seed3, lda 4: a separate number at the end
# (a run of separators is tried once, from its start: names may be long)
_NUMBERED = re.compile(
    r"(?P<family>.+?)(?:(?<![-_. ])|(?<=^.))(?P<apart>[-_. ]++)"
    r"(?P<written>(?:run|seed)[-_. ]*)?(?P<seed>\d+)",
    re.I,
)
_VERSION = re.compile(r".*\d\.\d+")  # bert-1.5
_YEARS = range(1900, 2101)


class FamilyRun(NamedTuple):
    """The family of a model, and its seed if the name has one."""

    family: str
    seed: int | None


class _NameReading(NamedTuple):
    """How a name is read: ``written`` tells whether it says run or seed."""

    run: FamilyRun
    written: bool


def family_runs(models: Sequence[Topics]) -> list[FamilyRun]:
    """Return the family and seed of each model, as the model states them, else by its name.

    Versions (a number after a digit and a dot), years and numbers of topics are not seeds. Models
    with different numbers of topics are not runs of one family, unless their names say run or seed.
    A model that has no other run keeps its name.

    >>> lists = [["cat", "dog"], ["bread", "soup"]]
    >>> names = ["lda-20-1", "lda-20-2", "nmf_run7", "nmf.seed8", "lsa-3"]
    >>> [tuple(run) for run in family_runs([Topics.of(lists, model=name) for name in names])]
    [('lda-20', 1), ('lda-20', 2), ('nmf', 7), ('nmf', 8), ('lsa-3', None)]
    """
    readings = [_read_name(model) for model in models]
    members: dict[str, list[tuple[Topics, _NameReading]]] = {}
    for model, reading in zip(models, readings, strict=True):
        members.setdefault(reading.run.family, []).append((model, reading))
    return [
        reading.run
        if model.family or _are_runs(members[reading.run.family])
        else FamilyRun(model.model, None)
        for model, reading in zip(models, readings, strict=True)
    ]


def _read_name(model: Topics) -> _NameReading:
    match = _NUMBERED.fullmatch(model.model)
    written = bool(match and match["written"])
    if match and not written and _is_no_seed(model.model, match["seed"]):
        match = None
    seed = int(match["seed"]) if match else None
    family = model.family or (match["family"] if match else model.model)
    return _NameReading(FamilyRun(family, seed), written)


def _is_no_seed(name: str, number: str) -> bool:
    return bool(_VERSION.fullmatch(name)) or (len(number) == 4 and int(number) in _YEARS)


def _are_runs(members: Sequence[tuple[Topics, _NameReading]]) -> bool:
    """Tell whether models with similar names are runs of one kind, not models of other sizes."""
    if len(members) == 1:  # which may be a version
        return False
    if all(reading.written for _, reading in members):
        return True
    sizes = {len(model) for model, _ in members}
    return len(sizes) == 1 and any(reading.run.seed not in sizes for _, reading in members)


def by_family(models: Sequence[Topics]) -> dict[str, list[tuple[Topics, int | None]]]:
    """Return the models of each family with their seeds, families in the order given."""
    families: dict[str, list[tuple[Topics, int | None]]] = {}
    for model, run in zip(models, family_runs(models), strict=True):
        families.setdefault(run.family, []).append((model, run.seed))
    return families


def has_runs(models: Sequence[Topics]) -> bool:
    """Tell whether at least two families have two runs or more."""
    return sum(len(members) > 1 for members in by_family(models).values()) > 1


def notes_on_names(models: Sequence[Topics]) -> list[str]:
    """Say which models were taken for runs by their names, as they state no family."""
    guessed = {
        family: [model.model for model, _ in members]
        for family, members in by_family(models).items()
        if len(members) > 1 and not all(model.family for model, _ in members)
    }
    if not guessed:
        return []
    named = [f"{family} ({list_text(names, MOST_NAMED)})" for family, names in guessed.items()]
    return [f"runs by their names: {'; '.join(named)}; --over topics compares each by itself"]


# ---------------------------------------------------------------------- groups of units


@dataclass(frozen=True)
class UnitGroup:
    """A model with its topics, or a family with its runs.

    Parameters
    ----------
    name
        The model's or family's name.
    keys
        The ids of the topics, or the seeds of the runs; None for a run without a seed.
    labels
        The names of the units in charts.
    values
        The values of the units for each metric that can be tested, NaN where undefined.
    shown
        The value of the whole for every metric, and its support.
    words
        The first words of each topic, if the units are topics.
    """

    name: str
    keys: tuple[str | None, ...]
    labels: tuple[str, ...]
    values: Mapping[str, Floats]
    shown: Mapping[str, tuple[float, float]]
    words: tuple[tuple[str, ...], ...] = ()


class _ModelScores:
    """The rows of scores by model and metric."""

    def __init__(self, scores: Scores) -> None:
        self.metrics = list(dict.fromkeys(row.metric for row in scores))
        self.whole: dict[tuple[str, str], Score] = {}
        self.topics: dict[tuple[str, str], dict[str, float]] = {}
        for row in scores:
            if row.topic is None:
                self.whole[row.model, row.metric] = row
            else:
                self.topics.setdefault((row.model, row.metric), {})[str(row.topic)] = row.value

    def of_model(self, model: str, metric: str) -> tuple[float, float]:
        row = self.whole.get((model, metric))
        if row is None:
            raise InputError(f"{model}: the scores have no {metric} of the model")
        return row.value, row.support

    def of_topics(self, model: Topics, metric: str) -> Floats:
        values = self.topics.get((model.model, metric), {})
        return np.array([values.get(str(topic.id), math.nan) for topic in model.topics])


def groups_of_topics(scores: Scores, models: Sequence[Topics]) -> tuple[list[UnitGroup], list[str]]:
    """Return the models with the values of their topics, and the metrics that cannot be tested.

    These are the metrics of whole models: those that have no values of topics, or whose value of
    the model is not the mean of the topics' values.
    """
    index = _ModelScores(scores)
    weighted = next((row for row in index.whole.values() if "|weight=" in row.signature), None)
    if weighted is not None:
        raise InputError(
            f"{weighted.metric}: these scores of models are weighted, and tests over topics are "
            "of plain means; leave out the weight, or compare over seeds"
        )
    whole = [name for name in index.metrics if not _are_means(index, models, name)]
    groups = []
    for model in models:
        ids = tuple(str(topic.id) for topic in model.topics)
        groups.append(
            UnitGroup(
                model.model,
                ids,
                ids,
                {name: index.of_topics(model, name) for name in index.metrics if name not in whole},
                {name: index.of_model(model.model, name) for name in index.metrics},
                tuple(topic.words[:FIRST_WORDS] for topic in model.topics),
            )
        )
    return groups, whole


def _are_means(index: _ModelScores, models: Sequence[Topics], metric: str) -> bool:
    """Tell whether the value of each model is the mean of its topics' values."""
    if not any((model.model, metric) in index.topics for model in models):
        return False
    for model in models:
        value, _ = index.of_model(model.model, metric)
        mean = mean_of(index.of_topics(model, metric))
        if not (math.isnan(mean) and math.isnan(value)) and not math.isclose(
            mean, value, rel_tol=1e-9, abs_tol=1e-12
        ):
            return False
    return True


def groups_of_runs(scores: Scores, models: Sequence[Topics]) -> list[UnitGroup]:
    """Return the families with the values of their runs."""
    index = _ModelScores(scores)
    groups = []
    for family, members in by_family(models).items():
        names = tuple(model.model for model, _ in members)
        whole = {m: [index.of_model(name, m) for name in names] for m in index.metrics}
        values = {m: np.array([value for value, _ in pairs]) for m, pairs in whole.items()}
        support = {m: [share for _, share in pairs] for m, pairs in whole.items()}
        groups.append(
            UnitGroup(
                family,
                tuple(None if seed is None else str(seed) for _, seed in members),
                names,
                values,
                {m: (mean_of(values[m]), float(np.mean(support[m]))) for m in index.metrics},
            )
        )
    return groups


def mean_of(values: Floats) -> float:
    """Return the mean of the defined values; NaN if there are none.

    >>> mean_of(np.array([1.0, math.nan, 2.0]))
    1.5
    """
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan


# ---------------------------------------------------------------------- pairs of units


@dataclass(frozen=True)
class Pairing:
    """The positions of the units that belong together; ``kind`` none has no pairs.

    ``disjoint`` counts the pairs of topics that share no word; ``why`` says what "auto" decided.
    """

    kind: str
    left: Integers
    right: Integers
    disjoint: int = 0
    why: str = ""

    @classmethod
    def without(cls, why: str = "") -> Pairing:
        """Return a pairing without pairs."""
        nothing = np.empty(0, np.int64)
        return cls("none", nothing, nothing, why=why)


#: Tells whether so many pairs of units can ever differ significantly.
Reach = Callable[[int], bool]


def pair_topics(a: UnitGroup, b: UnitGroup, pairing: str, reach: Reach) -> Pairing:
    """Pair the topics of two models: by their words, by their ids, or not at all."""
    if pairing == "none":
        return Pairing.without()
    if pairing == "id":
        return _pair_by_key(a, b, "id")
    if pairing == "auto":
        if not (a.words and b.words):
            return Pairing.without("compared without pairs, as the words of topics are not known")
        if len(a.keys) != len(b.keys):
            return Pairing.without(
                "compared without pairs, as they have different numbers of topics"
            )
        if not reach(len(a.keys)):
            return Pairing.without(_too_few("topics"))
    return _pair_by_words(a, b)


def pair_runs(a: UnitGroup, b: UnitGroup, pairing: str, reach: Reach) -> Pairing:
    """Pair runs by their seeds, if both families have the same seeds."""
    if pairing == "matched":
        raise InputError(
            "only topics are matched: pair runs by their seeds (--pairing id) or use --pairing none"
        )
    if pairing == "none" or min(len(a.keys), len(b.keys)) < FEWEST:  # the latter is not tested
        return Pairing.without()
    if pairing == "id":
        return _pair_by_key(a, b, "seed")
    for group in (a, b):
        if None in group.keys or len(set(group.keys)) < len(group.keys):
            return Pairing.without("compared without pairs, as not every run has its own seed")
    if set(a.keys) != set(b.keys):
        return Pairing.without("compared without pairs, as their seeds differ")
    if not reach(len(a.keys)):
        return Pairing.without(_too_few("runs"))
    return _pair_by_key(a, b, "seed")


def _too_few(what: str) -> str:
    return f"compared without pairs, as so few pairs of {what} can never differ significantly"


def _pair_by_words(a: UnitGroup, b: UnitGroup) -> Pairing:
    """Match topics one to one so that the Jaccard coefficients of their first words sum highest."""
    for group in (a, b):
        if not group.words:
            raise InputError(
                f"{group.name}: the words of its topics are not known, so that they cannot be "
                "matched; pair topics by id, or by none"
            )
    lists = WordLists.of([*a.words, *b.words])
    sizes = [len(a.words), len(b.words)]
    left, right, likeness = match_topics(lambda rows, columns: jaccard(lists, rows, columns), sizes)
    return Pairing("matched", left, right - sizes[0], int((likeness == 0).sum()))


def _pair_by_key(a: UnitGroup, b: UnitGroup, kind: str) -> Pairing:
    for group in (a, b):
        known = [key for key in group.keys if key is not None]
        if repeated := [key for key in known if known.count(key) > 1]:
            raise InputError(f"{group.name}: several runs have the {kind} {repeated[0]}")
    places = {key: place for place, key in enumerate(b.keys) if key is not None}
    common = [(i, places[key]) for i, key in enumerate(a.keys) if key is not None and key in places]
    if not common:
        raise InputError(
            f"{a.name} and {b.name} have no {kind} in common: pair them otherwise (--pairing)"
        )
    pairs = np.array(common, dtype=np.int64)
    disjoint = sum(set(a.words[i]).isdisjoint(b.words[j]) for i, j in common if a.words and b.words)
    return Pairing(kind, pairs[:, 0], pairs[:, 1], disjoint)
