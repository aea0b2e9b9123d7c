"""Memory ends at each allocation of a small run: one line, or the right numbers; never others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.cli.main import main
from tealeaves.evidence.counts import Counts

#: Functions of numpy that take memory, as modules call them.
ALLOCATIONS = (
    *("arange", "array", "asarray", "ascontiguousarray", "bincount", "concatenate", "cumsum"),
    *("diff", "divmod", "empty", "flatnonzero", "frombuffer", "fromiter", "full", "maximum"),
    *("minimum", "ones", "repeat", "searchsorted", "sort", "stack", "unique", "where", "zeros"),
)
TEXTS = "the cat and the dog\na dog and a cat\nsoup and bread\nbread\n" * 3
TOPICS = "cat dog\nbread soup\n"


class Memory:
    """A count of allocations, the one at which memory ends."""

    def __init__(self, end: int) -> None:
        self.end = end
        self.count = 0

    def take(self) -> None:
        """Count one allocation; raise if it is the last."""
        self.count += 1
        if self.count == self.end:
            raise MemoryError


@contextmanager
def memory(end: int) -> Iterator[Memory]:
    """Let memory end at an allocation; 0 is never."""
    left = Memory(end)

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            left.take()
            return function(*arguments, **options)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in ALLOCATIONS:
            function = getattr(np, name)
            if not isinstance(function, np.ufunc):
                patch.setattr(np, name, counted(function))
        read = Path.read_bytes
        patch.setattr(Path, "read_bytes", counted(read))
        yield left


def _run(arguments: list[str]) -> object:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "texts.txt").write_text(TEXTS)
    (tmp_path / "topics.txt").write_text(TOPICS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


SCORE = ["score", "topics.txt", "-c", "texts.txt", "-m", "npmi@2 c_v@2 diversity@2", "-o"]
COUNT = ["count", "topics.txt", "-c", "texts.txt", "-m", "npmi@2", "-o"]


@pytest.mark.parametrize(
    ("arguments", "output"),
    [(SCORE, "scores.csv"), (COUNT, "a.counts")],
)
def test_the_end_of_memory_leaves_one_line_and_no_wrong_file(
    arguments: list[str], output: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert _run([*arguments, output]) == 0
    expected = (folder / output).read_bytes()
    with memory(0) as all_of_it:
        assert _run([*arguments, output]) == 0
    (folder / output).unlink()
    assert all_of_it.count > 50
    before = set(folder.iterdir())
    failed = 0
    for end in range(1, all_of_it.count + 1):
        capfd.readouterr()
        with memory(end):
            code = _run([*arguments, output])
        said = capfd.readouterr().err
        if code == 2:
            failed += 1
            assert said.count("\n") == 1 or "warning" in said
            assert "tealeaves: error: " in said
            assert set(folder.iterdir()) - before <= {folder / f"{output}.partial"}
        else:
            assert code == 0
            assert (folder / output).read_bytes() == expected
            (folder / output).unlink()
        (folder / f"{output}.partial").unlink(missing_ok=True)
    assert failed > all_of_it.count / 2
    assert _run([*arguments, output]) == 0
    assert (folder / output).read_bytes() == expected


def test_the_message_says_what_was_being_done(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("tealeaves.evidence.counts.offsets", fail)
    assert _run([*COUNT, "a.counts"]) == 2
    assert capfd.readouterr().err == (
        "tealeaves: error: out of memory in evidence.counts (save_counts): close other programs, "
        "or give less at a time\n"
    )
    assert not (folder / "a.counts").exists()


@pytest.mark.parametrize("end", range(1, 40))
def test_counts_are_read_whole_or_not_at_all(end: int, tmp_path: Path) -> None:
    counts = Counts.of({"a": 3, "b": 2}, {("a", "b"): 1}, units=5)
    counts.save(tmp_path / "a.counts")
    with memory(end):
        try:
            found = Counts.load(tmp_path / "a.counts")
        except (MemoryError, ValueError):
            return
    assert found == counts
