"""Remarks: what is said of topics of which little is known, and of words without lemmas."""

from __future__ import annotations

from typing import Any

import pytest

from tealeaves.errors import MissingExtraError
from tealeaves.estimator.predictions import predict
from tealeaves.evidence import years as module
from tealeaves.evidence.years import WordYears

from .kings import MODERN, estimators, linear, model, paired

# one of three words has a year; then two of four, and none of two
WORDS = {
    "en": [["king", "ship", "crown"], ["king", "sea", "ship", "crown"], ["ship", "crown"]],
    "es": [["rey"], ["rey"], ["barco"]],
}
YEARS = {"king": 900, "sea": 1000}
ERA = linear({"cnpmi": 0.5, "era_mean": 0.0001})
DRIFT = linear({"cnpmi": 0.5, "drift_mean": 0.1})
PLAIN = linear({"cnpmi": 0.5})


def notes_on(*several: Any, words: Any = WORDS, **beside: Any) -> list[str]:
    """Return what is said of topics that are judged by some estimators."""
    found = predict(
        model(words=words), paired(), estimator=estimators(*several), tokens="tokens", **beside
    )
    return found.notes


def without(notes: list[str], *words: str) -> bool:
    return not [note for note in notes if any(word in note for word in words)]


def test_few_words_with_a_year() -> None:
    notes = notes_on(ERA, PLAIN, years=YEARS)
    assert "m (en-es): less than half of the words have a year in 0 (33%)" in notes
    # of none there is no mean, which is said elsewhere
    assert "m (en-es): undefined for 2: era_mean" in notes


def test_few_words_that_can_be_compared() -> None:
    # castle and tower are not in the reference; of two words one is half
    words = {"en": [["king", "castle", "tower"], ["king", "castle"]], "es": [["rey"], ["rey"]]}
    notes = notes_on(DRIFT, PLAIN, words=words, modern=MODERN)
    said = "m (en-es): less than half of the words can be compared with modern texts in 0 (33%)"
    assert said in notes


def test_what_no_estimator_uses_is_no_matter() -> None:
    assert without(notes_on(PLAIN, years=YEARS), "have a year")
    assert without(notes_on(ERA, PLAIN), "have a year", "lemmas")


def test_years_without_lemmas(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: Any, **__: Any) -> Any:
        raise MissingExtraError("simplemma")

    monkeypatch.setattr(module, "lemmatizer", none)
    said = (
        "years are looked up without lemmas of en, so fewer words have one (the extra langs has "
        "lemmas of many languages)"
    )
    assert notes_on(ERA, PLAIN, years=YEARS).count(said) == 1
    assert without(notes_on(PLAIN, years=YEARS), "lemmas")  # nobody asks for years
    assert without(notes_on(ERA, PLAIN, years=WordYears({"rey": 900}, "es")), "lemmas")  # of no use


def test_years_with_lemmas() -> None:
    pytest.importorskip("simplemma")
    assert without(notes_on(ERA, PLAIN, years=YEARS), "lemmas")
