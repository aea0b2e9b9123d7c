"""Paired texts on the linked texts of the reference data."""

from __future__ import annotations

from pathlib import Path

import pytest

from tealeaves.text import PairedCorpus

pytestmark = pytest.mark.reference


def table(folder: Path, *, text: str, unit: str | None = None, **languages: str) -> PairedCorpus:
    paths = {code: folder / f"{name}.tsv.gz" for code, name in languages.items()}
    fields = {"id": "1", "text": text}
    return PairedCorpus.open(paths, reader="tsv(header=false)", fields=fields, unit=unit)


def test_the_chapters_of_two_bibles(reference_data: Path) -> None:
    folder = reference_data / "bible"
    paired = PairedCorpus.open(
        {"en": folder / "eng_web.tsv.gz", "es": folder / "spa_rv1909.tsv.gz"}
    )
    assert paired.count_links("en", "es") == 1189
    assert paired.keys("en")[:2] == ["GEN 1", "GEN 2"]
    assert len(list(paired.tuples())) == 1189


def test_a_bible_that_lacks_books(reference_data: Path) -> None:
    folder = reference_data / "bible"
    paths = {"en": folder / "eng_web.tsv.gz", "ro": folder / "ron_lsb_NT.tsv.gz"}
    paired = PairedCorpus.open(paths)
    assert paired.count_links("en", "ro") == 260
    verses = PairedCorpus.open(paths, unit="verse")
    assert (len(verses.keys("en")), len(verses.keys("ro"))) == (31103, 7948)


def test_news_by_document_and_block(reference_data: Path) -> None:
    folder = reference_data / "paired_ntrex128"
    languages = {"en": "eng", "sv": "swe", "am": "amh"}
    documents = table(folder, text="3", unit="document", **languages)
    assert documents.count_links("en", "sv") == documents.count_links("sv", "am") == 123
    blocks = table(folder, text="3", unit="block(size=4)", **languages)
    assert blocks.keys("en") == blocks.keys("sv") == blocks.keys("am")
    texts = [d.text for d in blocks.side("en")]
    assert sum(text.count("\n") + 1 for text in texts) == 1997


def test_sentences_and_articles(reference_data: Path) -> None:
    languages = {"en": "eng", "tr": "tur", "zh": "zho"}
    sentences = table(reference_data / "paired_sib200", text="4", **languages)
    assert sentences.count_links("en", "zh") == 1004
    assert sentences.unlink(0.2, seed=1).count_links("en", "zh") == round(0.2 * 1004)
    articles = table(reference_data / "paired_udhr", text="2", **languages)
    assert articles.keys("tr") == [str(number) for number in range(31)]
