"""Passages of two languages, side by side."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.lexicon.bitext import Bitext, Passages, shared_rows
from tealeaves.lexicon.words import Words


def passages(language: str, texts: Mapping[str, str], *, name: str = "") -> Passages:
    forms = Words.of(text.split() for text in texts.values())
    lower = Words.of(text.lower().split() for text in texts.values())
    return Passages(language, tuple(texts), forms, lower, name, tuple(texts.values()))


def test_passages_with_the_same_key_stand_side_by_side() -> None:
    source = passages("en", {"1": "A hand", "2": "two", "3": "", "4": "only here"})
    target = passages("fi", {"3": "kolme", "2": "Kaksi", "1": "", "5": "vain"})
    bitext = Bitext.of(source, target)
    assert bitext.keys == bitext.target.keys == ("2",)
    assert (list(bitext.source.words), list(bitext.target.words)) == ([["two"]], [["kaksi"]])
    assert list(bitext.target.forms) == [["Kaksi"]]
    assert (bitext.source.texts, bitext.target.texts) == (("two",), ("Kaksi",))
    assert len(bitext) == 1


KEYED = st.dictionaries(st.sampled_from("12345"), st.sampled_from(["", "a", "b c"]), max_size=5)


@given(KEYED, KEYED)
def test_what_is_shared_is_what_both_have_words_in(
    one: dict[str, str], other: dict[str, str]
) -> None:
    expected = [key for key in one if one[key] and other.get(key)]
    source, target = passages("en", one), passages("fi", other)
    if not expected:
        with pytest.raises(InputError):
            shared_rows(source, target)
        return
    rows, others = shared_rows(source, target)
    assert [source.keys[row] for row in rows] == expected
    assert [target.keys[row] for row in others] == expected


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        (
            passages("en", {"GEN 1:1": "a"}, name="eng.tsv"),
            passages("fi", {"01001001": "b"}, name="fin.tsv"),
            "eng.tsv and fin.tsv share no passage: ids such as 'GEN 1:1' in the first, "
            "'01001001' in the second",
        ),
        (
            passages("en", {"1": "a"}),
            passages("fi", {"1": ""}, name="fin.tsv"),
            "fin.tsv has no words",
        ),
        (passages("en", {}), passages("fi", {"1": "a"}), "en has no words"),
    ],
)
def test_texts_that_do_not_fit_are_an_error_of_one_line(
    source: Passages, target: Passages, message: str
) -> None:
    with pytest.raises(InputError) as error:
        Bitext.of(source, target)
    assert str(error.value) == message
