"""The best and the worst topics: odd words marked, and why they are what they are."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tealeaves.consensus.reasons import brief_reasons
from tealeaves.report.run.findings import Findings, TopicName
from tealeaves.report.sections.parts import Card, Cards, Section
from tealeaves.report.sections.wording import interval, isolated, number
from tealeaves.report.sections.words import SHOWN, words_of
from tealeaves.tables.numbers import count_text

_TITLE = "Best and worst topics"
MOST = 6
_NEAR = 0.5  # from here on topics are nearly the same
_SCORES = 6  # metrics that a card has room for


def extremes(found: Findings) -> Section | None:
    """Return the best and the worst topics of all models; near-identical ones once."""
    ranked = _ranked(found)
    if len(ranked) < 2:
        return None
    half = len(ranked) // 2
    best = _different(found, ranked[:half])
    worst = _different(found, ranked[::-1][: len(ranked) - half])
    parts = [
        Cards("Worst", [_card(found, name) for name in worst]),
        Cards("Best", [_card(found, name) for name in best]),
    ]
    return Section("extremes", _TITLE, _lead(found, len(ranked)), parts)


def _different(found: Findings, names: Sequence[TopicName]) -> list[TopicName]:
    """Return the first topics that do not share half of their words with one before."""
    chosen: list[tuple[TopicName, set[str]]] = []
    for name in names:
        words = set(found.first_words.get(name, ())[:SHOWN])
        if len(chosen) == MOST:
            break
        if not any(_overlap(words, other) >= _NEAR for _, other in chosen):
            chosen.append((name, words))
    return [name for name, _ in chosen]


def _overlap(one: set[str], other: set[str]) -> float:
    """Return Jaccard's index; nothing is like nothing."""
    return len(one & other) / len(one | other) if one and other else 0.0


def _ranked(found: Findings) -> list[TopicName]:
    """Return the topics that have a value, the best first; of equals the one given first."""
    if _by_consensus(found):
        values = {name: row.value for name, row in found.explained.items()}
    else:
        metric = _metric(found)
        values = {
            (model, topic): found.gain(metric, row.value)
            for (model, topic, name), row in found.values.items()
            if topic is not None and name == metric and not math.isnan(row.value)
        }
    known = [name for name, value in values.items() if not math.isnan(value)]
    return sorted(known, key=lambda name: values[name], reverse=True)


def _by_consensus(found: Findings) -> bool:
    """Tell whether consensus judged topics of all models: else some would be missing."""
    judged = {model for (model, _), row in found.explained.items() if math.isfinite(row.value)}
    return judged >= {model.name for model in found.models if model.topics}


def _metric(found: Findings) -> str:
    """Return the metric that topics are ordered by: that of models, where it judges topics."""
    known = [metric for metric in found.topic_metrics if found.scores.better.get(metric)]
    return next((metric for metric in (found.decisive, *found.shared) if metric in known), "")


def _lead(found: Findings, topics: int) -> list[str]:
    of = f"Of {count_text(topics, 'topic')}"
    if not _by_consensus(found):
        said = f"{of}, by {_metric(found)}."
        return [said, *([] if found.multilingual else [_why_not_consensus(found)])]
    explained = found.explanations
    level = f"{100 * explained.level:.4g}" if explained else ""
    sources = {source for row in found.explained.values() for source in row.sources}
    alone = (
        " It knows these texts alone: with word vectors (extra embed) it would see more."
        if sources == {"corpus"}
        else ""
    )
    judged = f" ({explained.judged_by})" if explained and explained.judged_by else ""
    return [
        f"{of}, by consensus: how people would rate a topic, from 0 to 1, judged from all evidence "
        f"at hand{judged}.{alone} In brackets: people's own rating lies there for {level} of 100 "
        "topics like those that it learned from.",
        "Words that are marked fit their topic badly. Reasons say what sets a topic apart from an "
        "average one, and how much that adds: how related its best words are (the third that fits "
        "best), its worst words, its first words; whether there is a second theme; whether texts "
        "and vectors agree. Weakest pairs: the two words that go together least, and how related "
        "they are, from 0 to 1.",
    ]


def _why_not_consensus(found: Findings) -> str:
    if found.explained:
        return "Consensus, which gives reasons, did not judge the topics of all models alike."
    return "Why they are so is not known here: the run has no reasons of consensus."


def _card(found: Findings, name: TopicName) -> Card:
    model, topic = name
    row = found.explained.get(name)
    title = (
        f"{isolated(model)} · topic {isolated(topic)}"
        if len(found.models) > 1
        else f"Topic {topic}"
    )
    words = words_of(found, model, topic)
    if row is None or math.isnan(row.value):
        return Card(title, words, _scores(found, name))
    inside = interval(row.low, row.high, 2)
    value = f"{number(row.value, 2)} [{inside}]" if inside else number(row.value, 2)
    weakest = [f"{one}–{other} ({related:.2f})" for one, other, related in row.weakest]
    reasons = [reason.replace("(-", "(−") for reason in brief_reasons(row.parts)]
    scores = [one for one in _scores(found, name) if not _same_judge(one[0])]
    return Card(title, words, [("consensus", value), *scores], reasons, weakest)


def _same_judge(metric: str) -> bool:
    """Tell whether a metric is what the card begins with: consensus as it is by default."""
    return metric.partition("@")[0] == "consensus"


def _scores(found: Findings, name: TopicName) -> Sequence[tuple[str, str]]:
    rows = ((metric, found.values.get((*name, metric))) for metric in found.topic_metrics)
    return [(metric, number(row.value)) for metric, row in rows if row is not None][:_SCORES]
