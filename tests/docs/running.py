"""Run the blocks of a page, top to bottom, as its reader would: one folder, one namespace."""

from __future__ import annotations

import contextlib
import io
import linecache
import os
import re
import socket
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

import tealeaves
from tealeaves.metrics.registry import METRICS

from ..cli.here import run_here  # noqa: TID252
from .blocks import SHELL, Block
from .naming import PROGRAM, named, options
from .not_run import exempt, smaller
from .shell_lines import Command, commands

# as a careful reader's: an unset variable, a pattern without files and a broken pipe are errors
_STRICT = "set -euo pipefail; shopt -s failglob; "


class BlockError(Exception):
    """A block that does not do what it says; the message names page and line."""


class ShellError(Exception):
    """What a shell cannot make words of: a pattern without files, a variable that is not set."""


class PageRun:
    """A page that is being run.

    Parameters
    ----------
    folder
        Where its commands and its Python begin.
    given
        Names that its Python may use without having made them.
    after
        What the reader does by hand after a command that begins so.
    """

    def __init__(
        self,
        folder: Path,
        given: Mapping[str, Any] | None = None,
        after: Mapping[str, Callable[[Path], None]] | None = None,
    ) -> None:
        self.folder = folder
        self.variables: dict[str, str] = {}
        self.said = ""
        self.module = ModuleType("page_of_the_documentation")
        vars(self.module).update(given or {})
        self.after = after or {}

    def show(self, block: Block, shown: Block) -> None:
        """Run a block of commands, and compare with what the page shows of its output.

        Lines may be left out; spaces are as they like.
        """
        self.said = ""
        self.run(block, as_table=True)
        lines = {" ".join(line.split()) for line in self.said.splitlines()}
        for number, line in enumerate(shown.text.splitlines()):
            wanted = " ".join(line.split())
            if wanted not in (lines | {"", "…"}):
                place = f"{shown.page}:{shown.line + number}"
                raise BlockError(f"{place}: {wanted}\nis not what comes out:\n{self.said}")

    def run(self, block: Block, *, as_table: bool = False) -> None:
        """Run a block of shell commands or of Python; of a doctest only what it imports.

        Our own commands then show tables, as on a terminal.
        """
        if block.is_doctest:
            vars(self.module).update(_imported(block))
        elif block.language == SHELL:
            try:
                found = list(commands(block.text))
            except ValueError as error:
                raise BlockError(f"{block.place}: {error}") from error
            for command in found:
                self._do(command, block, as_table=as_table)
        else:
            self._execute(block)

    def _do(self, command: Command, block: Block, *, as_table: bool) -> None:
        place = f"{block.page}:{block.line + command.line}"
        wrong = exempt(command.text)
        if wrong is None:
            try:
                wrong = self._fault(command, as_table=as_table)
            except ShellError as error:
                wrong = str(error)
        if wrong:
            raise BlockError(f"{place}: {command.text}\n{wrong}")
        for start, by_hand in self.after.items():
            if command.text.startswith(start):
                by_hand(self.folder)

    def _fault(self, command: Command, *, as_table: bool) -> str:
        """Run a command and return what is wrong with it, if anything."""
        name, sign, value = command.text.partition("=")
        if sign and name.isidentifier() and command.is_plain and len(command.words) == 1:
            self.variables[name] = self._expanded(value)[0]
            return ""
        if not command.is_plain:
            return self._heard(self._in_shell(command.text))
        first, *rest = self._expanded(command.text)
        if first == "cd":
            self.folder = Path(os.path.normpath(self.folder / rest[0]))
            return "" if self.folder.is_dir() else "there is no such folder"
        if first == PROGRAM:
            given = [*smaller(rest), *(_table_for(rest) if as_table else ())]
            return self._heard(run_here(*given, folder=self.folder, columns="200"))
        return self._heard(self._in_shell(command.text))

    def _heard(self, done: subprocess.CompletedProcess[str]) -> str:
        """Keep what a command said, and return what is wrong with it, if anything."""
        self.said += f"{done.stdout}\n{done.stderr}\n"
        if done.returncode or "Traceback" in done.stderr:
            return f"ended with {done.returncode}: {done.stderr.strip()[-1000:]}"
        return ""

    def _in_shell(self, text: str) -> subprocess.CompletedProcess[str]:
        """Let a shell do it, which finds our program beside this Python."""
        beside = str(Path(sys.executable).parent)
        path = os.pathsep.join([beside, os.environ.get("PATH", os.defpath)])
        return subprocess.run(
            ["bash", "-c", _STRICT + text], cwd=self.folder, capture_output=True, text=True,
            env={**os.environ, "PATH": path, **self.variables}, timeout=300, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def _expanded(self, text: str) -> list[str]:
        """Return the words of a command as the shell hands them over: globs, variables, quotes."""
        done = self._in_shell(f"printf '%s\\0' {text}")
        if done.returncode:
            raise ShellError(done.stderr.strip())
        return done.stdout.split("\0")[:-1]

    def _execute(self, block: Block) -> None:
        """Execute Python; a traceback shows the lines of the page."""
        shifted = "\n" * (block.line - 1) + block.text
        linecache.cache[block.page] = (len(shifted), None, shifted.splitlines(True), block.page)
        said = io.StringIO()
        try:
            code = compile(shifted, block.page, "exec")
            with contextlib.chdir(self.folder), contextlib.redirect_stdout(said):
                exec(code, vars(self.module))
        except Exception as error:
            raise BlockError(f"{block.place}: {type(error).__name__}: {error}") from error

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Leave nothing behind: neither paths, variables, modules nor metrics of the page's own."""
        environment, path = dict(os.environ), list(sys.path)
        with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a warning does not stop a reader
            # as after a fresh ``import tealeaves``, which has no packages as attributes yet
            for name, value in list(vars(tealeaves).items()):
                if isinstance(value, ModuleType) and value.__name__ == f"tealeaves.{name}":
                    patch.delattr(tealeaves, name)
            patch.setitem(sys.modules, self.module.__name__, self.module)
            patch.setenv("HF_HUB_OFFLINE", "1")
            patch.setattr(socket, "getaddrinfo", _no_network)
            vars(self.module)["__name__"] = self.module.__name__
            try:
                yield
            finally:
                sys.path[:] = path
                os.environ.clear()
                os.environ.update(environment)
                METRICS.reload()


def _table_for(arguments: list[str]) -> tuple[str, ...]:
    """Return what lets a command show a table, where it can and is not told otherwise."""
    try:
        context, _ = named([PROGRAM, *arguments])
    except click.UsageError:  # which the command itself will say
        return ()
    told = "--format" in arguments or "--format" not in options(context)
    return () if told else ("--format", "table")


def _no_network(*_: object, **__: object) -> None:
    raise OSError("no page needs the network")


def _imported(block: Block) -> dict[str, Any]:
    """Return what a doctest imports: whoever reads on has it."""
    found: dict[str, Any] = {}
    for line in re.findall(r"^>>> ((?:import|from) .*)$", block.text, re.MULTILINE):
        exec(line, found)
    return found
