"""Where a lemma stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.lexicon.seeds import find_seed
from tealeaves.lexicon.words import Words

WORDS = st.sampled_from(["hand/N", "hand/V", "hand", "foot/N", "the"])


@given(st.lists(st.lists(WORDS, max_size=4), max_size=5), st.sampled_from(["hand", "hand/N"]))
def test_every_token_is_found_once(texts: list[list[str]], lemma: str) -> None:
    fits = {"hand": ("hand", "hand/N", "hand/V"), "hand/N": ("hand/N",)}[lemma]
    expected = [
        (row, place)
        for row, text in enumerate(texts)
        for place, word in enumerate(text)
        if word in fits
    ]
    if not expected:
        with pytest.raises(InputError):
            find_seed(Words.of(texts), lemma)
        return
    seed = find_seed(Words.of(texts), lemma)
    assert list(zip(seed.rows.tolist(), seed.places.tolist(), strict=True)) == expected
    assert seed.passages.tolist() == sorted({row for row, _ in expected})
    assert (len(seed), seed.lemma) == (len(expected), lemma)


def test_a_lemma_that_never_occurs_is_named_with_one_that_does() -> None:
    with pytest.raises(InputError, match=r"^'hnad' never occurs in the .*; did you mean hand\?$"):
        find_seed(Words.of([["hand/N", "the"]]), "hnad")
    tagged = Words.of([["hand/N", "ohad/N", "had/V", "the/D"]])
    with pytest.raises(InputError, match=r"did you mean hand/N\?$"):
        find_seed(tagged, "hnad/N")
    with pytest.raises(InputError, match=r"did you mean had/V\?$"):
        find_seed(tagged, "had/N")
    with pytest.raises(InputError, match=r"did you mean hand/N or hand/V\?$"):
        find_seed(Words.of([["hand/V", "hand/N"]]), "hand/X")


def test_a_part_of_speech_is_asked_of_a_text_that_is_not_tagged() -> None:
    texts = [["hand", "the", "and/or"]]
    with pytest.raises(InputError, match=r"the text is not tagged \(.*\): ask for hand$"):
        find_seed(Words.of(texts), "hand/N")


def test_numbers_of_words_that_were_left_out_are_not_tokens() -> None:
    words = Words.of([["hand"], ["foot"]]).taken([1])
    with pytest.raises(InputError, match="never occurs"):
        find_seed(words, "hand")
