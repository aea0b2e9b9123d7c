"""From forms to words."""

from __future__ import annotations

import sys

import pytest

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.lexicon.analysers import Analyser, FormAnalyser, Forms, Simplemma, analyser


def test_forms_in_lower_case_without_vowel_marks() -> None:
    assert analyser("forms", "ar").words(["Straße", "كِتَابٌ", "ΑΣ"]) == ["straße", "كتاب", "ας"]
    assert Forms(lower=False).words(["Straße"]) == ["Straße"]
    assert Forms().words(["\u064b"]) == ["\u064b"]  # nothing but a mark stays


def test_simplemma_makes_lemmas_in_lower_case() -> None:
    pytest.importorskip("simplemma")
    assert Simplemma("deu").words(["Die", "Hände", "Xyzzy"]) == ["der", "hand", "xyzzy"]


def test_what_needs_no_neighbours_can_be_asked_form_by_form() -> None:
    pytest.importorskip("simplemma")
    assert isinstance(analyser("forms", "en"), FormAnalyser)
    assert isinstance(analyser("simplemma", "en"), FormAnalyser)


def test_signatures_tell_what_makes_other_words() -> None:
    pytest.importorskip("simplemma")
    ways: list[Analyser] = [
        Forms(),
        Forms(lower=False),
        Forms(marks=True),
        Simplemma("en"),
        Simplemma("de"),
    ]
    assert len({way.signature for way in ways}) == len(ways)
    assert Simplemma("eng").signature == Simplemma("en").signature


def test_an_unknown_analyser_is_an_error_that_lists_all() -> None:
    with pytest.raises(InputError, match=r"'hannta' to make words .*did you mean hanta\?"):
        analyser("hannta", "en")


def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "HanTa", None)
    monkeypatch.setitem(sys.modules, "HanTa.HanoverTagger", None)
    analyser.cache_clear()
    with pytest.raises(MissingExtraError, match=r"tagging needs .*HanTa.*tealeaves\[tag\]"):
        analyser("hanta", "en")
