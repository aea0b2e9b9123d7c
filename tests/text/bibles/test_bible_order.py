"""Verses come in their English order, so that no chapter is torn."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.text import Corpus, PairedCorpus
from tealeaves.text.bibles.reference import Reference
from tealeaves.text.bibles.versification import versification

NUMBERINGS = ("hebrew", "vulgate", "synodal", "synodal_protestant")


def written(path: Path, verses: list[Reference]) -> Path:
    path.write_text("".join(f"{verse}\tof {verse}\n" for verse in verses))
    return path


def verses_of(name: str) -> list[Reference]:
    """Return verses in the order of a file: all that have moved, and the first of each chapter."""
    moved = versification(name).moved
    last: dict[str, int] = {}
    for verse in (*moved, *filter(None, moved.values())):
        last[verse.book] = max(last.get(verse.book, 0), verse.chapter)
    first = {Reference(book, n, 1) for book in last for n in range(1, last[book] + 1)}
    return sorted({*moved, *first})


@pytest.mark.parametrize("name", NUMBERINGS)
def test_every_chapter_is_in_one_piece(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / "a.tsv", verses_of(name))
    corpus = Corpus.open(path, reader=f"bible(versification={name})")
    chapters = [document.id for document in corpus.grouped("chapter")]
    assert len(chapters) == len(set(chapters)) > 100
    found = list(corpus)
    assert [document.position for document in found] == list(range(len(found)))


def test_the_end_of_romans_in_the_synodal_bible(tmp_path: Path) -> None:
    # 14:24-26 are 16:25-27 in English Bibles
    places = [(14, 1), (14, 23), (14, 24), (14, 26), (15, 1), (16, 1), (16, 24)]
    path = written(tmp_path / "ru.tsv", [Reference("ROM", *place) for place in places])
    reader = "bible(versification=synodal)"
    assert [(d.id, d.text) for d in Corpus.open(path, reader=reader)][4:] == [
        ("ROM 16:24", "of ROM 16:24"), ("ROM 16:25", "of ROM 14:24"), ("ROM 16:27", "of ROM 14:26"),
    ]  # fmt: skip
    english = [(14, 1), (15, 1), (16, 1), (16, 27)]
    en = written(tmp_path / "en.tsv", [Reference("ROM", *place) for place in english])
    paired = PairedCorpus.open({"en": en, "ru": path}, reader={"en": "bible", "ru": reader})
    assert paired.keys("ru") == paired.keys("en") == ["ROM 14", "ROM 15", "ROM 16"]


def test_books_keep_the_order_of_the_file(tmp_path: Path) -> None:
    books = ("MAT", "GEN", "PSA")
    verses = [Reference(book, 1, n) for book, n in itertools.product(books, (2, 1, 3))]
    found = [d.id for d in Corpus.open(written(tmp_path / "a.tsv", verses), reader="bible")]
    assert found == [f"{book} 1:{n}" for book, n in itertools.product(books, (1, 2, 3))]


def test_a_chapter_in_two_files_is_refused_with_a_hint_for_bibles(tmp_path: Path) -> None:
    files = [written(tmp_path / f"{n}.tsv", [Reference("GEN", 1, n)]) for n in (1, 2)]
    en = written(tmp_path / "en.tsv", [Reference("GEN", 1, 1)])
    with pytest.raises(InputError, match=r"both have 'GEN 1', .*must stand in one file"):
        PairedCorpus.open({"en": en, "sv": files}).keys("en")
