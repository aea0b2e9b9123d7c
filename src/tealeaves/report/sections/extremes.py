"""The best and the worst topics, with odd words marked and reasons."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tealeaves.consensus.reasons import brief_reasons
from tealeaves.report.run.run import Run, TopicName
from tealeaves.report.sections.parts import Card, Cards, Section
from tealeaves.report.sections.sentences import interval, isolated, number
from tealeaves.report.sections.words import SHOWN, words_of
from tealeaves.tables.numbers import count_text

_TITLE = "Best and worst topics"
MOST = 6
_NEAR = 0.5  # from here on topics are nearly the same
_SCORES = 6  # metrics that a card has room for


def extremes(run: Run) -> Section | None:
    """Return the best and the worst topics of all models; of near-identical ones the first."""
    ranked = _ranked(run)
    if len(ranked) < 2:
        return None
    half = len(ranked) // 2
    best = _different(run, ranked[:half])
    worst = _different(run, ranked[::-1][: len(ranked) - half])
    parts = [
        Cards("Worst", [_card(run, name) for name in worst]),
        Cards("Best", [_card(run, name) for name in best]),
    ]
    return Section("extremes", _TITLE, _lead(run, len(ranked)), parts)


def _different(run: Run, names: Sequence[TopicName]) -> list[TopicName]:
    """Return the first topics that do not share half of their words with one before."""
    chosen: list[tuple[TopicName, set[str]]] = []
    for name in names:
        words = set(run.first_words.get(name, ())[:SHOWN])
        if len(chosen) == MOST:
            break
        if not any(_overlap(words, other) >= _NEAR for _, other in chosen):
            chosen.append((name, words))
    return [name for name, _ in chosen]


def _overlap(one: set[str], other: set[str]) -> float:
    """Return Jaccard's index; 0 if words are not known."""
    return len(one & other) / len(one | other) if one and other else 0.0


def _ranked(run: Run) -> list[TopicName]:
    """Return the topics that have a value, the best first; equals are in the order given."""
    if _by_consensus(run):
        values = {name: row.value for name, row in run.explained.items()}
    else:
        metric = _metric(run)
        values = {
            (model, topic): run.gain(metric, row.value)
            for (model, topic, name), row in run.values.items()
            if topic is not None and name == metric and not math.isnan(row.value)
        }
    known = [name for name, value in values.items() if not math.isnan(value)]
    return sorted(known, key=lambda name: values[name], reverse=True)


def _by_consensus(run: Run) -> bool:
    """Tell whether consensus judged topics of all models; else some would be missing."""
    judged = {model for (model, _), row in run.explained.items() if math.isfinite(row.value)}
    return judged >= {model.name for model in run.models if model.topics}


def _metric(run: Run) -> str:
    """Return the metric that topics are ordered by: that of models, if it judges topics."""
    known = [metric for metric in run.topic_metrics if run.scores.better.get(metric)]
    return next((metric for metric in (run.decisive, *run.shared_metrics) if metric in known), "")


def _lead(run: Run, topics: int) -> list[str]:
    ranked = f"{count_text(topics, 'topic')} are ranked by"
    if not _by_consensus(run):
        order = f"{ranked} {_metric(run)}."
        return [order, *([] if run.multilingual else [_why_not_consensus(run)])]
    explained = run.explanations
    level = f"{100 * explained.level:.4g}" if explained else ""
    sources = {source for row in run.explained.values() for source in row.sources}
    alone = (
        " It used these texts only: word vectors (extra embed) would tell it more."
        if sources == {"corpus"}
        else ""
    )
    judged = f" ({explained.judged_by})" if explained and explained.judged_by else ""
    return [
        f"{ranked} consensus, which predicts from all evidence how people would rate a topic, from "
        f"0 to 1{judged}.{alone} The interval in brackets contains people's own rating for {level} "
        "of 100 topics like those that consensus learned from.",
        "Marked words fit their topic badly. Reasons say how a topic differs from an average one, "
        "and how much each difference adds: how related its best words (the third that fits best), "
        "its worst words and its first words are; whether there is a second theme; whether texts "
        "and vectors agree. The weakest pairs are the words that are least related, and the number "
        "says how related they are, from 0 to 1.",
    ]


def _why_not_consensus(run: Run) -> str:
    if run.explained:
        return "Consensus, which gives reasons, did not judge the topics of all models."
    return "There are no reasons, because this run has no consensus."


def _card(run: Run, name: TopicName) -> Card:
    model, topic = name
    row = run.explained.get(name)
    title = (
        f"{isolated(model)} · topic {isolated(topic)}" if len(run.models) > 1 else f"Topic {topic}"
    )
    words = words_of(run, model, topic)
    if row is None or math.isnan(row.value):
        return Card(title, words, _scores(run, name))
    limits = interval(row.low, row.high, 2)
    value = f"{number(row.value, 2)} [{limits}]" if limits else number(row.value, 2)
    weakest = [f"{one}–{other} ({related:.2f})" for one, other, related in row.weakest]
    reasons = [reason.replace("(-", "(−") for reason in brief_reasons(row.parts)]
    # consensus with default settings is what the card begins with
    scores = [one for one in _scores(run, name) if one[0].partition("@")[0] != "consensus"]
    return Card(title, words, [("consensus", value), *scores], reasons, weakest)


def _scores(run: Run, name: TopicName) -> Sequence[tuple[str, str]]:
    rows = ((metric, run.values.get((*name, metric))) for metric in run.topic_metrics)
    return [(metric, number(row.value)) for metric, row in rows if row is not None][:_SCORES]
