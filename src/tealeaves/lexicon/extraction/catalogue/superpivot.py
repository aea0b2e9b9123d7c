"""SuperPivot: aligned words and their substrings, significant by χ²."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from tealeaves.errors import InputError
from tealeaves.lexicon.extraction.base import Extractor, Length, Share

if TYPE_CHECKING:
    from tealeaves.lexicon.alignment.links import Links
    from tealeaves.lexicon.extraction.materials import Materials
    from tealeaves.lexicon.extraction.result import Extracted
    from tealeaves.lexicon.seeds import Seed


class SuperPivotSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of SuperPivot.

    Parameters
    ----------
    aligner, links
        As in ``aligned``.
    alpha
        Which share of strings may be found wrongly (Benjamini and Hochberg).
    shortest, longest
        The lengths of substrings, boundaries of words counted.
    """

    aligner: Literal["hmm", "fast_align", "thot_eflomal", "eflomal"] = "hmm"
    links: Literal["union", "intersection", "gdfa", "forward", "backward"] = "gdfa"
    alpha: Share = 0.05
    shortest: Length = 3
    longest: Length = 9


class SuperPivot(Extractor):
    """A token is expressed by the best string of its seed within the words it is aligned with."""

    settings: SuperPivotSettings

    def check(self) -> None:
        """Refuse what is not installed, and lengths that no substring has."""
        from tealeaves.lexicon.alignment.aligners import aligner

        if self.settings.longest < self.settings.shortest:
            raise InputError(f"{self!r}: longest is less than shortest")
        aligner(self.settings.aligner).check()

    @property
    def packages(self) -> tuple[str, ...]:
        """The package of the aligner."""
        from tealeaves.lexicon.alignment.aligners import aligner

        return aligner(self.settings.aligner).packages

    def prepare(self, materials: Materials) -> None:
        """Align the bitext, and index the target language."""
        self._links(materials)
        _ = materials.index(self.settings.shortest, self.settings.longest).frequencies

    def _links(self, materials: Materials) -> Links:
        own = self.settings
        both = materials.two_way(own.aligner)
        name = f"superpivot's links({own.aligner}, {own.links})"
        return materials.kept(name, lambda: both.joined(own.links))

    def extract(self, materials: Materials, seed: Seed) -> list[Extracted]:
        """Find the strings of the words aligned with a seed, and the best of each token."""
        from tealeaves.lexicon.markers.superpivot import best_in_words, significant

        own, target = self.settings, materials.bitext.target.words
        index, links = materials.index(own.shortest, own.longest), self._links(materials)
        tokens = materials.bitext.source.words.starts[seed.rows] + seed.places
        linked = [links.of_token(int(token))[0] for token in tokens]
        words = [
            target.numbers[target.starts[row] + places]
            for row, places in zip(seed.rows, linked, strict=True)
        ]
        aligned = np.unique(np.concatenate(words))
        found = significant(index, seed.passages, aligned, own.alpha)
        return [
            best_in_words(index, found, numbers.tolist(), places.tolist())
            for numbers, places in zip(words, linked, strict=True)
        ]


superpivot = SuperPivot(
    name="superpivot",
    summary="significant substrings of the words that a token is aligned with",
    cite="Asgari and Schütze 2017",
    settings=SuperPivotSettings(),
)
