"""``Extractor``: the base class of models that say how tokens are expressed."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from tealeaves.parameters import Configurable

if TYPE_CHECKING:
    from tealeaves.lexicon.extraction.materials import Materials
    from tealeaves.lexicon.extraction.result import Extracted
    from tealeaves.lexicon.markers.conceptualizer import SpanIndex
    from tealeaves.lexicon.markers.substrings import MarkerIndex
    from tealeaves.lexicon.seeds import Seed

Natural = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Whole = Annotated[int, Meta(ge=0, le=2**31 - 1)]
# the length of strings: an index of longer ones would fill the memory if texts repeat themselves
Length = Annotated[int, Meta(ge=1, le=100)]
Share = Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True, repr=False, eq=False)
class Extractor(Configurable):
    """What every extraction model declares; calling it with parameters returns a new model.

    >>> from tealeaves.lexicon.extraction.registry import extractor
    >>> extractor("l")(measure="t", least=3)
    l(measure=t, least=3)
    """

    def check(self) -> None:
        """Raise, before texts are read, if the model cannot run: if a package is missing, say."""

    @abstractmethod
    def prepare(self, materials: Materials) -> None:
        """Compute what all seeds share; otherwise the first seed would take that time."""

    @abstractmethod
    def extract(self, materials: Materials, seed: Seed) -> list[Extracted]:
        """Return how each token of a seed is expressed, in the order of the tokens."""

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages whose versions may change what is extracted."""
        return ()


class IndexingExtractor(Extractor):
    """A model that looks for markers in an index of the target language."""

    def prepare(self, materials: Materials) -> None:
        """Index the target language."""
        _ = self.index(materials).frequencies

    @abstractmethod
    def index(self, materials: Materials) -> MarkerIndex | SpanIndex:
        """Return the index, which all seeds share."""


class AlignerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of all models that align words."""

    aligner: Literal["hmm", "fast_align", "thot_eflomal", "eflomal"] = "hmm"


class AligningExtractor(Extractor):
    """A model that aligns words."""

    settings: AlignerSettings

    def check(self) -> None:
        """Raise if the aligner cannot run."""
        from tealeaves.lexicon.alignment.aligners import aligner

        aligner(self.settings.aligner).check()

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages of the aligner."""
        from tealeaves.lexicon.alignment.aligners import aligner

        return aligner(self.settings.aligner).packages
