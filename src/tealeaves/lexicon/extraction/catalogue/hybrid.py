"""The hybrid model: alignment says which words express a token, likeness which are one word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from tealeaves.lexicon.extraction.base import Extractor, Share

if TYPE_CHECKING:
    from tealeaves.lexicon.extraction.materials import Materials
    from tealeaves.lexicon.extraction.result import Extracted
    from tealeaves.lexicon.seeds import Seed
    from tealeaves.lexicon.stems.habits import Habits


class HybridSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of the hybrid model.

    Parameters
    ----------
    aligner
        What aligns words: ``hmm`` is our own, ``fast_align``, ``thot_eflomal`` and ``eflomal`` are
        others'.
    several
        All words linked with at least this probability express a token; if there are none, the
        likeliest does.
    least
        Where even the likeliest word is less likely than this, nothing expresses the token.
    alike
        Forms that are at least this much alike are forms of one word.
    near
        Groups of forms are as alike as their forms on average, but for this share, which the two
        forms have that are most alike.
    habit
        The share that habits of the language have in how much forms are alike: changes between
        forms that are found often among words for the same thing. The rest is the share of letters
        that need not be changed.
    """

    aligner: Literal["hmm", "fast_align", "thot_eflomal", "eflomal"] = "hmm"
    several: Share = 0.5
    least: Share = 0.0
    alike: Share = 0.44
    near: Share = 0.4
    habit: Share = 0.4


class Hybrid(Extractor):
    """A token is expressed by the words that it is aligned with, as groups of like forms."""

    settings: HybridSettings

    def check(self) -> None:
        """Refuse an aligner that is not there."""
        from tealeaves.lexicon.alignment.aligners import aligner

        aligner(self.settings.aligner).check()

    @property
    def packages(self) -> tuple[str, ...]:
        """The package of the aligner."""
        from tealeaves.lexicon.alignment.aligners import aligner

        return aligner(self.settings.aligner).packages

    def prepare(self, materials: Materials) -> None:
        """Align the words, and learn how the language changes them."""
        self._habits(materials)

    def _habits(self, materials: Materials) -> Habits:
        from tealeaves.lexicon.stems.habits import Habits

        links = materials.two_way(self.settings.aligner).likely()
        return materials.kept(
            f"habits({self.settings.aligner})", lambda: Habits.of(materials.bitext, links)
        )

    def extract(self, materials: Materials, seed: Seed) -> list[Extracted]:
        """Take the words of each token, and name them by the commonest form of their group."""
        from tealeaves.lexicon.stems.grouping import group_forms
        from tealeaves.lexicon.stems.tokens import express_tokens

        own, habits = self.settings, self._habits(materials)
        return express_tokens(
            materials.bitext,
            materials.two_way(own.aligner).likely(),
            seed,
            lambda forms, counts: group_forms(
                forms, own.alike, habits, own.habit, counts, own.near
            ),
            several=own.several,
            least=own.least,
        )


hybrid = Hybrid(
    name="hybrid",
    summary="words aligned with the token; forms that look alike are one",
    cite="tealeaves",
    settings=HybridSettings(),
)
