"""Samplers of tomotopy, and what they have in common."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.models.base import DEFAULT_K, Advance, Model, Natural, Settings, TopicNumber, Whole
from tealeaves.models.texts import TrainingTexts
from tealeaves.topics.adapters import adapt
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from numpy.typing import NDArray

_STRETCH = 20  # iterations between two steps of a progress bar


class Sampling(Settings, frozen=True, kw_only=True):
    """The parameters of every sampler.

    Parameters
    ----------
    iterations
        Sweeps over all tokens.
    """

    iterations: Natural = 1000


class SamplingK(Sampling, frozen=True, kw_only=True):
    """The parameters of samplers whose number of topics does not change on the way.

    Parameters
    ----------
    k
        The number of topics.
    samples
        How many samples of φ to keep, evenly spaced over the second half of the iterations.
    """

    k: TopicNumber = DEFAULT_K
    samples: Whole = 0


@dataclass(frozen=True, repr=False)
class Sampler(Model):
    """A model of tomotopy. One worker samples, so that the seed decides every number.

    ``make`` makes the untrained model of the library and the settings.
    """

    packages: ClassVar[tuple[str, ...]] = ("tomotopy",)
    assigns: ClassVar[bool] = True

    make: Callable[[Any, Any], Any] = field(kw_only=True)

    @property
    def _samples(self) -> int:
        return getattr(self.settings, "samples", 0)

    def check(self) -> None:
        """Ask for tomotopy, and for enough iterations to keep the samples of."""
        if self._samples > self.settings.iterations // 2:
            raise InputError(
                f"{self!r}: at most one sample an iteration of the second half can be kept"
            )
        _library(self.name)

    def fit(self, texts: TrainingTexts, advance: Advance) -> Topics:
        """Sample, and take the last state for the model."""
        sampler = self.make(_library(self.name), self.settings)
        filled = np.flatnonzero(texts.lengths)
        for row in texts.rows():
            if len(row):
                sampler.add_doc(texts.words(row))
        kept = self._run(sampler, advance)
        topics = _aligned(adapt(sampler, name=self.label), filled, len(texts))
        if kept:
            topics = replace(topics, samples=np.stack([one[[*_ids(topics)]] for one in kept]))
        return topics

    def _run(self, sampler: Any, advance: Advance) -> list[NDArray[np.float64]]:
        """Run the chain; where it is stopped on the way does not change it."""
        total, samples = self.settings.iterations, self._samples
        half = total // 2
        takes = {half + (total - half) * number // samples for number in range(1, samples + 1)}
        stops = sorted({*range(0, total, _STRETCH), total, *takes})
        kept = []
        for start, stop in pairwise(stops):
            sampler.train(stop - start, workers=1)
            advance(stop, total)
            if stop in takes:
                kept.append(_phi(sampler))
        return kept


def _library(name: str) -> Any:
    """Import tomotopy; where warnings are errors, those of its loading would pass for its lack."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return require("tomotopy", extra="models", reason=f"training {name}")


def _phi(sampler: Any) -> NDArray[np.float64]:
    rows = np.array([sampler.get_topic_word_dist(k) for k in range(sampler.k)], dtype=np.float64)
    phi: NDArray[np.float64] = rows / rows.sum(axis=1, keepdims=True)
    return phi


def _ids(topics: Topics) -> list[int]:
    return [int(topic.id) for topic in topics.topics]


def _aligned(topics: Topics, filled: NDArray[np.intp], rows: int) -> Topics:
    """Put back the documents without words, which a sampler does not take."""
    if topics.document_topic is None or topics.assignments is None:
        return topics
    theta = np.zeros((rows, len(topics)))
    theta[filled] = topics.document_topic
    lengths = np.zeros(rows, dtype=np.int64)
    lengths[filled] = topics.assignments.lengths
    starts = np.concatenate([[0], np.cumsum(lengths)])
    found = Assignments(starts, topics.assignments.words, topics.assignments.topics)
    return replace(topics, document_topic=theta, assignments=found, document_lengths=lengths)
