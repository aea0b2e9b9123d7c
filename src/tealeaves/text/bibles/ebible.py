"""Bibles of one verse a line, the references of all lines in another file, as eBible has them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from tealeaves.errors import InputError
from tealeaves.text.bibles.reference import Verse, is_part, reference_at

_RANGE = "<range>"  # the text of the verse stands in the line of a verse before


def verses_of_lines(
    lines: Iterable[str], references: Iterable[str], *, name: str, references_name: str
) -> Iterator[Verse]:
    """Read the verses of an eBible file; a blank line is a verse that is missing.

    Several verses that are one text come as their first verse.

    >>> found = verses_of_lines(["In the", "<range>", ""], ["GEN 1:1", "GEN 1:2", "GEN 1:3"],
    ...                         name="a.txt", references_name="vref.txt")
    >>> [(str(verse.reference), verse.text) for verse in found]
    [('GEN 1:1', 'In the')]
    """
    both = itertools.zip_longest(lines, references)
    for number, (text, written) in enumerate(both, 1):
        if text is None or written is None:
            more = sum(1 for _ in both) + 1
            counts = (number - 1, number - 1 + more)
            found, needed = counts if text is None else counts[::-1]
            raise InputError(
                f"{name} has {found} lines, but {references_name} has {needed}: "
                "one is needed for each verse"
            )
        in_range = text.strip() == _RANGE
        if in_range and number == 1:
            raise InputError(f"{name}:1: {_RANGE}, but there is no verse before it")
        reference = reference_at(written.strip(), references_name, number)
        if not in_range and text.strip():
            yield Verse(reference, text, number, is_part(written.strip()))
