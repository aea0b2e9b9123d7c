"""``Model``: a topic model to be trained, written as an expression such as ``lda(k=20)``."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec
from msgspec import Meta

from tealeaves.catalogue import Catalogue, members_of_package
from tealeaves.errors import InputError
from tealeaves.expressions import Value
from tealeaves.jobs import Advance
from tealeaves.parameters import Configurable
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.models.texts import TrainingTexts

Natural = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Whole = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Positive = Annotated[float, Meta(gt=0)]
TopicNumber = Annotated[int, Meta(ge=1, le=32767)]  # the limit of tomotopy
DEFAULT_K = 20


class ModelSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters that every model has.

    Parameters
    ----------
    seed
        The seed of the random numbers.
    min_df
        The least number of documents that a word of the vocabulary must be in.
    max_df
        The largest share of the documents that a word of the vocabulary may be in.
    """

    seed: Whole = 1
    min_df: Natural = 2
    max_df: Annotated[float, Meta(gt=0, le=1)] = 0.5


class GibbsSettings(ModelSettings, frozen=True, kw_only=True):
    """The parameters of every Gibbs sampler.

    Parameters
    ----------
    iterations
        Sweeps over all tokens.
    """

    iterations: Natural = 1000


class GibbsSettingsWithK(GibbsSettings, frozen=True, kw_only=True):
    """The parameters of Gibbs samplers whose number of topics is fixed.

    Parameters
    ----------
    k
        The number of topics.
    samples
        How many samples of φ to keep, evenly spaced over the second half of the iterations.
    """

    k: TopicNumber = DEFAULT_K
    samples: Whole = 0


@dataclass(frozen=True, repr=False, eq=False)
class Model(Configurable):
    """What every model declares; calling it sets parameters and returns a new model.

    >>> model("lda")(k=8, eta=0.1)
    lda(k=8, eta=0.1)
    """

    #: the optional packages that it needs
    packages: ClassVar[tuple[str, ...]] = ()
    #: whether training assigns a topic to each token
    assigns: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if "k" in self.accepts:  # the number of topics comes first
            object.__setattr__(self, "accepts", tuple(dict.fromkeys(("k", *self.accepts))))

    @abstractmethod
    def check(self) -> None:
        """Raise an error, before texts are read, if the model cannot be trained."""

    @abstractmethod
    def fit(self, texts: TrainingTexts, advance: Advance) -> Topics:
        """Train on texts; the documents of the result are the rows of the texts."""

    def _shown(self, changed: dict[str, Value]) -> dict[str, Value]:
        """Return the number of topics, and the parameters that differ from their defaults."""
        return {name: v for name, v in self._values().items() if name == "k" or name in changed}

    def _without(self, *names: str) -> str:
        """Return the expression without some parameters."""
        shown = self._shown(self.changes)
        return str(self._expression({n: v for n, v in shown.items() if n not in names}))

    @property
    def family(self) -> str:
        """The expression without the parameters that only tell runs apart: seed and samples."""
        return self._without("seed", "samples")

    @property
    def kind(self) -> str:
        """The family without the number of topics."""
        return self._without("seed", "k", "samples")

    @property
    def kind_signature(self) -> str:
        """The signature without seed and number of topics."""
        values = {name: v for name, v in self._values().items() if name not in ("seed", "k")}
        return str(self._expression(values))

    @property
    def description(self) -> str:
        """What the model is, all its parameters, and the papers that describe it."""
        return f"{self.name}: {self.summary}\n  {self.signature}\n  {self.cite}"

    @property
    def label(self) -> str:
        """The name of one trained model: ``lda-20-1``."""
        parts = [self.name, getattr(self.settings, "k", None), self.settings.seed]
        return "-".join(str(part) for part in parts if part is not None)


# ------------------------------------------------------------------ the catalogue of models


#: Every model of ``models/catalogue`` by name, in alphabetical order.
MODELS = Catalogue(
    "model",
    lambda: members_of_package("tealeaves.models.catalogue", Model),  # type: ignore[type-abstract]
    example="lda(k=20)",
)


def model(spec: str | Model, **changes: Value) -> Model:
    """Return the model that an expression stands for.

    Parameters
    ----------
    spec
        The expression; a model is returned as it is.
    changes
        Parameters that differ from the expression.

    >>> list(MODELS)
    ['ctm', 'hdp', 'lda', 'lda_vb', 'nmf', 'pltm', 'ptm']
    >>> model("lda(k=8, iterations=500)")
    lda(k=8, iterations=500)
    >>> model("lda(k=8)", seed=2)
    lda(k=8, seed=2)
    """
    if isinstance(spec, Model):
        return spec(**changes)
    expression = MODELS.expression(spec)
    for name in changes:
        if name in expression.parameters:
            raise InputError(f"{spec}: {name} is given twice: leave one out")
    return MODELS[expression.name](**expression.parameters, **changes)


# ------------------------------------------------------------------ samples of φ


def check_samples(model: Model) -> None:
    """Refuse more samples of φ than the second half of the chain has iterations."""
    if getattr(model.settings, "samples", 0) > model.settings.iterations // 2:
        raise InputError(
            f"{model!r}: samples must be at most {model.settings.iterations // 2}, half of the "
            "iterations"
        )


def sampled_iterations(settings: GibbsSettings) -> set[int]:
    """Return the iterations after which φ is kept: evenly spaced over the second half.

    >>> sorted(sampled_iterations(GibbsSettingsWithK(iterations=100, samples=5)))
    [60, 70, 80, 90, 100]
    """
    total, samples = settings.iterations, getattr(settings, "samples", 0)
    half = total // 2
    return {half + (total - half) * number // samples for number in range(1, samples + 1)}
