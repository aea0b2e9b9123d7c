"""Texts of the lexicon that are read to be tagged or sampled, with a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli.lexicon.options import reading_of
from tealeaves.jobs import progress_bar

if TYPE_CHECKING:
    from tealeaves.lexicon.bitext import Passages

words_option = click.option(
    "--words",
    type=click.Choice(["hanta", "simplemma", "forms"]),
    default="hanta",
    show_default=True,
    help="What a word of the source is: hanta makes lemmas with their part of speech, hand/N "
    "(English, German, Dutch; extra tag); simplemma makes lemmas (extra langs); forms are in lower "
    "case. A tagged file says itself.",
)


def asked_of(language: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return how the texts of a language are read, as ``read_passages`` is told it."""
    from tealeaves.lexicon.extraction.sides import said_of

    reading = reading_of(given)
    return {
        "pipeline": said_of(reading.tokens, language),
        "reader": said_of(reading.reader, language),
        "unit": reading.unit,
        "fields": reading.fields,
        "links": reading.links,
    }


def read_with_texts(
    side: tuple[str, str], given: dict[str, Any], *, words: str = "forms"
) -> Passages:
    """Read the passages of a language, with their texts."""
    from tealeaves.lexicon.passages import read_passages

    language, path = side
    with bar(f"reading {language}", given) as advance:
        return read_passages(
            path,
            language,
            analyser=words,
            keep_texts=True,
            advance=advance,
            **asked_of(language, given),
        )


@contextmanager
def bar(
    what: str, given: dict[str, Any], total: int | None = None
) -> Iterator[Callable[[int], None]]:
    """Show a bar of passages on a terminal."""
    shown = not given["quiet"]
    with progress_bar(total, what, shown=shown, unit=" passages", leave=False) as passages:

        def advance(count: int) -> None:
            passages.update(count)

        yield advance
