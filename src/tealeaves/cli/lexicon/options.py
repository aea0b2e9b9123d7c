"""Options of texts that several commands of the lexicon share, and what they stand for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli.help import FILES, LANGUAGES, TEXTS, option
from tealeaves.cli.options import OptionFamily, TextOptions, named, read_by_language
from tealeaves.jobs import progress_bar

if TYPE_CHECKING:
    from tealeaves.lexicon.bitext import Passages
    from tealeaves.lexicon.extraction.sides import Reading

_FIELDS = {"text": "the passage", "id": "its id", "label": "its label", "language": "its language"}

words_option = option(
    "--words",
    heading=TEXTS,
    type=click.Choice(["hanta", "simplemma", "forms"]),
    default="hanta",
    show_default=True,
    help="What a word of the source is: hanta makes lemmas with their part of speech, hand/N "
    "(English, German, Dutch; extra tag); simplemma makes lemmas (extra langs); forms are in lower "
    "case. A tagged file has its own words.",
)

#: How the texts of each language become passages.
passage_options = OptionFamily(
    "texts",
    TextOptions,
    option(
        "--tokens",
        heading=TEXTS,
        multiple=True,
        metavar="[LANG=]PIPELINE",
        callback=read_by_language,
        help="How texts become tokens: words, tokens (split at spaces), icu or characters, for all "
        "languages or, as in zh=characters, for one. May be repeated. Default: words; icu for "
        "languages without spaces.",
    ),
    option(
        "--reader",
        heading=FILES,
        multiple=True,
        metavar="[LANG=]NAME",
        callback=read_by_language,
        help="How files are read, if their names do not tell: lines, file, jsonl, csv, tsv, "
        "parquet, bible or tmx.",
    ),
    option(
        "--unit",
        heading=TEXTS,
        default="verse",
        show_default=True,
        metavar="UNIT",
        help='What a passage is: verse (as it is in the file), chapter or "block(size=4)".',
    ),
    option(
        "--links",
        heading=LANGUAGES,
        metavar="HOW",
        help="How passages belong together: id (equal ids), line (the nth with the nth), "
        "field:NAME or a table with a column of ids for each language. Default: id if there are "
        "ids.",
    ),
    *(
        option(
            f"--{name}-field",
            heading=FILES,
            default=name,
            show_default=True,
            metavar="NAME",
            help=f"The field of JSONL, CSV or Parquet that holds {what}.",
        )
        for name, what in _FIELDS.items()
    ),
)


def reading(texts: TextOptions) -> Reading:
    """Return how texts become passages."""
    from tealeaves.lexicon.extraction.sides import Reading

    return Reading(texts.tokens, texts.reader, texts.unit or "verse", texts.fields, texts.links)


def passage_arguments(texts: TextOptions, language: str) -> dict[str, Any]:
    """Return the arguments of ``read_passages`` for the texts of one language."""
    from tealeaves.lexicon.extraction.sides import said_of

    return {
        "pipeline": said_of(texts.tokens, language),
        "reader": said_of(texts.reader, language),
        "unit": texts.unit,
        "fields": texts.fields,
        "links": texts.links,
    }


def side_of(argument: str) -> tuple[str, str]:
    """Split ``fin=PATH`` into language and path; a file without one is named after its language."""
    from tealeaves.errors import InputError
    from tealeaves.lexicon.extraction.sides import name_of

    parts = named(argument)
    if parts is not None:
        return parts
    if argument.endswith("="):
        raise InputError(f"{argument}: the path is missing, as in {argument}PATH")
    return name_of(argument), argument


def check_there(paths: list[str]) -> None:
    """Raise for texts that do not exist, before anything is read."""
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


# ---------------------------------------------------------------------- options one by one

reading_options = passage_options.flat


def reading_of(given: dict[str, Any]) -> Reading:
    """Return how texts become passages."""
    return reading(TextOptions.of(given))


def check_languages(languages: list[str], given: dict[str, Any]) -> None:
    """Raise for options of languages without texts, before anything is read."""
    reading_of(given).check(languages)


def read_with_texts(
    side: tuple[str, str], given: dict[str, Any], *, words: str = "forms"
) -> Passages:
    """Read the passages of a language, with their texts."""
    from tealeaves.lexicon.passages import read_passages

    language, path = side
    bar = progress_bar(
        None, f"reading {language}", shown=not given["quiet"], unit=" passages", leave=False
    )
    with bar:
        return read_passages(
            path,
            language,
            analyser=words,
            keep_texts=True,
            advance=bar.update,
            **passage_arguments(TextOptions.of(given), language),
        )
