"""Conceptualizer: strings that may span words, chosen by χ² passage by passage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tealeaves.lexicon.extraction.base import IndexingExtractor, Length, Share, Whole

if TYPE_CHECKING:
    from tealeaves.lexicon.extraction.materials import Materials
    from tealeaves.lexicon.extraction.result import Extracted
    from tealeaves.lexicon.markers.conceptualizer import SpanIndex
    from tealeaves.lexicon.seeds import Seed


class ConceptualizerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of Conceptualizer.

    Parameters
    ----------
    longest
        The most letters of strings, including the edges of words.
    coverage
        The share of the passages of a seed that strings should cover.
    rounds
        The most strings after the first.
    """

    longest: Length = 8
    coverage: Share = 0.85
    rounds: Whole = 5


class Conceptualizer(IndexingExtractor):
    """A token is expressed by the first string of its seed that its passage has."""

    settings: ConceptualizerSettings

    def index(self, materials: Materials) -> SpanIndex:
        """Return the strings of the target language."""
        from tealeaves.lexicon.markers.conceptualizer import SpanIndex

        longest = self.settings.longest
        return materials.kept(
            f"spans({longest})", lambda: SpanIndex.of(materials.bitext.target.words, longest)
        )

    def extract(self, materials: Materials, seed: Seed) -> list[Extracted]:
        """Return the first string of the seed that the passage of each token has."""
        from tealeaves.lexicon.markers.conceptualizer import find_strings, first_string

        index, settings = self.index(materials), self.settings
        strings = find_strings(
            index, seed.passages, coverage=settings.coverage, rounds=settings.rounds
        )
        texts = [one.text for one in strings]
        return first_string(materials.bitext.target.words, seed.rows, texts)


conceptualizer = Conceptualizer(
    name="conceptualizer",
    summary="strings that may span words and go with the seed by χ², the best first",
    cite="Liu et al. 2023",
    settings=ConceptualizerSettings(),
)
