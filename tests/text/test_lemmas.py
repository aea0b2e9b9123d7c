from __future__ import annotations

import sys

import pytest

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.text import Pipeline
from tealeaves.text.lemmas import lemmatizer_version


def tokens(pipeline: str, text: str) -> list[str]:
    return Pipeline.parse(pipeline).tokenizer()(text)


@pytest.mark.parametrize(
    ("language", "text", "lemmas"),
    [
        ("en", "Mice were running", ["mouse", "be", "run"]),
        ("es", "los perros corrían", ["el", "perro", "correr"]),
    ],
)
def test_tokens_become_their_lemmas(language: str, text: str, lemmas: list[str]) -> None:
    assert tokens(f"words(lemmas={language})", text) == lemmas


def test_lemmas_are_lower_case_if_the_pipeline_is() -> None:
    """German nouns have capital lemmas, which no lower-case topic word would ever match."""
    assert tokens("words(lemmas=de)", "Die Häuser der Kinder")[1::2] == ["haus", "kind"]


def test_lemmas_keep_their_case_if_the_pipeline_does() -> None:
    assert tokens("words(lemmas=de, lower=false)", "Häuser") == ["Haus"]


def test_stop_words_are_removed_before_lemmatisation() -> None:
    assert tokens("words(stopwords=en, lemmas=en)", "the mice were running") == ["mouse", "run"]


@pytest.mark.parametrize("language", ["xx", "english", "en+es"])
def test_an_unknown_language_is_an_error_that_names_it(language: str) -> None:
    with pytest.raises(InputError) as caught:
        Pipeline.parse(f"words(lemmas={language})").tokenizer()
    assert f"no lemmas for the language {language!r}" in str(caught.value)


def test_a_missing_package_is_an_error_that_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "simplemma", None)
    pipeline = Pipeline.parse("words(lemmas=ast)")  # not cached by another test
    with pytest.raises(MissingExtraError, match=r"lemmas.*simplemma.*tealeaves\[langs\]"):
        pipeline.tokenizer()
    with pytest.raises(MissingExtraError, match=r"lemmas.*simplemma.*tealeaves\[langs\]"):
        _ = pipeline.signature


def test_the_signature_names_the_version_of_the_lemmatiser() -> None:
    import simplemma

    assert lemmatizer_version() == f"simplemma-{simplemma.__version__}"
    assert lemmatizer_version() in Pipeline.parse("words(lemmas=en)").signature
