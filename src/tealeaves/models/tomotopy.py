"""Models of tomotopy, trained by Gibbs sampling."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tealeaves.extras import require
from tealeaves.jobs import Advance
from tealeaves.models.model import Model, check_samples, sampled_iterations
from tealeaves.models.texts import TrainingTexts
from tealeaves.topics.adapters import adapt
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

_PROGRESS_STEP = 20  # iterations between two steps of a progress bar


@dataclass(frozen=True, repr=False, eq=False)
class TomotopyModel(Model):
    """A model of tomotopy. It samples with one worker, so that the seed decides every number.

    ``make`` takes the library and the settings and returns the untrained model of the library.
    """

    packages: ClassVar[tuple[str, ...]] = ("tomotopy",)
    assigns: ClassVar[bool] = True

    make: Callable[[Any, Any], Any] = field(kw_only=True)

    def check(self) -> None:
        """Raise an error if tomotopy is missing, or more samples are wanted than iterations."""
        check_samples(self)
        _import_tomotopy(self.name)

    def fit(self, texts: TrainingTexts, advance: Advance) -> Topics:
        """Sample, and return the last state of the chain."""
        sampler = self.make(_import_tomotopy(self.name), self.settings)
        for row in np.flatnonzero(texts.lengths).tolist():
            sampler.add_doc(*texts.words_of(row))
        samples = self._run_chain(sampler, advance)
        topics = _add_empty_documents(adapt(sampler, name=self.label), texts)
        if samples:
            ids = [int(topic.id) for topic in topics.topics]
            topics = replace(topics, samples=np.stack([phi[ids] for phi in samples]))
        return topics

    def _run_chain(self, sampler: Any, advance: Advance) -> list[Floats]:
        """Run the chain and return samples of φ. Where it pauses does not change the chain."""
        total, sampled = self.settings.iterations, sampled_iterations(self.settings)
        pauses = sorted({*range(0, total, _PROGRESS_STEP), total, *sampled})
        samples = []
        for start, stop in pairwise(pauses):
            sampler.train(stop - start, workers=1)
            advance(stop, total)
            if stop in sampled:
                weights = [sampler.get_topic_word_dist(k) for k in range(sampler.k)]
                phi = np.array(weights, dtype=np.float64)
                samples.append(phi / phi.sum(axis=1, keepdims=True))
        return samples


def _import_tomotopy(name: str) -> Any:
    # tomotopy warns while it loads; where warnings are errors it would seem not to be installed
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return require("tomotopy", extra="models", reason=f"training {name}")


def _add_empty_documents(topics: Topics, texts: TrainingTexts) -> Topics:
    """Put back the documents without words, which tomotopy does not take."""
    if topics.document_topic is None or topics.assignments is None:
        return topics
    theta = np.zeros((len(texts), len(topics)))
    theta[texts.lengths > 0] = topics.document_topic
    assigned = topics.assignments
    return replace(
        topics,
        document_topic=theta,
        assignments=Assignments(texts.starts, assigned.words, assigned.topics),
        document_lengths=texts.lengths,
    )
