"""The standard errors of random draws, on the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
LEGEND = "±: standard error, of the random draws or of the texts that were taken"
SHARES = "(…%): share of comparisons that could be made (short topics, missing words)"


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    """The arguments that score two topics, one with a word that has no vector."""
    topics, vectors = tmp_path / "topics.txt", tmp_path / "vectors.txt"
    topics.write_text("cat dog horse\nsoup bread pie\n", encoding="utf-8")
    lines = ["cat 1 0", "dog 0.9 0.3", "horse 0.8 0.6", "soup 0.1 1", "bread -0.3 0.9"]
    vectors.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return ["score", str(topics), "-e", str(vectors), "-q"]


@pytest.mark.parametrize(("form", "before"), [("table", ""), ("md", "\n"), ("latex", "% ")])
def test_a_table_has_a_legend(run: Run, arguments: list[str], form: str, before: str) -> None:
    drawn = run(*arguments, "-m", "isim(draws=5)", "--format", form).out
    assert drawn.endswith(f"\n{before}{SHARES}\n{before}{LEGEND}\n")
    exact = run(*arguments, "-m", "isim", "--format", form).out
    assert exact.endswith(f"\n{before}{SHARES}\n")
    whole = run(*arguments, "-m", "isim(draws=5)@2", "--format", form).out
    assert whole.endswith(f"\n{before}{LEGEND}\n")
    assert SHARES not in whole


@pytest.mark.parametrize("form", ["json", "jsonl", "csv"])
def test_rows_have_no_legend(run: Run, arguments: list[str], form: str) -> None:
    drawn = run(*arguments, "-m", "isim(draws=5)", "--format", form).out
    assert "±" not in drawn
    assert "error" in drawn
