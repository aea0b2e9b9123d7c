"""Bibles of one verse a line: a reference, a tab and the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tealeaves.text.bibles.reference import Verse, is_part, parse_reference, reference_at

_EXAMPLE = "GEN 1:1, and a tab before its text"


def verses_of_rows(lines: Iterable[str], name: str) -> Iterator[Verse]:
    """Read the verses of a verse TSV; blank lines are passed over.

    >>> [str(verse.reference) for verse in verses_of_rows(["GEN 1:1\\tIn the beginning"], "a.tsv")]
    ['GEN 1:1']
    """
    for number, line in enumerate(lines, 1):
        written, tab, text = line.partition("\t")
        reference = parse_reference(written)
        if reference is None:
            if not tab and not written.strip():
                continue
            reference = reference_at(written.strip(), name, number, example=_EXAMPLE)
        yield Verse(reference, text, number, is_part(written))
