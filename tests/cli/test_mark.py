"""``tealeaves score --mark``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tealeaves
from tealeaves.tables.table import MARK_LEGEND

from .in_process import run_in_process

MINE = ("topics/en/middling.json", "-c", "en.jsonl")


@pytest.fixture(autouse=True)
def inside(playground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(playground)


def marked(*arguments: str) -> dict[Any, list[str] | None]:
    done = run_in_process("score", *arguments, "--mark")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {row["topic"]: row["odd"] for row in rows}


def test_help_has_the_option() -> None:
    done = run_in_process("score", "--help")
    assert "  tealeaves score lda.json -c texts.jsonl --mark\n" in done.stdout


def test_it_shows_topics_with_odd_words_in_brackets() -> None:
    done = run_in_process("score", *MINE, "-m", "npmi@10", "--mark", "--format", "table")
    assert done.returncode == 0
    heading, *lines = done.stdout.splitlines()
    assert heading.split() == ["model", "topic", "words", "npmi@10", "↑"]
    assert lines[3].startswith("middling  3      garden spring roots [school] soil")
    assert lines[8].startswith("middling  all")
    assert lines[-1] == MARK_LEGEND
    assert "note: marked by consensus@10: " in done.stderr
    assert "note: consensus: judged by the corpus, minilm_static, wordllama" in done.stderr


def test_rows_and_files_have_the_same_words_as_python(tmp_path: Path) -> None:
    scores = tealeaves.score(MINE[0], MINE[2], mark=True)
    wanted = {topic: list(odd) for (_, topic), odd in scores.marked.items()}
    path = tmp_path / "scores.csv"
    assert marked(*MINE, "-o", str(path)) == {**wanted, None: None}
    saved = tealeaves.read_scores(path).marked
    assert {topic: list(odd) for (_, topic), odd in saved.items()} == {
        str(topic): odd for topic, odd in wanted.items()
    }
    assert any(wanted.values())


def test_without_the_option_nothing_is_marked() -> None:
    done = run_in_process("score", *MINE, "-m", "npmi@10", "--by-topic", "--format", "table")
    assert "[" not in done.stdout
    assert "marked" not in done.stderr
    assert '"odd"' not in run_in_process("score", *MINE, "--by-topic").stdout


def test_markdown_strikes_words_through() -> None:
    done = run_in_process("score", *MINE, "--mark", "--format", "md")
    assert "| garden spring roots ~~school~~ soil" in done.stdout


def test_vectors_and_a_reference_may_serve_only_marking(tmp_path: Path) -> None:
    plain = ("score", *MINE, "-m", "npmi@10")
    others = tmp_path / "others.jsonl"  # a reference must not be the corpus
    others.write_text("\n".join(Path("en.jsonl").read_text().splitlines()[1:]))
    for more in (("-e", "wordllama"), ("--reference", str(others))):
        assert run_in_process(*plain, *more).returncode == 2
        done = run_in_process(*plain, *more, "--mark")
        assert done.returncode == 0, done.stderr
        source = "wordllama" if "-e" in more else "the corpus, the reference"
        assert f"judged by {'the corpus, ' * ('-e' in more)}{source}" in done.stderr


def test_vectors_alone_can_mark() -> None:
    assert marked("topics/en/middling.json", "-m", "diversity@10")[3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("en=topics/en/good.json", "es=topics/es/good.json", "-m", "twc@10"),
            "words are marked in topics of one language, and these are in several",
        ),
        (("topics/es/good.json", "-m", "diversity@10"), "consensus has nothing to go by"),
        (
            ("topics/en/good.json",),
            "npmi@10 needs texts: give a corpus (--corpus) or counts",
        ),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    done = run_in_process("score", *arguments, "--mark")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_one_language_of_mallets_polylingual_output_can_be_marked(tmp_path: Path) -> None:
    path = tmp_path / "keys.txt"
    sides = ("sky planet moon sun star", "cielo planeta luna sol estrella")
    told = (f" {number}\t5\t0.1\t{words} \n" for number, words in enumerate(sides))
    path.write_text("0\t0.5\n" + "".join(told))
    one = (str(path), "--languages", "en,es", "--language", "en", "-c", "en.jsonl")
    assert marked(*one, "-m", "npmi@5") == {0: [], None: None}
    done = run_in_process("consensus", *one)
    assert json.loads(done.stdout.splitlines()[0])["words"] == sides[0].split()


def test_one_language_of_several_can_be_marked() -> None:
    both = ("en=topics/en/middling.json", "es=topics/es/middling.json")
    found = marked(*both, "--language", "en", "-c", "en=en.jsonl", "-c", "es=es.jsonl")
    assert any(found.values())


@pytest.mark.parametrize("shown", [("--mark",), ("--report", "page.html"), ("--run", "x.run")])
def test_relevance_that_nothing_uses_is_refused(playground: Path, shown: tuple[str, ...]) -> None:
    """Unused, it would still decide which tokens are counted."""
    (playground / "classifier").mkdir(exist_ok=True)
    given = ("topics/en/good.json", "-c", "en.jsonl", "--relevance", "classifier", *shown)
    done = run_in_process("score", *given, "-m", "npmi@10")
    assert (done.returncode, done.stdout) == (2, "")
    assert "relevance" in done.stderr
