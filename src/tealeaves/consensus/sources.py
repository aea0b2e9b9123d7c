"""Sources: from the evidence at hand to relations between the words of topics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.arrays import Bools, Floats, Integers
from tealeaves.consensus.cosines import Cosines, cosines_of
from tealeaves.consensus.english import English, english
from tealeaves.consensus.judges import (
    EMBEDDINGS,
    LENGTH_PART,
    SEVERAL,
    WORDLLAMA,
    Judges,
    Taught,
    in_order,
)
from tealeaves.consensus.relations import (
    CORPUS,
    REFERENCE,
    TEXTS,
    UNITS,
    Relations,
    text_relations,
    vector_relations,
)
from tealeaves.consensus.signals import VECTOR
from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import CountRequest, EmbeddingRequest, OptionalRequest
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.evidence.counts import Counts
    from tealeaves.evidence.embeddings.embeddings import WordVectors
    from tealeaves.evidence.units import Unit
    from tealeaves.evidence.wording import Wording


#: A source that knows a smaller share of a model's pairs is not asked, if another knows more.
ENOUGH = 0.25


def wishes(
    models: Sequence[Topics], top: int | None, wording: Wording
) -> Iterator[OptionalRequest]:
    """Wish for counts in the corpus and in the reference, and for vectors."""
    for unit in UNITS:
        yield OptionalRequest(CountRequest(unit, *wording.pairs(models, top)))
        if wording.reference is not None:
            pairs = wording.reference.pairs(models, top)
            yield OptionalRequest(CountRequest(unit, *pairs), reference=True)
    words = first_words(models, top)
    yield OptionalRequest(EmbeddingRequest(None, words))
    for name in EMBEDDINGS:  # which may not judge in the end: what they lack is no news
        yield OptionalRequest(EmbeddingRequest(name, further=words))


def first_words(models: Iterable[Topics], top: int | None) -> frozenset[str]:
    """Return the first words of all topics."""
    return frozenset(word for one in models for topic in one.topics for word in topic.words[:top])


class _Text(NamedTuple):
    """A text at hand: its counts in each unit, and how words are looked for in it."""

    counts: dict[Unit, Counts]
    wording: Wording


class _Space(NamedTuple):
    """An embedding at hand, what cosines are between words at large in it, and what is known of it.

    Of an embedding that judges do not know, words at large are those of the model.
    """

    vectors: WordVectors
    scale: Cosines
    taught: Taught | None


@dataclass(frozen=True)
class ModelSources:
    """The sources at hand for a model: texts, and embeddings.

    ``left_out`` are embeddings that are at hand and not asked: they have no scale, or they are
    English and the model is not. ``english`` says what is known of the model's language, ``named``
    whether the user named the embeddings.
    """

    model: Topics
    texts: dict[str, _Text]
    spaces: dict[str, _Space]
    top: int | None
    english: English = English.SAID
    left_out: tuple[str, ...] = ()
    named: bool = False

    @classmethod
    def of(
        cls,
        model: Topics,
        top: int | None,
        evidence: Evidence,
        wording: Wording,
        judges: Judges,
    ) -> ModelSources:
        """Find what is at hand of all that was wished for.

        Each model is looked at by itself, so that none depends on those beside it.
        """
        texts = {CORPUS: _text(model, top, evidence, wording)}
        if evidence.reference is not None and wording.reference is not None:
            texts[REFERENCE] = _text(model, top, evidence.reference, wording.reference)
        at_hand = {name: text for name, text in texts.items() if text is not None}
        spoken = english(model, top, evidence, judges)
        spaces, left_out = _spaces(model, top, evidence, judges)
        texts_alone = cls(model, at_hand, {}, top)
        if not evidence.chosen_embeddings and _is_foreign(spoken, texts_alone):
            spaces, left_out = {}, [*left_out, *spaces]
        named = bool(evidence.chosen_embeddings)
        return cls(model, at_hand, spaces, top, spoken, tuple(left_out), named)

    @property
    def know_enough(self) -> bool:
        """Tell whether any source knows enough of the model."""
        parts = [related for _, related in self.relations]
        return any(_knowing_enough(parts, list(part.logits)) for part in parts[:1])

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sources."""
        return (*self.texts, *self.spaces)

    @property
    def scaled_by_itself(self) -> tuple[str, ...]:
        """The embeddings in which the words of the model say what similar means."""
        return tuple(name for name, space in self.spaces.items() if space.taught is None)

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The sources that judge at least one topic."""
        parts = (seen for _, some in self.relations for _, seen in by_sources(some))
        asked = {name for seen in parts for name in seen.logits}
        return tuple(name for name in self.names if name in asked)

    @cached_property
    def relations(self) -> list[tuple[Integers, Relations]]:
        """The topics, by their number of words: where they stand, and their relations.

        Topics of fewer than two words have none. A source that knows little of the whole model, as
        one in another language would, is not asked, if another knows more.
        """
        words = [topic.words[: self.top] for topic in self.model.topics]
        found = []
        for size in sorted({len(some) for some in words} - {0, 1}):
            rows = [row for row, some in enumerate(words) if len(some) == size]
            related = self._related([tuple(words[row]) for row in rows])
            found.append((np.array(rows, dtype=np.int64), related))
        asked = _knowing_enough([related for _, related in found], self.names) or self.names
        return [(rows, one.part(np.ones(len(one), dtype=bool), asked)) for rows, one in found]

    def _related(self, words: list[tuple[str, ...]]) -> Relations:
        logits: dict[str, Floats] = {}
        known: dict[str, Bools] = {}
        common: dict[str, Floats] = {}
        for name, text in self.texts.items():
            terms = [[text.wording.term_of(self.model, word) for word in some] for some in words]
            logits[name], known[name], common[name] = text_relations(text.counts, terms)
        for name, space in self.spaces.items():
            logits[name], known[name] = vector_relations(space.vectors, space.scale, words)
        return Relations(words, logits, known, common, self._lengths(words))

    def _lengths(self, words: Sequence[Sequence[str]]) -> Floats | None:
        """Return the lengths of words' vectors where these are known to say something."""
        space = self.spaces.get(WORDLLAMA)
        if space is None or space.taught is None or space.taught.lengths is None:
            return None
        scale, vectors = space.taught.lengths, space.vectors
        known = sorted({word for some in words for word in some})
        length = dict(zip(known, np.linalg.norm(vectors.of(known), axis=1).tolist(), strict=True))
        found = np.array([[length[word] for word in some] for some in words])
        standard = (found - scale.mean) / scale.deviation
        return np.where(np.isfinite(standard), standard, 0.0)


def parts_of(relations: Relations) -> tuple[str, ...]:
    """Return the parts of the evidence that there is a judge of."""
    embeddings = relations.embeddings
    return in_order(
        [
            *relations.texts,
            *([VECTOR] if embeddings else []),
            *([SEVERAL] if len(embeddings) > 1 else []),
            *([LENGTH_PART] if relations.lengths is not None and WORDLLAMA in embeddings else []),
        ]
    )


def by_sources(relations: Relations) -> Iterator[tuple[Bools, Relations]]:
    """Yield topics by the sources that know any of their pairs, and these sources alone.

    Pairs that a source does not know, of a topic that it knows in part, speak against the topic.
    """
    names = list(relations.logits)
    knows = np.array([relations.share_known(name) > 0 for name in names]).T
    for row in np.unique(knows, axis=0):
        chosen = [name for name, there in zip(names, row, strict=True) if there]
        if chosen:
            mine = (knows == row).all(axis=1)
            seen = relations.part(mine, chosen)
            yield mine, seen if WORDLLAMA in chosen else replace(seen, lengths=None)


def _knowing_enough(parts: Sequence[Relations], names: Sequence[str]) -> list[str]:
    """Return the sources that know enough of the pairs of all topics."""
    pairs = sum(len(part) * part.size * (part.size - 1) for part in parts)
    known = {name: sum(int(part.known[name].sum()) for part in parts) for name in names}
    return [name for name in names if parts and known[name] >= ENOUGH * pairs]


def _text(model: Topics, top: int | None, evidence: Evidence, wording: Wording) -> _Text | None:
    """Return a text whose words and pairs were counted in all units, if there is one."""
    pairs = wording.pairs([model], top)
    if not all(evidence.has(CountRequest(unit, *pairs)) for unit in UNITS):
        return None
    counts = {unit: evidence.counts(unit) for unit in UNITS}
    return _Text(counts, wording) if all(one.totals.units for one in counts.values()) else None


def _spaces(
    model: Topics, top: int | None, evidence: Evidence, judges: Judges
) -> tuple[dict[str, _Space], list[str]]:
    """Return the embeddings that the user named, else our own, and those that have no scale."""
    words = first_words([model], top)
    names = evidence.chosen_embeddings or EMBEDDINGS
    at_hand = [name for name in names if evidence.has(EmbeddingRequest(name, words))]
    if taken := [name for name in at_hand if name in TEXTS]:
        raise InputError(
            f"consensus: an embedding is called {taken[0]}, as a text is: "
            "Embeddings.of(..., name=...) calls it otherwise"
        )
    spaces, left_out = {}, []
    for name in at_hand:
        vectors = evidence.vectors(name)
        taught = judges.taught(name, vectors.fingerprint)
        scale = taught.cosines if taught else cosines_of(vectors, sorted(words))
        if scale is None:
            left_out.append(name)
        else:
            spaces[name] = _Space(vectors, scale, taught)
    return spaces, left_out


def _is_foreign(spoken: English, texts_alone: ModelSources) -> bool:
    """Tell whether English vectors should not be asked; a guess silences no last source."""
    return spoken is English.NOT or (spoken is English.UNLIKELY and texts_alone.know_enough)
