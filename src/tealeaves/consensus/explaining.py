"""``explain``: what all evidence at hand says of topics, how sure that is, and why."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from tealeaves.consensus.catalogue import consensus
from tealeaves.consensus.explanations import Explanation, Explanations
from tealeaves.consensus.judges import LEVEL, check_level, open_judges
from tealeaves.consensus.judging import verdicts
from tealeaves.consensus.metric import Consensus, by_model
from tealeaves.consensus.odd_words import fits, odd_words
from tealeaves.consensus.sources import ModelSources
from tealeaves.consensus.weak_pairs import weakest_pairs
from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.sources import Sources
from tealeaves.memo import Identity
from tealeaves.metrics.evaluation import evaluate_metrics
from tealeaves.metrics.gathering import gather
from tealeaves.metrics.planning import plan_metrics
from tealeaves.metrics.scores import Score
from tealeaves.tables.numbers import list_text
from tealeaves.topics.multilingual import MultilingualTopics, are_multilingual
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topics

_UNKNOWN = "no source that was asked knows two of its words"
_TOO_SHORT = "it has fewer than two words"
# the words of topics that judges were taught with
SHORTEST, LONGEST = 5, 20


def explain(
    models: Any,
    corpus: Any = None,
    *,
    counts: Any = None,
    reference: Any = None,
    reference_tokens: Any = None,
    tokens: Any = None,
    embeddings: Any = None,
    top: int | None = 10,
    level: float = LEVEL,
    threads: int | None = None,
    progress: bool = False,
) -> Explanations:
    """Say what people would say of topics, with intervals, reasons and odd words.

    Parameters
    ----------
    models
        Topics in one language, as ``score`` takes them.
    corpus, counts, tokens
        The texts, or what was counted in them, as of ``score``.
    reference, reference_tokens
        Another, larger text, as of ``score``.
    embeddings
        What gives words their vectors, one or several, as of ``score``; by default
        ``minilm_static`` and ``wordllama`` for English topics, where these are installed.
    top
        How many first words of each topic are judged; None for all.
    level
        Of what share of topics, like those that judges were taught with, the interval holds what
        people say.
    threads, progress
        As of ``score``.

    >>> texts = ["a cat and a dog", "cat, dog", "soup", "bread"] * 20
    >>> topic, model = explain([["cat", "dog", "soup"]], texts)
    >>> [str(pair) for pair in sorted(topic.weakest[:2])]  # those least related
    ['cat–soup', 'dog–soup']
    """
    check_level(level)
    metric = consensus if top is None else consensus @ top
    judged = read_models(models)
    refuse_several_languages(judged)
    sources = Sources(
        corpus,
        counts=counts,
        tokens=tokens,
        reference=reference,
        reference_tokens=reference_tokens,
        embeddings=embeddings,
    )
    evidence = gather(plan_metrics(judged, [metric], sources), threads=threads, progress=progress)
    return explain_evidence(judged, evidence, metric, level)


def explain_evidence(
    models: Sequence[Topics], evidence: Evidence, metric: Consensus, level: float = LEVEL
) -> Explanations:
    """Explain topics by evidence that was gathered for ``metric``, perhaps among others."""
    scores = evaluate_metrics(models, [metric], evidence)
    rows = list(_explained(models, scores.models.rows, metric, evidence, level))
    notes = [*scores.notes, *_on_lengths(rows)]
    return Explanations(rows, level=level, top=metric.top, notes=notes)


def refuse_several_languages(models: Sequence[Topics]) -> None:
    """Refuse topics in several languages: one is judged at a time."""
    if are_multilingual(models):
        first = models[0]
        languages = ", ".join(first.languages) if isinstance(first, MultilingualTopics) else ""
        raise InputError(
            f"{first.model}: its topics are in several languages ({languages}), and one is judged: "
            "`tealeaves consensus --language` says which, in Python topics.side(language)"
        )


def _on_lengths(rows: Sequence[Explanation]) -> list[str]:
    """Say which topics are shorter or longer than those that judges were taught with."""
    notes = []
    known = [row for row in rows if row.topic is not None and not math.isnan(row.value)]
    several = len({row.model for row in rows}) > 1
    for what, some in (
        (f"fewer than {SHORTEST}", [row for row in known if len(row.words) < SHORTEST]),
        (f"more than {LONGEST}", [row for row in known if len(row.words) > LONGEST]),
    ):
        named = [f"{row.model} {row.topic}" if several else row.topic for row in some]
        if named:
            notes.append(
                f"consensus: judged by {what} words: {len(some)} of {len(known)} topics "
                f"({list_text(named)}); the judges were taught with {SHORTEST} to {LONGEST}, and "
                "may err more there"
            )
    return notes


def _explained(
    models: Sequence[Topics],
    means: Sequence[Score],
    metric: Consensus,
    evidence: Evidence,
    level: float,
) -> Iterator[Explanation]:
    """Yield the topics of each model, then its mean."""
    able = [model for model in models if not metric.why_not(model)]
    judged = metric.judged(able, evidence, evidence.wording)
    known = by_model(judged, [_judged(sources, level) for sources in judged])
    for model, mean in zip(models, means, strict=True):
        yield from known.get(Identity(model)) or _unjudged(model, metric)
        yield Explanation(model=model.model, topic=None, value=mean.value, support=mean.support)


def _judged(sources: ModelSources, level: float) -> list[Explanation]:
    said = verdicts(sources, open_judges(), level)
    fit, weakest = fits(sources), weakest_pairs(sources)
    found = []
    for row, topic in enumerate(sources.model.topics):
        judge, words = said.judges[row], list(topic.words[: sources.top])
        explanation = Explanation(
            model=sources.model.model,
            topic=topic.id,
            value=float(said.values[row]),
            support=float(said.support[row]),
            low=float(said.low[row]),
            high=float(said.high[row]),
            usual=math.nan if judge is None else judge.model.average,
            sources=list(said.sources[row]),
            parts=said.parts[row],
            odd=list(odd_words(fit[row])),
            weakest=weakest[row],
            words=words,
            fits=fit[row],
            why_not="" if judge else (_UNKNOWN if len(words) > 1 else _TOO_SHORT),
        )
        found.append(explanation)
    return found


def _unjudged(model: Topics, metric: Consensus) -> Iterator[Explanation]:
    why_not = metric.why_not(model) or "no source could be asked"
    for topic in model.topics:
        words = list(topic.words[: metric.top])
        yield Explanation(
            model=model.model,
            topic=topic.id,
            value=math.nan,
            support=0.0,
            words=words,
            why_not=why_not,
        )
