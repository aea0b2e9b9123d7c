"""Options of texts that several commands of the lexicon share, and what they stand for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from tealeaves.cli.help import FILES, LANGUAGES, TEXTS, option
from tealeaves.cli.options import (
    OptionFamily,
    TextOptions,
    field_options,
    named,
    read_by_language,
)
from tealeaves.errors import InputError

if TYPE_CHECKING:
    from tealeaves.lexicon.extraction.reading import Reading

words_option = option(
    "--words",
    heading=TEXTS,
    type=click.Choice(["hanta", "simplemma", "forms"]),
    default="hanta",
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
    *field_options("the passage"),
)


def reading(texts: TextOptions) -> Reading:
    """Return how the texts of all languages are read."""
    from tealeaves.lexicon.extraction.reading import Reading

    return Reading(texts.tokens, texts.reader, texts.unit or "verse", texts.fields, texts.links)


def side_of(argument: str) -> tuple[str, str]:
    """Split ``fin=PATH`` into language and path; a file without one is named after its language."""
    from tealeaves.lexicon.extraction.reading import language_of_file

    parts = named(argument)
    if parts is not None:
        return parts
    if argument.endswith("="):
        raise InputError(f"{argument}: the path is missing, as in {argument}PATH")
    return language_of_file(argument), argument


def sides_of(arguments: Iterable[str]) -> dict[str, str]:
    """Return the path of each language; two paths of one language are an error."""
    paths: dict[str, str] = {}
    for name, path in map(side_of, arguments):
        if name in paths:
            raise InputError(
                f"{paths[name]} and {path}: both targets are called {name}; say a name before the "
                f"path: {name}2={path}"
            )
        paths[name] = path
    return paths


def lemmas_of(values: Iterable[str]) -> list[str]:
    """Return the lemmas of ``hand,foot`` and of files of lemmas, ``@FILE``."""
    from tealeaves.lexicon.extraction.lemmas import read_lemmas, split_lemmas

    lists = [
        read_lemmas(value.removeprefix("@")) if value.startswith("@") else split_lemmas(value)
        for value in values
    ]
    return list(dict.fromkeys(lemma for lemmas in lists for lemma in lemmas))
