"""Which metrics are put against people, in which variants; and why others are not.

All metrics of the registry are here, found through it. What a metric needs tells its evidence:
counts of texts, vectors of words, relevance in a classifier, or only the words. Consensus asks
several of these; its rows say which, and what its predictors were not fitted to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from benchmarks.consensus.predictions import TRIED
from benchmarks.people.sets import OWN, Material
from tealeaves.evidence.requests import CountRequest, EmbeddingRequest, RelevanceRequest
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Metric
from tealeaves.metrics.registry import METRICS, metric
from tealeaves.text.pipeline import Pipeline

OWN_TEXTS, WIKIPEDIA, CLASSIFIER, WORDS = "own texts", "Wikipedia", "classifier", "words alone"
LEMMAS = "Wikipedia, lemmas"
LEMMATISED = ("c_v", "c_p", "npmi", "c_npmi", "umass")  # the main metrics that count, there too
CONSENSUS = "consensus"
EMBEDDINGS = ("minilm", "minilm_static", "wordllama", "use", "glove")
COUNTED = "npmi(oov=zero)"  # what is held constant: document NPMI
KINDS: Mapping[type, str] = {
    CountRequest: "counts",
    EmbeddingRequest: "vectors",
    RelevanceRequest: "relevance",
}
# corner cases: words that the texts lack; for measures of NPMI, words that are never together, too
_LACKING = ("", "(oov=zero)")
_NEVER = (*_LACKING, "(never=0)", "(never=0, oov=zero)")
_VARIANTS = {
    **{
        name: tuple(name + how for how in _LACKING)
        for name in ("c_a", "c_p", "c_uci", "lcp", "pmi", "ppmi")
    },
    **{name: tuple(name + how for how in _NEVER) for name in ("c_npmi", "c_v")},
    "npmi": (*(f"npmi{how}" for how in _NEVER), "npmi(window=10)"),
    "umass": (*(f"umass{how}" for how in _LACKING), "umass(smooth=1)"),
    "expressivity": ("expressivity(weights=uniform)",),
    "lrp_sum": ("lrp_sum", "lrp_sum(reduction=pair)"),
    CONSENSUS: tuple(TRIED),
}
# what no model lacks by itself, and still cannot be here
_NOT_HERE = {
    "coherence": "the general form of the others: with its defaults it is `npmi`",
    "stability": "it compares several runs of one model, and these are different models",
}


class Label(NamedTuple):
    """A row of the table: a metric, and what it is computed from."""

    expression: str
    evidence: str

    def __str__(self) -> str:
        """Write both; unique among the scores of a set."""
        return f"{self.expression} | {self.evidence}"


def metric_in(expression: str) -> str:
    """Return the name of the metric that a row is of."""
    return re.split(r"\W", expression, maxsplit=1)[0]


def at(expression: str, words: int) -> Metric:
    """Return a metric for so many words."""
    return metric(expression) @ words


def expressions(kind: str) -> list[str]:
    """Return the variants that need this kind of evidence and can be computed."""
    return [one for name in METRICS for one in variants(name) if kind_of(one) == kind]


def variants(name: str) -> tuple[str, ...]:
    """Return the expressions of a metric; none where it cannot be computed."""
    listed = _VARIANTS.get(name, (name,))
    return tuple(one for one in listed if not reason(one))


def not_computed() -> Iterator[tuple[str, str]]:
    """Yield the metrics that cannot be computed on any set, with what they say themselves."""
    for name in METRICS:
        if not variants(name):
            yield name, reason(name)


@cache
def reason(expression: str) -> str:
    """Say why a metric has no number here; nothing, if it can have one."""
    if expression in TRIED:
        return ""
    asked = at(expression, OWN.material.words)
    if asked.name in _NOT_HERE:
        return _NOT_HERE[asked.name]
    cause = metric(expression).why_not(OWN.material.models[0])
    return cause or asked.why_not(OWN.material.models[0])


@cache
def kind_of(expression: str) -> str:
    """Tell what a metric is computed from by what it asks for."""
    if expression in TRIED:
        return CONSENSUS
    wording = Wording(Pipeline.parse("words"))
    needs = at(expression, OWN.material.words).needs(OWN.material.models[:2], wording)
    known = (name for need in needs for kind, name in KINDS.items() if isinstance(need, kind))
    return next(known, "words")


def topics_in(material: Material) -> int:
    """Return how many topics there are."""
    return sum(len(model) for model in material.models)
