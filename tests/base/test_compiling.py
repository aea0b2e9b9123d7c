"""Compiled kernels: machine code that agrees with the Python code and is kept between runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.compiling import cache
from tealeaves.compiling.cache import cached, is_cached
from tealeaves.compiling.intrinsics import load64, store64, trailing_zeros
from tealeaves.compiling.kernel import Kernel, compiled, inlined

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F32, F64, I32, I64, U8

#: a kernel that takes no time to compile, as a module of its own
TINY = """
from __future__ import annotations
import sys
import numpy as np
from tealeaves.compiling.kernel import compiled, inlined

@inlined
def twice(number: int) -> int:
    return number + number

@compiled
def doubled(numbers: I64, sums: I64) -> int:
    total = 0
    for place in range(len(numbers)):
        sums[place] = twice(numbers[place])
        total += sums[place]
    return total

if __name__ == "__main__":
    sums = np.zeros(5, dtype=np.int64)
    print(doubled(np.arange(5), sums), *sums, "numba" in sys.modules)
"""


AFTERWARDS = """
import numba, numpy

@numba.njit
def fill(size):
    if size < 0:
        raise ValueError("less than nothing")
    return numpy.ones(size).sum()

print(fill(3))
try:
    fill(-1)
except ValueError as error:
    print(error)
"""


@inlined
def bits_of(value: int) -> int:
    """Count the bits of a number and note the lowest."""
    found = 0
    while value != np.uint64(0):
        found += trailing_zeros(value) + 1
        value &= value - np.uint64(1)  # type: ignore[assignment]
    return found


@compiled
def shifted(data: U8, places: I32, more: I64, by: int) -> int:
    """Copy eight bytes from each place to the next, and add up their bits."""
    total = by
    for place in places:
        word = load64(data, place)
        store64(data, place + 8, word)
        total += bits_of(word)
        more[0] += place
    return total


_HALF = 0.5


@compiled
def scaled(numbers: F64, shorter: F32, by: float, times: int) -> float:
    """Multiply numbers, and add up halves of what was."""
    total = 0.0
    for place in range(len(numbers)):
        total += numbers[place] * _HALF
        numbers[place] *= by
        shorter[place] += times
    return total


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for what is kept."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("TEALEAVES_CACHE", str(folder))
    return folder


# ------------------------------------------------------------------ kernels


def test_machine_code_does_what_python_does() -> None:
    rng = np.random.default_rng(7)
    places = np.array([0, 3, 16, 3, 31, 40], dtype=np.int32)
    first = rng.integers(0, 256, 64, dtype=np.uint8)
    results = []
    for run in (shifted, shifted.plain):
        data, more = first.copy(), np.array([5, 6])
        total = run(data, places, more, -9)
        results.append((int(total), data.tolist(), more.tolist()))
    assert results[0] == results[1]
    assert results[0][2] == [5 + 93, 6]
    assert results[0][1] != first.tolist()


def test_kernels_take_and_return_numbers_with_fractions() -> None:
    results = []
    for run in (scaled, scaled.plain, scaled.interpreted):
        numbers, shorter = np.array([0.1, -3.0, 1e300]), np.array([0.5, 1, 2], dtype=np.float32)
        total = run(numbers, shorter, 0.3, 4)
        results.append((float(total), numbers.tolist(), shorter.tolist()))
    assert results[0] == results[1] == results[2]
    assert results[0][0] == (0.1 - 3.0 + 1e300) / 2
    assert results[0][1] == [0.1 * 0.3, -3.0 * 0.3, 1e300 * 0.3]
    assert results[0][2] == [4.5, 5.0, 6.0]
    with pytest.raises(TypeError, match="contiguous array of float64"):
        scaled(shorter, shorter, 0.3, 4)
    with pytest.raises(TypeError, match="contiguous array of float32"):
        scaled(numbers, numbers, 0.3, 4)


def test_a_constant_is_part_of_the_cache_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = scaled._key
    monkeypatch.setitem(scaled.plain.__globals__, "_HALF", 0.25)
    assert scaled._key != before


def test_an_interpreted_kernel_writes_to_its_arrays() -> None:
    @compiled
    def swapped(numbers: I64, other: I64, add: int) -> int:
        for place in range(len(numbers)):
            numbers[place], other[place] = other[place] + add, numbers[place]
        return add + 1

    one, other = np.arange(3), np.arange(3)[::-1].copy()
    assert swapped.interpreted(one, other, 10) == 11
    assert one.tolist() == [12, 11, 10]
    assert other.tolist() == [0, 1, 2]


def test_read_only_arrays_can_be_read() -> None:
    from tealeaves.evidence.counting.kernels.events import count_events

    fixed = np.array([0, 1, 0], dtype=np.int32)
    fixed.flags.writeable = False
    starts = np.array([0, 2, 3])
    assert count_events.interpreted(fixed, starts) == count_events(fixed, starts) == 8


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
    from tealeaves.evidence.counting.kernels.events import count_events

    with pytest.raises(TypeError, match="contiguous array of int32"):
        count_events(wrong, np.arange(10))


def test_the_number_of_arguments_is_checked() -> None:
    from tealeaves.evidence.counting.kernels.events import count_events

    for given_arrays in ((), (np.zeros(1, dtype=np.int32),), (np.zeros(1),) * 3):
        with pytest.raises((TypeError, ValueError)):
            count_events(*given_arrays)


@given(st.integers(0, 2**64 - 1), st.integers(0, 8))
def test_single_instructions_in_python(value: int, place: int) -> None:
    data = np.full(16, 7, dtype=np.uint8)
    store64(data, place, value)
    assert load64(data, place) == value
    assert data.tolist()[:place] + data.tolist()[place + 8 :] == [7] * 8
    zeros = trailing_zeros(value)
    assert zeros == (64 if value == 0 else len(f"{value:b}") - len(f"{value:b}".rstrip("0")))


def test_every_kernel_declares_its_arguments() -> None:
    from tealeaves.compiling.arrays import ELEMENTS
    from tealeaves.evidence.counting import counters, events, hits
    from tealeaves.evidence.counting.corpus import KERNELS
    from tealeaves.text.digest import digest_texts

    kernels = [
        value
        for module in (counters, events, hits)
        for value in vars(module).values()
        if isinstance(value, Kernel)
    ]
    assert set(kernels) | {digest_texts} == set(KERNELS)  # which prepare_kernels() compiles
    for kernel in kernels:
        assert set(kernel.kinds.values()) <= {*ELEMENTS, "int"}
        assert kernel.returns in ("int", "None")
        assert len(kernel.kinds) == kernel.plain.__code__.co_argcount


# ------------------------------------------------------------------ what is kept


def test_results_are_cached(empty_cache: Path) -> None:
    made = []

    def make() -> bytes:
        made.append(1)
        return b"content"

    assert not is_cached("name", "key")
    assert [cached("name", "key", make) for _ in range(3)] == [b"content"] * 3
    assert len(made) == 1
    assert is_cached("name", "key")
    cached("name", "other key", make)
    cached("other name", "key", make)
    assert len(made) == 3
    assert not [path for path in empty_cache.iterdir() if path.name.endswith(".tmp")]


def damages(content: bytes) -> list[bytes]:
    flipped = [bytes([*content[:p], content[p] ^ 1, *content[p + 1 :]]) for p in (0, 15, 16, -1)]
    return [b"", content[:5], content[:16], content[:-1], content + b"x", *flipped[:3]]


@pytest.mark.parametrize("number", range(8))
def test_a_damaged_cache_file_is_replaced(empty_cache: Path, number: int) -> None:
    cached("name", "key", lambda: b"right")
    [path] = empty_cache.iterdir()
    whole = path.read_bytes()
    path.write_bytes(damages(whole)[number])
    assert cached("name", "key", lambda: b"again") == b"again"
    assert cached("name", "key", lambda: b"never") == b"again"


def test_without_a_writable_cache_it_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    (tmp_path / "taken").mkdir()
    for place in (file, file / "below", Path("/proc/nowhere")):
        monkeypatch.setenv("TEALEAVES_CACHE", str(place))
        for made in (b"one", b"two"):
            assert cached("name", "key", partial(bytes, made)) == made
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path / "taken"))
    cached("name", "key", lambda: b"x")
    [path] = (tmp_path / "taken").iterdir()
    path.unlink()
    path.mkdir()  # a folder stands where the file should be
    for made in (b"one", b"two"):
        assert cached("name", "key", partial(bytes, made)) == made


def test_without_a_home_folder_the_package_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Containers run as users that have neither a home nor a name."""
    import pwd

    def nobody(number: int) -> None:
        raise KeyError(number)

    for name in ("TEALEAVES_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    assert cache._folders() == [Path(cache.__file__).parent / "__pycache__"]


def test_an_error_is_not_cached(empty_cache: Path) -> None:
    def fail() -> bytes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        cached("name", "key", fail)
    assert cached("name", "key", lambda: b"x") == b"x"


# ------------------------------------------------------------------ processes


def run(arguments: list[str], folder: Path | None) -> subprocess.Popen[str]:
    environment = dict(os.environ)
    if folder is not None:
        environment["TEALEAVES_CACHE"] = str(folder)
    return subprocess.Popen(
        [sys.executable, "-W", "error", *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out.strip()


def test_a_kernel_is_compiled_once_for_all_processes(tmp_path: Path) -> None:
    """Two at the same time, then one that finds what they made, then one that finds it damaged."""
    script, folder = tmp_path / "tiny.py", tmp_path / "cache"
    script.write_text(TINY + AFTERWARDS)
    first = [run([str(script)], folder) for _ in range(2)]
    answers = []
    for process in first:
        answer, *afterwards = ended(process).splitlines()
        answers.append(answer)
        assert afterwards == ["3.0", "less than nothing"]  # numba works beside what it compiled
    script.write_text(TINY)
    assert {answer.rpartition(" ")[0] for answer in answers} == {"20 0 2 4 6 8"}
    assert "True" in " ".join(answers)
    [kept] = folder.iterdir()
    assert ended(run([str(script)], folder)) == "20 0 2 4 6 8 False"
    kept.write_bytes(kept.read_bytes()[:-9])
    assert ended(run([str(script)], folder)) == "20 0 2 4 6 8 True"
    assert ended(run([str(script)], folder)) == "20 0 2 4 6 8 False"
    script.write_text(TINY.replace("number + number", "number + number + 1"))
    assert ended(run([str(script)], folder)) == "25 1 3 5 7 9 True"


COUNTING = """
import sys
from tealeaves.evidence import CountRequest, Term, Unit, count_corpus
from tealeaves.text import Corpus, Pipeline

terms = [Term(("tea",)), Term(("leaf",)), Term(("tea", "leaf"))]
corpus = Corpus.of(["the tea leaf of été", "leaf tea"] * 12_000)
requests = [
    CountRequest.of(Unit(), [terms], [terms]),
    CountRequest.of(Unit("window", 10), [terms]),
    CountRequest.of(Unit("context", 5), [terms]),
    CountRequest.of(Unit("window", 3, "gensim"), [terms]),
]
found = count_corpus(corpus, Pipeline.parse("words"), requests, threads=2, block_bytes=100_000)
print(*(one.single(terms[2]) for one in found), "numba" in sys.modules)
"""


def test_cached_kernels_load_without_numba() -> None:
    """Beside it numba works, though LLVM has one table of names for all who use it."""
    # kept with the package, or compiled now: all kernels take ten seconds
    first = ended(run(["-c", COUNTING], None))
    assert first.startswith("12000 12000 12000 0 ")
    again = ended(run(["-c", COUNTING + AFTERWARDS], None)).splitlines()
    assert again == ["12000 12000 12000 0 False", "3.0", "less than nothing"]


def test_cache_files_that_others_can_write_are_not_loaded(empty_cache: Path) -> None:
    assert cached("name", "key", lambda: b"one") == b"one"
    [kept] = empty_cache.iterdir()
    kept.chmod(0o666)
    assert cached("name", "key", lambda: b"two") == b"two"


KEYS = """
from tealeaves.evidence.counting.kernels.tokens import find_hits
from tealeaves.text.characters import character_tables
character_tables("tokens", "keep")
print(find_hits._key)
"""


def test_a_changed_source_is_compiled_again(tmp_path: Path) -> None:
    """Else a correction would not reach those who have old tables and old machine code."""
    package, kept = tmp_path / "tealeaves", tmp_path / "cache"
    ours = Path(cache.__file__).parents[1]
    shutil.copytree(ours, package, ignore=shutil.ignore_patterns("__pycache__", "demo"))
    source = package / "text" / "characters.py"
    keys = []
    for change in ("", "", "\nLETTER = 512\n"):
        source.write_text(source.read_text(encoding="utf-8") + change, encoding="utf-8")
        code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{KEYS}"
        keys.append(ended(run(["-c", code], kept)))
    tables = [path for path in kept.iterdir() if path.name.startswith("characters-")]
    assert keys[0] == keys[1]
    assert len(tables) == 2, "the tables of characters are the old ones"
    assert keys[2] != keys[0], "the kernel knows the old constants of its characters"
