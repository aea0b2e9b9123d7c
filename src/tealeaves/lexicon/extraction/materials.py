"""``Materials``: a bitext, and what models compute from it, computed once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from tealeaves.jobs import Advance
from tealeaves.lexicon.bitext import Bitext

if TYPE_CHECKING:
    from tealeaves.lexicon.alignment.morphs import Dampening, Morphs
    from tealeaves.lexicon.alignment.symmetrization import TwoWay
    from tealeaves.lexicon.markers.substrings import MarkerIndex

T = TypeVar("T")


class Materials:
    """A bitext, and what models compute from it.

    Parameters
    ----------
    bitext
        The passages of two languages.
    threads
        The number of threads of an aligner; all processors if None.
    advance
        Called with how much of the work is done, and of how much.

    >>> from tealeaves.lexicon.bitext import Passages
    >>> from tealeaves.lexicon.words import Words
    >>> sides = [Passages(name, ("1",), *[Words.of([["hand"]])] * 2) for name in ("en", "xx")]
    >>> materials = Materials(Bitext.of(*sides))
    >>> materials.index() is materials.index()
    True
    >>> list(materials.seconds)
    ['index(3, 9)']
    """

    def __init__(
        self, bitext: Bitext, *, threads: int | None = None, advance: Advance | None = None
    ) -> None:
        self.bitext = bitext
        self.threads = threads
        self.advance = advance
        #: The seconds that each thing took.
        self.seconds: dict[str, float] = {}
        self._kept: dict[str, Any] = {}
        self._lock = threading.RLock()

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """Return what was computed under a name; compute it the first time."""
        with self._lock:
            if name not in self._kept:
                began = time.perf_counter()
                self._kept[name] = make()
                self.seconds[name] = time.perf_counter() - began
            kept: T = self._kept[name]
            return kept

    def index(self, shortest: int = 3, longest: int = 9) -> MarkerIndex:
        """Return the markers of the target language: substrings of these lengths, and words."""
        from tealeaves.lexicon.markers.substrings import MarkerIndex

        return self.kept(
            f"index({shortest}, {longest})",
            lambda: MarkerIndex.of(self.bitext.target.words, shortest, longest),
        )

    def two_way(self, aligner: str, morphs: Dampening | None = None, seed: int = 1) -> TwoWay:
        """Return the links of both directions of an aligner.

        With ``morphs``, Morfessor segments the target text, with this dampening and seed, and the
        links go to positions of morphs.
        """
        from tealeaves.lexicon.alignment.aligners import align

        bitext, cut = self.bitext, ""
        if morphs is not None:
            bitext, cut = self.morphs(morphs, seed).with_morphs(bitext), f", {morphs}, {seed}"
        return self.kept(
            f"two_way({aligner}{cut})", lambda: align(bitext, aligner, self.threads, self.advance)
        )

    def morphs(self, dampening: Dampening = "log", seed: int = 1) -> Morphs:
        """Return the target text as morphs."""
        from tealeaves.lexicon.alignment.morphs import segmented

        words = self.bitext.target.words
        return self.kept(
            f"morphs({dampening}, {seed})",
            lambda: segmented(words, dampening=dampening, seed=seed, advance=self.advance),
        )
