"""Bibles with one verse per line: verse TSV, and eBible with a second file of references."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from tealeaves.errors import InputError
from tealeaves.text.bible.verses import Verse, is_part, parse_reference, require_reference

_EXAMPLE = "GEN 1:1, and a tab before its text"
_RANGE = "<range>"  # the text of the verse is in the line of an earlier verse


def read_verse_tsv(lines: Iterable[str], name: str) -> Iterator[Verse]:
    """Read the verses of a TSV: a reference, a tab and the text; blank lines are skipped.

    >>> [str(verse.reference) for verse in read_verse_tsv(["GEN 1:1\\tIn the beginning"], "a.tsv")]
    ['GEN 1:1']
    """
    for number, line in enumerate(lines, 1):
        reference_text, tab, text = line.partition("\t")
        reference = parse_reference(reference_text)
        if reference is None:
            if not tab and not reference_text.strip():
                continue
            reference = require_reference(reference_text.strip(), name, number, example=_EXAMPLE)
        yield Verse(reference, text, number, is_part(reference_text))


def read_ebible(
    lines: Iterable[str], references: Iterable[str], *, name: str, references_name: str
) -> Iterator[Verse]:
    """Read the verses of an eBible file, given the reference of each line.

    A blank line is a verse that is missing. If several verses are one text, it gets the reference
    of the first.

    >>> verses = read_ebible(["In the", "<range>", ""], ["GEN 1:1", "GEN 1:2", "GEN 1:3"],
    ...                      name="a.txt", references_name="vref.txt")
    >>> [(str(verse.reference), verse.text) for verse in verses]
    [('GEN 1:1', 'In the')]
    """
    pairs = itertools.zip_longest(lines, references)
    for number, (text, reference_text) in enumerate(pairs, 1):
        if text is None or reference_text is None:
            shorter, longer = number - 1, number + sum(1 for _ in pairs)
            count, needed = (shorter, longer) if text is None else (longer, shorter)
            raise InputError(
                f"{name} has {count} lines, but {references_name} has {needed}: "
                "there must be one for each verse"
            )
        in_range = text.strip() == _RANGE
        if in_range and number == 1:
            raise InputError(f"{name}:1: {_RANGE}, but there is no verse before it")
        reference = require_reference(reference_text.strip(), references_name, number)
        if not in_range and text.strip():
            yield Verse(reference, text, number, is_part(reference_text.strip()))
