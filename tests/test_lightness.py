"""``import tealeaves`` and every ``--help`` load next to nothing."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache

import click
import pytest

import tealeaves
from tealeaves.cli.main import cli

# Packages whose public names are imported on first use.
LAZY = ("consensus", "estimator", "learners", "lexicon", "report", "statistics", "tables")
# Packages that a help may load parts of; the others do the work.
OF_HELP = {"cli", "tables"}
PACKAGES = {found.name for found in pkgutil.iter_modules(tealeaves.__path__) if found.ispkg}
# Modules of Python that take long to load, and that no help needs.
SLOW_MODULES = {
    *("asyncio", "concurrent", "email", "http", "logging", "multiprocessing", "random"),
    *("sqlite3", "ssl", "statistics", "subprocess", "tempfile", "unittest", "xml", "zipfile"),
}


def command_names(command: click.Command, names: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the names of a command and of all commands below it."""
    yield " ".join(names)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from command_names(found, (*names, name))


COMMANDS = list(command_names(cli))


@cache
def loaded_by(code: str) -> frozenset[str]:
    """Return the modules that some code loads in a new process."""
    program = f"{code}\nimport sys; print('loaded:', *sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    return frozenset(done.stdout.partition("loaded:")[2].split())


def loaded_by_help(command: str) -> frozenset[str]:
    arguments = [*command.split(), "--help"]
    return loaded_by(f"from tealeaves.cli.main import cli; cli({arguments}, standalone_mode=False)")


def test_all_commands_are_found() -> None:
    assert {"", "score", "demo", "lexicon extract", "estimator predict"} <= set(COMMANDS)


@pytest.mark.parametrize("package", ["", *LAZY])
def test_a_package_loads_itself_alone(package: str) -> None:
    name = f"tealeaves.{package}".rstrip(".")
    loaded = loaded_by(f"import {name}") - loaded_by("")
    ours = {module for module in loaded if module.partition(".")[0] == "tealeaves"}
    assert ours == {"tealeaves", "tealeaves.lazy_names", name}
    # the rest is of Python: no package that is installed with ours
    assert {module.partition(".")[0] for module in loaded - ours} <= sys.stdlib_module_names


@pytest.mark.parametrize("command", COMMANDS)
def test_help_loads_no_package_but_click(command: str) -> None:
    loaded = loaded_by_help(command)
    assert "tealeaves.cli.main" in loaded
    # what click and the start of Python load is not ours to choose
    ours = loaded - loaded_by("import click")
    packages = {module.partition(".")[0] for module in ours}
    assert packages - sys.stdlib_module_names <= {"tealeaves", "click"}
    assert packages.isdisjoint(SLOW_MODULES)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_loads_no_package_that_does_the_work(command: str) -> None:
    parts = [module.split(".") for module in loaded_by_help(command)]
    of_ours = {part[1] for part in parts if part[0] == "tealeaves" and len(part) > 1}
    assert "cli" in of_ours
    assert of_ours & PACKAGES <= OF_HELP


@pytest.mark.parametrize("command", [name for name in COMMANDS if " " not in name and name])
def test_help_loads_no_other_command(command: str) -> None:
    others = {f"tealeaves.cli.{name}" for name in COMMANDS if name and name != command}
    assert loaded_by_help(command).isdisjoint(others)


def test_every_public_name_can_be_had() -> None:
    code = "import tealeaves\nfor n in tealeaves.__all__: getattr(tealeaves, n)"
    subprocess.run([sys.executable, "-c", code], check=True)
