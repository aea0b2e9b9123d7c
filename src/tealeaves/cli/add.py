"""``tealeaves add``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

import click

from tealeaves.cli.options import check_not_input
from tealeaves.errors import EvidenceError, InputError
from tealeaves.files import check_writable

if TYPE_CHECKING:
    from tealeaves.evidence.counts import Counts

Part = TypeVar("Part")
Kind = Literal["counts", "relevance"]
_WHAT = "counts or relevance"


@click.command("add")
@click.argument("files", nargs=-1, required=True, metavar="FILES...")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where the sum goes.")
def command(files: tuple[str, ...], output: str) -> None:
    """Add counts, or relevance, of other texts, made for the same topics.

    Counts must be for the same metrics, relevance of the same classifier and heads. A text that is
    in two of the files is an error: nothing is counted twice.

    \b
    Examples:
      tealeaves add january.counts february.counts -o both.counts
      tealeaves add april.relevance may.relevance -o spring.relevance
    """
    check_not_input(output, files)
    check_writable(output)
    kinds: list[Kind] = [_kind(file) for file in files]
    for file, kind in zip(files, kinds, strict=True):
        if kind != kinds[0]:
            raise EvidenceError(
                f"{file} holds {kind}, but {files[0]} {kinds[0]}: add each kind by itself"
            )
    if Path(output).exists() and _kind_of_output(output) != kinds[0]:
        raise InputError(f"{output} exists and holds no {kinds[0]}: name another")
    (_add_relevance if kinds[0] == "relevance" else _add_counts)(files, output)


def _kind(file: str) -> Kind:
    """Tell what a file holds by its header."""
    import msgspec

    from tealeaves.archives import read_header

    class Header(msgspec.Struct):
        format: str = ""

    try:
        found = msgspec.json.decode(read_header(file, _WHAT), type=Header)
    except msgspec.DecodeError as error:
        raise InputError(f"{file}: not a whole file of {_WHAT}: {error}") from error
    kinds: dict[str, Kind] = {"tealeaves-counts": "counts", "tealeaves-relevance": "relevance"}
    if found.format not in kinds:
        raise InputError(f"{file}: not a file of {_WHAT}")
    return kinds[found.format]


def _kind_of_output(output: str) -> Kind | None:
    try:
        return _kind(output)
    except InputError:
        return None


def _add_counts(files: tuple[str, ...], output: str) -> None:
    from tealeaves.cli.count import check_replaceable, summary
    from tealeaves.evidence.storage import load_counts, save_counts

    check_replaceable(output)
    whole = _added(files, load_counts, lambda a, b: _both(a, b, files[0]))
    save_counts(whole, output)
    click.echo(summary(whole, output), err=True)


def _both(total: list[Counts], part: list[Counts], first: str) -> list[Counts]:
    if [one.unit for one in part] != [one.unit for one in total]:
        theirs, ours = (", ".join(one.unit.plural for one in counts) for counts in (part, total))
        raise EvidenceError(f"it counts {theirs}, but {first} {ours}")
    return [a + b for a, b in zip(total, part, strict=True)]


def _add_relevance(files: tuple[str, ...], output: str) -> None:
    from tealeaves.cli.relevance.gather import summary
    from tealeaves.cli.relevance.resuming import check_replaceable
    from tealeaves.evidence.relevance.storage import load_relevance, save_relevance

    check_replaceable(output)
    whole = _added(files, load_relevance, lambda a, b: a + b)
    save_relevance(whole, output)
    click.echo(summary(whole, output), err=True)


def _added(
    files: tuple[str, ...], load: Callable[[str], Part], add: Callable[[Part, Part], Part]
) -> Part:
    """Add files one by one, so that two of them are in memory at most."""
    total = load(files[0])
    for file in files[1:]:
        try:
            total = add(total, load(file))
        except EvidenceError as error:
            raise EvidenceError(f"{file} cannot be added: {error}") from error
    return total
