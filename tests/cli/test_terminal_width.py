"""Commands on a real terminal: tables fit its width, and no odd word is lost."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tests.systems import needs_terminals, on_terminal

pytestmark = needs_terminals


def shown(columns: int, *arguments: str) -> list[str]:
    """Run a command on a terminal of so many columns; return its lines, without colours."""
    environment = os.environ | {"COLUMNS": str(columns), "TERM": "xterm"}
    command = [sys.executable, "-m", "tealeaves", *arguments]
    written = on_terminal(command, env=environment)
    return re.sub(r"\x1b\[[\d;]*m", "", written.decode()).replace("\r\n", "\n").splitlines()


@pytest.mark.parametrize(
    "arguments", [("consensus",), ("score", "--mark"), ("consensus", "--worst", "3")]
)
def test_no_word_is_lost_on_a_narrow_terminal(
    arguments: tuple[str, ...], playground: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(playground)
    given = (*arguments, "topics/en/middling.json", "-c", "en.jsonl", "--format", "table")
    narrow, wide = (topics(shown(columns, *given)) for columns in (80, 300))
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


def test_words_that_only_identify_topics_are_shortened(
    playground: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(playground)
    given = ("score", "topics/en/middling.json", "-c", "en.jsonl", "--by-topic")
    lines = shown(80, *given)
    assert len([line for line in lines if line.startswith("middling")]) == 9
    assert any("…" in line for line in lines)
