"""From settings to the likeness of topics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.metrics.comparing.divergence import cosine_of_directions, directions, jensen_shannon
from tealeaves.metrics.comparing.family import DEFAULT_P, LikenessSettings
from tealeaves.metrics.comparing.lists import WordLists
from tealeaves.metrics.comparing.matching import Likeness
from tealeaves.metrics.comparing.models import lists_of, shares_of, stacked_phi
from tealeaves.metrics.comparing.overlap import jaccard
from tealeaves.metrics.comparing.rbo import rbo
from tealeaves.topics.topics import Topics

_MOST_AT_ONCE = 4000  # rows and columns: 128 MB of cosines


def likeness_of_runs(
    runs: Sequence[Topics], settings: LikenessSettings, top: int | None
) -> tuple[Likeness, Floats]:
    """Return how alike topics of several runs are, and how much of the asked words each has."""
    if settings.similarity in ("rbo", "jaccard"):
        lists = lists_of(runs, top)
        return likeness_of_lists(lists, settings), shares_of(lists, top)
    stacked = stacked_phi(runs)
    whole = np.ones(len(stacked))
    if settings.similarity == "cosine":
        return likeness_of_directions(directions(stacked)), whole
    return (
        lambda rows, columns: jensen_shannon(_taken(stacked, rows), _taken(stacked, columns)),
        whole,
    )


def likeness_of_directions(rays: Floats) -> Likeness:
    """Return the cosines of rows of length 1, where they fit all at once: that is much faster."""
    if len(rays) <= _MOST_AT_ONCE:
        cosines = cosine_of_directions(rays, rays)
        return lambda rows, columns: _taken(cosines, rows)[:, columns.start : columns.stop]
    return lambda rows, columns: cosine_of_directions(_taken(rays, rows), _taken(rays, columns))


def likeness_of_lists(lists: WordLists, settings: LikenessSettings) -> Likeness:
    """Return how alike word lists are."""
    if settings.similarity == "jaccard":
        return lambda rows, columns: jaccard(lists, rows, columns)
    p = DEFAULT_P if settings.p is None else settings.p
    return lambda rows, columns: rbo(lists, rows, columns, p)


def _taken(matrix: Floats, rows: range) -> Floats:
    return matrix[rows.start : rows.stop]
