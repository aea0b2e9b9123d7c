"""Our aligner written plainly: over all paths, with words counted in dictionaries."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

#: rows are what explains, columns what is explained
Table = list[list[float]]
Text = Sequence[Sequence[str]]
See = Callable[[str], str]


def moves(jumps: Sequence[float], states: int, alone: float) -> Table:
    """Return how likely each state follows each; the last row is that of the beginning."""
    reach = len(jumps) // 2
    made = []
    for before in (*range(states), -1):
        weights = [jumps[min(max(to - before, -reach), reach) + reach] for to in range(states)]
        made.append([(1 - alone) * weight / sum(weights) for weight in weights])
    return made


def by_all_paths(
    emissions: Table, null: Sequence[float], alone: float, jumps: Sequence[float]
) -> tuple[Table, list[float]]:
    """Return the probabilities of links, and how often each jump is expected."""
    states, length, reach = len(emissions), len(null), len(jumps) // 2
    links = [[0.0] * length for _ in range(states)]
    counts = [0.0] * len(jumps)
    follows = moves(jumps, states, alone)
    total = 0.0
    for path in itertools.product([None, *range(states)], repeat=length):
        weight, before, made = 1.0, -1, []
        for word, state in enumerate(path):
            if state is None:
                weight *= alone * null[word]
                continue
            weight *= follows[before][state] * emissions[state][word]
            made.append(min(max(state - before, -reach), reach) + reach)
            before = state
        total += weight
        for word, state in enumerate(path):
            if state is not None:
                links[state][word] += weight
        for jump in made:
            counts[jump] += weight
    return [[p / total for p in row] for row in links], [count / total for count in counts]


def by_words(emissions: Table, null: Sequence[float], alone: float) -> Table:
    """Return the probabilities of links by IBM model 1, where any state is as likely."""
    made = [[0.0] * len(null) for _ in emissions]
    for word, without in enumerate(null):
        each = [(1 - alone) / len(emissions) * row[word] for row in emissions]
        for state, mass in enumerate(each):
            made[state][word] = mass / (sum(each) + alone * without)
    return made


def by_logarithms(
    logs: NDArray[np.float64], null: NDArray[np.float64], alone: float, jumps: Sequence[float]
) -> NDArray[np.float64]:
    """Return the probabilities of links of a passage of any length: no product is ever made."""
    states, length = logs.shape
    follows = np.log(moves(jumps, states, alone))
    stay = np.log(alone) + np.log(null)
    ahead = np.zeros((length + 1, states + 1))
    for word in range(length - 1, -1, -1):
        jump = follows + (logs[:, word] + ahead[word + 1, :states])[None, :]
        ahead[word] = np.logaddexp(np.logaddexp.reduce(jump, axis=1), stay[word] + ahead[word + 1])
    now = np.full(states + 1, -np.inf)
    now[states] = 0.0
    found = np.empty((states, length))
    for word in range(length):
        arrived = np.logaddexp.reduce(now[:, None] + follows, axis=0) + logs[:, word]
        found[:, word] = arrived + ahead[word + 1, :states] - ahead[0, states]
        now = now + stay[word]
        now[:states] = np.logaddexp(now[:states], arrived)
    return np.exp(found)


def turned(table: Table) -> Table:
    return [list(column) for column in zip(*table, strict=True)]


def train(
    source: Text, target: Text, views: Sequence[See], steps: int, jumping: int
) -> tuple[list[Table], list[Table]]:
    """Return the probabilities of links, source words in rows, target words in columns.

    Those of the first direction, where source words explain target words, then of the other.
    """
    sides = (source, target), (target, source)
    seen = [(lambda word: word, view) for view in views]
    emissions = [[[[1.0] * len(t) for t in [there] * len(here)] for here, there in
                  zip(*side, strict=True)] for side in sides]  # fmt: skip
    null = [[[1.0] * len(text) for text in side[1]] for side in sides]
    jumps = [[math.exp(-0.3 * abs(d - 1)) for d in range(-12, 13)]] * 2
    for step in range(steps + jumping):
        found = []
        for way in (0, 1):
            pairs = zip(emissions[way], null[way], strict=True)
            if step < steps:
                found.append([by_words(e, n, 0.2) for e, n in pairs])
            else:
                both = [by_all_paths(e, n, 0.2, jumps[way]) for e, n in pairs]
                found.append([links for links, _ in both])
                jumps[way] = [0.1 + sum(column) for column in zip(*(c for _, c in both))]  # noqa: B905
        believed = found
        if step >= steps:
            agreed = [_product(a, turned(b)) for a, b in zip(*found, strict=True)]
            believed = [agreed, [turned(table) for table in agreed]]
        for way in (0, 1):
            orders = seen if way == 0 else [(b, a) for a, b in seen]
            emissions[way], null[way] = _learn(*sides[way], believed[way], orders)
    return found[0], [turned(table) for table in found[1]]


def _product(one: Table, other: Table) -> Table:
    return [[a * b for a, b in zip(x, y, strict=True)] for x, y in zip(one, other, strict=True)]


def _learn(
    here: Text, there: Text, links: list[Table], views: Sequence[tuple[See, See]]
) -> tuple[list[Table], list[list[float]]]:
    """Return how likely words bring about words, and how likely nothing does, token by token."""
    passages = list(zip(here, there, links, strict=True))
    emissions = [[[0.0] * len(b) for _ in a] for a, b, _ in passages]
    null = [[0.0] * len(b) for b in there]
    for see, seen in views:
        pairs, totals, without = Counter[tuple[str, str]](), Counter[str](), Counter[str]()
        for a, b, table in passages:
            for (i, x), (j, y) in itertools.product(enumerate(a), enumerate(b)):
                pairs[see(x), seen(y)] += table[i][j]  # type: ignore[assignment]
                totals[see(x)] += table[i][j]  # type: ignore[assignment]
            for j, y in enumerate(b):
                without[seen(y)] += max(0.0, 1 - sum(row[j] for row in table))  # type: ignore[assignment]
        tokens = Counter(seen(y) for b in there for y in b)
        for row, (a, b, _) in enumerate(passages):
            for (i, x), (j, y) in itertools.product(enumerate(a), enumerate(b)):
                share = max(pairs[see(x), seen(y)] / totals[see(x)], 1e-9)
                emissions[row][i][j] += math.log(share) / len(views)
            for j, y in enumerate(b):
                usual = tokens[seen(y)] / tokens.total()
                share = (without[seen(y)] + 10 * usual) / (without.total() + 10)
                null[row][j] += math.log(share) / len(views)
    grown = [[[math.exp(x) for x in row] for row in table] for table in emissions]
    return grown, [[math.exp(x) for x in row] for row in null]
