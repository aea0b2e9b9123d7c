"""Chromium for the tests of pages: found, installed by stand-ins, skipped or required."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from . import chromium

ROOT = Path(__file__).parents[1]
# a test that opens a page
PAGE = "tests/report/test_report_on_paper.py::test_a_page_is_printed_light_and_whole"


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine without a browser, whose only programs are those in the folder ``bin``."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "browsers"))
    monkeypatch.delenv("TEALEAVES_REQUIRE_BROWSER", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    chromium.find_chromium.cache_clear()
    yield tmp_path
    chromium.find_chromium.cache_clear()


@pytest.fixture
def program(machine: Path) -> Callable[..., Path]:
    """A function that makes a program: it notes how it is called, and may install a file."""

    def make(name: str, *, installs: str | Path | None = None, says: str = "") -> Path:
        path = machine / "bin" / name
        lines = ["#!/bin/sh", f'echo "{name} $*" >> {machine / "calls"}']
        if says:
            lines += [f'echo "{says}" >&2', "exit 1"]
        elif installs:
            folder = Path(installs).parent
            lines += [f'case "$*" in *install*chromium) /bin/mkdir -p {folder}']
            lines += [f"echo > {installs}; /bin/chmod +x {installs};; esac"]
        path.write_text("\n".join(lines) + "\n")
        path.chmod(0o755)
        return path

    return make


def calls(machine: Path) -> list[str]:
    return (machine / "calls").read_text().splitlines()


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch, program: Callable[..., Path]) -> str:
    """Where Playwright wants its own Chromium, which a stand-in for Python installs."""
    path = chromium._path_of_playwright()
    assert path is not None
    monkeypatch.setattr(sys, "executable", str(program("python", installs=path)))
    return path


def test_a_browser_of_the_system_is_taken(machine: Path, program: Callable[..., Path]) -> None:
    assert chromium.find_chromium() is None
    path = program("chromium")
    chromium.find_chromium.cache_clear()
    assert chromium.find_chromium() == str(path)
    assert chromium.main() == 0
    assert not (machine / "calls").exists()


def test_a_snap_is_not_taken(machine: Path, program: Callable[..., Path]) -> None:
    (machine / "bin" / "chromium").symlink_to(program("snap"))
    assert chromium.find_chromium() is None


@pytest.mark.usefixtures("own")
def test_root_installs_it_with_apt(
    machine: Path, program: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    program("apt-get", installs=machine / "bin" / "chromium")
    assert chromium.main() == 0
    assert chromium.find_chromium() == str(machine / "bin" / "chromium")
    assert calls(machine) == ["apt-get update -qq", "apt-get install -y -qq chromium"]


def test_others_install_it_with_playwright(
    machine: Path, program: Callable[..., Path], own: str
) -> None:
    program("apt-get", installs=machine / "bin" / "chromium")
    assert chromium.main() == 0
    assert chromium.find_chromium() == own
    assert calls(machine) == ["python -m playwright install chromium"]


def test_root_takes_playwright_if_apt_has_no_chromium(
    machine: Path,
    program: Callable[..., Path],
    own: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    program("apt-get", says="E: Package 'chromium' has no installation candidate")
    assert chromium.main() == 0
    assert chromium.find_chromium() == own
    assert calls(machine)[-1] == "python -m playwright install --with-deps chromium"
    assert "that failed: E: Package 'chromium' has no" in capsys.readouterr().out


def test_without_rights_and_network_it_is_an_error_only_if_required(
    program: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    broken = program("python", says="Error: Download failure, code=1")
    monkeypatch.setattr(sys, "executable", str(broken))
    assert chromium.main() == 0
    assert "that failed: Error: Download failure, code=1" in capsys.readouterr().out
    monkeypatch.setenv("TEALEAVES_REQUIRE_BROWSER", "1")
    assert chromium.main() == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_program_that_cannot_be_run_is_no_way(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "executable", str(machine / "nothing"))
    assert chromium.main() == 0
    assert "that failed: [Errno 2]" in capsys.readouterr().out


@pytest.mark.parametrize("required", [False, True])
def test_what_was_not_tested_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, *, required: bool
) -> None:
    monkeypatch.setenv("TEALEAVES_REQUIRE_BROWSER", str(int(required)))
    # in a process of its own, as make test does
    command = [sys.executable, "-m", "pytest", "-n", "1", PAGE]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    told = [line for line in done.stdout.splitlines() if line.startswith("not tested:")]
    if required:
        assert done.returncode == 1
        assert "Chromium is not installed: install it with" in done.stdout
        assert told == []
    else:
        assert done.returncode == 0
        assert "1 skipped" in done.stdout
        [line] = told
        assert line.startswith("not tested: pages in a browser (1 tests). Chromium is not")
        assert line.endswith("playwright install chromium`")
