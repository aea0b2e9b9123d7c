"""``tealeaves add``."""

from __future__ import annotations

import click

from tealeaves.cli.options import check_not_input
from tealeaves.errors import EvidenceError


@click.command("add")
@click.argument("files", nargs=-1, required=True, metavar="COUNTS...")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where the sum goes.")
def command(files: tuple[str, ...], output: str) -> None:
    """Add counts of other texts, made for the same topics and metrics.

    A text that is in two of the files is an error: nothing is counted twice.

    \b
    Example:
      tealeaves add january.counts february.counts -o both.counts
    """
    from tealeaves.cli.count import check_replaceable, summary
    from tealeaves.evidence.storage import load_counts, save_counts

    check_replaceable(output)
    check_not_input(output, files)
    total = load_counts(files[0])
    for file in files[1:]:
        part = load_counts(file)
        if [one.unit for one in part] != [one.unit for one in total]:
            theirs, ours = ([one.unit.plural for one in counts] for counts in (part, total))
            raise EvidenceError(
                f"{file} counts {', '.join(theirs)}, but {files[0]} {', '.join(ours)}"
            )
        try:
            total = [a + b for a, b in zip(total, part, strict=True)]
        except EvidenceError as error:
            raise EvidenceError(f"{file} cannot be added: {error}") from error
    save_counts(total, output)
    click.echo(summary(total, output), err=True)
