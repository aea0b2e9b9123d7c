"""``tealeaves score --reference``, also of other commands."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from tealeaves.evidence import Unit, load_counts

from .in_process import run_in_process

TOPICS = {"one": [["Cat", "Dog"], ["bread", "Soup"]], "other": [["Cat", "Soup"], ["Dog", "bread"]]}
TEXTS = ["Cat Dog", "cat Dog", "Cat", "Dog Cat", "bread Soup"]
WIKI = ["The cat, the dog.", "DOG; cat!", "Cat dog mice", "mouse", "Bread: soup", "soup cat"]
# documents of the corpus that hold the pair, and a hundred times those of the reference
OWN, BOTH = [2, 1, 0, 0], [302, 101, 100, 0]
ALONE, AS_WRITTEN = [300, 100, 100, 0], [2, 1, 0, 0]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flexible: list[Any]) -> Path:
    for name, topics in TOPICS.items():
        lines = (" ".join(words) for words in topics)
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS))
    (tmp_path / "wiki.txt").write_text("\n".join(WIKI))
    rows = (json.dumps({"body": text}) + "\n" for text in WIKI)
    (tmp_path / "wiki.jsonl").write_text("".join(rows))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scored(*options: str, command: str = "score") -> list[float | None]:
    done = run_in_process(command, "one.txt", "other.txt", "-m", "flexible", "--by-topic", *options)
    assert done.returncode == 0, done.stderr
    rows = map(json.loads, done.stdout.splitlines())
    return [row["value"] for row in rows if row["topic"] is not None]


def error_line(*arguments: str) -> str:
    done = run_in_process(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    return done.stderr


OWN_TEXTS = ("-c", "texts.txt", "--tokens", "tokens")


def test_a_reference_is_read_beside_the_corpus_or_alone() -> None:
    assert scored() == [None] * 4
    assert scored(*OWN_TEXTS) == OWN
    assert scored(*OWN_TEXTS, "--reference", "wiki.txt") == BOTH
    assert scored("--reference", "wiki.txt") == ALONE
    assert scored(*OWN_TEXTS, "--reference", "wiki.txt", "--reference-tokens", "tokens") == (
        AS_WRITTEN
    )


def test_a_reference_may_be_several_files_with_the_fields_of_the_corpus(folder: Path) -> None:
    for name, part in (("one.jsonl", WIKI[:3]), ("two.jsonl", WIKI[3:])):
        (folder / name).write_text("".join(json.dumps({"body": text}) + "\n" for text in part))
    several = ["--reference", "one.jsonl", "--reference", "two.jsonl", "--text-field", "body"]
    assert scored(*several) == ALONE


def test_counts_as_corpus_and_as_reference() -> None:
    count = ["count", "one.txt", "other.txt", "-m", "flexible"]
    made = run_in_process(*count, "-c", "wiki.txt", "-o", "wiki.counts")
    assert made.returncode == 0, made.stderr
    units = [Unit(), Unit("window", 2), Unit("window", 5)]  # the last for a reference only
    assert [counts.unit for counts in load_counts("wiki.counts")] == units
    assert scored(*OWN_TEXTS, "--reference", "wiki.counts") == BOTH
    assert scored("--counts", "wiki.counts") == [value / 100 for value in ALONE]
    run_in_process(*count, *OWN_TEXTS, "-o", "own.counts")
    assert scored("--counts", "own.counts", "--reference", "wiki.counts") == BOTH
    fields = ["--reference", "wiki.jsonl", "--text-field", "body"]
    assert scored("--counts", "own.counts", *fields) == BOTH
    error = error_line("score", "one.txt", "-m", "flexible", "--counts", "own.counts", *fields[2:])
    assert "--text-field was decided when the counts were made" in error


def test_compare_and_correlate_take_a_reference(folder: Path) -> None:
    done = run_in_process(
        "compare", "one.txt", "other.txt", "-m", "flexible", "--reference", "wiki.txt"
    )
    assert done.returncode == 0, done.stderr
    [row] = map(json.loads, done.stdout.splitlines())
    assert (row["value_a"], row["value_b"]) == (200, 50)
    assert "the reference has only 6 texts" in done.stderr

    people = [
        {
            "model": model,
            "topic": k,
            "words": words,
            "annotator": who,
            "task": "rating",
            "answer": n,
        }
        for model, topics in TOPICS.items()
        for k, words in enumerate(topics)
        for who, n in (("ann", 3 - k), ("bob", 2 if model == "one" else 1))
    ]
    (folder / "people.jsonl").write_text("".join(json.dumps(row) + "\n" for row in people))
    given = ["correlate", "--human", "people.jsonl", "-m", "flexible", "--reference", "wiki.txt"]
    done = run_in_process(
        *given, "--coefficient", "pearson", "--draws", "0", "--permutations", "19"
    )
    assert done.returncode == 0, done.stderr
    [row] = map(json.loads, done.stdout.splitlines())
    # people: 2.5 2 2 1.5, so deviations of .5 0 0 -.5; of the metric 175 -25 -25 -125
    assert row["value"] == pytest.approx(150 / math.sqrt(0.5 * (175**2 + 2 * 25**2 + 125**2)))
    assert "but SCORES are given" in error_line(*given[:1], "scores.jsonl", *given[1:])


def test_vectors_and_relevance_answer_optional_requests(folder: Path, flexible: list[Any]) -> None:
    words = sorted({word for topics in TOPICS.values() for topic in topics for word in topic})
    (folder / "v.txt").write_text("".join(f"{word} 1 {len(word)}\n" for word in words))
    assert scored("-e", "v.txt") == [None] * 4
    assert flexible[-1].evidence.chosen_embeddings == ("v.txt",)
    assert flexible[-1].evidence.has(flexible[-1].asked.given_vectors)
    asked = ("score", "one.txt", "-m", "flexible", "-c", "texts.txt")
    (folder / "folder").mkdir()
    assert "flexible can use relevance from a file only" in error_line(
        *asked, "--relevance", "folder"
    )
    assert "not a file of relevance" in error_line(*asked, "--relevance", "v.txt")


def test_bad_input_is_one_line(folder: Path) -> None:
    wiki, stdin = ("--reference", "wiki.txt"), ("-c", "-", "--reference", "-")
    asked = ("score", "one.txt", "-m", "flexible")
    several = ("score", "en=one.txt", "sv=other.txt", "-m", "twc@2")
    (folder / "x.counts.partial").write_bytes(b"")
    for arguments, message in (
        (
            ("score", "one.txt", "-c", "texts.txt", *wiki),
            "the reference is of no use to npmi@10, c_v",
        ),
        ((*asked, "--reference-tokens", "words"), "but no reference"),
        ((*asked, "--reference", "none.txt"), "none.txt"),
        ((*asked, "--reference", "x.counts.partial"), "x.counts.partial is unfinished"),
        ((*asked, *wiki, "--reference", "x.counts"), "counts are a reference by themselves"),
        ((*asked, *stdin), "standard input is read once"),
        (
            ("correlate", "--human", "x.csv", "-m", "flexible", *stdin),
            "standard input is read once",
        ),
        ((*asked, "--reference", "wiki.jsonl", "-o", "wiki.jsonl"), "wiki.jsonl: it is an input"),
        ((*several, *wiki), "a reference is for topics in one language"),
        ((*several, "--reference-tokens", "words"), "a reference is for topics in one language"),
        (("compare", "--human", "x.csv", *wiki), "--reference goes with TOPICS"),
    ):
        error = error_line(*arguments)
        assert message in error
        assert len(error.splitlines()) <= 3
        assert "Traceback" not in error


def test_one_language_of_several_may_have_a_reference() -> None:
    done = run_in_process(
        *("score", "en=one.txt", "sv=other.txt", "--language", "en", "-m", "flexible"),
        *("--reference", "wiki.txt", "--by-topic"),
    )
    assert done.returncode == 0, done.stderr
    values = [json.loads(line)["value"] for line in done.stdout.splitlines()]
    assert values == [300, 100, 200]
