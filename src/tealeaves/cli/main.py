"""``tealeaves``: the list of commands, and errors as one line."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from contextlib import suppress
from typing import Any, NoReturn

import click

from tealeaves.cli.help import LazyGroup
from tealeaves.errors import TealeavesError
from tealeaves.printing import echo, visible
from tealeaves.system import (
    discard_output,
    is_closed,
    is_closed_pipe,
    is_full,
    prepare_output,
)
from tealeaves.version import __version__

# New objects after which Python looks for unused ones in cycles. Its own number is 700: a command
# makes 100,000 that it needs to its end, and would look through them again and again.
_OBJECTS_UNTIL_COLLECTION = 100_000
# The threads of numpy's OpenBLAS sleep after 2 ** 10 cycles without work. By default they keep the
# processors busy for 2 ** 26 when numpy is imported, while we have other work for them.
_BLAS_TIMEOUT = "10"

# The module of each command; only the module of the command that runs is imported.
COMMANDS = {
    "score": "tealeaves.cli.score",
    "count": "tealeaves.cli.count",
    "add": "tealeaves.cli.add",
    "train": "tealeaves.cli.train",
    "select": "tealeaves.cli.select",
    "compare": "tealeaves.cli.compare",
    "correlate": "tealeaves.cli.correlate",
    "agreement": "tealeaves.cli.agreement",
    "consensus": "tealeaves.cli.consensus",
    "report": "tealeaves.cli.report",
    "metrics": "tealeaves.cli.metrics",
    "embeddings": "tealeaves.cli.embeddings",
    "relevance": "tealeaves.cli.relevance",
    "estimator": "tealeaves.cli.estimator",
    "lexicon": "tealeaves.cli.lexicon",
    "demo": "tealeaves.cli.demo",
}


@click.group(
    cls=LazyGroup,
    modules=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="tealeaves")
def cli() -> None:
    """How good are these topics, and how far can the number be trusted?

    \b
    Examples:
      tealeaves demo
      tealeaves score topics.json --corpus wiki.jsonl.gz -m "npmi@10 c_v@10"
      tealeaves metrics npmi
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; an error is one line on standard error and an exit code.

    Without arguments it is that of the process, which ends with the command.
    """
    warnings.showwarning = _show_warning
    prepare_output()
    try:
        sys.exit(_run_process() if arguments is None else _run(arguments))
    except click.ClickException as error:
        _fail(error.format_message(), 2)
    except TealeavesError as error:
        _fail(str(error), 2)
    except KeyboardInterrupt as error:
        _fail(str(error) or "interrupted", 130)
    except OSError as error:
        if is_closed_pipe(error):  # there is nobody to write to
            discard_output()
            sys.exit(0)
        where = error.filename
        # an error of a file of ours names it
        if where is None and (is_full(error) or is_closed(error)):
            discard_output()  # at its end, Python would try to write the rest again
            where = "standard output"
        _fail(f"{where}: {error.strerror}" if where else f"{error.strerror or error}", 2)
    except MemoryError as error:
        _fail(f"out of memory {_where(error)}: close other programs, or give less at a time", 2)
    except Exception as error:
        if os.environ.get("TEALEAVES_DEBUG"):
            raise
        name = type(error).__name__
        _fail(f"{name}: {error} (a defect; TEALEAVES_DEBUG=1 shows where: please report it)", 1)


def _run_process() -> int:
    """Run the command of this process, which need not care for what comes after it."""
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", _BLAS_TIMEOUT)
    gc.set_threshold(_OBJECTS_UNTIL_COLLECTION, *gc.get_threshold()[1:])
    code = _run(sys.argv[1:])
    gc.freeze()  # nothing is gained by a last search for unused objects
    return code


def _run(arguments: list[str]) -> int:
    """Run a command; unlike click's own ``main``, leave all errors to the caller."""
    try:
        with cli.make_context("tealeaves", list(arguments), obj=list(arguments)) as context:
            cli.invoke(context)
    except click.exceptions.Exit as ended:  # --help, --version
        return ended.exit_code
    sys.stdout.flush()
    return 0


def _where(error: BaseException) -> str:
    """Say what was being done when an error came: the last of our functions, and its module."""
    place, step = "", error.__traceback__
    while step is not None:
        module = str(step.tb_frame.f_globals.get("__name__", ""))
        if module.startswith("tealeaves.") and not module.startswith("tealeaves.cli.main"):
            name = step.tb_frame.f_code.co_name
            place = f"in {module.removeprefix('tealeaves.')} ({name})"
        step = step.tb_next
    return place


def _fail(message: str, code: int) -> NoReturn:
    line = " ".join(message.split())
    with suppress(OSError):  # the exit code tells it too
        echo(f"tealeaves: error: {line}", err=True)
    sys.exit(code)


def _show_warning(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
    label = "warning" if issubclass(category, UserWarning) else category.__name__
    echo(f"tealeaves: {label}: {visible(str(message))}", err=True)
