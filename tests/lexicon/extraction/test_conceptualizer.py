"""Conceptualizer's way, on examples worked out by hand, and its index against plain counting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.lexicon.bitext import Bitext, Passages
from tealeaves.lexicon.extraction.materials import Materials
from tealeaves.lexicon.extraction.registry import extractor
from tealeaves.lexicon.markers.conceptualizer import (
    SpanIndex,
    bounded,
    find_strings,
    first_string,
)
from tealeaves.lexicon.seeds import find_seed
from tealeaves.lexicon.words import Words

# 24 passages, 6 with the seed: four with käsi, two with ote, which share no letter.
# With Yates's correction χ² of käsi is 24 (4·18 - 12)² / (4·20·6·18) = 10, more than any other.
# Without its passages, 20 are left and 2 with the seed; ote has 20 (36 - 10)² / (2·18·2·18).
HANDS = [["käsi"]] * 4 + [["ote"]] * 2
TEXTS = HANDS + [["on"], ["ei"], ["jo"]] * 6


def strings(texts: list[list[str]], seeds: int, **how: float) -> list[str]:
    found = find_strings(SpanIndex.of(Words.of(texts)), np.arange(seeds), **how)  # type: ignore[arg-type]
    return [one.text for one in found]


def test_strings_and_scores_by_hand() -> None:
    found = find_strings(SpanIndex.of(Words.of(TEXTS)), np.arange(6))
    # of käsi, $käsi, $käsi$, which are equally good, the longest
    assert [one.text for one in found] == ["$käsi$", "$ote$"]
    assert [(one.covered, one.elsewhere) for one in found] == [(4, 0), (2, 0)]
    assert [one.score for one in found] == pytest.approx([10.0, 20 * 26**2 / 36**2])


def test_it_stops_when_enough_is_covered_or_after_so_many_rounds() -> None:
    assert strings(TEXTS, 6, coverage=0.6) == ["$käsi$"]
    assert strings(TEXTS, 6, rounds=0) == ["$käsi$"]


def test_a_string_that_covers_one_passage_more_is_no_gain() -> None:
    # nurja is in one passage of the seed, and in another
    texts = [*HANDS, ["nurja"], *TEXTS[6:], ["nurja"]]
    assert strings(texts, 7, coverage=1.0) == ["$käsi$", "$ote$"]


def test_strings_of_too_many_other_passages_are_left_out() -> None:
    # käsi in 3 of 27 passages without the seed, more than a tenth of all
    assert "$käsi$" in strings([*TEXTS, ["käsi"], ["käsi"]], 6)
    assert strings([*TEXTS, *[["käsi"]] * 3], 6)[0] == "$ote$"


def test_of_equals_the_one_most_like_those_before_is_taken() -> None:
    # their last letter is in too many other passages to be a string of its own
    texts = [["käsi"]] * 4 + [["luru"]] * 2 + [["pymi"]] * 2 + TEXTS[6:]
    assert strings(texts, 8, coverage=1.0) == ["$käsi$", "$pymi$", "$luru$"]


def test_strings_may_span_words() -> None:
    texts = [["iso", "talo"], ["iso", "taru"], ["talo"], ["taru"], ["iso"], *TEXTS[6:]]
    assert strings(texts, 2)[0] == "$iso$ta"


def test_tokens_have_the_first_string_of_their_passage() -> None:
    words = Words.of([["on", "käsi", "käsi"], ["iso", "talo"], ["ei"]])
    rows = np.array([0, 0, 1, 2], np.int32)
    tokens = first_string(words, rows, ["kädet", "o$ta", "$käsi$"])
    assert [sorted(token.expressions) for token in tokens] == [["$käsi$"]] * 2 + [["o$ta"], []]
    assert [token.words for token in tokens] == [(1, 2), (1, 2), (0, 1), ()]


def test_the_model_extracts_it() -> None:
    keys = tuple(str(row) for row in range(24))
    source, target = Words.of([["hand"]] * 6 + [["is"]] * 18), Words.of(TEXTS)
    bitext = Bitext.of(Passages("en", keys, source, source), Passages("fi", keys, target, target))
    seed = find_seed(bitext.source.words, "hand")
    tokens = extractor("conceptualizer").extract(Materials(bitext), seed)
    assert [sorted(t.expressions) for t in tokens] == [["$käsi$"]] * 4 + [["$ote$"]] * 2
    only = extractor("conceptualizer(coverage=0.6)").extract(Materials(bitext), seed)
    assert [sorted(t.expressions) for t in only] == [["$käsi$"]] * 4 + [[]] * 2


def test_only_strings_that_there_are_take_room() -> None:
    # of $ab$ and $ac$: $ and a are in both; so is $a, and after it nothing
    index = SpanIndex.of(Words.of([["ab"], ["ac"]]), longest=2**31 - 1)
    assert [index.text(n) for n in range(len(index))] == ["$", "a", "$a"]
    assert index.slots.tolist() == [0, 2, 3, 3, 4, 6, 7, 7, 8]
    assert index.strings.tolist() == [0, 2, 1, 0, 0, 2, 1, 0]
    assert len(SpanIndex.of(Words.of([["a"]]))) == 0


@pytest.mark.parametrize(
    "spec",
    ["conceptualizer(longest={})", "l(longest={})", "l(shortest={})", "superpivot(longest={})"],
)
def test_lengths_have_a_bound(spec: str) -> None:
    assert str(extractor(spec.format(100))) == spec.format(100)
    with pytest.raises(InputError, match=r"must be a whole number .* of at most 100, not 101"):
        extractor(spec.format(101))


@given(st.lists(st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=3), min_size=1,
                max_size=5), st.integers(1, 4))  # fmt: skip
def test_the_index_counts_as_plain_loops_do(texts: list[list[str]], longest: int) -> None:
    passages = [bounded(text) for text in texts]
    plain: dict[str, int] = {}
    for passage in passages:
        inside = {
            passage[i : i + n] for n in range(1, longest + 1) for i in range(len(passage) - n + 1)
        }
        for string in inside:
            plain[string] = plain.get(string, 0) + 1
    index = SpanIndex.of(Words.of(texts), longest)
    counted = {index.text(n): int(index.frequencies[n]) for n in range(len(index))}
    assert counted == {string: n for string, n in plain.items() if n > 1}
    first = index.count(np.array([0]))
    assert all((index.text(n) in passages[0]) == bool(first[n]) for n in range(len(index)))
