"""Files of word vectors: text and binary, of word2vec, GloVe and fastText."""

from __future__ import annotations

import bz2
import gzip
import io
import pickle
import re
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import tealeaves
from tealeaves.arrays import Vectors
from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.embeddings import Embedder, Embeddings
from tealeaves.evidence.embeddings.sources.vector_files import (
    FileScan,
    TextFile,
    VectorFileHeader,
    Word2VecBinary,
    open_file,
)

VectorTable = Mapping[str, Sequence[float]]


TOY = {"cat": [1.0, 0.5], "dog": [-0.25, 2.0], "New_York": [0.125, -1.0], "ёж": [3.0, 4.0]}


def glove(table: VectorTable) -> bytes:
    rows = (f"{word} {' '.join(map(str, row))}\n" for word, row in table.items())
    return "".join(rows).encode()


def word2vec(table: VectorTable) -> bytes:
    return _header(table) + glove(table)


def fasttext_vec(table: VectorTable) -> bytes:
    return word2vec(table).replace(b"\n", b" \n").replace(b" \n", b"\n", 1)


def binary(table: VectorTable, *, between: bytes = b"") -> bytes:
    rows = (
        word.encode() + b" " + np.array(row, "<f4").tobytes() + between
        for word, row in table.items()
    )
    return _header(table) + b"".join(rows)


def binary_of_c(table: VectorTable) -> bytes:
    return binary(table, between=b"\n")


def _header(table: VectorTable) -> bytes:
    return f"{len(table)} {len(next(iter(table.values())))}\n".encode()


FORMATS = (glove, word2vec, fasttext_vec, binary, binary_of_c)


def open_content(folder: Path, content: bytes, name: str = "toy.vectors") -> Embedder:
    path = folder / name
    path.write_bytes(content)
    return open_file(path, name=name)


def rows(folder: Path, content: bytes, *words: str) -> NDArray[np.floating]:
    return open_content(folder, content).embed(words)


def missing(row: NDArray[np.floating]) -> bool:
    return bool(np.isnan(row).all())


@pytest.mark.parametrize("write", FORMATS)
def test_every_format_gives_its_vectors_whatever_the_file_is_called(
    tmp_path: Path, write: Callable[[VectorTable], bytes]
) -> None:
    vectors = rows(tmp_path, write(TOY), "ёж", "cat", "xyz", "dog", "Cat", "new york")
    assert vectors.dtype == np.float32
    assert vectors[[0, 1, 3, 4]].tolist() == [[3, 4], [1, 0.5], [-0.25, 2], [1, 0.5]]
    assert missing(vectors[2])
    assert missing(vectors[5])  # the file has it in capitals alone


@pytest.mark.parametrize("write", FORMATS)
@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".zst"])
def test_files_may_be_compressed(
    tmp_path: Path, write: Callable[[VectorTable], bytes], suffix: str
) -> None:
    if suffix == ".zst":
        squeeze = pytest.importorskip("zstandard").ZstdCompressor().compress
    else:
        squeeze = {".gz": gzip.compress, ".bz2": bz2.compress}[suffix]
    for name in ("toy" + suffix, "toy.txt"):
        vectors = open_content(tmp_path, squeeze(write(TOY)), name).embed(["dog"])
        assert vectors.tolist() == [[-0.25, 2.0]]


def test_a_term_of_several_words_is_looked_up_then_made_of_its_words(tmp_path: Path) -> None:
    table = {"new_york": [1, 1], "ice": [2, 4], "cream": [4, 0], "los angeles": [5, 6]}
    words = ["new york", "New_York", "ice_cream", "ice coffee", "los_angeles", "_ice"]
    vectors = rows(tmp_path, glove(table), *words)
    # (2 + 4) / 2 = 3 and (4 + 0) / 2 = 2
    assert vectors[[0, 1, 2, 4, 5]].tolist() == [[1, 1], [1, 1], [3, 2], [5, 6], [2, 4]]
    assert missing(vectors[3])


def test_words_with_spaces_are_found_in_front_of_the_numbers(tmp_path: Path) -> None:
    content = b"at 1 2\nat name@domain.com 3 4\n. . . 5 6\narea 51 7 8\n1984 9 10\n"
    words = ["at", "at name@domain.com", ". . .", "area 51", "1984", "area"]
    vectors = rows(tmp_path, content, *words)
    assert vectors[:5].tolist() == [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]
    assert missing(vectors[5])
    assert missing(rows(tmp_path, content, "area"))
    mixed = b"new_york city 1 2\nnew 3 4\n"
    assert rows(tmp_path, mixed, "new_york city").tolist() == [[1, 2]]


def test_the_word_as_written_wins_over_lower_case_and_the_first_over_the_second(
    tmp_path: Path,
) -> None:
    content = b"us 1 0\nUS 0 1\nus 5 5\nUS 6 6\n"
    for given_content in (content, b"4 2\n" + content):
        assert rows(tmp_path, given_content, "US", "us", "Us").tolist() == [[0, 1], [1, 0], [1, 0]]
    table = binary({"us": [1, 0], "UX": [0, 1], "uy": [5, 5]}).replace(b"uy", b"us")
    assert rows(tmp_path, table, "us", "UX").tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("write", FORMATS)
def test_words_that_are_not_utf8_are_ignored(
    tmp_path: Path, write: Callable[[VectorTable], bytes]
) -> None:
    content = write({"c?t": [1, 2], "d?g": [3, 4], "cow": [5, 6]}).replace(b"?", b"\xff")
    vectors = rows(tmp_path, content, "cow", "c\udcfft", "d�g")
    assert vectors[0].tolist() == [5, 6]
    assert missing(vectors[1:])


@pytest.mark.parametrize("write", FORMATS)
def test_vectors_without_a_direction_count_as_missing(
    tmp_path: Path, write: Callable[[VectorTable], bytes]
) -> None:
    table: VectorTable = {"a": [1, 2], "b": [np.nan, 1], "c": [np.inf, 1], "d": [0, 0], "B": [3, 4]}
    vectors = rows(tmp_path, write(table), "a", "b", "c", "d", "a_d", "B", "a_B")
    assert vectors[[0, 5, 6]].tolist() == [[1, 2], [3, 4], [2, 3]]
    assert missing(vectors[1:5])


def test_floats_that_look_like_letters_are_floats(tmp_path: Path) -> None:
    row = np.frombuffer(b"\x80abAc\xffdB", "<f4")
    assert rows(tmp_path, binary({"cat": row.tolist()}), "cat")[0].tolist() == row.tolist()


def test_a_number_beyond_single_precision_is_no_vector(tmp_path: Path) -> None:
    assert missing(rows(tmp_path, b"a 1e39 1\nb 1 2\n", "a"))


def test_odd_line_ends_tabs_blank_lines_and_marks_are_read(tmp_path: Path) -> None:
    content = b"\xef\xbb\xbfthe\t1 2\r\n\r\ncat\t3\t4\r\n dog 5 6"
    assert rows(tmp_path, content, "the", "cat", "dog").tolist() == [[1, 2], [3, 4], [5, 6]]
    headed = b"\xef\xbb\xbf3 2\n" + content[3:]
    assert rows(tmp_path, headed, "the", "cat", "dog", "3").tolist()[:3] == [[1, 2], [3, 4], [5, 6]]


ONE = b"cat 1.0 2.0\ndog 1.0 2.0\n"


WRONG = {
    "line 3: 'cow' has 1 numbers, where 2 belong": (ONE + b"cow 1.0\n", "cow"),
    "line 3: 'cow' has 3 numbers, where 2 belong": (ONE + b"cow 1.0 2.0 3.0\n", "cow"),
    "line 3: 'O.5' is no number (in the vector of 'cow')": (ONE + b"cow O.5 1\n", "cow"),
    "line 4: '1_0' is no number": (b"3 2\n" + ONE + b"cow 1 1_0\n", "cow"),
    "line 2: 'cat' has 1 numbers, where 2 belong": (b"2 2\ncat 1.0\ndog 1 2\n", "cat"),
    "cut short: its first line promises 3 words, but 2 follow": (b"3 2\n" + ONE, "xyz"),
    "cut short at word 4 of 4": (binary(TOY)[:-1], "xyz"),
    "cut short at word 3 of 4": (binary(TOY)[:30], "xyz"),
    "damaged at word 2 of 3": (b"3 1\na 1.5\0" + b"x" * 70_000, "xyz"),
}


@pytest.mark.parametrize("message", WRONG)
def test_errors_name_the_file_the_line_and_the_word(tmp_path: Path, message: str) -> None:
    content, word = WRONG[message]
    embedder = open_content(tmp_path, content)
    with pytest.raises(InputError, match=r"^toy\.vectors: .*" + re.escape(message)):
        embedder.embed([word])


def test_only_lines_of_wanted_words_are_checked(tmp_path: Path) -> None:
    assert rows(tmp_path, ONE + b"cow x y\n", "dog").tolist() == [[1, 2]]


def archive(write: Callable[[io.BytesIO], None]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def _tar(stream: io.BytesIO) -> None:
    with tarfile.open(fileobj=stream, mode="w") as vectors:
        vectors.addfile(tarfile.TarInfo("glove.txt"))


def _zip(stream: io.BytesIO) -> None:
    with zipfile.ZipFile(stream, "w") as vectors:
        vectors.writestr("glove.txt", ONE)


NOT_VECTORS = {
    "": ("an empty file", "toy.txt"),
    " \n\n": ("an empty file", "toy.txt"),
    "Once upon a time there was a leaf.\nIt fell.\n": ("but 'Once upon a time", "toy.txt"),
    "In 1984\nIn 1985\n": ("not a file of word vectors", "toy.txt"),
    "cat,1.0,2.0\ndog,1.0,2.0\n": ("not a file of word vectors", "toy.csv"),
    "3 2\n": ("a header, but no vectors", "toy.vec"),
    "0 2\n\n": ("a header, but no vectors", "toy.vec"),
}


@pytest.mark.parametrize("content", NOT_VECTORS)
def test_files_that_are_no_vectors_are_refused(tmp_path: Path, content: str) -> None:
    message, name = NOT_VECTORS[content]
    with pytest.raises(InputError, match=f"^{name}: .*{message}"):
        open_content(tmp_path, content.encode(), name)


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (pickle.dumps(TOY), "toy.kv", "save_word2vec_format"),
        (pickle.dumps(TOY, protocol=0), "toy.pkl", "save_word2vec_format"),
        (gzip.compress(pickle.dumps(TOY)), "toy.gz", "save_word2vec_format"),
        (archive(lambda stream: np.save(stream, np.eye(2))), "toy.npy", "save_word2vec_format"),
        (archive(lambda stream: np.savez(stream, a=np.eye(2))), "toy.npz", "save_word2vec_format"),
        (archive(_zip), "glove.zip", "unpack it"),
        (gzip.compress(archive(_tar)), "navec.tar.gz", "unpack it"),
        (bytes(range(256)) * 20, "toy.bin", "not a file of word vectors"),
        ("cat 1 2\n".encode("utf-16"), "toy.txt", "not a file of word vectors"),
    ],
    # packed bytes hold the time: two workers would not agree on the names of the tests
    ids=lambda value: value if isinstance(value, str) else "bytes",
)
def test_errors_about_other_formats_say_what_to_do(
    tmp_path: Path, content: bytes, name: str, message: str
) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(name)}: .*{message}"):
        open_content(tmp_path, content, name)


def test_a_text_file_may_have_any_suffix(tmp_path: Path) -> None:
    assert open_content(tmp_path, ONE, "toy.kv").embed(["cat"]).tolist() == [[1, 2]]


def test_a_damaged_compressed_file_is_named(tmp_path: Path) -> None:
    content = gzip.compress(glove({f"w{n}": [n, 1.5] for n in range(100_000)}))[:-2000]
    embedder = open_content(tmp_path, content, "toy.txt.gz")
    with pytest.raises(InputError, match=r"toy\.txt\.gz: the \.gz file is cut short"):
        embedder.embed(["xyz"])


def test_the_fingerprint_is_of_the_content_and_known_before_any_word(tmp_path: Path) -> None:
    first = open_content(tmp_path, glove(TOY), "one.txt")
    assert first.fingerprint == open_content(tmp_path, glove(TOY), "other.vec").fingerprint
    assert first.fingerprint != open_content(tmp_path, word2vec(TOY), "other.vec").fingerprint
    (tmp_path / "one.txt").write_bytes(glove(TOY))
    read_otherwise = Word2VecBinary(
        tmp_path / "one.txt", name="one.txt", compression="", header=VectorFileHeader(4, 2)
    )
    assert read_otherwise.fingerprint != first.fingerprint


def test_the_file_is_read_once_for_all_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = {f"w{number}": [number, 1.0] for number in range(3000)}
    embedder = open_content(tmp_path, word2vec(table))
    readings = []
    scan = TextFile.scan

    def counted(self: TextFile, wanted: set[bytes]) -> FileScan:
        readings.append(len(wanted))
        return scan(self, wanted)

    monkeypatch.setattr(TextFile, "scan", counted)
    vectors = Embeddings(embedder, cache=False).vectors(table)
    assert readings == [3000]
    assert np.array_equal(vectors.of(["w7", "w2999"]), [[7, 1], [2999, 1]])


def test_an_entry_may_cross_the_edge_of_a_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = {f"word{number}": [number, -number, 0.5] for number in range(1, 50)}
    for size in range(1, 40):
        monkeypatch.setattr("tealeaves.evidence.embeddings.sources.vector_files._CHUNK_SIZE", size)
        vectors = rows(tmp_path, binary_of_c(table), *table)
        assert vectors.tolist() == list(table.values())


def test_a_vector_does_not_depend_on_the_other_words(tmp_path: Path) -> None:
    words = ["cat", "Dog", "xyz", "New York", "cat_dog"]
    for write in FORMATS:
        embedder = open_content(tmp_path, write(TOY))
        together = embedder.embed(words)
        for word, row in zip(words, together, strict=True):
            alone = embedder.embed([word])[0]
            assert np.array_equal(alone, row) or (missing(alone) and missing(row))


def test_no_words_give_no_rows(tmp_path: Path) -> None:
    assert len(rows(tmp_path, glove(TOY))) == 0


words_of_files = st.text(
    st.characters(min_codepoint=33, exclude_categories=["Cs", "Cc", "Cf", "Z"]),
    min_size=1,
    max_size=8,
)


halves = st.floats(width=16, allow_nan=False, allow_infinity=False)


@given(
    st.integers(2, 5).flatmap(
        lambda size: st.dictionaries(
            words_of_files, st.lists(halves, min_size=size, max_size=size), min_size=1, max_size=6
        )
    )
)
def test_what_is_written_is_read(table: dict[str, list[float]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for write in FORMATS:
            vectors = rows(Path(folder), write(table), *table)
            for word, row in zip(table, vectors, strict=True):
                if any(table[word]):
                    assert row.tolist() == table[word]
                elif word.lower() == word and "_" not in word:
                    assert missing(row)


@pytest.mark.parametrize("is_binary", [False, True])
def test_files_of_gensim_are_read_as_gensim_reads_them(tmp_path: Path, is_binary: bool) -> None:
    models = pytest.importorskip("gensim.models")
    random = np.random.default_rng(4)
    words = [f"word{number}" for number in range(500)] + ["naïve", "кот", "猫", "café_noir"]
    vectors = models.KeyedVectors(vector_size=17)
    vectors.add_vectors(words, random.normal(size=(len(words), 17)).astype(np.float32))
    path = tmp_path / "toy.bin"
    vectors.save_word2vec_format(str(path), binary=is_binary)
    loaded = models.KeyedVectors.load_word2vec_format(str(path), binary=is_binary)
    embedder = open_file(path, name="toy")
    assert isinstance(embedder, Word2VecBinary if is_binary else TextFile)
    assert np.array_equal(embedder.embed(words), loaded[words])


@pytest.mark.parametrize("write", [word2vec, fasttext_vec, binary, binary_of_c])
def test_gensim_reads_our_test_files_with_the_same_result(
    tmp_path: Path, write: Callable[[VectorTable], bytes]
) -> None:
    models = pytest.importorskip("gensim.models")
    path = tmp_path / "toy"
    path.write_bytes(write(TOY))
    binary_too = write in (binary, binary_of_c)
    loaded = models.KeyedVectors.load_word2vec_format(str(path), binary=binary_too)
    assert np.array_equal(open_file(path, name="toy").embed(list(TOY)), loaded[list(TOY)])


# ---------------------------------------------------------------------- threads


WORDS = [f"word{number}" for number in range(600)]


@pytest.fixture
def impatient() -> Iterator[None]:
    """Let threads take turns very often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def write_vectors(path: Path, factor: float = 1.0) -> Path:
    """Write a file in which the vector of word 7 is 8 and 1, each times the factor."""
    rows = (f"{word} {factor * (n + 1)} {factor}\n" for n, word in enumerate(WORDS))
    path.write_text("".join(rows))
    return path


@pytest.mark.usefixtures("impatient")
def test_threads_that_share_a_file_lose_no_words(tmp_path: Path) -> None:
    embedder = open_file(write_vectors(tmp_path / "toy.txt"), name="toy")
    parts = [list(range(start, 600, 12)) for start in range(12)]
    begin = Barrier(6)

    def ask(part: Sequence[int]) -> Vectors:
        if part[0] < 6:
            begin.wait(10)
        return embedder.embed([WORDS[number] for number in part])

    with ThreadPoolExecutor(6) as pool:
        vectors = list(pool.map(ask, parts))
    for part, rows in zip(parts, vectors, strict=True):
        np.testing.assert_array_equal(rows, [[number + 1, 1] for number in part])


@pytest.mark.usefixtures("impatient")
def test_threads_score_with_one_file(tmp_path: Path) -> None:
    path = write_vectors(tmp_path / "toy.txt")
    models = [[WORDS[n : n + 10], WORDS[n + 10 : n + 20]] for n in range(0, 120, 20)]

    def value(model: list[list[str]]) -> tuple[float, float]:
        (row,) = tealeaves.score(model, None, "isim@5", embeddings=str(path)).models
        return row.value, row.support

    with ThreadPoolExecutor(6) as pool:
        vectors = list(pool.map(value, models))
    table = {word: [number + 1.0, 1.0] for number, word in enumerate(WORDS)}
    alone = [tealeaves.score(model, None, "isim@5", embeddings=table).models for model in models]
    expected = [(row.value, row.support) for (row,) in alone]
    np.testing.assert_allclose(vectors, expected, rtol=1e-6)
