"""A metric for tests: it requires nothing and has optional requests of every kind."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import msgspec
import numpy as np
import pytest

from tealeaves import catalogue
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import (
    CountRequest,
    EmbeddingRequest,
    OptionalRequest,
    RelevanceRequest,
)
from tealeaves.evidence.units import Unit
from tealeaves.evidence.wording import Wording
from tealeaves.metrics import registry
from tealeaves.metrics.base import Metric, Result
from tealeaves.metrics.registry import METRICS
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.metrics.base import AnyRequest, Extra

DOCUMENTS, WINDOWS, WIDE = Unit(), Unit("window", 2), Unit("window", 5)


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Nothing but the name of an embedding that is requested beside those of the user.

    Parameters
    ----------
    also
        The name.
    """

    also: str = "no_such_embedding"


@dataclass(frozen=True)
class Asked:
    """What the metric asks for, of the corpus and of the reference."""

    documents: CountRequest
    windows: CountRequest
    given_vectors: EmbeddingRequest
    named_vectors: EmbeddingRequest
    relevance: RelevanceRequest
    reference: CountRequest | None
    reference_windows: CountRequest | None


@dataclass(frozen=True, repr=False, eq=False)
class Flexible(Metric):
    """Pairs of words in documents of the corpus, and a hundred times those in the reference.

    Without either there is no number.
    """

    settings: Settings
    uses: ClassVar[frozenset[Extra]] = frozenset({"reference", "embeddings", "relevance"})
    source: ClassVar[str] = "any source that is given"

    def asked(self, models: Sequence[Topics], wording: Wording) -> Asked:
        pairs = wording.pairs(models, self.top)
        words = frozenset(w for m in models for topic in m.topics for w in topic.words[: self.top])
        other = wording.reference
        return Asked(
            CountRequest(DOCUMENTS, *pairs),
            CountRequest(WINDOWS, *pairs),
            EmbeddingRequest(None, words),
            EmbeddingRequest(self.settings.also, words),
            RelevanceRequest(*pairs),
            CountRequest(DOCUMENTS, *other.pairs(models, self.top)) if other else None,
            CountRequest(WIDE, *other.pairs(models, self.top)) if other else None,
        )

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[AnyRequest]:
        asked = self.asked(models, wording)
        yield from map(OptionalRequest, [asked.documents, asked.windows])
        yield from map(OptionalRequest, [asked.given_vectors, asked.named_vectors])
        yield OptionalRequest(asked.relevance)
        for request in (asked.reference, asked.reference_windows):
            if request is not None:
                yield OptionalRequest(request, reference=True)

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        asked = self.asked(models, wording)
        SEEN.append(Seen(evidence, wording, asked))
        found = np.full((2, sum(map(len, models))), np.nan)
        if evidence.has(asked.documents):
            found[0] = _together(models, evidence, wording, self.top)
        beside, worded = evidence.reference, wording.reference
        if asked.reference and beside and worded and beside.has(asked.reference):
            found[1] = _together(models, beside, worded, self.top)
        known = ~np.isnan(found).all(axis=0)
        values = np.where(known, np.nansum(found * [[1], [100]], axis=0), np.nan)
        ends = np.cumsum([len(model) for model in models])[:-1]
        parts = zip(np.split(values, ends), np.split(known.astype(float), ends), strict=True)
        return [Result(value, support) for value, support in parts]

    def provenance(self, evidence: Evidence) -> str:
        return evidence.reference_provenance


class Seen(NamedTuple):
    """What the metric was given, and what it asks for."""

    evidence: Evidence
    wording: Wording
    asked: Asked


SEEN: list[Seen] = []


def _together(
    models: Sequence[Topics], evidence: Evidence, wording: Wording, top: int | None
) -> list[int]:
    """Count the documents that hold the first two words of each topic."""
    counts = evidence.counts(DOCUMENTS)
    lists = [terms[:top] for model in models for terms in wording.terms(model)]
    first = [terms[:2] for terms in lists]
    return [
        counts.pair(*two) if len(two) > 1 and all(t.tokens for t in two) else 0 for two in first
    ]


flexible = Flexible(
    name="flexible",
    summary="has only optional requests",
    better="higher",
    bounds=(0.0, np.inf),
    cite="nobody",
    settings=Settings(),
)


class _Entry:
    """An entry point of a package that is not installed."""

    value = "flexible_metric"

    def load(self) -> ModuleType:
        return sys.modules[__name__]


@contextmanager
def registered() -> Iterator[list[Seen]]:
    """Let the registry know the metric for a while; what it sees is kept in the list."""
    ours = entry_points(group=registry.GROUP)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogue, "entry_points", lambda **_: [*ours, _Entry()])
        METRICS.reload()
        SEEN.clear()
        yield SEEN
    METRICS.reload()
