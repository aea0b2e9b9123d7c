"""Signals that were tried and left out: what becomes of consensus with all of them.

The signals of consensus were chosen with all data in view. Here nothing is chosen by hand: the
model itself must make its choice, in the corpora that it is taught with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from consensus_lessons import TAUGHT, judged_sets
from consensus_teaching import Lesson, fit_lessons
from consensus_trials import CORPORA, FULL, FULL_NAMES, Agreement, agreement
from tealeaves.arrays import Floats
from tealeaves.consensus.predictors import EMBEDDINGS
from tealeaves.consensus.relations import REFERENCE, Relations, related
from tealeaves.consensus.signals import FREE, names_of

_SIGNS = re.compile(r"[\W\d_]")
#: Signals of which more is not known to be better.
_UNSURE = ("spread", "usual", "usual_spread", "rare", "absent", "letters", "signs", "short")


def other_signals(lessons: Mapping[str, Lesson]) -> Iterator[tuple[str, dict[str, Agreement]]]:
    """Teach with several lists of signals, then with that which the corpora taught with prefer."""
    given = names_of(FULL)
    more = {name: _more(lesson.relations) for name, lesson in lessons.items()}
    every = tuple(next(iter(more.values())))
    free = (*FREE, *(name for name in every if name.endswith(_UNSURE)))
    tables = {
        name: np.hstack(
            [lesson.signals(FULL, FULL_NAMES), np.stack([more[name][n] for n in every], axis=1)]
        )
        for name, lesson in lessons.items()
    }
    pool = Pool(lessons, tables, (*given, *every), free)
    rising = tuple(name for name in every if name not in free)
    lists = {
        "texts and vectors joined": tuple(n for n in given if n.startswith(("joined", "agree"))),
        "texts and vectors apart": tuple(n for n in given if not n.startswith("joined")),
        "those of consensus": given,
        "and others that rise": (*given, *rising),
        "and those of frequency and form": (*given, *every),
    }
    for label, chosen in lists.items():
        yield f"{label} ({len(chosen)})", pool.left_out([chosen])
    yield "one of these, chosen in the corpora taught with", pool.left_out([*lists.values()])


class Pool(NamedTuple):
    """All signals that were tried, of all sets."""

    lessons: Mapping[str, Lesson]
    tables: Mapping[str, Floats]
    signals: tuple[str, ...]
    free: tuple[str, ...]

    def left_out(self, lists: Sequence[tuple[str, ...]]) -> dict[str, Agreement]:
        """Leave out each corpus, with that list of signals that does best in those kept."""
        found: dict[str, Agreement] = {}
        for corpus in CORPORA:
            kept = [other for other in CORPORA if other != corpus]
            inner = [self.inner(kept, signals) for signals in lists] if len(lists) > 1 else [0.0]
            found |= self.tried(kept, corpus, lists[int(np.argmax(inner))])
        return found

    def inner(self, corpora: Sequence[str], signals: tuple[str, ...]) -> float:
        """Return how well signals do on each of some corpora, taught with the others of these."""
        found = []
        for corpus in corpora:
            said = self.tried([other for other in corpora if other != corpus], corpus, signals)
            found.append(np.mean([said[name].r for name in TAUGHT if name in said]))
        return float(np.mean(found))

    def tried(
        self, kept: Sequence[str], corpus: str, signals: tuple[str, ...]
    ) -> dict[str, Agreement]:
        """Teach with some corpora, and try on another one."""
        sets = judged_sets()
        columns = [self.signals.index(name) for name in signals]
        names = [name for name in TAUGHT if sets[name].corpus in kept]
        model = fit_lessons(
            [self.lessons[name] for name in names],
            [self.tables[name][:, columns] for name in names],
            [np.ones(len(self.lessons[name]), dtype=bool) for name in names],
            signals,
            free=self.free,
        )
        return {
            name: agreement(model.predict(self.tables[name][:, columns]), one.human)
            for name, one in sets.items()
            if one.corpus == corpus
        }


def _more(relations: Relations) -> dict[str, Floats]:
    texts = np.mean([relations.logits[name] for name in relations.texts], axis=0)
    vectors = np.mean([relations.logits[name] for name in EMBEDDINGS], axis=0)
    found: dict[str, Floats] = {}
    for kind, logits in (("texts", texts), ("vectors", vectors), ("joined", (texts + vectors) / 2)):
        found |= {f"{kind}.{name}": values for name, values in _shapes(logits).items()}
    return found | _words(relations)


def _shapes(logits: Floats) -> dict[str, Floats]:
    size, relatedness = logits.shape[-1], related(logits)
    above = np.triu_indices(size, 1)
    fit = relatedness.sum(axis=2) / (size - 1)
    three = np.einsum("tij,tjk,tki->t", relatedness, relatedness, relatedness)
    return {
        "mean": fit.mean(axis=1),
        "core": np.linalg.eigvalsh(relatedness)[:, -1] / (size - 1),
        "median": np.median(relatedness[:, above[0], above[1]], axis=1),
        "lowest": fit.min(axis=1),
        "nearest": np.sort(relatedness, axis=2)[:, :, -3:].mean(axis=(1, 2)),
        "triangles": three / (size * (size - 1) * (size - 2)),
        "log_odds": logits[:, above[0], above[1]].mean(axis=1),
        "spread": fit.std(axis=1),
    }


def _words(relations: Relations) -> dict[str, Floats]:
    usual = relations.common[REFERENCE]
    third = max(1, round(relations.size / 3))

    def share(test: object) -> Floats:
        assert callable(test)
        return np.array([np.mean([test(word) for word in words]) for words in relations.words])

    return {
        "usual": usual.mean(axis=1),
        "usual_spread": usual.std(axis=1),
        "rare": np.sort(usual, axis=1)[:, :third].mean(axis=1),
        "absent": 1 - relations.share_known(REFERENCE),
        "letters": share(len),
        "signs": share(lambda word: bool(_SIGNS.search(word))),
        "short": share(lambda word: len(word) <= 3),
    }
