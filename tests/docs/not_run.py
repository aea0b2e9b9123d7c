"""Commands that are not run, each with its reason and with what is looked at instead; and what is
added to commands that would take long.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from typing import NamedTuple

from .blocks import ROOT


class Exempt(NamedTuple):
    """A kind of command that is not run; ``fault`` says what is wrong with one, if anything."""

    pattern: re.Pattern[str]
    reason: str
    fault: Callable[[re.Match[str]], str]


def _no_target(found: re.Match[str]) -> str:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = [word for word in found["rest"].split() if "=" not in word]
    missing = [t for t in targets if not re.search(rf"^{re.escape(t)}:", makefile, re.MULTILINE)]
    return f"the Makefile has no target {', '.join(missing)}" if missing else ""


def _no_extra(found: re.Match[str]) -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    known = project["optional-dependencies"]
    named = [name for group in re.findall(r"\[([\w, -]+)\]", found["rest"])
             for name in group.replace(" ", "").split(",")]  # fmt: skip
    missing = [name for name in named if name not in known]
    return f"there is no extra {', '.join(missing)}" if missing else ""


def _no_file(found: re.Match[str]) -> str:
    path = found["path"]
    return "" if (ROOT / path).is_file() else f"there is no {path}"


NOT_RUN = (
    Exempt(
        re.compile(r"make\b(?P<rest>.*)"),
        "sets up an environment of its own; the target is looked up",
        _no_target,
    ),
    Exempt(
        re.compile(r"(?:python3? -m )?pip install\b(?P<rest>.*)"),
        "installs from the network; the extras are looked up",
        _no_extra,
    ),
    Exempt(
        re.compile(r"(?:\w+=\S+ )*python3? (?P<path>benchmarks/\S+\.py).*"),
        "takes minutes to hours, on data that is not ours; the file is looked up",
        _no_file,
    ),
)

# Where an option is given twice, the last one counts: what is written is read all the same.
SMALLER: dict[tuple[str, ...], tuple[str, ...]] = {
    ("select",): ("-k", "2,4", "--runs", "2"),
    ("relevance", "fit"): ("--texts", "64", "--longest", "32"),
    ("relevance", "gather"): ("--budget", "12", "--head-sample", "6"),
    ("lexicon", "extract"): ("--jobs", "1"),
}


def exempt(command: str) -> str | None:
    """Return what is wrong with a command that is not run, ``""`` if nothing; None: run it."""
    for kind in NOT_RUN:
        found = kind.pattern.fullmatch(command)
        if found:
            return kind.fault(found)
    return None


def smaller(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of ``tealeaves``, with what makes them quick."""
    for start, more in SMALLER.items():
        if tuple(arguments[: len(start)]) == start and not {"--help", "-h"} & set(arguments):
            return [*arguments, *more]
    return list(arguments)
