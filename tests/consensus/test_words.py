"""How well words fit their topic, and which do not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.arrays import Floats
from tealeaves.consensus.relations import Relations, related
from tealeaves.consensus.words import ODD, fit_of_words, odd_words, share_in_core

from .made import blocks, relations_of, symmetric

LITTLE = 1 / 7  # of a whole core, n - 1


def by_power_iteration(matrix: Floats) -> float:
    """Return the largest eigenvalue; the shift makes it the one of largest size."""
    vector = np.ones(len(matrix))
    shifted = matrix + len(matrix) * np.eye(len(matrix))
    for _ in range(4000):
        vector = shifted @ vector
        vector /= np.linalg.norm(vector)
    return float(vector @ matrix @ vector)


def test_left_out_one_by_one() -> None:
    [matrix] = related(symmetric(np.random.default_rng(0).normal(size=(1, 6, 6))))
    whole = by_power_iteration(matrix)
    wanted = []
    for word in range(6):
        rest = np.delete(np.delete(matrix, word, axis=0), word, axis=1)
        lost = whole - by_power_iteration(rest)
        wanted.append((5 * lost + 5 * LITTLE) / (whole + 5 * LITTLE))
    assert share_in_core(matrix[None])[0] == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("size", [2, 3, 10])
@pytest.mark.parametrize("all_related", [0.0, 0.3, 1.0])
def test_where_all_are_related_alike_all_fit_alike(size: int, all_related: float) -> None:
    """The largest eigenvalue is r (n - 1), and without a word r (n - 2): it loses r = 1 / (n - 1)
    of it.
    """
    assert share_in_core(blocks([size], all_related, 0)[None])[0] == pytest.approx(np.ones(size))


def test_a_word_related_to_nothing() -> None:
    """Four words have a core of 3, which loses nothing without the fifth, 1 without another; a
    seventh of 4 is added.
    """
    found = share_in_core(blocks([4, 1], 1.0, 0.0)[None])[0]
    assert found == pytest.approx([(4 + 4 / 7) / (3 + 4 / 7)] * 4 + [(4 / 7) / (3 + 4 / 7)])


@given(st.integers(2, 9), st.integers(0, 10**6))
def test_no_word_takes_anything_from_the_core(size: int, seed: int) -> None:
    """Eigenvalues interlace: what is left is at most the whole, and at least nothing."""
    rng = np.random.default_rng(seed)
    found = share_in_core(related(symmetric(rng.normal(-2, 3, size=(3, size, size)))))
    assert (found > 0).all()
    assert (found <= size).all()


@pytest.mark.parametrize("place", [0, 4, 9])
def test_an_intruder_fits_worst(place: int) -> None:
    given_ = relations_of(["corpus", "toy"], topics=3, size=10, seed=place)
    logits = {}
    for name, noise in given_.logits.items():
        order = np.argsort(np.arange(10) == place, kind="stable")  # the intruder stands last
        block = blocks([9, 1], 2.0, -3.0)
        back = np.argsort(order)
        logits[name] = 0.3 * noise + block[back[:, None], back]
    found = fit_of_words(Relations(given_.words, logits, given_.known, given_.common))
    assert found.argmin(axis=1).tolist() == [place] * 3
    assert (found[:, place] < ODD).all()
    assert (np.sort(found, axis=1)[:, 1] > ODD).all()


def test_texts_count_as_much_as_vectors_whatever_their_number() -> None:
    given_ = relations_of(["corpus", "one", "reference", "two", "three"])
    share = {name: share_in_core(related(logits)) for name, logits in given_.logits.items()}
    texts = (share["corpus"] + share["reference"]) / 2
    vectors = (share["one"] + share["two"] + share["three"]) / 3
    np.testing.assert_allclose(fit_of_words(given_), (texts + vectors) / 2)
    alone = given_.part(np.ones(4, dtype=bool), ["one", "two"])
    np.testing.assert_allclose(fit_of_words(alone), (share["one"] + share["two"]) / 2)


def test_the_worst_come_first_and_the_limit_can_be_chosen() -> None:
    fit = {"a": 1.0, "b": 0.3, "c": 1.2, "d": 0.1, "e": 1.1, "f": 0.6}
    assert odd_words(fit) == ("d", "b")
    assert odd_words(fit, below=0.2) == ("d",)
    assert odd_words(fit, below=0.0) == ()
    assert odd_words({}) == ()


def test_half_the_words_are_never_odd() -> None:
    assert odd_words({"a": 0.1, "b": 1.0}) == ()
    assert odd_words({"a": 0.1, "b": 1.0, "c": 1.0}) == ("a",)
    assert odd_words({"a": 0.1, "b": 0.2, "c": 1.0}) == ()
    assert odd_words({"a": 0.1, "b": 0.2, "c": 1.0, "d": 1.0}) == ()


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 3), max_size=12))
def test_odd_words_are_few_and_below_the_limit(fit: dict[str, float]) -> None:
    found = odd_words(fit)
    assert 2 * len(found) < max(len(fit), 1)
    assert all(fit[word] < ODD for word in found)
    assert [fit[word] for word in found] == sorted(fit[word] for word in found)
