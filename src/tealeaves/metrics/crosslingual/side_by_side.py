"""``side_by_side``: the words of topics in each language, and which translate each other."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, NamedTuple

from tealeaves.evidence.dictionaries import Dictionaries, normalize_word
from tealeaves.metrics.crosslingual.family import LanguagePair, coherence_verdict
from tealeaves.metrics.crosslingual.matching import match_words
from tealeaves.metrics.registry import metric
from tealeaves.metrics.scores import ARROWS, Score, Scores
from tealeaves.tables.formats import escape_markdown, markdown_table
from tealeaves.tables.table import Cell, EscapedText, Table
from tealeaves.tables.tidy import Tidy, markdown_lines
from tealeaves.topics.multilingual import MultilingualTopics, require_multilingual
from tealeaves.topics.topics import TopicId, Topics

#: The meaning of a verdict on a topic.
VERDICTS = (
    "incoherent: its words are in the reference, together no more than by chance; "
    "unjudgeable: no pair of its words is in the reference"
)
DEFAULT_WORDS = 10
_MARKS_OF_TWO = "=1: words of the same number translate each other, by the dictionary"
_MARKS_OF_MORE = "=1: words of this number translate the one of {first}, by the dictionary"


def side_by_side(
    models: Topics | Sequence[Topics],
    scores: Scores,
    dictionaries: Dictionaries | None = None,
    *,
    top: int | None = None,
) -> SideBySide:
    """Put the words of each topic side by side, with its scores; matched words are marked.

    Words are matched as in ``mta``, each at most once, with those of the first language; with
    several ``mta`` the first is shown. The language with the most dictionaries comes first. Each
    model has a row with its own scores below its topics.

    Parameters
    ----------
    models
        Topics in several languages, of one model or of several.
    scores
        The scores of these topics; ``cnpmi`` decides whether a topic is coherent.
    dictionaries
        The dictionaries that match words; without them no words are matched.
    top
        The number of words that are shown; by default the most that a metric judges, or ten.
    """
    all_models = [models] if isinstance(models, Topics) else list(models)
    metrics = {label: metric(label) for label in dict.fromkeys(row.metric for row in scores.rows)}
    tops = [one.top for one in metrics.values() if one.top is not None]
    shown = top or max(tops, default=DEFAULT_WORDS)
    matching, judging = (
        [label for label, one in metrics.items() if one.name == name] for name in ("mta", "cnpmi")
    )
    options = _MatchOptions(dictionaries)
    if matching:
        first = metrics[matching[0]]
        options = _MatchOptions(dictionaries, first.settings.identical, first.top)
    by_topic = _scores_by_topic(scores)
    rows = []
    for model in map(require_multilingual, all_models):
        name = model.model
        for number, topic in enumerate(model.topics):
            topic_scores = by_topic.get((name, str(topic.id)), {})
            columns, matches = _marked_columns(model, number, shown, options)
            judge = next((label for label in judging if label in topic_scores), None)
            verdict = coherence_verdict(topic_scores[judge].value) if judge else ""
            rows.append(SideBySideTopic(name, topic.id, columns, matches, topic_scores, verdict))
        if model_scores := by_topic.get((name, None)):
            rows.append(SideBySideTopic(name, None, {}, [], model_scores))
    details = LegendDetails(
        _details_of_marks(matching, options.top, shown) if matching else "",
        f"by {judging[0]}" if len(judging) > 1 else "",
    )
    return SideBySide(
        rows, list(metrics), better=scores.better, notes=scores.notes, legend_details=details
    )


def _scores_by_topic(scores: Scores) -> dict[tuple[str, str | None], dict[str, Score]]:
    """Return the scores of each topic, and of each model, by their metrics."""
    by_topic: dict[tuple[str, str | None], dict[str, Score]] = {}
    for row in scores.rows:
        topic = None if row.topic is None else str(row.topic)
        by_topic.setdefault((row.model, topic), {})[row.metric] = row
    return by_topic


def _details_of_marks(matching: Sequence[str], top: int | None, shown: int) -> str:
    """Name the metric of the marks if there are several, and limits of the marks."""
    details = []
    if len(matching) > 1 or (top is not None and top < shown):
        details.append(f"as {matching[0]} counts them")
    if top is None or top > shown:
        details.append("among the words shown")
    return ", ".join(details)


# ---------------------------------------------------------------------- the result


@dataclass(frozen=True)
class SideBySideWord:
    """A word, the number of its match (0: it has none), and whether the dictionary has it."""

    word: str
    match: int = 0
    known: bool = True

    @property
    def mark(self) -> str:
        """The mark of the match; empty if there is none."""
        return f"={self.match}" if self.match else ""


@dataclass(frozen=True)
class SideBySideTopic:
    """The words of a topic in each language, and its scores.

    ``matches`` are the words of the first language with their translations in the others;
    ``verdict`` is empty without ``cnpmi``. The row of a whole model has no topic and no words.
    """

    model: str
    topic: TopicId | None
    columns: Mapping[str, Sequence[SideBySideWord]]
    matches: Sequence[tuple[str, str]]
    scores: Mapping[str, Score]
    verdict: str = ""

    @property
    def label(self) -> str:
        """The name of the topic in tables."""
        return "all" if self.topic is None else str(self.topic)

    def cell(self, metric: str) -> Cell:
        """Return a score as tables show it."""
        score = self.scores.get(metric)
        if score is None:
            return Cell()
        return Cell(score.value, score.support, error=score.error)

    def numbers(self, metric: str, *, with_error: bool) -> dict[str, Any]:
        """Return a score with its support and signature, and with its error where wanted."""
        score = self.scores.get(metric)
        numbers = {metric: score and score.value, f"{metric} support": score and score.support}
        if with_error:
            numbers[f"{metric} error"] = score and score.error
        return {**numbers, f"{metric} signature": score and score.signature}


class LegendDetails(NamedTuple):
    """Which of several metrics marks and verdicts come from; empty if there is no choice."""

    marks: str = ""
    verdicts: str = ""


@dataclass(eq=False, repr=False)
class SideBySide(Tidy):
    """Topics with the words of each language side by side, and their scores.

    There is one row per topic, and one per model below its topics. In tables the words of a
    language are one cell, where ``king=1`` and ``rey=1`` are matched.
    """

    rows: list[SideBySideTopic]
    metrics: list[str]
    _: KW_ONLY
    better: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    legend_details: LegendDetails = field(default_factory=LegendDetails)

    @property
    def topics(self) -> list[SideBySideTopic]:
        """The rows of topics."""
        return [row for row in self.rows if row.topic is not None]

    @property
    def languages(self) -> list[str]:
        """The languages of all topics, each once."""
        return list(dict.fromkeys(name for topic in self.topics for name in topic.columns))

    @property
    def judged(self) -> bool:
        """Whether any topic has a verdict."""
        return any(topic.verdict for topic in self.topics)

    @property
    def arrows(self) -> list[str]:
        """The direction of each metric's better values."""
        return [ARROWS.get(self.better.get(name, ""), "") for name in self.metrics]

    @property
    def legend(self) -> list[str]:
        """The meaning of marks and verdicts, if there are any."""
        lines = []
        if any(topic.matches for topic in self.topics):
            several = len(self.languages) > 2
            marks = _MARKS_OF_MORE.format(first=self.languages[0]) if several else _MARKS_OF_TWO
            lines.append(marks + _in_brackets(self.legend_details.marks))
        if {topic.verdict for topic in self.topics} & {"incoherent", "unjudgeable"}:
            lines.append(VERDICTS + _in_brackets(self.legend_details.verdicts))
        return lines + self._table(lambda word: word.word).legend

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one row per topic: its words by language, its matches, verdict and scores.

        Each score is followed by its support and signature. The row of a model has no topic.
        """
        scores = (score for row in self.rows for score in row.scores.values())
        with_error = {score.metric for score in scores if score.error is not None}
        return [
            {
                "model": topic.model,
                "topic": topic.topic,
                **{
                    f"words_{name}": [word.word for word in topic.columns.get(name, ())]
                    for name in self.languages
                },
                "matches": [f"{one}={other}" for one, other in topic.matches],
                **({"verdict": topic.verdict} if self.judged else {}),
                **{
                    column: number
                    for name in self.metrics
                    for column, number in topic.numbers(name, with_error=name in with_error).items()
                },
            }
            for topic in self.rows
        ]

    def table(self) -> Table:
        """Return one row per topic or model; matched words have numbers."""
        return self._table(lambda word: word.word + word.mark)

    def _table(self, write: Callable[[SideBySideWord], str], kind: type[str] = str) -> Table:
        verdicts = ["verdict"] if self.judged else []
        rows = [
            (
                [topic.model, topic.label, *map(kind, self._word_lists(topic, write))]
                + [topic.verdict] * len(verdicts),
                [topic.cell(name) for name in self.metrics],
            )
            for topic in self.rows
        ]
        labels = ["model", "topic", *self.languages, *verdicts]
        return Table(labels, self.metrics, self.arrows, rows)

    def _word_lists(
        self, topic: SideBySideTopic, write: Callable[[SideBySideWord], str]
    ) -> list[str]:
        return [" ".join(map(write, topic.columns.get(name, ()))) for name in self.languages]

    def to_terminal(self, width: int | None = None, *, colors: bool = False) -> str:
        """Return a block per topic for a terminal: one column per language, as far as they fit.

        By default it is as wide as the terminal.
        """
        from tealeaves.metrics.crosslingual.terminal import terminal_text

        return terminal_text(self, width, colors=colors)

    def to_markdown(self) -> str:
        """Return a Markdown table; matched words are bold and numbered."""
        return markdown_table(self._table(_in_markdown, EscapedText)) + markdown_lines(self.legend)

    def to_html(self) -> str:
        """Return an HTML table; matched words are bold and numbered."""
        whole = self.table()
        head = "".join(f"<th>{html.escape(text)}</th>" for text in whole.headings)
        body = []
        for topic, (labels, cells) in zip(self.rows, whole.rows, strict=True):
            lists = self._word_lists(topic, _in_html)
            rest = [*labels[2 + len(lists) :], *map(str, cells)]
            shown = [*map(html.escape, labels[:2]), *lists, *map(html.escape, rest)]
            row = "".join(f"<td style='text-align:left'>{text}</td>" for text in shown)
            body.append(f"<tr>{row}</tr>")
        legend = "".join(f"<p>{html.escape(line)}</p>" for line in self.legend)
        return (
            f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>{legend}"
        )

    _repr_html_ = to_html


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


def _in_markdown(word: SideBySideWord) -> str:
    text = escape_markdown(word.word)
    return f"**{text}{word.mark}**" if word.match else text


def _in_html(word: SideBySideWord) -> str:
    # isolated, so that Arabic next to numbers keeps its place
    text = f"<bdi>{html.escape(word.word)}</bdi>"
    return f"<b>{text}{word.mark}</b>" if word.match else text


# ---------------------------------------------------------------------- matching words


@dataclass(frozen=True)
class _MatchOptions:
    """The dictionaries, whether identical words match, and how many words are matched at most."""

    dictionaries: Dictionaries | None
    identical: bool = False
    top: int | None = None

    def covers(self, pair: LanguagePair) -> bool:
        return self.dictionaries is not None and self.dictionaries.covers(*pair)


def _pivot_first(languages: Sequence[str], options: _MatchOptions) -> list[str]:
    """Put the language with the most dictionaries first; of equals, the one that is first now."""
    shared = [
        sum(options.covers((one, other)) for other in languages if other != one)
        for one in languages
    ]
    pivot = languages[shared.index(max(shared))]
    return [pivot, *(name for name in languages if name != pivot)]


def _marked_columns(
    model: MultilingualTopics, number: int, top: int, options: _MatchOptions
) -> tuple[dict[str, list[SideBySideWord]], list[tuple[str, str]]]:
    """Number the matched words of a topic's first language, and their translations alike."""
    languages = _pivot_first(model.languages, options)
    lists = {name: model.side(name)[number].words[:top] for name in languages}
    first, *others = lists
    matches = {name: _matched_places(lists, (first, name), options) for name in others}
    places = sorted({place for pairs in matches.values() for place in pairs})
    numbers = {place: number for number, place in enumerate(places, 1)}
    marks = {
        name: {there: numbers[here] for here, there in pairs.items()}
        for name, pairs in matches.items()
    }
    marks[first] = numbers
    columns = {
        name: [
            SideBySideWord(word, marks[name].get(place, 0), _has_entry(word, name, lists, options))
            for place, word in enumerate(words)
        ]
        for name, words in lists.items()
    }
    words = [
        (lists[first][here], lists[name][there])
        for name, pairs in matches.items()
        for here, there in pairs.items()
    ]
    return columns, words


def _matched_places(
    lists: dict[str, tuple[str, ...]], pair: LanguagePair, options: _MatchOptions
) -> dict[int, int]:
    """Return the places of words that translate each other in two lists."""
    if options.dictionaries is None or not options.covers(pair):
        return {}
    left, right = (_first_places(lists[name], options.top) for name in pair)
    matching = match_words(
        list(left), list(right), pair, options.dictionaries, identical=options.identical
    )
    left_places, right_places = list(left.values()), list(right.values())
    return {left_places[here]: right_places[there] for here, there in matching.matches.items()}


def _first_places(words: Sequence[str], top: int | None) -> dict[str, int]:
    """Return the first words as dictionaries compare them, and the place of each."""
    places: dict[str, int] = {}
    for place, word in enumerate(words):
        places.setdefault(normalize_word(word), place)
    return dict(list(places.items())[:top])


def _has_entry(
    word: str, language: str, lists: dict[str, tuple[str, ...]], options: _MatchOptions
) -> bool:
    """Tell whether a word is in a dictionary that could match it; true if there is none."""
    first, *others = lists
    pairs = [(first, name) for name in others if language in (first, name)]
    covered = [pair for pair in pairs if options.covers(pair)]
    if options.dictionaries is None or not covered:
        return True
    return any(
        options.dictionaries.knows(pair, language, word, identical=options.identical)
        for pair in covered
    )
