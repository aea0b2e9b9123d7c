"""Word lookup: forms of words, terms of several words, and values that are no vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.embeddings import Embeddings

TOY = {"cat": [1.0, 0.0], "dog": [0.6, 0.8], "ice": [2.0, 4.0], "cream": [4.0, 0.0]}


def rows(source: Any, *words: str) -> NDArray[np.float64]:
    return Embeddings.of(source, name="toy").vectors(words).of(words)


def missing(vectors: NDArray[np.floating]) -> bool:
    return bool(np.isnan(vectors).all())


def lengths(words: list[str]) -> list[list[float]]:
    """A function to test with: how long a word is, and how many spaces it has."""
    assert type(words) is list
    return [[len(word), word.count(" ") + 1.0] for word in words]


def test_a_mapping_gives_its_rows() -> None:
    # (2 + 4) / 2 = 3 and (4 + 0) / 2 = 2
    vectors = rows(TOY, "dog", "Cat", "ice_cream")
    assert vectors == pytest.approx(np.array([[0.6, 0.8], [1, 0], [3, 2]]))
    assert missing(rows(TOY, "xyz", "ice lolly", "__"))


def test_the_word_as_written_wins_and_terms_are_looked_up_both_ways() -> None:
    table = {"US": [0, 1], "us": [1, 0], "new york": [2, 1], "san_jose": [1, 2]}
    vectors = rows(table, "US", "us", "Us", "New_York", "san jose")
    assert vectors.tolist() == [[0, 1], [1, 0], [1, 0], [2, 1], [1, 2]]


def test_vectors_without_a_direction_count_as_missing() -> None:
    table = {"a": [1, 2], "nan": [np.nan, 1], "inf": [1, np.inf], "zero": [0, 0], "big": [1e300, 1]}
    assert missing(rows(table, "nan", "inf", "zero"))
    assert missing(rows(table, "big", "a_zero"))
    assert rows(table, "a").tolist() == [[1, 2]]
    source = {"a": [1.0, 2.0], "nan": [np.nan, 1.0], "zero": [0.0, 0.0], "big": [1e300, 1.0]}
    vectors = rows(lambda words: [source[word] for word in words], *source)
    assert vectors[0].tolist() == [1, 2]
    assert missing(vectors[1:])


def test_double_precision_is_kept() -> None:
    vectors = Embeddings.of(TOY).vectors(["dog", "xyz", "dog_cat"])
    assert vectors.matrix.dtype == np.float64
    # (.6 + 1) / 2 = .8 and (.8 + 0) / 2 = .4
    assert vectors.of(["dog", "dog_cat"]).tolist() == [[0.6, 0.8], [0.8, 0.4]]
    single = {word: np.array(row, dtype=np.float32) for word, row in TOY.items()}
    assert Embeddings.of(single).vectors(["dog", "dog_cat"]).matrix.dtype == np.float32
    torch = pytest.importorskip("torch")
    tensor = torch.tensor([0.1, 0.2], dtype=torch.float64)
    assert rows({"cat": tensor}, "cat").tolist() == [[0.1, 0.2]]
    assert rows(lambda words: [[0.1, 0.2]], "cat").tolist() == [[0.1, 0.2]]


def test_a_number_that_is_too_large_is_an_error() -> None:
    with pytest.raises(InputError, match="the vector of 'cat' is not numbers"):
        rows({"cat": [10**400, 1]}, "cat")


def test_a_capitalised_word_without_a_direction_is_looked_up_in_lower_case() -> None:
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
def test_values_that_are_no_vectors_are_errors(table: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"^toy: {message}"):
        rows(table, *table)


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
