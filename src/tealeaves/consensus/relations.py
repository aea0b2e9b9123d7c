"""``Relations``: what each source says of the pairs of words of some topics, as log odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tealeaves.arrays import Bools, Floats
from tealeaves.consensus.cosines import Cosines
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.embeddings.embeddings import WordVectors
from tealeaves.evidence.requests import Term
from tealeaves.evidence.units import Unit
from tealeaves.metrics.vectors.space import unit_vectors

#: Where words are looked for together; the mean over these is taken.
UNITS = (Unit(), Unit("window", 10), Unit("window", 110))

CORPUS, REFERENCE = "corpus", "reference"
TEXTS = (CORPUS, REFERENCE)

# Words are related by half at an NPMI of .05, and nearly so at .2; by half where their cosine is
# 1.2 deviations above that of words at large. The agreement with people hardly depends on these:
# half or twice the steepness changes it in the third decimal.
_NPMI_HALF, _NPMI_STEEP = 0.05, 25.0
_COSINE_HALF, _COSINE_STEEP = 1.2, 1.5

_BLOCK = 1000

#: What is added to counts of pairs, both found and expected, so that few say little.
_PSEUDO = 1.0


@dataclass(frozen=True)
class Relations:
    """Topics of the same number of words, and what the sources say of their pairs.

    ``logits`` has a matrix a topic for each source: the log odds that two words are related.
    ``known`` marks the pairs that the source knows; of others it says what it would of words that
    have nothing to do with each other: an NPMI of 0, the mean cosine.
    ``common`` is how usual each word is, the logarithm of its share of documents, by text;
    ``lengths`` are those of the words' vectors, standardised, where that is known.
    """

    words: list[tuple[str, ...]]
    logits: dict[str, Floats]
    known: dict[str, Bools]
    common: dict[str, Floats]
    lengths: Floats | None = None

    def __len__(self) -> int:
        return len(self.words)

    @property
    def texts(self) -> list[str]:
        """The texts among the sources."""
        return [name for name in TEXTS if name in self.logits]

    @property
    def embeddings(self) -> list[str]:
        """The embeddings among the sources."""
        return [name for name in self.logits if name not in TEXTS]

    @property
    def size(self) -> int:
        """How many words each topic has."""
        return len(self.words[0])

    def part(self, topics: Bools, sources: Sequence[str]) -> Relations:
        """Return some of the topics, as some of the sources see them."""
        chosen = np.flatnonzero(topics)
        return Relations(
            [self.words[place] for place in chosen],
            {name: self.logits[name][chosen] for name in sources},
            {name: self.known[name][chosen] for name in sources},
            {name: self.common[name][chosen] for name in sources if name in self.common},
            None if self.lengths is None else self.lengths[chosen],
        )

    def share_known(self, source: str) -> Floats:
        """Return the share of each topic's pairs that a source knows."""
        pairs = self.size * (self.size - 1)
        return np.asarray(self.known[source].sum(axis=(1, 2)) / pairs)

    def support(self) -> Floats:
        """Return the share of pairs that a source knows, the mean over sources."""
        return np.asarray(np.mean([self.share_known(name) for name in self.logits], axis=0))


def text_relations(
    counts: Mapping[Unit, Counts], topics: Sequence[Sequence[Term]]
) -> tuple[Floats, Bools, Floats]:
    """Return log odds, known pairs, and how common words are, in a text.

    Words that the text writes alike are one word to it, and as related as can be.
    """
    found = [_shrunk_npmi(counts[unit], topics) for unit in UNITS]
    npmi = np.mean([values for values, _ in found], axis=0)
    singles = np.array([[_single(counts[UNITS[0]], term) for term in topic] for topic in topics])
    documents = counts[UNITS[0]].totals.units
    common = np.log((singles + 0.5) / (documents + 1.0))
    return _NPMI_STEEP * (npmi - _NPMI_HALF), found[0][1], common


def vector_relations(
    vectors: WordVectors, scale: Cosines, topics: Sequence[Sequence[str]]
) -> tuple[Floats, Bools]:
    """Return log odds and known pairs, in an embedding."""
    # the vectors of all topics at once would take gigabytes where there are many
    blocks = [topics[start : start + _BLOCK] for start in range(0, len(topics), _BLOCK)]
    cosines = np.concatenate([scale.standardised(_cosines(vectors, some)) for some in blocks])
    there = np.isfinite(cosines)
    logits = _COSINE_STEEP * (np.where(there, cosines, 0.0) - _COSINE_HALF)
    return logits, off_diagonal(there)


def _cosines(vectors: WordVectors, topics: Sequence[Sequence[str]]) -> Floats:
    rows = unit_vectors(np.array([vectors.of(words) for words in topics]))
    return np.asarray(rows @ rows.transpose(0, 2, 1))


def related(logits: Floats) -> Floats:
    """Return how far words are related, from 0 to 1; 0 for a word and itself.

    >>> related(np.array([[[9.0, 0.0], [0.0, 9.0]]]))
    array([[[0. , 0.5],
            [0.5, 0. ]]])
    """
    found = 1.0 / (1.0 + np.exp(-logits))
    places = np.arange(found.shape[-1])
    found[:, places, places] = 0.0
    return np.asarray(found)


def off_diagonal(flags: Bools) -> Bools:
    """Leave out the pairs of a word with itself."""
    return np.asarray(flags & ~np.eye(flags.shape[-1], dtype=bool))


def _shrunk_npmi(counts: Counts, topics: Sequence[Sequence[Term]]) -> tuple[Floats, Bools]:
    """Return the NPMI of all pairs, and which the text has.

    One occurrence is added to those found and to those expected: of rare words, neither that they
    meet once nor that they never meet says much. A pair that the text lacks has 0.
    """
    place = np.array([[_place(counts, term) for term in topic] for topic in topics], dtype=np.int64)
    width, units = place.shape[1], counts.totals.units
    one, other = (ranks.ravel() for ranks in np.indices((width, width)))
    single = np.where(place >= 0, counts.singles[np.maximum(place, 0)], 0).astype(np.float64)
    there = (single[:, one] > 0) & (single[:, other] > 0)
    values = np.zeros(there.shape)
    together = counts.together(place[:, one][there], place[:, other][there]) + _PSEUDO
    expected = single[:, one][there] * single[:, other][there] / units + _PSEUDO
    rarity = -np.log(together / (units + 2 * _PSEUDO))
    values[there] = np.log(together / expected) / rarity
    shape = (len(place), width, width)
    return values.reshape(shape), off_diagonal(there.reshape(shape))


def _place(counts: Counts, term: Term) -> int:
    return counts.position(term) if term.tokens else -1


def _single(counts: Counts, term: Term) -> int:
    return counts.single(term) if term.tokens else 0
