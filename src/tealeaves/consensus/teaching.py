"""Teaching: judges are fitted to topics that people judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tealeaves.arrays import Bools, Floats, Integers
from tealeaves.consensus.additive import Additive, fit_additive
from tealeaves.consensus.judges import BANDS, PERCENTILES, Judge, Judges, Taught, all_parts
from tealeaves.consensus.relations import CORPUS, REFERENCE, TEXTS, Relations
from tealeaves.consensus.signals import FREE, names_of, signals_of
from tealeaves.errors import InputError

FOLDS = 10
# how near a prediction must be for its error to count, as a standard deviation
_WIDTH = 0.12
_DECIMALS = 4


@dataclass(frozen=True)
class Lesson:
    """Topics of one set: what all sources say of them, and what people said, from 0 to 1.

    ``clusters`` are numbers that topics share which are nearly the same, over all lessons.
    ``weight`` is how much a topic counts. A lesson that has no corpus of its own takes the
    reference for one.
    """

    name: str
    relations: Relations
    human: Floats
    clusters: Integers
    weight: float = 1.0

    def __len__(self) -> int:
        return len(self.human)

    def signals(self, parts: Sequence[str], embeddings: Sequence[str]) -> Floats:
        """Return the signals that a judge of these parts reads, a column each.

        What a set never has is NaN, and teaches nothing.
        """
        found = signals_of(self._seen_by(parts, embeddings))
        nothing = np.full(len(self), np.nan)
        return np.stack([found.get(name, nothing) for name in names_of(parts)], axis=1)

    def _seen_by(self, parts: Sequence[str], embeddings: Sequence[str]) -> Relations:
        given = self.relations
        texts = [name for name in TEXTS if name in parts]
        if CORPUS not in given.logits and CORPUS in texts:
            if REFERENCE in texts:
                texts.remove(CORPUS)
            else:
                given = replace(
                    given,
                    logits={**given.logits, CORPUS: given.logits[REFERENCE]},
                    known={**given.known, CORPUS: given.known[REFERENCE]},
                    common={**given.common, CORPUS: given.common[REFERENCE]},
                )
        lengths = given.lengths if "length" in parts else None
        seen = given.part(np.ones(len(self), dtype=bool), [*texts, *embeddings])
        return replace(seen, lengths=lengths)


def teach(
    lessons: Sequence[Lesson], embeddings: Mapping[str, Taught], *, source: str = "", seed: int = 0
) -> Judges:
    """Fit a judge for each combination of parts of the evidence."""
    judges = tuple(teach_judge(lessons, parts, names, seed=seed) for parts, names in all_parts())
    return Judges(source=source, embeddings=dict(embeddings), judges=judges)


def teach_judge(
    lessons: Sequence[Lesson], parts: Sequence[str], embeddings: Sequence[str], *, seed: int = 0
) -> Judge:
    """Fit one judge, and take its errors on clusters of topics that it was not taught with."""
    tables = [lesson.signals(parts, embeddings) for lesson in lessons]
    everything = [np.ones(len(lesson), dtype=bool) for lesson in lessons]
    model = fit_lessons(lessons, tables, everything, names_of(parts))
    predicted = left_out(lessons, tables, names_of(parts), seed=seed)
    errors = percentiles(lessons, predicted)
    return Judge(parts=tuple(parts), model=model, errors=errors)


def fit_lessons(
    lessons: Sequence[Lesson],
    tables: Sequence[Floats],
    used: Sequence[Bools],
    signals: Sequence[str],
    *,
    free: Sequence[str] = FREE,
) -> Additive:
    """Fit a model to the topics of lessons that are to be used; lessons without any are not."""
    some = [place for place, mine in enumerate(used) if mine.any()]
    if not some:
        raise InputError("there are no topics left to teach with: give more clusters of topics")
    return fit_additive(
        np.concatenate([tables[place][used[place]] for place in some]),
        np.concatenate([lessons[place].human[used[place]] for place in some]),
        signals=signals,
        free=free,
        weights=np.concatenate(
            [np.full(int(used[place].sum()), lessons[place].weight) for place in some]
        ),
        groups=np.concatenate(
            [np.full(int(used[place].sum()), number) for number, place in enumerate(some)]
        ),
    )


def left_out(
    lessons: Sequence[Lesson],
    tables: Sequence[Floats],
    signals: Sequence[str],
    *,
    folds: int = FOLDS,
    seed: int = 0,
) -> list[Floats]:
    """Predict each topic by a model that saw none of its cluster."""
    fold = folds_of([lesson.clusters for lesson in lessons], folds, seed)
    predicted = [np.full(len(lesson), np.nan) for lesson in lessons]
    for number in range(folds):
        model = fit_lessons(lessons, tables, [one != number for one in fold], signals)
        for place, table in enumerate(tables):
            mine = fold[place] == number
            predicted[place][mine] = model.predict(table[mine])
    return predicted


def folds_of(clusters: Sequence[Integers], folds: int, seed: int) -> list[Integers]:
    """Deal clusters out to folds at random, as evenly as can be, and give each topic its fold."""
    names = np.unique(np.concatenate(list(clusters)))
    dealt = np.random.default_rng(seed).permutation(len(names)) % folds
    return [dealt[np.searchsorted(names, some)] for some in clusters]


def percentiles(
    lessons: Sequence[Lesson], predicted: Sequence[Floats]
) -> tuple[tuple[float, ...], ...]:
    """Return percentiles of the errors of predictions, near each of some predictions.

    An error counts the more, the nearer its prediction is. Sets count alike, as their weight says,
    whatever their size: the next one is as likely to be like any of them.
    """
    values = np.concatenate(list(predicted))
    errors = np.concatenate([one.human for one in lessons]) - values
    mass = np.concatenate([np.full(len(one), one.weight / len(one)) for one in lessons])
    order = np.argsort(errors, kind="stable")
    found = []
    for band in BANDS:
        near = np.exp(-0.5 * ((values - band) / _WIDTH) ** 2)
        reached = np.cumsum((mass * near)[order])
        # the middle of its own share is where an error stands
        place = (reached - (mass * near)[order] / 2) / reached[-1]
        own = np.interp(np.array(PERCENTILES) / 100, place, errors[order])
        found.append(tuple(round(float(value), _DECIMALS) for value in own))
    return tuple(found)
