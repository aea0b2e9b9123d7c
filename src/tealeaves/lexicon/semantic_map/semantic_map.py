"""``SemanticMap``: tokens as many languages see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from tealeaves.errors import InputError
from tealeaves.lexicon.semantic_map.colexification import Colexification, colexify
from tealeaves.lexicon.semantic_map.contexts import typical_words
from tealeaves.lexicon.semantic_map.distances import (
    Distances,
    language_distances,
    token_distances,
)
from tealeaves.lexicon.semantic_map.groups import Groups, group_tokens
from tealeaves.lexicon.semantic_map.inventory import Inventory, count_expressions
from tealeaves.lexicon.semantic_map.mds import Layout, classical_mds, filled, smacof
from tealeaves.lexicon.semantic_map.seriation import seriate_groups
from tealeaves.lexicon.semantic_map.token_table import TokenTable
from tealeaves.statistics.seriation import seriation_order

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I64

Scaling = Literal["smacof", "classical"]
_SCALINGS = {"smacof": smacof, "classical": classical_mds}


@dataclass(frozen=True, eq=False)
class SemanticMap:
    """Tokens, how far they are from each other, where they lie, and how they group.

    Parameters
    ----------
    table
        The tokens and how each language expresses them.
    distances
        Between all tokens.
    placed
        The tokens that some language expresses; layout and groups are of these.
    layout
        Where they lie, in two dimensions.
    scaling
        How that was found: ``smacof`` or ``classical``.
    groups
        Which lie close together.
    typical
        Words that are typical of the passages of each group.
    order
        All tokens, those that are alike side by side; those that are not placed come last.
    seriated
        The languages, those that group tokens alike side by side.
    """

    table: TokenTable
    distances: Distances
    placed: I64
    layout: Layout
    scaling: str
    groups: Groups
    typical: tuple[tuple[str, ...], ...]
    order: I64
    seriated: tuple[str, ...]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages in the order in which they were given."""
        return self.table.languages

    @cached_property
    def members(self) -> I64:
        """The group of every token; -1 for those that are not placed."""
        members = np.full(len(self.table.occurrences), -1)
        members[self.placed] = self.groups.members
        return members

    @cached_property
    def examples(self) -> I64:
        """The token that each group lies around."""
        return self.placed[self.groups.medoids]

    @cached_property
    def inventories(self) -> Mapping[str, Inventory]:
        """The expressions of each language."""
        series = dict(zip(self.table.languages, self.table.expressions, strict=True))
        return {language: count_expressions(series[language]) for language in self.languages}

    @cached_property
    def colexification(self) -> Colexification:
        """Which languages express groups alike, and which separate them."""
        series = dict(zip(self.table.languages, self.table.expressions, strict=True))
        ordered = {language: series[language] for language in self.languages}
        return colexify(ordered, self.members, len(self.groups))


def semantic_map(
    table: TokenTable, *, scaling: Scaling = "smacof", groups: int | None = None
) -> SemanticMap:
    """Place tokens so that those that languages express alike lie near each other.

    Parameters
    ----------
    table
        Made by :func:`tabulate_tokens`.
    scaling
        ``smacof`` for the least stress, ``classical`` for Torgerson's scaling.
    groups
        How many groups; by default the number that the silhouette prefers.
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
    found = group_tokens(whole, groups)
    order = placed[seriate_groups(whole, found)]
    others = np.setdiff1d(np.arange(len(table.occurrences)), placed)
    rows = seriation_order(filled(language_distances(series)))
    return SemanticMap(
        table,
        distances,
        placed,
        _SCALINGS[scaling](known, 2),
        scaling,
        found,
        _typical(table, placed, found),
        np.concatenate([order, others]),
        tuple(table.languages[row] for row in rows),
    )


def _typical(table: TokenTable, placed: I64, groups: Groups) -> tuple[tuple[str, ...], ...]:
    occurrences = [table.occurrences[row] for row in placed]
    words = typical_words(
        [table.passages[where.key] for where in occurrences],
        groups.members.tolist(),
        len(groups),
        but={table.form(where) for where in occurrences},
    )
    return tuple(map(tuple, words))
