"""Word alignment alone: a token is expressed by the words that it is aligned with."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import msgspec

from tealeaves.lexicon.extraction.base import Extractor, Share, Whole

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32
    from tealeaves.lexicon.alignment.links import Links
    from tealeaves.lexicon.extraction.materials import Materials
    from tealeaves.lexicon.extraction.result import Extracted
    from tealeaves.lexicon.seeds import Seed
    from tealeaves.lexicon.words import Words


class AlignedSettings(msgspec.Struct, frozen=True, kw_only=True):
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
        From which probability on a link counts; only ``hmm`` has others than 1.
    morphs
        Whether the target text is cut into morphs by Morfessor; these are then the expressions.
    dampening
        What Morfessor learns from: each word as often as it occurs (``none``), log2 of that, or
        once (``ones``).
    seed
        Of Morfessor, which goes through the words in random order.
    """

    aligner: Literal["hmm", "fast_align", "thot_eflomal", "eflomal"] = "hmm"
    links: Literal["union", "intersection", "gdfa", "forward", "backward"] = "gdfa"
    least: Share = 0.0
    morphs: bool = False
    dampening: Literal["none", "log", "ones"] = "log"
    seed: Whole = 1


class Aligned(Extractor):
    """A token is expressed by each of the words, or morphs, that it is aligned with."""

    settings: AlignedSettings

    def check(self) -> None:
        """Refuse what is not installed."""
        from tealeaves.lexicon.alignment.aligners import aligner
        from tealeaves.lexicon.alignment.morphs import check_morfessor

        aligner(self.settings.aligner).check()
        if self.settings.morphs:
            check_morfessor()

    @property
    def packages(self) -> tuple[str, ...]:
        """The package of the aligner, and Morfessor."""
        from tealeaves.lexicon.alignment.aligners import aligner

        cut = ("morfessor",) if self.settings.morphs else ()
        return aligner(self.settings.aligner).packages + cut

    def prepare(self, materials: Materials) -> None:
        """Align the bitext."""
        self._links(materials)

    def _links(self, materials: Materials) -> Links:
        own = self.settings
        both = materials.two_way(own.aligner, own.dampening if own.morphs else None, own.seed)
        # all that changes them is in the signature
        return materials.kept(
            f"links of {self.signature}", lambda: both.joined(own.links).above(own.least)
        )

    def extract(self, materials: Materials, seed: Seed) -> list[Extracted]:
        """Look up what the tokens of a seed are aligned with."""
        own, target = self.settings, materials.bitext.target.words
        if own.morphs:
            morphs = materials.morphs(own.dampening, own.seed)
            return _expressed(materials, seed, self._links(materials), morphs.words, morphs.places)
        return _expressed(materials, seed, self._links(materials), target, None)


def _expressed(
    materials: Materials, seed: Seed, links: Links, words: Words, places: I32 | None
) -> list[Extracted]:
    """Return the words, or morphs with the places of their words, that tokens are aligned with."""
    from tealeaves.lexicon.extraction.result import Extracted

    graded = bool((links.probabilities < 1).any())
    starts = materials.bitext.source.words.starts
    found = []
    for row, place in zip(seed.rows.tolist(), seed.places.tolist(), strict=True):
        linked, sure = links.of_token(int(starts[row]) + place)
        at = words.starts[row] + linked
        expressions = frozenset(words.vocabulary[number] for number in words.numbers[at])
        where = linked if places is None else places[at]
        confidence = float(sure.max()) if graded and len(sure) else math.nan
        found.append(Extracted(expressions, tuple(sorted(set(where.tolist()))), confidence))
    return found


aligned = Aligned(
    name="aligned",
    summary="the words that a token is aligned with",
    cite="Dyer et al. 2013; Beekhuizen 2020",
    settings=AlignedSettings(),
)
