"""What becomes of consensus with other embeddings, other numbers and other signals.

The signals of consensus were chosen with all data in view. In :func:`other_signals` nothing is
chosen by hand: the model itself must make its choice, in the corpora that it is fitted to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from benchmarks.consensus import fitting
from benchmarks.consensus.fitting import TrainingSet, fit_training_sets
from benchmarks.consensus.training_sets import TRAINING_WEIGHTS, Judged, judged_sets
from benchmarks.consensus.trials import (
    CORPORA,
    FULL,
    FULL_NAMES,
    AgreementWithPeople,
    agreement,
    corpus_left_out,
    training_signals,
)
from tealeaves.arrays import Floats
from tealeaves.consensus.predictors import EMBEDDINGS, STATIC
from tealeaves.consensus.relations import (
    REFERENCE,
    TEXTS,
    Relations,
    moments_of_cosines,
    related,
    vector_relations,
)
from tealeaves.consensus.signals import FREE, names_of
from tealeaves.consensus.sources import first_words
from tealeaves.evidence.embeddings import Embeddings
from tealeaves.evidence.embeddings.embeddings import WordVectors

TrainingSets = Mapping[str, TrainingSet]
Said = dict[str, AgreementWithPeople]

#: Embeddings that no predictor was fitted with.
OTHERS = ("minilm", "glove", "use")


def other_embeddings(training_sets: TrainingSets) -> Iterator[tuple[str, Said]]:
    """Ask predictors of one embedding, fitted with another one, what they make of these."""
    sets = judged_sets()
    words = sorted({word for one in sets.values() for word in first_words(one.models, None)})
    for name in OTHERS:
        vectors = Embeddings.of(name).vectors(words)
        seen = {own: _with(training_sets[own], name, one, vectors) for own, one in sets.items()}
        for parts in (("vectors",), ("reference", "vectors")):
            yield " + ".join([*parts[:-1], name]), _asked(training_sets, seen, parts, name)


def _with(
    training_set: TrainingSet, name: str, judged: Judged, vectors: WordVectors
) -> TrainingSet:
    """Add what an embedding says; the scale of similarity comes from the words of each model."""
    relations = []
    for model in judged.models:
        scale = moments_of_cosines(vectors, sorted(first_words([model], judged.words)))
        assert scale is not None
        words = [topic.words[: judged.words] for topic in model.topics]
        relations.append(vector_relations(vectors, scale, words))
    logits, known = (np.concatenate(some) for some in zip(*relations, strict=True))
    given = training_set.relations
    more = replace(given, logits={**given.logits, name: logits}, known={**given.known, name: known})
    return replace(training_set, relations=more)


def _asked(
    training_sets: TrainingSets, seen: TrainingSets, parts: tuple[str, ...], name: str
) -> Said:
    whole, sets = training_signals(training_sets, parts, (STATIC,)), judged_sets()
    agreements = {}
    for corpus in dict.fromkeys(one.corpus for one in sets.values()):
        model = whole.without(corpus).model()
        for own, one in sets.items():
            if one.corpus == corpus:
                values = model.predict(seen[own].signals(parts, (name,)))
                agreements[own] = agreement(values, one.human)
    return agreements


def other_numbers(training_sets: TrainingSets) -> Iterator[tuple[str, Said]]:
    """Change the numbers that were set by hand, one at a time, and fit anew."""
    for label, change in (
        ("as it is", lambda logits, _: logits),
        ("log odds of NPMI half as steep", lambda x, text: x / 2 if text else x),
        ("twice as steep", lambda x, text: x * 2 if text else x),
        ("related by half at an NPMI of .03, not .05", lambda x, text: x + 0.5 if text else x),
        ("at .08", lambda x, text: x - 0.75 if text else x),
        ("log odds of cosines half as steep", lambda x, text: x if text else x / 2),
        ("twice as steep ", lambda x, text: x if text else x * 2),
        ("related by half .4 deviations sooner", lambda x, text: x if text else x + 0.6),
        (".4 deviations later", lambda x, text: x if text else x - 0.6),
    ):
        yield label, _fitted_anew({n: _changed(one, change) for n, one in training_sets.items()})
    for name, label in (("SHRINK", "slopes"), ("SHRINK_FREE", "free slopes"), ("SMOOTH", "kinks")):
        for factor, how in ((1 / 3, "a third"), (3.0, "three times")):
            before = getattr(fitting, name)
            setattr(fitting, name, before * factor)
            try:
                yield f"{label} shrunken by {how}", _fitted_anew(training_sets)
            finally:
                setattr(fitting, name, before)


def _fitted_anew(training_sets: TrainingSets) -> Said:
    sets = judged_sets()
    values = corpus_left_out(training_sets, FULL, FULL_NAMES)
    return {name: agreement(values[name], one.human) for name, one in sets.items()}


def _changed(training_set: TrainingSet, change: Callable[[Floats, bool], Floats]) -> TrainingSet:
    given: Relations = training_set.relations
    logits = {name: np.asarray(change(own, name in TEXTS)) for name, own in given.logits.items()}
    return replace(training_set, relations=replace(given, logits=logits))


# ---------------------------------------------------------------------- other signals

_SIGNS = re.compile(r"[\W\d_]")
#: Signals of which more is not known to be better.
_UNSURE = ("spread", "usual", "usual_spread", "rare", "absent", "letters", "signs", "short")


def other_signals(
    training_sets: Mapping[str, TrainingSet],
) -> Iterator[tuple[str, dict[str, AgreementWithPeople]]]:
    """Fit with several lists of signals, then with that which the fitted corpora prefer."""
    given = names_of(FULL)
    more = {name: _more(training_set.relations) for name, training_set in training_sets.items()}
    every = tuple(next(iter(more.values())))
    free = (*FREE, *(name for name in every if name.endswith(_UNSURE)))
    tables = {
        name: np.hstack(
            [
                training_set.signals(FULL, FULL_NAMES),
                np.stack([more[name][n] for n in every], axis=1),
            ]
        )
        for name, training_set in training_sets.items()
    }
    pool = SignalPool(training_sets, tables, (*given, *every), free)
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
    yield "one of these, chosen in the corpora of the fit", pool.left_out([*lists.values()])


class SignalPool(NamedTuple):
    """All signals that were tried, of all sets."""

    training_sets: Mapping[str, TrainingSet]
    tables: Mapping[str, Floats]
    signals: tuple[str, ...]
    free: tuple[str, ...]

    def left_out(self, lists: Sequence[tuple[str, ...]]) -> dict[str, AgreementWithPeople]:
        """Leave out each corpus, with that list of signals that does best in those kept."""
        agreements: dict[str, AgreementWithPeople] = {}
        for corpus in CORPORA:
            kept = [other for other in CORPORA if other != corpus]
            inner = [self.inner(kept, signals) for signals in lists] if len(lists) > 1 else [0.0]
            agreements |= self.tried(kept, corpus, lists[int(np.argmax(inner))])
        return agreements

    def inner(self, corpora: Sequence[str], signals: tuple[str, ...]) -> float:
        """Return how well signals do on each of some corpora, fitted to the others of these."""
        means = []
        for corpus in corpora:
            said = self.tried([other for other in corpora if other != corpus], corpus, signals)
            means.append(np.mean([said[name].r for name in TRAINING_WEIGHTS if name in said]))
        return float(np.mean(means))

    def tried(
        self, kept: Sequence[str], corpus: str, signals: tuple[str, ...]
    ) -> dict[str, AgreementWithPeople]:
        """Fit to some corpora, and try on another one."""
        sets = judged_sets()
        columns = [self.signals.index(name) for name in signals]
        names = [name for name in TRAINING_WEIGHTS if sets[name].corpus in kept]
        model = fit_training_sets(
            [self.training_sets[name] for name in names],
            [self.tables[name][:, columns] for name in names],
            [np.ones(len(self.training_sets[name]), dtype=bool) for name in names],
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
    signals: dict[str, Floats] = {}
    for kind, logits in (("texts", texts), ("vectors", vectors), ("joined", (texts + vectors) / 2)):
        signals |= {f"{kind}.{name}": values for name, values in _shapes(logits).items()}
    return signals | _words(relations)


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
