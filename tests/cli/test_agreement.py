from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
QUICK = ("--draws", "200")


@pytest.fixture(scope="module")
def judgments(playground: Path) -> Path:
    """The demo's invented judgments."""
    return playground / "invented_judgments.csv"


def test_rows_are_for_all_and_for_unflagged_annotators(judgments: Path, run: Run) -> None:
    code, out, err = run("agreement", judgments, *QUICK)
    assert code == 0, err
    rows = [json.loads(line) for line in out.splitlines()]
    alphas = {
        row["annotators"]: row for row in rows
        if row["measure"] == "alpha ordinal" and row["task"] == "rating"
    }  # fmt: skip
    assert set(alphas) == {"all", "not flagged"}
    assert alphas["all"]["value"] < alphas["not flagged"]["value"]
    assert alphas["all"]["low"] < alphas["all"]["value"] < alphas["all"]["high"]
    assert alphas["all"]["n"] == 24
    assert "1 of 8 annotators is flagged as careless" in err


def test_annotators_are_shown_with_their_flags(judgments: Path, run: Run) -> None:
    code, out, _ = run("agreement", judgments, "--annotators", "--format", "table", "-q")
    assert code == 0
    [careless] = [line for line in out.splitlines() if "in a row" in line]
    assert " a6 " in careless
    assert "s an answer" in careless
    # nobody is as slow as that: all are flagged
    _, out, _ = run("agreement", judgments, "--annotators", "--seconds", "1000", *QUICK)
    assert all("s an answer" in json.loads(line)["flags"] for line in out.splitlines())


def test_checks_of_both_tasks_are_counted(judgments: Path, run: Run) -> None:
    def flags(*options: str) -> list[str]:
        _, out, err = run("agreement", judgments, "--annotators", *options, *QUICK)
        assert "of 8 annotators is flagged as careless" in err
        rows = [json.loads(line) for line in out.splitlines()]
        return [row["flags"] for row in rows if row["annotator"] == "a6"]

    assert all("0 of 4 checks right" in found for found in flags())
    assert not any("checks" in found for found in flags("--checks", "5"))


def test_left_out_judgments_are_noted(judgments: Path, run: Run) -> None:
    arguments = ("agreement", judgments, "--where", "model=good", "--task", "rating", *QUICK)
    _, _, err = run(*arguments)
    lines = err.splitlines()
    assert any(line.startswith("note: only judgments with model=good: ") for line in lines)
    assert any(line.startswith("note: only judgments of rating: ") for line in lines)
    assert run(*arguments, "-q")[2] == ""
    assert "note: only judgments of rating: " in run(*arguments, "--annotators")[2]


def test_without_flagged_uses_the_given_thresholds(judgments: Path, run: Run) -> None:
    arguments = ("agreement", judgments, "--without-flagged", "--task", "rating", *QUICK)
    code, out, err = run(*arguments)
    assert code == 0, err
    assert "note: 1 annotator looks careless and is left out, with 26 judgments: a6\n" in err
    count = next(row for row in map(json.loads, out.splitlines()) if row["measure"] == "annotators")
    assert count["value"] == 7
    assert run(*arguments, "-q")[2] == ""
    lenient = ("--seconds", "0", "--line", "1000", "--gold", "0")
    assert "note: no annotator looks careless: none is left out\n" in run(*arguments, *lenient)[2]
    code, _, err = run(*arguments, "--seconds", "1000")
    assert code == 2
    assert "--without-flagged leaves none of" in err


def test_without_flagged_applies_to_each_task(judgments: Path, run: Run, tmp_path: Path) -> None:
    rows = judgments.read_text(encoding="utf-8").splitlines()
    header = rows[0].split(",")
    task, who, time = (header.index(name) for name in ("task", "annotator", "time"))
    cells = [row.split(",") for row in rows[1:]]
    for row in cells:
        if (row[task], row[who]) == ("intrusion", "a1"):
            row[time] = "0.1"
    path = tmp_path / "hasty.csv"
    path.write_text("\n".join([rows[0], *map(",".join, cells)]), encoding="utf-8")
    code, out, err = run("agreement", path, "--without-flagged", *QUICK)
    assert code == 0, err
    assert "2 annotators look careless and are left out" in err
    assert "a6 (rating, intrusion), a1 (intrusion)" in err
    counts = {row["task"]: row["value"] for row in map(json.loads, out.splitlines())
              if row["measure"] == "annotators"}  # fmt: skip
    assert counts == {"rating": 7, "intrusion": 6}


@pytest.mark.parametrize("form", ["table", "json", "csv", "md", "latex"])
def test_every_format_is_written(judgments: Path, run: Run, form: str) -> None:
    code, out, err = run("agreement", judgments, "--format", form, "--task", "intrusion", *QUICK)
    assert code == 0, err
    assert "precision" in out
    assert "rating" not in out


def test_chart_and_rows_are_saved(judgments: Path, run: Run, tmp_path: Path) -> None:
    code, _, err = run(
        "agreement", judgments, "--plot", tmp_path / "a.html", "-o", tmp_path / "a.csv", *QUICK
    )
    assert code == 0, err
    assert "<script" in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert (tmp_path / "a.csv").read_text(encoding="utf-8").startswith("dataset,task,")


def test_answers_may_be_words(run: Run, tmp_path: Path) -> None:
    answers = {"a": "good good bad", "b": "bad bad bad", "c": "good good good", "d": "bad bad good"}
    path = tmp_path / "words.csv"
    rows = [f"{topic},p{n},{word}" for topic, words in answers.items()
            for n, word in enumerate(words.split())]  # fmt: skip
    path.write_text("\n".join(["topic,annotator,answer", *rows]) + "\n", encoding="utf-8")
    code, out, err = run("agreement", path, "--format", "table", *QUICK)
    assert code == 0, err
    assert "alpha nominal" in out
    assert "alpha ordinal" not in out
    assert "--scale" in err
    code, out, _ = run("agreement", path, "--scale", "good=1, bad=0", "--format", "table", *QUICK)
    assert "alpha ordinal" in out


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("", [], "no judgments in it"),
        ("topic,answer\n", [], "no judgments in it"),
        ("topic,points\na,1\n", [], "--column answer=NAME"),
        ("topic,answer\na,1\nb,2\n", [], "agreement cannot be computed from means"),
        ("topic,answer\na,1\na,2\n", ["--column", "answer=x"], "no column x"),
        ("topic,answer\na,1\na,2\n", ["--layout", "tydi"], "unknown layout tydi (known: "),
        ("topic,answer\na,1\na,good\n", ["--scale", "good=2"], "is not on the scale"),
        ("topic,answer\na,1\na,2\n", ["--plot", "x.doc"], "a chart is written as"),
        ("topic,answer\na,1\na,2\n", ["--without-flagged"], "do not name their annotators"),
        (
            "topic,x,y\na,1,2\n",
            ["--column", "answer=x", "--column", "answer=y"],
            "--column answer is given twice; several are NAME=A,B",
        ),
        ("topic,answer\na,1\na\n", [], ":3: 1 fields, but the header has 2"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    run: Run,
    tmp_path: Path,
    text: str,
    arguments: list[str],
    message: str,
) -> None:
    path = tmp_path / "j.csv"
    path.write_text(text, encoding="utf-8")
    code, out, err = run("agreement", path, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
