"""``tealeaves compare``."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tealeaves import demo, read_topics

from .in_process import run_in_process


def run(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return run_in_process("compare", *arguments, folder=folder)


THREE = [f"topics/en/{quality}.json" for quality in demo.QUALITIES]
DEMO = [*THREE, "-c", "en.jsonl"]


def test_the_table_has_letters(playground: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", "tealeaves", "compare", *DEMO]
    command += ["-m", "npmi@10", "--format", "table"]
    done = subprocess.run(command, capture_output=True, cwd=playground, text=True)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split() for line in lines[:4]] == [
        ["model", "npmi@10", "↑"],
        ["good", "0.5911", "a"],
        ["middling", "0.2607", "b"],
        ["shuffled", "-0.8265", "c"],
    ]
    assert "share a letter do not differ significantly" in lines[4]
    assert "note: intervals" in done.stderr


def test_pairs_chart_and_file(playground: Path) -> None:
    files = ["--plot", "models.svg", "-o", "pairs.csv"]
    done = run(*DEMO, "-m", "npmi@10", "--pairs", "--format", "md", *files, "-q", folder=playground)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.startswith("| metric | model a | model b | difference |")
    assert sum(line.startswith("|") for line in done.stdout.splitlines()) == 2 + 3
    rows = list(csv.DictReader(io.StringIO((playground / "pairs.csv").read_text())))
    assert [(row["model_a"], row["model_b"]) for row in rows] == [
        ("good", "middling"),
        ("good", "shuffled"),
        ("middling", "shuffled"),
    ]
    assert float(rows[1]["p"]) == 2 / 2**8
    assert (playground / "models.svg").read_text().startswith("<svg")


def test_piped_rows_are_pairs_with_the_options_that_were_given(playground: Path) -> None:
    options = ["--test", "t", "--pairing", "none", "--correction", "none", "--level", "0.01"]
    done = run(*DEMO, "-m", "npmi@10 c_v@10", *options, folder=playground)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 2 * 3
    assert {(row["test"], row["pairing"], row["n"]) for row in rows} == {("t", "none", 16)}
    assert all(row["p"] == row["p_corrected"] for row in rows)


def test_runs_are_compared_over_seeds(playground: Path) -> None:
    """The same topics as three runs each: no spread, so that nothing varies but the family."""
    names = []
    for quality in ("good", "shuffled"):
        topics = read_topics(playground / "topics/en" / f"{quality}.json")
        for number in (1, 2, 3):
            names.append(f"{quality}-{number}.txt")
            lines = [" ".join(topic.words[number - 1 :]) for topic in topics.topics]
            (playground / names[-1]).write_text("\n".join(lines))
    done = run(*names, "-c", "en.jsonl", "-m", "npmi@7", "--format", "json", folder=playground)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["design"]["over"] == "seeds"
    assert [(row["model"], row["n"]) for row in found["summary"]] == [("good", 3), ("shuffled", 3)]
    assert found["rows"][0]["p"] == 0.1
    assert [row["letters"] for row in found["summary"]] == ["", ""]
    assert "no letters for npmi@7: so few runs can never differ significantly" in done.stderr
    assert "runs by their names: good (good-1, good-2, good-3)" in done.stderr
    assert "--over topics compares each by itself" in done.stderr


def test_models_in_several_languages_are_compared(playground: Path) -> None:
    names = []
    for model in demo.multilingual_models():
        names.append(f"{model.model}.topics")
        model.save(playground / names[-1])
    texts = ["-c", "en=en.jsonl", "-c", "es=es.jsonl"]
    done = run(*names, *texts, "-m", "cnpmi@10", "--format", "json", folder=playground)
    assert done.returncode == 0, done.stderr
    letters = {row["model"]: row["letters"] for row in json.loads(done.stdout)["summary"]}
    assert letters == {"good": "a", "middling": "b", "shuffled": "c"}


def test_people_are_compared_without_topics_files(playground: Path) -> None:
    human = ["--human", "invented_judgments.csv"]
    done = run(*human, "--format", "json", folder=playground)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {row["metric"] for row in found["rows"]} == {"rating", "intrusion"}
    assert {row["model"] for row in found["summary"]} == {"good", "middling", "shuffled"}
    options = ["--task", "intrusion", "--test", "t", "--format", "csv", "--plot", "people.svg"]
    done = run(*human, *options, folder=playground)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert {(row["metric"], row["test"]) for row in rows} == {("intrusion", "t")}
    assert (playground / "people.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([THREE[0], "-c", "en.jsonl"], "good: one model alone; give at least two to compare"),
        (THREE, "npmi@10 needs texts: give a corpus (--corpus) or counts (--counts)"),
        ([], "give either TOPICS, the files of models, or --human, judgments"),
        ([*DEMO, "--human", "x.csv"], "give either TOPICS, the files of models, or --human"),
        (["--human", "x.csv", "-m", "npmi"], "--metrics goes with TOPICS, not with --human"),
        (["--human", "x.csv", "--over", "topics"], "--over goes with TOPICS, not with --human"),
        ([*DEMO, "--task", "rating"], "--task goes with --human, people's judgments"),
        (
            ["--human", "invented_judgments.csv", "-o", "./invented_judgments.csv"],
            "would be overwritten",
        ),
        ([*DEMO, "--counts", "x.counts"], "give either --corpus or --counts"),
        ([*DEMO, "--plot", "chart.txt"], "a chart is written as .html, .svg, .png or .pdf"),
        ([*DEMO, "-o", "pairs.xlsx"], "results are saved as"),
        ([*DEMO, "-o", THREE[0]], "would be overwritten"),
        ([*DEMO, "--over", "seeds"], "needs two families with two runs or more"),
        ([*DEMO, "--pairing", "seed"], "'seed' is not one of"),
        ([*DEMO, "--weight", "documents"], "tests over topics are of plain means"),
        ([*DEMO, "--level", "0"], "0<x<1"),
        ([*DEMO, "-m", "npmii"], "npmii"),
    ],
)
def test_bad_input_is_one_line(
    playground: Path,
    arguments: list[str],
    message: str,
) -> None:
    done = run(*arguments, folder=playground)
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_help_has_examples(playground: Path) -> None:
    done = run("--help", folder=playground)
    assert done.returncode == 0
    assert "tealeaves compare lda.json nmf.json --corpus texts.jsonl.gz" in done.stdout
    assert "json, jsonl and csv have the pairs" in " ".join(done.stdout.split())
