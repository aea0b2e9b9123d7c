"""The disk fails at each step of writing: a file is whole, old or absent, and one line says so.

For every command that writes, a counting stub lets the nth opening, write, flush or renaming fail,
for all n.
"""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tealeaves.lexicon.extraction.result import Extraction, Token, save_extraction

from .conftest import Done

Run = Callable[..., Done]

STEPS = ("open", "write", "fsync", "replace")
WORDS = ("hand", "foot", "eye", "the", "king", "came", "house", "and")
LEMMAS = [f"{stem}/{pos}" for stem in ("hand", "foot", "king") for pos in "NV"]
#: What a failed job may leave, because it can be resumed.
RESUMABLE = ".partial"


class FaultyDisk:
    """Counts what is done to the files of a folder that are written, and lets one step fail."""

    def __init__(self, folder: Path, failing: int | None = None, code: int = errno.ENOSPC) -> None:
        self.folder = folder
        self.steps = 0
        self.failing = failing
        self.code = code
        self.files: set[int] = set()

    @contextmanager
    def used(self, patch: pytest.MonkeyPatch) -> Iterator[None]:
        with patch.context() as context:
            for name in STEPS:
                context.setattr(os, name, self._stub(name, getattr(os, name)))
            yield

    def _stub(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def stub(first: Any, *arguments: Any, **options: Any) -> Any:
            is_ours = first in self.files if isinstance(first, int) else self._has(first)
            if is_ours and (name != "open" or arguments[0] & os.O_CREAT):
                self.steps += 1
                if self.steps - 1 == self.failing:
                    raise OSError(self.code, os.strerror(self.code))
            result = real(first, *arguments, **options)
            if name == "open":
                (self.files.add if is_ours else self.files.discard)(result)
            return result

        return stub

    def _has(self, path: object) -> bool:
        """Tell whether a file is one of the output; a cache may fail, and is done without."""
        return isinstance(path, str | os.PathLike) and Path(path).is_relative_to(self.folder)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small files for all commands."""
    folder = tmp_path_factory.mktemp("inputs")
    draw = random.Random(1)
    topics = {"model": "m", "topics": [["hand", "foot", "eye"], ["king", "house", "came"]]}
    (folder / "m.json").write_text(json.dumps(topics))
    (folder / "n.json").write_text(json.dumps(topics | {"model": "n"}))
    for name in ("a", "b"):
        lines = [" ".join(draw.choices(WORDS, k=8)) for _ in range(150)]
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
    verses = {f"GEN 1:{number}": draw.choices(WORDS, k=8) for number in range(1, 81)}
    for name, end in (("eng", ""), ("fin", "in"), ("swe", "a")):
        rows = (f"{key}\t{' '.join(f'{one}{end}' for one in text)}" for key, text in verses.items())
        (folder / f"{name}.tsv").write_text("\n".join(rows) + "\n")
    tagged = [
        {"id": key, "forms": ["hand", "king"], "words": ["hand/N", "king/N"], "text": "hand king"}
        for key in verses
    ]
    (folder / "eng.tagged.jsonl").write_text("".join(json.dumps(one) + "\n" for one in tagged))
    tokens = tuple(
        Token(frozenset(["käsi"] if n % 2 else ["ruka"]), (0,), 0.9, "hand", f"GEN 1:{n}", 0)
        for n in range(1, 7)
    )
    passages = {one.key: (["hand"], ["käsi"]) for one in tokens}
    save_extraction(Extraction("eng", "fin", "l", "l()", tokens, passages), folder / "fin.jsonl.gz")
    return folder


SCORED = ("score", "m.json", "n.json", "-c", "a.txt", "-m", "npmi")
EXTRACTED = ("lexicon", "extract", "--source=eng.tsv", "--target=fin.tsv", "--target=swe.tsv")

#: A command that writes to OUT, and the names that are there afterwards.
COMMANDS: dict[str, tuple[tuple[str, ...], str]] = {
    "score to CSV": ((*SCORED, "-o", "OUT/scores.csv"), "scores.csv"),
    "score to Parquet": ((*SCORED, "-o", "OUT/scores.parquet"), "scores.parquet"),
    "a run and a report": (
        (*SCORED, "--run", "OUT/x.run", "--report", "OUT/x.html"),
        "x.run x.html",
    ),
    "compare": (
        ("compare", "m.json", "n.json", "-c", "a.txt", "-m", "npmi", "-o", "OUT/c.json"),
        "c.json",
    ),
    "count": (
        ("count", "m.json", "-c", "a.txt", "-m", "npmi", "-o", "OUT/a.counts", "--restart"),
        "a.counts",
    ),
    "train": (
        ("train", "pltm", "-c", "a.txt", "-k", "2", "--set", "iterations=4", "--tokens", "words",
         "--set", "max_df=1", "-o", "OUT/t.topics", "--restart"),
        "t.topics",
    ),
    "select": (
        ("select", "--model", "pltm(iterations=4,max_df=1)", "-k", "2,3", "--runs", "1", "-c",
         "a.txt", "--tokens", "words", "-m", "npmi", "-o", "OUT/grid", "--restart"),
        "grid",
    ),
    "tag": (
        ("lexicon", "tag", "eng.tsv", "--words", "forms", "-o", "OUT/eng.tagged.jsonl.gz",
         "--restart"),
        "eng.tagged.jsonl.gz",
    ),
    "sample": (
        ("lexicon", "sample", "eng.tagged.jsonl", "-t", "fin.tsv", "-t", "swe.tsv", "--lemmas",
         "hand/N,king/N", "--per-lemma", "5", "-o", "OUT/sheets", "--restart"),
        "sheets",
    ),
    "extract": ((*EXTRACTED, "--lemmas", "hand,foot", "--model", "l", "-o", "OUT/found",
                 "--restart", "--jobs", "1"), "found"),
    "a map as a page": (("lexicon", "map", "hand", "fin.jsonl.gz", "-o", "OUT/h.html"), "h.html"),
    "a map as a table": (("lexicon", "map", "hand", "fin.jsonl.gz", "-o", "OUT/h.tsv"), "h.tsv"),
    "the demo": (("demo", "--copy", "OUT/demo"), "demo"),
}  # fmt: skip
#: Several files that are there together or not at all.
TOGETHER = ("sample", "the demo")
NEVER_REPLACED = ("the demo",)


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder, by their relative names."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def command(
    run: Run, inputs: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[tuple[str, ...], Path, FaultyDisk], Done]:
    """A function that runs a command with a disk, and puts its output into a folder."""

    def run_with(arguments: tuple[str, ...], output: Path, disk: FaultyDisk) -> Done:
        monkeypatch.chdir(inputs)
        given = [one.replace("OUT", str(output)) for one in arguments]
        with disk.used(monkeypatch):
            return run(*given)

    return run_with


@pytest.mark.parametrize(
    ("name", "is_new"),
    [(name, True) for name in COMMANDS]
    + [(name, False) for name in COMMANDS if name not in NEVER_REPLACED],
)
def test_a_file_is_whole_or_old_or_absent(
    command: Callable[..., Done], tmp_path: Path, name: str, *, is_new: bool
) -> None:
    arguments, outputs = COMMANDS[name]
    output = tmp_path / "out"
    output.mkdir()
    whole = FaultyDisk(output)
    done = command(arguments, output, whole)
    assert done.code == 0, done.err
    expected = contents(output)
    assert {one.split("/")[0] for one in expected} == set(outputs.split())
    assert whole.steps >= 5 * len(expected), "opened, written, flushed, renamed, flushed"
    for step in range(whole.steps):
        shutil.rmtree(output)
        output.mkdir()
        if not is_new:
            for path, content in expected.items():
                (output / path).parent.mkdir(parents=True, exist_ok=True)
                (output / path).write_bytes(content)
        code = (errno.ENOSPC, errno.EIO)[step % 2]
        done = command(arguments, output, FaultyDisk(output, step, code))
        check_outcome(done, output, expected, code=code, together=name in TOGETHER)
        if any(path.endswith(RESUMABLE) for path in contents(output)):
            again = tuple("--resume" if one == "--restart" else one for one in arguments)
            done = command(again, output, FaultyDisk(output))
            assert done.code == 0, done.err
            assert contents(output) == expected


def check_outcome(
    done: Done, output: Path, expected: dict[str, bytes], *, code: int, together: bool
) -> None:
    """Check that a failed command says what failed, and leaves nothing that is half done."""
    assert done.code == 2, done.err
    [error] = [line for line in done.err.splitlines() if line.startswith("tealeaves: error: ")]
    assert error.endswith(f": {os.strerror(code)}")
    assert str(output) in error, "it names the file"
    found = contents(output)
    kept = {path: content for path, content in found.items() if not path.endswith(RESUMABLE)}
    assert kept.items() <= expected.items()
    if together:
        assert len(kept) in (0, len(expected))
