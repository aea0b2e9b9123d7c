"""Metric: the base class of all metrics, and the result of one."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from tealeaves.errors import InputError
from tealeaves.expressions import Expression, Value
from tealeaves.parameters import Configurable, plain_number
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.requests import (
        ContextRequest,
        CountRequest,
        DictionaryRequest,
        EmbeddingRequest,
        OptionalRequest,
        RelevanceRequest,
        SidesRequest,
        TextRequest,
    )
    from tealeaves.evidence.wording import Wording

    Counted = CountRequest | TextRequest | SidesRequest | ContextRequest
    AnyRequest = Counted | EmbeddingRequest | RelevanceRequest | DictionaryRequest | OptionalRequest
    Extra = Literal["reference", "embeddings", "relevance"]


MOST_WORDS = 10**9


@dataclass(frozen=True)
class Result:
    """The values of one model's topics, and how much evidence each rests on.

    Parameters
    ----------
    values
        The value of each topic; NaN where it is undefined.
    support
        The share of the metric's comparisons that could be made, from 0 to 1; 0 where the value is
        undefined.
    overall
        The value and the support of the model, where these are not the mean over its topics.
    error
        The standard error of each value that was drawn at random; NaN where it is not known.
    shared_draws
        Topics whose entries are equal were given the same random numbers.
    covariance
        The covariance of the topics' errors, where it is known.
    """

    values: NDArray[np.float64]
    support: NDArray[np.float64]
    overall: tuple[float, float] | None = None
    error: NDArray[np.float64] | None = None
    shared_draws: Sequence[Hashable] | None = None
    covariance: NDArray[np.float64] | None = None

    @classmethod
    def of_model(cls, topics: Topics, value: float, support: float = 1.0) -> Result:
        """Return the result of a metric that judges only whole models."""
        nothing = cls.undefined(topics)
        known = support if value == value else 0.0
        return cls(nothing.values, nothing.support, overall=(value, known))

    @classmethod
    def undefined(cls, topics: Topics) -> Result:
        """Return the result of a model whose topics have no value."""
        import numpy as np

        return cls(np.full(len(topics), np.nan), np.zeros(len(topics)))


@dataclass(frozen=True, repr=False, eq=False)
class Metric(Configurable):
    """What every metric declares; a family of metrics is a subclass, a metric an instance.

    Calling a metric sets parameters, ``@`` the number of top words; both give a new metric. It has
    the fields of :class:`~tealeaves.parameters.Configurable` (name, summary, cite, settings,
    accepts), and these.

    Parameters
    ----------
    better
        Whether higher or lower values are better.
    bounds
        Smallest and largest possible value.
    aliases
        Other names it is known by.
    level
        Whether it scores topics (and models by their mean), or only whole models.
    details
        What it computes, what the letters of the formula are, and what its defaults are.
    formula
        LaTeX, without dollar signs: of a topic (a model has the mean of its topics) or, where only
        models are judged, of a model; with the defaults of its parameters.
    misleads
        When a high or a low value deceives, in one to three sentences.
    """

    better: Literal["higher", "lower"]
    bounds: tuple[float, float]
    aliases: tuple[str, ...] = ()
    details: str = ""
    formula: str = ""
    misleads: str = ""
    level: Literal["topic", "model"] = "topic"
    top: int | None = None

    #: whether it judges topics in several languages, and only these
    crosslingual: ClassVar[bool] = False
    #: whether it is computed from the relevance that a classifier finds
    reads_relevance: ClassVar[bool] = False
    #: the metric whose score should be compared with that of this one; empty if there is none
    control: ClassVar[str] = ""
    #: why a topic may have no score, for notes
    why_undefined: ClassVar[str] = "for lack of words to compare"

    # ------------------------------------------------------------------ evidence to scores

    def why_not(self, model: Topics) -> str:
        """Say why this model cannot be scored, in a few words; nothing if it can be."""
        if isinstance(model, MultilingualTopics) and not self.crosslingual:
            languages = ", ".join(model.languages)
            return (
                f"its topics are in several languages ({languages}), and this metric judges one: "
                "`tealeaves score --language` says which, in Python topics.side(language)"
            )
        return self.lacks(model)

    def lacks(self, model: Topics) -> str:
        """Say what this model lacks to be scored, such as "no topic-word matrix"; nothing if it
        can be scored. ``needs`` and ``score`` are called with models that lack nothing.
        """
        return ""

    @property
    def lack_of_words(self) -> str:
        """The reason that ``lacks`` gives for ``@n``, in metrics that use no first words."""
        if self.top is None:
            return ""
        return f"it does not judge the first words of topics: leave out @{self.top}"

    def remarks(self, models: Sequence[Topics]) -> list[str]:
        """Return what a reader who compares these models should know, for notes."""
        return []

    @abstractmethod
    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[AnyRequest]:
        """Return what must be counted or read to score these models, optional requests too."""

    @abstractmethod
    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Score every topic of every model."""

    @property
    @abstractmethod
    def source(self) -> str:
        """What it is computed from, in a few words for tables; a class attribute if constant."""

    @property
    def uses(self) -> frozenset[Extra]:
        """The optional sources that it can use; a source that no metric uses is an error."""
        return frozenset()

    @property
    def files(self) -> tuple[str, ...]:
        """The files that its parameters name and that it reads."""
        return ()

    def why(self, model: Topics) -> str:
        """Say why a topic of this model may have no score, for notes."""
        return self.why_undefined

    def missing(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[list[str]]:
        """Return for each model the words that the texts lack."""
        return [[] for _ in models]

    def caveats(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[str]:
        """Return what else a reader should know about the evidence of these models, for notes."""
        return []

    def provenance(self, evidence: Evidence) -> str:
        """Return what of the evidence changes the numbers, for signatures."""
        return ""

    def provenance_of(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return what the number of this model was computed from, where models may differ.

        ``models`` are all models that are scored, this one too. Subclasses implement ``origin``,
        unless they have something to say of models that they cannot score.
        """
        return "" if self.why_not(model) else self.origin(model, models, evidence)

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return what the number of a model that can be scored was computed from."""
        return ""

    # ------------------------------------------------------------------ the value

    def __matmul__(self, top: int) -> Self:
        """Return this metric for the ``top`` first words of each topic."""
        number = plain_number(top)
        if type(number) is not int or not 1 <= number <= MOST_WORDS:
            raise InputError(
                f"{self.name}@{top}: the number of top words must be at least 1, and a whole number"
            )
        return replace(self, top=number)

    def _expression(self, parameters: Mapping[str, Value]) -> Expression:
        return Expression(self.name, dict(parameters), self.top)

    def _written(self) -> dict[str, Value]:
        """Return the parameters that have a value."""
        return {name: value for name, value in self._values().items() if value is not None}

    @property
    def _identity(self) -> tuple[Any, ...]:
        return *super()._identity, self.top


@dataclass(frozen=True, repr=False, eq=False)
class TextlessMetric(Metric):
    """A metric of the models' own word lists and matrices."""

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[AnyRequest]:
        """Ask for nothing."""
        return ()

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Score every topic of every model."""
        return self.results(models)

    @abstractmethod
    def results(self, models: Sequence[Topics]) -> list[Result]:
        """Score every topic of every model."""


def lack_of_two_words(model: Topics, top: int | None) -> str:
    """Say why a model has no two words to compare, in a few words; nothing if it has.

    >>> lack_of_two_words(Topics.of([["cat"]]), 10)
    'it compares two words or more, and no topic has two'
    """
    if top == 1:
        return "it compares two words or more: take @2 or more"
    if all(len(topic.words) < 2 for topic in model.topics):
        return "it compares two words or more, and no topic has two"
    return ""


def bounds_text(low: float, high: float) -> str:
    """Say between which numbers a value lies; infinity is no bound.

    >>> bounds_text(-1, 1), bounds_text(-math.inf, 0), bounds_text(-math.inf, math.inf)
    ('−1 to 1', '0 or less', 'any number')
    """
    least, greatest = (f"{value:g}".replace("-", "−") for value in (low, high))
    if math.isinf(low) and math.isinf(high):
        return "any number"
    if math.isinf(high):
        return f"{least} or more"
    if math.isinf(low):
        return f"{greatest} or less"
    return f"{least} to {greatest}"
