"""``Cosines``: what the cosine of two words that have nothing to do with each other is."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from tealeaves.arrays import Floats
from tealeaves.evidence.embeddings.embeddings import WordVectors
from tealeaves.metrics.vectors.space import unit_vectors

#: Of so many words the cosines of all pairs are looked at, at most.
MOST_WORDS = 1500
#: Of fewer words nothing is said: they may all be of one topic.
FEWEST_WORDS = 50
# what rounding leaves of equal cosines is no deviation
_SMALLEST = 1e-9


class Cosines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mean and standard deviation of the cosines between words at large, in one embedding.

    Embeddings differ in what they call similar: words picked at random have a cosine of .05 in
    one and of .3 in another. Less the mean, divided by the deviation, they can be compared.
    """

    mean: float
    deviation: float

    def standardised(self, cosines: Floats) -> Floats:
        """Return how many deviations above the mean cosines are."""
        return (cosines - self.mean) / self.deviation


def cosines_of(vectors: WordVectors, words: Sequence[str]) -> Cosines | None:
    """Return the cosines of all pairs of some words; None if these are too few, or all alike."""
    known = sorted(set(words) & vectors.known)
    if len(known) < FEWEST_WORDS:
        return None
    if len(known) > MOST_WORDS:  # spread evenly over the alphabet: the same for the same words
        places = np.linspace(0, len(known) - 1, MOST_WORDS).round().astype(int)
        known = [known[place] for place in places]
    rows = unit_vectors(vectors.of(known))
    found = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
    deviation = float(np.nanstd(found))
    return Cosines(float(np.nanmean(found)), deviation) if deviation > _SMALLEST else None
