"""Kernels: how Python declares and calls the loops of the library, and runs without it."""

from __future__ import annotations

import ast
import importlib
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import tealeaves
from tealeaves import kernels
from tealeaves.errors import TealeavesWarning
from tealeaves.evidence import CountRequest, Term, Unit, count_corpus
from tealeaves.evidence.counting.kernels.events import TermEvents, count_events, find_events
from tealeaves.kernels import Arguments, Kernel, KernelError, in_python, kernel
from tealeaves.text import Corpus, Pipeline
from tests.systems import needs_library

if TYPE_CHECKING:
    from tealeaves.kernels import F32, F64, I32, I64

PACKAGE = Path(tealeaves.__file__).parent


def every_kernel() -> list[Kernel]:
    """Return the kernels of all modules that declare some."""
    found: dict[str, Kernel] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if not re.search(r"^@kernel$|^class \w+\(Arguments\)", source, re.MULTILINE):
            continue
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        module = importlib.import_module(".".join(parts))
        for value in vars(module).values():
            if isinstance(value, Kernel) and value.__module__ == module.__name__:
                found[value.name] = value
    return list(found.values())


@needs_library
def test_the_library_is_built() -> None:
    """Where a compiler is missing, users get Python; developers must see it."""
    assert kernels._library() is not None


@needs_library
def test_every_kernel_agrees_with_its_declaration_in_the_library() -> None:
    library = kernels._library()
    assert library is not None
    declared = every_kernel()
    for one in declared:
        one._load(library)  # raises if C declares something else
        assert len(one.kinds) == one.function.__code__.co_argcount
        assert len(one.kinds) <= 8, f"{one.name} takes too many arguments: use Arguments"
    names = re.findall(rb"_?([a-z_]+)_signature\0", Path(library._name).read_bytes())
    assert {name.decode() for name in names} == {one.name for one in declared}


def test_no_kernel_is_called_by_another() -> None:
    """A kernel takes arrays; Python functions that kernels share are plain functions."""
    names = {one.name for one in every_kernel()}
    for one in every_kernel():
        module = sys.modules[one.__module__]
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        [body] = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and node.name == one.name
        ]
        called = {
            node.func.id
            for node in ast.walk(body)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & names


@kernel
def scaled(numbers: F64, shorter: F32, by: float, times: int) -> float:
    """Multiply numbers, and return the sum of what they were."""
    total = 0.0
    for place in range(len(numbers)):
        total += numbers[place]
        numbers[place] *= by
        shorter[place] += times
    return total


def test_python_writes_to_the_arrays_that_it_is_given() -> None:
    numbers, shorter = np.array([0.5, -3.0, 1e300]), np.array([0.5, 1, 2], dtype=np.float32)
    assert scaled.python(numbers, shorter, 2.0, 4) == 0.5 - 3.0 + 1e300
    assert numbers.tolist() == [1.0, -6.0, 2e300]
    assert shorter.tolist() == [4.5, 5.0, 6.0]


@dataclass(frozen=True)
class Lines(Arguments):
    """Two arrays and a number."""

    first: I64
    second: I32
    shift: int


@kernel
def exchanged(lines: Lines, more: I64) -> int:
    """Exchange the numbers of two arrays."""
    for place in range(len(lines.first)):
        a, b = lines.first[place], lines.second[place]
        lines.first[place], lines.second[place] = b + lines.shift, a
        more[0] += 1
    return lines.shift


def test_python_writes_to_arrays_inside_arguments() -> None:
    lines = Lines(np.arange(3), np.array([7, 8, 9], dtype=np.int32), 10)
    more = np.zeros(1, dtype=np.int64)
    assert exchanged.python(lines, more) == 10
    assert lines.first.tolist() == [17, 18, 19]
    assert lines.second.tolist() == [0, 1, 2]
    assert exchanged.python(lines, more) == 10  # with the numbers of now
    assert lines.first.tolist() == [10, 11, 12]
    assert more.tolist() == [6]


@needs_library
def test_a_kernel_that_the_library_lacks_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(KernelError, match=r"another version.*pip install"):
        scaled(np.zeros(1), np.zeros(1, dtype=np.float32), 1.0, 1)


@needs_library
def test_a_library_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that takes other arguments would read anywhere."""
    changed = Kernel(count_events.function)
    monkeypatch.setitem(changed.kinds, "gram_start", "I32")
    with pytest.raises(KernelError, match="count_events_signature"):
        changed(np.zeros(1, dtype=np.int32), np.zeros(2, dtype=np.int32))
    changed = Kernel(find_events.function)
    monkeypatch.setitem(TermEvents._kinds, "bounds", "I32")
    with pytest.raises(KernelError, match="TermEvents_fields"):
        changed._load(kernels._library())  # type: ignore[arg-type]


def _no_library(path: Path, kind: str) -> Path:
    """Make something that is no library of kernels."""
    if kind == "folder":
        path.mkdir()
    elif kind == "text":
        path.write_text("no library", encoding="utf-8")
    elif kind == "empty":
        path.touch()
    elif kind == "zeros":
        path.write_bytes(bytes(100_000))
    elif kind == "cut off":
        library = kernels._library()
        assert library is not None
        content = Path(library._name).read_bytes()
        path.write_bytes(content[: len(content) // 2])
    return path


_CUT_OFF = pytest.param(
    "cut off",
    marks=[needs_library, pytest.mark.skipif(sys.platform != "linux", reason="a file of Linux")],
)


@pytest.mark.parametrize("kind", ["folder", "text", "empty", "zeros", "missing", _CUT_OFF])
def test_what_is_no_library_is_an_error_of_one_line(kind: str, tmp_path: Path) -> None:
    """In a process of its own, which a cut library could crash."""
    path = _no_library(tmp_path / "kernels.so", kind)
    done = subprocess.run(
        [sys.executable, "-m", "tealeaves", "demo"],
        env=os.environ | {kernels.LIBRARY: str(path)}, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    start = f"tealeaves: error: {kernels.LIBRARY} is {str(path)!r}, no library of kernels: "
    assert done.stderr.startswith(start)
    assert done.stderr.count("\n") == 1


@needs_library
def test_a_library_without_kernels_is_an_error_of_one_line() -> None:
    """Here that of another package, which declares none of ours."""
    numpy_core = importlib.import_module("numpy._core._multiarray_umath")
    done = subprocess.run(
        [sys.executable, "-m", "tealeaves", "demo"],
        env=os.environ | {kernels.LIBRARY: str(numpy_core.__file__)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert "the compiled kernels are of another version" in done.stderr
    assert done.stderr.count("\n") == 1


@needs_library
@pytest.mark.parametrize("kind", ["text", "empty", _CUT_OFF])
def test_where_the_library_of_the_package_is_damaged_python_counts(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _no_library(tmp_path / "kernels.so", kind)
    spec = SimpleNamespace(origin=str(path))
    monkeypatch.delenv(kernels.LIBRARY, raising=False)
    monkeypatch.setattr(kernels, "find_spec", lambda _: spec)
    assert kernels._library.__wrapped__() is None


def test_read_only_arrays_can_be_read() -> None:
    fixed = np.array([0, 1, 0], dtype=np.int32)
    fixed.flags.writeable = False
    starts = np.array([0, 2, 3])
    assert count_events.python(fixed, starts) == count_events(fixed, starts) == 8


@needs_library
@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros(4, dtype=np.int64),
        np.zeros(4, dtype=np.uint32),
        np.zeros(4, dtype=np.float32),
        np.zeros(4, dtype=">i4"),
        np.zeros(8, dtype=np.int32)[::2],
        np.zeros((2, 2), dtype=np.int32),
        np.frombuffer(bytes(17), dtype=np.uint8)[1:].view(np.int32),
    ],
    ids=["long", "unsigned", "float", "swapped", "with gaps", "two dimensions", "not aligned"],
)
def test_another_kind_of_array_is_refused(wrong: np.ndarray) -> None:
    with pytest.raises(TypeError, match="contiguous array of int32"):
        count_events(wrong, np.arange(10))


@needs_library
def test_other_arguments_are_refused() -> None:
    ints, longs = np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.int64)
    with pytest.raises(TypeError, match="TermTables, not Lines"):
        find_events(ints, ints, longs, Lines(longs, ints, 1), TermEvents(ints, ints, ints, longs))
    for given in ((), (ints,), (ints, longs, longs)):
        with pytest.raises(ValueError, match="zip"):
            count_events(*given)


@needs_library
def test_kernels_run_in_python_for_a_while() -> None:
    assert kernels.are_compiled()
    with in_python():
        assert not kernels.are_compiled()
        assert count_events(np.array([0], dtype=np.int32), np.array([0, 2])) == 3
    assert kernels.are_compiled()


COUNTING = """
from tealeaves.evidence import CountRequest, Term, Unit, count_corpus
from tealeaves.kernels import are_compiled
from tealeaves.text import Corpus, Pipeline
from tests.systems import needs_library

terms = [Term(("tea",)), Term(("leaf",)), Term(("tea", "leaf"))]
corpus = Corpus.of(["the tea leaf of été", "leaf tea"] * 500)
requests = [
    CountRequest.of(Unit(), [terms], [terms]),
    CountRequest.of(Unit("window", 10), [terms]),
    CountRequest.of(Unit("context", 5), [terms]),
    CountRequest.of(Unit("window", 3, "gensim"), [terms]),
]
found = count_corpus(corpus, Pipeline.parse("words"), requests, threads=2, block_bytes=1000)
print(are_compiled(), *((one.single(terms[2]), one.pair(*terms[:2])) for one in found))
"""


@needs_library
def test_without_the_library_the_counts_are_the_same() -> None:
    printed = []
    for path in (None, ""):
        environment = {k: v for k, v in os.environ.items() if k != kernels.LIBRARY}
        environment |= {} if path is None else {kernels.LIBRARY: path}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", COUNTING],
            env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        printed.append(done.stdout.split(maxsplit=1))
    assert [compiled for compiled, _ in printed] == ["True", "False"]
    assert printed[0][1] == printed[1][1]
    assert "(500, 1000)" in printed[0][1]


@pytest.mark.parametrize("texts", ["file", "memory"])
def test_a_large_corpus_says_that_it_is_counted_in_python(
    texts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "LARGE_TEXT", 1000)
    request = CountRequest.of(Unit(), [[Term(("tea",))]])

    def count(lines: int) -> None:
        path = tmp_path / "texts.txt"
        path.write_text("tea leaf\n" * lines)
        corpus = Corpus.open(path) if texts == "file" else Corpus.of(["tea leaf"] * lines)
        count_corpus(corpus, Pipeline.parse("words"), [request], block_bytes=100)

    with in_python():
        count(100)  # a warning is an error here
        with pytest.warns(TealeavesWarning, match="install a C compiler") as warned:
            count(500)
        assert len(warned) == 1
    if kernels.are_compiled():
        count(500)


def test_constants_are_the_same_in_both_languages() -> None:
    from tealeaves.evidence.counting.kernels import tokens, windows, word_table
    from tealeaves.models.polylingual.kernels import lanes
    from tealeaves.text import characters

    source = "".join(path.read_text() for path in (PACKAGE.parent / "native").glob("*.[ch]"))
    defined = dict(re.findall(r"#define (\w+) +(\d+)\b", source))
    assert int(defined["MOST_SIZES"]) == windows.MOST_SIZES
    assert int(defined["SLOT_WORDS"]) == word_table._SLOT_WORDS
    assert int(defined["SHORT"]) == word_table._PADDING
    assert f"LANES {lanes.LANES}" in source
    traits = ["LETTER", "MARK", "JOINER", "HARD", "MAYBE", "FIRST", "SIGMA", "CHANGES"]
    declared = ", ".join(f"{name} = {getattr(characters, name)}" for name in traits)
    assert declared in " ".join(source.split())
    assert (characters.CLASS, characters.LAST) == (1 << 8, 1 << 16)
    assert (tokens.VISIBLE, tokens.LETTERS, tokens.LETTERS_AND_DIGITS) == (0, 1, 2)
    assert (tokens.COUNTED, tokens.DROPPED, tokens.LEFT, tokens.SKIPPED) == (0, 1, 2, 3)
    assert tokens.LONGEST == (1 << 31) - 128


def test_an_interrupted_loop_in_python_leaves_nothing_behind() -> None:
    @kernel
    def stopped(lines: Lines, how: int) -> None:
        lines.first[0] += 1
        if how:
            raise KeyboardInterrupt

    lines = Lines(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int32), 0)
    with pytest.raises(KeyboardInterrupt):
        stopped.python(lines, 1)
    assert lines.first.tolist() == [0]
    lines.first[0] = 5
    stopped.python(lines, 0)
    assert lines.first.tolist() == [6]


@needs_library
def test_arguments_that_threads_share_stay_where_they_are() -> None:
    """Two threads may convert the same arguments at once; neither frees what the other uses."""
    ints, longs = np.zeros(1, dtype=np.int32), np.array([0, 1])
    events = TermEvents(ints, ints, ints, longs)
    kept = kernels._converted(events, "TermEvents")
    del events.__dict__["_native"]  # as another thread would overwrite it
    assert kept._obj.term.size == 1
