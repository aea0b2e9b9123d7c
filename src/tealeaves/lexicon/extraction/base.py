"""``Extractor``: a model that says how tokens are expressed, as an expression: ``l(measure=t)``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Self

from msgspec import Meta

from tealeaves.expressions import Expression, Value
from tealeaves.parameters import changed_settings

if TYPE_CHECKING:
    from tealeaves.lexicon.extraction.extracted import Extracted
    from tealeaves.lexicon.extraction.materials import Materials
    from tealeaves.lexicon.seeds import Seed

Natural = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Whole = Annotated[int, Meta(ge=0, le=2**31 - 1)]
# of strings of letters: an index of longer ones would fill the memory where texts repeat themselves
Length = Annotated[int, Meta(ge=1, le=100)]
Share = Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True, repr=False)
class Extractor(ABC):
    """What every model declares; calling it sets parameters and gives a new one.

    Parameters
    ----------
    name
        The name in expressions.
    summary
        One line for ``--help``.
    cite
        Where it comes from.
    settings
        The values of its parameters; their types and limits are those of the struct.

    >>> from tealeaves.lexicon.extraction.registry import extractor
    >>> extractor("l")(measure="t", least=3)
    l(measure=t, least=3)
    """

    name: str
    summary: str
    cite: str
    settings: Any
    defaults: Any = None

    def __post_init__(self) -> None:
        if self.defaults is None:
            object.__setattr__(self, "defaults", self.settings)

    def check(self) -> None:  # noqa: B027  most models need nothing
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

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters."""
        fields: tuple[str, ...] = type(self.settings).__struct_fields__
        return fields

    def __call__(self, **changes: Value) -> Self:
        """Return this model with other parameters."""
        settings = changed_settings(self.name, self.settings, self.parameters, changes)
        return replace(self, settings=settings)

    def __repr__(self) -> str:
        other = {
            name: getattr(self.settings, name)
            for name in self.parameters
            if getattr(self.settings, name) != getattr(self.defaults, name)
        }
        return str(Expression(self.name, other))

    @property
    def signature(self) -> str:
        """The expression with every parameter written out."""
        values = {name: getattr(self.settings, name) for name in self.parameters}
        return str(Expression(self.name, values))
