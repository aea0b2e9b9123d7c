"""Ranks: the signals put together with no training, by the ranks of topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.consensus.signals import signals_of
from tealeaves.consensus.sources import ModelSources, by_sources

# a second theme, and how common words are, may speak for a topic or against it
_UNSURE = ("second", "common")


def signal_table(judged: Sequence[ModelSources]) -> tuple[dict[str, Floats], Floats]:
    """Return the signals of the topics of all models in turn, and the support.

    A signal that a topic has not is NaN.
    """
    size = sum(len(sources.model) for sources in judged)
    table: dict[str, Floats] = {}
    support, start = np.zeros(size), 0
    for sources in judged:
        for rows, relations in sources.relations:
            for mine, seen in by_sources(relations):
                places = start + rows[mine]
                support[places] = seen.support() * len(seen.logits) / len(sources.names)
                for name, values in signals_of(seen).items():
                    table.setdefault(name, np.full(size, np.nan))[places] = values
        start += len(sources.model)
    return table, support


def mean_ranks(signals: Mapping[str, Floats]) -> Floats:
    """Return the mean over signals of each topic's rank, from 0 (lowest of all) to 1.

    Of equal topics each has the mean of their ranks. A topic without a signal is judged by the
    others; a signal that only one topic has orders nothing.

    >>> mean_ranks({"texts.best": np.array([0.1, 0.5, 0.9]), "texts.worst": np.array([2.0, 1, 3])})
    array([0.25, 0.25, 1.  ])
    """
    columns = [_share(values) for name, values in signals.items() if is_ranked(name)]
    if not columns:
        size = len(next(iter(signals.values()), ()))
        return np.full(size, np.nan)
    table = np.array(columns)
    known = ~np.isnan(table)
    number = known.sum(axis=0)
    total = np.where(known, table, 0.0).sum(axis=0)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def is_ranked(name: str) -> bool:
    """Tell whether more of a signal is better."""
    return not name.endswith(_UNSURE)


def _share(values: Floats) -> Floats:
    """Return ranks from 0 to 1 among the topics that have a value."""
    found = np.full(len(values), np.nan)
    known = ~np.isnan(values)
    if known.sum() > 1:
        _, group, number = np.unique(values[known], return_inverse=True, return_counts=True)
        before = np.cumsum(number) - number
        found[known] = (before + (number - 1) / 2)[group] / (known.sum() - 1)
    return found
