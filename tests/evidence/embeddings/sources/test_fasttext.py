"""Binary models of fastText: words, unseen words, and damaged files."""

from __future__ import annotations

import gzip
import re
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.embeddings import Embedder
from tealeaves.evidence.embeddings.sources.fasttext import (
    FastTextBinary,
    ngram_buckets,
    ngram_hash,
    ngrams,
)
from tealeaves.evidence.embeddings.sources.vector_files import open_file

SENTENCES = [
    ["the", "naïve", "cat", "and", "the", "dog", "sleep"],
    ["кошка", "и", "собака", "спят", "в", "доме"],
    ["new_york", "is", "a", "City", "of", "猫", "and", "犬"],
] * 3


UNSEEN = ["cats", "Собаки", "naïveté", "犬猫", "x", "дом", "zzz", "ab"]


def model_bytes(
    words: Sequence[str],
    matrix: NDArray[np.floating],
    *,
    version: int = 12,
    kind: int = 2,
    buckets: int = 0,
    sizes: tuple[int, int] = (3, 6),
    labels: Sequence[str] = (),
    pruned: int = -1,
    quantised: bool = False,
) -> bytes:
    """Write a model as fastText does: its header, dictionary and matrix, field by field."""
    dimensions = matrix.shape[1]
    header = struct.pack(
        "<14id", 793712314, version, dimensions, 5, 5, 1, 5, 1, 2, kind, buckets, *sizes, 100, 1e-4
    )
    entries = [(word, 0) for word in words] + [(label, 1) for label in labels]
    dictionary = struct.pack("<3i2q", len(entries), len(words), len(labels), 99, pruned)
    for word, kind_of_entry in entries:
        dictionary += word.encode() + b"\0" + struct.pack("<qb", 7, kind_of_entry)
    dictionary += b"\0" * 8 * max(pruned, 0)
    flag = struct.pack("<?2q", quantised, *matrix.shape)
    return header + dictionary + flag + matrix.astype("<f4").tobytes()


def open_content(folder: Path, content: bytes, name: str = "toy.bin") -> Embedder:
    path = folder / name
    path.write_bytes(content)
    return open_file(path, name=name)


def test_a_word_is_the_mean_of_itself_and_its_ngrams_and_an_unseen_one_of_its_ngrams(
    tmp_path: Path,
) -> None:
    # <it> has the n-grams of three <it, it> and of four <it>; their buckets, of 5, by FNV-1a:
    places = [ngram_hash(ngram) % 5 for ngram in (b"<it", b"<it>", b"it>")]
    matrix = np.arange(14.0).reshape(7, 2) ** 2  # rows 0 and 1 are words, the others buckets
    embedder = open_content(tmp_path, model_bytes(["it", "of"], matrix, buckets=5, sizes=(3, 4)))
    vectors = embedder.embed(["it", "at"])
    assert vectors[0] == pytest.approx(matrix[[0, *(2 + place for place in places)]].mean(axis=0))
    places = [ngram_hash(ngram) % 5 for ngram in (b"<at", b"<at>", b"at>")]
    assert vectors[1] == pytest.approx(matrix[[2 + place for place in places]].mean(axis=0))


def test_ngrams_are_of_characters_and_a_mark_alone_is_none() -> None:
    vectors = [ngram.decode() for ngram in ngrams("ёж".encode(), smallest=1, largest=2)]
    assert vectors == ["<ё", "ё", "ёж", "ж", "ж>"]
    assert list(ngrams(b"a", smallest=3, largest=6)) == [b"<a>"]
    assert list(ngrams(b"a", smallest=4, largest=6)) == []
    assert list(ngrams(b"abc", smallest=0, largest=0)) == []


def test_bytes_beyond_ascii_are_hashed_as_signed_numbers() -> None:
    # 0xC3 as a signed byte is -61, so 32 bits of it are 0xFFFFFFC3
    first = (2166136261 ^ 0xFFFFFFC3) * 16777619 % 2**32
    assert ngram_hash(b"\xc3") == first
    assert ngram_hash(b"\xc3a") == (first ^ ord("a")) * 16777619 % 2**32
    assert ngram_hash(b"a") == 0xE40C292C  # the published FNV-1a of "a"


@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    st.integers(1, 4),
    st.integers(0, 3),
)
def test_ngrams_are_those_of_gensim(word: str, smallest: int, more: int) -> None:
    gensim = pytest.importorskip("gensim.models.fasttext")
    expected = gensim.ft_ngram_hashes(word, smallest, smallest + more, 1000)
    vectors = ngram_buckets(word.encode(), smallest=smallest, largest=smallest + more, buckets=1000)
    assert word == "</s>" or vectors == list(expected)


@pytest.fixture(scope="module", params=[(3, 6, 200), (1, 3, 50), (2, 2, 1)])
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A tiny model of gensim, as gensim loads it back, and its file."""
    fasttext = pytest.importorskip("gensim.models.fasttext")
    smallest, largest, buckets = request.param
    vectors = fasttext.FastText(
        SENTENCES, vector_size=7, min_count=1, min_n=smallest, max_n=largest, bucket=buckets,
        epochs=1, workers=1, seed=3,
    )  # fmt: skip
    path = tmp_path_factory.mktemp("fasttext") / "toy.bin"
    fasttext.save_facebook_model(vectors, str(path))
    return fasttext.load_facebook_vectors(str(path)), path


def test_vectors_are_those_of_gensim(trained: Any) -> None:
    vectors, path = trained
    embedder = open_file(path, name="toy")
    assert isinstance(embedder, FastTextBinary)
    words = [*vectors.key_to_index, *UNSEEN]
    expected = np.array([vectors[word] for word in words])
    assert np.abs(embedder.embed(words) - expected).max() < 1e-6
    assert np.abs(expected).max() > 0.01  # or the line above would say nothing


def test_a_word_of_the_model_in_lower_case_goes_before_the_ngrams(trained: Any) -> None:
    vectors, path = trained
    rows = open_file(path, name="toy").embed(["CAT", "New_York", "cat_zzz", "city"])
    expected = [
        vectors["cat"],
        vectors["new_york"],
        (vectors["cat"] + vectors["zzz"]) / 2,
        vectors["city"],  # the model has only City: this is made of n-grams
    ]
    assert np.abs(rows - np.array(expected)).max() < 1e-6
    assert not np.array_equal(rows[3], vectors["City"])


def test_without_ngrams_unseen_words_have_no_vector(tmp_path: Path) -> None:
    plain = np.array([[1.0, 2.0], [3.0, 4.0]])
    words = ["cat", "dog"]
    for content in (
        model_bytes(words, plain, sizes=(0, 0), buckets=2),
        model_bytes(words, plain, buckets=0),
        model_bytes(words, plain, buckets=2, pruned=0),
    ):
        vectors = open_content(tmp_path, content).embed(["dog", "cats"])
        assert vectors[0].tolist() == [3.0, 4.0]
        assert np.isnan(vectors[1]).all()


def test_old_classifiers_have_no_ngrams(tmp_path: Path) -> None:
    matrix = np.arange(6.0).reshape(3, 2)
    vectors = open_content(
        tmp_path, model_bytes(["cat"], matrix, version=11, kind=3, buckets=2)
    ).embed(["cat"])
    assert vectors.tolist() == [[0.0, 1.0]]
    newer = open_content(
        tmp_path, model_bytes(["cat"], matrix, version=12, kind=3, buckets=2)
    ).embed(["cat"])
    assert newer.tolist() != vectors.tolist()


def test_the_end_of_a_sentence_has_no_ngrams(tmp_path: Path) -> None:
    matrix = np.array([[1.0, 2.0], [9.0, 9.0]])
    embedder = open_content(tmp_path, model_bytes(["</s>"], matrix, buckets=1))
    assert embedder.embed(["</s>", "cat"]).tolist() == [[1.0, 2.0], [9.0, 9.0]]


def test_labels_are_no_words(tmp_path: Path) -> None:
    matrix = np.array([[1.0, 2.0], [9.0, 9.0]])
    content = model_bytes(["cat"], matrix, kind=3, sizes=(0, 0), buckets=1, labels=["animal"])
    vectors = open_content(tmp_path, content).embed(["cat", "animal"])
    assert vectors[0].tolist() == [1.0, 2.0]
    assert np.isnan(vectors[1]).all()


def test_half_a_character_has_no_vector(tmp_path: Path) -> None:
    content = model_bytes(["cat"], np.ones((2, 2)), buckets=1, sizes=(1, 3))
    assert np.isnan(open_content(tmp_path, content).embed(["\ud800"])).all()


WHOLE = model_bytes(["cat", "dog"], np.ones((12, 3)), buckets=10)


WRONG = {
    "it ends within its header": WHOLE[:40],
    "it ends at word 1 of its dictionary": WHOLE[:94],
    "it ends at word 2 of its dictionary": WHOLE[:110],
    "its matrix has another size": WHOLE[:125],
    "it ends within its vectors": WHOLE[:-1],
    "another size than its header says": model_bytes(["cat", "dog"], np.ones((11, 3)), buckets=10),
    "impossible numbers": model_bytes([], np.ones((10, 3)), buckets=10),
    "in version 10": model_bytes(["cat"], np.ones((1, 3)), version=10),
    "a quantised model": model_bytes(["cat"], np.ones((1, 3)), quantised=True),
    "a quantised model of fastText": model_bytes(["cat"], np.ones((1, 3)), pruned=1),
}


@pytest.mark.parametrize("message", WRONG)
def test_damaged_and_other_models_are_errors(tmp_path: Path, message: str) -> None:
    embedder = open_content(tmp_path, WRONG[message])
    with pytest.raises(InputError, match=r"^toy\.bin: " + f".*{re.escape(message)}"):
        embedder.embed(["xyz"])


def test_quantised_and_compressed_models_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^toy\.ftz: a quantised model of fastText"):
        open_content(tmp_path, WHOLE, "toy.ftz")
    with pytest.raises(InputError, match=r"^toy\.bin\.gz: .*decompress it first"):
        open_content(tmp_path, gzip.compress(WHOLE), "toy.bin.gz")


def test_the_fingerprint_names_the_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = open_content(tmp_path, WHOLE).fingerprint
    monkeypatch.setattr(FastTextBinary, "layout", "fasttext read otherwise")
    assert open_content(tmp_path, WHOLE).fingerprint != before


@pytest.mark.parametrize(
    ("stem", "count", "digits"),
    [
        ("toy-model", 22, 5e-6),
        ("crime-and-punishment", 291, 5e-6),
        ("pang_lee_polarity_fasttext", 1689, 5e-7),
    ],
)
def test_models_of_fasttext_itself_agree_with_its_own_text_files(
    stem: str, count: int, digits: float
) -> None:
    """English, Russian, and a classifier with labels and words that are not UTF-8."""
    utils = pytest.importorskip("gensim.test.utils")
    text, binary = (Path(utils.datapath(stem + suffix)) for suffix in (".vec", ".bin"))
    if not text.exists() or not binary.exists():
        pytest.skip("gensim is installed without its test data")
    lines = text.read_bytes().decode("utf-8", "replace").split("\n")[1:]
    words = [line.split(" ")[0] for line in lines if line and "\ufffd" not in line]
    assert len(words) == count
    expected, vectors = (open_file(path, name=stem).embed(words) for path in (text, binary))
    assert np.abs(vectors - expected).max() < digits  # what rounding leaves in the text
