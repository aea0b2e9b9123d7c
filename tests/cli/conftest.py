"""The command line in this process, and the demo's files to try it on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tealeaves import demo
from tealeaves.cli.main import main


class Done(NamedTuple):
    """What a command has returned and written."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run a command; much quicker than a process of its own."""

    def run_command(*arguments: object) -> Done:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, out, err)

    return run_command


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the demo's files."""
    folder = tmp_path_factory.mktemp("playground")
    demo.copy_to(folder)
    return folder
