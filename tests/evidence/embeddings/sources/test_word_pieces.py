"""Word pieces: words that are unknown or written letter by letter have no vector."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import TealeavesWarning
from tealeaves.evidence.embeddings.catalogue import NAMED_EMBEDDINGS
from tealeaves.evidence.embeddings.embeddings import Embeddings
from tealeaves.evidence.embeddings.sources.packages import WordLlama, minilm_file
from tealeaves.evidence.embeddings.sources.word_pieces import (
    Pieces,
    PieceTable,
    StaticEmbedder,
    is_known,
    known_terms,
    piece_splitter,
    pieces_of,
)

Judge = Callable[[str], list[str]]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (["milk"], True),
        (["x"], True),
        (["m", "ilk"], True),
        (["g", "m"], False),
        (["p", "y", "gm", "y"], True),  # 3 letters of 5 stand alone
        (["р", "о", "с", "с", "ии"], False),  # 4 of 6, which is two thirds
        (["с", "л", "ов", "а", "м", "и"], False),  # 5 of 7
        (["3", "d"], True),
        (["1", "9", "9", "0", "s"], True),
        (["2", "0", "2", "0"], True),
        (["h", "1", "n", "1"], True),  # the letters stand alone in the word itself
        (["r", "&", "b"], True),
        (["u", ".", "s", "."], True),
        (["n", "'", "t"], True),
        (["w", "i", "-", "fi"], True),  # 2 of 4
        (["x", "y", "-", "z"], False),  # 2 of 3
        (["c", "++"], True),
        (["milk", None], False),
        ([None], False),
        ([], False),
        (["+"], True),
    ],
)
def test_pieces_that_were_judged_by_hand(pieces: list[str | None], expected: bool) -> None:
    assert is_known(pieces, characters=False) is expected
    assert is_known(pieces, characters=True) is expected


@pytest.mark.parametrize("word", ["中国", "さくら", "カナ", "대한", "ไทย", "ລາວ"])
def test_characters_stand_alone_in_scripts_without_spaces(word: str) -> None:
    assert is_known(list(word), characters=True)
    assert not is_known(list(word), characters=False)
    assert not is_known([*word, None], characters=True)


@given(st.lists(st.text(alphabet="abé1.-", min_size=1, max_size=4), min_size=1, max_size=6))
def test_a_known_word_stays_known_if_two_pieces_are_joined(pieces: list[str]) -> None:
    if is_known(pieces, characters=False):
        for cut in range(1, len(pieces)):
            joined = [*pieces[: cut - 1], pieces[cut - 1] + pieces[cut], *pieces[cut + 1 :]]
            assert is_known(joined, characters=False)


def test_a_term_needs_all_of_its_words() -> None:
    def split(words: list[str]) -> list[Pieces]:
        assert len(words) == len(set(words))
        return [[None] if word == "xyz" else [word] for word in words]

    terms = ["new york", "new xyz", "xyz", "", "new", "york new", "half\ud800"]
    vectors = known_terms(terms, split, characters=False)
    assert vectors.tolist() == [True, False, False, False, True, True, False]
    assert known_terms([], split, characters=False).tolist() == []


def _judge(tokenizer: Any) -> Judge:
    tokenizer.no_padding()
    tokenizer.no_truncation()
    split = piece_splitter(tokenizer)

    def lost(words: str) -> list[str]:
        each = words.split()
        fine = known_terms(each, split, characters=False)
        return [word for word, is_fine in zip(each, fine, strict=True) if not is_fine]

    return lost


@pytest.fixture(scope="module")
def by_minilm() -> Judge:
    from tokenizers import Tokenizer

    return _judge(Tokenizer.from_file(str(minilm_file("tokenizer.json"))))


@pytest.fixture(scope="module")
def by_wordllama() -> Judge:
    return _judge(WordLlama().load().tokenizer)


ENGLISH = (
    "milk window encryption pygmy rhythm oxfam naïve café don't e-mail u.s. a.m. nasa pc ibm usb x "
    "3d x86 1990s 2020 h1n1 c++ tcp/ip scsi ftp gif jpeg motif xterm vga isa armenian"
)


FINNISH = "tietokone kansaneläkelaitos jalkapallo yliopisto äiti järjestelmä epäjärjestelmällisyys"


def test_english_words_and_finnish_compounds_are_supported(
    by_minilm: Judge, by_wordllama: Judge
) -> None:
    assert by_minilm(f"{ENGLISH} {FINNISH}") == []
    assert by_wordllama(f"{ENGLISH} {FINNISH}") == []


def test_minilm_has_no_russian_and_no_chinese(by_minilm: Judge) -> None:
    words = (
        "привет молоко россии человек декабря всё кот 中国 日本 안녕 ขอบคุณ ሰላም 🙂 [SEP] κυβέρνηση"
    )
    assert by_minilm(words) == words.split()


def test_wordllama_has_russian_but_neither_bytes_nor_letters(by_wordllama: Judge) -> None:
    assert by_wordllama("привет молоко государство человек декабря") == []
    words = "bmw mhz 中国 안녕 ขอบคุณ ሰላም 🙂 <unk> <s>"
    assert by_wordllama(words) == words.split()


def test_parts_of_characters_are_unknown() -> None:
    """A tokenizer of bytes cuts a character in parts, which all lie in the same place."""

    class Encoding:
        ids = (5, 6, 7, 8)
        tokens = ("Ġm", "ilk", "Ä", "ĥ")
        offsets = ((0, 1), (1, 4), (4, 5), (4, 5))

    assert list(pieces_of(Encoding, "milk中", frozenset({0}))) == ["m", "ilk", "中", None]
    assert list(pieces_of(Encoding, "milk中", frozenset({6})))[:2] == ["m", None]


def test_there_is_one_warning_if_many_words_are_unknown() -> None:
    embeddings = Embeddings(NAMED_EMBEDDINGS["minilm_static"].embedder(), cache=False)
    russian = ["привет", "молоко", "кот", "дом", "мир"]
    with pytest.warns(TealeavesWarning, match=r"no vector for 5 of 7 words.*English") as caught:
        vectors = embeddings.vectors([*russian, "milk", "window"])
    assert len(caught) == 1
    assert vectors.unknown == tuple(russian)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        embeddings.vectors(["привет", "milk", "window", "tree", "house"])


@pytest.mark.reference
def test_all_topic_words_of_twenty_newsgroups_are_known(
    by_minilm: Judge, by_wordllama: Judge, reference_data: Any
) -> None:
    import gzip

    words: set[str] = set()
    with gzip.open(reference_data / "khodorchenko2022" / "topics.jsonl.gz", "rt") as file:
        for line in file:
            words.update(json.loads(line)["words"])
    assert len(words) > 1500
    for judge in (by_minilm, by_wordllama):
        assert judge(" ".join(words)) == []


# ---------------------------------------------------------------------- static vectors


class Toy(StaticEmbedder):
    """Pieces m, ilk, tea and two rows that are easy to average."""

    @property
    def fingerprint(self) -> str:
        return "toy"

    def load(self) -> PieceTable:
        from tokenizers import Tokenizer
        from tokenizers.models import WordPiece
        from tokenizers.pre_tokenizers import Whitespace

        vocabulary = {"[UNK]": 0, "m": 1, "##ilk": 2, "tea": 3}
        tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
        tokenizer.pre_tokenizer = Whitespace()
        return PieceTable(tokenizer, np.array([[9, 9], [1, 2], [3, 6], [5, -2]], dtype=np.float16))


def test_a_word_is_the_mean_of_its_pieces() -> None:
    vectors = Toy().embed(["milk", "tea", "milk_tea", "juice", "milk juice", ""])
    # milk = (m + ##ilk) / 2 = ((1, 2) + (3, 6)) / 2; milk tea = ((1, 2) + (3, 6) + (5, -2)) / 3
    np.testing.assert_array_equal(vectors[:3], [[2, 4], [5, -2], [3, 2]])
    assert np.isnan(vectors[3:]).all()
