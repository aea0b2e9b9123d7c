"""Vectors from objects in memory."""

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


def rows(given: Any, *words: str) -> NDArray[np.float64]:
    return Embeddings.of(given, name="toy").vectors(words).of(words)


def missing(found: NDArray[np.floating]) -> bool:
    return bool(np.isnan(found).all())


def lengths(words: list[str]) -> list[list[float]]:
    """A function to test with: how long a word is, and how many spaces it has."""
    assert type(words) is list
    return [[len(word), word.count(" ") + 1.0] for word in words]


class Encoder:
    """What has ``encode``, and writes down what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def encode(self, sentences: list[str]) -> NDArray[np.float32]:
        self.asked.append(sentences)
        return np.array(lengths(sentences), dtype=np.float32)


@pytest.fixture(scope="module")
def keyed() -> Any:
    models = pytest.importorskip("gensim.models")
    found = models.KeyedVectors(vector_size=2)
    found.add_vectors(list(TOY), list(TOY.values()))
    return found


def test_a_mapping_gives_its_rows() -> None:
    # (2 + 4) / 2 = 3 and (4 + 0) / 2 = 2
    found = rows(TOY, "dog", "Cat", "ice_cream")
    assert found == pytest.approx(np.array([[0.6, 0.8], [1, 0], [3, 2]]))
    assert missing(rows(TOY, "xyz", "ice lolly", "__"))


def test_a_mapping_that_makes_what_it_lacks_is_not_filled() -> None:
    table: dict[str, list[float]] = defaultdict(lambda: [1.0, 1.0], TOY)
    assert missing(rows(table, "xyz"))
    assert len(table) == len(TOY)


def test_the_word_as_written_wins_and_terms_are_looked_up_both_ways() -> None:
    table = {"US": [0, 1], "us": [1, 0], "new york": [2, 1], "san_jose": [1, 2]}
    found = rows(table, "US", "us", "Us", "New_York", "san jose")
    assert found.tolist() == [[0, 1], [1, 0], [1, 0], [2, 1], [1, 2]]


def test_gensims_vectors_and_models_are_tables(keyed: Any) -> None:
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
    found = rows(model, "cats", "CAT", "cat_dogs")
    half = (model.wv["cat"].astype(float) + model.wv["dogs"]) / 2
    assert np.allclose(found, [model.wv["cats"], model.wv["cat"], half], atol=1e-7)
    assert not np.allclose(model.wv["CAT"], model.wv["cat"])


def test_a_function_is_given_a_list_of_words_as_they_are_spoken() -> None:
    assert rows(lengths, "cat", "new_york", "ice  cream").tolist() == [[3, 1], [8, 2], [9, 2]]


def test_words_of_which_nothing_is_left_are_not_asked_for() -> None:
    encoder = Encoder()
    found = rows(encoder, "_", "cat", "")
    assert encoder.asked == [["cat"]]
    assert found[1].tolist() == [3, 1]
    assert missing(found[[0, 2]])
    assert missing(rows(encoder, "_"))
    assert len(encoder.asked) == 1


def test_encode_is_called_with_lists_in_batches() -> None:
    encoder = Encoder()
    words = [f"w{number}" for number in range(2500)]
    found = rows(encoder, *words)
    assert [len(asked) for asked in encoder.asked] == [1024, 1024, 452]
    assert found.tolist() == lengths(words)


@pytest.mark.parametrize("kind", ["float32", "float64", "bfloat16", "list"])
def test_tensors_of_torch_are_numbers(kind: str) -> None:
    torch = pytest.importorskip("torch")

    def embed(words: list[str]) -> Any:
        if kind == "list":
            return [torch.tensor(row, requires_grad=True) for row in lengths(words)]
        return torch.tensor(lengths(words), dtype=getattr(torch, kind), requires_grad=True)

    assert rows(embed, "cat", "new_york").tolist() == [[3, 1], [8, 2]]
    table = {"cat": torch.tensor([1.0, 2.0], requires_grad=True)}
    assert rows(table, "cat").tolist() == [[1, 2]]


def test_vectors_without_a_direction_are_none() -> None:
    table = {"a": [1, 2], "nan": [np.nan, 1], "inf": [1, np.inf], "zero": [0, 0], "big": [1e300, 1]}
    assert missing(rows(table, "nan", "inf", "zero"))
    assert missing(rows(table, "big", "a_zero"))
    assert rows(table, "a").tolist() == [[1, 2]]
    given = {"a": [1.0, 2.0], "nan": [np.nan, 1.0], "zero": [0.0, 0.0], "big": [1e300, 1.0]}
    found = rows(lambda words: [given[word] for word in words], *given)
    assert found[0].tolist() == [1, 2]
    assert missing(found[1:])


@given(st.integers(-60, 60), st.booleans())
def test_the_scale_of_vectors_changes_no_number(power: int, as_function: bool) -> None:
    def value(scale: float) -> float:
        table = {word: [x * scale for x in row] for word, row in TOY.items()}
        given = (lambda words: [table[word] for word in words]) if as_function else table
        topics = [["cat", "dog"], ["ice", "cream"]]
        (row,) = tealeaves.score(topics, None, "isim@2", embeddings=given).models
        assert row.support == 1  # no word is unknown
        return row.value

    assert value(10.0**power) == pytest.approx(value(1.0), abs=1e-12)


def test_double_precision_is_kept() -> None:
    found = Embeddings.of(TOY).vectors(["dog", "xyz", "dog_cat"])
    assert found.matrix.dtype == np.float64
    # (.6 + 1) / 2 = .8 and (.8 + 0) / 2 = .4
    assert found.of(["dog", "dog_cat"]).tolist() == [[0.6, 0.8], [0.8, 0.4]]
    single = {word: np.array(row, dtype=np.float32) for word, row in TOY.items()}
    assert Embeddings.of(single).vectors(["dog", "dog_cat"]).matrix.dtype == np.float32
    torch = pytest.importorskip("torch")
    tensor = torch.tensor([0.1, 0.2], dtype=torch.float64)
    assert rows({"cat": tensor}, "cat").tolist() == [[0.1, 0.2]]
    assert rows(lambda words: [[0.1, 0.2]], "cat").tolist() == [[0.1, 0.2]]


def test_what_is_too_large_for_a_number_is_none() -> None:
    with pytest.raises(InputError, match="the vector of 'cat' is not numbers"):
        rows({"cat": [10**400, 1]}, "cat")


def test_capitals_without_a_direction_fall_to_lower_case() -> None:
    assert rows({"US": [0.0, 0.0], "us": [1.0, 2.0]}, "US").tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"cat": "meow"}, "the vector of 'cat' is not numbers"),
        ({"cat": ["1", "2"]}, "the vector of 'cat' is not numbers"),
        ({"cat": [1, [2, 3]]}, "the vector of 'cat' is not numbers"),
        ({"cat": [1 + 2j]}, "the vector of 'cat' is not numbers"),
        ({"cat": object()}, "the vector of 'cat' is not numbers"),
        ({"cat": [[1, 2]]}, "the vector of 'cat' is not a list of numbers"),
        ({"cat": 1.0}, "the vector of 'cat' is not a list of numbers"),
        ({"cat": []}, "the vector of 'cat' is not a list of numbers"),
        ({"cat": [1, 2], "dog": [1, 2, 3]}, "vectors of 2 and of 3 numbers"),
        ({"cat_dog": None, "cat": [1, 2], "dog": [1, 2, 3]}, "vectors of 2 and of 3 numbers"),
    ],
)
def test_tables_of_something_else_are_one_error(table: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"^toy: {message}"):
        rows(table, *table)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda words: [[1, 2], [3]], "no table of numbers for 2 words"),
        (lambda words: words, "no table of numbers for 2 words"),
        (lambda words: {"cat": [1, 2]}, "no table of numbers for 2 words"),
        (lambda words: None, "2 words gave an array of no size"),
        (lambda words: [1.0, 2.0], "2 words gave an array of 2, not a row for each"),
        (lambda words: [[1.0, 2.0]], "2 words gave an array of 1×2, not a row for each"),
        (lambda words: np.zeros((2, 3, 4)), "2 words gave an array of 2×3×4"),
        (lambda words: ([1.0], [2.0], [3.0]), "2 words gave an array of 3×1"),
    ],
)
def test_functions_that_give_something_else_are_one_error(
    function: Callable[[list[str]], Any], message: str
) -> None:
    with pytest.raises(InputError, match=f"^toy: {message}"):
        rows(function, "cat", "dog")


def test_errors_of_a_function_are_its_own() -> None:
    def embed(words: list[str]) -> Any:
        raise ValueError("out of memory")

    with pytest.raises(ValueError, match="out of memory") as caught:
        rows(embed, "cat")
    assert not isinstance(caught.value, InputError)


@pytest.mark.parametrize(
    "given", [3, None, ["cat", "dog"], ("cat",), {"cat"}, b"cat", np.eye(2), np.array(["cat"])]
)
def test_what_gives_no_vectors_is_refused(given: Any) -> None:
    with pytest.raises(InputError, match=f"^{type(given).__name__}: .* gives no vectors"):
        embedder_of_object(given)


@pytest.mark.parametrize("given", [dict, Encoder, int])
def test_a_class_is_not_an_object_of_it(given: type) -> None:
    with pytest.raises(InputError, match=f"^the class {given.__name__} gives no vectors"):
        embedder_of_object(given)


def test_a_frame_of_data_is_refused_but_a_column_of_vectors_is_a_table() -> None:
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
