"""The coherence of kernel words, by any measure of word lists."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import msgspec

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.expressions import Value
from tealeaves.metrics.artm.family import KernelMetric, KernelSettings
from tealeaves.metrics.base import Metric, Result
from tealeaves.metrics.registry import metric
from tealeaves.metrics.textless import TextlessMetric
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.base import Need

_MANY_PAIRS = 5_000_000
_COMPARABLE = 2  # a word alone is together with nothing


@dataclass(frozen=True, repr=False, eq=False)
class KernelCoherence(KernelMetric):
    """Do the words that tell a topic from the others belong together?

    The kernels are made topics, and another metric scores these.
    """

    @property
    def measure(self) -> Metric:
        """The metric that scores the kernel words."""
        return metric(self.settings.measure)

    @property
    def source(self) -> str:
        """The matrix that gives the kernels, and what their coherence is computed from."""
        return f"topic-word matrix; {self.measure.source}"

    def __call__(self, **changes: Value) -> Self:
        """Return this metric with other parameters; the measure decides bounds and direction."""
        changed = super().__call__(**changes)
        inner = changed.measure
        return replace(changed, bounds=inner.bounds, better=inner.better)

    def _changed(self, changes: dict[str, Value]) -> KernelSettings:
        settings: KernelSettings = super()._changed(changes)
        inner = metric(settings.measure)
        if inner.top is not None:
            raise InputError(
                f"{self.name}: write the number of words behind: {self.name}(measure="
                f"{inner.name})@{inner.top}, not measure={settings.measure}"
            )
        textless = isinstance(inner, TextlessMetric)
        if inner.level != "topic" or textless or inner.lacks(Topics.of([["some", "words"]])):
            raise InputError(f"{self.name}: {inner.name} does not score lists of words by texts")
        return msgspec.structs.replace(settings, measure=repr(inner))

    def _written(self) -> dict[str, Value]:
        return super()._written() | {"measure": self.measure.signature}

    # ------------------------------------------------------------------ evidence to scores

    def lacks(self, model: Topics) -> str:
        """Ask for what the kernels need, and the measure."""
        return super().lacks(model) or self.measure.lacks(_bare(model))

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[Need]:
        """Ask for what the measure needs of the kernel words."""
        found = [made for made, _ in map(self._made, models) if made is not None]
        for made in found:
            self._warn_of_pairs(made)
        # where there is no kernel, what is counted still goes into the signature
        return self.measure.needs(found or [_bare(model) for model in models], wording)

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Score the kernel words of each topic."""
        made = [self._made(model) for model in models]
        known = [topics for topics, _ in made if topics is not None]
        scored = iter(self.measure.score(known, evidence, wording) if known else ())
        results = []
        for model, (topics, rows) in zip(models, made, strict=True):
            result = Result.undefined(model)
            if topics is not None:
                found = next(scored)
                result.values[rows], result.support[rows] = found.values, found.support
            results.append(result)
        return results

    def missing(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[list[str]]:
        """Return the kernel words that the evidence says nothing of."""
        made = [topics for topics, _ in map(self._made, models)]
        known = [topics for topics in made if topics is not None]
        found = iter(self.measure.missing(known, evidence, wording) if known else ())
        return [[] if topics is None else next(found) for topics in made]

    def provenance(self, evidence: Evidence) -> str:
        """Return what of the evidence changes the measure's numbers."""
        return self.measure.provenance(evidence)

    def provenance_of(
        self,
        model: Topics,
        beside: Sequence[Topics],  # noqa: ARG002
        evidence: Evidence,
    ) -> str:
        """Return what the topics' probabilities were taken from, and the measure's numbers."""
        prior = self.prior_of(model)
        made = self._made(model)[0] if prior else None
        inner = "" if made is None else self.measure.provenance_of(made, [made], evidence)
        return f"{prior}|{inner}" if inner else prior

    def _made(self, model: Topics) -> tuple[Topics | None, list[int]]:
        """Return the kernels as topics, and which topics these are; none for too few words."""
        words = model.vocabulary or ()
        topics, rows = [], []
        for row, kernel in enumerate(self.kernels_of(model)):
            named = (words[column].strip() for column in kernel.columns.tolist())
            listed = tuple(dict.fromkeys(word for word in named if word))
            if len(listed) >= _COMPARABLE:
                topics.append(Topic(model[row].id, listed))
                rows.append(row)
        if not topics:
            return None, rows
        made = Topics(
            tuple(topics), model=model.model, language=model.language, tokens=model.tokens
        )
        return made, rows

    def _warn_of_pairs(self, made: Topics) -> None:
        pairs = sum(len(topic.words) * (len(topic.words) - 1) // 2 for topic in made.topics)
        if pairs > _MANY_PAIRS:
            message = (
                f"{made.model}: the kernels have {pairs:,} pairs of words, which takes long; "
                f"{self!r}@50 scores the 50 most probable words of each"
            )
            warnings.warn(message, TealeavesWarning, stacklevel=2)


def _bare(model: Topics) -> Topics:
    """Return a model of which only words are known, as the kernels are."""
    return Topics(model.topics, model=model.model, language=model.language)
