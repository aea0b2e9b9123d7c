"""Vectors of tokens and words in tables: MiniLM's pieces, WordLlama, GloVe and navec."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.known import KNOWN
from tealeaves.evidence.embeddings.sources.glove import Glove6B
from tealeaves.evidence.embeddings.sources.minilm import minilm_file
from tealeaves.evidence.embeddings.sources.minilm_static import StaticMiniLM
from tealeaves.evidence.embeddings.sources.navec import NavecNews
from tealeaves.evidence.embeddings.sources.token_table import (
    StaticEmbedder,
    TokenTable,
    read_tensor,
)
from tealeaves.evidence.embeddings.sources.wordllama import WordLlama
from tealeaves.evidence.embeddings.vectors import Vectors

WORDS = [
    "milk",
    "motorcycle",
    "encryption",
    "e-mail",
    "don't",
    "café",
    "new_york",
    "1990s",
    "Bible",
]


@pytest.fixture(scope="module")
def static() -> StaticMiniLM:
    return StaticMiniLM()


@pytest.fixture(scope="module")
def wordllama() -> WordLlama:
    return WordLlama()


@pytest.fixture(scope="module")
def glove() -> Glove6B:
    return Glove6B()


@pytest.fixture(scope="module")
def navec() -> NavecNews:
    return NavecNews()


class Toy(StaticEmbedder):
    """Pieces m, ilk, tea and two rows that are easy to average."""

    @property
    def fingerprint(self) -> str:
        return "toy"

    def load(self) -> TokenTable:
        from tokenizers import Tokenizer
        from tokenizers.models import WordPiece
        from tokenizers.pre_tokenizers import Whitespace

        vocabulary = {"[UNK]": 0, "m": 1, "##ilk": 2, "tea": 3}
        tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
        tokenizer.pre_tokenizer = Whitespace()
        return TokenTable(tokenizer, np.array([[9, 9], [1, 2], [3, 6], [5, -2]], dtype=np.float16))


def test_a_word_is_the_mean_of_its_pieces() -> None:
    found = Toy().embed(["milk", "tea", "milk_tea", "juice", "milk juice", ""])
    # milk = (m + ##ilk) / 2 = ((1, 2) + (3, 6)) / 2; milk tea = ((1, 2) + (3, 6) + (5, -2)) / 3
    np.testing.assert_array_equal(found[:3], [[2, 4], [5, -2], [3, 2]])
    assert np.isnan(found[3:]).all()


def test_pieces_of_minilm_are_the_input_of_the_model(static: StaticMiniLM) -> None:
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    table = load_file(minilm_file("model.safetensors"))["embeddings.word_embeddings.weight"]
    tokenizer = Tokenizer.from_file(str(minilm_file("tokenizer.json")))
    tokenizer.no_padding()
    expected = [
        table[tokenizer.encode(word.replace("_", " "), add_special_tokens=False).ids].mean(axis=0)
        for word in WORDS
    ]
    np.testing.assert_allclose(static.embed(WORDS), expected, atol=1e-6)


def test_vectors_of_wordllama_are_those_of_its_package(wordllama: WordLlama) -> None:
    import wordllama as package

    folder = Path(package.__file__).parent
    model = package.WordLlama.load(cache_dir=folder, disable_download=True)
    expected = model.embed([word.replace("_", " ") for word in WORDS])
    np.testing.assert_allclose(wordllama.embed(WORDS), expected, atol=1e-6)


@pytest.mark.parametrize("which", ["static", "wordllama", "glove", "navec"])
def test_the_batch_does_not_matter(which: str, request: pytest.FixtureRequest) -> None:
    embedder = request.getfixturevalue(which)
    words = [*WORDS, "молоко", "всё"]
    together = embedder.embed(words)
    alone = [embedder.embed([word])[0] for word in words]
    for one, row in zip(together, alone, strict=True):
        np.testing.assert_array_equal(one, np.broadcast_to(row, one.shape))
    assert len(embedder.embed([])) == 0


@pytest.mark.parametrize(
    ("which", "name"),
    [
        ("static", "minilm_static"),
        ("wordllama", "wordllama"),
        ("glove", "glove"),
        ("navec", "navec"),
    ],
)
def test_the_list_of_embeddings_says_the_truth(
    which: str, name: str, request: pytest.FixtureRequest
) -> None:
    embedder = request.getfixturevalue(which)
    assert type(KNOWN[name].embedder()) is type(embedder)
    assert embedder.name == name
    assert embedder.embed(["x"]).shape == (1, KNOWN[name].dimensions)


def test_tables_need_neither_torch_nor_transformers_nor_the_network() -> None:
    code = (
        "import socket, sys\n"
        "def fail(*_, **__): raise AssertionError('the network was touched')\n"
        "socket.socket.connect = socket.getaddrinfo = fail\n"
        "from tealeaves.evidence.embeddings.known import KNOWN\n"
        "for name in ('minilm_static', 'wordllama', 'glove', 'navec'):\n"
        "    KNOWN[name].embedder().embed(['milk'])\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    loaded = set(done.stdout.split())
    assert loaded.isdisjoint({"torch", "transformers", "natasha", "wordllama", "pymorphy2"})
    assert {"tokenizers", "navec", "polars"} <= loaded
    assert done.stderr == ""


def test_glove_is_the_published_table(glove: Glove6B) -> None:
    # the first numbers of "the" and "of" in the file glove.6B.50d.txt
    np.testing.assert_allclose(glove.embed(["the"])[0, :4], [0.418, 0.24968, -0.41242, 0.1217])
    np.testing.assert_allclose(glove.embed(["of"])[0, :3], [0.70853, 0.57088, -0.4716])
    assert np.isnan(glove.embed(["qqxzzq"])).all()


def test_glove_takes_capitals_and_terms(glove: Glove6B) -> None:
    bible, capital, milk, both = glove.embed(["bible", "Bible", "milk", "milk_bible"])
    np.testing.assert_array_equal(bible, capital)
    np.testing.assert_allclose(both, (bible + milk) / 2, atol=1e-6)


def _cosine(one: Vectors, other: Vectors) -> float:
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def test_navec_is_the_package_s(navec: NavecNews) -> None:
    from navec import Navec

    spec = find_spec("natasha")
    assert spec is not None
    assert spec.submodule_search_locations
    archive = "data/emb/navec_news_v1_1B_250K_300d_100q.tar"
    package: Any = Navec.load(str(Path(spec.submodule_search_locations[0]) / archive))
    found = navec.embed(["молоко", "Москва"])
    np.testing.assert_array_equal(found[0], package["молоко"])
    np.testing.assert_array_equal(found[1], package["москва"])
    milk, cheese, war = navec.embed(["молоко", "сыр", "война"])
    assert _cosine(milk, cheese) == pytest.approx(package.sim("молоко", "сыр"), abs=1e-5)
    assert _cosine(milk, cheese) > _cosine(milk, war)


def test_navec_looks_up_yo_as_it_is_then_as_ye(navec: NavecNews) -> None:
    assert "всё" in navec._vectors
    all_of_it, everybody = navec.embed(["всё", "все"])
    assert (all_of_it != everybody).any()  # both are in the table, and differ
    without = next(
        word for word in navec._vectors.vocab.words
        if word.startswith("чет") and word.replace("е", "ё", 1) not in navec._vectors
    )  # fmt: skip
    np.testing.assert_array_equal(*navec.embed([without, without.replace("е", "ё", 1)]))


def test_signs_of_navec_are_no_words(navec: NavecNews) -> None:
    assert "<unk>" in navec._vectors
    assert np.isnan(navec.embed(["<unk>", "<pad>", "ыыыыъъъ"])).all()


def test_a_damaged_tensor_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"

    def write(begin: int, end: int, kind: str = "F32", size: int = 16) -> None:
        one = {"dtype": kind, "shape": [2, 2], "data_offsets": [begin, end]}
        header = json.dumps({"table": one}).encode()
        path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(range(size)))

    write(0, 16)
    expected = np.frombuffer(bytes(range(16)), "<f4").reshape(2, 2)
    np.testing.assert_array_equal(read_tensor(path, "table"), expected)
    for damage in (
        lambda: write(0, 16, size=12),  # cut off
        lambda: write(-8, 8),
        lambda: write(0, 12),
        lambda: write(0, 16, kind="I32"),
        lambda: path.write_bytes(b"\xff" * 30),
        lambda: path.write_bytes(b""),
        lambda: path.write_bytes((2).to_bytes(8, "little") + b"{}"),
    ):
        damage()
        with pytest.raises(InputError, match=r"model\.safetensors"):
            read_tensor(path, "table")
