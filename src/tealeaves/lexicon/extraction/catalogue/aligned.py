"""Word alignment alone: a token is expressed by the words that it is aligned with."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from tealeaves.lexicon.extraction.base import AlignerSettings, AligningExtractor, Share, Whole

if TYPE_CHECKING:
    from tealeaves.lexicon.alignment.links import Links
    from tealeaves.lexicon.extraction.materials import Materials
    from tealeaves.lexicon.extraction.result import Extracted
    from tealeaves.lexicon.seeds import Seed


class AlignedSettings(AlignerSettings, frozen=True, kw_only=True):
    """The parameters of alignment.

    Parameters
    ----------
    aligner
        ``hmm`` is our own; ``fast_align`` and ``thot_eflomal`` are those of sil-thot; ``eflomal``
        is the program.
    links
        How its two directions become one: ``union``, ``intersection``, ``gdfa``
        (grow-diag-final-and), or one direction alone.
    least
        The least probability of a link; only ``hmm`` has others than 1.
    morphs
        Whether Morfessor segments the target text; the morphs are then the expressions.
    dampening
        How often Morfessor learns each word: as often as it occurs (``none``), log2 of that, or
        once (``ones``).
    seed
        The seed of Morfessor, which takes the words in random order.
    """

    links: Literal["union", "intersection", "gdfa", "forward", "backward"] = "gdfa"
    least: Share = 0.0
    morphs: bool = False
    dampening: Literal["none", "log", "ones"] = "log"
    seed: Whole = 1


class Aligned(AligningExtractor):
    """A token is expressed by each of the words, or morphs, that it is aligned with."""

    settings: AlignedSettings

    def check(self) -> None:
        """Raise if the aligner, or Morfessor, is not installed."""
        from tealeaves.lexicon.alignment.morphs import check_morfessor

        super().check()
        if self.settings.morphs:
            check_morfessor()

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages of the aligner, and Morfessor."""
        return super().packages + (("morfessor",) if self.settings.morphs else ())

    def prepare(self, materials: Materials) -> None:
        """Align the bitext."""
        self._links(materials)

    def _links(self, materials: Materials) -> Links:
        settings = self.settings
        dampening = settings.dampening if settings.morphs else None
        both = materials.two_way(settings.aligner, dampening, settings.seed)
        # the signature has everything that changes the links
        return materials.kept(
            f"links of {self.signature}", lambda: both.joined(settings.links).above(settings.least)
        )

    def extract(self, materials: Materials, seed: Seed) -> list[Extracted]:
        """Return the words, or the morphs, that each token is aligned with."""
        from tealeaves.lexicon.extraction.result import Extracted

        links, words, places = self._links(materials), materials.bitext.target.words, None
        if self.settings.morphs:
            morphs = materials.morphs(self.settings.dampening, self.settings.seed)
            words, places = morphs.words, morphs.places
        graded = bool((links.probabilities < 1).any())
        starts = materials.bitext.source.words.starts
        tokens = []
        for row, place in zip(seed.rows.tolist(), seed.places.tolist(), strict=True):
            linked, probabilities = links.of_token(int(starts[row]) + place)
            at = words.starts[row] + linked
            expressions = frozenset(words.vocabulary[number] for number in words.numbers[at])
            where = linked if places is None else places[at]
            confidence = float(probabilities.max()) if graded and len(probabilities) else math.nan
            tokens.append(Extracted(expressions, tuple(sorted(set(where.tolist()))), confidence))
        return tokens


aligned = Aligned(
    name="aligned",
    summary="the words that a token is aligned with",
    cite="Dyer et al. 2013; Beekhuizen 2020",
    settings=AlignedSettings(),
)
