"""What differs between Linux, macOS and Windows: processes, signals, files, the console.

Other modules do not ask which system they run on; a test searches them for names that some systems
lack.
"""

from __future__ import annotations

import errno
import glob
import io
import os
import re
import signal
import stat
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from typing import IO, Any

#: Whether this is Windows; tests change it.
WINDOWS = os.name == "nt"

# of a library of Linux, with 64 bits: where the sections are, how large and how many
_ELF_MAGIC = b"\x7fELF\x02\x01"
_ELF_HEADER = struct.Struct("<40x Q 10x HH 2x")

# ---------------------------------------------------------------------- processes


def processors() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def was_killed(exit_code: int | None) -> bool:
    """Tell whether a process was killed at once, as Linux does for lack of memory."""
    kill = getattr(signal, "SIGKILL", None)  # Windows has none
    return kill is not None and exit_code == -kill


# ---------------------------------------------------------------------- signals


def console_signals() -> tuple[signal.Signals, ...]:
    """Return what a person at the keyboard sends: Ctrl-C, and Ctrl-Break on Windows."""
    return _signals("SIGINT", "SIGBREAK")


def termination_signals() -> tuple[signal.Signals, ...]:
    """Return what a scheduler sends; on Windows, Ctrl-Break and the closing of the console."""
    return _signals("SIGTERM", "SIGBREAK")


def _signals(*names: str) -> tuple[signal.Signals, ...]:
    return tuple(getattr(signal, name) for name in names if hasattr(signal, name))


@contextmanager
def handled_signals(
    signals: Iterable[signal.Signals], handler: Callable[[int, Any], None]
) -> Iterator[None]:
    """Handle signals, and put the old handlers back; only the main thread can do so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in set(signals)}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def ignore_console_signals() -> None:
    """Leave Ctrl-C to the parent of this process, which gets it too."""
    for number in console_signals():
        signal.signal(number, signal.SIG_IGN)


# ---------------------------------------------------------------------- files

_TRIES = 10
_FIRST_WAIT = 0.002  # seconds; it doubles, so that all tries take two
_RESERVED = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\..*)?", re.I | re.S
)
_REFUSED = re.compile(r'[<>:"/\\|?*\x00-\x1f]|[. ]\Z')


def replace_file(new: Path, old: Path) -> None:
    """Give a file the name of another one, which it replaces, at once.

    Windows refuses while the other file is open or mapped into memory. A virus scanner closes it
    soon, so this tries again for two seconds.
    """
    wait = _FIRST_WAIT
    for _ in range(_TRIES):
        try:
            new.replace(old)
        except PermissionError:
            if not WINDOWS or old.is_dir():
                raise
            time.sleep(wait)
            wait *= 2
        else:
            return
    raise PermissionError(
        errno.EACCES, "it cannot be replaced: a program has it open, or it is read-only", str(old)
    )


def replace_by_open_file(stream: io.FileIO, new: Path, old: Path) -> None:
    """Give an open file the name of another one, and close it; Windows closes it first."""
    if WINDOWS:
        stream.close()
    replace_file(new, old)
    stream.close()


def remove_temporary(path: Path) -> None:
    """Remove a file of ours; Windows leaves it if it is still open."""
    with suppress(PermissionError):
        path.unlink(missing_ok=True)


# ---------------------------------------------------------------------- temporary files

_UNSETTLED = 60.0  # seconds in which Windows leaves a file that was just closed


def mark_in_use(file: int, path: Path) -> bool:
    """Lock an open file, which shows that its writer lives; False if it was just removed.

    The system takes the lock away when the process ends, however it ends.
    """
    if WINDOWS:  # an open file cannot be removed there
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:  # it is being removed
        return False
    except OSError:  # a disk without locks, where nothing is removed
        return True
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


@contextmanager
def locked_if_abandoned(path: Path) -> Iterator[bool]:
    """Tell whether the process that wrote a file has ended; if so, nobody else removes it.

    In doubt, it lives.
    """
    if WINDOWS:
        yield _is_abandoned_on_windows(path)
        return
    import fcntl

    try:
        file = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:  # it is gone, or of another user
        yield False
        return
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True
    finally:
        os.close(file)


def _is_abandoned_on_windows(path: Path) -> bool:
    """Tell whether nobody has a file open: only then it can be renamed, here to its own name.

    Between its closing and its renaming a file is not open either.
    """
    try:
        path.rename(path)
        return time.time() - path.stat().st_mtime > _UNSETTLED
    except OSError:
        return False


def may_remove_folder(folder: Path) -> bool:
    """Tell whether a path is a folder of this user, and no link to one."""
    try:
        state = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(state.st_mode) and (WINDOWS or state.st_uid == os.geteuid())


def path_of_unnamed(file: int) -> Path | None:
    """Return where an open file that has no name can be opened again; None if nowhere is.

    Linux has such a place. On macOS, two openings would share one position.
    """
    path = Path(f"/proc/{os.getpid()}/fd/{file}")
    return path if path.exists() else None


def keep_permissions(file: int, old: os.stat_result) -> None:
    """Give an open file the mode of the one that it will replace, and its owner, if allowed.

    Another group does not get the rights of the old one. Windows gives a file those of its folder.
    """
    if WINDOWS:
        return
    mode, new = stat.S_IMODE(old.st_mode) & 0o777, os.fstat(file)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with suppress(OSError):
            os.fchown(file, -1, old.st_gid)
        with suppress(OSError):
            os.fchown(file, old.st_uid, -1)
        if os.fstat(file).st_gid != old.st_gid:
            mode &= ~0o070 | (mode & 0o007) << 3
    os.fchmod(file, mode)


def flush_folder(folder: Path) -> None:
    """Write to disk which names a folder has, where the system can do so."""
    if WINDOWS:
        return
    try:
        file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except PermissionError:  # files may be made there, but the folder may not be read
        return
    try:
        os.fsync(file)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):  # disks that cannot
            raise
    finally:
        os.close(file)


# ---------------------------------------------------------------------- permissions and names


def may_write_to(folder: Path) -> bool:
    """Tell whether files can be made in a folder."""
    if not WINDOWS:
        return os.access(folder, os.W_OK | os.X_OK)
    # There, access only tells whether a file is read-only.
    trial = folder / f".tealeaves-{os.getpid()}-{time.monotonic_ns()}.tmp"
    try:
        trial.open("xb").close()
    except OSError:
        return False
    remove_temporary(trial)
    return True


def is_trusted(path: Path) -> bool:
    """Tell whether a file is from this user or from root, and nobody else may write to it.

    A link is not trusted, nor what is no file at all.
    """
    state = path.lstat()
    if not stat.S_ISREG(state.st_mode):
        return False
    if WINDOWS:  # the folders of users are closed to others there
        return True
    return state.st_uid in (os.geteuid(), 0) and not state.st_mode & stat.S_IWOTH


def is_cut_off(library: Path) -> bool:
    """Tell whether a library of Linux lacks its end, as after a full disk: loading it crashes."""
    with library.open("rb") as file:
        header = file.read(_ELF_HEADER.size)
    if len(header) < _ELF_HEADER.size or not header.startswith(_ELF_MAGIC):
        return False  # whose loading is an error
    start, size, number = _ELF_HEADER.unpack(header)
    end = int(start + size * number)  # of the table of sections, which is the last part
    return library.stat().st_size < end


def is_reserved_name(name: str) -> bool:
    """Tell whether Windows refuses a file of this name, or writes it somewhere else.

    ``aux.tsv`` and ``con.tsv`` are devices there, and both are codes of languages too.
    """
    return WINDOWS and bool(_RESERVED.fullmatch(name) or _REFUSED.search(name))


def is_hidden(path: Path) -> bool:
    """Tell whether a file or folder is hidden, such as ``desktop.ini`` on Windows."""
    if path.name.startswith("."):
        return True
    attributes = getattr(path.lstat(), "st_file_attributes", 0) if WINDOWS else 0
    return bool(attributes & stat.FILE_ATTRIBUTE_HIDDEN)


def sorted_paths(paths: Iterable[Path]) -> list[Path]:
    """Sort paths by their names, in the same order on all systems.

    Paths of Windows are compared without regard to capital letters.
    """
    return sorted(paths, key=lambda path: path.parts)


def matching_paths(pattern: str) -> list[str]:
    """Return the files that match a pattern, in the same order on all systems."""
    matches = glob.glob(pattern, recursive=True)  # noqa: PTH207  # ~, /
    return sorted(matches, key=lambda match: match.replace(os.sep, "/"))


def has_separator(text: str) -> bool:
    r"""Tell whether a text has a sign that separates folders: ``/``, or ``\`` on Windows."""
    return "/" in text or (WINDOWS and "\\" in text)


# ---------------------------------------------------------------------- the console


def expanded_patterns(names: Iterable[str]) -> list[str]:
    """Return names of files, with patterns replaced by their matches as shells do.

    The shells of Windows leave that to the program.
    """
    if not WINDOWS:
        return list(names)
    expanded: list[str] = []
    for name in names:
        is_pattern = glob.has_magic(name) and not Path(name).exists()
        expanded += (matching_paths(name) if is_pattern else []) or [name]
    return expanded


def prepare_output() -> None:
    """Make sure that the output streams exist and accept every character.

    On Windows, a pipe or a file would get the characters of an old code page. It gets UTF-8, and
    the line breaks of other systems, unless ``PYTHONIOENCODING`` says otherwise.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the parent process
            setattr(sys, name, _closed_stream(lost=name == "stderr" or WINDOWS))
        elif isinstance(stream, io.TextIOWrapper):
            if WINDOWS and not stream.isatty() and not os.environ.get("PYTHONIOENCODING"):
                stream.reconfigure(encoding="utf-8", newline="\n")
            stream.reconfigure(errors="replace")  # for terminals that cannot show arrows


def _closed_stream(*, lost: bool) -> io.TextIOWrapper:
    """Return a stream for one that was closed: what is written is lost, or else an error.

    Messages may be lost, because the exit code tells of errors too; results may not. Programs of
    Windows without a console have no streams at all.
    """
    raw = io.FileIO(os.open(os.devnull, os.O_WRONLY if lost else os.O_RDONLY), "w")
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", errors="replace")


def is_closed_pipe(error: OSError) -> bool:
    """Tell whether the program that reads our pipe has ended."""
    if isinstance(error, BrokenPipeError):
        return True
    return WINDOWS and error.errno == errno.EINVAL and error.filename is None


def is_full(error: OSError) -> bool:
    """Tell whether an error says that a disk, a file or the share of a user is full."""
    return error.errno in (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


def is_closed(error: OSError) -> bool:
    """Tell whether an error says that a stream was closed by the parent process."""
    return error.errno == errno.EBADF


class _StandardError:
    """The descriptor of standard error, which some threads replace by a nameless file."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._known: int | None = None  # another descriptor of what it is otherwise
        self._spool: IO[bytes] = io.BytesIO()

    def replace(self) -> None:
        """Let what is written to it go to a file, if it is open."""
        from tempfile import TemporaryFile

        with self._lock:
            self._users += 1
            if self._users > 1:
                return
            with suppress(OSError):  # it may be closed, the disk full
                self._spool = TemporaryFile()  # noqa: SIM115
                known = os.dup(_STDERR)
                os.dup2(self._spool.fileno(), _STDERR)
                self._known = known

    def restore(self, phrase: bytes) -> None:
        """Write what was written meanwhile, up to a line with a phrase."""
        with self._lock:
            self._users -= 1
            if self._users or self._known is None:
                return
            os.dup2(self._known, _STDERR)
            os.close(self._known)
            self._known = None
            with self._spool as spool:
                spool.seek(0)
                lines: list[bytes] = spool.read().splitlines(keepends=True)
            kept = b"".join(takewhile(lambda line: phrase not in bytes(line), lines))
            if len(kept) < sum(map(len, lines)):
                kept = kept.rstrip() + b"\n" * bool(kept.strip())  # a blank line comes before it
            with suppress(OSError):
                os.write(_STDERR, kept)


_STDERR = 2
_standard_error = _StandardError()


@contextmanager
def stderr_without(phrase: bytes) -> Iterator[None]:
    """Drop the lines that a library writes to standard error from one with a phrase on.

    What is written before that is written at the end. Several threads may do this at a time.
    """
    _standard_error.replace()
    try:
        yield
    finally:
        _standard_error.restore(phrase)


def discard_output() -> None:
    """Write what comes on standard output to nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
