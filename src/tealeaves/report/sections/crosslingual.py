"""Topics in several languages side by side, with what the reference covers of them."""

from __future__ import annotations

from collections import Counter

from tealeaves.metrics.crosslingual.side_by_side import VERDICTS, SideBySide, SideBySideTopic
from tealeaves.report.run.run import Run
from tealeaves.report.sections.parts import Cell, Notes, Part, ReportTable, Section, Word
from tealeaves.report.sections.sentences import listed, percent
from tealeaves.tables.numbers import count_text

_TITLE = "Across languages"


def crosslingual(run: Run) -> Section | None:
    """Return topics side by side; None if they are in one language."""
    if not run.side_by_side:
        return None
    lead = [line for one in run.side_by_side for line in _lead(one)]
    parts: list[Part] = [_table(one) for one in run.side_by_side]
    parts += [Notes("What signs mean", lines) for one in run.side_by_side if (lines := _signs(one))]
    return Section("languages", _TITLE, lead, parts)


def _lead(one: SideBySide) -> list[str]:
    verdicts = [
        f"{count} {'is' if count == 1 else 'are'} {verdict}"
        for verdict, count in Counter(filter(None, (t.verdict for t in one.topics))).most_common()
    ]
    return [
        f"{count_text(len(one.topics), 'topic')} in {listed(one.languages)}.",
        *([f"According to the reference, {listed(verdicts)}."] if verdicts else []),
        "Coverage is the share of a metric's comparisons that the reference could make.",
    ]


def _signs(one: SideBySide) -> list[str]:
    """Say what the small numbers of words mean, and the verdicts."""
    lines = []
    if any(topic.matches for topic in one.topics):
        how = f" ({one.legend_details.marks})" if one.legend_details.marks else ""
        lines.append(f"Words with the same small number translate each other{how}.")
    if {topic.verdict for topic in one.topics} & {"incoherent", "unjudgeable"}:
        lines.append(VERDICTS)
    return lines


def _table(one: SideBySide) -> ReportTable:
    verdicts = ["verdict"] if one.judged else []
    numbers = [
        text
        for name, arrow in zip(one.metrics, one.arrows, strict=True)
        for text in (f"{name} {arrow}".rstrip(), f"coverage of {name}")
    ]
    rows: list[list[Cell]] = [_row(one, topic) for topic in one.rows]
    columns = ["model", "topic", *one.languages, *verdicts, *numbers]
    return ReportTable("Topics side by side", columns, rows, labels=2)


def _row(one: SideBySide, topic: SideBySideTopic) -> list[Cell]:
    lists: list[Cell] = [
        tuple(Word(word.word, match=word.match) for word in topic.columns.get(name, ()))
        for name in one.languages
    ]
    verdicts: list[Cell] = [topic.verdict] if one.judged else []
    numbers: list[Cell] = []
    for name in one.metrics:
        score = topic.scores.get(name)
        numbers += [score.value, percent(score.support)] if score else [None, None]
    return [topic.model, topic.label, *lists, *verdicts, *numbers]
