"""``SideBySide``: the words of topics in each language, beside each other."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tealeaves.metrics import tables
from tealeaves.metrics.escaping import in_markdown
from tealeaves.metrics.marked_words import Ready
from tealeaves.metrics.scores import Score
from tealeaves.metrics.tidy import Tidy, markdown_lines
from tealeaves.topics.topics import TopicId

_MARKS = "=1: words of the same number translate each other, by the dictionary"
_MARKS_OF_MORE = "=1: words of this number translate the one of {first}, by the dictionary"
#: What a verdict on a topic means.
VERDICTS = (
    "incoherent: its words are in the reference, together no more than by chance; "
    "unjudgeable: no pair of its words is in the reference"
)
_ARROWS = {"higher": "↑", "lower": "↓"}


@dataclass(frozen=True)
class BesideWord:
    """A word, the number of its match (0: it has none), and whether the dictionary has it."""

    word: str
    match: int = 0
    known: bool = True

    @property
    def mark(self) -> str:
        """The sign that the match is shown by, nothing if there is none."""
        return f"={self.match}" if self.match else ""


@dataclass(frozen=True)
class BesideTopic:
    """The words of a topic in each language, and what is known of it.

    ``matches`` are the words of the first language and those of others that translate them;
    ``verdict`` is nothing where ``cnpmi`` was not asked for. The row of a whole model has no topic
    and no words.
    """

    model: str
    topic: TopicId | None
    columns: Mapping[str, Sequence[BesideWord]]
    matches: Sequence[tuple[str, str]]
    scores: Mapping[str, Score]
    verdict: str = ""

    @property
    def label(self) -> str:
        """How tables call it."""
        return "all" if self.topic is None else str(self.topic)

    def cell(self, metric: str) -> tables.Cell:
        """Return a score as tables show it."""
        score = self.scores.get(metric)
        if score is None:
            return tables.Cell()
        return tables.Cell(score.value, score.support, error=score.error)

    def numbers(self, metric: str, *, drawn: bool) -> dict[str, Any]:
        """Return a score and what it rests on; with its error where numbers were drawn."""
        score = self.scores.get(metric)
        found = {
            metric: score and score.value,
            f"{metric} support": score and score.support,
            f"{metric} error": score and score.error,
            f"{metric} signature": score and score.signature,
        }
        return {name: found[name] for name in found if drawn or not name.endswith(" error")}


class Ways(NamedTuple):
    """How words were marked and topics were judged, in a word; nothing where it is plain."""

    marked: str = ""
    judged: str = ""


_PLAIN = Ways()


class SideBySide(Tidy):
    """Topics with the words of each language beside each other, and their scores.

    A row a topic, and one a model, below its topics; in tables the words of a language are one
    cell, where ``king=1`` and ``rey=1`` are matched. ``ways`` says more of marks and verdicts:
    which of several metrics they are of.
    """

    def __init__(
        self,
        rows: Sequence[BesideTopic],
        metrics: Sequence[str],
        *,
        better: Mapping[str, str] | None = None,
        notes: Sequence[str] = (),
        ways: Ways = _PLAIN,
    ) -> None:
        self.rows = list(rows)
        self.metrics = list(metrics)
        self.better = dict(better or {})
        self.notes = list(notes)
        self.ways = ways

    @property
    def topics(self) -> list[BesideTopic]:
        """The rows of topics."""
        return [row for row in self.rows if row.topic is not None]

    @property
    def languages(self) -> list[str]:
        """The languages of all topics, each once."""
        return list(dict.fromkeys(name for topic in self.topics for name in topic.columns))

    @property
    def judged(self) -> bool:
        """Whether anything says that topics are coherent or not."""
        return any(topic.verdict for topic in self.topics)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a row a topic: its words by language, its matches, verdict and scores.

        Each score has its support and signature beside it. The row of a model has no topic.
        """
        scores = (score for row in self.rows for score in row.scores.values())
        drawn = {score.metric for score in scores if score.error is not None}
        return [
            {
                "model": topic.model,
                "topic": topic.topic,
                **{f"words_{name}": _words(topic, name) for name in self.languages},
                "matches": [f"{one}={other}" for one, other in topic.matches],
                **({"verdict": topic.verdict} if self.judged else {}),
                **{
                    column: number
                    for name in self.metrics
                    for column, number in topic.numbers(name, drawn=name in drawn).items()
                },
            }
            for topic in self.rows
        ]

    def table(self) -> tables.Table:
        """Return a row a topic or model; matched words have numbers."""
        return self._table(lambda one: one.word + one.mark)

    def _table(self, write: Callable[[BesideWord], str], kind: type[str] = str) -> tables.Table:
        verdicts = ["verdict"] if self.judged else []
        rows = [
            (
                [topic.model, topic.label, *map(kind, self._lists(topic, write))]
                + [topic.verdict] * len(verdicts),
                [topic.cell(name) for name in self.metrics],
            )
            for topic in self.rows
        ]
        labels = ["model", "topic", *self.languages, *verdicts]
        return tables.Table(labels, self.metrics, self.arrows, rows)

    def _lists(self, topic: BesideTopic, write: Callable[[BesideWord], str]) -> list[str]:
        return [" ".join(map(write, topic.columns.get(name, ()))) for name in self.languages]

    @property
    def arrows(self) -> list[str]:
        """Where each metric's better values are."""
        return [_ARROWS.get(self.better.get(name, ""), "") for name in self.metrics]

    @property
    def legend(self) -> list[str]:
        """What marks and verdicts mean, where there are any."""
        matched = any(topic.matches for topic in self.topics)
        verdicts = {topic.verdict for topic in self.topics} & {"incoherent", "unjudgeable"}
        signs = self._table(lambda one: one.word).legend
        several = len(self.languages) > 2
        marks = _MARKS_OF_MORE.format(first=self.languages[0]) if several else _MARKS
        lines = [marks + _bracketed(self.ways.marked)] * matched
        return lines + [VERDICTS + _bracketed(self.ways.judged)] * bool(verdicts) + signs

    def to_markdown(self) -> str:
        """Return a Markdown table; matched words are bold and numbered."""
        return tables.markdown(self._table(_in_markdown, Ready)) + markdown_lines(self.legend)

    def to_html(self) -> str:
        """Return an HTML table; matched words are bold and numbered."""
        whole = self.table()
        head = "".join(f"<th>{html.escape(text)}</th>" for text in whole.headings)
        body = []
        for topic, (labels, cells) in zip(self.rows, whole.rows, strict=True):
            lists = self._lists(topic, _in_html)
            rest = [*labels[2 + len(lists) :], *map(str, cells)]
            shown = [*map(html.escape, labels[:2]), *lists, *map(html.escape, rest)]
            row = "".join(f"<td style='text-align:left'>{text}</td>" for text in shown)
            body.append(f"<tr>{row}</tr>")
        legend = "".join(f"<p>{html.escape(line)}</p>" for line in self.legend)
        return (
            f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>{legend}"
        )

    _repr_html_ = to_html


def _bracketed(text: str) -> str:
    return f" ({text})" if text else ""


def _words(topic: BesideTopic, language: str) -> list[str]:
    return [one.word for one in topic.columns.get(language, ())]


def _in_markdown(one: BesideWord) -> str:
    word = in_markdown(one.word)
    return f"**{word}{one.mark}**" if one.match else word


def _in_html(one: BesideWord) -> str:
    # isolated, so that Arabic beside numbers keeps its place
    word = f"<bdi>{html.escape(one.word)}</bdi>"
    return f"<b>{word}{one.mark}</b>" if one.match else word
