"""The sources of a model: texts and embeddings, and the relations between words by each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.arrays import Bools, Floats, Integers
from tealeaves.consensus.predictors import (
    EMBEDDINGS,
    LENGTH_PART,
    SEVERAL,
    STATIC,
    WORDLLAMA,
    EmbeddingScale,
    Predictors,
    in_order,
)
from tealeaves.consensus.relations import (
    CORPUS,
    REFERENCE,
    TEXTS,
    UNITS,
    Moments,
    Relations,
    moments_of_cosines,
    text_relations,
    vector_relations,
)
from tealeaves.consensus.signals import VECTOR
from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import CountRequest, EmbeddingRequest, OptionalRequest
from tealeaves.text.languages import language_code
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.evidence.counts import Counts
    from tealeaves.evidence.embeddings.embeddings import WordVectors
    from tealeaves.evidence.units import Unit
    from tealeaves.evidence.wording import Wording


#: A source that knows a smaller share of a model's pairs is not used, if another knows more.
ENOUGH = 0.25


def source_requests(
    models: Sequence[Topics], top: int | None, wording: Wording
) -> Iterator[OptionalRequest]:
    """Yield optional requests for counts in the corpus and the reference, and for vectors."""
    for unit in UNITS:
        yield OptionalRequest(CountRequest(unit, *wording.pairs(models, top)))
        if wording.reference is not None:
            pairs = wording.reference.pairs(models, top)
            yield OptionalRequest(CountRequest(unit, *pairs), reference=True)
    words = first_words(models, top)
    yield OptionalRequest(EmbeddingRequest(None, words))
    for name in EMBEDDINGS:  # which may not be used in the end: no notes on words they lack
        yield OptionalRequest(EmbeddingRequest(name, further=words))


def first_words(models: Iterable[Topics], top: int | None) -> frozenset[str]:
    """Return the first words of all topics."""
    return frozenset(word for one in models for topic in one.topics for word in topic.words[:top])


class TextSource(NamedTuple):
    """A text: its counts in each unit, and how words are looked for in it."""

    counts: dict[Unit, Counts]
    wording: Wording

    @property
    def documents(self) -> Counts:
        """The counts in documents."""
        return self.counts[UNITS[0]]


class VectorSource(NamedTuple):
    """An embedding, the usual cosines in it, and its scale, if the predictors know it.

    The usual cosines of an unknown embedding are those of the words of the model.
    """

    vectors: WordVectors
    cosines: Moments
    scale: EmbeddingScale | None


class English(Enum):
    """What is known of a model's language: it says so, it says otherwise, or it is a guess."""

    SAID = "said"
    NOT = "not"
    LIKELY = "likely"
    UNLIKELY = "unlikely"


@dataclass(frozen=True)
class ModelSources:
    """The sources of a model: texts and embeddings.

    ``left_out`` are embeddings that are not used: they have no scale, or they are English and the
    model is not. ``english`` says what is known of the model's language, ``named`` whether the user
    named the embeddings.
    """

    model: Topics
    texts: dict[str, TextSource]
    spaces: dict[str, VectorSource]
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
        predictors: Predictors,
    ) -> ModelSources:
        """Return the sources that the evidence has for a model, whatever other models there are."""
        texts = {CORPUS: _text(model, top, evidence, wording)}
        if evidence.reference is not None and wording.reference is not None:
            texts[REFERENCE] = _text(model, top, evidence.reference, wording.reference)
        known_texts = {name: text for name, text in texts.items() if text is not None}
        english = is_english(model, top, evidence, predictors)
        spaces, left_out = _spaces(model, top, evidence, predictors)
        named = bool(evidence.chosen_embeddings)
        if not named and _is_foreign(english, cls(model, known_texts, {}, top)):
            spaces, left_out = {}, [*left_out, *spaces]
        return cls(model, known_texts, spaces, top, english, tuple(left_out), named)

    @property
    def know_enough(self) -> bool:
        """Whether any source knows enough of the model."""
        parts = [related for _, related in self.relations]
        return any(_knowing_enough(parts, list(part.logits)) for part in parts[:1])

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sources."""
        return (*self.texts, *self.spaces)

    @property
    def scaled_by_itself(self) -> tuple[str, ...]:
        """The embeddings whose usual cosines are those of the words of the model."""
        return tuple(name for name, space in self.spaces.items() if space.scale is None)

    @cached_property
    def used(self) -> tuple[str, ...]:
        """The sources that judge at least one topic."""
        parts = (seen for _, some in self.relations for _, seen in by_sources(some))
        used = {name for seen in parts for name in seen.logits}
        return tuple(name for name in self.names if name in used)

    @cached_property
    def relations(self) -> list[tuple[Integers, Relations]]:
        """The places and the relations of the topics, by their number of words.

        Topics of fewer than two words have none. A source that knows little of the whole model, as
        one in another language would, is not used if another knows more.
        """
        words = [topic.words[: self.top] for topic in self.model.topics]
        by_size = []
        for size in sorted({len(some) for some in words} - {0, 1}):
            rows = [row for row, some in enumerate(words) if len(some) == size]
            related = self._related([tuple(words[row]) for row in rows])
            by_size.append((np.array(rows, dtype=np.int64), related))
        used = _knowing_enough([related for _, related in by_size], self.names) or self.names
        return [(rows, one.part(np.ones(len(one), dtype=bool), used)) for rows, one in by_size]

    def _related(self, words: list[tuple[str, ...]]) -> Relations:
        logits: dict[str, Floats] = {}
        known: dict[str, Bools] = {}
        common: dict[str, Floats] = {}
        for name, text in self.texts.items():
            terms = [[text.wording.term_of(self.model, word) for word in some] for some in words]
            logits[name], known[name], common[name] = text_relations(text.counts, terms)
        for name, space in self.spaces.items():
            logits[name], known[name] = vector_relations(space.vectors, space.cosines, words)
        return Relations(words, logits, known, common, self._lengths(words))

    def _lengths(self, words: Sequence[Sequence[str]]) -> Floats | None:
        """Return the lengths of words' vectors in the embedding where these say something."""
        space = self.spaces.get(WORDLLAMA)
        if space is None or space.scale is None or space.scale.lengths is None:
            return None
        known = sorted({word for some in words for word in some})
        norms = np.linalg.norm(space.vectors.of(known), axis=1).tolist()
        length = dict(zip(known, norms, strict=True))
        lengths = np.array([[length[word] for word in some] for some in words])
        standard = space.scale.lengths.standardised(lengths)
        return np.where(np.isfinite(standard), standard, 0.0)


def parts_of(relations: Relations) -> tuple[str, ...]:
    """Return the parts of the evidence, for which there is a predictor."""
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
    """Yield topics by the sources that know any of their pairs, with only these sources.

    If a source knows only some pairs of a topic, the other pairs count against the topic.
    """
    names = list(relations.logits)
    knows = np.array([relations.share_known(name) > 0 for name in names]).T
    for row in np.unique(knows, axis=0):
        chosen = [name for name, known in zip(names, row, strict=True) if known]
        if chosen:
            mine = (knows == row).all(axis=1)
            seen = relations.part(mine, chosen)
            yield mine, seen if WORDLLAMA in chosen else replace(seen, lengths=None)


def _knowing_enough(parts: Sequence[Relations], names: Sequence[str]) -> list[str]:
    """Return the sources that know enough of the pairs of all topics."""
    pairs = sum(len(part) * part.size * (part.size - 1) for part in parts)
    known = {name: sum(int(part.known[name].sum()) for part in parts) for name in names}
    return [name for name in names if parts and known[name] >= ENOUGH * pairs]


def _text(
    model: Topics, top: int | None, evidence: Evidence, wording: Wording
) -> TextSource | None:
    """Return the counts of words and pairs in all units; None if there are none."""
    pairs = wording.pairs([model], top)
    if not all(evidence.has(CountRequest(unit, *pairs)) for unit in UNITS):
        return None
    counts = {unit: evidence.counts(unit) for unit in UNITS}
    return TextSource(counts, wording) if all(one.totals.units for one in counts.values()) else None


def _spaces(
    model: Topics, top: int | None, evidence: Evidence, predictors: Predictors
) -> tuple[dict[str, VectorSource], list[str]]:
    """Return the embeddings that the user named, else our own, and those without a scale."""
    words = first_words([model], top)
    names = evidence.chosen_embeddings or EMBEDDINGS
    present = [name for name in names if evidence.has(EmbeddingRequest(name, words))]
    if taken := [name for name in present if name in TEXTS]:
        raise InputError(
            f"consensus: an embedding has the name of a text, {taken[0]}: give it another name, as "
            "in Embeddings.of(..., name=...)"
        )
    spaces, left_out = {}, []
    for name in present:
        vectors = evidence.vectors(name)
        scale = predictors.scale_of(name, vectors.fingerprint)
        cosines = scale.cosines if scale else moments_of_cosines(vectors, sorted(words))
        if cosines is None:
            left_out.append(name)
        else:
            spaces[name] = VectorSource(vectors, cosines, scale)
    return spaces, left_out


# ---------------------------------------------------------------------- English


# Words that are split into many pieces have short vectors. In 24 languages, common words of English
# news have a mean length of +.6 deviations in minilm_static and of +.2 in wordllama, those of other
# languages at most -.6 and -.03. Words of a narrow field are split like foreign ones, so this is
# only a guess.
_SHORTEST = {STATIC: -0.4, WORDLLAMA: -0.25}
_FEWEST_KNOWN = 1 / 3


def is_english(
    model: Topics, top: int | None, evidence: Evidence, predictors: Predictors
) -> English:
    """Tell whether a model is English: by its language, else by how its words are split."""
    if code := language_code(model.language):
        return English.SAID if code == "en" else English.NOT
    words = sorted({word for topic in model.topics for word in topic.words[:top]})
    for name, shortest in _SHORTEST.items():
        length = _mean_length(words, name, evidence, predictors)
        if length is not None:
            return English.LIKELY if length >= shortest else English.UNLIKELY
    return English.LIKELY


def _mean_length(
    words: list[str], name: str, evidence: Evidence, predictors: Predictors
) -> float | None:
    """Return the mean length of the words' vectors, in deviations; -inf if most have none."""
    if not evidence.has(EmbeddingRequest(name, frozenset(words))):
        return None
    vectors = evidence.vectors(name)
    scale = predictors.scale_of(name, vectors.fingerprint)
    if scale is None or scale.lengths is None:
        return None
    lengths = np.linalg.norm(vectors.of(words), axis=1)
    known = lengths[np.isfinite(lengths)]
    if len(known) < _FEWEST_KNOWN * len(words):
        return -np.inf
    return float(scale.lengths.standardised(known.mean()))


def _is_foreign(english: English, texts: ModelSources) -> bool:
    """Tell whether English vectors should not be used; after a guess, only if texts know enough."""
    return english is English.NOT or (english is English.UNLIKELY and texts.know_enough)
