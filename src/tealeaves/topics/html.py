"""Topics as notebooks show them: a table of their first words."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tealeaves.topics.topics import Topics

_ROWS, _WORDS = 50, 10
_LEFT = " style='text-align:left'"


def topics_html(topics: Topics) -> str:
    """Return an HTML table: the id of each topic, its first words, and its documents if known.

    Topics in several languages have a column of words for each.
    """
    from tealeaves.topics.multilingual import MultilingualTopics

    sides = topics.by_language if isinstance(topics, MultilingualTopics) else {"words": topics}
    known = topics.documents_per_topic()
    names = ["topic", *sides, *(["documents"] if known else [])]
    head = "".join(f"<th{_LEFT}>{escape(name)}</th>" for name in names)
    body = []
    for place, topic in enumerate(topics.topics[:_ROWS]):
        lists = [_words(side[place].words) for side in sides.values()]
        cells = [
            f"<td{_LEFT}>{text}</td>" for text in (f"<bdi>{escape(str(topic.id))}</bdi>", *lists)
        ]
        cells += [f"<td>{known[0][place]:,}</td>"] if known else []
        body.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f"<p>{escape(repr(topics))}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"
        + _below(len(topics), known[1] if known else 0)
    )


def _words(words: Sequence[str]) -> str:
    """Write the first words, each isolated, so that Arabic ones keep their order."""
    shown = [f"<bdi>{escape(word)}</bdi>" for word in words[:_WORDS]]
    return " ".join([*shown, *["…"] * (len(words) > _WORDS)])


def _below(topics: int, outliers: int) -> str:
    lines = [f"… {topics - _ROWS:,} more"] if topics > _ROWS else []
    lines += [f"documents without a topic: {outliers:,}"] if outliers else []
    return "".join(f"<p>{line}</p>" for line in lines)
