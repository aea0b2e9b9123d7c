"""How alike two topics are, slowly, by the definitions; and topics to try it on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tealeaves import Topics
from tealeaves.arrays import Floats
from tealeaves.metrics import Scores

Lists = Sequence[Sequence[str]]

SIMILARITIES = ("rbo", "jaccard", "js", "cosine")


def model(topics: Lists, name: str, **known: Any) -> Topics:
    return Topics.of([list(one) for one in topics], model=name, **known)


def of(scores: Scores, name: str) -> tuple[list[float], list[float]]:
    rows = [row for row in scores.topics.rows if row.model == name]
    return [row.value for row in rows], [row.support for row in rows]


def distributions(seed: int, *shape: int) -> Floats:
    drawn: Floats = np.random.default_rng(seed).dirichlet(np.full(shape[-1], 0.3), shape[:-1])
    return drawn


def rbo_slowly(one: Sequence[str], other: Sequence[str], p: float) -> float:
    short, long = sorted((one, other), key=len)
    s, total = len(short), 0.0
    for depth in range(1, 400):
        seen = min(depth, len(long))
        shared = len(set(short[:seen]) & set(long[:seen]))
        beyond = len(set(short) & set(long[:s])) * max(0, seen - s) / s
        total += (1 - p) * p ** (depth - 1) * (shared + beyond) / seen
    return total


def jaccard_slowly(one: Sequence[str], other: Sequence[str]) -> float:
    return len(set(one) & set(other)) / len(set(one) | set(other))


def js_of_scipy(one: Floats, other: Floats) -> float:
    from scipy.spatial.distance import jensenshannon

    return 1 - float(jensenshannon(one, other, base=2)) ** 2


def cosine_slowly(one: Floats, other: Floats) -> float:
    return float(sum(a * b for a, b in zip(one, other, strict=True))) / math.sqrt(
        sum(a * a for a in one) * sum(b * b for b in other)
    )


ORACLES = {"js": js_of_scipy, "cosine": cosine_slowly}
