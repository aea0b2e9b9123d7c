"""The options that all studies share."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from benchmarks.folders import HERE, WORK


def study_parser(name: str, description: str | None) -> ArgumentParser:
    """Return a parser with ``--work`` and ``--output``; a study is described by its docstring."""
    summary = (description or "").split("\n", 1)[0].replace("``", "")
    parser = ArgumentParser(prog=f"python -m benchmarks {name}", description=summary)
    folder = WORK / name
    parser.add_argument(
        "--work",
        type=Path,
        default=folder,
        metavar="FOLDER",
        help=f"where what was computed is kept; a stopped study goes on from there ({folder})",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=results_page(name),
        metavar="FILE",
        help="the page of results (RESULTS.md of the study; of a short run, in FOLDER)",
    )
    return parser


def output_of(parser: ArgumentParser, options: Namespace, *settings: str) -> Path:
    """Return the page to write; that of a run with other than the usual settings is in its folder.

    A short run that was only to try a study does not replace its results so.
    """
    if options.output != parser.get_default("output") or all(
        getattr(options, name) == parser.get_default(name) for name in settings
    ):
        return Path(options.output)
    return Path(options.work) / "RESULTS.md"


def results_page(name: str) -> Path:
    """Return the page of results of a study."""
    return HERE / name / "RESULTS.md"
