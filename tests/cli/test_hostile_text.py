"""Words, names and paths of files do nothing to a terminal, in whatever way they are printed."""

from __future__ import annotations

import ast
import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.systems import needs_links, needs_terminals, on_terminal

Run = Callable[..., Any]

# a title for the window, a cleared screen, C1 controls, delete, a backspace, directions that are
# overridden, lines, and mark-up of rich
SIGNS = "\x1b]0;title\x07\x1b[2J\x9b31m\x7f\x08\u202e\u2066\u2029\r\n\t[bold]b[/bold][/]"
SHOWN = r"\x1b]0;title\x07\x1b[2J\x9b31m\x7f\x08\u202e\u2066\u2029\r\n\t[bold]b[/bold][/]"
LEGITIMATE = ["می\u200cخواهم", "क्\u200dष", "e\u0301te", "שלום\u200f", "👩\u200d🚀"]
COMMANDS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
COLOURS = re.compile("\x1b\\[[0-9;]*m")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder with topics and texts that are full of signs for terminals."""
    topics = {
        "model": f"m{SIGNS}",
        "language": f"xx{SIGNS}",
        "tokens": "tokens",
        "topics": [
            {"id": f"t{SIGNS}", "words": [f"cat{SIGNS}", "dog"]},
            {"id": "u", "words": ["soup", "bread", f"never{SIGNS}"]},
            {"id": "v", "words": LEGITIMATE},
        ],
    }
    (tmp_path / "topics.json").write_text(json.dumps(topics), encoding="utf-8")
    (tmp_path / "texts.txt").write_text("cat dog\nsoup bread\n" * 5, encoding="utf-8")
    return tmp_path


def score(folder: Path, *arguments: str) -> list[str]:
    files = [str(folder / "topics.json"), "-c", str(folder / "texts.txt")]
    return ["score", *files, "-m", "npmi", *arguments]


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv", "md", "latex"])
@pytest.mark.parametrize("more", [(), ("--by-topic",)])
def test_scores_in_all_formats(run: Run, hostile: Path, form: str, more: tuple[str, ...]) -> None:
    done = run(*score(hostile, "--format", form, *more))
    assert done.code == 0
    out = done.out.replace("\t", "") if form == "csv" else done.out  # a part of a quoted cell
    if form == "csv":
        out = re.sub("[\u202a-\u202e\u2066-\u2069\u2029]", "", out)  # which are part of texts
    assert not COMMANDS.search(out)
    assert not COMMANDS.search(done.err), "notes and warnings"
    if form in ("table", "jsonl"):
        assert "[bold]b[/bold]" in done.out
    if form == "table":
        assert SHOWN in done.out
    if more and form in ("md", "latex"):  # others have no words, or no place for them
        assert all(word in done.out for word in LEGITIMATE)
    if form == "jsonl":
        rows = [json.loads(line) for line in done.out.splitlines()]
        assert rows[0]["model"] == f"m{SIGNS}".strip()


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".csv", ".md", ".tex"])
def test_files_of_scores(run: Run, hostile: Path, suffix: str) -> None:
    saved = hostile / f"scores{suffix}"
    assert run(*score(hostile, "--by-topic", "-o", str(saved))).code == 0
    text = saved.read_bytes().decode()
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)


@needs_terminals
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_terminal_gets_colours_and_lines_alone(hostile: Path, stream: str) -> None:
    topics = json.loads((hostile / "topics.json").read_text(encoding="utf-8"))
    topics["topics"][0]["words"] *= 2  # a warning says that words are repeated
    (hostile / "topics.json").write_text(json.dumps(topics), encoding="utf-8")
    command = [sys.executable, "-m", "tealeaves", *score(hostile, "--by-topic")]
    shown = on_terminal(command, stream=stream).decode().replace("\r\n", "\n")
    plain = COLOURS.sub("", shown)
    bar = plain.rpartition("\r")[2] if stream == "stderr" else plain  # the progress bar moves
    assert not COMMANDS.search(bar)
    assert "\x1b]" not in shown
    assert "\x1b[2J" not in shown


def test_errors(run: Run, hostile: Path) -> None:
    texts = str(hostile / "texts.txt")
    for arguments in (
        [f"nowhere{SIGNS}.json", "-c", texts],
        [str(hostile / "topics.json"), "-c", f"nowhere{SIGNS}"],
        [str(hostile / "topics.json"), "-c", texts, "-m", f"npmi{SIGNS}"],
        [str(hostile / "topics.json"), "-c", texts, "--tokens", f"words(stopwords='{SIGNS}')"],
        [str(hostile / "topics.json"), "-c", texts, f"--{SIGNS}"],
        [str(hostile / "topics.json"), "-c", texts, "--format", SIGNS],
    ):
        done = run("score", *arguments)
        assert (done.code, done.out) == (2, "")
        assert not COMMANDS.search(done.err)
        assert done.err.count("\n") == 1


@needs_links  # Windows allows no such names
def test_names_of_files(run: Run, hostile: Path) -> None:
    name = "a\x1b[2J\x9b\u202e\nb.json"
    (hostile / name).write_text('{"topics": [["cat", "dog"]]}', encoding="utf-8")
    done = run("score", hostile / name, "-c", hostile / "texts.txt", "-m", "npmi", "--format=table")
    assert r"a\x1b[2J\x9b\u202e\nb" in done.out
    assert not COMMANDS.search(done.out + done.err)
    (hostile / name).write_text("{", encoding="utf-8")
    done = run("score", hostile / name, "-c", hostile / "texts.txt", "-m", "npmi")
    assert done.code == 2
    assert not COMMANDS.search(done.err)


def test_python_prints_results_as_safely(hostile: Path) -> None:
    import tealeaves

    scores = tealeaves.score(hostile / "topics.json", hostile / "texts.txt", "npmi")
    assert not COMMANDS.search(str(scores) + scores.to_html())
    assert SHOWN in str(scores)


def test_progress_bars() -> None:
    from tealeaves.jobs import progress_bar

    stream = io.StringIO()
    with progress_bar(2, SIGNS, file=stream) as bar:
        assert bar.disable, "no terminal"
    bar = progress_bar(2, SIGNS)
    bar.set_description(SIGNS)
    assert bar.desc in ("", f"{SHOWN}: ")
    bar.set_description_str(SIGNS)
    assert bar.desc == SHOWN


def test_all_that_commands_print_passes_one_module() -> None:
    """A console of rich has a file in memory, which is printed then."""
    source = Path(__file__).parents[2] / "src" / "tealeaves"
    found = {
        (path.relative_to(source).as_posix(), what)
        for path in source.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and (what := _prints(node))
    }
    assert found == {("printing.py", "click.echo")}


def _prints(call: ast.Call) -> str:
    name = ast.unparse(call.func)
    return name if name in ("click.echo", "click.secho", "print", "sys.stdout.write") else ""
