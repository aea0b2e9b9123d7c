"""``tealeaves relevance heads``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tealeaves.evidence.attention.heads import HeadsTable
from tealeaves.evidence.attention.relevance_file import load_relevance

from .relevance_commands import GatherCommand, Run, check_error

# ------------------------------------------------------------------ heads


@pytest.fixture
def gathered(gather: GatherCommand) -> Path:
    gather("a.relevance", "--head-sample", 30)
    return gather.into / "a.relevance"


def test_heads_as_rows(run: Run, gathered: Path) -> None:
    done = run("relevance", "heads", gathered, "--format", "json")
    content = json.loads(done.out)
    rows, found = content["rows"], load_relevance(gathered)
    assert rows == found.heads_table().rows
    assert [(row["layer"], row["head"]) for row in rows] == [
        (layer, head) for layer in (1, 2) for head in (1, 2, 3, 4)
    ]
    assert sum(row["confident"] for row in rows) == 2  # one a layer
    for layer in (1, 2):
        assert abs(sum(row["importance"] for row in rows if row["layer"] == layer)) == (
            pytest.approx(1)
        )
    assert content["notes"] == [
        "tiny (given): 2 layers of 4 heads",
        f"the numbers are from {found.totals.used} texts; heads were chosen by 30 texts",
    ]
    assert done.err == "".join(f"note: {note}\n" for note in content["notes"])


def test_heads_as_a_table(run: Run, gathered: Path) -> None:
    done = run("relevance", "heads", gathered, "--format", "table", "-q")
    head, *lines = done.out.splitlines()
    assert head.split() == ["layer", "head", "confidence", "importance"]
    cells = [line.split() for line in lines[:8]]
    assert [line[0] for line in (cells[0], cells[4])] == ["1", "2"]  # the layer is said once
    assert [line[-3] for line in cells] == ["1", "2", "3", "4"] * 2
    rows = load_relevance(gathered).heads_table().rows
    for line, row in zip(cells, rows, strict=True):
        assert line[-2] == f"{row['confidence']:.3f}" + "*" * row["confident"]
        assert line[-1] == f"{row['importance']:.3f}" + "*" * row["important"]
    assert "attention_sum" in lines[8]
    assert "0.250 if all were equal" in lines[9]


def test_heads_without_statistics() -> None:
    row = {"layer": 1, "head": 1, "confidence": float("nan"), "importance": float("nan"),
           "confident": False, "important": False}  # fmt: skip
    found = HeadsTable([row])
    assert str(found).splitlines()[1].split() == ["1", "1", "–", "–"]
    assert json.loads(found.to_jsonl())["importance"] is None
    assert HeadsTable([]).to_csv() == "layer,head,confidence,importance,confident,important\n"


def test_heads_as_a_chart_and_a_file(run: Run, gathered: Path, tmp_path: Path) -> None:
    used = load_relevance(gathered).totals.used
    done = run("relevance", "heads", gathered, "--plot", tmp_path / "heads.svg", "-o",
               tmp_path / "heads.csv", "-q")  # fmt: skip
    assert done.code == 0
    chart = (tmp_path / "heads.svg").read_text()
    assert f"tiny, {used} texts" in chart
    assert "Confidence" in chart
    assert len((tmp_path / "heads.csv").read_text().splitlines()) == 9
    check_error(run("relevance", "heads", gathered, "--plot", "heads.gif"), "heads.gif")
    check_error(run("relevance", "heads", tmp_path / "heads.csv"), "csv: not a file of relevance")
    (tmp_path / "damaged").write_bytes(gathered.read_bytes()[:-30])
    check_error(run("relevance", "heads", tmp_path / "damaged"), "not a complete file of relevance")


def test_a_file_without_heads_is_refused(run: Run, relevance_folder: Path) -> None:
    message = "tiny: a classifier: give a file of relevance"
    check_error(run("relevance", "heads", relevance_folder / "tiny"), message)
    check_error(
        run("relevance", "heads", relevance_folder / "texts"), "texts: a folder: give a file of"
    )
    check_error(run("relevance", "heads", "typo.relevance"), "typo.relevance: no such file of")
