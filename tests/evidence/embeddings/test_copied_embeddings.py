"""Embeddings by other names, copied, and in other processes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.embedder import Embedder
from tealeaves.evidence.embeddings.embeddings import Embeddings
from tealeaves.evidence.embeddings.known import KNOWN
from tealeaves.evidence.embeddings.vectors import Vectors

ENGLISH = ["milk", "window", "house", "tree"]
COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "deepcopy": copy.deepcopy,
}


class Lengths(Embedder):
    """How long words are."""

    name = "lengths"

    def __init__(self, fingerprint: str = "abc") -> None:
        self.given = fingerprint
        self.asked: list[str] = []

    @property
    def fingerprint(self) -> str:
        return self.given

    def embed(self, words: Sequence[str]) -> Vectors:
        self.asked += words
        return np.array([[len(word), 1.0] for word in words])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "embeddings"


# ---------------------------------------------------------------------- names


def test_a_name_leaves_the_embedder_as_it_was() -> None:
    embedder = Lengths()
    one, other = Embeddings.of(embedder, name="one"), Embeddings.of(embedder)
    assert (one.name, other.name, embedder.name) == ("one", "lengths", "lengths")
    assert one.vectors(["tea"]).name == "one"
    assert one.vectors(["tea"]).signature(["tea"]) == "one:abc"


def test_embeddings_may_be_named_again(folder: Path) -> None:
    embedder = Lengths("")
    one = Embeddings.of(embedder)
    one.vectors(["tea"])
    two = Embeddings.of(one, name="two")
    assert (one.name, two.name, two.vectors(["tea"]).name) == ("lengths", "two", "two")
    assert embedder.asked == ["tea"]  # what one knows, the other does
    assert Embeddings.of(one) is one
    assert Embeddings.of(two, name="two") is two
    both = tealeaves.score([["tea", "cup"], ["a", "pot"]], None, "isim@2", embeddings=[one, two])
    assert len(list(both.models)) == 2
    assert not folder.exists()


def test_embeddings_without_a_cache_stay_so(folder: Path) -> None:
    kept = Embeddings(Lengths())
    Embeddings.of(kept, cache=False).vectors(["tea"])
    Embeddings.of(Embeddings(Lengths(), cache=False), name="two").vectors(["tea"])
    assert not folder.exists()


def test_another_name_does_not_embed_again(tmp_path: Path, folder: Path) -> None:
    Embeddings.of(Lengths()).vectors(["tea"])
    again = Lengths()
    Embeddings.of(again, name="two").vectors(["tea"])
    assert again.asked == []
    path = tmp_path / "toy.vec"
    path.write_text("cat 1.0 0.0\ndog 0.6 0.8\n")
    for name in ("", "animals"):
        Embeddings.of(path, name=name).vectors(["cat"])
    assert len(list(folder.glob("*.sqlite"))) == 2


# ---------------------------------------------------------------------- copies


@pytest.mark.parametrize("name", KNOWN)
def test_a_copy_carries_no_model_and_gives_the_same(name: str) -> None:
    words = ["молоко", "окно", "дом", "дерево"] if name == "navec" else ENGLISH
    one = Embeddings(KNOWN[name].embedder(), cache=False)
    before = one.vectors(words[:3])
    for copied in COPIES.values():
        other = copied(one)
        assert len(pickle.dumps(one)) < 20_000
        assert other.name == name
        assert other.embedder.codes == one.embedder.codes
        found = other.vectors(words)
        np.testing.assert_array_equal(found.of(words[:3]), before.of(words[:3]))
        assert found.signature(words) == before.signature(words[:3])
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
    embeddings = Embeddings(KNOWN["minilm_static"].embedder(), cache=False)
    scorer = tealeaves.make_scorer("isim@5", texts, embeddings=embeddings)
    first = scorer(model, texts)
    assert np.isfinite(first)
    assert COPIES[way](scorer)(model, texts) == first
