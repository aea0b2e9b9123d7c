from __future__ import annotations

import errno
import gzip
import io
import os
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.files import (
    InputFile,
    Meter,
    Spool,
    atomic_write,
    atomic_writes,
    decode_text,
    growing_file,
    move_into_place,
    remove_abandoned_folders,
    remove_leftovers,
    temporary_folder,
)
from tealeaves.system import keep_permissions, mark_in_use
from tests.systems import (
    WINDOWS,
    kill_group,
    needs_links,
    needs_named_pipes,
    needs_proc,
    needs_root,
    needs_umask,
    started,
)


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


# what another process runs: it writes half a file and waits
HALF_WRITTEN = """
import sys
from tealeaves.files import atomic_write
with atomic_write(sys.argv[1]) as stream:
    stream.write(b"x" * 2**21)
    print("half", flush=True)
    input()
"""


@contextmanager
def half_written(target: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start a process that has written half of a file."""
    command: list[str | Path] = [sys.executable, "-c", HALF_WRITTEN, target]
    process = started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdin is not None
    with process:
        try:
            assert process.stdout.readline() == b"half\n"
            yield process
        finally:
            process.kill()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_only_temporary_files_of_dead_processes_are_removed(tmp_path: Path) -> None:
    target = tmp_path / "k.counts"
    others = [".k.counts.notes.tmp", ".keepme.tmp", ".k.counts.elsewhere-0123456789ab.tmp"]
    for name in others:
        (tmp_path / name).touch()
    with half_written(target) as process:
        [temporary] = set(names(tmp_path)) - set(others)
        assert re.fullmatch(r"\.k\.counts\.[A-Za-z0-9]+-[0-9a-f]{12}\.tmp", temporary)
        remove_leftovers(tmp_path / "other")
        remove_leftovers(target)
        assert temporary in names(tmp_path), "its writer lives"
        kill_group(process)
        process.wait()
        if WINDOWS:  # a file that was just closed may still be renamed
            os.utime(tmp_path / temporary, (0, 0))
        remove_leftovers(tmp_path / "other")
        assert temporary in names(tmp_path), "it is of another file"
        remove_leftovers(target)
    assert names(tmp_path) == sorted(others)


def test_a_living_writer_finishes_while_leftovers_are_removed(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with half_written(target) as process:
        remove_leftovers(target)
        process.communicate(b"\n")
        assert process.returncode == 0
    assert target.read_bytes() == b"x" * 2**21
    assert names(tmp_path) == ["out"]


def test_a_temporary_file_that_was_removed_before_its_lock_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[Path] = []

    def remove_first(file: int, path: Path) -> bool:
        tries.append(path)
        if len(tries) == 1:
            path.unlink()
        return mark_in_use(file, path)

    monkeypatch.setattr("tealeaves.files.mark_in_use", remove_first)
    with atomic_write(tmp_path / "out") as stream:
        stream.write(b"x")
    assert (tmp_path / "out").read_bytes() == b"x"
    assert len(set(tries)) == 2


def test_two_writers_of_one_process_do_not_mix(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with atomic_write(target) as first:
        first.write(b"first" * 1000)
        with atomic_write(target) as second:
            second.write(b"second" * 1000)
        assert target.read_bytes() == b"second" * 1000
    assert target.read_bytes() == b"first" * 1000
    assert names(tmp_path) == ["out"]


def test_threads_that_save_one_file_leave_one_of_theirs(tmp_path: Path) -> None:
    target = tmp_path / "out"
    contents = [bytes([65 + number]) * 300_000 for number in range(6)]
    together = threading.Barrier(len(contents))

    def save(content: bytes) -> None:
        together.wait()
        with atomic_write(target) as stream:
            for start in range(0, len(content), 10_000):
                stream.write(content[start : start + 10_000])
                stream.flush()

    for _ in range(5):
        with ThreadPoolExecutor(len(contents)) as pool:
            list(pool.map(save, contents))
        assert target.read_bytes() in contents
        assert names(tmp_path) == ["out"]


@needs_umask
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o444])
def test_a_file_keeps_the_mode_of_the_one_that_it_replaces(tmp_path: Path, mode: int) -> None:
    target = tmp_path / "out"
    target.write_bytes(b"old")
    target.chmod(mode)
    with atomic_write(target) as stream:
        stream.write(b"new")
        stream.flush()
        [temporary] = set(tmp_path.iterdir()) - {target}
        assert stat.S_IMODE(temporary.stat().st_mode) == 0o600, "nobody else reads a part of it"
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == mode


@needs_umask
def test_a_moved_file_gets_the_mode_of_the_one_that_it_replaces(tmp_path: Path) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    for file in (new, old):
        file.write_text(file.name, encoding="utf-8")
    old.chmod(0o600)
    move_into_place(new, old)
    assert old.read_text(encoding="utf-8") == "new"
    assert stat.S_IMODE(old.stat().st_mode) == 0o600
    assert names(tmp_path) == ["old"]


@needs_root
def test_root_keeps_the_owner(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_bytes(b"old")
    os.chown(target, 1234, 2345)
    target.chmod(0o640)
    with atomic_write(target) as stream:
        stream.write(b"new")
    state = target.stat()
    assert (state.st_uid, state.st_gid, stat.S_IMODE(state.st_mode)) == (1234, 2345, 0o640)


@needs_umask
def test_another_group_does_not_get_the_rights_of_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out"
    target.write_bytes(b"old")
    target.chmod(0o664)
    old = list(target.stat())
    old[5] += 1  # its group

    def refuse(*_: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fchown", refuse)
    with target.open("rb") as stream:
        keep_permissions(stream.fileno(), os.stat_result(old))
    assert stat.S_IMODE(target.stat().st_mode) == 0o644


# ---------------------------------------------------------------------- several files


def test_several_files_get_their_names_together(tmp_path: Path) -> None:
    one, other = tmp_path / "a" / "b" / "one", tmp_path / "other"
    with atomic_writes() as write:
        write(one, b"1")
        write(other, b"2")
        assert not one.exists()
        assert not other.exists()
    assert (one.read_bytes(), other.read_bytes()) == (b"1", b"2")
    assert names(tmp_path) == ["a", "other"]
    assert names(tmp_path / "a" / "b") == ["one"]


def test_an_error_leaves_none_of_several_files(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")

    def write_all() -> None:
        with atomic_writes() as write:
            write(tmp_path / "a" / "b" / "one", b"1")
            write(tmp_path / "old", b"new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_all()
    assert names(tmp_path) == ["old"]
    assert (tmp_path / "old").read_bytes() == b"old"


# ---------------------------------------------------------------------- temporary folders, spools


# what other processes run: they make what goes with them, and wait
IN_FOLDER = """
import sys
from pathlib import Path
from tealeaves.files import temporary_folder
with temporary_folder(Path(sys.argv[1]), ".new-") as folder:
    (folder / "a").touch()
    print(folder.name, flush=True)
    input()
"""
SPOOLED = """
import sys, tempfile, time
tempfile.tempdir = sys.argv[1]
from tealeaves.text.files import find_files
[file] = find_files(["-"], None, "text")
print(file.path, flush=True)
print(len(list(file.lines())), file.identity == find_files([file.path], None, "text")[0].identity)
sys.stdout.flush()
time.sleep(60)
"""


def test_a_temporary_folder_is_removed_at_the_end(tmp_path: Path) -> None:
    with temporary_folder(tmp_path, ".new-") as folder:
        (folder / "a").touch()
        remove_abandoned_folders(tmp_path, ".new-")
        assert (folder / "a").exists()
    assert names(tmp_path) == []


def test_a_temporary_folder_of_a_killed_process_is_removed(tmp_path: Path) -> None:
    (tmp_path / ".new-empty").mkdir()  # its process was killed before it had a lock
    (tmp_path / ".new-rest").mkdir()  # its process was killed while it was removed
    (tmp_path / ".new-rest" / "a").touch()
    (tmp_path / ".new-file").touch()
    (tmp_path / "other").mkdir()
    process = started(
        [sys.executable, "-c", IN_FOLDER, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        assert process.stdout is not None
        name = process.stdout.readline().decode().strip()
        assert names(tmp_path) == sorted([".new-file", name, "other"])
        kill_group(process)
        process.wait()
        assert name in names(tmp_path)
        if WINDOWS:
            os.utime(tmp_path / name / ".lock", (0, 0))
        remove_abandoned_folders(tmp_path, ".new-")
    assert names(tmp_path) == [".new-file", "other"]


@needs_links
def test_links_to_folders_are_left(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / ".lock").touch()
    (tmp_path / ".new-link").symlink_to("other")
    remove_abandoned_folders(tmp_path, ".new-")
    assert (tmp_path / "other" / ".lock").exists()


@needs_proc
def test_a_copy_of_standard_input_goes_with_a_process_that_is_killed(tmp_path: Path) -> None:
    process = started(
        [sys.executable, "-c", SPOOLED, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"one\ntwo\n")
        process.stdin.close()
        path = process.stdout.readline().decode().strip()
        assert process.stdout.readline() == b"2 True\n"
        assert Path(path).read_bytes() == b"one\ntwo\n", "another process can read it"
        kill_group(process)
        process.wait()
    assert names(tmp_path) == []


def test_where_files_need_a_name_a_later_run_removes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("tealeaves.files.path_of_unnamed", lambda _: None)
    (tmp_path / "tealeaves-killed").mkdir()
    (tmp_path / "tealeaves-killed" / "stream").touch()
    copy = Spool(io.BytesIO(b"one"), "<stdin>")
    assert copy.path.read_bytes() == b"one"
    assert names(tmp_path) == [copy.path.parent.name]
    copy.close()
    assert names(tmp_path) == []


# ---------------------------------------------------------------------- full disks


FULL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
from tealeaves.cli.main import main
main(sys.argv[1:])
"""


@needs_umask
@pytest.mark.parametrize("old", [None, b"old"])
def test_a_file_that_may_not_grow_is_named(tmp_path: Path, old: bytes | None) -> None:
    target = tmp_path / "out"
    if old is not None:
        target.write_bytes(old)
    done = subprocess.run(
        [sys.executable, "-c", FULL, "demo", "--copy", tmp_path / "demo"],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert re.fullmatch(
        rf"tealeaves: error: {tmp_path}/demo/[\w./]+: File too large\n", done.stderr
    )
    assert names(tmp_path) == ([] if old is None else ["out"])


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO])
@pytest.mark.parametrize("call", ["write", "fsync"])
def test_an_error_of_the_disk_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    def fail(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    target = tmp_path / "out"
    target.write_bytes(b"old")
    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OSError, match="out") as caught, atomic_write(target) as stream:
        stream.write(b"new")
    assert (caught.value.errno, caught.value.filename) == (code, str(target))
    assert target.read_bytes() == b"old"
    assert names(tmp_path) == ["out"]


def test_an_error_of_a_growing_file_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.partial"
    with growing_file(target, append=False) as stream:
        stream.write(b"one")
    with growing_file(target, append=True) as stream:
        stream.write(b"two")

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", fail)
    with (
        pytest.raises(OSError, match=r"out\.partial"),
        growing_file(target, append=True) as stream,
    ):
        stream.write(b"three")
    assert target.read_bytes() == b"onetwo"


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
