"""Run the blocks of a page from top to bottom, in one folder and one namespace."""

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
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

import tealeaves
from tealeaves.metrics.registry import METRICS

from ..cli.in_process import run_in_process  # noqa: TID252
from .blocks import SHELL, Block
from .command_lookup import PROGRAM, find_command, option_names
from .shell_commands import Command, commands
from .skipped_commands import check_skipped, with_quicker_options

# An unset variable, a pattern that matches no file and a failing part of a pipe are errors.
_STRICT = "set -euo pipefail; shopt -s failglob; "


class BlockError(Exception):
    """A block that fails or has other output; the message names page and line."""


class ShellError(Exception):
    """The shell cannot expand a command: no file matches, or a variable is not set."""


class PageRunner:
    """Runs the blocks of one page.

    Parameters
    ----------
    folder
        The working folder of the first block.
    objects
        The variables that Python blocks may use without defining them.
    """

    def __init__(self, folder: Path, objects: Mapping[str, Any] | None = None) -> None:
        self.folder = folder
        self.variables: dict[str, str] = {}
        self.output = ""
        self.module = ModuleType("page_of_the_documentation")
        vars(self.module).update(objects or {})

    def check_output(self, block: Block, shown: Block) -> None:
        """Run a block of commands, and check that their output has all lines that the page shows.

        The page may leave out lines; the amount of white space does not matter.
        """
        self.output = ""
        self.run(block, as_table=True)
        lines = {" ".join(line.split()) for line in self.output.splitlines()}
        for number, line in enumerate(shown.text.splitlines()):
            wanted = " ".join(line.split())
            if wanted not in (lines | {"", "…"}):
                place = f"{shown.page}:{shown.line + number}"
                raise BlockError(f"{place}: {wanted}\nis not what comes out:\n{self.output}")

    def run(self, block: Block, *, as_table: bool = False) -> None:
        """Run a block of shell commands or Python; of a doctest, run only the imports.

        With ``as_table``, our own commands print tables, as on a terminal.
        """
        if block.is_doctest:
            vars(self.module).update(_imported(block))
        elif block.language == SHELL:
            try:
                found = list(commands(block.text))
            except ValueError as error:
                raise BlockError(f"{block.place}: {error}") from error
            for command in found:
                self._run_command(command, block, as_table=as_table)
        else:
            self._execute(block)

    def _run_command(self, command: Command, block: Block, *, as_table: bool) -> None:
        place = f"{block.page}:{block.line + command.line}"
        error_text = check_skipped(command.text)
        if error_text is None:
            try:
                error_text = self._error(command, as_table=as_table)
            except ShellError as error:
                error_text = str(error)
        if error_text:
            raise BlockError(f"{place}: {command.text}\n{error_text}")

    def _error(self, command: Command, *, as_table: bool) -> str:
        """Run a command and return its error, or an empty string."""
        name, sign, value = command.text.partition("=")
        if sign and name.isidentifier() and command.is_plain and len(command.words) == 1:
            self.variables[name] = self._expanded(value)[0]
            return ""
        if not command.is_plain:
            return self._checked(self._in_shell(command.text))
        first, *rest = self._expanded(command.text)
        if first == "cd":
            self.folder = Path(os.path.normpath(self.folder / rest[0]))
            return "" if self.folder.is_dir() else "there is no such folder"
        if first == PROGRAM:
            given = [*with_quicker_options(rest), *(_table_option(rest) if as_table else ())]
            return self._checked(run_in_process(*given, folder=self.folder, columns="200"))
        return self._checked(self._in_shell(command.text))

    def _checked(self, done: subprocess.CompletedProcess[str]) -> str:
        """Keep the output of a command and return its error, or an empty string."""
        self.output += f"{done.stdout}\n{done.stderr}\n"
        if done.returncode or "Traceback" in done.stderr:
            return f"ended with {done.returncode}: {done.stderr.strip()[-1000:]}"
        return ""

    def _in_shell(self, text: str) -> subprocess.CompletedProcess[str]:
        """Run a command in a shell that finds the program ``tealeaves`` of this Python."""
        programs = str(Path(sys.executable).parent)
        path = os.pathsep.join([programs, os.environ.get("PATH", os.defpath)])
        return subprocess.run(
            ["bash", "-c", _STRICT + text], cwd=self.folder, capture_output=True, text=True,
            env={**os.environ, "PATH": path, **self.variables}, timeout=600, check=False,
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
        printed = io.StringIO()
        try:
            code = compile(shifted, block.page, "exec")
            with contextlib.chdir(self.folder), contextlib.redirect_stdout(printed):
                exec(code, vars(self.module))
        except Exception as error:
            raise BlockError(f"{block.place}: {type(error).__name__}: {error}") from error

    @contextlib.contextmanager
    def isolated(self) -> Iterator[None]:
        """Restore paths, variables, modules and metrics after the page."""
        environment, path = dict(os.environ), list(sys.path)
        with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a warning is not an error for a reader
            # as in a new interpreter: ``import tealeaves`` imports no packages
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


def _table_option(arguments: list[str]) -> tuple[str, ...]:
    """Return the option for a table, if the command has it and the arguments do not."""
    try:
        context, _ = find_command([PROGRAM, *arguments])
    except click.UsageError:  # the command itself will report it
        return ()
    is_set = "--format" in arguments or "--format" not in option_names(context)
    return () if is_set else ("--format", "table")


def _no_network(*_: object, **__: object) -> None:
    raise OSError("no page needs the network")


def _imported(block: Block) -> dict[str, Any]:
    """Return the names that a doctest imports, which later blocks may use."""
    found: dict[str, Any] = {}
    for line in re.findall(r"^>>> ((?:import|from) .*)$", block.text, re.MULTILINE):
        exec(line, found)
    return found
