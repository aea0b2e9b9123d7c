"""Commands that the tests do not run but check otherwise, and options that make slow ones quick."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from typing import NamedTuple

from .blocks import ROOT


class SkippedCommand(NamedTuple):
    """A kind of command that is not run; ``fault`` returns the error in one, or ""."""

    pattern: re.Pattern[str]
    reason: str
    fault: Callable[[re.Match[str]], str]


def _missing_target(match: re.Match[str]) -> str:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = [word for word in match["rest"].split() if "=" not in word]
    missing = [t for t in targets if not re.search(rf"^{re.escape(t)}:", makefile, re.MULTILINE)]
    return f"the Makefile has no target {', '.join(missing)}" if missing else ""


def _missing_extra(match: re.Match[str]) -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    known = project["optional-dependencies"]
    named = [name for group in re.findall(r"\[([\w, -]+)\]", match["rest"])
             for name in group.replace(" ", "").split(",")]  # fmt: skip
    missing = [name for name in named if name not in known]
    return f"there is no extra {', '.join(missing)}" if missing else ""


def _missing_study(match: re.Match[str]) -> str:
    path = f"benchmarks/{match['name']}/study.py"
    return "" if (ROOT / path).is_file() else f"there is no {path}"


SKIPPED = (
    SkippedCommand(
        re.compile(r"make\b(?P<rest>.*)"),
        "creates a virtual environment; the target is looked up",
        _missing_target,
    ),
    SkippedCommand(
        re.compile(r"(?:python3? -m )?pip install\b(?P<rest>.*)"),
        "installs from the network; the extras are looked up",
        _missing_extra,
    ),
    SkippedCommand(
        re.compile(r"(?:\w+=\S+ )*python3? -m benchmarks (?P<name>\w+).*"),
        "takes minutes to hours and needs data of others; the study is looked up",
        _missing_study,
    ),
)

# If an option is given twice, the last one counts. The options on the page are parsed all the same.
QUICKER_OPTIONS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("select",): ("-k", "2,4", "--runs", "2"),
    ("relevance", "fit"): ("--texts", "64", "--longest", "32"),
    ("relevance", "gather"): ("--budget", "12", "--head-sample", "6"),
    ("lexicon", "extract"): ("--jobs", "1"),
}


def check_skipped(command: str) -> str | None:
    """Return the error in a command that is not run, ``""`` if it has none, or None to run it."""
    for kind in SKIPPED:
        match = kind.pattern.fullmatch(command)
        if match:
            return kind.fault(match)
    return None


def with_quicker_options(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of ``tealeaves``, with options that make the command quick."""
    for start, more in QUICKER_OPTIONS.items():
        if tuple(arguments[: len(start)]) == start and not {"--help", "-h"} & set(arguments):
            return [*arguments, *more]
    return list(arguments)
