"""Options of texts in several languages, and what they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli.stacking import stacked
from tealeaves.errors import InputError

if TYPE_CHECKING:
    from tealeaves.text.paired.corpus import PairedCorpus

# as of files (topics/per_language.py); a pipeline has a bracket before its first sign of equality
_PREFIX = re.compile(r"([\w.-]+)=(.+)", re.DOTALL)

paired_options = stacked(
    click.option(
        "--unit",
        metavar="UNIT",
        help="What one document of texts in several languages is: verse, chapter or "
        '"block(size=4)" of a Bible, document (rows with the same id are one) or blocks of lines. '
        "Default: chapters of a Bible, else as the files say.",
    ),
    click.option(
        "--links",
        metavar="HOW",
        help="How documents of several languages belong together: id (equal ids), line (the nth "
        "with the nth), field:NAME (a field of JSONL, CSV or Parquet), or a table with a column of "
        "ids for each language (.tsv, .csv, .jsonl). Default: id where there are ids, else line.",
    ),
)


def named(argument: str) -> tuple[str, str] | None:
    """Part ``en=PATH`` into language and path; a file of that very name is no language's.

    >>> named("en=texts.tsv"), named("texts.tsv")
    (('en', 'texts.tsv'), None)
    """
    if "=" not in argument:  # nothing is imported for most
        return None
    from tealeaves.topics.per_language import split_language_prefix

    return split_language_prefix(argument)


def path_of(argument: str) -> str:
    """Return the path of ``en=PATH`` or ``PATH``."""
    parts = named(argument)
    return parts[1] if parts else argument


def by_language(arguments: Iterable[str], option: str) -> dict[str, list[str]] | None:
    """Collect ``en=PATH`` by language; None where no argument says a language."""
    given = list(arguments)
    parts = [named(argument) for argument in given]
    if not any(parts):
        return None
    found: dict[str, list[str]] = {}
    for argument, part in zip(given, parts, strict=True):
        if part is None and argument.endswith("="):
            raise click.UsageError(
                f"{option} {argument}: the path is missing, as in {argument}PATH"
            )
        if part is None:
            others = " ".join(f"{one[0]}=…" for one in parts if one)
            raise click.UsageError(
                f"{option} {argument} and {others}: say the language of each (en={argument}), and "
                "-c before each text"
            )
        found.setdefault(part[0], []).append(part[1])
    return found


def paired_of(given: dict[str, Any]) -> PairedCorpus | None:
    """Open the texts of several languages; None where ``--corpus`` names no languages."""
    paths = by_language(given["corpora"], "--corpus")
    if paths is None:
        for name in ("unit", "links"):
            if given.get(name):
                raise click.UsageError(f"--{name} is for texts in languages: --corpus en=PATH")
        return None
    from tealeaves.text.document import Fields
    from tealeaves.text.paired.corpus import PairedCorpus

    names = ("text_field", "id_field", "label_field", "language_field")
    return PairedCorpus.open(
        paths,
        unit=given.get("unit"),
        links=given.get("links"),
        reader=_readers(given["reader"], list(paths)),
        fields=Fields(*(given[name] for name in names)),
    )


def _readers(
    reader: str | dict[str, str] | None, languages: list[str]
) -> str | dict[str, str] | None:
    """Give each language its reader, by its own name."""
    if not isinstance(reader, dict):
        return reader
    from tealeaves.text.languages import same_language

    found = dict.fromkeys(languages, reader.get("", ""))
    for name, expression in reader.items():
        mine = [one for one in languages if name and same_language(one, name)]
        if name and not mine:
            listed = ", ".join(languages)
            raise InputError(f"a reader for {name}, but the texts are in {listed}")
        found |= dict.fromkeys(mine, expression)
    return {language: expression for language, expression in found.items() if expression}


def read_by_language(
    context: click.Context,  # noqa: ARG001
    parameter: click.Parameter,
    values: tuple[str, ...],
) -> str | dict[str, str] | None:
    """Read one value for all texts, or ``en=VALUE`` for each language.

    Beside languages, one without a language is that of all others.
    """
    if not values:
        return None
    parts = [_PREFIX.fullmatch(value) for value in values]
    if len(values) == 1 and not parts[0]:
        return values[0]
    found: dict[str, str] = {}
    for value, part in zip(values, parts, strict=True):
        language, pipeline = (part[1], part[2]) if part else ("", value)
        if language in found:
            what = f" of {language}" if language else ""
            raise click.UsageError(
                f"the {parameter.name}{what} is given twice: {found[language]}, {value}"
            )
        found[language] = pipeline
    return found


def one_for_all(value: str | dict[str, str] | None, option: str) -> str | None:
    """Return what is said of texts in one language, whichever it is."""
    if isinstance(value, dict):
        languages = ", ".join(filter(None, value))
        raise InputError(f"--{option} for {languages}, but the texts are of no language (en=PATH)")
    return value


def of_side(value: str | dict[str, str] | None, language: str) -> str | None:
    """Return what is said of one of several languages."""
    if not isinstance(value, dict):
        return value
    from tealeaves.text.languages import same_language

    mine = [one for name, one in value.items() if name and same_language(name, language)]
    return mine[0] if mine else value.get("")
