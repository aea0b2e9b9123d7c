"""Morphs by Morfessor."""

from __future__ import annotations

import random
import sys

import pytest

from tealeaves.errors import MissingExtraError
from tealeaves.lexicon.alignment.morphs import Morphs, check_morfessor, segmented
from tealeaves.lexicon.words import Words

from .synthetic import bitext_of

STEMS = ("talo", "auto", "kissa", "koira", "kala")
TEXTS = [[stem + end for end in ("", "ssa", "sta", "lla", "n")] for stem in STEMS] * 3


@pytest.mark.parametrize("dampening", ["none", "log", "ones"])
def test_endings_are_cut_off(dampening: str) -> None:
    pytest.importorskip("morfessor")
    steps: list[tuple[int, int]] = []
    morphs = segmented(
        Words.of(TEXTS), dampening=dampening, advance=lambda *how: steps.append(how)  # type: ignore[arg-type]
    )  # fmt: skip
    assert morphs.words.text(0) == [
        "talo",
        "talo",
        "ssa",
        "talo",
        "sta",
        "talo",
        "lla",
        "talo",
        "n",
    ]
    assert morphs.places[:9].tolist() == [0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert ["".join(text) for text in morphs.words] == ["".join(text) for text in TEXTS]
    assert steps == sorted(steps)
    assert steps[-1] == (8, 8)


def test_the_random_numbers_of_others_stay_as_they_were() -> None:
    pytest.importorskip("morfessor")
    random.seed(3)
    expected = random.random()
    random.seed(3)
    segmented(Words.of(TEXTS))
    assert random.random() == expected


def test_a_word_that_is_not_in_the_table_stays_whole() -> None:
    morphs = Morphs.of(Words.of([["ab", "c"], [], ["ab"]]), {"ab": ["a", "b"]})
    assert list(morphs.words) == [["a", "b", "c"], [], ["a", "b"]]
    assert morphs.places.tolist() == [0, 0, 1, 0, 0]


def test_beside_the_source() -> None:
    bitext = bitext_of([["s"]], [["ab"]])
    cut = Morphs.of(bitext.target.words, {"ab": ["a", "b"]}).with_morphs(bitext)
    assert cut.target.words.text(0) == ["a", "b"]
    assert cut.target.forms.text(0) == ["ab"]
    assert cut.source is bitext.source


def test_without_the_package_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "morfessor", None)
    with pytest.raises(MissingExtraError, match=r"tealeaves\[morphs\]"):
        check_morfessor()
