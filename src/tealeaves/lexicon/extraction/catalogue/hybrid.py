"""The hybrid model: words are aligned, and similar forms are grouped as one word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.lexicon.extraction.base import AlignerSettings, AligningExtractor, Share

if TYPE_CHECKING:
    from tealeaves.lexicon.extraction.materials import Materials
    from tealeaves.lexicon.extraction.result import Extracted
    from tealeaves.lexicon.forms.groups import Habits
    from tealeaves.lexicon.seeds import Seed


class HybridSettings(AlignerSettings, frozen=True, kw_only=True):
    """The parameters of the hybrid model.

    Parameters
    ----------
    aligner
        ``hmm`` is our own; ``fast_align`` and ``thot_eflomal`` are those of sil-thot; ``eflomal``
        is the program.
    several
        All words linked with at least this probability express a token; if there are none, the
        likeliest does.
    least
        If even the likeliest word is less likely than this, nothing expresses the token.
    alike
        Forms with at least this similarity are forms of one word.
    near
        The similarity of two groups is the mean over their forms, and by this share that of the
        two most similar forms.
    habit
        The share of habits of the language in the similarity of forms: changes that are frequent
        between words for the same thing. The rest is the share of letters that do not change.
    """

    several: Share = 0.5
    least: Share = 0.0
    alike: Share = 0.44
    near: Share = 0.4
    habit: Share = 0.4


class Hybrid(AligningExtractor):
    """A token is expressed by the words that it is aligned with, as groups of similar forms."""

    settings: HybridSettings

    def prepare(self, materials: Materials) -> None:
        """Align the words, and learn the habits of the language."""
        self._habits(materials)

    def _habits(self, materials: Materials) -> Habits:
        from tealeaves.lexicon.forms.groups import Habits

        links = materials.two_way(self.settings.aligner).likely()
        return materials.kept(
            f"habits({self.settings.aligner})", lambda: Habits.of(materials.bitext, links)
        )

    def extract(self, materials: Materials, seed: Seed) -> list[Extracted]:
        """Take the words of each token, and name them by the commonest form of their group."""
        from tealeaves.lexicon.forms.expressions import express_tokens
        from tealeaves.lexicon.forms.groups import group_forms

        settings, habits = self.settings, self._habits(materials)
        return express_tokens(
            materials.bitext,
            materials.two_way(settings.aligner).likely(),
            seed,
            lambda forms, counts: group_forms(
                forms, settings.alike, habits, settings.habit, counts, settings.near
            ),
            several=settings.several,
            least=settings.least,
        )


hybrid = Hybrid(
    name="hybrid",
    summary="words aligned with the token; forms that look alike are one",
    cite="tealeaves",
    settings=HybridSettings(),
)
