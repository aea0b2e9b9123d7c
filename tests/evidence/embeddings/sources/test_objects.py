"""Embedders of objects in memory: mappings, functions, and anything with ``encode``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import tealeaves
from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.embeddings import Embeddings
from tealeaves.evidence.embeddings.sources.objects import embedder_of_object

TOY = {"cat": [1.0, 0.0], "dog": [0.6, 0.8], "ice": [2.0, 4.0], "cream": [4.0, 0.0]}


def rows(source: Any, *words: str) -> NDArray[np.float64]:
    return Embeddings.of(source, name="toy").vectors(words).of(words)


def missing(vectors: NDArray[np.floating]) -> bool:
    return bool(np.isnan(vectors).all())


def lengths(words: list[str]) -> list[list[float]]:
    """A function to test with: how long a word is, and how many spaces it has."""
    assert type(words) is list
    return [[len(word), word.count(" ") + 1.0] for word in words]


class Encoder:
    """What has ``encode``, and keeps the words it embeds."""

    def __init__(self) -> None:
        self.embedded: list[list[str]] = []

    def encode(self, sentences: list[str]) -> NDArray[np.float32]:
        self.embedded.append(sentences)
        return np.array(lengths(sentences), dtype=np.float32)


@pytest.fixture(scope="module")
def keyed() -> Any:
    models = pytest.importorskip("gensim.models")
    vectors = models.KeyedVectors(vector_size=2)
    vectors.add_vectors(list(TOY), list(TOY.values()))
    return vectors


def test_a_defaultdict_is_not_filled() -> None:
    table: dict[str, list[float]] = defaultdict(lambda: [1.0, 1.0], TOY)
    assert missing(rows(table, "xyz"))
    assert len(table) == len(TOY)


def test_vectors_and_models_of_gensim_are_mappings(keyed: Any) -> None:
    assert rows(keyed, "dog", "Cat") == pytest.approx(np.array([[0.6, 0.8], [1, 0]]))
    assert missing(rows(keyed, "xyz"))
    models = pytest.importorskip("gensim.models")
    model = models.Word2Vec([["cat", "dog"]] * 2, vector_size=3, min_count=1, epochs=1, workers=1)
    assert np.array_equal(rows(model, "dog", "cat"), model.wv[["dog", "cat"]])
    assert np.array_equal(rows(model.wv, "dog"), model.wv[["dog"]])


def test_fasttext_of_gensim_makes_vectors_of_unseen_words_but_not_of_seen_ones() -> None:
    models = pytest.importorskip("gensim.models")
    model = models.FastText(
        [["cat", "dog"]] * 2, vector_size=3, min_count=1, epochs=1, workers=1, bucket=20
    )
    vectors = rows(model, "cats", "CAT", "cat_dogs")
    half = (model.wv["cat"].astype(float) + model.wv["dogs"]) / 2
    assert np.allclose(vectors, [model.wv["cats"], model.wv["cat"], half], atol=1e-7)
    assert not np.allclose(model.wv["CAT"], model.wv["cat"])


def test_a_function_is_given_a_list_of_words_with_spaces() -> None:
    assert rows(lengths, "cat", "new_york", "ice  cream").tolist() == [[3, 1], [8, 2], [9, 2]]


def test_a_function_is_not_called_with_empty_words() -> None:
    encoder = Encoder()
    vectors = rows(encoder, "_", "cat", "")
    assert encoder.embedded == [["cat"]]
    assert vectors[1].tolist() == [3, 1]
    assert missing(vectors[[0, 2]])
    assert missing(rows(encoder, "_"))
    assert len(encoder.embedded) == 1


def test_encode_is_called_with_lists_in_batches() -> None:
    encoder = Encoder()
    words = [f"w{number}" for number in range(2500)]
    vectors = rows(encoder, *words)
    assert [len(words) for words in encoder.embedded] == [1024, 1024, 452]
    assert vectors.tolist() == lengths(words)


@given(st.integers(-60, 60), st.booleans())
def test_the_scale_of_vectors_changes_no_number(power: int, as_function: bool) -> None:
    def value(scale: float) -> float:
        table = {word: [x * scale for x in row] for word, row in TOY.items()}
        source = (lambda words: [table[word] for word in words]) if as_function else table
        topics = [["cat", "dog"], ["ice", "cream"]]
        (row,) = tealeaves.score(topics, None, "isim@2", embeddings=source).models
        assert row.support == 1  # no word is unknown
        return row.value

    assert value(10.0**power) == pytest.approx(value(1.0), abs=1e-12)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda words: [[1, 2], [3]], "no table of numbers for 2 words"),
        (lambda words: words, "no table of numbers for 2 words"),
        (lambda words: {"cat": [1, 2]}, "no table of numbers for 2 words"),
        (lambda words: None, "2 words gave an array of no size"),
        (lambda words: [1.0, 2.0], "2 words gave an array of 2, not one row per word"),
        (lambda words: [[1.0, 2.0]], "2 words gave an array of 1×2, not one row per word"),
        (lambda words: np.zeros((2, 3, 4)), "2 words gave an array of 2×3×4"),
        (lambda words: ([1.0], [2.0], [3.0]), "2 words gave an array of 3×1"),
    ],
)
def test_functions_that_return_no_rows_are_errors(
    function: Callable[[list[str]], Any], message: str
) -> None:
    with pytest.raises(InputError, match=f"^toy: {message}"):
        rows(function, "cat", "dog")


def test_errors_of_a_function_are_passed_on() -> None:
    def embed(words: list[str]) -> Any:
        raise ValueError("out of memory")

    with pytest.raises(ValueError, match="out of memory") as caught:
        rows(embed, "cat")
    assert not isinstance(caught.value, InputError)


@pytest.mark.parametrize(
    "source", [3, None, ["cat", "dog"], ("cat",), {"cat"}, b"cat", np.eye(2), np.array(["cat"])]
)
def test_objects_that_give_no_vectors_are_refused(source: Any) -> None:
    with pytest.raises(InputError, match=f"^{type(source).__name__}: .* gives no vectors"):
        embedder_of_object(source)


@pytest.mark.parametrize("source", [dict, Encoder, int])
def test_a_class_is_refused(source: type) -> None:
    with pytest.raises(InputError, match=f"^the class {source.__name__} gives no vectors"):
        embedder_of_object(source)


def test_a_data_frame_is_refused_but_a_series_of_vectors_is_a_mapping() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(InputError, match="DataFrame"):
        embedder_of_object(pandas.DataFrame(TOY).T)
    assert rows(pandas.Series(TOY), "dog", "cat") == pytest.approx(np.array([[0.6, 0.8], [1, 0]]))


def test_objects_are_not_kept_on_disk_but_identify_their_vectors() -> None:
    words = ["cat", "dog"]
    one = Embeddings.of(TOY, name="toy").vectors(words)
    same = Embeddings.of(dict(reversed(TOY.items())), name="toy").vectors(words)
    other = Embeddings.of({**TOY, "dog": [0.8, 0.6]}, name="toy").vectors(words)
    assert embedder_of_object(TOY).fingerprint == ""
    assert one.signature(words) == same.signature(words)
    assert one.signature(words) != other.signature(words)
