"""What becomes of consensus where something is otherwise than in teaching."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

import consensus_teaching
from consensus_lessons import Judged, judged_sets
from consensus_teaching import Lesson
from consensus_trials import FULL, FULL_NAMES, Agreement, agreement, corpus_left_out, taught
from tealeaves.arrays import Floats
from tealeaves.consensus.predictors import STATIC
from tealeaves.consensus.relations import (
    TEXTS,
    Relations,
    moments_of_cosines,
    vector_relations,
)
from tealeaves.consensus.sources import first_words
from tealeaves.evidence.embeddings import Embeddings
from tealeaves.evidence.embeddings.embeddings import WordVectors

Lessons = Mapping[str, Lesson]
Said = dict[str, Agreement]

#: Embeddings that no judge was taught with.
OTHERS = ("minilm", "glove", "use")


def other_embeddings(lessons: Lessons) -> Iterator[tuple[str, Said]]:
    """Ask judges of one embedding, taught with another one, what they make of these."""
    sets = judged_sets()
    words = sorted({word for one in sets.values() for word in first_words(one.models, None)})
    for name in OTHERS:
        vectors = Embeddings.of(name).vectors(words)
        seen = {own: _with(lessons[own], name, one, vectors) for own, one in sets.items()}
        for parts in (("vectors",), ("reference", "vectors")):
            yield " + ".join([*parts[:-1], name]), _asked(lessons, seen, parts, name)


def _with(lesson: Lesson, name: str, judged: Judged, vectors: WordVectors) -> Lesson:
    """Add what an embedding says; what similar means is told by the words of each model."""
    found = []
    for model in judged.models:
        scale = moments_of_cosines(vectors, sorted(first_words([model], judged.words)))
        assert scale is not None
        words = [topic.words[: judged.words] for topic in model.topics]
        found.append(vector_relations(vectors, scale, words))
    logits, known = (np.concatenate(some) for some in zip(*found, strict=True))
    given = lesson.relations
    more = replace(given, logits={**given.logits, name: logits}, known={**given.known, name: known})
    return replace(lesson, relations=more)


def _asked(lessons: Lessons, seen: Lessons, parts: tuple[str, ...], name: str) -> Said:
    whole, sets = taught(lessons, parts, (STATIC,)), judged_sets()
    found = {}
    for corpus in dict.fromkeys(one.corpus for one in sets.values()):
        model = whole.without(corpus).model()
        for own, one in sets.items():
            if one.corpus == corpus:
                values = model.predict(seen[own].signals(parts, (name,)))
                found[own] = agreement(values, one.human)
    return found


def other_numbers(lessons: Lessons) -> Iterator[tuple[str, Said]]:
    """Change the numbers that were set by hand, one at a time, and teach anew."""
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
        yield label, _taught_anew({n: _changed(one, change) for n, one in lessons.items()})
    for name, label in (("SHRINK", "slopes"), ("SHRINK_FREE", "free slopes"), ("SMOOTH", "kinks")):
        for factor, how in ((1 / 3, "a third"), (3.0, "three times")):
            before = getattr(consensus_teaching, name)
            setattr(consensus_teaching, name, before * factor)
            try:
                yield f"{label} shrunken by {how}", _taught_anew(lessons)
            finally:
                setattr(consensus_teaching, name, before)


def _taught_anew(lessons: Lessons) -> Said:
    sets = judged_sets()
    values = corpus_left_out(lessons, FULL, FULL_NAMES)
    return {name: agreement(values[name], one.human) for name, one in sets.items()}


def _changed(lesson: Lesson, change: Callable[[Floats, bool], Floats]) -> Lesson:
    given: Relations = lesson.relations
    logits = {name: np.asarray(change(own, name in TEXTS)) for name, own in given.logits.items()}
    return replace(lesson, relations=replace(given, logits=logits))
