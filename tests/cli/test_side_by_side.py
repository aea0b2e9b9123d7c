"""``--side-by-side`` on a terminal, in a pipe, and in other formats."""

from __future__ import annotations

import json
import re
import sys

import pytest

from tealeaves.cli.output import show_side_by_side
from tealeaves.evidence.dictionaries import Dictionaries
from tealeaves.metrics.scores import Score, Scores
from tealeaves.topics.multilingual import MultilingualTopics

TOPICS = MultilingualTopics.of_languages(
    {"en": [["war", "King", "taxi"], ["tea"]], "sv": [["kung", "krig", "taxi"], ["te"]]},
    model="toy",
)
DICTIONARIES = Dictionaries.open(
    {"en-sv": [("king", "kung"), ("war", "krig"), ("taxi", "taxi")]}, TOPICS.languages
)
SCORES = Scores(
    [
        Score("toy", 0, "cnpmi@10", 0.25, 0.5, ""),
        Score("toy", 1, "cnpmi@10", float("nan"), 0.0, ""),
        Score("toy", None, "cnpmi@10", 0.25, 0.25, ""),
    ],
    better={"cnpmi@10": "higher"},
    notes=["a note"],
)


def show(form: str | None, *, quiet: bool = False) -> None:
    show_side_by_side([TOPICS], SCORES, DICTIONARIES, form, quiet=quiet)


@pytest.mark.parametrize("width", [24, 80])
def test_a_terminal_has_colors_and_its_own_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    show(None, quiet=True)
    out, err = capsys.readouterr()
    assert "\x1b[1;32m=2 King" in out  # bold, green
    assert "\x1b[2mdim: words that the dictionary translates by no other word" in out
    plain = re.sub(r"\x1b\[[0-9;]*m", "", out)
    heading = "topic 0  coherent  cnpmi@10 ↑ 0.2500 (50%)"
    assert (heading in plain) == (width == 80)
    assert err == ""


def test_rows_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    show(None)
    out, err = capsys.readouterr()
    verdicts = [json.loads(line)["verdict"] for line in out.splitlines()]
    assert verdicts == ["coherent", "unjudgeable", ""]
    assert err == "note: a note\n"


def test_a_table_in_a_pipe_has_no_colors(capsys: pytest.CaptureFixture[str]) -> None:
    show("table")
    out, err = capsys.readouterr()
    assert "\x1b" not in out
    assert "=2 King" in out
    assert "dim:" not in out
    assert err == "note: a note\n"
