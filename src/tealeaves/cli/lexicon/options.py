"""Options of texts that several commands of the lexicon share, and what they stand for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli.options import named, read_by_language, stacked

if TYPE_CHECKING:
    from tealeaves.lexicon.extraction.sides import Reading

_FIELDS = {"text": "the passage", "id": "its id", "label": "its label", "language": "its language"}

reading_options = stacked(
    click.option(
        "--tokens",
        multiple=True,
        metavar="[LANG=]PIPELINE",
        callback=read_by_language,
        help="How texts become tokens: words, tokens (split at spaces), icu or characters, for all "
        "or, as in zh=characters, for one language. May be repeated. Default: words; icu where "
        "there are no spaces.",
    ),
    click.option(
        "--reader",
        multiple=True,
        metavar="[LANG=]NAME",
        callback=read_by_language,
        help="lines, file, jsonl, csv, tsv, parquet, bible or tmx, if the name does not tell.",
    ),
    click.option(
        "--unit",
        default="verse",
        show_default=True,
        metavar="UNIT",
        help='What a passage is: verse (as it is read), chapter or "block(size=4)".',
    ),
    click.option(
        "--links",
        metavar="HOW",
        help="How passages belong together: id (equal ids), line (the nth with the nth), "
        "field:NAME or a table with a column of ids for each language. Default: id where there "
        "are ids.",
    ),
    *(
        click.option(
            f"--{name}-field",
            default=name,
            show_default=True,
            metavar="NAME",
            help=f"The field of JSONL, CSV or Parquet that holds {what}.",
        )
        for name, what in _FIELDS.items()
    ),
)


def reading_of(given: dict[str, Any]) -> Reading:
    """Return how the texts are read that the options name."""
    from tealeaves.lexicon.extraction.sides import Reading
    from tealeaves.text.document import Fields

    fields = Fields(*(given[f"{name}_field"] for name in _FIELDS))
    names = ("tokens", "reader", "unit", "links")
    return Reading(**{name: given[name] for name in names}, fields=fields)


def side_of(argument: str) -> tuple[str, str]:
    """Part ``fin=PATH`` into language and path; a file alone names its language."""
    from tealeaves.errors import InputError
    from tealeaves.lexicon.extraction.sides import name_of

    parts = named(argument)
    if parts is not None:
        return parts
    if argument.endswith("="):
        raise InputError(f"{argument}: the path is missing, as in {argument}PATH")
    return name_of(argument), argument


def check_languages(languages: list[str], given: dict[str, Any]) -> None:
    """Refuse, before anything is read, options for languages that are not there."""
    reading_of(given).check(languages)


def check_there(paths: list[str]) -> None:
    """Refuse, before anything is read, texts that are not there."""
    import glob

    from tealeaves.errors import InputError

    lacking = [
        path
        for path in paths
        if path != "-"
        and not os.path.exists(os.path.expanduser(path))  # noqa: PTH110, PTH111
        and not glob.has_magic(path)
    ]
    if lacking:
        more = f" (and {len(lacking) - 1} more of the texts)" if len(lacking) > 1 else ""
        raise InputError(f"{lacking[0]}: no such file or folder{more}")
