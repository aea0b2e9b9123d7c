"""The L-model: greedy markers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from tealeaves.errors import InputError
from tealeaves.lexicon.extraction.base import IndexingExtractor, Length, Natural, Whole

if TYPE_CHECKING:
    from tealeaves.lexicon.extraction.materials import Materials
    from tealeaves.lexicon.extraction.result import Extracted
    from tealeaves.lexicon.markers.substrings import MarkerIndex
    from tealeaves.lexicon.seeds import Seed


class LSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of the L-model.

    Parameters
    ----------
    measure
        The association of a marker with the seed: ``g2`` is Dunning's log-likelihood ratio, ``t``
        the t-score of published practice, ``chi2`` Pearson's with Yates's correction, ``fisher``
        -log10 p of the exact test.
    threshold
        The least score of a marker; none: 10.83 for g2 and chi2, 2 for t, 6 for fisher.
    shortest, longest
        The lengths of substrings, including the boundaries of words.
    least
        The fewest passages of the seed that have a marker.
    most
        The most markers of a seed.
    merge
        Markers with so many initial letters in common are one expression; 0: none are.
    """

    measure: Literal["g2", "t", "chi2", "fisher"] = "g2"
    threshold: float | None = None
    shortest: Length = 3
    longest: Length = 9
    least: Natural = 2
    most: Natural = 30
    merge: Whole = 0


class L(IndexingExtractor):
    """A token is expressed by the best marker of its seed that its passage has."""

    settings: LSettings

    def check(self) -> None:
        """Raise for lengths that no substring has."""
        if self.settings.longest < self.settings.shortest:
            raise InputError(f"{self!r}: longest is less than shortest")

    def index(self, materials: Materials) -> MarkerIndex:
        """Return the words and substrings of the target language."""
        return materials.index(self.settings.shortest, self.settings.longest)

    def extract(self, materials: Materials, seed: Seed) -> list[Extracted]:
        """Find the markers of the seed, and in each passage the first of them."""
        from tealeaves.lexicon.markers.l_model import expressions_of, find_markers, first_in_passage

        settings, index = self.settings, self.index(materials)
        markers = find_markers(
            index,
            seed.passages,
            measure=settings.measure,
            threshold=settings.threshold,
            least=settings.least,
            most=settings.most,
        )
        numbers = [marker.number for marker in markers]
        return first_in_passage(index, seed.rows, numbers, expressions_of(markers, settings.merge))


l_model = L(
    name="l",
    summary="words and substrings that go with the seed, the best first",
    cite="Wälchli 2014; Beekhuizen 2020",
    settings=LSettings(),
)
