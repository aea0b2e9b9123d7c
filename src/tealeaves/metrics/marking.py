"""Marking: which words of topics fit badly, by a metric that can tell."""

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

#: The first words of topics that are marked where the metrics do not say how many.
USUAL_TOP = 10


@runtime_checkable
class Marks(Protocol):
    """A metric that can tell which words are odd in their topic."""

    def odd_words(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[list[tuple[str, ...]]]:
        """Return for each model and topic the words that fit badly, the worst first."""


class Marked(NamedTuple):
    """The odd words of topics, by model and topic, and what should be said of them.

    ``caveats`` are those of the metric that marked them, for whoever did not ask for its numbers.
    """

    marker: Metric
    words: dict[tuple[str, int | str | None], tuple[str, ...]]
    caveats: list[str]

    def notes_beside(self, metrics: Sequence[Metric]) -> list[str]:
        """Return what these metrics do not say themselves."""
        found = sum(map(bool, self.words.values()))
        said = f"marked by {self.marker!r}: {found} of {len(self.words)} topics have odd words"
        return [said, *([] if self.marker in metrics else self.caveats)]


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


def with_marker(metrics: Sequence[Metric], marker: Metric | None) -> list[Metric]:
    """Return the metrics that evidence is gathered for."""
    return [*metrics, *([] if marker is None or marker in metrics else [marker])]


def mark_words(marker: Metric, models: Sequence[Topics], evidence: Evidence) -> Marked:
    """Find the odd words of all topics that the marker can judge."""
    if not isinstance(marker, Marks):
        raise InputError(f"{marker!r} cannot mark words")
    able = [model for model in models if not marker.why_not(model)]
    odd = marker.odd_words(able, evidence, evidence.wording)
    words: dict[tuple[str, int | str | None], tuple[str, ...]] = {
        (model.model, topic.id): some
        for model, lists in zip(able, odd, strict=True)
        for topic, some in zip(model.topics, lists, strict=True)
    }
    said = [*lacking(models, [marker]), *caveats(models, [marker], evidence)]
    return Marked(marker, words, said)
