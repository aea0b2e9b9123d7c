"""``Relations``: how related the words of topics are by each source, as log odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from tealeaves.arrays import Bools, Floats
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.embeddings.embeddings import WordVectors
from tealeaves.evidence.requests import Term
from tealeaves.evidence.units import Unit
from tealeaves.metrics.vectors.space import unit_vectors

#: The units in which words are counted together; NPMI is the mean over these.
UNITS = (Unit(), Unit("window", 10), Unit("window", 110))

CORPUS, REFERENCE = "corpus", "reference"
TEXTS = (CORPUS, REFERENCE)

# Words are half related at an NPMI of .05, and nearly fully at .2; half at a cosine 1.2 deviations
# above that of random words. The agreement with people hardly depends on these numbers: half or
# twice the steepness changes it in the third decimal.
_NPMI_HALF, _NPMI_STEEP = 0.05, 25.0
_COSINE_HALF, _COSINE_STEEP = 1.2, 1.5

_BLOCK = 1000
_PSEUDO = 1.0  # added to observed and expected counts of pairs, so that small counts say little

#: The most words whose cosines describe an embedding, and the fewest: fewer may be of one topic.
MOST_WORDS, FEWEST_WORDS = 1500, 50
# a smaller deviation is one of rounding
_SMALLEST = 1e-9


class Moments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mean and standard deviation, of cosines between random words or of the lengths of vectors.

    Embeddings differ in what is similar: two random words have a cosine of .05 in one and of .3 in
    another. Standardised, cosines of all embeddings can be compared.
    """

    mean: float
    deviation: float

    def standardised(self, values: Floats) -> Floats:
        """Return how many deviations above the mean values are."""
        return (values - self.mean) / self.deviation


def moments_of_cosines(vectors: WordVectors, words: Sequence[str]) -> Moments | None:
    """Return the moments of the cosines of all pairs; None if words are too few, or all alike."""
    known = sorted(set(words) & vectors.known)
    if len(known) < FEWEST_WORDS:
        return None
    if len(known) > MOST_WORDS:  # evenly over the alphabet: the same for the same words
        places = np.linspace(0, len(known) - 1, MOST_WORDS).round().astype(int)
        known = [known[place] for place in places]
    rows = unit_vectors(vectors.of(known))
    cosines = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
    deviation = float(np.nanstd(cosines))
    return Moments(float(np.nanmean(cosines)), deviation) if deviation > _SMALLEST else None


@dataclass(frozen=True)
class Relations:
    """Topics of the same number of words, and how related their pairs are by each source.

    ``logits`` has for each source a matrix of each topic: the log odds that two words are related.
    ``known`` marks the pairs that the source knows; others have the value of unrelated words: an
    NPMI of 0, the mean cosine. ``common`` is how common each word is, the logarithm of its share of
    documents, by text; ``lengths`` are those of the words' vectors, standardised, if known.
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
        """The number of words of each topic."""
        return len(self.words[0])

    def part(self, topics: Bools, sources: Sequence[str]) -> Relations:
        """Return some of the topics, by some of the sources."""
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
        """Return the share of pairs that a source knows, averaged over sources."""
        return np.asarray(np.mean([self.share_known(name) for name in self.logits], axis=0))


def text_relations(
    counts: Mapping[Unit, Counts], topics: Sequence[Sequence[Term]]
) -> tuple[Floats, Bools, Floats]:
    """Return log odds, known pairs, and how common words are, in a text.

    Words that have the same token in the text are one word, and fully related.
    """
    by_unit = [_shrunk_npmi(counts[unit], topics) for unit in UNITS]
    npmi = np.mean([values for values, _ in by_unit], axis=0)
    singles = np.array([[_single(counts[UNITS[0]], term) for term in topic] for topic in topics])
    documents = counts[UNITS[0]].totals.units
    common = np.log((singles + 0.5) / (documents + 1.0))
    return _NPMI_STEEP * (npmi - _NPMI_HALF), by_unit[0][1], common


def vector_relations(
    vectors: WordVectors, scale: Moments, topics: Sequence[Sequence[str]]
) -> tuple[Floats, Bools]:
    """Return log odds and known pairs, in an embedding."""
    # in blocks, because the vectors of many topics would take gigabytes
    blocks = [topics[start : start + _BLOCK] for start in range(0, len(topics), _BLOCK)]
    cosines = np.concatenate([scale.standardised(_cosines(vectors, some)) for some in blocks])
    known = np.isfinite(cosines)
    logits = _COSINE_STEEP * (np.where(known, cosines, 0.0) - _COSINE_HALF)
    return logits, off_diagonal(known)


def _cosines(vectors: WordVectors, topics: Sequence[Sequence[str]]) -> Floats:
    rows = unit_vectors(np.array([vectors.of(words) for words in topics]))
    return np.asarray(rows @ rows.transpose(0, 2, 1))


def related(logits: Floats) -> Floats:
    """Return how related words are, from 0 to 1; 0 for a word and itself.

    >>> related(np.array([[[9.0, 0.0], [0.0, 9.0]]]))
    array([[[0. , 0.5],
            [0.5, 0. ]]])
    """
    relatedness = 1.0 / (1.0 + np.exp(-logits))
    places = np.arange(relatedness.shape[-1])
    relatedness[:, places, places] = 0.0
    return np.asarray(relatedness)


def off_diagonal(flags: Bools) -> Bools:
    """Leave out the pairs of a word with itself."""
    return np.asarray(flags & ~np.eye(flags.shape[-1], dtype=bool))


def _shrunk_npmi(counts: Counts, topics: Sequence[Sequence[Term]]) -> tuple[Floats, Bools]:
    """Return the NPMI of all pairs, and which the text has.

    One occurrence is added to the observed and to the expected count: for rare words, one meeting
    or none says little. A pair that the text lacks has 0.
    """
    place = np.array([[_place(counts, term) for term in topic] for topic in topics], dtype=np.int64)
    width, units = place.shape[1], counts.totals.units
    one, other = (ranks.ravel() for ranks in np.indices((width, width)))
    single = np.where(place >= 0, counts.singles[np.maximum(place, 0)], 0).astype(np.float64)
    known = (single[:, one] > 0) & (single[:, other] > 0)
    values = np.zeros(known.shape)
    together = counts.together(place[:, one][known], place[:, other][known]) + _PSEUDO
    expected = single[:, one][known] * single[:, other][known] / units + _PSEUDO
    rarity = -np.log(together / (units + 2 * _PSEUDO))
    values[known] = np.log(together / expected) / rarity
    shape = (len(place), width, width)
    return values.reshape(shape), off_diagonal(known.reshape(shape))


def _place(counts: Counts, term: Term) -> int:
    return counts.position(term) if term.tokens else -1


def _single(counts: Counts, term: Term) -> int:
    return counts.single(term) if term.tokens else 0
