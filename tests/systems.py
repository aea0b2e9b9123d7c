"""What tests need of the operating system: reasons to skip, and processes that are ended."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tealeaves.kernels import are_compiled

WINDOWS = os.name == "nt"


def _makes_links() -> bool:
    """Tell whether links can be made: on Windows only by administrators and developers."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            (Path(folder) / "link").symlink_to("nowhere")
        except OSError:
            return False
    return True


needs_library = pytest.mark.skipif(
    not are_compiled() and not os.environ.get("TEALEAVES_REQUIRE_KERNELS"),
    reason="the library of kernels was not built",
)
needs_bash = pytest.mark.skipif(WINDOWS or not shutil.which("bash"), reason="there is no bash")
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
needs_full_device = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="this system has no /dev/full"
)
needs_links = pytest.mark.skipif(not _makes_links(), reason="this user cannot make links")
needs_locks = pytest.mark.skipif(WINDOWS, reason="Windows has other locks")
needs_named_pipes = pytest.mark.skipif(
    not hasattr(os, "mkfifo"), reason="this system has no named pipes"
)
needs_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="this system has no /proc"
)
needs_root = pytest.mark.skipif(
    WINDOWS or os.geteuid() != 0, reason="only root may give files to others"
)
needs_scripts = pytest.mark.skipif(WINDOWS, reason="Windows does not run scripts by their #! line")
needs_terminals = pytest.mark.skipif(WINDOWS, reason="Windows has no pseudo-terminals")
needs_umask = pytest.mark.skipif(WINDOWS, reason="Windows has no umask")

#: signals that stop a process which :func:`started` started
SENT_SIGNALS: list[signal.Signals] = (
    [vars(signal)["CTRL_BREAK_EVENT"]] if WINDOWS else [signal.SIGINT, signal.SIGTERM]
)


def started(command: Sequence[str | Path], **options: Any) -> subprocess.Popen[Any]:
    """Start a process in a group of its own, which can get signals or be killed."""
    own: dict[str, Any] = (
        {"creationflags": vars(subprocess)["CREATE_NEW_PROCESS_GROUP"]}
        if WINDOWS
        else {"start_new_session": True}
    )
    return subprocess.Popen([str(part) for part in command], **own, **options)


def kill_group(process: subprocess.Popen[Any]) -> None:
    """Kill a process that :func:`started` started, and those that it started, at once."""
    if sys.platform == "win32":
        subprocess.run(
            ["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False
        )
    else:
        os.killpg(process.pid, signal.SIGKILL)


def on_terminal(command: Sequence[str | Path], *, stream: str = "stdout", **options: Any) -> bytes:
    """Run a command with a stream on a terminal of 80 columns; return what it wrote there."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))  # a new one has 0
    others = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: theirs}
    shown = b""
    with subprocess.Popen([str(part) for part in command], **(others | options)) as process:
        os.close(theirs)
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:  # a terminal raises this when its last writer is gone
            pass
    os.close(ours)
    assert process.returncode == 0
    return shown
