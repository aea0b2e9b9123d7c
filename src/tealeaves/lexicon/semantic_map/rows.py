"""A semantic map as a table, for other programs: a row a token."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tealeaves.files import atomic_write
from tealeaves.lexicon.semantic_map.semantic_map import SemanticMap

_FIXED = ("lemma", "key", "place", "form", "group", "example", "x", "y")


def map_rows(found: SemanticMap) -> Iterator[list[str]]:
    """Yield the names of the columns, then each token: where it stands, lies, and how it is said.

    A column for each language has its expressions, several joined by ``|``; ``-`` stands for none,
    and nothing where there is no passage. Groups are numbered from 1; an example is what its group
    lies around. A token that no language expresses has no group and no place on the map.
    """
    table = found.table
    yield [*_FIXED, *found.languages]
    points = dict(zip(found.placed.tolist(), found.layout.points.tolist(), strict=True))
    examples = set(found.examples.tolist())
    for row, where in enumerate(table.occurrences):
        group = int(found.members[row])
        place = [f"{value:.6f}" for value in points[row]] if row in points else ["", ""]
        yield [
            *(where.lemma, where.key, str(where.place), table.form(where)),
            str(group + 1) if group >= 0 else "",
            str(int(row in examples)),
            *place,
            *(_said(found, language, row) for language in found.languages),
        ]


def _said(found: SemanticMap, language: str, row: int) -> str:
    token = found.table.extracted[language][row]
    if token is None:
        return ""
    return "|".join(sorted(token.expressions)) or "-"


def save_map_rows(found: SemanticMap, path: str | os.PathLike[str]) -> None:
    """Write the table with tabs between columns."""
    with atomic_write(path) as stream:
        for row in map_rows(found):
            # a tab or a line break in a word would make columns and lines of it
            cells = (" ".join(cell.split()) for cell in row)
            stream.write(("\t".join(cells) + "\n").encode())
