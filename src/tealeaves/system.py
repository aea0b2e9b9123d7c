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
from pathlib import Path
from typing import Any

#: Whether this is Windows; tests change it.
WINDOWS = os.name == "nt"

# of a library of Linux, with 64 bits: where the sections are, how large and how many
_ELF_MAGIC = b"\x7fELF\x02\x01"
_ELF_HEADER = struct.Struct("<40x Q 10x HH 2x")

# ---------------------------------------------------------------------- processes

# constants of Windows
_SYNCHRONIZE = 0x00100000
_ACCESS_DENIED = 5
_WAIT_TIMEOUT = 0x102


def processors() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def process_is_alive(process: int) -> bool:
    """Tell whether a process of this machine runs; in doubt, it does."""
    if WINDOWS:
        return _windows_process_is_alive(process)
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # a process of another user
        return True
    try:
        state = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:  # macOS has no such folder, or the process has ended
        return True
    return state[:1] != [b"Z"]  # a zombie has ended, but its parent has not asked how


def _windows_process_is_alive(process: int) -> bool:
    """Ask for the process itself: ``os.kill`` would send it Ctrl-C."""
    import ctypes

    library: Any = ctypes
    kernel = library.WinDLL("kernel32", use_last_error=True)
    kernel.OpenProcess.argtypes = (ctypes.c_uint32, ctypes.c_int, ctypes.c_uint32)
    kernel.OpenProcess.restype = ctypes.c_void_p
    kernel.WaitForSingleObject.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
    kernel.CloseHandle.argtypes = (ctypes.c_void_p,)
    handle = kernel.OpenProcess(_SYNCHRONIZE, 0, process)
    if not handle:
        return bool(library.get_last_error() == _ACCESS_DENIED)  # a process of another user
    try:
        return bool(kernel.WaitForSingleObject(handle, 0) == _WAIT_TIMEOUT)
    finally:
        kernel.CloseHandle(handle)


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


def remove_temporary(path: Path) -> None:
    """Remove a file of ours; Windows leaves it if it is still open."""
    with suppress(PermissionError):
        path.unlink(missing_ok=True)


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
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            if WINDOWS and not stream.isatty() and not os.environ.get("PYTHONIOENCODING"):
                stream.reconfigure(encoding="utf-8", newline="\n")
            stream.reconfigure(errors="replace")  # for terminals that cannot show arrows


def is_closed_pipe(error: OSError) -> bool:
    """Tell whether the program that reads our pipe has ended."""
    if isinstance(error, BrokenPipeError):
        return True
    return WINDOWS and error.errno == errno.EINVAL and error.filename is None


def discard_output() -> None:
    """Write what comes on standard output to nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
