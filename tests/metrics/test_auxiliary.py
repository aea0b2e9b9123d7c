"""What is given beside linked texts: dictionaries, years of words and modern texts."""

from __future__ import annotations

from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import pytest

import tealeaves
from tealeaves import Corpus, MultilingualTopics, PairedCorpus
from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence.contexts import gather_contexts
from tealeaves.evidence.dictionaries import Dictionaries
from tealeaves.evidence.drift import Drift
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import ContextRequest, DictionaryRequest, Term
from tealeaves.evidence.sources import Sources
from tealeaves.evidence.wording import Wordings
from tealeaves.evidence.years import WordYears
from tealeaves.metrics.planning import plan_requests
from tealeaves.text.pipeline import Pipeline

PAIR = (("en", "es"),)
OPTIONAL = DictionaryRequest(frozenset({PAIR}), optional=True)
NEED = DictionaryRequest(frozenset({PAIR}))
WORDS = {"en-es": [("king", "rey")]}
TEXTS = [{"en": "king crown", "es": "rey corona"}] * 5 + [{"en": "sea ship", "es": "mar"}] * 5
MODERN = ["king crown"] * 5 + ["sea ship"] * 6
TOKENS = Pipeline.parse("tokens")


def contexts(*words: str, language: str = "en") -> ContextRequest:
    return ContextRequest(language, frozenset(Term((word,), language) for word in words))


LANGUAGES = ["en", "es"]


def dictionaries(*requests: DictionaryRequest, **sources: Any) -> Dictionaries | None:
    request = reduce(or_, requests) if requests else None
    return Sources(**sources).dictionaries(request, LANGUAGES)


def drift(modern: Any, *needs: ContextRequest, texts: Any = TEXTS) -> Drift | None:
    wording = Wordings({"en": TOKENS, "es": TOKENS})
    paired = None if texts is None else PairedCorpus.of(texts)
    asked = needs or (contexts("king", "sea"), contexts("rey", language="es"))
    return Sources(modern=modern).drift(list(asked), paired, wording, progress=False)


def cosine(found: Drift | None, word: str, language: str = "en") -> float:
    assert found is not None
    return found.of(Term((word,), language))


class TestRequests:
    def test_who_needs_one_needs_it(self) -> None:
        assert (OPTIONAL | OPTIONAL).optional
        assert not (OPTIONAL | NEED).optional
        assert not (NEED | OPTIONAL).optional
        assert not (NEED | NEED).optional
        assert not DictionaryRequest(frozenset()).optional

    def test_all_models_are_asked_for(self) -> None:
        other = DictionaryRequest(frozenset({(("en", "sv"),)}), optional=True)
        assert (OPTIONAL | other).models == {PAIR, (("en", "sv"),)}


class TestDictionaries:
    def test_none_is_asked_for(self) -> None:
        assert dictionaries(dictionary="nowhere.txt") is None

    def test_an_optional_one(self) -> None:
        assert dictionaries(OPTIONAL) is None
        found = dictionaries(OPTIONAL, dictionary=WORDS)
        assert found is not None
        assert found.translations(("es", "en"), "rey") == {"king"}

    def test_one_that_is_needed(self) -> None:
        for needs in ([NEED], [OPTIONAL, NEED], [NEED, OPTIONAL]):
            with pytest.raises(
                InputError, match=r"mta needs a dictionary: give --dictionary en-es"
            ):
                dictionaries(*needs)
            assert dictionaries(*needs, dictionary=WORDS) is not None

    @pytest.mark.parametrize("need", [OPTIONAL, NEED])
    def test_one_of_other_languages(self, need: DictionaryRequest) -> None:
        with pytest.raises(InputError, match=r"no dictionary of en and es \(those given are of e"):
            dictionaries(need, dictionary={"en-sv": [("king", "kung")]})

    def test_a_metric_that_needs_it_beside_one_that_does_not(self, tmp_path: Path) -> None:
        topics = MultilingualTopics.of_languages({"en": [["king"]], "es": [["rey"]]})
        texts = PairedCorpus.of(TEXTS)
        with pytest.raises(InputError, match="mta needs a dictionary"):
            tealeaves.score(topics, texts, "cnpmi mta")
        assert tealeaves.score(topics, texts, "cnpmi", dictionary=tmp_path / "none.txt").rows


class TestTranslates:
    def test_without_a_dictionary(self) -> None:
        evidence = Evidence()
        assert not evidence.translates("en", "es")
        with pytest.raises(EvidenceError, match=r"there is no dictionary: give one \(--dict"):
            _ = evidence.dictionaries

    def test_with_one_of_these_languages(self) -> None:
        evidence = Evidence(dictionaries=Dictionaries.open(WORDS, ["en", "es", "sv"]))
        assert evidence.translates("en", "es")
        assert evidence.translates("es", "en")
        assert evidence.translates("eng", "Spanish")
        assert not evidence.translates("en", "sv")

    def test_what_else_may_be_there(self) -> None:
        years = WordYears({"king": 900})
        assert Evidence(years=years).years is years
        assert (Evidence().years, Evidence().drift) == (None, None)


class TestCheck:
    @pytest.mark.parametrize("name", ["years", "modern"])
    def test_what_no_metric_asks_for_is_an_error(self, name: str) -> None:
        topics = MultilingualTopics.of_languages({"en": [["king"]], "es": [["rey"]]})
        years: dict[str, Any] = {name: {"king": 900}}
        sources = Sources(PairedCorpus.of(TEXTS), dictionary=WORDS, **years)
        with pytest.raises(InputError, match=rf"{name} \(--{name}\) is for metrics such as cnpmi_"):
            plan_requests([topics], lambda _: [NEED], sources)
        assert plan_requests([topics], lambda _: [NEED, contexts("king")], sources).requests

    def test_a_plan_says_that_a_dictionary_is_missing(self) -> None:
        topics = MultilingualTopics.of_languages({"en": [["king"]], "es": [["rey"]]})
        with pytest.raises(InputError, match="mta needs a dictionary: give --dictionary en-es"):
            plan_requests([topics], lambda _: [NEED], Sources())
        assert plan_requests([topics], lambda _: [OPTIONAL], Sources()).requests

    def test_a_dictionary_may_be_given_for_nothing(self) -> None:
        topics = MultilingualTopics.of_languages({"en": [["king"]], "es": [["rey"]]})
        assert not plan_requests([topics], lambda _: [], Sources(dictionary=WORDS)).requests


class TestEras:
    def test_none(self) -> None:
        assert Sources().word_years(LANGUAGES) is None

    def test_english_unless_it_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "years.tsv").write_text("king\t900\nsea\t800\n")
        for years in ({"king": 900}, tmp_path / "years.tsv", str(tmp_path / "years.tsv")):
            found = Sources(years=years).word_years(LANGUAGES)
            assert found is not None
            assert (found.language, found.year("king")) == ("en", 900)

    def test_as_they_are(self) -> None:
        spanish = WordYears({"rey": 900}, "spa")
        assert Sources(years=spanish).word_years(LANGUAGES) is spanish

    def test_of_a_language_that_the_topics_lack(self) -> None:
        with pytest.raises(
            InputError, match=r"^years of words of sv, but the topics are in en, es"
        ):
            Sources(years=WordYears({"kung": 900}, "sv")).word_years(LANGUAGES)
        with pytest.raises(
            InputError, match=r"^years of words of en, but the topics are in fr, sw"
        ):
            Sources(years={"king": 900}).word_years(["fr", "sw"])


class TestDrift:
    def test_none(self) -> None:
        assert drift(None) is None

    def test_one_that_was_made_before(self) -> None:
        made = drift(MODERN)
        assert drift(made) is made

    def test_it_is_that_of_both_texts(self) -> None:
        request = contexts("king", "sea")
        sides = ([one["en"] for one in TEXTS], MODERN)
        one, other = (gather_contexts(Corpus.of(side), TOKENS, request) for side in sides)
        expected = Drift.between(one, other)
        found = drift(MODERN)
        assert found is not None
        assert found.language == "en"
        for term in request.terms:
            assert found.of(term) == expected.of(term) == 1  # the same neighbours, and no others

    def test_the_words_of_all_metrics_are_asked_for(self) -> None:
        found = drift(MODERN, contexts("king"), contexts("ship"), contexts("rey", language="es"))
        assert cosine(found, "king") == cosine(found, "ship") == 1
        with pytest.raises(EvidenceError, match="'sea' were not counted"):
            cosine(found, "sea")

    def test_however_they_are_given(self, tmp_path: Path) -> None:
        (tmp_path / "modern.txt").write_text("\n".join(MODERN) + "\n")
        path = tmp_path / "modern.txt"
        for modern in (path, str(path), {"en": path}, {"eng": MODERN}, Corpus.of(MODERN)):
            assert cosine(drift(modern), "king") == 1
        assert cosine(drift({"es": ["rey corona"] * 5}), "rey", "es") == 1

    @pytest.mark.parametrize(
        ("modern", "error"),
        [
            ({"sv": ["kung"]}, "modern texts of sv, but the topics are in en, es"),
            ({"en": ["king"], "es": ["rey"]}, "modern texts are of one language: give {'en': path"),
            ({}, "modern texts are of one language: give {'en': path}"),
            (["king crown"], "memory, modern texts of en: no word occurs 5 times in both texts"),
            ("none.jsonl", "none.jsonl: no such file or folder"),
        ],
    )
    def test_what_cannot_be_compared(
        self, modern: Any, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(InputError) as caught:
            drift(modern)
        assert error in str(caught.value)

    def test_texts_of_another_language_are_named(self, tmp_path: Path) -> None:
        path = tmp_path / "modern.txt"
        path.write_text("kung krona\n" * 9)
        with pytest.raises(InputError) as caught:
            drift({"eng": path})
        assert str(caught.value) == (
            f"{path}, modern texts of en: no word occurs 5 times in both texts: are they of one "
            "language, and large enough?"
        )

    @pytest.mark.parametrize(
        ("rows", "why"),
        [
            ("", "there are no documents"),
            ('{"text": ""}\n{"text": " \\n"}\n', "all documents are blank"),
        ],
    )
    def test_empty_texts_are_told_before_the_reference_is_read(
        self, rows: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def never(*_: object, **__: object) -> None:
            raise AssertionError("texts were read")

        monkeypatch.setattr("tealeaves.evidence.contexts.gather_contexts", never)
        path = tmp_path / "modern.jsonl"
        path.write_text(rows)
        with pytest.raises(InputError) as caught:
            drift(path)
        assert str(caught.value) == f"{path}: no modern texts, {why}"

    def test_counts_are_not_enough(self) -> None:
        with pytest.raises(InputError, match="compared with those of the corpus: give corpora"):
            drift(MODERN, texts=None)

    def test_two_names_of_a_language(self) -> None:
        with pytest.raises(InputError, match="the topics call one language en and eng: give it on"):
            drift(MODERN, contexts("king"), contexts("king", language="eng"))
