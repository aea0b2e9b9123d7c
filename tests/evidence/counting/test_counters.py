"""Counts in all units, against counters in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.evidence import CountRequest, Counts, Term, Unit, count_corpus
from tealeaves.evidence.counting import counters
from tealeaves.evidence.counting.corpus import CountingPlan
from tealeaves.evidence.counting.counters import RequestCounter, group_counters
from tealeaves.evidence.counting.kernels import windows as kernel_of_windows
from tealeaves.evidence.counting.kernels.windows import MOST_SIZES
from tealeaves.kernels import in_python
from tealeaves.text import Corpus, Pipeline

TOKENS = Pipeline.parse("tokens")
Documents = list[list[str]]

# few different tokens, so that words repeat inside windows; "z" is never in the text
TERMS = sorted(
    [*(Term((word,)) for word in "abcz"), Term(("a", "b")), Term(("b", "a", "a")), Term(("c", "c"))]
)
documents = st.lists(st.lists(st.sampled_from("abcde"), max_size=25), max_size=6)
units = st.one_of(st.just(Unit()), st.integers(1, 30).map(lambda size: Unit("window", size)))


def holds(window: Sequence[str], term: Term) -> bool:
    length = len(term.tokens)
    starts = range(len(window) - length + 1)
    return any(tuple(window[start : start + length]) == term.tokens for start in starts)


def windows(document: Sequence[str], unit: Unit) -> list[Sequence[str]]:
    if not document:
        return []
    size = unit.size or len(document)
    return [document[start : start + size] for start in range(max(len(document) - size, 0) + 1)]


def brute_force(texts: Documents, unit: Unit, members: tuple[Term, ...]) -> int:
    every = [window for text in texts for window in windows(text, unit)]
    return sum(all(holds(window, term) for term in members) for window in every)


def count_terms(corpus: Corpus, unit: Unit, sets: Sequence[tuple[Term, ...]] = ()) -> Counts:
    [counts] = count_corpus(corpus, TOKENS, [CountRequest.of(unit, [TERMS], sets)])
    return counts


@given(documents, units, st.lists(st.sets(st.sampled_from(TERMS), min_size=3), max_size=5))
def test_words_pairs_and_sets_equal_brute_force(
    texts: Documents, unit: Unit, larger: list[set[Term]]
) -> None:
    sets = [tuple(sorted(members)) for members in larger]
    counts = count_terms(Corpus.of(texts), unit, sets)
    assert counts.totals.units == sum(len(windows(text, unit)) for text in texts)
    for term in TERMS:
        assert counts.single(term) == brute_force(texts, unit, (term,))
    for pair in combinations(TERMS, 2):
        assert counts.pair(*pair) == brute_force(texts, unit, pair)
    for members in sets:
        positions = tuple(counts.positions[term] for term in members)
        assert counts.all_together(positions) == brute_force(texts, unit, members)


@given(documents, units, st.integers(0, 60))
def test_single_words_equal_brute_force(texts: Documents, unit: Unit, others: int) -> None:
    """Whether a word has few partners or many decides how its pairs are found."""
    words = [Term((word,)) for word in "abcde"]
    more = [Term((f"never{number}",)) for number in range(others)]
    [counts] = count_corpus(Corpus.of(texts), TOKENS, [CountRequest.of(unit, [[*words, *more]])])
    for word in words:
        assert counts.single(word) == brute_force(texts, unit, (word,))
    for pair in combinations(words, 2):
        assert counts.pair(*pair) == brute_force(texts, unit, pair)


@given(documents, st.integers(1, 12))
def test_contexts_equal_brute_force(texts: Documents, size: int) -> None:
    words = [Term((word,)) for word in "abc"]
    [counts] = count_corpus(
        Corpus.of(texts), TOKENS, [CountRequest.of(Unit("context", size), [words])]
    )
    assert counts.totals.units == sum(len(text) for text in texts)
    for left, right in combinations("abc", 2):
        near = sum(
            {text[i], text[j]} == {left, right}
            for text in texts
            for i, j in combinations(range(len(text)), 2)
            if j - i <= size
        )
        assert counts.pair(Term((left,)), Term((right,))) == near
    for word in "abc":
        assert counts.single(Term((word,))) == sum(text.count(word) for text in texts)


def like_gensim(texts: Documents, size: int, members: tuple[str, ...]) -> tuple[int, int]:
    """Slide the window as gensim does: what leaves is absent, whatever else is inside."""
    total = containing = 0
    for text in texts:
        inside: set[str] = set()
        for number, window in enumerate(windows(text, Unit("window", size)) or [[]]):
            if number == 0:
                inside = set(window)
            else:
                inside.discard(text[number - 1])
                inside.add(window[-1])
            total += 1
            containing += set(members) <= inside
    return total, containing


@given(documents, st.integers(1, 30))
def test_the_rule_of_gensim_equals_its_description(texts: Documents, size: int) -> None:
    words = [Term((word,)) for word in "abc"]
    unit = Unit("window", size, "gensim")
    [counts] = count_corpus(Corpus.of(texts), TOKENS, [CountRequest.of(unit, [words])])
    for word in "abc":
        expected = like_gensim(texts, size, (word,))
        assert (counts.totals.units, counts.single(Term((word,)))) == expected
    for left, right in combinations("abc", 2):
        expected = like_gensim(texts, size, (left, right))
        assert counts.pair(Term((left,)), Term((right,))) == expected[1]


@given(documents, units, st.data())
def test_splitting_anywhere_and_adding_gives_the_same_counts(
    texts: Documents, unit: Unit, data: st.DataObject
) -> None:
    corpus = Corpus.of(texts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(texts)), max_size=3)))
    bounds = [0, *cuts, len(texts)]
    parts = [count_terms(corpus[start:stop], unit) for start, stop in pairwise(bounds)]
    order = data.draw(st.permutations(parts))
    total = order[0]
    for part in order[1:]:
        total = total + part
    whole = count_terms(corpus, unit)
    assert total == whole
    assert total.totals.documents == len(texts)


def test_repeated_words_that_gensim_loses() -> None:
    texts = Corpus.of(["a x a y b z a b"])
    a, b = Term(("a",)), Term(("b",))
    exact, gensim = (
        count_corpus(texts, TOKENS, [CountRequest.of(Unit("window", 3, rule), [[a, b]])])[0]
        for rule in ("exact", "gensim")
    )
    assert (exact.single(a), exact.pair(a, b)) == (5, 3)
    assert (gensim.single(a), gensim.pair(a, b)) == (3, 2)


@pytest.mark.parametrize("unit", [Unit(), Unit("window", 5), Unit("context", 2)], ids=str)
def test_empty_texts_hold_no_unit(unit: Unit) -> None:
    some = counted_words(["a b", "", "b"], unit)
    none = counted_words(["a b", "b"], unit)
    assert some.totals.units == none.totals.units
    assert (some.totals.documents, some.totals.empty) == (3, 1)


def counted_words(texts: list[str], unit: Unit) -> Counts:
    terms = [Term(("a",)), Term(("b",))]
    return count_corpus(Corpus.of(texts), TOKENS, [CountRequest.of(unit, [terms])])[0]


# ------------------------------------------------------------------ windows of several sizes

UNITS = [Unit(), Unit("window", 1), Unit("window", 3), Unit("window", 10), Unit("context", 2)]
WORDS = [Term(("a",)), Term(("b",)), Term(("c",)), Term(("d",)), Term(("a", "b")), Term(("c",) * 3)]

joined_texts = st.lists(st.lists(st.sampled_from("abcdx"), max_size=25).map(" ".join), max_size=6)


def shared_requests(terms: list[Term], units: list[Unit]) -> list[CountRequest]:
    """Ask for all pairs of some terms in several units, with the same sets."""
    listed = frozenset(terms), frozenset(combinations(sorted(terms), 2))
    return [CountRequest(unit, *listed) for unit in units]


def test_requests_for_the_same_words_are_counted_together() -> None:
    plan = CountingPlan(shared_requests(WORDS, UNITS), TOKENS)
    alone = [RequestCounter(tables) for tables in plan.tables]
    kinds = sorted(type(one).__name__ for one in group_counters(alone))
    assert kinds == ["RequestCounter", "WindowCounter"]  # contexts are counted alone


def test_requests_for_different_words_are_counted_alone() -> None:
    requests = [shared_requests(WORDS[:2], UNITS[:1])[0], shared_requests(WORDS[1:], UNITS[1:2])[0]]
    plan = CountingPlan(requests, TOKENS)
    alone = [RequestCounter(tables) for tables in plan.tables]
    assert len(group_counters(alone)) == 2


@pytest.mark.parametrize("compiled", [False, True])
@settings(max_examples=60)
@given(joined_texts, st.lists(st.sampled_from(WORDS), min_size=2, unique=True))
def test_windows_of_several_sizes_are_counted_as_one_by_one(
    compiled: bool, rows: list[str], terms: list[Term]
) -> None:
    with nullcontext() if compiled else in_python():
        for one in count_corpus(Corpus.of(rows), TOKENS, shared_requests(terms, UNITS)):
            assert [one] == count_corpus(Corpus.of(rows), TOKENS, [one.request])


@pytest.mark.parametrize("most", [60, 300])
def test_sums_that_could_become_too_large_are_put_aside(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [" ".join("abcdx" * number) for number in range(12)]
    requests = shared_requests(WORDS, UNITS)
    expected = count_corpus(Corpus.of(rows), TOKENS, requests)
    aside: list[None] = []
    make_room = counters.WindowCounter._make_room
    monkeypatch.setattr(counters, "MOST_UNITS", most)
    monkeypatch.setattr(
        counters.WindowCounter, "_make_room", lambda one: aside.append(make_room(one))
    )
    assert count_corpus(Corpus.of(rows), TOKENS, requests, threads=1, block_bytes=64) == expected
    assert len(aside) >= 1


def test_windows_of_several_sizes_in_several_threads() -> None:
    draw = np.random.default_rng(5)
    rows = [" ".join(draw.choice(list("abcdxyz"), size=60)) for _ in range(2000)]
    requests = shared_requests(WORDS, UNITS)
    together = count_corpus(Corpus.of(rows), TOKENS, requests, threads=2, block_bytes=1 << 14)
    for one in together:
        [alone] = count_corpus(Corpus.of(rows), TOKENS, [one.request], threads=1)
        assert one.totals == alone.totals
        np.testing.assert_array_equal(one.singles, alone.singles)
        np.testing.assert_array_equal(one.pair_counts, alone.pair_counts)


@pytest.mark.parametrize("documents", [False, True])
def test_windows_of_more_sizes_than_a_kernel_takes_at_once(*, documents: bool) -> None:
    draw = np.random.default_rng(6)
    rows = [" ".join(draw.choice(list("abcdxyz"), size=size)) for size in (0, 1, 7, 40, 90)]
    units = [Unit("window", size) for size in range(1, 2 * MOST_SIZES + 3)]
    units += [Unit()] if documents else []
    found = count_corpus(Corpus.of(rows), TOKENS, shared_requests(WORDS, units))
    assert len(found) == len(units)
    for one in found:
        assert [one] == count_corpus(Corpus.of(rows), TOKENS, [one.request])


def test_a_term_is_no_pair_with_itself() -> None:
    a = Term(("a",))
    request = CountRequest(Unit(), frozenset({a}), frozenset({(a, a)}))
    with pytest.raises(InputError, match="two different terms"):
        count_corpus(Corpus.of(["a a"]), TOKENS, [request])


# ------------------------------------------------------------------ how pairs are found


def mixed_texts(seed: int) -> list[str]:
    """Make texts in which words are rare, with runs where they stand side by side."""
    draw = np.random.default_rng(seed)
    words, texts = [f"w{number}" for number in range(40)], []
    for length in (1, 4, 30, 400, 3000):
        tokens = np.where(draw.random(length) < 0.15, draw.choice(words, length), "other")
        for start in draw.integers(0, length, size=length // 1500):
            run = tokens[start : start + 120]
            run[:] = draw.choice(words, len(run))
        texts.append(" ".join(tokens))
    return texts


@pytest.mark.parametrize("listed", [0, 7, 1 << 15], ids="{} pairs are listed".format)
@pytest.mark.parametrize("partners", [3, 39], ids="{} partners".format)
@pytest.mark.parametrize(
    "units",
    [
        [Unit()],
        [Unit("window", 10)],
        [Unit("window", 110)],
        [Unit("window", 2000)],
        [Unit("window", 10), Unit("window", 70)],
        [Unit("window", 10), Unit("window", 110), Unit()],
    ],
    ids=lambda units: " ".join(map(str, units)),
)
def test_all_ways_to_find_pairs_count_the_same(
    listed: int, partners: int, units: list[Unit], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The length of a text, its words and the windows decide how pairs are found."""
    monkeypatch.setattr(kernel_of_windows, "_MOST_FOUND", listed)
    words = [Term((f"w{number}",)) for number in range(40)]
    pairs = {
        (min(one, two), max(one, two))
        for number, one in enumerate(words)
        for two in (words[(number + step) % 40] for step in range(1, partners + 1))
    }
    requests = [CountRequest(unit, frozenset(words), frozenset(pairs)) for unit in units]
    corpus = Corpus.of(mixed_texts(len(units)))
    found = count_corpus(corpus, TOKENS, requests)
    with in_python():
        expected = count_corpus(corpus, TOKENS, requests)
    assert sum(int(one.pair_counts.sum()) for one in expected) > 100
    assert found == expected
