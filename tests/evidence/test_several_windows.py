"""Windows of several sizes, counted at once, are those counted one by one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.evidence.counting import Counter, SeveralCounter, grouped
from tealeaves.evidence.gathering import gather
from tealeaves.evidence.lane import SMALL, Lane, Plan
from tealeaves.evidence.request import Request
from tealeaves.evidence.terms import Term
from tealeaves.evidence.units import Unit
from tealeaves.text.corpus import Corpus
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.pipeline import Pipeline

TOKENS = Pipeline.parse("tokens")
UNITS = [Unit(), Unit("window", 1), Unit("window", 3), Unit("window", 10), Unit("context", 2)]
WORDS = [Term(("a",)), Term(("b",)), Term(("c",)), Term(("d",)), Term(("a", "b")), Term(("c",) * 3)]

texts = st.lists(st.lists(st.sampled_from("abcdx"), max_size=25).map(" ".join), max_size=6)


def requests(terms: list[Term], units: list[Unit]) -> list[Request]:
    """Ask for all pairs of some terms in several units, with the same sets."""
    listed = frozenset(terms), frozenset(combinations(sorted(terms), 2))
    return [Request(unit, *listed) for unit in units]


def test_they_are_put_together() -> None:
    plan = Plan(requests(WORDS, UNITS), TOKENS, compiled=False)
    counters = [Counter(tables, plan.run) for tables in plan.tables]
    kinds = sorted(type(one).__name__ for one in grouped(counters, plan.run))
    assert kinds == ["Counter", "SeveralCounter"]  # contexts are counted alone


def test_requests_for_other_words_are_not() -> None:
    asked = [requests(WORDS[:2], UNITS[:1])[0], requests(WORDS[1:], UNITS[1:2])[0]]
    plan = Plan(asked, TOKENS, compiled=False)
    counters = [Counter(tables, plan.run) for tables in plan.tables]
    assert not any(isinstance(one, SeveralCounter) for one in grouped(counters, plan.run))


@pytest.mark.parametrize("compiled", [False, True])
@settings(max_examples=60)
@given(texts, st.lists(st.sampled_from(WORDS), min_size=2, unique=True))
def test_counts_are_those_of_one_size_at_a_time(
    compiled: bool, rows: list[str], terms: list[Term]
) -> None:
    def counted(asked: list[Request]) -> list[tuple[int, list[int], list[int]]]:
        lane = Lane(Plan(asked, TOKENS, compiled=compiled))
        for block in Corpus.of(rows).blocks():
            lane.add(block, Fingerprint())
        return [
            (one.totals.units, one.singles.tolist(), one.pair_counts.tolist())
            for one in lane.counts()
        ]

    asked = requests(terms, UNITS)
    assert counted(asked) == [counted([one])[0] for one in asked]


def test_large_texts_in_several_threads() -> None:
    draw = np.random.default_rng(5)
    rows = [" ".join(draw.choice(list("abcdxyz"), size=60)) for _ in range(2000)]
    assert sum(map(len, rows)) > SMALL
    asked = requests(WORDS, UNITS)
    together = gather(Corpus.of(rows), TOKENS, asked, threads=2, block_bytes=1 << 14)
    for one in together:
        [alone] = gather(Corpus.of(rows), TOKENS, [one.request], threads=1)
        assert one.totals == alone.totals
        np.testing.assert_array_equal(one.singles, alone.singles)
        np.testing.assert_array_equal(one.pair_counts, alone.pair_counts)
