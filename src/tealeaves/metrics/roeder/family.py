"""``Coherence``: one row of the table of coherence measures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from tealeaves.errors import InputError, did_you_mean
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.request import Request
from tealeaves.evidence.terms import Term
from tealeaves.evidence.wording import Wording
from tealeaves.expressions import Value
from tealeaves.metrics.base import Metric, Result
from tealeaves.metrics.roeder.aggregation import AGGREGATIONS
from tealeaves.metrics.roeder.confirmation import CONFIRMATIONS
from tealeaves.metrics.roeder.policy import Policy, replaced
from tealeaves.metrics.roeder.segmentation import SEGMENTATIONS, SETS, segments
from tealeaves.parameters import Parameter
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    from tealeaves.evidence.counts import Counts

_JOINT = ("eps", "never", "smooth")  # exactly one of them decides never-together pairs
_SPAN = ("window", "context")
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
    """Do the words of a topic occur together more than chance would have it?

    A row is a :class:`Policy`: segmentation, unit, confirmation, aggregation and the values of
    corner cases. A new measure is a new instance.
    """

    settings: Policy
    published_bounds: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.published_bounds is None:
            object.__setattr__(self, "published_bounds", self.bounds)

    def __call__(self, **changes: Value) -> Self:
        """Return this metric with other parameters, some of which undo its bounds."""
        changed = super().__call__(**changes)
        return replace(changed, bounds=self._bounds(changed.settings))

    def _bounds(self, policy: Policy) -> tuple[float, float]:
        low, high = self.published_bounds or self.bounds
        beyond = policy.never is not None and not low <= policy.never <= high
        smoothed = policy.smooth is not None or (policy.eps or 0.0) > _GENSIM["eps"]
        if policy.aggregate == "sum" or beyond or smoothed:
            return -math.inf, math.inf
        return low, high

    # ------------------------------------------------------------------ parameters

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters that may be changed; the names of parts are listed."""
        return [
            one._replace(allowed=f"one of {', '.join(_PARTS[one.name])}")
            if one.name in _PARTS
            else one
            for one in super().parameters
        ]

    def _changed(self, changes: dict[str, Value]) -> Policy:
        given = dict(changes)
        for group in (_JOINT, _SPAN):
            chosen = [name for name in group if given.get(name) is not None]
            if len(chosen) > 1:
                raise InputError(f"{self.name}: give {chosen[0]} or {chosen[1]}, not both")
            if chosen:
                given = dict.fromkeys(group, None) | given
        if "confirmation" in given and not set(_JOINT) & set(given):
            given |= dict.fromkeys(_JOINT, None)  # another measure has another limit
        policy: Policy = super()._changed(given)
        self._check_parts(policy)
        if policy.compat:
            return self._like_gensim(policy, changes)
        return self._with_rule_for_never(policy)

    def _like_gensim(self, policy: Policy, changes: dict[str, Value]) -> Policy:
        """Put gensim's own values in force; whatever else was asked for is refused."""
        for name, value in _GENSIM.items():
            asked = name in changes or name not in _JOINT
            if asked and getattr(policy, name) not in (None, value):
                raise InputError(f"{self.name}: compat=gensim decides {name} itself; leave it out")
        return replaced(policy, **_GENSIM)

    def _check_parts(self, policy: Policy) -> None:
        for name, known in _PARTS.items():
            value = getattr(policy, name)
            if value not in known:
                hint = did_you_mean(value, known)
                raise InputError(
                    f"{self.name}: {name}={value} cannot be{hint} (it is one of {', '.join(known)})"
                )
        if policy.similarity and policy.segmentation == "one_any":
            raise InputError(f"{self.name}: one_any cannot be compared by cosine; try one_all")
        if not policy.similarity and policy.segmentation == "one_set":
            raise InputError(f"{self.name}: one_set needs similarity=cosine")
        if policy.segmentation in SETS and (policy.context or policy.compat):
            raise InputError(f"{self.name}: {policy.segmentation} needs documents or windows")

    def _with_rule_for_never(self, policy: Policy) -> Policy:
        """Where nothing decides never-together pairs, the limit of the measure does."""
        if any(getattr(policy, name) is not None for name in _JOINT):
            return policy
        limit = CONFIRMATIONS[policy.confirmation].limit
        if limit == -math.inf:
            raise InputError(
                f"{self.name}: without eps, pairs that are never together are at minus infinity: "
                "say eps=1e-12, smooth=1 or never=0"
            )
        return replaced(policy, never=limit)

    def _shown(self, changed: dict[str, Value]) -> dict[str, Value]:
        """Show of what excludes each other only what is in force, where it is not implied."""
        policy = self.settings
        shown = {n: v for n, v in changed.items() if n not in (*_JOINT, *_SPAN)}
        if _chosen(policy, _SPAN) != _chosen(self.defaults, _SPAN):
            shown |= _chosen(policy, _SPAN) or self._documents()
        implied = _chosen(self.defaults, _JOINT)
        if policy.confirmation != self.defaults.confirmation:
            limit = CONFIRMATIONS[policy.confirmation].limit
            implied = {} if limit is None else {"never": limit}
        if _chosen(policy, _JOINT) != implied and not policy.compat:
            shown |= _chosen(policy, _JOINT)
        return {name: shown[name] for name in self.accepts if name in shown}

    def _documents(self) -> dict[str, Value]:
        """Return what says that documents are counted, where by default they are not."""
        return dict.fromkeys(_chosen(self.defaults, _SPAN))

    def _written(self) -> dict[str, Value]:
        spans = _chosen(self.settings, _SPAN)
        return ({} if spans else self._documents()) | super()._written()

    # ------------------------------------------------------------------ evidence to scores

    @property
    def source(self) -> str:
        """What is counted."""
        unit = self.settings.unit
        return "counts of documents" if unit.size is None else f"counts of {unit.kind}s"

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[Request]:
        """Ask for the words of each topic, their pairs and, for some segmentations, sets."""
        # gensim passes over unknown words before it cuts, so any word may be needed
        top = None if self.settings.compat else self.top
        asked = Request(self.settings.unit, *wording.pairs(models, top))
        sets: list[Iterable[Term]] = []
        if self.settings.segmentation in SETS and not self.settings.similarity:
            for terms in (t for model in models for t in wording.terms(model)):
                known = [term for term in terms[:top] if term.tokens]
                for one, given in segments(self.settings.segmentation, len(known)):
                    sets.append([known[rank] for rank in {*one, *given}])
                    sets.append([known[rank] for rank in given])
        yield asked | Request.of(self.settings.unit, [], sets)

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Score the topics of all models at once."""
        from tealeaves.metrics.roeder.scoring import score_topics

        counts = evidence.counts(self.settings.unit)
        lists = wording.lists(models)
        if self.settings.oov == "error":
            self._refuse_absent(models, counts, wording)
        whole = score_topics(lists, counts, self.settings, self.top, wording.kept)
        results, start = [], 0
        for model in models:
            stop = start + len(model)
            results.append(Result(whole.values[start:stop], whole.support[start:stop]))
            start = stop
        return results

    def provenance(self, evidence: Evidence) -> str:
        """Return the tokens and texts that were counted."""
        always = ""
        if self.settings.confirmation == "normalised_log_ratio":  # what is everywhere together
            always = f"always={-1 if self.settings.compat else 1}|"
        return always + evidence.counts(self.settings.unit).provenance

    def missing(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[list[str]]:
        """Return for each model the words that the texts lack."""
        counts = evidence.counts(self.settings.unit)
        key = ("missing", id(counts), self.top, *map(id, models))
        if key not in wording.kept:  # other measures of the same counts ask for the same
            absent = _absent_terms(counts)
            wording.kept[key] = (
                counts,
                [[word for _, word in self._absent(model, absent, wording)] for model in models],
            )
        found: list[list[str]] = wording.kept[key][1]
        return found

    def _absent(
        self, model: Topics, absent: set[Term], wording: Wording
    ) -> Iterator[tuple[Topic, str]]:
        """Yield the topics and words that the texts lack, among each topic's first words."""
        spelled = zip(model.topics, wording.terms(model), wording.words(model), strict=True)
        for topic, terms, words in spelled:
            if absent.isdisjoint(terms):  # as in most topics, so told at once
                continue
            for term, word in zip(terms[: self.top], words, strict=False):
                if term in absent:
                    yield topic, word

    def _refuse_absent(self, models: Sequence[Topics], counts: Counts, wording: Wording) -> None:
        absent = _absent_terms(counts)
        for model in models:
            for topic, word in self._absent(model, absent, wording):
                raise InputError(
                    f"{model.model}: topic {topic.id}: the word {word!r} is not in the corpus "
                    f"({self!r})"
                )


def _chosen(policy: Policy, group: tuple[str, ...]) -> dict[str, Value]:
    """Return those parameters of a group that are in force."""
    values = {name: getattr(policy, name) for name in group}
    return {name: value for name, value in values.items() if value is not None}


def _absent_terms(counts: Counts) -> set[Term]:
    """Return the terms that the texts lack, and the one without tokens."""
    found = zip(counts.terms, counts.singles.tolist(), strict=True)
    return {Term(()), *(term for term, units in found if units == 0)}
