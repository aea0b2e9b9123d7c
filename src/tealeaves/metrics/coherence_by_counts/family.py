"""``Coherence``: one row of the table of coherence measures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, compress
from typing import TYPE_CHECKING, Any, Self

import msgspec
import numpy as np

from tealeaves.errors import InputError, did_you_mean
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import CountRequest, Term
from tealeaves.evidence.wording import Wording
from tealeaves.expressions import Value
from tealeaves.memo import Identity
from tealeaves.metrics.base import Metric, Result
from tealeaves.metrics.coherence_by_counts.confirmation import CONFIRMATIONS
from tealeaves.metrics.coherence_by_counts.scoring import AGGREGATIONS, TopicBatch, score_topics
from tealeaves.metrics.coherence_by_counts.segmentation import SEGMENTATIONS, SETS, segments
from tealeaves.metrics.coherence_by_counts.settings import CoherenceSettings
from tealeaves.parameters import Parameter
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    from tealeaves.evidence.counts import Counts

_NEVER_RULES = ("eps", "never", "smooth")  # exactly one of them decides never-together pairs
_SPANS = ("window", "context")
_GENSIM: dict[str, Any] = {
    "eps": 1e-12,
    "never": None,
    "smooth": None,
    "oov": "skip",
    "context": None,
}
_PARTS: dict[str, dict[str, Any]] = {
    "segmentation": SEGMENTATIONS,
    "confirmation": CONFIRMATIONS,
    "aggregate": AGGREGATIONS,
}


@dataclass(frozen=True, repr=False, eq=False)
class Coherence(Metric):
    """Do the words of a topic occur together more often than by chance?

    Its :class:`CoherenceSettings` say which segmentation, unit, confirmation and aggregation make
    up the measure, and which values corner cases have. A new measure is a new instance.
    """

    settings: CoherenceSettings
    published_bounds: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.published_bounds is None:
            object.__setattr__(self, "published_bounds", self.bounds)

    def __call__(self, **changes: Value) -> Self:
        """Return this metric with other parameters, some of which change its bounds."""
        changed = super().__call__(**changes)
        return replace(changed, bounds=self._bounds(changed.settings))

    def _bounds(self, settings: CoherenceSettings) -> tuple[float, float]:
        low, high = self.published_bounds or self.bounds
        beyond = settings.never is not None and not low <= settings.never <= high
        smoothed = settings.smooth is not None or (settings.eps or 0.0) > _GENSIM["eps"]
        if settings.aggregate == "sum" or beyond or smoothed:
            return -math.inf, math.inf
        return low, high

    # ------------------------------------------------------------------ parameters

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters that may be changed, with the names of all parts."""
        parts = {name: f"one of {', '.join(known)}" for name, known in _PARTS.items()}
        return [
            parameter._replace(allowed=parts.get(parameter.name, parameter.allowed))
            for parameter in super().parameters
        ]

    def _changed(self, changes: dict[str, Value]) -> CoherenceSettings:
        complete = dict(changes)
        for group in (_NEVER_RULES, _SPANS):
            chosen = [name for name in group if complete.get(name) is not None]
            if len(chosen) > 1:
                raise InputError(f"{self.name}: give {chosen[0]} or {chosen[1]}, not both")
            if chosen:
                complete = dict.fromkeys(group, None) | complete
        if "confirmation" in complete and not set(_NEVER_RULES) & set(complete):
            complete |= dict.fromkeys(_NEVER_RULES, None)  # another measure has another limit
        settings: CoherenceSettings = super()._changed(complete)
        self._check_parts(settings)
        if settings.compat:
            return self._like_gensim(settings, changes)
        return self._with_rule_for_never(settings)

    def _like_gensim(
        self, settings: CoherenceSettings, changes: dict[str, Value]
    ) -> CoherenceSettings:
        """Set the values that gensim has; raise for other values that were chosen."""
        for name, value in _GENSIM.items():
            chosen = name in changes or name not in _NEVER_RULES
            if chosen and getattr(settings, name) not in (None, value):
                raise InputError(f"{self.name}: compat=gensim decides {name} itself; leave it out")
        return msgspec.structs.replace(settings, **_GENSIM)

    def _check_parts(self, settings: CoherenceSettings) -> None:
        for name, known in _PARTS.items():
            value = getattr(settings, name)
            if value not in known:
                raise InputError(
                    f"{self.name}: {name} must be one of {', '.join(known)}, not {value}"
                    f"{did_you_mean(value, known)}"
                )
        if settings.similarity and settings.segmentation == "one_any":
            raise InputError(f"{self.name}: one_any cannot be compared by cosine; try one_all")
        if not settings.similarity and settings.segmentation == "one_set":
            raise InputError(f"{self.name}: one_set needs similarity=cosine")
        if settings.segmentation in SETS and (settings.context or settings.compat):
            raise InputError(f"{self.name}: {settings.segmentation} needs documents or windows")

    def _with_rule_for_never(self, settings: CoherenceSettings) -> CoherenceSettings:
        """Give never-together pairs the limit of the measure, where nothing else decides them."""
        if any(getattr(settings, name) is not None for name in _NEVER_RULES):
            return settings
        limit = CONFIRMATIONS[settings.confirmation].limit
        if limit == -math.inf:
            raise InputError(
                f"{self.name}: without eps, pairs that are never together are at minus infinity: "
                "add eps=1e-12, smooth=1 or never=0"
            )
        return msgspec.structs.replace(settings, never=limit)

    def _shown(self, changed: dict[str, Value]) -> dict[str, Value]:
        """Of parameters that exclude each other show the one in force, unless it is implied."""
        settings = self.settings
        shown = {n: v for n, v in changed.items() if n not in (*_NEVER_RULES, *_SPANS)}
        if _in_force(settings, _SPANS) != _in_force(self.defaults, _SPANS):
            shown |= _in_force(settings, _SPANS) or self._no_span()
        implied = _in_force(self.defaults, _NEVER_RULES)
        if settings.confirmation != self.defaults.confirmation:
            limit = CONFIRMATIONS[settings.confirmation].limit
            implied = {} if limit is None else {"never": limit}
        if _in_force(settings, _NEVER_RULES) != implied and not settings.compat:
            shown |= _in_force(settings, _NEVER_RULES)
        return {name: shown[name] for name in self.accepts if name in shown}

    def _no_span(self) -> dict[str, Value]:
        """Return the parameter that makes a measure of windows count documents: window=none."""
        return dict.fromkeys(_in_force(self.defaults, _SPANS))

    def _written(self) -> dict[str, Value]:
        spans = _in_force(self.settings, _SPANS)
        return ({} if spans else self._no_span()) | super()._written()

    # ------------------------------------------------------------------ evidence to scores

    @property
    def source(self) -> str:
        """What is counted."""
        unit = self.settings.unit
        return "counts of documents" if unit.size is None else f"counts of {unit.kind}s"

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[CountRequest]:
        """Ask for the words of each topic, their pairs and, for some segmentations, sets."""
        # gensim drops unknown words before it takes the first ones, so any word may be needed
        top = None if self.settings.compat else self.top
        pairs = CountRequest(self.settings.unit, *wording.pairs(models, top))
        sets: list[Iterable[Term]] = []
        if self.settings.segmentation in SETS and not self.settings.similarity:
            for terms in (t for model in models for t in wording.terms(model)):
                known = [term for term in terms[:top] if term.tokens]
                for target, condition in segments(self.settings.segmentation, len(known)):
                    sets.append([known[rank] for rank in {*target, *condition}])
                    sets.append([known[rank] for rank in condition])
        yield pairs | CountRequest.of(self.settings.unit, [], sets)

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Score the topics of all models at once."""
        counts = evidence.counts(self.settings.unit)
        if self.settings.oov == "error":
            self._check_words(models, counts, wording)
        # other measures of the same topics and counts use the same batch
        compat = bool(self.settings.compat)
        batch = wording.memo.once(
            _topic_batch, models, counts, self.top, compat=compat, wording=wording
        )
        whole = score_topics(batch, self.settings)
        results, start = [], 0
        for model in models:
            stop = start + len(model)
            results.append(Result(whole.values[start:stop], whole.support[start:stop]))
            start = stop
        return results

    def provenance(self, evidence: Evidence) -> str:
        """Return the tokens and texts that were counted."""
        always = ""
        if self.settings.confirmation == "normalised_log_ratio":  # for words always together
            always = f"always={-1 if self.settings.compat else 1}|"
        return always + evidence.counts(self.settings.unit).provenance

    def missing(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[list[str]]:
        """Return for each model the words that the corpus lacks."""
        counts = evidence.counts(self.settings.unit)
        # other measures of the same counts need the same words
        return wording.memo.once(_absent_words, models, counts, self.top, wording)

    def _check_words(self, models: Sequence[Topics], counts: Counts, wording: Wording) -> None:
        absent = _absent_terms(counts)
        for model in models:
            for topic, word in _absent_in_topics(model, absent, self.top, wording):
                raise InputError(
                    f"{model.model}: topic {topic.id}: the word {word!r} is not in the corpus "
                    f"({self!r})"
                )


def _in_force(settings: CoherenceSettings, group: tuple[str, ...]) -> dict[str, Value]:
    """Return those parameters of a group that have a value."""
    values = {name: getattr(settings, name) for name in group}
    return {name: value for name, value in values.items() if value is not None}


def _topic_batch(
    models: Sequence[Topics], counts: Counts, top: int | None, *, compat: bool, wording: Wording
) -> TopicBatch:
    if compat:
        return TopicBatch(wording.numbers(models), counts, top, compat=True)
    known = wording.memo.once(_batches_by_pairs, models, top)
    key = Identity(counts.terms), Identity(counts.pairs)  # which the counts of most units share
    if key not in known:
        known[key] = TopicBatch(wording.numbers(models), counts, top, compat=False)
    return known[key].in_other_units(counts)


def _batches_by_pairs(
    models: Sequence[Topics],  # noqa: ARG001
    top: int | None,  # noqa: ARG001
) -> dict[tuple[Identity, Identity], TopicBatch]:
    """Return an empty dictionary, which the memo keeps for these models and this ``top``."""
    return {}


def _absent_words(
    models: Sequence[Topics], counts: Counts, top: int | None, wording: Wording
) -> list[list[str]]:
    """Return for each model the words that the corpus lacks, among each topic's first words."""
    lists = wording.numbers(models)
    positions = counts.positions
    places = np.array([positions.get(term, -1) for term in lists.terms], dtype=np.int64)
    tokens = np.array([bool(term.tokens) for term in lists.terms], dtype=bool)
    # terms that were not counted are not known to be absent
    absent = np.where(places < 0, ~tokens, np.append(counts.singles, 1)[places] == 0)
    found = absent[lists.numbers]
    if top is not None:
        found &= lists.ranks < top
    ends = np.cumsum(lists.sizes)[np.cumsum([len(model) for model in models]) - 1]
    words = []
    for model, marks in zip(models, np.split(found, ends[:-1]), strict=True):
        spelled = chain.from_iterable(wording.words(model)) if marks.any() else ()
        words.append(list(compress(spelled, marks)))
    return words


def _absent_in_topics(
    model: Topics, absent: set[Term], top: int | None, wording: Wording
) -> Iterator[tuple[Topic, str]]:
    """Yield the topics and words that the corpus lacks, among each topic's first words."""
    spelled = zip(model.topics, wording.terms(model), wording.words(model), strict=True)
    for topic, terms, words in spelled:
        if absent.isdisjoint(terms):  # true of most topics, and fast
            continue
        for term, word in zip(terms[:top], words, strict=False):
            if term in absent:
                yield topic, word


def _absent_terms(counts: Counts) -> set[Term]:
    """Return the terms that the corpus lacks, and the term without tokens."""
    units_of = zip(counts.terms, counts.singles.tolist(), strict=True)
    return {Term(()), *(term for term, units in units_of if units == 0)}
