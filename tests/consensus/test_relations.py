"""What texts and vectors say of pairs of words, against plain arithmetic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.consensus.relations import (
    UNITS,
    Moments,
    Relations,
    off_diagonal,
    related,
    text_relations,
    vector_relations,
)
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.requests import Term
from tealeaves.evidence.units import Unit

from .made import relations_of, vectors_of

A, B, C, GONE = (Term((word,)) for word in ("a", "b", "c", "gone"))
NOTHING = Term(())
PAIRS = [("a", "b"), ("a", "c"), ("a", "gone"), ("b", "c"), ("b", "gone"), ("c", "gone")]
# units, of a, b, c, and together: documents, windows of 10 and of 110
NUMBERS: dict[Unit, tuple[int, list[int], list[int]]] = {
    UNITS[0]: (20, [8, 5, 1], [4, 0, 0, 1, 0, 0]),
    UNITS[1]: (400, [80, 50, 10], [7, 0, 0, 10, 0, 0]),
    UNITS[2]: (50, [30, 25, 10], [25, 3, 0, 10, 0, 0]),
}


def counts_of(unit: Unit) -> Counts:
    units, singles, pairs = NUMBERS[unit]
    alone = dict(zip("abc", singles, strict=True)) | {"gone": 0}
    return Counts.of(alone, dict(zip(PAIRS, pairs, strict=True)), units, unit=unit)


COUNTS = {unit: counts_of(unit) for unit in UNITS}


def by_hand(unit: Unit, one: str, other: str) -> float:
    """Return log((n12 + 1) / (n1 n2 / N + 1)), as a share of -log((n12 + 1) / (N + 2))."""
    units, singles, pairs = NUMBERS[unit]
    alone = dict(zip("abc", singles, strict=True)) | {"gone": 0}
    if not alone[one] * alone[other]:
        return 0.0
    if one == other:
        together = alone[one]
    else:
        place = [set(pair) for pair in PAIRS].index({one, other})
        together = pairs[place]
    expected = alone[one] * alone[other] / units
    rarity = -math.log((together + 1) / (units + 2))
    return math.log((together + 1) / (expected + 1)) / rarity


def in_text(*topics: Sequence[Term]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return text_relations(COUNTS, topics)


def test_the_units_are_those_of_the_documentation() -> None:
    assert [str(unit) for unit in UNITS] == ["document", "window(size=10)", "window(size=110)"]


def test_log_odds_are_those_of_the_mean_npmi_over_units() -> None:
    logits, known, _ = in_text([A, B, C], [C, B, A])
    for one, other in combinations(range(3), 2):
        npmi = sum(by_hand(unit, "abc"[one], "abc"[other]) for unit in UNITS) / 3
        assert logits[0, one, other] == pytest.approx(25 * (npmi - 0.05), abs=1e-12)
        assert logits[0, other, one] == logits[0, one, other]
        assert logits[1, 2 - one, 2 - other] == logits[0, one, other]
    assert (known == off_diagonal(np.ones((2, 3, 3), dtype=bool))).all()


def test_by_hand_to_the_last_digit() -> None:
    """In documents: 4 + 1 found, 8 · 5 / 20 + 1 = 3 expected, of 22: log(5 / 3) / log(22 / 5)."""
    assert by_hand(UNITS[0], "a", "b") == pytest.approx(0.51083 / 1.48160, abs=1e-5)


def test_words_that_the_text_lacks_say_nothing() -> None:
    logits, known, common = in_text([A, GONE, NOTHING, B])
    assert known[0].sum() == 2  # a with b, both ways
    assert known[0, 0, 3]
    assert known[0, 3, 0]
    unknown = ~known[0] & ~np.eye(4, dtype=bool)
    assert logits[0][unknown] == pytest.approx(-25 * 0.05)
    # the share of documents, half a document and one more added: 8.5, .5, .5, 5.5 of 21
    assert common[0] == pytest.approx(np.log([8.5 / 21, 0.5 / 21, 0.5 / 21, 5.5 / 21]))


def test_the_same_term_twice_is_as_related_as_it_can_be() -> None:
    logits, known, _ = in_text([A, A, B])
    npmi = sum(by_hand(unit, "a", "a") for unit in UNITS) / 3
    assert logits[0, 0, 1] == pytest.approx(25 * (npmi - 0.05))
    assert logits[0, 0, 1] > logits[0, 0, 2]
    assert logits[0, 0, 2] == logits[0, 1, 2]
    assert known[0, 0, 1]


def test_what_was_not_counted_together_is_an_error() -> None:
    from tealeaves.errors import EvidenceError

    apart = {unit: Counts.of({"a": 2, "b": 3}, {}, 9, unit=unit) for unit in UNITS}
    with pytest.raises(EvidenceError, match="not counted together"):
        text_relations(apart, [[A, B]])


@given(
    st.integers(1, 500).flatmap(
        lambda n: st.tuples(st.just(n), st.integers(1, n), st.integers(1, n), st.integers(0, n))
    )
)
def test_npmi_is_from_minus_one_to_one_and_rises_with_what_is_found(
    drawn: tuple[int, int, int, int],
) -> None:
    units, one, other, together = drawn
    together = max(min(one, other, together), one + other - units)

    def logit(found: int) -> float:
        pair = {("a", "b"): found}
        counts = {u: Counts.of({"a": one, "b": other}, pair, units, unit=u) for u in UNITS}
        return float(text_relations(counts, [[A, B]])[0][0, 0, 1])

    assert -1 - 1e-9 <= logit(together) / 25 + 0.05 <= 1 + 1e-9
    if together < min(one, other):
        assert logit(together + 1) > logit(together)


def test_rare_words_are_shrunken() -> None:
    """Once together by chance is less than often together, at the same plain NPMI of 1."""
    rare = {u: Counts.of({"a": 1, "b": 1}, {("a", "b"): 1}, 1000, unit=u) for u in UNITS}
    often = {u: Counts.of({"a": 40, "b": 40}, {("a", "b"): 40}, 1000, unit=u) for u in UNITS}
    few, many = (text_relations(counts, [[A, B]])[0][0, 0, 1] for counts in (rare, often))
    assert few < 25 * 0.2  # though they are never apart
    assert many > 25 * 0.8


# ---------------------------------------------------------------------- vectors


def test_cosines_in_deviations_become_log_odds() -> None:
    rows = vectors_of({"x": [2, 0], "y": [0.6, 0.8], "z": [0, 0], "n": [np.nan, np.nan]})
    logits, known = vector_relations(rows, Moments(0.2, 0.1), [["x", "y", "z", "n"]])
    # a cosine of .6 is 4 deviations above .2; half related at 1.2, steepness 1.5
    assert logits[0, 0, 1] == pytest.approx(1.5 * (4 - 1.2))
    assert logits[0, 1, 0] == logits[0, 0, 1]
    # of words without a direction it says as much as the mean cosine does
    assert logits[0, 2:, :2] == pytest.approx(-1.5 * 1.2)
    assert logits[0, 2, 3] == pytest.approx(-1.5 * 1.2)
    assert known[0].tolist() == [[0, 1, 0, 0], [1, 0, 0, 0], [0] * 4, [0] * 4]


# ---------------------------------------------------------------------- all together


def test_related_is_the_logistic_function_and_nothing_for_a_word_and_itself() -> None:
    found = related(np.array([[[5.0, math.log(3)], [math.log(3), -5.0]]]))
    assert found[0] == pytest.approx(np.array([[0, 0.75], [0.75, 0]]))


def test_related_leaves_what_it_is_given() -> None:
    logits = np.zeros((1, 2, 2))
    related(logits)
    assert not logits.any()


def partly_known() -> Relations:
    """Two topics of three words; the corpus knows all pairs of one, and one of the other."""
    given = relations_of(["corpus", "toy"], topics=2, size=3, lengths=True)
    corpus = given.known["corpus"].copy()
    corpus[1] = False
    corpus[1, 0, 2] = corpus[1, 2, 0] = True
    return Relations(
        given.words, given.logits, {**given.known, "corpus": corpus}, given.common, given.lengths
    )


def test_support_is_the_share_of_known_pairs_in_the_mean_over_sources() -> None:
    found = partly_known()
    assert found.share_known("corpus") == pytest.approx([1, 1 / 3])
    assert found.support() == pytest.approx([1, (1 / 3 + 1) / 2])


def test_texts_and_embeddings_are_told_apart() -> None:
    found = relations_of(["wordllama", "reference", "corpus", "mine"])
    assert found.texts == ["corpus", "reference"]
    assert found.embeddings == ["wordllama", "mine"]
    assert (len(found), found.size) == (4, 6)


def test_a_part_has_some_topics_as_some_sources_see_them() -> None:
    whole = partly_known()
    assert whole.lengths is not None
    part = whole.part(np.array([False, True]), ["corpus"])
    assert part.words == [whole.words[1]]
    assert list(part.logits) == list(part.known) == list(part.common) == ["corpus"]
    np.testing.assert_array_equal(part.logits["corpus"], whole.logits["corpus"][1:])
    np.testing.assert_array_equal(part.known["corpus"], whole.known["corpus"][1:])
    np.testing.assert_array_equal(part.common["corpus"], whole.common["corpus"][1:])
    assert part.lengths is not None
    np.testing.assert_array_equal(part.lengths, whole.lengths[1:])
    assert whole.part(np.array([True, False]), ["toy"]).common == {}
