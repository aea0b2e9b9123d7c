"""From the markers of a seed to how each of its tokens is expressed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.extraction.result import Extracted
from tealeaves.lexicon.markers.index import MarkerIndex

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32


def first_in_passage(
    index: MarkerIndex, rows: I32, markers: Sequence[int], expressions: Sequence[str]
) -> list[Extracted]:
    """Express each token by the first marker that occurs in its passage; by nothing if none does.

    >>> from tealeaves.lexicon.words import Words
    >>> index = MarkerIndex.of(Words.of([["ja", "käsi"], ["jalka"], ["käden", "käsi"]]))
    >>> numbers = [index.text(m) for m in range(len(index))]
    >>> tokens = first_in_passage(index, np.array([0, 1, 2, 2]), [numbers.index("#kä")], ["kä"])
    >>> [(sorted(token.expressions), token.words) for token in tokens]
    [(['kä'], (1,)), ([], ()), (['kä'], (0, 1)), (['kä'], (0, 1))]
    """
    passages, tokens = np.unique(rows, return_inverse=True)
    words = index.words.taken(passages.astype(np.int64))
    made = [Extracted()] * len(passages)
    is_open = np.ones(len(passages), bool)
    for marker, expression in zip(markers, expressions, strict=True):
        held = np.flatnonzero(index.borne_by(marker)[words.numbers] & is_open[words.rows])
        covered, starts = np.unique(words.rows[held], return_index=True)
        places = np.split(held - words.starts[words.rows[held]], starts[1:])
        for row, where in zip(covered, places, strict=False):  # of nothing, split makes one part
            made[row] = Extracted(frozenset([expression]), tuple(where.tolist()))
        is_open[covered] = False
    return [made[token] for token in tokens]
