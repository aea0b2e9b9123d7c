"""A process is killed before and after each file that it saves; then the work is resumed.

What is there at the end is what a process that nobody killed leaves, and nothing else.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.systems import WINDOWS

from .conftest import Done
from .test_faults_of_writing import COMMANDS, contents
from .test_faults_of_writing import inputs as inputs  # a fixture

#: Commands that can be resumed, and options with which they save often.
RESUMABLE = {
    "count": ("--checkpoint", "0"),
    "train": ("--checkpoint", "0"),
    "select": (),
    "tag": (),
    "extract": (),
}

# It renames as many files as its first argument says, and is killed before or after the next one.
PROGRAM = """
import os, signal, sys
from pathlib import Path
from tealeaves.cli.main import main

saved, after, output = int(sys.argv[1]), sys.argv[2] == "after", Path(sys.argv[3])
rename = os.replace

def counted(old, new, **options):
    global saved
    is_output = Path(new).is_relative_to(output)
    if is_output and not saved and not after:
        os.kill(os.getpid(), signal.SIGKILL)
    rename(old, new, **options)
    if is_output and not saved:
        os.kill(os.getpid(), signal.SIGKILL)
    saved -= is_output

os.replace = counted
main(sys.argv[4:])
"""


@pytest.mark.skipif(WINDOWS, reason="Windows has no SIGKILL")
@pytest.mark.parametrize("name", RESUMABLE)
def test_work_that_was_killed_at_any_checkpoint_is_resumed(
    run: Callable[..., Done],
    inputs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    monkeypatch.chdir(inputs)
    output = tmp_path / "out"
    given = [one.replace("OUT", str(output)) for one in (*COMMANDS[name][0], *RESUMABLE[name])]
    resumed = ["--resume" if one == "--restart" else one for one in given]
    output.mkdir()
    assert run(*given).code == 0
    expected = contents(output)
    kills = 0
    for saved in range(100):
        for when in ("before", "after"):
            shutil.rmtree(output)
            output.mkdir()
            program = [sys.executable, "-c", PROGRAM, str(saved), when, str(output), *given]
            ended = subprocess.run(program, capture_output=True)
            if ended.returncode == 0:  # it saved no more files than that
                assert contents(output) == expected
                assert kills >= 2 * len(expected)
                return
            assert ended.returncode == -9, ended.stderr
            kills += 1
            done = run(*resumed)
            assert done.code == 0, done.err
            assert contents(output) == expected
    raise AssertionError("it never ends")
