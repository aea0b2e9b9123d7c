"""From names to embeddings: what a name means, and embeddings that are given twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.evidence.embeddings import known
from tealeaves.evidence.embeddings.embeddings import Embeddings
from tealeaves.evidence.embeddings.known import KNOWN, default_name
from tealeaves.evidence.embeddings.opening import Choice, open_embeddings
from tealeaves.evidence.embeddings.sources.huggingface import Transformer


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


def test_a_name_without_an_owner_is_told_how_to_name_it() -> None:
    with pytest.raises(InputError, match=r"bert-base-uncased .*owner/name, or by its folder"):
        open_embeddings("bert-base-uncased")
    with pytest.raises(InputError, match=r"did you mean wordllama\? \(there are [^;]*\)$"):
        open_embeddings("wordlama")


@pytest.mark.parametrize("name", ["", " "])
def test_an_empty_name_is_refused(name: str) -> None:
    for use in (open_embeddings, Embeddings.of, Choice):
        with pytest.raises(InputError, match=r"^an embedding without a name: there are minilm"):
            use(name)


def test_what_is_given_twice_is_taken_once(here: Path) -> None:
    (here / "link.vec").symlink_to("toy.vec")
    same = ["toy.vec", "./toy.vec", here / "toy.vec", "link.vec", str(here / "models/../toy.vec")]
    assert [one.name for one in Choice(same).given] == ["toy.vec"]
    one, other = Embeddings.of({"a": [1.0]}, name="one"), Embeddings.of({"a": [2.0]}, name="other")
    assert Choice([one, other, one]).given == (one, other)
    names = ["glove", "toy.vec", "glove", "toy.vec"]
    assert [one.name for one in Choice(names).given] == ["glove", "toy.vec"]


def test_two_of_one_name_are_an_error() -> None:
    with pytest.raises(InputError, match=r"two embeddings are called given: .*name=\.\.\."):
        Choice([{"a": [1.0]}, {"a": [2.0]}])
    Choice([Embeddings.of({"a": [1.0]}, name="one"), {"a": [2.0]}])


def test_languages_are_said_in_one_place() -> None:
    codes = {name: sorted(one.codes) for name, one in KNOWN.items()}
    for name in ("minilm", "minilm_static", "glove"):
        assert codes[name] == ["en"]
    assert codes["navec"] == ["ru"]
    assert codes["wordllama"] == []
    use = KNOWN["use"].languages
    assert use.startswith("16 languages: ")
    assert use.count(",") == 15
    assert len(codes["use"]) == 15  # Chinese is two of them
    for name, one in KNOWN.items():
        embedder = one.embedder()
        assert (embedder.languages, embedder.codes) == (one.languages, one.codes)
        assert not type(embedder).languages
        assert embedder.name == name


def test_codes_come_with_the_vectors() -> None:
    assert open_embeddings("glove").vectors(["milk"]).codes == {"en"}


def test_what_is_installed_meanwhile_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    there: set[str] = set()
    monkeypatch.setattr(known, "find_spec", lambda name: name if name in there else None)
    with pytest.raises(MissingExtraError, match=r"tealeaves\[embed\]\" \(16 MB, no torch\)"):
        default_name()
    there |= {"wordllama", "tokenizers"}
    assert default_name() == "wordllama"
