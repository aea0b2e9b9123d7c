"""Requests: how they join, and which of them make no sense."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves import limits
from tealeaves.errors import InputError
from tealeaves.evidence import requests
from tealeaves.evidence.requests import (
    ContextRequest,
    CountRequest,
    EmbeddingRequest,
    OptionalRequest,
    Term,
    TermNumbers,
    TermPairs,
    pair_positions,
    terms_and_pairs,
)
from tealeaves.evidence.units import Unit


def context_request(*words: str, window: int = 5) -> ContextRequest:
    return ContextRequest("", frozenset(Term((word,)) for word in words), window)


def test_requests_for_contexts_join() -> None:
    assert context_request("a") | context_request("b") == context_request("a", "b")
    with pytest.raises(ValueError, match="cannot be joined"):
        context_request("a") | context_request("a", window=4)
    with pytest.raises(ValueError, match="cannot be joined"):
        ContextRequest("en", frozenset()) | ContextRequest("sv", frozenset())


def test_a_context_has_a_window_and_one_language() -> None:
    with pytest.raises(InputError, match="at least 1 token, not 0"):
        context_request("a", window=0)
    with pytest.raises(InputError, match="one language: 'mar' is of 'es', not of 'en'"):
        ContextRequest("en", frozenset({Term(("sea",), "en"), Term(("mar",), "es")}))


def test_a_reference_has_only_counts() -> None:
    assert OptionalRequest(CountRequest(Unit()), reference=True).reference
    with pytest.raises(ValueError, match="only counts"):
        OptionalRequest(EmbeddingRequest(), reference=True)


TERMS = [Term((word,)) for word in "abcdefgh"]
term_lists = st.lists(st.lists(st.sampled_from(TERMS), unique=True, max_size=6), max_size=6)


def pairs_of(lists: list[list[Term]]) -> TermPairs:
    return TermNumbers.of(lists).terms_and_pairs()[1]


def plain_pairs(lists: list[list[Term]]) -> set[tuple[Term, Term]]:
    return {(a, b) for terms in lists for a, b in combinations(sorted(terms), 2)}


@given(lists=term_lists, most=st.integers(1, 20))
def test_numbered_terms_have_the_pairs_of_the_lists(lists: list[list[Term]], most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(requests, "_AT_ONCE", most)
        terms, pairs = TermNumbers.of(lists).terms_and_pairs()
    assert terms == {term for one in lists for term in one}
    assert pairs == plain_pairs(lists)
    assert list(pairs.terms) == sorted(terms)
    assert pairs.rows.tolist() == sorted(pairs.rows.tolist())


@given(lists=term_lists, others=term_lists, data=st.data())
def test_pairs_as_positions_are_a_set(
    lists: list[list[Term]], others: list[list[Term]], data: st.DataObject
) -> None:
    one, other = pairs_of(lists), pairs_of(others)
    plain, more = (frozenset(plain_pairs(some)) for some in (lists, others))
    assert (len(one), frozenset(one), hash(one)) == (len(plain), plain, hash(plain))
    assert (one == other) == (plain == more)
    assert one | other == one | more == plain | other == plain | more
    assert isinstance(one | other, TermPairs)
    # positions in any order
    positions = {term: n for n, term in enumerate(data.draw(st.permutations(TERMS)))}
    expected = sorted(sorted((positions[a], positions[b])) for a, b in plain)
    assert pair_positions(one, positions).tolist() == expected
    assert pair_positions(plain, positions).tolist() == expected


def test_a_term_that_is_in_no_place_is_an_error() -> None:
    for pairs in (pairs_of([TERMS[:2]]), plain_pairs([TERMS[:2]])):
        with pytest.raises(KeyError):
            pair_positions(pairs, {TERMS[0]: 0})


def test_the_limit_of_pairs_counts_a_pair_once() -> None:
    topics = [[Term((word,)) for word in "abcd"]] * 100  # six pairs, listed 600 times
    with limits.raised(pairs=6):
        assert len(terms_and_pairs(topics)[1]) == 6
        with pytest.raises(InputError, match=r"words in 2 topics of up to 4 words .*: 8, "):
            terms_and_pairs([topics[0], [*topics[0][:2], Term(("e",)), Term(("a",))]])
