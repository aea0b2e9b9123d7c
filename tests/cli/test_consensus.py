"""``tealeaves consensus``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tealeaves.consensus import explain

from .in_process import run_in_process

MODELS = tuple(f"topics/en/{name}.json" for name in ("good", "middling", "shuffled"))
MINE = (*MODELS, "-c", "en.jsonl")


@pytest.fixture(autouse=True)
def inside(playground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(playground)


def rows(*arguments: str) -> list[dict[str, Any]]:
    done = run_in_process("consensus", *arguments)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def error_line(*arguments: str) -> str:
    done = run_in_process("consensus", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    return done.stderr


def test_help_has_examples_and_the_scale() -> None:
    done = run_in_process("consensus", "--help")
    assert done.returncode == 0
    assert "  tealeaves consensus lda.json -c " in done.stdout.partition("Examples:")[2]
    text = " ".join(done.stdout.split())
    assert "from 0, the worst answer people could give, to 1, the best" in text
    assert "JSON, JSON lines and Parquet also have the fit of each word and `parts`" in text
    assert "adds up parts whose names end alike" in text


def test_the_table_has_values_intervals_odd_words_and_reasons() -> None:
    done = run_in_process("consensus", *MINE, "--format", "table")
    lines = done.stdout.splitlines()
    assert lines[0].split("  ")[0] == "model"
    assert lines[0].endswith("value ↑  90% interval")
    [garden] = [line for line in lines if "garden spring roots [school] soil" in line]
    assert "best words more related" in garden
    assert garden.endswith("]")
    assert "from 0, the worst answer people could give, to 1, the best" in done.stdout
    assert "note: consensus: judged by the corpus" in done.stderr


def test_rows_are_those_of_python() -> None:
    found = explain(list(MODELS), "en.jsonl", level=0.5, top=8)
    assert rows(*MINE, "--level", "0.5", "--top", "8") == [
        json.loads(line) for line in found.to_jsonl().splitlines()
    ]


def test_sort_worst_shows_the_worst_topics_first(tmp_path: Path) -> None:
    everything = rows(*MINE)
    topics = [row["value"] for row in everything if row["topic"] is not None]
    by_value = rows(*MINE, "--sort", "worst")
    assert [row["value"] for row in by_value[:24]] == sorted(topics)
    assert [row["topic"] for row in by_value[24:]] == [None] * 3
    path = tmp_path / "worst.csv"
    worst = rows(*MINE, "--worst", "5", "-o", str(path))
    assert [row["value"] for row in worst] == sorted(topics)[:5]
    assert len(list(csv.DictReader(io.StringIO(path.read_text())))) == 5
    assert rows(*MINE, "--sort", "model") == everything


def test_each_source_is_enough(tmp_path: Path) -> None:
    [first, *_] = rows(MODELS[0])
    assert first["sources"] == ["minilm_static", "wordllama"]
    [first, *_] = rows(MODELS[0], "-e", "wordllama")
    assert first["sources"] == ["wordllama"]
    spanish = "topics/es/good.json"
    assert rows(spanish, "-c", "es.jsonl")[0]["sources"] == ["corpus"]
    assert rows(spanish, "--reference", "es.jsonl")[0]["sources"] == ["reference"]
    path = tmp_path / "es.counts"
    made = run_in_process("count", spanish, "-c", "es.jsonl", "-m", "consensus@10", "-o", path)
    assert made.returncode == 0, made.stderr
    counted = rows(spanish, "--counts", str(path))
    assert counted == rows(spanish, "-c", "es.jsonl")


def test_the_worst_topics_of_one_model_name_the_model(tmp_path: Path) -> None:
    done = run_in_process("consensus", *MINE, "--worst", "3", "--format", "table")
    heading, *lines = done.stdout.splitlines()
    assert heading.startswith("model ")
    assert all(line.startswith("shuffled ") for line in lines[:3])
    assert lines[3] == "the 3 worst of 24 topics"
    single = run_in_process("consensus", MODELS[2], "--worst", "3", "--format", "table")
    assert single.stdout.startswith("topic ")


def test_one_language_of_several_has_the_same_values_as_alone(tmp_path: Path) -> None:
    alone = rows("topics/es/good.json", "-c", "es.jsonl", "--tokens", "icu")
    both = ("en=topics/en/good.json", "es=topics/es/good.json")
    texts = ("-c", "en=en.jsonl", "-c", "es=es.jsonl", "--tokens", "es=icu")
    assert rows(*both, *texts, "--language", "es") == alone
    assert rows(*both, "-c", "es.jsonl", "--tokens", "icu", "--language", "es") == alone
    said = error_line(*both, *texts)
    assert "its topics are in several languages (en, es)" in said
    assert "`tealeaves consensus --language` says which" in said


def test_csv_leaves_out_lists_of_numbers() -> None:
    done = run_in_process("consensus", MODELS[0], "--format", "csv")
    header = done.stdout.splitlines()[0].split(",")
    [first, *_] = rows(MODELS[0])
    assert set(first) - set(header) == {"parts", "fits"}


def test_a_chart_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "topics.svg"
    done = run_in_process("consensus", *MINE, "--worst", "3", "--plot", path, "-q")
    assert (done.returncode, done.stderr) == (0, "")
    text = path.read_text()
    assert text.startswith("<svg")
    assert "average topic" in text
    assert "What people would say of the 3 worst of 24 topics" in text
    assert "judged by corpus, minilm_static, wordllama" in text


def test_a_topic_that_is_too_short_has_no_value(tmp_path: Path) -> None:
    path = tmp_path / "short.txt"
    path.write_text("cat dog\nsoup\n")
    found = rows(str(path), "-c", "en.jsonl")
    assert found[1]["value"] is None
    assert found[1]["support"] == 0
    assert found[1]["reasons"] == "it has fewer than two words"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing argument 'TOPICS...'"),
        (("none.json",), "none.json"),
        ((MODELS[0], "-c", "none.jsonl"), "none.jsonl: no such file or folder"),
        ((MODELS[0], "-c", "en.jsonl", "--counts", "x.counts"), "give either --corpus or --counts"),
        ((MODELS[0], "--level", "0.99"), "0.99 is not in the range 0<x<=0.98"),
        ((MODELS[0], "--top", "1"), "1 is not in the range 2<=x<=100"),
        ((MODELS[0], "--worst", "0"), "0 is not in the range x>=1"),
        ((MODELS[0], "-e", "nothing"), "unknown embedding nothing"),
        ((MODELS[0], "-o", "found.xyz"), "found.xyz: results are saved as"),
        ((MODELS[0], "-o", MODELS[0]), "would be overwritten"),
        ((MODELS[0], "--plot", "found.gif"), "a chart is written as .html"),
        ((MODELS[0], "--reference-tokens", "words"), "but no reference"),
        (("en=topics/en/good.json", "es=topics/es/good.json"), "its topics are in several"),
        (("topics/es/good.json",), "consensus has nothing to go by"),
        ((MODELS[0], "--language", "en"), "--language: good has topics in one language only"),
        (
            (MODELS[0], "-c", "en=en.jsonl"),
            "texts in one language are needed, and these are in several (en=PATH)",
        ),
        ((*MINE, "--unit", "verse"), "--unit is for topics in several languages"),
        ((*MINE, "--languages", "en,es"), "languages"),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    assert message in error_line(*arguments)
