"""The tables of odd words, of benchmarks/consensus.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from consensus_lessons import INTRUSION, NEWSGROUPS, RATINGS, WIKI, Judged, judged_sets
from consensus_teaching import Lesson
from consensus_words import (
    Marked,
    at_threshold,
    chance,
    fits_of,
    found_intruders,
    mean_precision,
    pooled_precision,
    votes_by_marks,
)
from crosslingual_tables import table
from tealeaves.arrays import Floats
from tealeaves.consensus.predictors import EMBEDDINGS
from tealeaves.consensus.relations import Relations

TITLES = {
    NEWSGROUPS: "20 Newsgroups",
    RATINGS: "Wikitext",
    INTRUSION: "Wikitext, intrusion",
    **{name: f"Wikipedia, {words}" for words, name in WIKI.items()},
}


def odd_words(marked: Marked, lessons: Mapping[str, Lesson]) -> str:
    """Return how well marked words are found."""
    judged, relations = judged_sets()[NEWSGROUPS], lessons["marked"].relations
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
    found = {"consensus": fits_of(relations, [*texts, *EMBEDDINGS])}
    for name in (*texts, *EMBEDDINGS):
        found[f"{name} alone"] = fits_of(relations, [name])
    found["texts alone"] = fits_of(relations, texts)
    found["vectors alone"] = fits_of(relations, EMBEDDINGS)
    for name in (*texts, *EMBEDDINGS):
        what = "mean NPMI" if name in texts else "mean cosine"
        found[f"{what}, {name}"] = _mean_logit(relations, name)
    return found


def _mean_logit(relations: Relations, source: str) -> Floats:
    """Return the mean log odds of each word with the others: NPMI or cosine, on another scale."""
    logits = relations.logits[source].copy()
    places = np.arange(relations.size)
    logits[:, places, places] = 0.0
    return np.asarray(logits.sum(axis=2) / (relations.size - 1))


def intruders(lured: Sequence[Judged], lessons: Mapping[str, Lesson]) -> str:
    """Return how often made-up intruders are found."""
    rows: dict[str, list[str]] = {}
    for lists in lured:
        relations = lessons[lists.name].relations
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
