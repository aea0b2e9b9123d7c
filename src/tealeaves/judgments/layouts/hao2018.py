"""Ratings of bilingual topics: Hao, Boyd-Graber & Paul (2018), one answer from 0 to 2 per row.

The data set is the pair of languages, written as in the paper's other files (``en-am``), and the
model one chain at one share of linked documents (``0.2/1``). An item is what five people saw at
once; some topics were shown twice or three times. ``user_id`` numbers the answers to a topic and
goes on counting when it is shown again: it is no person.

The file as it was released calls 300 answers on Tagalog Amharic: the block that follows Swedish.
That is corrected, and noted. A file with a column ``presentation`` was corrected before.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

from tealeaves.judgments.judgments import Judgments, TopicKey
from tealeaves.judgments.layouts.layout import JudgmentsLayout
from tealeaves.judgments.tables import tidy_judgments
from tealeaves.tables.rows import Row

_COLUMNS = frozenset({"doc_link_rate", "chain_id", "topic_id", "user_id", "score"})
_AT_ONCE = 5
_AMHARIC, _SWEDISH, _TAGALOG = "am", "sv", "tl"
_RENAMED = {"cmn": "zh"}


def _fits(columns: frozenset[str]) -> bool:
    """The file as it was released, or with its labels corrected."""
    return columns >= _COLUMNS | {"test_language"} or columns >= _COLUMNS | {
        "language",
        "presentation",
    }


def _read(rows: Sequence[Row], path: Path) -> Judgments:
    """Make a row of each answer."""
    notes: list[str] = []
    if "test_language" in rows[0].values:
        languages = _corrected([row.text("test_language") for row in rows], path, notes)
        items = [str(number // _AT_ONCE) for number in range(len(rows))]
    else:
        languages = [row.text("language") for row in rows]
        items = [row.text("presentation") for row in rows]
    answers = [
        {
            **_key(row, language)._asdict(),
            "item": item,
            "answer": row.number("score"),
            "user_id": int(row.number("user_id")),
        }
        for row, language, item in zip(rows, languages, items, strict=True)
    ]
    return tidy_judgments(answers, notes=notes)


def _key(row: Row, language: str) -> TopicKey:
    # a rate of 0 must not lose its point: it is part of a name
    model = f"{row.number('doc_link_rate'):.1f}/{row.text('chain_id')}"
    return TopicKey(f"en-{language}", model, row.text("topic_id"))


def _corrected(languages: Sequence[str], path: Path, notes: list[str]) -> list[str]:
    """Correct the second block of Amharic to Tagalog, and name languages as the other files do.

    Only a block that follows Swedish is corrected, and only after an earlier block of Amharic.
    """
    corrected: list[str] = []
    before: list[str] = []
    for language, block in itertools.groupby(languages):
        wrong = language == _AMHARIC and before[-1:] == [_SWEDISH] and _AMHARIC in before
        name = _TAGALOG if wrong else _RENAMED.get(language, language)
        names = [name for _ in block]
        if wrong:
            notes.append(
                f"{path.name}: {len(names)} answers labelled {_AMHARIC} are on Tagalog ({_TAGALOG})"
            )
        corrected += names
        before.append(language)
    return corrected


HAO2018 = JudgmentsLayout("hao2018", _fits, _read)
