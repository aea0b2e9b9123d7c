"""SuperPivot: aligned words and their substrings, significant by χ²."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from tealeaves.errors import InputError
from tealeaves.lexicon.extraction.base import AlignerSettings, AligningExtractor, Length, Share

if TYPE_CHECKING:
    from tealeaves.lexicon.alignment.links import Links
    from tealeaves.lexicon.extraction.materials import Materials
    from tealeaves.lexicon.extraction.result import Extracted
    from tealeaves.lexicon.seeds import Seed


class SuperPivotSettings(AlignerSettings, frozen=True, kw_only=True):
    """The parameters of SuperPivot.

    Parameters
    ----------
    aligner, links
        As in ``aligned``.
    alpha
        The share of strings that may be significant by mistake (Benjamini and Hochberg).
    shortest, longest
        The lengths of substrings, including the boundaries of words.
    """

    links: Literal["union", "intersection", "gdfa", "forward", "backward"] = "gdfa"
    alpha: Share = 0.05
    shortest: Length = 3
    longest: Length = 9


class SuperPivot(AligningExtractor):
    """A token is expressed by the best string of its seed in the words that it is aligned with."""

    settings: SuperPivotSettings

    def check(self) -> None:
        """Raise if the aligner cannot run, and for lengths that no substring has."""
        if self.settings.longest < self.settings.shortest:
            raise InputError(f"{self!r}: longest is less than shortest")
        super().check()

    def prepare(self, materials: Materials) -> None:
        """Align the bitext, and index the target language."""
        self._links(materials)
        _ = materials.index(self.settings.shortest, self.settings.longest).frequencies

    def _links(self, materials: Materials) -> Links:
        settings = self.settings
        both = materials.two_way(settings.aligner)
        name = f"superpivot's links({settings.aligner}, {settings.links})"
        return materials.kept(name, lambda: both.joined(settings.links))

    def extract(self, materials: Materials, seed: Seed) -> list[Extracted]:
        """Return the best significant string of the words that each token is aligned with."""
        from tealeaves.lexicon.markers.superpivot import best_in_words, significant

        settings, target = self.settings, materials.bitext.target.words
        index = materials.index(settings.shortest, settings.longest)
        links = self._links(materials)
        tokens = materials.bitext.source.words.starts[seed.rows] + seed.places
        linked = [links.of_token(int(token))[0] for token in tokens]
        words = [
            target.numbers[target.starts[row] + places]
            for row, places in zip(seed.rows, linked, strict=True)
        ]
        aligned = np.unique(np.concatenate(words))
        strings = significant(index, seed.passages, aligned, settings.alpha)
        return [
            best_in_words(index, strings, numbers.tolist(), places.tolist())
            for numbers, places in zip(words, linked, strict=True)
        ]


superpivot = SuperPivot(
    name="superpivot",
    summary="significant substrings of the words that a token is aligned with",
    cite="Asgari and Schütze 2017",
    settings=SuperPivotSettings(),
)
