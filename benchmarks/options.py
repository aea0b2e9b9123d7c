"""The options that all studies share."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from benchmarks.folders import WORK


def study_parser(name: str, description: str | None) -> ArgumentParser:
    """Return a parser with the option ``--work``; the description is the docstring of the study."""
    summary = (description or "").split("\n", 1)[0].replace("``", "")
    parser = ArgumentParser(prog=f"python -m benchmarks {name}", description=summary)
    folder = WORK / name
    parser.add_argument(
        "--work",
        type=Path,
        default=folder,
        metavar="FOLDER",
        help=f"where results are kept; a study that was stopped goes on from there ({folder})",
    )
    return parser
