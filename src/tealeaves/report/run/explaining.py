"""What consensus says of topics, by the evidence that their scores were computed from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from tealeaves.consensus.catalogue import consensus
from tealeaves.consensus.explanations import Explanations, explain_evidence
from tealeaves.consensus.metric import Consensus
from tealeaves.metrics.base import Metric
from tealeaves.metrics.registry import parse_metrics
from tealeaves.metrics.scores import Scores
from tealeaves.topics.multilingual import are_multilingual
from tealeaves.topics.topics import Topics

_USUAL_TOP = 10


def explainer(metrics: Iterable[str | Metric], models: Sequence[Topics]) -> Consensus | None:
    """Return the consensus of as many first words as the metrics judge, if these agree, else of 10.

    None is returned for topics in several languages: consensus judges one at a time.
    """
    if are_multilingual(models):
        return None
    specs = list(metrics)
    tops = {metric.top for metric in parse_metrics(specs) if metric.top} if specs else set()
    return consensus @ (tops.pop() if len(tops) == 1 else _USUAL_TOP)


def explained(models: Sequence[Topics], scores: Scores, metric: Consensus) -> Explanations | None:
    """Explain topics by the evidence behind scores, which was gathered for the metric ``also``.

    None where the evidence says nothing of any topic.
    """
    if scores.evidence is None:
        return None
    found = explain_evidence(models, scores.evidence, metric)
    return found if any(math.isfinite(row.value) for row in found.topics) else None
