"""Odd words: what workers marked as not belonging, and made-up intruders.

Average precision is of the words of a list, the least fitting first, and the mean over lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from consensus_lessons import Judged, data_rows
from tealeaves.arrays import Bools, Floats
from tealeaves.consensus.relations import Relations
from tealeaves.consensus.words import ODD, fit_of_words
from tealeaves.topics.topics import Topic, Topics

SHOWN, OUTSIDE = 5, 50
INTRUDERS, SEED = 4, 0


class Marked(NamedTuple):
    """Word lists, and which words of each were marked."""

    lists: Judged
    marks: Bools

    @property
    def minority(self) -> Bools:
        """Lists in which some words are marked, and fewer than half."""
        number = self.marks.sum(axis=1)
        return np.asarray((number > 0) & (2 * number < self.marks.shape[1]))

    @property
    def partly(self) -> Bools:
        """Lists in which some words are marked, and not all."""
        number = self.marks.sum(axis=1)
        return np.asarray((number > 0) & (number < self.marks.shape[1]))


def marked_lists() -> Marked:
    """Return the lists in which workers marked unsuitable words."""
    rows = data_rows("khodorchenko2022/unsuitable_words.jsonl.gz")
    topics = tuple(Topic(number, tuple(row["words"])) for number, row in enumerate(rows))
    marks = np.array([[word in row["unsuitable"] for word in row["words"]] for row in rows])
    lists = Judged("marked", "marked", 15, [Topics(topics, model="marked")], np.zeros(len(rows)))
    return Marked(lists._replace(own=True), marks)


def votes_by_marks(marked: Marked, judged: Judged) -> list[tuple[str, int, float]]:
    """Return what people said, from 0 to 1, of lists with few and with many marked words."""
    said = {frozenset(words): vote for words, vote in zip(judged.shown, judged.human, strict=True)}
    number = marked.marks.sum(axis=1)
    found = []
    for low, high in ((0, 0), (1, 3), (4, 7), (8, 11), (12, 14), (15, 15)):
        votes = [
            said[frozenset(words)]
            for words, many in zip(marked.lists.shown, number, strict=True)
            if low <= many <= high and frozenset(words) in said
        ]
        found.append((f"{low} to {high}" if high > low else str(low), len(votes), np.mean(votes)))
    return found


def intruded(judged: Judged) -> Judged:
    """Put an intruder last after the first words of each topic.

    It is one of the first words of another topic of the model, and not among the first 50 of this
    one. Topics of a model that has no such word are left out.
    """
    rng = np.random.default_rng(SEED)
    models = []
    for model in judged.models:
        heads = [topic.words[:SHOWN] for topic in model.topics]
        made = []
        for topic in model.topics:
            outside = set(topic.words[:OUTSIDE])
            others = sorted({word for head in heads for word in head} - outside)
            if not others or len(topic.words) < SHOWN:
                continue
            number = min(INTRUDERS, len(others))
            made += [(*topic.words[:SHOWN], w) for w in rng.choice(others, number, replace=False)]
        topics = tuple(Topic(number, words) for number, words in enumerate(made))
        models.append(Topics(topics, model=f"{model.model} intruded"))
    size = sum(map(len, models))
    name = f"intruders of {judged.name}"
    return Judged(name, name, SHOWN + 1, models, np.zeros(size), judged.own)


def average_precision(fit: Floats, marks: Bools) -> float:
    """Return the mean precision at each marked word, the least fitting words first."""
    found = marks[np.argsort(fit, kind="stable")]
    hits = np.cumsum(found)
    return float((hits[found] / (np.flatnonzero(found) + 1)).mean())


def mean_precision(fit: Floats, marks: Bools, lists: Bools) -> float:
    """Return the mean over lists."""
    return float(np.mean([average_precision(fit[row], marks[row]) for row in lists.nonzero()[0]]))


def pooled_precision(fit: Floats, marks: Bools, lists: Bools) -> float:
    """Return the precision over the words of all lists at once."""
    return average_precision(fit[lists].ravel(), marks[lists].ravel())


def chance(marks: Bools, lists: Bools, draws: int = 20) -> float:
    """Return the mean precision of words in random order."""
    rng = np.random.default_rng(SEED)
    return float(
        np.mean([mean_precision(rng.random(marks.shape), marks, lists) for _ in range(draws)])
    )


def found_intruders(fit: Floats) -> float:
    """Return the share of lists in which the last word, the intruder, fits least."""
    return float((fit.argmin(axis=1) == fit.shape[1] - 1).mean())


def fits_of(relations: Relations, sources: Sequence[str]) -> Floats:
    """Return the fit of words by some sources."""
    everything = np.ones(len(relations), dtype=bool)
    return fit_of_words(relations.part(everything, sources))


def at_threshold(fit: Floats, marks: Bools, lists: Bools) -> tuple[float, float, float]:
    """Return the share of words that is called odd, how many are marked, how many are found."""
    odd, own = fit[lists] < ODD, marks[lists]
    return float(odd.mean()), float(own[odd].mean()), float(odd[own].mean())
