"""``Model``: a topic model to be trained, written as an expression such as ``lda(k=20)``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import msgspec
from msgspec import Meta

from tealeaves.expressions import Expression, Value
from tealeaves.parameters import changed
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.models.texts import TrainingTexts

# called with how much is done, and of how much
Advance = Callable[[int, int], None]

Natural = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Whole = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Positive = Annotated[float, Meta(gt=0)]
# the number of topics, where it is given; tomotopy has no more
TopicNumber = Annotated[int, Meta(ge=1, le=32767)]
DEFAULT_K = 20


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters that every model has.

    Parameters
    ----------
    seed
        Where the random numbers start.
    min_df
        In how many documents a word must be to have a place in the vocabulary.
    max_df
        In which share of the documents a word may be at most.
    """

    seed: Whole = 1
    min_df: Natural = 2
    max_df: Annotated[float, Meta(gt=0, le=1)] = 0.5


@dataclass(frozen=True, repr=False)
class Model(ABC):
    """What every model declares; calling it sets parameters and gives a new one.

    Parameters
    ----------
    name
        The paper's name, in lower case.
    summary
        One line for ``--help``.
    cite
        Where it comes from.
    settings
        The values of its parameters; their types and limits are those of the struct.

    >>> from tealeaves.models.registry import model
    >>> model("lda")(k=8, eta=0.1)
    lda(k=8, eta=0.1)
    """

    name: str
    summary: str
    cite: str
    settings: Any
    defaults: Any = None

    #: the optional packages that it is made with
    packages: ClassVar[tuple[str, ...]] = ()
    #: whether each token has a topic
    assigns: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.defaults is None:
            object.__setattr__(self, "defaults", self.settings)

    @abstractmethod
    def check(self) -> None:
        """Refuse, before texts are read, what cannot be trained: for lack of a package, say."""

    @abstractmethod
    def fit(self, texts: TrainingTexts, advance: Advance) -> Topics:
        """Train on texts; the documents of the result are the rows of the texts."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters; the number of topics comes first."""
        own = dict.fromkeys(("k", *type(self.settings).__struct_fields__))
        return tuple(name for name in own if hasattr(self.settings, name))

    def __call__(self, **changes: Value) -> Self:
        """Return this model with other parameters."""
        return replace(self, settings=changed(self.name, self.settings, self.parameters, changes))

    def _changed(self, *left_out: str) -> dict[str, Value]:
        return {
            name: getattr(self.settings, name)
            for name in self.parameters
            if name not in left_out
            and (name == "k" or getattr(self.settings, name) != getattr(self.defaults, name))
        }

    def __repr__(self) -> str:
        return str(Expression(self.name, self._changed()))

    @property
    def family(self) -> str:
        """The expression without what does not change the model but the run: seed, samples."""
        return str(Expression(self.name, self._changed("seed", "samples")))

    @property
    def kind(self) -> str:
        """The family without the number of topics."""
        return str(Expression(self.name, self._changed("seed", "k", "samples")))

    @property
    def signature(self) -> str:
        """The expression with every parameter written out, but seed and number of topics."""
        values = {n: getattr(self.settings, n) for n in self.parameters if n not in ("seed", "k")}
        return str(Expression(self.name, values))

    @property
    def label(self) -> str:
        """The name of one trained model: ``lda-20-1``."""
        parts = [self.name, getattr(self.settings, "k", None), self.settings.seed]
        return "-".join(str(part) for part in parts if part is not None)
