"""What depends on the system: on this one, and on others with stand-ins for what they have."""

from __future__ import annotations

import errno
import io
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import SimpleNamespace
from typing import Any

import pytest

from tealeaves import system
from tealeaves.cli.main import main
from tealeaves.errors import InputError
from tealeaves.files import atomic_write, check_folder_writable
from tealeaves.jobs import interrupt_at_sigterm, stop_at_signals
from tealeaves.system import stderr_without
from tests.systems import WINDOWS, needs_library, needs_locks, needs_umask


@pytest.fixture
def on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "WINDOWS", True)


@pytest.fixture
def on_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "WINDOWS", False)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)


# ---------------------------------------------------------------------- processes


def test_processors_of_this_process() -> None:
    assert 1 <= system.processors() <= (os.cpu_count() or 1)


@pytest.mark.usefixtures("on_macos")
@pytest.mark.parametrize(("count", "expected"), [(6, 6), (None, 1)])
def test_processors_of_a_machine(
    monkeypatch: pytest.MonkeyPatch, count: int | None, expected: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: count)
    assert system.processors() == expected


def test_whether_a_process_was_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "SIGKILL", 9, raising=False)
    assert [system.was_killed(code) for code in (-9, -15, 1, None)] == [True, False, False, False]
    monkeypatch.delattr(signal, "SIGKILL")
    assert not system.was_killed(-9)


# ---------------------------------------------------------------------- signals


@pytest.fixture
def ctrl_break(monkeypatch: pytest.MonkeyPatch) -> Iterator[signal.Signals]:
    """A signal that stands for SIGBREAK, which only Windows has; unhandled, it is an error."""
    if not WINDOWS:
        monkeypatch.setattr(signal, "SIGBREAK", signal.SIGUSR1, raising=False)
    number: signal.Signals = vars(signal)["SIGBREAK"]
    before = signal.signal(number, lambda *_: pytest.fail("nobody handles the signal"))
    yield number
    signal.signal(number, before)


def test_ctrl_break_stops_work_as_ctrl_c_does(ctrl_break: signal.Signals) -> None:
    before = signal.getsignal(ctrl_break)
    assert system.console_signals() == (signal.SIGINT, ctrl_break)
    assert system.termination_signals() == (signal.SIGTERM, ctrl_break)
    with stop_at_signals() as stop:
        signal.raise_signal(ctrl_break)
        assert stop()
    with pytest.raises(KeyboardInterrupt), interrupt_at_sigterm():
        signal.raise_signal(ctrl_break)
    assert signal.getsignal(ctrl_break) is before


def test_signals_without_ctrl_break(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "SIGBREAK", raising=False)
    assert system.console_signals() == (signal.SIGINT,)
    assert system.termination_signals() == (signal.SIGTERM,)


def test_a_worker_leaves_the_keyboard_to_its_parent(ctrl_break: signal.Signals) -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, ctrl_break)}
    try:
        system.ignore_console_signals()
        for number in before:
            signal.raise_signal(number)
            assert signal.getsignal(number) is signal.SIG_IGN
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_handlers_stay_in_other_threads() -> None:
    before = signal.getsignal(signal.SIGTERM)
    seen = []

    def work() -> None:
        with system.handled_signals([signal.SIGTERM], lambda *_: None):
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]


# ---------------------------------------------------------------------- files


def refuse(monkeypatch: pytest.MonkeyPatch, times: int) -> list[float]:
    """Let files be replaced only after so many tries; return the waits between them."""
    replace, left, waits = Path.replace, [times], list[float]()

    def replace_later(self: Path, target: Path) -> Path:
        left[0] -= 1
        if left[0] >= 0:
            raise PermissionError(errno.EACCES, "Access is denied", str(self))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", replace_later)
    monkeypatch.setattr("tealeaves.system.time.sleep", waits.append)
    return waits


@pytest.mark.usefixtures("on_windows")
def test_a_file_is_replaced_when_a_scanner_has_closed_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = refuse(monkeypatch, 3)
    (tmp_path / "a").write_bytes(b"old")
    with atomic_write(tmp_path / "a") as stream:
        stream.write(b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert waits == [0.002, 0.004, 0.008]


@pytest.mark.usefixtures("on_windows")
def test_a_file_that_stays_open_is_an_error_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = refuse(monkeypatch, 100)
    target = tmp_path / "a"
    target.write_bytes(b"old")
    with pytest.raises(PermissionError) as caught, atomic_write(target) as stream:
        stream.write(b"new")
    assert caught.value.filename == str(target)
    assert str(caught.value.strerror).startswith("it cannot be replaced: a program has it open")
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]
    assert 1 < sum(waits) < 3


@pytest.mark.usefixtures("on_macos")
def test_elsewhere_a_refusal_is_final(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = refuse(monkeypatch, 1)
    with pytest.raises(PermissionError, match="Access is denied"), atomic_write(tmp_path / "a"):
        pass
    assert waits == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("on_windows")
def test_on_windows_a_file_is_closed_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = []
    stream = io.FileIO(tmp_path / "new", "wb")
    monkeypatch.setattr(system, "replace_file", lambda *_: closed.append(stream.closed))
    system.replace_by_open_file(stream, tmp_path / "new", tmp_path / "old")
    assert closed == [True]


@pytest.mark.usefixtures("on_windows")
def test_on_windows_an_open_file_shows_that_its_writer_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.tmp"
    file.touch()
    assert system.mark_in_use(0, file)

    def abandoned() -> bool:
        with system.locked_if_abandoned(file) as found:
            return found

    assert not abandoned(), "it was just closed, and may be about to get its name"
    os.utime(file, (0, 0))
    assert abandoned()

    def refuse(*_: Any) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "rename", refuse)
    assert not abandoned(), "it is open"


@needs_locks
def test_elsewhere_a_lock_shows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    file = tmp_path / "a.tmp"
    with file.open("wb") as stream:
        assert system.mark_in_use(stream.fileno(), file)
        with system.locked_if_abandoned(file) as abandoned:
            assert not abandoned
    with system.locked_if_abandoned(file) as abandoned, file.open("rb") as other:
        assert abandoned
        assert not system.mark_in_use(other.fileno(), file), "it is being removed"
        file.unlink()
    with system.locked_if_abandoned(file) as abandoned:
        assert not abandoned, "it is gone"
    with (tmp_path / "b").open("wb") as stream:
        assert not system.mark_in_use(stream.fileno(), file), "it was removed before its lock"

        def unsupported(*_: Any) -> None:
            raise OSError(errno.ENOLCK, "No locks available")

        monkeypatch.setattr(fcntl, "flock", unsupported)
        assert system.mark_in_use(stream.fileno(), file)
        with system.locked_if_abandoned(tmp_path / "b") as abandoned:
            assert not abandoned, "in doubt, its writer lives"


@needs_locks
def test_folders_of_other_users_are_not_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert system.may_remove_folder(tmp_path)
    assert not system.may_remove_folder(tmp_path / "nowhere")
    monkeypatch.setattr(os, "geteuid", lambda: -1)
    assert not system.may_remove_folder(tmp_path)


@pytest.mark.parametrize(
    ("call", "code", "raised"),
    [
        ("fsync", errno.EINVAL, False),  # a disk that cannot do so
        ("fsync", errno.EIO, True),
        ("open", errno.EACCES, False),  # files may be made there, but not listed
        ("open", errno.EIO, True),
    ],
)
@needs_locks
def test_a_folder_is_flushed_where_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int, *, raised: bool
) -> None:
    system.flush_folder(tmp_path)

    def fail(*_: Any) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OSError, match=os.strerror(code)) if raised else nullcontext():
        system.flush_folder(tmp_path)
    monkeypatch.setattr(system, "WINDOWS", True)
    system.flush_folder(tmp_path)


@pytest.mark.usefixtures("on_windows")
def test_windows_gives_files_the_permissions_of_their_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed: list[object] = []
    for name in ("fchmod", "fchown"):
        monkeypatch.setattr(os, name, lambda *given: changed.append(given), raising=False)
    system.keep_permissions(0, tmp_path.stat())
    assert not changed


def test_a_temporary_file_that_is_open_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a"
    file.touch()
    with monkeypatch.context() as patch:

        def unlink(*_: Any, **__: Any) -> None:
            raise PermissionError

        patch.setattr(Path, "unlink", unlink)
        system.remove_temporary(file)
    assert file.exists()
    system.remove_temporary(file)
    system.remove_temporary(file)
    assert not file.exists()


@pytest.mark.usefixtures("on_windows")
def test_on_windows_a_folder_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: True)  # as it is there for all folders
    assert system.may_write_to(tmp_path)
    assert list(tmp_path.iterdir()) == []

    def refused(*_: Any, **__: Any) -> None:
        raise PermissionError(errno.EACCES, "Access is denied")

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(InputError, match="you may not write to this folder"):
        check_folder_writable(tmp_path)


@pytest.mark.usefixtures("on_macos")
def test_elsewhere_a_folder_has_permissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert system.may_write_to(tmp_path)
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert not system.may_write_to(tmp_path)


RESERVED = ["con", "aux.tsv", "NUL.jsonl.gz", "prn .txt", "COM1", "lpt9.x", "con.a.b", "com².t"]
REFUSED = ["a:b.tsv", "what?.json", "a*", "a|b", 'a"b', "<a>", "a.", "a ", "a\nb", "a\\b"]
ALLOWED = ["cone.tsv", "auxiliary", "com.tsv", "com10", "a.con", ".con", "ä ö.json", "lda(k=5)"]


@pytest.mark.usefixtures("on_windows")
def test_names_that_windows_does_not_allow(tmp_path: Path) -> None:
    assert [name for name in RESERVED + REFUSED if not system.is_reserved_name(name)] == []
    assert [name for name in ALLOWED if system.is_reserved_name(name)] == []
    file = tmp_path / "con.jsonl.gz"  # Cofán
    with pytest.raises(InputError) as caught, atomic_write(file):
        pass
    assert str(caught.value) == f"{file}: Windows does not allow this name: choose another"


@pytest.mark.usefixtures("on_macos")
def test_elsewhere_all_names_are_allowed() -> None:
    assert not any(map(system.is_reserved_name, RESERVED + REFUSED))


def test_hidden_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def file(name: str, attributes: int) -> Any:
        return SimpleNamespace(
            name=name, lstat=lambda: SimpleNamespace(st_file_attributes=attributes)
        )

    hidden, plain = stat.FILE_ATTRIBUTE_HIDDEN | 32, 32
    found = [file("desktop.ini", hidden), file("a.txt", plain), file(".a.txt", plain)]
    monkeypatch.setattr(system, "WINDOWS", True)
    assert [system.is_hidden(one) for one in found] == [True, False, True]
    monkeypatch.setattr(system, "WINDOWS", False)
    assert [system.is_hidden(one) for one in found] == [False, False, True]
    (tmp_path / "a.txt").touch()
    assert not system.is_hidden(tmp_path / "a.txt")


@pytest.mark.parametrize("kind", [PurePosixPath, PureWindowsPath])
def test_paths_have_the_same_order_everywhere(kind: Any) -> None:
    ordered = ["B.txt", "a/x.txt", "a-b/x.txt", "a0/x.txt", "b.txt"]
    paths = [kind(name) for name in reversed(ordered)]
    assert [path.as_posix() for path in system.sorted_paths(paths)] == ordered


@pytest.mark.parametrize("separator", ["/", "\\"])
def test_matches_have_the_same_order_everywhere(
    monkeypatch: pytest.MonkeyPatch, separator: str
) -> None:
    ordered = ["B.txt", "a-b/x.txt", "a/x.txt", "a0/x.txt", "b.txt"]
    found = [name.replace("/", separator) for name in reversed(ordered)]
    monkeypatch.setattr(os, "sep", separator)
    monkeypatch.setattr("tealeaves.system.glob.glob", lambda *_, **__: found)
    assert system.matching_paths("**/*.txt") == found[::-1]


def test_separators_of_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["en-sv", "a/b", "a\\b"]
    monkeypatch.setattr(system, "WINDOWS", True)
    assert [system.has_separator(name) for name in names] == [False, True, True]
    monkeypatch.setattr(system, "WINDOWS", False)
    assert [system.has_separator(name) for name in names] == [False, True, False]


# ---------------------------------------------------------------------- the console


def test_patterns_are_expanded_where_the_shell_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("b.json", "a.json", "[c].json"):
        (tmp_path / name).touch()
    given = ["*.json", "none*.json", "[c].json", "a.json"]
    monkeypatch.setattr(system, "WINDOWS", True)
    all_three = ["[c].json", "a.json", "b.json"]
    assert system.expanded_patterns(given) == [*all_three, "none*.json", "[c].json", "a.json"]
    monkeypatch.setattr(system, "WINDOWS", False)
    assert system.expanded_patterns(given) == given


@pytest.mark.parametrize("windows", [True, False])
def test_commands_expand_their_arguments(
    windows: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text("sky moon\n")
    (tmp_path / "texts.txt").write_text("sky moon\n")
    monkeypatch.setattr(system, "WINDOWS", windows)
    pattern, texts = str(tmp_path / "[ot][nw]*.txt"), str(tmp_path / "texts.txt")
    with pytest.raises(SystemExit) as ended:
        main(["score", pattern, "-c", texts, "-m", "npmi", "--format", "csv", "-q"])
    shown = capsys.readouterr()
    assert ended.value.code == (0 if windows else 2)
    if windows:
        assert [line.partition(",")[0] for line in shown.out.splitlines()] == [
            "model", "one", "two",
        ]  # fmt: skip
    else:
        assert "no such file" in shown.err


ODD = "… α ← ─ é 語\n"


@pytest.mark.parametrize("page", ["cp1252", "cp437", "ascii"])
@pytest.mark.parametrize(
    ("windows", "terminal", "chosen", "unchanged"),
    [
        (True, False, "", False),
        (True, False, "cp1252", True),
        (True, True, "", True),
        (False, False, "", True),
    ],
)
def test_streams_accept_every_character(
    monkeypatch: pytest.MonkeyPatch,
    page: str,
    windows: bool,
    terminal: bool,
    chosen: str,
    unchanged: bool,
) -> None:
    monkeypatch.setattr(system, "WINDOWS", windows)
    monkeypatch.setenv("PYTHONIOENCODING", chosen)
    for name in ("stdout", "stderr"):
        written = io.BytesIO()
        stream = io.TextIOWrapper(written, encoding=page, newline="\r\n")
        monkeypatch.setattr(stream, "isatty", lambda: terminal, raising=False)
        monkeypatch.setattr(sys, name, stream)
        system.prepare_output()
        stream.write(ODD)
        stream.flush()
        replaced = ODD.replace("\n", "\r\n").encode(page, "replace")
        assert written.getvalue() == (replaced if unchanged else ODD.encode())


def test_messages_are_lost_where_standard_error_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    system.prepare_output()
    with sys.stderr as stream:
        assert stream.encoding == "utf-8"
        stream.write(ODD)


def test_results_are_not_lost_where_standard_output_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(system, "WINDOWS", False)
    system.prepare_output()
    stream = sys.stdout
    stream.write(ODD)
    with pytest.raises(OSError, match="Bad file descriptor") as error:
        stream.flush()
    assert system.is_closed(error.value)
    system.discard_output()  # what is in the buffer goes nowhere
    stream.close()


def test_a_program_without_a_console_prints_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(system, "WINDOWS", True)
    system.prepare_output()
    with sys.stdout as stream:
        assert stream.write(ODD) == len(ODD)
        stream.flush()  # on a stream that was closed by the parent process, it raises


@pytest.mark.parametrize("page", ["cp1252", "cp437"])
@pytest.mark.parametrize(
    "arguments", ["demo -m npmi@10", "metrics", "metrics npmi", "--help", "score nowhere…α.json"]
)
def test_commands_print_in_old_code_pages(page: str, arguments: str) -> None:
    command = [sys.executable, "-X", "utf8=0", "-m", "tealeaves", *arguments.split()]
    environment = os.environ | {"PYTHONIOENCODING": page}
    done = subprocess.run(command, capture_output=True, env=environment)
    assert done.returncode == (2 if "nowhere" in arguments else 0)
    assert b"UnicodeEncodeError" not in done.stderr
    assert done.stdout.decode(page) or done.stderr.decode(page)


def test_pipes_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    invalid = OSError(errno.EINVAL, "Invalid argument")
    file = OSError(errno.EINVAL, "Invalid argument", "a?.json")
    full = OSError(errno.ENOSPC, "No space left on device")
    errors = [BrokenPipeError(), invalid, file, full]
    monkeypatch.setattr(system, "WINDOWS", True)
    assert [system.is_closed_pipe(error) for error in errors] == [True, True, False, False]
    monkeypatch.setattr(system, "WINDOWS", False)
    assert [system.is_closed_pipe(error) for error in errors] == [True, False, False, False]


def test_disks_that_are_full() -> None:
    codes = [errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EIO]
    assert [system.is_full(OSError(code, "")) for code in codes] == [True, True, True, False]


def test_output_that_nobody_reads_is_discarded() -> None:
    code = "from tealeaves import system; system.discard_output(); print('x')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


@needs_library
def test_bytes_are_read_as_numbers_on_little_endian_machines_only() -> None:
    from tealeaves.evidence.counting import hits
    from tealeaves.text.pipeline import Pipeline

    pipeline = Pipeline.parse("words")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "byteorder", "big")
        assert not hits.can_find_in_bytes(pipeline)
        patch.setattr(sys, "byteorder", "little")
        assert hits.can_find_in_bytes(pipeline)


@needs_umask
def test_a_file_that_others_may_write_to_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x")
    assert system.is_trusted(path)
    path.chmod(0o666)
    assert not system.is_trusted(path)
    path.chmod(0o600)
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    assert system.is_trusted(path) == (path.stat().st_uid == 0)  # root's
    monkeypatch.setattr(system, "WINDOWS", True)
    path.chmod(0o666)
    assert system.is_trusted(path)
    assert not system.is_trusted(tmp_path)  # no file


# ---------------------------------------------------------------------- standard error


def test_lines_from_a_panic_on_are_dropped(capfd: pytest.CaptureFixture[str]) -> None:
    with stderr_without(b"panicked at"):
        os.write(2, b"progress\n\nthread 'x' panicked at a.rs:1:\nindex out of bounds\n")
    os.write(2, b"after\n")
    assert capfd.readouterr().err == "progress\nafter\n"


def test_other_lines_are_written_at_the_end(capfd: pytest.CaptureFixture[str]) -> None:
    with stderr_without(b"panicked at"):
        os.write(2, b"one\ntwo")
        with stderr_without(b"panicked at"):  # as another thread may
            os.write(2, b" three")
        assert capfd.readouterr().err == ""
    assert capfd.readouterr().err == "one\ntwo three"


def test_a_closed_standard_error_is_left_alone() -> None:
    code = (
        "import os; os.close(2)\n"
        "from tealeaves.system import stderr_without\n"
        "with stderr_without(b'panicked at'): print('done')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "done\n"
