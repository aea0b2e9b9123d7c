"""Odd words: what workers marked as not belonging, and made-up intruders.

Average precision is of the words of a list, the least fitting first, and the mean over lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.consensus.fitting import TrainingSet
from benchmarks.consensus.training_sets import (
    INTRUSION,
    NEWSGROUPS,
    RATINGS,
    WIKI,
    Judged,
    data_rows,
    judged_sets,
)
from benchmarks.markdown import table
from tealeaves.arrays import Bools, Floats
from tealeaves.consensus.predictors import EMBEDDINGS
from tealeaves.consensus.relations import Relations
from tealeaves.consensus.words import ODD, fit_of_words
from tealeaves.topics.topics import Topic, Topics

SHOWN, OUTSIDE = 5, 50
INTRUDERS, SEED = 4, 0


class MarkedLists(NamedTuple):
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


def marked_lists() -> MarkedLists:
    """Return the lists in which workers marked unsuitable words."""
    rows = data_rows("khodorchenko2022/unsuitable_words.jsonl.gz")
    topics = tuple(Topic(number, tuple(row["words"])) for number, row in enumerate(rows))
    marks = np.array([[word in row["unsuitable"] for word in row["words"]] for row in rows])
    lists = Judged("marked", "marked", 15, [Topics(topics, model="marked")], np.zeros(len(rows)))
    return MarkedLists(lists._replace(own=True), marks)


def votes_by_marks(marked: MarkedLists, judged: Judged) -> list[tuple[str, int, float]]:
    """Return what people said, from 0 to 1, of lists with few and with many marked words."""
    said = {frozenset(words): vote for words, vote in zip(judged.shown, judged.human, strict=True)}
    number = marked.marks.sum(axis=1)
    rows = []
    for low, high in ((0, 0), (1, 3), (4, 7), (8, 11), (12, 14), (15, 15)):
        votes = [
            said[frozenset(words)]
            for words, many in zip(marked.lists.shown, number, strict=True)
            if low <= many <= high and frozenset(words) in said
        ]
        rows.append((f"{low} to {high}" if high > low else str(low), len(votes), np.mean(votes)))
    return rows


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
    ordered = marks[np.argsort(fit, kind="stable")]
    hits = np.cumsum(ordered)
    return float((hits[ordered] / (np.flatnonzero(ordered) + 1)).mean())


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


# ---------------------------------------------------------------------- tables

TITLES = {
    NEWSGROUPS: "20 Newsgroups",
    RATINGS: "Wikitext",
    INTRUSION: "Wikitext, intrusion",
    **{name: f"Wikipedia, {words}" for words, name in WIKI.items()},
}


def odd_words(marked: MarkedLists, training_sets: Mapping[str, TrainingSet]) -> str:
    """Return how well marked words are found."""
    judged, relations = judged_sets()[NEWSGROUPS], training_sets["marked"].relations
    rows = []
    for label, fit in _fits(relations).items():
        few, some = marked.minority, marked.partly
        rows.append(
            [
                label,
                f"{mean_precision(fit, marked.marks, few):.3f}",
                f"{pooled_precision(fit, marked.marks, few):.3f}",
                f"{mean_precision(fit, marked.marks, some):.3f}",
            ]
        )
    few, some = marked.minority, marked.partly
    base = float(marked.marks[few].mean())
    rows.append(
        [
            "chance",
            f"{chance(marked.marks, few):.3f}",
            f"{base:.3f}",
            f"{chance(marked.marks, some):.3f}",
        ]
    )
    share, right, recall = at_threshold(_fits(relations)["consensus"], marked.marks, few)
    votes = [[a, str(n), f"{mean:.2f}"] for a, n, mean in votes_by_marks(marked, judged)]
    return "\n\n".join(
        [
            "## Odd words: what workers marked",
            f"Average precision, the mean over the {int(few.sum())} lists of 15 words in which "
            "some and fewer than half are marked, and over all their words at once; last, the mean "
            f"over all {int(some.sum())} lists with some words marked and some not. By the "
            f"threshold, {share:.0%} of the words of the first are odd, {right:.0%} of these are "
            f"marked, and {recall:.0%} of what is marked is found.",
            table(["", "lists", "words", "some marked, some not"], rows),
            "Lists in which most words are marked are left out of the first two, since the marks "
            "there seem to be the wrong way round: the more words of a list are called unsuitable, "
            "the better the same list was rated (people's mean from 0 to 1).",
            table(["words marked", "lists", "rating"], votes),
        ]
    )


def _fits(relations: Relations) -> dict[str, Floats]:
    texts = [name for name in ("corpus", "reference") if name in relations.logits]
    fits = {"consensus": fits_of(relations, [*texts, *EMBEDDINGS])}
    for name in (*texts, *EMBEDDINGS):
        fits[f"{name} alone"] = fits_of(relations, [name])
    fits["texts alone"] = fits_of(relations, texts)
    fits["vectors alone"] = fits_of(relations, EMBEDDINGS)
    for name in (*texts, *EMBEDDINGS):
        what = "mean NPMI" if name in texts else "mean cosine"
        fits[f"{what}, {name}"] = _mean_logit(relations, name)
    return fits


def _mean_logit(relations: Relations, source: str) -> Floats:
    """Return the mean log odds of each word with the others: NPMI or cosine, on another scale."""
    logits = relations.logits[source].copy()
    places = np.arange(relations.size)
    logits[:, places, places] = 0.0
    return np.asarray(logits.sum(axis=2) / (relations.size - 1))


def intruders(lured: Sequence[Judged], training_sets: Mapping[str, TrainingSet]) -> str:
    """Return how often made-up intruders are found."""
    rows: dict[str, list[str]] = {}
    for lists in lured:
        relations = training_sets[lists.name].relations
        for label, fit in _fits(relations).items():
            rows.setdefault(label, []).append(f"{found_intruders(fit):.3f}")
    # the own texts of some are not at hand
    shown = [[label, *own] for label, own in rows.items() if len(own) == len(lured)]
    return "\n\n".join(
        [
            "## Odd words: made-up intruders",
            "The first five words of a topic and one of the first five of another topic of its "
            "model: how often the intruder fits least. By chance .167.",
            table(["", *(TITLES[one.name.split()[-1]] for one in lured)], shown),
        ]
    )
