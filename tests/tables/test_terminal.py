"""Tables on terminals of any width: no word is cut, and nothing is lost that must be shown."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tealeaves.tables.formats import plain_table
from tealeaves.tables.table import Cell, MarkedWords, Table, TextCell, text_table
from tealeaves.tables.terminal import print_table

WORDS = [["sky", "planet", "soup", "moon", "new york"], ["salt"], []]
REASONS = ["+0.14 best words more related", "-0.06 a second theme", ""]
OTHERS = 5 + 7 + 3 * 2  # the columns topic and value, and three gaps
Shown = Callable[[Table, int], list[str]]


def topic_table(
    words: list[list[str]] = WORDS, wraps: tuple[str, ...] = ("words", "reason")
) -> Table:
    reasons = (REASONS * len(words))[: len(words)]
    rows: list[tuple[list[str], list[Cell]]] = [
        ([str(number), MarkedWords.of(some, {"soup"}, most=None), reason], [TextCell(text="0.5")])
        for number, (some, reason) in enumerate(zip(words, reasons, strict=True))
    ]
    return Table(["topic", "words", "reason"], ["value"], ["↑"], rows, wraps)


TOPICS = st.lists(
    st.lists(st.text("ab", min_size=1, max_size=9), max_size=9), min_size=1, max_size=4
)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shown:
    """Return the lines of a table on a terminal of a width, without colours."""

    def lines(table: Table, columns: int) -> list[str]:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setenv("COLUMNS", str(columns))
        capsys.readouterr()
        print_table(table)
        text = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
        return [line.rstrip() for line in text.splitlines()]

    return lines


def column(lines: list[str], start: int, stop: int) -> list[str]:
    return [line[start:stop].rstrip() for line in lines[1:]]


def test_a_table_that_fits_is_that_of_plain_text(shown: Shown) -> None:
    assert shown(topic_table(), 200) == plain_table(topic_table()).splitlines()
    assert shown(topic_table(), OTHERS + 31 + 29) == plain_table(topic_table()).splitlines()


def test_words_are_wrapped_and_stay_whole(shown: Shown) -> None:
    lines = shown(topic_table(), OTHERS + 20 + 20)
    assert lines[0].split() == ["topic", "words", "reason", "value", "↑"]
    assert column(lines, 7, 27) == ["sky planet [soup]", "moon new york", "salt", ""]
    assert column(lines, 29, 49) == ["+0.14 best words", "more related", REASONS[1], ""]


def test_the_longest_words_get_the_space_that_is_left(shown: Shown) -> None:
    lines = shown(topic_table(), OTHERS + 23 + 20)
    assert column(lines, 7, 30) == ["sky planet [soup] moon", "new york", "salt", ""]
    assert column(lines, 32, 52) == ["+0.14 best words", "more related", REASONS[1], ""]


def test_what_cannot_fit_is_as_narrow_as_it_can_be_and_whole(shown: Shown) -> None:
    lines = shown(topic_table(), 10)
    assert lines == shown(topic_table(), OTHERS + 20 + 20)


def test_only_what_may_be_wrapped_is(shown: Shown) -> None:
    lines = shown(topic_table(wraps=("words",)), OTHERS + 20 + 29)
    assert column(lines, 7, 27) == ["sky planet [soup]", "moon new york", "salt", ""]
    assert column(lines, 29, 58) == [REASONS[0], "", REASONS[1], ""]


def test_words_that_need_not_be_whole_lose_the_last_ones(shown: Shown) -> None:
    lines = shown(topic_table(wraps=()), OTHERS + 25 + 29)
    assert column(lines, 7, 32) == ["sky planet [soup] moon …", "salt", ""]
    wide = topic_table([["天文学"] * 9], wraps=())
    assert shown(wide, OTHERS + 20 + 29)[1].split()[1:4] == ["天文学", "天文学", "…"]


def test_a_word_that_is_longer_than_its_column_is_left_out(shown: Shown) -> None:
    lines = shown(topic_table([["x" * 30, "y"]], wraps=()), OTHERS + 20 + 29)
    assert column(lines, 7, 27) == ["…"]


def test_wide_letters_take_two_cells(shown: Shown) -> None:
    lines = shown(Table(["a"], ["b"], [""], [(["天"], [TextCell(text="1")])]), 80)
    assert lines == ["a   b", "天  1"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=TOPICS, width=st.integers(20, 120))
def test_no_word_is_lost_and_the_width_is_kept(
    shown: Shown, words: list[list[str]], width: int
) -> None:
    table = topic_table(words)
    lines = shown(table, width)
    written = plain_table(table).splitlines()
    assert sorted(" ".join(lines).split()) == sorted(" ".join(written).split())
    longest = max(5, *(len(labels[1]) for labels, _ in table.rows))
    assert max(map(len, lines)) <= max(width, OTHERS + min(20, longest) + 20)
    assert max(map(len, lines)) <= max(map(len, written))


MANY = text_table(["model"], [f"metric{n}" for n in range(9)], [(["lda"], ["0.5"] * 9)])


def test_a_table_of_models_is_turned(shown: Shown) -> None:
    lines = shown(MANY, 40)
    assert lines[0].split() == ["metric", "lda"]
    assert [line.split() for line in lines[1:]] == [[f"metric{n}", "0.5"] for n in range(9)]


def test_a_table_that_is_too_wide_either_way_is_divided(shown: Shown) -> None:
    names = [f"a model with a long name {n}" for n in range(9)]
    both = text_table(["model"], MANY.metrics, [([name], ["0.5"] * 9) for name in names])
    lines = shown(both, 60)
    assert max(map(len, lines)) <= 60
    headings = [line.split()[1:] for line in lines if line.startswith("model")]
    assert [len(some) for some in headings] == [3, 3, 3]
    assert [name for some in headings for name in some] == MANY.metrics
    assert lines.count("") == 2


def test_a_column_that_is_wider_than_the_terminal_is_whole(shown: Shown) -> None:
    table = text_table(["a", "b"], ["c"], [(["x" * 30, "y"], ["z" * 30])])
    assert shown(table, 20) == plain_table(table).splitlines()
    labels = text_table(["a", "b"], [], [(["x" * 30, "y"], [])])
    assert shown(labels, 20) == plain_table(labels).splitlines()


def test_in_a_pipe_wrapped_words_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    table = topic_table([["word"] * 100])
    print_table(table)
    assert [s.rstrip() for s in capsys.readouterr().out.splitlines()] == plain_table(
        table
    ).splitlines()
    print_table(topic_table([["word"] * 100], wraps=()))
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 160


@given(TOPICS)
def test_plain_text_is_as_wide_as_its_widest_line(words: list[list[str]]) -> None:
    lines = plain_table(topic_table(words)).splitlines()
    longest = max(5, *(len(MarkedWords.of(some, {"soup"}, most=None)) for some in words))
    reason = max(map(len, (REASONS * len(words))[: len(words)]))
    assert max(map(len, lines)) == OTHERS + longest + max(reason, 6)


def test_an_empty_table(shown: Shown) -> None:
    assert shown(Table(["words"], ["value"], [""], [], ("words",)), 3) == ["words  value"]
    unknown = Table(["words"], ["v"], [""], [([""], [Cell()])], ("words",))
    assert shown(unknown, 3) == ["words  v", "       –"]
