from __future__ import annotations

import pytest

from tealeaves.text.languages import language_code, same_language

# the languages of the linked texts that the methods were tried on
CODES = {
    "amh": "am", "arb": "ar", "ces": "cs", "deu": "de", "eng": "en", "fas": "fa", "fin": "fi",
    "fra": "fr", "hau": "ha", "heb": "he", "hrv": "hr", "ita": "it", "jpn": "ja", "kor": "ko",
    "por": "pt", "ron": "ro", "rus": "ru", "spa": "es", "srp": "sr", "swe": "sv", "swh": "sw",
    "tgl": "tl", "tur": "tr", "vie": "vi", "zho": "zh", "Amharic": "am", "fil": "tl", "lao": "lo",
    "khm": "km", "Burmese": "my",
}  # fmt: skip


@pytest.mark.parametrize("name", CODES)
def test_codes(name: str) -> None:
    assert language_code(name) == CODES[name]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("en", "en-GB", True), ("xx1", "xx1", True), ("xx1", "xx2", False), ("Klingon", "", False)],
)
def test_same_languages(one: str, other: str, same: bool) -> None:
    assert same_language(one, other) == same_language(other, one) == same
