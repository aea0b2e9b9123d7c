"""``Extractor``: a model that says how tokens are expressed, as an expression: ``l(measure=t)``."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from tealeaves.parameters import Configurable

if TYPE_CHECKING:
    from tealeaves.lexicon.extraction.extracted import Extracted
    from tealeaves.lexicon.extraction.materials import Materials
    from tealeaves.lexicon.seeds import Seed

Natural = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Whole = Annotated[int, Meta(ge=0, le=2**31 - 1)]
# of strings of letters: an index of longer ones would fill the memory where texts repeat themselves
Length = Annotated[int, Meta(ge=1, le=100)]
Share = Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True, repr=False, eq=False)
class Extractor(Configurable):
    """What every extraction model declares; calling it sets parameters and returns a new one.

    >>> from tealeaves.lexicon.extraction.registry import extractor
    >>> extractor("l")(measure="t", least=3)
    l(measure=t, least=3)
    """

    def check(self) -> None:
        """Refuse, before texts are read, what cannot be run: for lack of a package, say."""

    @abstractmethod
    def prepare(self, materials: Materials) -> None:
        """Make what all seeds share; the first seed would do it, but this tells the time apart."""

    @abstractmethod
    def extract(self, materials: Materials, seed: Seed) -> list[Extracted]:
        """Return how each token of a seed is expressed, in the order of the tokens."""

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages of others whose version may change what is extracted."""
        return ()
