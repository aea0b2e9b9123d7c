"""Embeddings: each word is embedded once; names, warnings, copies and threads."""

from __future__ import annotations

import copy
import pickle
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves.arrays import Vectors
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.evidence.embeddings.catalogue import NAMED_EMBEDDINGS
from tealeaves.evidence.embeddings.embeddings import Embedder, Embeddings

from .embedders import LengthsAndVowels


@pytest.fixture(autouse=True)
def cache_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path))
    return tmp_path / "embeddings"


ENGLISH = ["milk", "window", "house", "tree"]


COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "deepcopy": copy.deepcopy,
}


class Lengths(Embedder):
    """How long words are."""

    name = "lengths"

    def __init__(self, fingerprint: str = "abc") -> None:
        self._fingerprint = fingerprint
        self.embedded: list[str] = []

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    def embed(self, words: Sequence[str]) -> Vectors:
        self.embedded += words
        return np.array([[len(word), 1.0] for word in words])


def test_words_are_embedded_once_and_in_batches() -> None:
    embedder = LengthsAndVowels()
    embeddings = Embeddings(embedder)
    vectors = embeddings.vectors(["tea", "leaf", "tea", "cup", "pot"])
    assert embedder.embedded == [["tea", "leaf", "cup"], ["pot"]]
    np.testing.assert_array_equal(vectors.of(["pot", "tea"]), [[3, 2], [3, 3]])
    embeddings.vectors(["pot", "milk"])
    assert embedder.embedded[2:] == [["milk"]]


def test_a_later_run_finds_them_on_disk() -> None:
    first = Embeddings(LengthsAndVowels()).vectors(["tea", "leaf", "cup", "qq"])
    embedder = LengthsAndVowels()
    again = Embeddings(embedder).vectors(["cup", "qq", "tea"])
    assert embedder.embedded == []
    np.testing.assert_array_equal(again.of(["tea", "cup"]), first.of(["tea", "cup"]))
    assert again.unknown == ("qq",)  # that there is no vector is kept too
    assert again.signature(["tea"]) == first.signature(["tea"]) == "counting:abc"


def test_no_cache_file_without_a_fingerprint_or_with_cache_off(cache_path: Path) -> None:
    Embeddings(LengthsAndVowels(), cache=False).vectors(["tea"])
    Embeddings(LengthsAndVowels("")).vectors(["tea"])
    assert not cache_path.exists()


def test_ragged_vectors_are_an_error() -> None:
    class Ragged(LengthsAndVowels):
        def embed(self, words: Sequence[str]) -> Vectors:
            return np.ones((len(words), len(words)), dtype=np.float32)

    with pytest.raises(InputError, match="counting: vectors of 1 and of 3 numbers"):
        Embeddings(Ragged("")).vectors(["a", "b", "c", "d"])


@pytest.mark.parametrize("shape", [(2,), (3, 4), (2, 2, 2), ()])
def test_there_must_be_one_row_per_word(shape: tuple[int, ...]) -> None:
    class Wrong(LengthsAndVowels):
        def embed(self, words: Sequence[str]) -> Vectors:
            return np.ones(shape, dtype=np.float32)

    with pytest.raises(InputError, match="counting: 2 words gave an array"):
        Embeddings(Wrong("")).vectors(["a", "b"])


def test_rows_without_a_direction_are_no_vectors() -> None:
    class Odd(LengthsAndVowels):
        def embed(self, words: Sequence[str]) -> Vectors:
            self.embedded.append(list(words))
            return np.array([[0, 0], [np.inf, 1], [1, 0]], dtype=np.float32)

    assert Embeddings(Odd()).vectors(["a", "b", "c"]).unknown == ("a", "b")
    later = Odd()
    assert Embeddings(later).vectors(["a", "b", "c"]).unknown == ("a", "b")
    assert later.embedded == []  # from disk


def test_many_unknown_words_are_a_warning() -> None:
    embedder = LengthsAndVowels()
    embedder.languages = "Elvish"
    embeddings = Embeddings(embedder)
    with pytest.warns(
        TealeavesWarning, match=r"counting has no vector for 2 of 5 words \(q1, q2\);.*Elvish"
    ) as caught:
        embeddings.vectors(["q1", "q2", "tea", "leaf", "cup"])
    assert caught[0].filename == __file__
    with pytest.warns(TealeavesWarning, match=r"6 of 6 words \(q0, q1, q2, q3, q4 …\)"):
        embeddings.vectors([f"q{number}" for number in range(6)])
    embeddings.vectors(["q1", "tea", "leaf", "cup", "pot", "q2"])  # a third is not many
    embeddings.vectors(["q1", "q2", "q3", "tea"])  # of four, no share is taken


def test_further_words_are_not_counted_for_the_warning() -> None:
    vectors = Embeddings(LengthsAndVowels()).vectors(
        ["tea", "leaf", "cup"], further=["q1", "q2", "tea"]
    )
    assert vectors.unknown == ("q1", "q2")


def test_the_warning_points_at_the_line_that_asked_for_scores() -> None:
    topics = [["tea", "leaf", "q1", "q2"], ["cup", "pot", "q3", "q4"]]
    with pytest.warns(TealeavesWarning, match="no vector for 4 of 8") as caught:
        tealeaves.score(topics, None, "isim@4", embeddings=Embeddings(LengthsAndVowels()))
    assert {warning.filename for warning in caught} == {__file__}


def test_vectors_without_a_fingerprint_are_named_by_themselves() -> None:
    words = ["tea", "leaf"]
    one = Embeddings(LengthsAndVowels("")).vectors(words).signature(words)
    same = Embeddings(LengthsAndVowels("")).vectors(["cup", "leaf", "tea"]).signature(words)
    less = Embeddings(LengthsAndVowels("")).vectors(words).signature(["tea"])
    assert one == same
    assert len({one, less, "counting:"}) == 3

    class Other(LengthsAndVowels):
        def embed(self, words: Sequence[str]) -> Vectors:
            return super().embed(words) * np.float32(1.0001)

    assert Embeddings(Other("")).vectors(words).signature(words) != one


def test_no_words_give_an_empty_matrix() -> None:
    embedder = LengthsAndVowels()
    vectors = Embeddings(embedder).vectors([])
    assert embedder.embedded == []
    assert vectors.unknown == ()
    assert len(vectors.matrix) == 0


@pytest.mark.parametrize(
    "words", ["cat", b"cat", [1], [None, "cat"], [b"cat"], [("cat", "dog")], [["cat", "dog"]]]
)
def test_anything_but_a_list_of_words_is_refused(words: Any) -> None:
    for ask in ({"words": words}, {"words": [], "further": words}):
        with pytest.raises(InputError, match=r"^vectors are for .*, not for a "):
            Embeddings(LengthsAndVowels()).vectors(**ask)


@pytest.mark.parametrize("package", ["polars", "pandas"])
def test_a_data_frame_is_refused_but_a_column_is_accepted(package: str) -> None:
    frames = pytest.importorskip(package)
    frame = frames.DataFrame({"word": ["tea", "leaf"]})
    with pytest.raises(InputError, match="a list of words, not for a DataFrame"):
        Embeddings(LengthsAndVowels()).vectors(frame)
    assert not Embeddings(LengthsAndVowels()).vectors(frame["word"]).unknown


# ---------------------------------------------------------------------- names


def test_a_name_leaves_the_embedder_as_it_was() -> None:
    embedder = Lengths()
    one, other = Embeddings.of(embedder, name="one"), Embeddings.of(embedder)
    assert (one.name, other.name, embedder.name) == ("one", "lengths", "lengths")
    assert one.vectors(["tea"]).name == "one"
    assert one.vectors(["tea"]).signature(["tea"]) == "one:abc"


def test_embeddings_can_be_renamed(cache_path: Path) -> None:
    embedder = Lengths("")
    one = Embeddings.of(embedder)
    one.vectors(["tea"])
    two = Embeddings.of(one, name="two")
    assert (one.name, two.name, two.vectors(["tea"]).name) == ("lengths", "two", "two")
    assert embedder.embedded == ["tea"]  # what one knows, the other does
    assert Embeddings.of(one) is one
    assert Embeddings.of(two, name="two") is two
    both = tealeaves.score([["tea", "cup"], ["a", "pot"]], None, "isim@2", embeddings=[one, two])
    assert len(list(both.models)) == 2
    assert not cache_path.exists()


def test_renamed_embeddings_without_a_cache_have_none(cache_path: Path) -> None:
    kept = Embeddings(Lengths())
    Embeddings.of(kept, cache=False).vectors(["tea"])
    Embeddings.of(Embeddings(Lengths(), cache=False), name="two").vectors(["tea"])
    assert not cache_path.exists()


def test_another_name_does_not_embed_again(tmp_path: Path, cache_path: Path) -> None:
    Embeddings.of(Lengths()).vectors(["tea"])
    again = Lengths()
    Embeddings.of(again, name="two").vectors(["tea"])
    assert again.embedded == []
    path = tmp_path / "toy.vec"
    path.write_text("cat 1.0 0.0\ndog 0.6 0.8\n")
    for name in ("", "animals"):
        Embeddings.of(path, name=name).vectors(["cat"])
    assert len(list(cache_path.glob("*.sqlite"))) == 2


# ---------------------------------------------------------------------- copies


@pytest.mark.parametrize("name", NAMED_EMBEDDINGS)
def test_a_copy_has_no_loaded_model_and_gives_the_same_vectors(name: str) -> None:
    words = ["молоко", "окно", "дом", "дерево"] if name == "navec" else ENGLISH
    one = Embeddings(NAMED_EMBEDDINGS[name].embedder(), cache=False)
    before = one.vectors(words[:3])
    for copied in COPIES.values():
        other = copied(one)
        assert len(pickle.dumps(one)) < 20_000
        assert other.name == name
        assert other.embedder.codes == one.embedder.codes
        vectors = other.vectors(words)
        np.testing.assert_array_equal(vectors.of(words[:3]), before.of(words[:3]))
        assert vectors.signature(words) == before.signature(words[:3])
        np.testing.assert_allclose(
            other.embedder.embed(words[:1])[0], before.of(words[:1])[0], atol=1e-6
        )


@pytest.mark.parametrize("way", COPIES)
def test_a_copy_of_a_file_reads_it_unless_it_has_changed(way: str, tmp_path: Path) -> None:
    path = tmp_path / "toy.vec"
    path.write_text("cat 1.0 0.0\ndog 0.6 0.8\n")
    one = Embeddings.of(path)
    one.vectors(["cat"])
    assert COPIES[way](one).vectors(["dog", "cat"]).of(["cat"]).tolist() == [[1, 0]]
    other = COPIES[way](one)
    path.write_text("cat 1.0 0.0\ndog 0.6 0.8\ncow 1.0 1.0\n")
    with pytest.raises(InputError, match="open it again"):
        other.vectors(["cow"])


@pytest.mark.parametrize("way", COPIES)
def test_a_scorer_with_embeddings_can_be_copied(way: str) -> None:
    from sklearn.decomposition import LatentDirichletAllocation
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.pipeline import make_pipeline

    texts = [document.text for document in tealeaves.demo.corpus("en")]
    model = make_pipeline(
        CountVectorizer(stop_words="english"),
        LatentDirichletAllocation(3, max_iter=2, random_state=0),
    ).fit(texts)
    embeddings = Embeddings(NAMED_EMBEDDINGS["minilm_static"].embedder(), cache=False)
    scorer = tealeaves.make_scorer("isim@5", texts, embeddings=embeddings)
    first = scorer(model, texts)
    assert np.isfinite(first)
    assert COPIES[way](scorer)(model, texts) == first


# ---------------------------------------------------------------------- threads


def test_threads_that_ask_the_same_words_embed_them_once() -> None:
    class Slow(Embedder):
        name, fingerprint = "slow", "abc"
        embedded = 0

        def embed(self, words: Sequence[str]) -> Vectors:
            self.embedded += len(words)
            time.sleep(0.05)
            return np.ones((len(words), 2), dtype=np.float32)

    slow = Slow()
    embeddings = Embeddings(slow)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(embeddings.vectors, [["cat", "dog"]] * 4))
    assert slow.embedded == 2
