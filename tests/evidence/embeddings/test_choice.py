"""The choice of embeddings: what a name means, and embeddings that are given twice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.choice import EmbeddingChoice, open_embeddings
from tealeaves.evidence.embeddings.embeddings import Embeddings
from tealeaves.evidence.embeddings.sources.huggingface import Transformer
from tests.systems import needs_links


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path / "cache"))
    (tmp_path / "models").mkdir()
    (tmp_path / "toy.vec").write_text("cat 1.0 0.0\ndog 0.6 0.8\n")
    return tmp_path


@pytest.mark.parametrize("suffix", ["tsv", "csv", "parquet", "w2v", "safetensors", "json", "TXT"])
def test_a_path_that_leads_nowhere_is_not_looked_for_in_the_network(suffix: str) -> None:
    for name in ("models/mistyped", f"data/vectors.{suffix}", ".hidden/model", "~/model"):
        with pytest.raises(InputError, match=f"^{name}: no such file of vectors or folder"):
            open_embeddings(name)


def test_owner_and_name_are_a_model_of_the_hub() -> None:
    assert isinstance(open_embeddings("owner/model").embedder, Transformer)


def test_the_error_about_an_unknown_name_says_how_to_name_models() -> None:
    with pytest.raises(InputError, match=r"bert-base-uncased .*owner/name, or by its folder"):
        open_embeddings("bert-base-uncased")
    with pytest.raises(InputError, match=r"did you mean wordllama\? \(known: [^;]*\)$"):
        open_embeddings("wordlama")


@pytest.mark.parametrize("name", ["", " "])
def test_an_empty_name_is_refused(name: str) -> None:
    for use in (open_embeddings, Embeddings.of, EmbeddingChoice):
        with pytest.raises(InputError, match=r"^an embedding without a name: there are minilm"):
            use(name)


@needs_links
def test_an_embedding_that_is_given_twice_is_used_once(here: Path) -> None:
    (here / "link.vec").symlink_to("toy.vec")
    same = ["toy.vec", "./toy.vec", here / "toy.vec", "link.vec", str(here / "models/../toy.vec")]
    assert [one.name for one in EmbeddingChoice(same).chosen] == ["toy.vec"]
    one, other = Embeddings.of({"a": [1.0]}, name="one"), Embeddings.of({"a": [2.0]}, name="other")
    assert EmbeddingChoice([one, other, one]).chosen == (one, other)
    names = ["glove", "toy.vec", "glove", "toy.vec"]
    assert [one.name for one in EmbeddingChoice(names).chosen] == ["glove", "toy.vec"]


def test_two_embeddings_with_the_same_name_are_an_error() -> None:
    with pytest.raises(InputError, match=r"two embeddings are called given; .*name=\.\.\."):
        EmbeddingChoice([{"a": [1.0]}, {"a": [2.0]}])
    EmbeddingChoice([Embeddings.of({"a": [1.0]}, name="one"), {"a": [2.0]}])


def test_vectors_have_the_codes_of_the_languages() -> None:
    assert open_embeddings("glove").vectors(["milk"]).codes == {"en"}


# ---------------------------------------------------------------------- files


WORDS = [f"word{number}" for number in range(600)]


def write_vectors(path: Path, factor: float = 1.0) -> Path:
    """Write a file in which the vector of word 7 is 8 and 1, each times the factor."""
    rows = (f"{word} {factor * (n + 1)} {factor}\n" for n, word in enumerate(WORDS))
    path.write_text("".join(rows))
    return path


def test_a_file_that_was_replaced_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, place in enumerate(("one", "other")):
        (tmp_path / place).mkdir()
        path = write_vectors(tmp_path / place / "toy.txt", factor=number + 1.0)
        os.utime(path, ns=(0, 0))  # as archives have it
    for place, expected in (("one", [8, 1]), ("other", [16, 2]), ("one", [8, 1])):
        monkeypatch.chdir(tmp_path / place)
        assert open_embeddings("toy.txt").vectors(["word7"]).of(["word7"]).tolist() == [expected]
    first = open_embeddings("toy.txt")
    assert open_embeddings("toy.txt") is first
    write_vectors(tmp_path / "new.txt", factor=3.0)
    os.utime(tmp_path / "new.txt", ns=(0, 0))
    (tmp_path / "new.txt").replace(tmp_path / "one" / "toy.txt")
    assert open_embeddings("toy.txt").vectors(["word7"]).of(["word7"]).tolist() == [[24, 3]]


def test_an_opened_file_is_found_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_vectors(tmp_path / "toy.txt")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    embeddings = Embeddings.of("toy.txt")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert embeddings.vectors(["word7"]).of(["word7"]).tolist() == [[8, 1]]
