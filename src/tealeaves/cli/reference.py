"""A reference on the command line: another text beside the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli.fields import fields_of
from tealeaves.cli.paired import one_for_all
from tealeaves.cli.stacking import stacked

if TYPE_CHECKING:
    from tealeaves.text.corpus import Corpus

reference_options = stacked(
    click.option(
        "--reference",
        "reference",
        multiple=True,
        metavar="PATH",
        help="Another, larger text, such as Wikipedia, for metrics that use one beside the corpus: "
        "as a corpus is given (with the same --reader and names of fields), or one file of "
        "`tealeaves count` (.counts). May be repeated.",
    ),
    click.option(
        "--reference-tokens",
        metavar="PIPELINE",
        help="How the reference becomes tokens. Default: words, whatever those of the models are; "
        "counts know theirs.",
    ),
)


def open_reference(given: dict[str, Any]) -> Corpus | list[str] | None:
    """Open the reference that ``reference_options`` name; the files of counts as they are."""
    from tealeaves.evidence.sources import is_counts_file

    paths = list(given["reference"])
    if not paths or any(map(is_counts_file, paths)):
        return paths or None
    from tealeaves.text.corpus import Corpus

    return Corpus.open(
        *paths, reader=one_for_all(given["reader"], "reader"), fields=fields_of(given)
    )


def check_reference(given: dict[str, Any]) -> None:
    """Refuse what cannot be before anything is read; commands without the option may ask too."""
    if "-" in given.get("reference", ()) and "-" in given["corpora"]:
        raise click.UsageError("standard input is read once: as the corpus, or as the reference")


def reads_reference(given: dict[str, Any]) -> bool:
    """Tell whether texts of a reference are read, not its counts."""
    from tealeaves.evidence.sources import is_counts_file

    paths = given.get("reference", ())
    return bool(paths) and not any(map(is_counts_file, paths))
