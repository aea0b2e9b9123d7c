"""Passages of any texts that a corpus reads."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.lexicon.analysers import Forms
from tealeaves.lexicon.bitext import Bitext
from tealeaves.lexicon.passages import passages_of, pipeline_of, read_passages
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Fields
from tealeaves.text.paired.corpus import PairedCorpus

BIBLE = "GEN 1:1\tIn the Beginning.\nGEN 1:2\tThe earth; 9 hands\nEXO 1:1\tMoses\n"


@pytest.fixture
def bible(tmp_path: Path) -> Path:
    path = tmp_path / "eng.tsv"
    path.write_text(BIBLE, encoding="utf-8")
    return path


def test_verses_of_a_bible(bible: Path) -> None:
    read: list[int] = []
    found = read_passages(bible, "eng", advance=read.append)
    assert found.keys == ("GEN 1:1", "GEN 1:2", "EXO 1:1")
    assert found.forms.text(0) == ["In", "the", "Beginning"]
    assert found.words.text(0) == ["in", "the", "beginning"]
    assert (found.language, found.texts, sum(read)) == ("eng", (), 3)
    assert found.name.endswith("eng.tsv")


def test_chapters_and_texts(bible: Path) -> None:
    found = read_passages(bible, "eng", unit="chapter", keep_texts=True)
    assert found.keys == ("GEN 1", "EXO 1")
    assert found.texts[1] == "Moses"
    assert len(found.texts) == 2


def test_a_table_and_a_corpus(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"n": "x1", "body": "His Hands"}\n{"n": "x2", "body": ""}\n')
    found = read_passages(path, "en", fields=Fields(text="body", id="n"), pipeline="tokens")
    assert (found.keys, list(found.words)) == (("x1", "x2"), [["His", "Hands"], []])
    lower = read_passages(Corpus.of(["A b", "C"]), "en", pipeline="words")
    assert list(lower.words) == [["a", "b"], ["c"]]


def test_paired_texts_of_any_kind() -> None:
    paired = PairedCorpus.of([{"en": "a foot"}, {"en": "the Hand", "fi": "Käsi"}])
    bitext = Bitext.of(passages_of(paired, "en"), passages_of(paired, "fi"))
    assert (bitext.keys, list(bitext.target.words)) == (("2",), [["käsi"]])


def test_an_analyser_of_ones_own() -> None:
    class Tagged:
        signature = "tagged"

        def words(self, forms: Sequence[str], text: str = "") -> list[str]:
            return [f"{form}/{len(text)}" for form in forms]

    paired = PairedCorpus.of([{"en": "A hand."}])
    found = passages_of(paired, "en", analyser=Tagged(), keep_texts=True)
    assert (list(found.words), found.texts) == ([["A/7", "hand/7"]], ("A hand.",))
    assert list(passages_of(paired, "en", analyser=Forms(lower=False)).words) == [["A", "hand"]]


def test_vowel_marks_of_arabic_are_no_part_of_words() -> None:
    paired = PairedCorpus.of([{"ar": "كِتَابٌ كتاب"}])
    found = passages_of(paired, "ar")
    assert found.words.vocabulary == ("كتاب",)
    assert found.forms.text(0) == ["كِتَابٌ", "كتاب"]


def test_chinese_by_words_or_by_characters() -> None:
    pytest.importorskip("icu4py")
    paired = PairedCorpus.of([{"zh": "我喜欢北京。"}])
    assert list(passages_of(paired, "zh").words) == [["我", "喜欢", "北京"]]
    found = passages_of(paired, "zh", pipeline="characters")
    assert list(found.words) == [["我", "喜", "欢", "北", "京"]]


@pytest.mark.parametrize("language", ["zh", "jpn", "tha"])
def test_a_language_without_spaces_where_icu_is_missing(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "icu4py", None)
    monkeypatch.setitem(sys.modules, "icu4py.breakers", None)
    paired = PairedCorpus.of([{language: "北京"}])
    with pytest.raises(MissingExtraError) as error:
        passages_of(paired, language)
    assert str(error.value) == (
        f"{language} is written without spaces: the pipeline icu needs the package icu4py: pip "
        'install "tealeaves[langs]"; or take each character for a word: '
        f"--tokens {language}=characters"
    )
    assert list(passages_of(paired, language, pipeline="characters").words) == [["北", "京"]]


@pytest.mark.parametrize("pipeline", ["words(lemmas=en)", "words(min_tokens=2)"])
def test_pipelines_that_would_change_passages_are_refused(pipeline: str) -> None:
    with pytest.raises(InputError, match="tokens of passages must be complete"):
        pipeline_of("en", pipeline)


def test_an_empty_text_has_no_passages(tmp_path: Path) -> None:
    path = tmp_path / "fin.txt"
    path.write_text("\n\n")
    empty = read_passages(path, "fin")
    with pytest.raises(InputError, match=r"fin\.txt has no words"):
        Bitext.of(passages_of(PairedCorpus.of([{"en": "a"}]), "en"), empty)


def test_a_key_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "1", "text": "a"}\n{"id": "1", "text": "b"}\n')
    with pytest.raises(InputError, match=r"1.*twice|both|two"):
        read_passages(path, "en")
