"""Marking: the words that do not fit their topic, by a metric that can tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Metric
from tealeaves.metrics.notes import caveats, lacking
from tealeaves.metrics.registry import METRICS
from tealeaves.topics.multilingual import are_multilingual
from tealeaves.topics.topics import Topics

#: The number of first words that are judged where the metrics do not say how many.
USUAL_TOP = 10


@runtime_checkable
class Marks(Protocol):
    """A metric that can tell which words are odd in their topic."""

    def odd_words(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[list[tuple[str, ...]]]:
        """Return for each model and topic the words that do not fit, the worst first."""


class Marked(NamedTuple):
    """The odd words of topics, by model and topic, and the metric that marked them.

    ``caveats`` are those of that metric.
    """

    marker: Metric
    words: dict[tuple[str, int | str | None], tuple[str, ...]]
    caveats: list[str]

    def notes_beside(self, metrics: Sequence[Metric]) -> list[str]:
        """Return the notes on the marks that the notes on these metrics lack."""
        odd = sum(map(bool, self.words.values()))
        note = f"marked by {self.marker!r}: {odd} of {len(self.words)} topics have odd words"
        return [note, *([] if self.marker in metrics else self.caveats)]


def marker_among(metrics: Sequence[Metric], models: Sequence[Topics]) -> Metric:
    """Return the first metric that can mark words, else the first that is registered.

    That one looks at as many first words as the metrics do, where these agree.
    """
    if are_multilingual(models):
        raise InputError(
            "words are marked in topics of one language, and these are in several: mark one side "
            "(`tealeaves score --language`, in Python topics.side(language))"
        )
    for metric in metrics:
        if isinstance(metric, Marks):
            return metric
    tops = {metric.top for metric in metrics if metric.top is not None}
    for metric in METRICS.values():
        if isinstance(metric, Marks):
            return metric @ (tops.pop() if len(tops) == 1 else USUAL_TOP)
    raise InputError("no metric is installed that can mark words")


def mark_words(marker: Metric, models: Sequence[Topics], evidence: Evidence) -> Marked:
    """Return the odd words of all topics that the marker can judge."""
    if not isinstance(marker, Marks):
        raise InputError(f"{marker!r} cannot mark words")
    able = [model for model in models if not marker.why_not(model)]
    odd = marker.odd_words(able, evidence, evidence.wording)
    by_topic: dict[tuple[str, int | str | None], tuple[str, ...]] = {
        (model.model, topic.id): words
        for model, lists in zip(able, odd, strict=True)
        for topic, words in zip(model.topics, lists, strict=True)
    }
    notes = [*lacking(models, [marker]), *caveats(models, [marker], evidence)]
    return Marked(marker, by_topic, notes)
