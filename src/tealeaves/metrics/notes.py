"""What the numbers leave out, in plain sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tealeaves.evidence.counts import Counts
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Metric
from tealeaves.metrics.summary import ModelSummary
from tealeaves.tables.numbers import count_text, list_text
from tealeaves.topics.topics import Topics

FEW_TEXTS = 50


def notes_on(models: Sequence[Topics], metrics: Sequence[Metric], evidence: Evidence) -> list[str]:
    """Return what a reader should know about the evidence, the models and the metrics."""
    return [
        *evidence.notes,
        *_few_texts(evidence, "the corpus"),
        *_few_texts(evidence.reference or (), "the reference"),
        *_missing_words(models, metrics, evidence),
        *_missing_in_reference(models, metrics, evidence),
        *_other_tokens(models, evidence.wording),
        *lacking(models, metrics),
        *(remark for metric in metrics for remark in metric.remarks(models)),
        *caveats(models, metrics, evidence),
        *_missing_controls(metrics),
    ]


def _few_texts(counts: Iterable[Counts], whose: str) -> list[str]:
    sizes = {one.totals.documents for one in counts if one.totals.documents}
    fewest = min(sizes, default=FEW_TEXTS)
    if fewest >= FEW_TEXTS:
        return []
    return [f"{whose} has only {count_text(fewest, 'text')}: the numbers are rough"]


def _missing_words(
    models: Sequence[Topics], metrics: Sequence[Metric], evidence: Evidence
) -> list[str]:
    wording = evidence.wording
    words_by_model: list[dict[str, None]] = [{} for _ in models]
    for metric in metrics:
        able = [number for number, model in enumerate(models) if not metric.why_not(model)]
        missing = metric.missing([models[number] for number in able], evidence, wording)
        for number, absent in zip(able, missing, strict=True):
            words_by_model[number].update(dict.fromkeys(absent))
    notes = []
    for model, words in zip(models, words_by_model, strict=True):
        removed = [word for word in words if not wording.term_of(model, word).tokens]
        unseen = [word for word in words if wording.term_of(model, word).tokens]
        notes += _absent(model, unseen, removed, "the corpus", "the tokens")
    return notes


def _missing_in_reference(
    models: Sequence[Topics], metrics: Sequence[Metric], evidence: Evidence
) -> list[str]:
    """Name the words that the reference lacks, of those that were looked for in it."""
    wording, reference = evidence.wording, evidence.reference
    using = [metric for metric in metrics if "reference" in metric.uses]
    if reference is None or wording.reference is None or not using:
        return []
    top = None if any(one.top is None for one in using) else max(one.top or 0 for one in using)
    counted = {term for counts in reference for term in counts.terms}
    never = counted - {counts.terms[n] for counts in reference for n in counts.singles.nonzero()[0]}
    notes = []
    for model in models:
        words = dict.fromkeys(word for topic in model.topics for word in topic.words[:top])
        terms = {word: wording.reference.term_of(model, word) for word in words}
        removed = [word for word, term in terms.items() if not term.tokens]
        unseen = [w for w, term in terms.items() if term.tokens and term in never]
        notes += _absent(model, unseen, removed, "the reference", "the tokens of the reference")
    return notes


def _absent(
    model: Topics, unseen: list[str], removed: list[str], where: str, tokens: str
) -> list[str]:
    notes = []
    if unseen:
        notes.append(f"{model.model}: not in {where}: {list_text(unseen)}")
    if removed:
        notes.append(f"{model.model}: removed by {tokens}: {list_text(removed)}")
    return notes


def caveats(models: Sequence[Topics], metrics: Sequence[Metric], evidence: Evidence) -> list[str]:
    """Return the caveats of metrics about their evidence, each once."""
    notes = []
    for metric in metrics:
        able = [model for model in models if not metric.why_not(model)]
        notes += metric.caveats(able, evidence, evidence.wording)
    return list(dict.fromkeys(notes))


def _missing_controls(metrics: Sequence[Metric]) -> list[str]:
    """Name the control that a metric should be compared with, where it is not scored too."""
    names = {metric.name for metric in metrics}
    controls = {metric.control for metric in metrics if metric.control} - names
    return [
        f"look at {control} too: on the same texts it explains most of the differences that "
        "metrics of attention and relevance find between topics"
        for control in sorted(controls)
    ]


def lacking(models: Sequence[Topics], metrics: Sequence[Metric]) -> list[str]:
    """Say which metrics cannot score a model, and why."""
    notes = []
    for model in models:
        reasons: dict[str, list[str]] = {}
        for metric in metrics:
            if lack := metric.why_not(model):
                reasons.setdefault(lack, []).append(repr(metric))
        notes += [f"{model.model}: no {list_text(those)}: {why}" for why, those in reasons.items()]
    return notes


def _other_tokens(models: Sequence[Topics], wording: Wording) -> list[str]:
    """Say which models were made with other tokens than the texts are read with."""
    notes = [
        f"{model.model}: made with the tokens {model.tokens}, scored with {wording.tokens}"
        for model in models
        if model.tokens not in ("", wording.tokens)
    ]
    silent = [model.model for model in models if not model.tokens]
    if silent and any(model.tokens == wording.tokens for model in models):
        notes.append(
            f"scored with the tokens {wording.tokens} of other models: {list_text(silent)}"
        )
    return notes


class ModelScore(NamedTuple):
    """The score of one model by one metric that can score it."""

    model: Topics
    metric: Metric
    summary: ModelSummary


def unscored_topics(scores: Iterable[ModelScore]) -> list[str]:
    """Say which topics have no value: one note for all metrics and models with the same reason."""
    metrics: dict[tuple[str, str, str], list[str]] = {}
    for model, metric, summary in scores:
        if summary.unscored and not summary.unweighted:
            share = f"{len(summary.unscored)} of {len(model)} topics"
            key = f"{model.model}: {share}", metric.why(model), list_text(summary.unscored)
            metrics.setdefault(key, []).append(repr(metric))
    models: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for (share, why, topics), names in metrics.items():
        models.setdefault((list_text(names), why), []).append((share, topics))
    return [_unscored_note(shares, *same) for same, shares in models.items()]


def _unscored_note(shares: Sequence[tuple[str, str]], metrics: str, why: str) -> str:
    if len(shares) == 1:
        [(share, topics)] = shares
        return f"{share} have no {metrics}, {why}: {topics}"
    listed = "; ".join(f"{share} ({topics})" for share, topics in shares)
    return f"no {metrics}, {why}: {listed}"


def left_out(score: ModelScore) -> list[str]:
    """Say what the model's score leaves out, besides topics without a value."""
    model, _, summary = score
    if summary.unweighted:
        return [f"{model.model}: no weighted score: nothing is known of its documents"]
    notes = []
    if summary.documents is not None and (summary.outliers or summary.left_out):
        notes.append(
            f"{model.model}: weighted by {summary.documents} documents; left out are "
            f"{summary.outliers} outliers and {summary.left_out} documents of topics without score"
        )
    if math.isnan(summary.value) and summary.documents == 0:
        notes.append(f"{model.model}: no document belongs to a topic that has a score")
    return notes
