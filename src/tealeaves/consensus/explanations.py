"""``explain``: predicted ratings of topics with intervals, reasons, odd words and weak pairs."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from tealeaves.consensus.catalogue import consensus
from tealeaves.consensus.metric import Consensus, by_model
from tealeaves.consensus.prediction import predict_topics
from tealeaves.consensus.predictors import HIGHEST_LEVEL, open_predictors
from tealeaves.consensus.reasons import (
    AGREEING,
    Reason,
    kind_of_main_reason,
    main_reason,
    reasons_of,
)
from tealeaves.consensus.signals import AGREEMENT
from tealeaves.consensus.sources import ModelSources
from tealeaves.consensus.words import WeakPair, fits, odd_words, weakest_pairs
from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.sources import Sources
from tealeaves.learners.results import LEVEL, TopicResults, check_level
from tealeaves.memo import Identity
from tealeaves.metrics.evaluation import evaluate_metrics
from tealeaves.metrics.gathering import gather
from tealeaves.metrics.planning import plan_metrics
from tealeaves.metrics.scores import Score
from tealeaves.tables.numbers import list_text
from tealeaves.tables.table import MARK_LEGEND, Cell, MarkedWords, Table, TextCell
from tealeaves.topics.multilingual import MultilingualTopics, are_multilingual
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    import polars as pl

#: Which topics an interval is for, after their share.
FITTED = "topics like those it was fitted to (English; in other corpora fewer: docs/consensus.md)"
#: The numbers of words of the topics that predictors were fitted to.
SHORTEST, LONGEST = 5, 20

_ALL = "all"
_SCALE = "value: from 0, the worst answer people could give, to 1, the best"
_UNKNOWN = "no source that was asked knows two of its words"
_TOO_SHORT = "it has fewer than two words"


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
    """Predict people's ratings of topics, with intervals, reasons and odd words.

    Parameters
    ----------
    models
        Topics in one language, as ``score`` takes them.
    corpus, counts, tokens
        The texts, or their counts, as for ``score``; ``corpus`` may be a ``Sources``, which holds
        everything that topics are judged with.
    reference, reference_tokens
        A second, larger text, as for ``score``.
    embeddings
        One or several embeddings, as for ``score``; by default ``minilm_static`` and ``wordllama``
        for English topics, if these are installed.
    top
        The number of first words of each topic that are judged; None for all.
    level
        The share of topics, like those in the training data, whose interval holds people's rating.
    threads, progress
        As for ``score``.

    >>> texts = ["a cat and a dog", "cat, dog", "soup", "bread"] * 20
    >>> topic, model = explain([["cat", "dog", "soup"]], texts)
    >>> [str(pair) for pair in sorted(topic.weakest[:2])]  # those least related
    ['cat–soup', 'dog–soup']
    """
    check_level(level, HIGHEST_LEVEL)
    metric = consensus if top is None else consensus @ top
    judged = read_models(models)
    check_one_language(judged)
    sources = Sources.of(
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
    notes = [*scores.notes, *_notes_on_lengths(rows)]
    return Explanations(rows, level, metric.top, notes)


def check_one_language(models: Sequence[Topics]) -> None:
    """Raise for topics in several languages."""
    if are_multilingual(models):
        first = models[0]
        languages = ", ".join(first.languages) if isinstance(first, MultilingualTopics) else ""
        raise InputError(
            f"{first.model}: its topics are in several languages ({languages}), and one is judged: "
            "`tealeaves consensus --language` says which, in Python topics.side(language)"
        )


def _notes_on_lengths(rows: Sequence[Explanation]) -> list[str]:
    """Say which topics are shorter or longer than the training topics."""
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
                f"({list_text(named)}); the training topics had {SHORTEST} to {LONGEST}, and "
                "errors may be larger here"
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
    predicted = predict_topics(sources, open_predictors(), level)
    fit, weakest = fits(sources), weakest_pairs(sources)
    explanations = []
    for row, topic in enumerate(sources.model.topics):
        predictor, words = predicted.predictors[row], list(topic.words[: sources.top])
        explanation = Explanation(
            model=sources.model.model,
            topic=topic.id,
            value=float(predicted.values[row]),
            support=float(predicted.support[row]),
            low=float(predicted.low[row]),
            high=float(predicted.high[row]),
            usual=math.nan if predictor is None else predictor.model.average,
            sources=list(predicted.sources[row]),
            parts=predicted.parts[row],
            odd=list(odd_words(fit[row])),
            weakest=weakest[row],
            words=words,
            fits=fit[row],
            why_not="" if predictor else (_UNKNOWN if len(words) > 1 else _TOO_SHORT),
        )
        explanations.append(explanation)
    return explanations


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


# ---------------------------------------------------------------------- the result


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """One topic, or (without a topic) the mean over a model's topics that have a value.

    The value is ``usual``, that of an average topic, plus the ``parts`` of all signals, cut at 0
    and 1. ``fits`` is how well each word fits, where 1 is an average word, and ``odd`` are those
    that fit badly, the worst first. ``why_not`` says why there is no value.
    """

    model: str
    topic: int | str | None
    value: float
    support: float
    low: float = math.nan
    high: float = math.nan
    usual: float = math.nan
    sources: list[str] = msgspec.field(default_factory=list)
    parts: dict[str, float] = msgspec.field(default_factory=dict)
    odd: list[str] = msgspec.field(default_factory=list)
    weakest: list[WeakPair] = msgspec.field(default_factory=list)
    words: list[str] = msgspec.field(default_factory=list)
    fits: dict[str, float] = msgspec.field(default_factory=dict)
    why_not: str = ""

    @property
    def reasons(self) -> list[Reason]:
        """The signals that moved the value most, compared with an average topic."""
        return reasons_of(self.parts)

    @property
    def sentence(self) -> str:
        """The reasons in words, or why there is no value."""
        return self.why_not or "; ".join(map(str, self.reasons))

    @property
    def main_reason(self) -> str:
        """The main reason in a few words, or why there is no value."""
        return self.why_not or main_reason(self.parts)

    @property
    def agrees(self) -> bool:
        """Whether the main reason is how far sources agree."""
        return kind_of_main_reason(self.parts)[0] == AGREEMENT

    @property
    def marked(self) -> MarkedWords:
        """The words, odd ones marked."""
        return MarkedWords.of(self.words, self.odd, most=None)

    @property
    def interval(self) -> str:
        """The interval as text; nothing where there is none."""
        return "" if math.isnan(self.low) else f"[{self.low:.2f}, {self.high:.2f}]"


@dataclass(eq=False, repr=False)
class Explanations(TopicResults[Explanation]):
    """Explanations of topics: a row for each topic, and one for each model, without an interval.

    ``chosen_from`` are all rows, if ``rows`` are only some of them; ``worst_on_top`` says that rows
    are in the order of their values.
    """

    columns = (
        "model", "topic", "value", "low", "high", "support", "usual", "sources", "reasons", "parts",
        "odd", "weakest", "words", "fits",
    )  # fmt: skip

    chosen_from: list[Explanation] | None = None
    worst_on_top: bool = False

    @property
    def among(self) -> list[Explanation]:
        """The rows of all topics and models, also of those that were not chosen."""
        return self.rows if self.chosen_from is None else self.chosen_from

    @property
    def topics(self) -> list[Explanation]:
        """The rows of topics."""
        return _topics(self.rows)

    @property
    def chosen(self) -> str:
        """Which topics these are, if they are the worst of more; else empty."""
        shown, number = len(self.topics), len(_topics(self.among))
        which = "the worst" if shown == 1 else f"the {shown:,} worst"
        return f"{which} of {number:,} topics" if shown < number else ""

    @property
    def judged_by(self) -> str:
        """The sources that judged, with the number of topics if they did not judge all."""
        used = Counter(name for row in self.topics for name in row.sources)
        number = sum(bool(row.sources) for row in self.topics)
        named = (
            name if times == number else f"{name} ({times:,} of {number:,} topics)"
            for name, times in used.items()
        )
        return f"judged by {', '.join(named)}" if used else ""

    def worst_first(self, number: int | None = None) -> Explanations:
        """Return the topics of all models by their value, the lowest first, then the models.

        Topics without a value are the last. With ``number``, only so many topics with a value are
        returned.
        """
        known = sorted(
            (row for row in self.topics if not math.isnan(row.value)), key=lambda row: row.value
        )
        unknown = [row for row in self.topics if math.isnan(row.value)]
        models = [row for row in self.rows if row.topic is None]
        rows = [*known, *unknown, *models] if number is None else known[:number]
        return replace(self, rows=rows, chosen_from=self.among, worst_on_top=True)

    # ------------------------------------------------------------------ rows

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries; reasons are written out."""
        return [_record(row) for row in self.rows]

    def to_polars(self) -> pl.DataFrame:
        """Return a polars data frame; topic ids are text."""
        import polars as pl

        kinds: dict[str, pl.DataType] = {
            **dict.fromkeys(("model", "topic", "reasons"), pl.String()),
            **dict.fromkeys(("sources", "odd", "weakest", "words"), pl.List(pl.String)),
            "parts": pl.List(pl.Struct({"signal": pl.String, "part": pl.Float64})),
            "fits": pl.List(pl.Float64),
        }
        ids = (None if row.topic is None else str(row.topic) for row in self.rows)
        records = [{**one, "topic": name} for one, name in zip(self.to_dicts(), ids, strict=True)]
        return pl.DataFrame(
            records, schema={name: kinds.get(name, pl.Float64()) for name in self.columns}
        )

    @property
    def content(self) -> dict[str, Any]:
        """The JSON object: the rows, the level of intervals, and the number of first words."""
        return {**super().content, "level": self.level, "top": self.top}

    # ------------------------------------------------------------------ tables

    def table(self) -> Table:
        """Return the table that is printed: values, intervals, odd words, and the main reason."""
        several = len({row.model for row in self.among}) > 1
        labels = [*(["model"] if several else []), "topic", "words", "main reason"]
        rows = [
            ([*([row.model] if several else []), *_labels(row)], _cells(row)) for row in self.rows
        ]
        columns = ["value", f"{100 * self.level:.4g}% interval"]
        return Table(labels, columns, ["↑", ""], rows, wraps=("words", "main reason"))

    def to_html(self) -> str:
        """Return an HTML table, as notebooks show it, and the sources."""
        return super().to_html() + f"<p>{html.escape(self.judged_by)}</p>" * bool(self.judged_by)

    _repr_html_ = to_html

    @property
    def legend(self) -> list[str]:
        """What the columns and marks mean."""
        usual = {f"{row.usual:.2f}" for row in self.topics if not math.isnan(row.usual)}
        has = f", which has {usual.pop()}" if len(usual) == 1 else ""
        lines = [
            *([self.chosen] if self.chosen else []),
            _SCALE,
            f"interval: it holds people's own score for {100 * self.level:.4g}% of {FITTED}",
            f"main reason: what moved the value most away from that of an average topic{has}",
        ]
        lines += [AGREEING] * any(row.agrees for row in self.topics)
        lines += [MARK_LEGEND] * any(row.odd for row in self.rows)
        return [*lines, *self.table().legend]


def _topics(rows: Sequence[Explanation]) -> list[Explanation]:
    return [row for row in rows if row.topic is not None]


def _record(row: Explanation) -> dict[str, Any]:
    return {
        "model": row.model,
        "topic": row.topic,
        "value": row.value,
        "low": row.low,
        "high": row.high,
        "support": row.support,
        "usual": row.usual,
        "sources": list(row.sources),
        "reasons": row.sentence,
        "parts": [{"signal": name, "part": part} for name, part in row.parts.items()],
        "odd": list(row.odd),
        "weakest": list(map(str, row.weakest)),
        "words": list(row.words),
        "fits": [row.fits.get(word, math.nan) for word in row.words] if row.fits else [],
    }


def _labels(row: Explanation) -> list[str]:
    if row.topic is None:
        return [_ALL, "", ""]
    return [str(row.topic), row.marked, row.main_reason]


def _cells(row: Explanation) -> list[Cell]:
    return [Cell(row.value, row.support), TextCell(text=row.interval)]
