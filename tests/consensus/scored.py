"""Scores of the small world, and what is looked at in them."""

from __future__ import annotations

from typing import Any

import pytest

import tealeaves
from tealeaves import Topics
from tealeaves.evidence import Counts, count_corpus
from tealeaves.evidence.wording import Wording
from tealeaves.metrics import metric
from tealeaves.metrics.planning import count_requests
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline

from .small_world import english, texts

TEXTS, REFERENCE = texts(0), texts(1)
RANKS = "consensus(kind=ranks)"


def score(
    models: Any = None, corpus: Any = None, spec: str = "consensus", **given: Any
) -> tealeaves.Scores:
    judged = english() if models is None else models
    return tealeaves.score(judged, corpus, spec, **given)


def values(scores: tealeaves.Scores, model: str = "model") -> list[float]:
    return [row.value for row in scores.topics if row.model == model]


def supports(scores: tealeaves.Scores, model: str = "model") -> list[float]:
    return [row.support for row in scores.topics if row.model == model]


def same(numbers: Any) -> Any:
    """Numbers are the same but for the order of sums, which may depend on topics beside."""
    return pytest.approx(numbers, abs=1e-12)


def signature(scores: tealeaves.Scores) -> str:
    [found] = {row.signature for row in scores}
    return found


def counted(*models: Topics, corpus: list[str] = TEXTS) -> list[Counts]:
    """Count what some models ask for, and nothing else."""
    pipeline = Pipeline.parse("words")
    requests = count_requests(models, [metric("consensus")], Wording(pipeline))
    return count_corpus(Corpus.of(corpus), pipeline, requests)
