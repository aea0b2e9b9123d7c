"""``SemanticMap``: tokens that many languages express alike lie near each other."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from tealeaves.errors import InputError
from tealeaves.files import atomic_write
from tealeaves.lexicon.maps.colexification import (
    Colexification,
    Inventory,
    colexify,
    count_expressions,
)
from tealeaves.lexicon.maps.distances import Distances, language_distances, token_distances
from tealeaves.lexicon.maps.groups import TokenGroups, group_tokens, seriate_groups
from tealeaves.lexicon.maps.mds import Layout, classical_mds, filled, smacof
from tealeaves.lexicon.maps.token_table import TokenTable
from tealeaves.lexicon.markers.measures import log_likelihood
from tealeaves.statistics.seriation import seriation_order
from tealeaves.tables.numbers import count_text
from tealeaves.tables.spreadsheets import cell_of

if TYPE_CHECKING:
    from tealeaves.kernels import I64

Scaling = Literal["smacof", "classical"]
_SCALINGS = {"smacof": smacof, "classical": classical_mds}

_SIGNIFICANT = 6.63  # G² at p = .01
_FEWEST = 2  # tokens of a group that have a typical word
_MOST_WORDS = 5  # typical words of a group
_COLUMNS = ("lemma", "key", "place", "form", "group", "example", "x", "y")


@dataclass(frozen=True, eq=False)
class SemanticMap:
    """Tokens, their distances, their points in a plane, and their groups.

    Parameters
    ----------
    table
        The tokens, and how each language expresses them.
    distances
        The distances between all tokens.
    placed
        The tokens that some language expresses; layout and groups are of these.
    layout
        Their points, in two dimensions.
    scaling
        How the points were computed: ``smacof`` or ``classical``.
    groups
        The groups of tokens that are close to each other.
    typical
        Words that are typical of the passages of each group.
    order
        All tokens, similar ones side by side; those that are not placed come last.
    seriated
        The languages, similar ones side by side.
    wanted
        The number of groups that was asked for; None if it was chosen.
    """

    table: TokenTable
    distances: Distances
    placed: I64
    layout: Layout
    scaling: str
    groups: TokenGroups
    typical: tuple[tuple[str, ...], ...]
    order: I64
    seriated: tuple[str, ...]
    wanted: int | None = None

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages in the order of the table."""
        return self.table.languages

    @property
    def summary(self) -> str:
        """A line on the tokens, languages and groups, and on what is left out."""
        table, number = self.table, len(self.table.occurrences)
        drawn = f" drawn of {table.available:,}" if table.available > number else ""
        fewer = " (no more can be told apart)" if len(self.groups) < (self.wanted or 0) else ""
        not_placed = number - len(self.placed)
        without = f"; {not_placed:,} that no language expresses" if not_placed else ""
        if doubted := sum(map(len, table.doubted.values())):
            without += f"; {count_text(doubted, 'expression')} less sure than {table.least:g}"
        return (
            f"{count_text(number, 'token')}{drawn}, "
            f"{count_text(len(self.languages), 'language')}, "
            f"{count_text(len(self.groups), 'group')}{fewer}, "
            f"stress {self.layout.stress_text}{without}"
        )

    @cached_property
    def members(self) -> I64:
        """The group of every token; -1 for those that are not placed."""
        members = np.full(len(self.table.occurrences), -1)
        members[self.placed] = self.groups.members
        return members

    @cached_property
    def examples(self) -> I64:
        """The medoid of each group, among all tokens."""
        return self.placed[self.groups.medoids]

    @cached_property
    def inventories(self) -> Mapping[str, Inventory]:
        """The expressions of each language."""
        return {name: count_expressions(series) for name, series in self._expressions.items()}

    @cached_property
    def colexification(self) -> Colexification:
        """Which languages express groups alike, and which separate them."""
        return colexify(self._expressions, self.members, len(self.groups))

    @property
    def _expressions(self) -> dict[str, list[frozenset[str] | None]]:
        return dict(zip(self.table.languages, self.table.expressions, strict=True))


def map_tokens(
    table: TokenTable, *, scaling: Scaling = "smacof", groups: int | None = None
) -> SemanticMap:
    """Return a map on which tokens that languages express alike lie near each other.

    Parameters
    ----------
    table
        Made by :func:`tabulate_tokens`.
    scaling
        ``smacof`` for the least stress, ``classical`` for Torgerson's scaling.
    groups
        The number of groups. Default: that with the largest silhouette.
    """
    if scaling not in _SCALINGS:
        raise InputError(f"unknown scaling {scaling} (known: {', '.join(_SCALINGS)})")
    if groups is not None and groups < 1:
        raise InputError(f"{groups} groups: a map has at least one")
    series = table.expressions
    distances = token_distances(series)
    placed = distances.placed
    known = distances.among(placed)
    whole = filled(known.values)
    grouped = group_tokens(whole, groups)
    order = placed[seriate_groups(whole, grouped)]
    others = np.setdiff1d(np.arange(len(table.occurrences)), placed)
    rows = seriation_order(filled(language_distances(series)))
    return SemanticMap(
        table,
        distances,
        placed,
        _SCALINGS[scaling](known, 2),
        scaling,
        grouped,
        _typical(table, placed, grouped),
        np.concatenate([order, others]),
        tuple(table.languages[row] for row in rows),
        groups,
    )


def _typical(table: TokenTable, placed: I64, groups: TokenGroups) -> tuple[tuple[str, ...], ...]:
    occurrences = [table.occurrences[row] for row in placed]
    words = typical_words(
        [table.passages[where.key] for where in occurrences],
        groups.members.tolist(),
        len(groups),
        but={table.form(where) for where in occurrences},
    )
    return tuple(map(tuple, words))


def typical_words(
    passages: Sequence[Sequence[str]],
    members: Sequence[int],
    number: int,
    *,
    but: Collection[str] = (),
) -> list[list[str]]:
    """Return words that are more frequent in a group than in others, by Dunning's G², best first.

    A group has at most five. Words must be significant (p ≤ .01), and of two of its tokens.

    Parameters
    ----------
    passages
        The words of each token's passage; they are compared and returned in lower case.
    members, number
        The group of each token, -1 for none, and the number of groups.
    but
        Words to leave out, such as the tokens themselves.

    >>> texts = [["right", "the"]] * 9 + [["the", "left"]] * 9
    >>> typical_words(texts, [0] * 9 + [1] * 9, 2)
    [['right'], ['left']]
    """
    left_out = {word.lower() for word in but}
    within = [Counter[str]() for _ in range(number)]
    sizes = [0] * number
    for words, member in zip(passages, members, strict=True):
        if member >= 0:
            within[member].update({word.lower() for word in words} - left_out)
            sizes[member] += 1
    every = sum(within, Counter[str]())
    return [
        _typical_of_group(counts, every, size, sum(sizes))
        for counts, size in zip(within, sizes, strict=True)
    ]


def _typical_of_group(
    within: Counter[str], every: Counter[str], size: int, total: int
) -> list[str]:
    words = sorted(word for word, count in within.items() if count >= _FEWEST)
    if not words:
        return []
    both, all_ = (np.array([counts[word] for word in words]) for counts in (within, every))
    scores = log_likelihood(both, all_, size, total)
    order = np.argsort(-scores, kind="stable")[:_MOST_WORDS]
    return [words[row] for row in order if scores[row] >= _SIGNIFICANT]


# ---------------------------------------------------------------------- as a table


def map_rows(semantic: SemanticMap) -> Iterator[list[str]]:
    """Yield the names of the columns, then a row for each token.

    A column for each language has its expressions, with ``|`` between several; ``-`` stands for
    none, and a blank cell for no passage. Groups are numbered from 1; an example is the medoid of
    its group. A token that no language expresses has no group and no point.
    """
    table = semantic.table
    yield [*_COLUMNS, *semantic.languages]
    points = dict(zip(semantic.placed.tolist(), semantic.layout.points.tolist(), strict=True))
    examples = set(semantic.examples.tolist())
    for row, where in enumerate(table.occurrences):
        group = int(semantic.members[row])
        place = [f"{value:.6f}" for value in points[row]] if row in points else ["", ""]
        yield [
            *(where.lemma, where.key, str(where.place), table.form(where)),
            str(group + 1) if group >= 0 else "",
            str(int(row in examples)),
            *place,
            *(_expressions_cell(semantic, language, row) for language in semantic.languages),
        ]


def _expressions_cell(semantic: SemanticMap, language: str, row: int) -> str:
    token = semantic.table.extracted[language][row]
    if token is None:
        return ""
    return "|".join(sorted(token.expressions)) or "-"


def save_map_rows(semantic: SemanticMap, path: str | os.PathLike[str]) -> None:
    """Write a map as a table with tabs between columns, a row for each token."""
    with atomic_write(path) as stream:
        for row in map_rows(semantic):
            # a tab or a line break in a word would start a new column or line
            cells = (cell_of(" ".join(cell.split())) for cell in row)
            stream.write(("\t".join(cells) + "\n").encode())
