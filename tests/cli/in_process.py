"""Run a command in the test process, which is much faster than a new process."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from tealeaves.cli.main import main


def run_in_process(
    *arguments: str | Path, folder: Path | None = None, columns: str = "120"
) -> subprocess.CompletedProcess[str]:
    """Run a command, then restore streams, folder, warnings and signal handlers.

    Unlike ``capsys``, this also works in fixtures of a module.
    """
    given = [str(argument) for argument in arguments]
    written = {name: io.BytesIO() for name in ("stdout", "stderr")}
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in written.items():
            patch.setattr(sys, name, io.TextIOWrapper(stream, encoding="utf-8", write_through=True))
        patch.setattr(warnings, "showwarning", warnings.showwarning)  # which main replaces
        patch.setenv("COLUMNS", columns)
        if folder is not None:
            patch.chdir(folder)
        try:
            with pytest.raises(SystemExit) as ended:
                main(given)
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
        out, err = (stream.getvalue().decode() for stream in written.values())
    assert isinstance(ended.value.code, int)
    return subprocess.CompletedProcess(given, ended.value.code, out, err)
