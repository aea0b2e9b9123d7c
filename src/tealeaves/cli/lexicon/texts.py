"""Texts of the lexicon that are read to be tagged or sampled, with a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tealeaves.cli.lexicon.options import reading_of
from tealeaves.jobs import progress_bar


def asked_of(language: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return how the texts of a language are read, as ``read_passages`` is told it."""
    from tealeaves.lexicon.extraction.reading import for_language

    reading = reading_of(given)
    return {
        "pipeline": for_language(reading.tokens, language),
        "reader": for_language(reading.reader, language),
        "unit": reading.unit,
        "fields": reading.fields,
        "links": reading.links,
    }


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
