"""MTA: matches by a dictionary, computed by hand and by another implementation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

import tealeaves
from tealeaves.errors import InputError
from tealeaves.evidence.dictionaries import Dictionaries
from tealeaves.metrics import metric
from tealeaves.metrics.crosslingual.matching import maximum_matching
from tealeaves.metrics.scores import Scores
from tealeaves.topics.multilingual import MultilingualTopics

PAIRS = [
    ("king", "kung"), ("house", "hus"), ("house", "kammare"), ("chamber", "kammare"),
    ("son", "son"), ("year", "år"), ("war", "krig"),
]  # fmt: skip


def scored(
    english: Sequence[Sequence[str]],
    swedish: Sequence[Sequence[str]],
    asked: str = "mta",
    pairs: Any = PAIRS,
) -> Scores:
    topics = MultilingualTopics.of_languages({"en": english, "sv": swedish})
    return tealeaves.score(topics, None, asked, dictionary={"en-sv": pairs})


def of_topic(
    english: Sequence[str], swedish: Sequence[str], asked: str = "mta", pairs: Any = PAIRS
) -> tuple[float, float]:
    [row] = scored([english], [swedish], asked, pairs).topics.rows
    return row.value, row.support


class TestByHand:
    def test_matches_over_words(self) -> None:
        # king-kung and house-hus of three words; all are in the dictionary
        assert of_topic(["king", "house", "war"], ["kung", "år", "hus"]) == (2 / 3, 1.0)

    def test_no_match_is_zero(self) -> None:
        assert of_topic(["king", "war"], ["hus", "år"]) == (0.0, 1.0)

    def test_a_word_is_matched_once(self) -> None:
        # house translates both, yet is one word
        assert of_topic(["house", "king"], ["hus", "kammare"]) == (1 / 2, 1.0)

    def test_as_many_as_can_be(self) -> None:
        # house-kammare would leave chamber alone; house-hus, chamber-kammare are two
        assert of_topic(["house", "chamber"], ["kammare", "hus"]) == (1.0, 1.0)
        assert of_topic(["chamber", "house"], ["kammare", "hus"]) == (1.0, 1.0)

    def test_first_words(self) -> None:
        words = ["king", "war", "house"], ["hus", "kung", "krig"]
        assert of_topic(*words, "mta@1") == (0.0, 1.0)  # king, hus
        assert of_topic(*words, "mta@2") == (1 / 2, 1.0)  # king-kung
        assert of_topic(*words, "mta@3") == (1.0, 1.0)
        assert of_topic(*words, "mta@10") == (1.0, 1.0)  # there are but three

    def test_the_longer_list_counts(self) -> None:
        # C = 4: two matches of four; 2 x 4 of 4 x 4 pairs are there to be judged
        words = ["king", "war"], ["kung", "krig", "år", "hus"]
        assert of_topic(*words) == (2 / 4, 2 * 4 / 16)
        assert of_topic(*words, "mta@3") == (2 / 3, 2 * 3 / 9)

    def test_unknown_words_lower_the_support(self) -> None:
        # 2 of 3 English words and 3 of 3 Swedish ones are in the dictionary
        assert of_topic(["king", "war", "xxx"], ["kung", "år", "hus"]) == (1 / 3, 2 * 3 / 9)

    def test_unjudgeable_is_not_zero(self) -> None:
        scores = scored([["king"], ["xxx"], ["king"]], [["kung"], ["hus"], ["yyy"]])
        values = [(row.value, row.support) for row in scores.topics.rows]
        assert values[0] == (1.0, 1.0)
        for value, support in values[1:]:
            assert math.isnan(value)
            assert support == 0.0
        assert scores.value("model", "mta") == 1.0
        assert (
            "model: 2 of 3 topics have no mta, unjudgeable as the dictionary has no pair of their "
            "words: 1, 2"
        ) in scores.notes
        assert "model: no translation in the dictionary (en): xxx" in scores.notes
        assert "model: no translation in the dictionary (sv): yyy" in scores.notes

    def test_words_that_are_written_alike(self) -> None:
        # son-son does not count, and then nothing is known of son; C = 2
        words = ["king", "son"], ["kung", "son"]
        assert of_topic(*words) == (1 / 2, 1 / 4)
        assert of_topic(*words, "mta(identical=true)") == (1.0, 1.0)

    def test_only_by_itself_is_not_absent(self) -> None:
        # hospital has two translations, taxi its own alone, xxx none; år is not plain ASCII
        pairs = [*PAIRS, *((w, w) for w in ("hospital", "taxi", "år")), ("hospital", "sjukhus")]
        words = [["king", "hospital", "taxi", "xxx", "år"]], [["kung", "hospital", "taxi", "år"]]
        notes = scored(*words, pairs=pairs).notes
        assert [note for note in notes if "dictionary" in note or "itself" in note] == [
            "model: no translation in the dictionary (en): xxx",
            "model: translated only by itself (en): taxi",
            "model: translated only by itself (sv): hospital, taxi",
        ]
        notes = scored(*words, "mta(identical=true)", pairs=pairs).notes
        assert [note for note in notes if "dictionary" in note or "itself" in note] == [
            "model: no translation in the dictionary (en): xxx"
        ]

    def test_alike_with_other_letters_than_ascii(self) -> None:
        assert of_topic(["café"], ["café"], pairs=[("café", "café")]) == (1.0, 1.0)

    def test_letters_of_either_case_and_form(self) -> None:
        decomposed = "a\N{COMBINING RING ABOVE}r"
        assert of_topic(["King", "YEAR"], ["KUNG", decomposed]) == (1.0, 1.0)

    def test_a_word_written_twice_is_one(self) -> None:
        # King and king are one: C = 2
        assert of_topic(["King", "king", "war"], ["kung", "år"]) == (1 / 2, 1.0)

    def test_several_languages(self) -> None:
        # en-sv: 2 of 2; en-tr: 1 of 2; sv-tr: 0 of 2, of which 1 x 2 of 4 pairs are known
        topics = MultilingualTopics.of_languages(
            {"en": [["king", "war"]], "sv": [["kung", "krig"]], "tr": [["kral", "ev"]]}
        )
        pairs = {
            "en-sv": PAIRS,
            "en-tr": [("king", "kral"), ("house", "ev"), ("war", "savaş")],
            "sv-tr": [("kung", "han"), ("hus", "ev"), ("drott", "kral")],
        }
        [row] = tealeaves.score(topics, None, "mta", dictionary=pairs).topics.rows
        assert row.value == pytest.approx((1 + 1 / 2 + 0) / 3)
        assert row.support == pytest.approx((1 + 1 + 1 / 2) / 3)

    def test_a_pair_of_languages_that_says_nothing_is_left_out(self) -> None:
        topics = MultilingualTopics.of_languages(
            {"en": [["king", "xxx"]], "sv": [["kung", "krig"]], "tr": [["kral", "ev"]]}
        )
        pairs = {"en-sv": PAIRS, "en-tr": [("king", "kral")], "sv-tr": [("år", "ev")]}
        [row] = tealeaves.score(topics, None, "mta", dictionary=pairs).topics.rows
        # en-sv 1/2 (1 x 2 of 4), en-tr 1/2 (1 x 1 of 4); of sv-tr no Swedish word is known
        assert row.value == pytest.approx(1 / 2)
        assert row.support == pytest.approx((2 / 4 + 1 / 4 + 0) / 3)


KRAL = [("king", "kral"), ("house", "ev"), ("war", "sava\N{LATIN SMALL LETTER S WITH CEDILLA}")]
SOME = {"en-sv": PAIRS, "en-tr": KRAL}
THREE = MultilingualTopics.of_languages(
    {
        "en": [["king", "war"], ["xxx", "war"]],
        "sv": [["kung", "krig"], ["kung", "krig"]],
        "tr": [["kral", "ev"], ["yyy", "zzz"]],
    }
)


class TestPairsWithoutADictionary:
    """MUSE has dictionaries of English and others, none of two others."""

    def test_they_are_left_out_and_lower_the_support(self) -> None:
        first, second = tealeaves.score(THREE, None, "mta", dictionary=SOME).topics.rows
        # en-sv 2 of 2, en-tr 1 of 2; of sv-tr nothing is known
        assert first.value == pytest.approx((1 + 1 / 2) / 2)
        assert first.support == pytest.approx((1 + 1 + 0) / 3)
        # en-sv 1 of 2, 1 x 2 of 4 pairs; of en-tr no Turkish word is known
        assert second.value == pytest.approx(1 / 2)
        assert second.support == pytest.approx((2 / 4 + 0 + 0) / 3)

    def test_it_is_said(self) -> None:
        notes = tealeaves.score(THREE, None, "mta mta@1", dictionary=SOME).notes
        lacking = [note for note in notes if "no dictionary" in note]
        assert lacking == ["model: no dictionary of sv and tr: mta leaves the two out"]
        assert "model: no translation in the dictionary (tr): yyy, zzz" in notes

    def test_the_signature_has_those_that_were_read(self) -> None:
        [row, _] = tealeaves.score(THREE, None, "mta", dictionary=SOME).topics.rows
        known = Dictionaries.open(SOME, ["en", "sv", "tr"]).signature
        assert known.count("+") == 1
        assert f"|dictionary={known}|" in row.signature

    def test_a_language_without_any(self) -> None:
        scores = tealeaves.score(THREE, None, "mta", dictionary={"en-sv": PAIRS})
        first, _ = scores.topics.rows
        assert first.value == 1.0
        assert first.support == pytest.approx(1 / 3)
        assert [note for note in scores.notes if "dictionary" in note] == [
            "model: no dictionary of en and tr: mta leaves the two out",
            "model: no dictionary of sv and tr: mta leaves the two out",
            "model: no translation in the dictionary (en): xxx",
        ]  # nothing looked Turkish words up: nothing is said of them

    def test_none_at_all_is_an_error(self) -> None:
        with pytest.raises(InputError) as error:
            tealeaves.score(THREE, None, "mta", dictionary={"en-fi": PAIRS})
        assert str(error.value) == (
            "no dictionary of any two of en, sv, tr (those given are of en-fi): "
            "give --dictionary en-sv=PATH"
        )

    def test_each_model_needs_one(self) -> None:
        other = MultilingualTopics.of_languages({"fi": [["a"]], "et": [["b"]]}, model="other")
        with pytest.raises(InputError, match="no dictionary of fi and et"):
            tealeaves.score([THREE, other], None, "mta", dictionary=SOME)


class TestDictionaries:
    def test_that_has_the_words_only_as_their_own_translations(self) -> None:
        with pytest.raises(InputError) as error:
            scored([["taxi", "son"]], [["son", "hall"]], pairs=[("taxi", "taxi"), ("son", "son")])
        assert str(error.value) == (
            "en-sv: it translates words of the topics only by themselves (taxi, son): "
            "mta(identical=true) counts them"
        )

    def test_of_something_else(self, tmp_path: Path) -> None:
        path = tmp_path / "en-sv.txt"
        path.write_text("cat katt\ndog hund\n")
        topics = MultilingualTopics.of_languages({"en": [["king"]], "sv": [["kung"]]})
        with pytest.raises(InputError) as error:
            tealeaves.score(topics, None, "mta", dictionary=path)
        assert str(error.value) == (
            f"{path}: no word of any topic is in the dictionary: is it of en and sv, this way "
            "round?"
        )

    def test_the_wrong_way_round(self) -> None:
        topics = MultilingualTopics.of_languages(
            {"en": [["king", "house", "war"]], "sv": [["kung", "hus", "kammare"]]}
        )
        pairs = [*PAIRS, ("kung", "house")]
        scores = tealeaves.score(topics, None, "mta", dictionary={"sv-en": pairs})
        # straight: house and kung; exchanged: king, house, war, kung, hus, kammare
        [note] = [note for note in scores.notes if "way round" in note]
        assert "it has 2 of the topics' words, and would have 6" in note
        right = tealeaves.score(topics, None, "mta", dictionary={"en-sv": pairs})
        assert not [note for note in right.notes if "way round" in note]

    def test_of_a_pair_that_is_missing(self) -> None:
        topics = MultilingualTopics.of_languages({"en": [["king"]], "tr": [["kral"]]})
        with pytest.raises(InputError, match="no dictionary of en and tr"):
            tealeaves.score(topics, None, "mta", dictionary={"en-sv": PAIRS})

    def test_none(self) -> None:
        topics = MultilingualTopics.of_languages({"en": [["king"]], "tr": [["kral"]]})
        with pytest.raises(InputError, match="mta needs a dictionary"):
            tealeaves.score(topics, None, "mta")

    def test_the_signature_names_what_was_read(self) -> None:
        [row] = scored([["king"]], [["kung"]], "mta@5").topics.rows
        known = Dictionaries.open({"en-sv": PAIRS}, ["en", "sv"]).signature
        assert row.signature.startswith(f"mta(identical=false)@5|dictionary={known}|")

    def test_a_model_in_one_language(self) -> None:
        assert "one language" in metric("mta").why_not(tealeaves.Topics.of([["king"]]))


def test_no_text_is_read() -> None:
    assert metric("mta").source == "a dictionary"
    assert scored([["king"]], [["kung"]]).value("model", "mta") == 1.0


LEFT, RIGHT = [f"e{n}" for n in range(6)], [f"s{n}" for n in range(6)]
ENTRIES = st.sets(st.tuples(st.sampled_from(LEFT), st.sampled_from(RIGHT)), min_size=1)
LISTS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(LEFT), min_size=1, unique=True),
        st.lists(st.sampled_from(RIGHT), min_size=1, unique=True),
    ),
    min_size=1,
    max_size=3,
)


def by_scipy(left: Sequence[str], right: Sequence[str], pairs: set[tuple[str, str]]) -> int:
    table = np.array([[(one, other) in pairs for other in right] for one in left])
    found = maximum_bipartite_matching(csr_array(table), perm_type="column")
    return int((found >= 0).sum())


@drawn(ENTRIES, LISTS, st.integers(1, 8))
def test_properties(
    pairs: set[tuple[str, str]], topics: list[tuple[list[str], list[str]]], top: int
) -> None:
    # one more pair and topic, so that the dictionary is never one of something else
    entries = [*pairs, ("x", "y")]
    english = [*(left for left, _ in topics), ["x"]]
    swedish = [*(right for _, right in topics), ["y"]]
    asked = f"mta@{top}"
    rows = scored(english, swedish, asked, entries).topics.rows
    turned = MultilingualTopics.of_languages({"sv": swedish, "en": english})
    other = tealeaves.score(turned, None, asked, dictionary={"en-sv": entries}).topics.rows
    for row, back, left, right in zip(rows, other, english, swedish, strict=True):
        one, another = left[:top], right[:top]
        size = max(len(one), len(another))
        known = [
            sum(any(word == pair[side] for pair in entries) for word in words)
            for side, words in enumerate((one, another))
        ]
        assert row.support == pytest.approx(known[0] * known[1] / size**2)
        assert back.support == row.support
        if not row.support:
            assert math.isnan(row.value)
            assert math.isnan(back.value)
            continue
        assert row.value == by_scipy(one, another, {*entries}) / size
        assert back.value == row.value
        assert 0 <= row.value <= 1
        assert row.value * size == pytest.approx(round(row.value * size))


@drawn(st.lists(st.lists(st.integers(0, 11), unique=True), max_size=12))
def test_matching_is_largest(edges: list[list[int]]) -> None:
    found = maximum_matching(edges)
    assert all(right in edges[left] for left, right in found.items())
    assert len(set(found.values())) == len(found)
    table = np.zeros((max(1, len(edges)), 12), dtype=bool)
    for left, row in enumerate(edges):
        table[left, row] = True
    largest = (maximum_bipartite_matching(csr_array(table), perm_type="column") >= 0).sum()
    assert len(found) == largest


def test_a_long_chain_is_matched() -> None:
    # each wants what the one before has; the last takes the first's, and all must move
    size = 3000
    edges = [[n, n + 1] for n in range(size)] + [[0]]
    assert len(maximum_matching(edges)) == size + 1
