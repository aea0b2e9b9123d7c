"""SuperPivot's way, on an example worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.lexicon.alignment.links import Links
from tealeaves.lexicon.alignment.symmetrization import TwoWay
from tealeaves.lexicon.bitext import Bitext, Passages
from tealeaves.lexicon.extraction.materials import Materials
from tealeaves.lexicon.extraction.registry import extractor
from tealeaves.lexicon.markers.substrings import MarkerIndex
from tealeaves.lexicon.markers.superpivot import significant
from tealeaves.lexicon.seeds import find_seed
from tealeaves.lexicon.words import Words

# 12 passages, 2 with the seed. Without Yates's correction
#   #kä     2 of 2, nowhere else      χ² = 12                                     p = .00053
#   #käsi#  1 of 2, nowhere else      χ² = 12 (1·10)² / (1·11·2·10) = 5.4545      p = .0195
#   #käden# the same
#   #on#    2 of 2, 9 elsewhere       χ² = 12 (2·1)² / (11·1·2·10) = .2182        p = .64
# After Benjamini and Hochberg, for four tests: .0021, .0260, .0260, .64.
TARGET = [["käsi", "on"], ["on", "käden"], ["jalka"]] + [["on"]] * 9
SOURCE = [["hand"], ["hand"], ["foot"]] + [["is"]] * 9


def found(alpha: float, words: list[str]) -> list[str]:
    index = MarkerIndex.of(Words.of(TARGET))
    numbers = [index.words.vocabulary.index(word) for word in words]
    return [index.text(n) for n in significant(index, np.array([0, 1]), numbers, alpha)]


def test_strings_and_their_order_by_hand() -> None:
    aligned = ["käsi", "käden", "on"]
    assert found(0.05, aligned) == ["#kä", "#käden#", "#käsi#"]
    assert found(0.027, aligned) == ["#kä", "#käden#", "#käsi#"]
    assert found(0.025, aligned) == ["#kä"]
    assert found(0.002, aligned) == []


def test_fewer_tests_are_corrected_for_less() -> None:
    # of käsi alone: #kä and #käsi#, and .0195 · 2 / 2
    assert found(0.02, ["käsi"]) == ["#kä", "#käsi#"]
    assert found(0.05, []) == []


def materials(links: Links) -> Materials:
    keys = tuple(str(row) for row in range(12))
    one, other = Words.of(SOURCE), Words.of(TARGET)
    made = Materials(Bitext.of(Passages("en", keys, one, one), Passages("fi", keys, other, other)))
    made.kept("two_way(hmm)", lambda: TwoWay(links, links, one.starts))
    return made


def test_a_token_has_the_best_string_of_the_words_it_is_aligned_with() -> None:
    made = materials(Links.of(12, [(0, 0, 1.0), (0, 1, 1.0), (1, 0, 1.0)]))
    seed = find_seed(made.bitext.source.words, "hand")
    tokens = extractor("superpivot").extract(made, seed)
    # the second token is aligned with `on` only, which is not significant
    assert [token.expressions for token in tokens] == [{"#kä"}, set()]
    assert [token.words for token in tokens] == [(0,), ()]


def test_a_seed_without_links_is_expressed_by_nothing() -> None:
    made = materials(Links.of(12, []))
    tokens = extractor("superpivot").extract(made, find_seed(made.bitext.source.words, "hand"))
    assert [token.expressions for token in tokens] == [set(), set()]


def test_lengths_that_no_string_has_are_refused() -> None:
    with pytest.raises(InputError, match="longest is less than shortest"):
        extractor("superpivot(shortest=5, longest=4)").check()
