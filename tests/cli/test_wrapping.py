"""Tables whose words are on several lines where a terminal is too narrow for them."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.cli.wrapping import table_width, with_lines
from tealeaves.metrics.marked_words import MarkedWords, wrapped
from tealeaves.metrics.tables import Cell, Table, plain
from tealeaves.metrics.tidy import TextCell

WORDS = [["sky", "planet", "soup", "moon", "new york"], ["salt"], []]
REASONS = ["+0.14 best words more related", "-0.06 a second theme", ""]


def table(words: list[list[str]] = WORDS, wraps: tuple[str, ...] = ("words", "reason")) -> Table:
    reasons = (REASONS * len(words))[: len(words)]
    rows = [
        ([str(number), MarkedWords.of(some, {"soup"}, most=None), reason], [TextCell(text="0.5")])
        for number, (some, reason) in enumerate(zip(words, reasons, strict=True))
    ]
    return Table(
        ["topic", "words", "reason"], ["value"], ["↑"], [(a, [*b]) for a, b in rows], wraps
    )


TOPICS = st.lists(
    st.lists(st.text("ab", min_size=1, max_size=9), max_size=9), min_size=1, max_size=4
)


def column(shown: Table, place: int) -> list[str]:
    return [labels[place] for labels, _ in shown.rows]


def test_lines_by_hand() -> None:
    assert table_width(table()) == 5 + 2 + 31 + 2 + 29 + 2 + 7
    shown = with_lines(table(), 5 + 2 + 20 + 2 + 16 + 2 + 7)
    assert column(shown, 1) == ["sky planet [soup]\nmoon new york", "salt", ""]
    assert column(shown, 2) == ["+0.14 best words\nmore related", "-0.06 a second\ntheme", ""]


def test_what_cannot_fit_is_as_narrow_as_it_can_be_and_whole() -> None:
    shown = with_lines(table(), 10)
    assert column(shown, 1)[0] == "sky planet [soup]\nmoon new york"  # no narrower than 20
    assert column(shown, 2)[0].splitlines() == ["+0.14", "best", "words", "more", "related"]


def test_only_what_may_be_wrapped_is() -> None:
    shown = with_lines(table(wraps=("words",)), 5 + 2 + 20 + 2 + 29 + 2 + 7)
    assert column(shown, 1)[0] == "sky planet [soup]\nmoon new york"
    assert column(shown, 2) == REASONS


def test_wide_letters_take_two_cells() -> None:
    words = [["天文学", "星"]]
    assert table_width(table(words)) == 5 + 2 + 9 + 2 + 29 + 2 + 7
    assert table_width(Table(["a"], [], [], [(["天"], [])])) == 2


@given(TOPICS, st.integers(40, 120))
def test_no_other_way_to_share_the_room_has_fewer_lines(words: list[list[str]], width: int) -> None:
    whole = table(words)
    shown = with_lines(whole, width)
    texts, reasons = column(whole, 1), column(whole, 2)
    assert [text.replace("\n", " ") for text in column(shown, 1)] == texts
    assert [text.replace("\n", " ") for text in column(shown, 2)] == reasons
    room = width - 5 - 7 - 3 * 2  # two other columns, and three gaps
    longest, least = max(5, *map(len, texts)), max(5, *(len(w) for some in words for w in some), 0)
    # the wider of the two is not made narrower than 20
    leasts = (max(least, 20), 7) if longest > 29 else (least, 20)
    ways = [
        sum(max(len(wrapped(a, one)), len(wrapped(b, room - one)))
            for a, b in zip(texts, reasons, strict=True))
        for one in range(leasts[0], room - leasts[1] + 1)
    ]  # fmt: skip
    taken = zip(column(shown, 1), column(shown, 2), strict=True)
    if ways:
        assert table_width(shown) <= width
        assert sum(max(a.count("\n"), b.count("\n")) + 1 for a, b in taken) == min(ways)


@given(TOPICS)
def test_the_width_is_that_of_the_text(words: list[list[str]]) -> None:
    whole = table(words)
    assert table_width(whole) == max(map(len, plain(whole).splitlines()))


def test_an_empty_table() -> None:
    empty = Table(["words"], ["value"], [""], [], ("words",))
    assert with_lines(empty, 3) == empty
    unknown = Table(["words"], ["v"], [""], [([""], [Cell()])], ("words",))
    assert with_lines(unknown, 3) == unknown


def on_terminal(columns: int, *arguments: str) -> list[str]:
    """Run a command on a terminal of so many columns; return its lines, without colours."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": str(columns), "TERM": "xterm"}
    command = [sys.executable, "-m", "tealeaves", *arguments]
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, env=environment):
        os.close(theirs)
        written = b""
        try:
            while piece := os.read(ours, 4096):
                written += piece
        except OSError:  # how a terminal says that nobody writes any more
            pass
    os.close(ours)
    return re.sub(r"\x1b\[[\d;]*m", "", written.decode()).replace("\r\n", "\n").splitlines()


@pytest.mark.parametrize(
    "arguments", [("consensus",), ("score", "--mark"), ("consensus", "--worst", "3")]
)
def test_no_word_is_lost_on_a_narrow_terminal(
    arguments: tuple[str, ...], playground: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(playground)
    given = (*arguments, "topics/en/middling.json", "-c", "en.jsonl", "--format", "table")
    narrow, wide = (topics(on_terminal(columns, *given)) for columns in (80, 300))
    assert max(map(len, narrow)) <= 80
    assert len(narrow) > len(wide) == (3 if "--worst" in given else 8)
    assert "…" not in " ".join(narrow)
    assert sorted(" ".join(narrow).split()) == sorted(" ".join(wide).split())
    assert any("[" in word for word in " ".join(narrow).split())


def topics(lines: list[str]) -> list[str]:
    """Return the lines of topics, between the headings and what stands below them."""
    ends = ("all ", "middling  all ", "the 3 worst")
    until = next(number for number, line in enumerate(lines) if line.startswith(ends))
    return [line.rstrip() for line in lines[1:until]]


def test_words_that_only_name_topics_are_cut(
    playground: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(playground)
    given = ("score", "topics/en/middling.json", "-c", "en.jsonl", "--by-topic")
    lines = on_terminal(80, *given)
    assert len([line for line in lines if line.startswith("middling")]) == 9
    assert any("…" in line for line in lines)
