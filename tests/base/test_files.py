from __future__ import annotations

import gzip
import os
import platform
import re
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.files import InputFile, Meter, atomic_write, decode_text, remove_leftovers
from tests.systems import needs_links, needs_named_pipes, needs_proc, needs_umask


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def write_half(target: Path, error: type[BaseException]) -> None:
    with atomic_write(target) as stream:
        stream.write(b"half of the n")
        raise error


@pytest.mark.parametrize("kind", [str, Path])
def test_the_file_has_the_written_content(tmp_path: Path, kind: type[str] | type[Path]) -> None:
    target = tmp_path / "out.bin"
    with atomic_write(kind(str(target))) as stream:
        stream.write(b"one\r\n")
        stream.write(b"\x00two")
    assert target.read_bytes() == b"one\r\n\x00two"
    assert list(tmp_path.iterdir()) == [target]


def test_the_old_file_stays_until_the_new_one_is_complete(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_bytes(b"old")
    with atomic_write(target) as stream:
        stream.write(b"new")
        stream.flush()
        assert target.read_bytes() == b"old"
        [neighbour] = [path for path in tmp_path.iterdir() if path != target]
        assert neighbour.name.startswith(".")
    assert target.read_bytes() == b"new"


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, GeneratorExit])
def test_an_exception_leaves_the_old_file_and_no_temporary(
    tmp_path: Path, error: type[BaseException]
) -> None:
    target = tmp_path / "out.txt"
    target.write_bytes(b"old")
    with pytest.raises(error):
        write_half(target, error)
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_exception_leaves_no_new_file(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        write_half(tmp_path / "out.txt", RuntimeError)
    assert list(tmp_path.iterdir()) == []


@needs_umask
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_permissions_follow_the_umask(tmp_path: Path, mask: int, mode: int) -> None:
    target = tmp_path / "out.txt"
    with umask(mask):
        with atomic_write(target) as stream:
            stream.write(b"x")
        after = os.umask(mask)
    assert stat.S_IMODE(target.stat().st_mode) == mode
    assert after == mask, "the umask itself is left as it was"


def test_a_missing_folder_is_an_error_that_creates_nothing(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match="no such folder"),
        atomic_write(tmp_path / "no" / "out.txt"),
    ):
        pytest.fail("the body must not run")
    assert list(tmp_path.iterdir()) == []


def test_only_temporary_files_of_dead_processes_are_removed(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    host = re.sub(r"[^A-Za-z0-9]", "", platform.node()) or "host"
    names = {
        f".k.counts.{host}-{dead.pid}.tmp": False,
        f".k.counts.{host}-{os.getpid()}.tmp": True,
        ".k.counts.notes.tmp": True,
        ".keepme.tmp": True,
        f".other.{host}-{dead.pid}.tmp": True,
        f".k.counts.elsewhere-{dead.pid}.tmp": True,
    }
    for name in names:
        (tmp_path / name).touch()
    remove_leftovers(tmp_path / "k.counts")
    assert {name: (tmp_path / name).exists() for name in names} == names


@needs_proc
def test_temporary_files_of_a_zombie_process_are_removed(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    state = Path(f"/proc/{process.pid}/stat")
    while b") Z" not in state.read_bytes():
        time.sleep(0.001)
    left = tmp_path / f".k.counts.{re.sub('[^A-Za-z0-9]', '', platform.node())}-{process.pid}.tmp"
    left.touch()
    remove_leftovers(tmp_path / "k.counts")
    assert not left.exists()
    process.wait()


def test_only_regular_files_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="folder"), atomic_write(tmp_path / "folder"):
        pass


@needs_named_pipes
def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe"), atomic_write(tmp_path / "pipe"):
        pass


@needs_links
def test_a_link_to_itself_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises((InputError, OSError)), atomic_write(tmp_path / "loop" / "x"):
        pass


# ---------------------------------------------------------------------- reading


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_lines_are_read_without_byte_order_mark_and_line_breaks(tmp_path: Path, name: str) -> None:
    data = "\ufeffone\r\n\ntwo é".encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    meter = Meter()
    assert list(InputFile(path).lines(meter)) == ["one", "", "two é"]
    assert meter.done == InputFile(path).size == path.stat().st_size


def test_a_file_may_have_another_name_and_compression_than_its_path(tmp_path: Path) -> None:
    path = tmp_path / "copy"
    path.write_bytes(gzip.compress(b"one\n"))
    assert list(InputFile(path, name="<stdin>", compression=".gz").lines()) == ["one"]
    with pytest.raises(InputError, match=r"^<stdin>: a \.gz file by its content"):
        list(InputFile(path, name="<stdin>").lines())


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_invalid_text_is_an_error_with_line_and_byte(mark: bytes) -> None:
    assert decode_text(mark + "a\né".encode(), "a.txt") == "a\né"
    byte = len(mark) + 3
    with pytest.raises(InputError, match=rf"^a\.txt:2: invalid UTF-8 at byte {byte} of the file"):
        decode_text(mark + b"a\nb\xff", "a.txt")
