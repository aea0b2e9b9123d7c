"""Models in the format of Hugging Face, from folders; nothing is downloaded here."""

from __future__ import annotations

import json
import re
import shutil
import socket
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.evidence.embeddings.choice import open_embeddings
from tealeaves.evidence.embeddings.embeddings import Embeddings
from tealeaves.evidence.embeddings.sources import huggingface
from tealeaves.evidence.embeddings.sources.huggingface import Transformer
from tests.systems import needs_links

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cat", "dog", "##s", "new", "york",
              "中", "国", "c", "##a", "##t", "x"]  # fmt: skip


WORDS = ["cat", "dogs", "new_york", "中国", "x"]


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("no network in tests")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two small layers with random weights."""
    torch, transformers = import_module("torch"), import_module("transformers")
    folder = tmp_path_factory.mktemp("models") / "tiny"
    numbers = {piece: number for number, piece in enumerate(VOCABULARY)}
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=37,
        max_position_embeddings=40,
    )
    with huggingface.quiet_transformers():
        transformers.BertTokenizer(vocab=numbers).save_pretrained(folder)
        transformers.BertModel(config).save_pretrained(folder)
    return folder


@pytest.fixture
def sentences(tiny: Path, tmp_path: Path) -> Path:
    """The same with the settings of sentence-transformers: the first piece, of length 1."""
    folder = tmp_path / "sentences"
    shutil.copytree(tiny, folder)
    parts = {"Transformer": "", "Pooling": "1_Pooling", "Normalize": "2_Normalize"}
    modules = [
        {"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for n, (kind, path) in enumerate(parts.items())
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir()
    pooling = {
        "word_embedding_dimension": 32,
        "pooling_mode_cls_token": True,
        "pooling_mode_mean_tokens": False,
    }
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    return folder


def _last_layer(folder: Path, text: str) -> np.ndarray[Any, Any]:
    """Return the last layer for one text, by transformers alone."""
    torch, transformers = import_module("torch"), import_module("transformers")
    with huggingface.quiet_transformers(), torch.no_grad():
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        model = transformers.AutoModel.from_pretrained(folder).eval()
        vectors = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].numpy()
        return np.asarray(vectors)


def test_a_plain_model_is_pooled_by_the_mean(tiny: Path) -> None:
    vectors = Transformer(str(tiny), name="tiny").embed(WORDS)
    for word, row in zip(WORDS, vectors, strict=True):
        layer = _last_layer(tiny, word.replace("_", " "))
        np.testing.assert_allclose(row, layer.mean(axis=0), atol=1e-6)


def test_a_model_of_sentence_transformers_encodes_by_its_own_settings(sentences: Path) -> None:
    vectors = Transformer(str(sentences), name="sentences").embed([*WORDS, "bird"])
    for word, row in zip(WORDS, vectors, strict=False):
        first = _last_layer(sentences, word.replace("_", " "))[0]
        np.testing.assert_allclose(row, first / np.linalg.norm(first), atol=1e-6)
    assert np.isnan(vectors[-1]).all()


def test_a_static_model_of_sentence_transformers(tmp_path: Path) -> None:
    tokenizers, library = import_module("tokenizers"), import_module("sentence_transformers")
    modules = import_module("sentence_transformers.sentence_transformer.modules")
    numbers = {"[UNK]": 0, "cat": 1, "m": 2, "##ilk": 3}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(numbers, unk_token="[UNK]"))
    rows = np.array([[9, 9], [1, 2], [3, 4], [5, 8]], dtype=np.float32)
    static = modules.StaticEmbedding(tokenizer, embedding_weights=rows)
    library.SentenceTransformer(modules=[static]).save(str(tmp_path / "static"))
    vectors = Transformer(str(tmp_path / "static"), name="static").embed(["cat", "milk", "bird"])
    np.testing.assert_allclose(vectors[:2], [[1, 2], [4, 6]])
    assert np.isnan(vectors[2]).all()


def test_parts_of_sentence_transformers_are_opened_as_it_saves_them(
    tiny: Path, tmp_path: Path
) -> None:
    """A dense layer on a route, whose settings name its classes and activation."""
    library, torch = import_module("sentence_transformers"), import_module("torch")
    parts = import_module("sentence_transformers.sentence_transformer.modules")
    base = import_module("sentence_transformers.base.modules")
    torch.manual_seed(3)
    encoder = [base.Transformer(str(tiny)), parts.Pooling(32, "mean")]
    dense = base.Dense(32, 5, activation_function=torch.nn.Tanh())
    router = base.Router.for_query_document(
        query_modules=[*encoder, dense], document_modules=[*encoder, dense]
    )
    model = library.SentenceTransformer(modules=[router])
    folder = tmp_path / "routed"
    with huggingface.quiet_transformers():
        model.save(str(folder))
    vectors = Transformer(str(folder), name="routed").embed(["cat", "dogs"])
    np.testing.assert_allclose(vectors, model.encode(["cat", "dogs"]), atol=1e-6)


def test_without_sentence_transformers_its_models_are_refused(
    sentences: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mean would be an embedding that nobody has published."""
    there = {"torch": True, "transformers": True}
    monkeypatch.setattr(huggingface, "find_spec", there.get)
    model = Transformer(str(sentences), name="one")
    for ask in (lambda: model.fingerprint, lambda: model.embed(["cat"])):
        with pytest.raises(MissingExtraError, match=r"sentence-transformers.*tealeaves\[minilm\]"):
            ask()
    assert Transformer(str(tiny), name="tiny").fingerprint  # which needs no other package


def test_unknown_and_spelled_words_have_no_vector(tiny: Path) -> None:
    vectors = Transformer(str(tiny), name="tiny").embed(
        ["cat", "bird", "cat_bird", "ca", "", "中国"]
    )
    assert np.isnan(vectors).any(axis=1).tolist() == [False, True, True, True, True, False]
    # c ##a falls to letters, 中 国 are characters in their own right
    only = Transformer(str(tiny), name="tiny").embed(["bird"])
    assert np.isnan(only).all()


def test_long_terms_are_cut_to_the_positions_of_the_model(tiny: Path) -> None:
    model = Transformer(str(tiny), name="tiny")
    long, cut = model.embed(["cat " * 90, "cat " * 38])  # of 40 places, two are for the ends
    np.testing.assert_allclose(long, cut, atol=1e-6)


@needs_links
def test_the_fingerprint_follows_the_files(tiny: Path, tmp_path: Path) -> None:
    first = Transformer(str(tiny), name="tiny").fingerprint
    copy = tmp_path / "elsewhere"
    shutil.copytree(tiny, copy)
    (copy / "link.json").symlink_to("nowhere")
    assert Transformer(str(copy), name="other").fingerprint == first
    with (copy / "model.safetensors").open("r+b") as file:
        file.seek(-1, 2)
        file.write(b"\x01")
    changed = Transformer(str(copy), name="other").fingerprint
    assert changed != first
    (copy / "tokenizer_config.json").write_text("{}")
    assert Transformer(str(copy), name="other").fingerprint not in (first, changed)


def test_it_opens_by_its_folder_and_is_kept_on_disk(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path))
    first = Embeddings.of(tiny).vectors(["cat", "dog"])
    monkeypatch.setattr(huggingface, "load_encoder", None)  # which would fail
    again = Embeddings.of(str(tiny)).vectors(["dog", "cat"])
    np.testing.assert_array_equal(first.of(["cat"]), again.of(["cat"]))


def _copied(tiny: Path, to: Path, *, without: str) -> Path:
    shutil.copytree(tiny, to)
    (to / without).unlink()
    return to


def test_a_pickle_is_never_loaded(tiny: Path, tmp_path: Path) -> None:
    folder = _copied(tiny, tmp_path / "pickled", without="model.safetensors")
    (folder / "pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'touch owned'\ntR.")
    with pytest.raises(InputError, match=r"pickled: no weights in safetensors") as raised:
        Transformer(str(folder), name="pickled").embed(["cat"])
    assert "\n" not in str(raised.value)
    assert not Path("owned").exists()


@pytest.mark.parametrize("what", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_damaged_file_is_an_error_of_one_line(what: str, tiny: Path, tmp_path: Path) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(tiny, folder)
    (folder / what).write_bytes(b"\xff{ damaged")
    with pytest.raises(InputError, match="damaged") as raised:
        Transformer(str(folder), name="damaged").embed(["cat"])
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"hidden_size": "large"},
        {"num_attention_heads": 5},
        {"hidden_act": "none such"},
        {"architectures": 3, "model_type": ["bert"]},
        {"num_hidden_layers": None},
    ],
)
def test_wrong_settings_are_an_error_of_one_line(
    wrong: dict[str, Any], tiny: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "wrong"
    shutil.copytree(tiny, folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | wrong))
    with pytest.raises(InputError, match=r"wrong: this model cannot be loaded: .") as raised:
        Transformer(str(folder), name="wrong").embed(["cat"])
    assert "\n" not in str(raised.value)


def test_a_model_that_fails_at_its_first_word_is_an_error_of_one_line(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AttributeError("no such layer\nat line 7")

    monkeypatch.setattr(huggingface.MeanEncoder, "_means", fail)
    message = f"^{tiny}: this model cannot encode words: no such layer$"
    with pytest.raises(InputError, match=message):
        Transformer(str(tiny), name="tiny").embed(["cat"])


@pytest.mark.parametrize("kind", ["tiny", "sentences"])
def test_a_model_without_its_tokenizer_is_an_error(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    folder = tmp_path / "bare"
    shutil.copytree(request.getfixturevalue(kind), folder)
    for path in folder.glob("*token*"):
        path.unlink()
    (folder / "vocab.txt").unlink(missing_ok=True)
    with pytest.raises(InputError, match="tokenizer"):
        Transformer(str(folder), name="bare").embed(["cat"])


def test_a_folder_that_changes_is_refused(tiny: Path, tmp_path: Path) -> None:
    folder = tmp_path / "changing"
    shutil.copytree(tiny, folder)
    models = [Transformer(str(folder), name="changing") for _ in range(2)]
    assert models[1].fingerprint
    (folder / "config.json").write_text((folder / "config.json").read_text() + " ")
    for model in models:
        with pytest.raises(InputError, match="changing: it was changed after it was opened"):
            model.embed(["cat"])
    with pytest.raises(InputError, match="it was changed"):
        _ = models[0].fingerprint


def test_a_changed_folder_is_opened_again(tiny: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny, folder)
    first = open_embeddings(str(folder))
    assert open_embeddings(str(folder)) is first
    with (folder / "model.safetensors").open("r+b") as file:
        file.seek(-2, 2)
        file.write(b"\x01")
    assert open_embeddings(str(folder)) is not first


def test_the_fingerprint_depends_on_every_byte_of_the_weights(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    weights = bytearray(8_000_000)
    seen = set()
    for at in (0, 100_000, 3_000_001, 7_999_999):
        weights[at] = 1
        (tmp_path / "model.safetensors").write_bytes(weights)
        seen.add(Transformer(str(tmp_path), name="any").fingerprint)
    assert len(seen) == 4


@pytest.mark.parametrize("missing", ["torch", "transformers"])
def test_missing_packages_are_reported_before_any_download(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(huggingface, "find_spec", lambda name: None if name == missing else True)
    with pytest.raises(MissingExtraError, match=rf"package {missing}.*tealeaves\[minilm\]"):
        Transformer("owner/model", name="owner/model")


def test_the_oldest_allowed_packages_have_what_is_used() -> None:
    """``dtype=`` came with transformers 4.56, and numpy 2 with torch 2.3."""
    project = tomllib.loads(Path(__file__).parents[4].joinpath("pyproject.toml").read_text())
    lines = project["project"]["optional-dependencies"]["minilm"]
    oldest = dict(re.findall(r"^([\w-]+)>=([\d.]+)", "\n".join(lines), re.MULTILINE))
    versions = {name: [*map(int, version.split("."))] for name, version in oldest.items()}
    assert versions["transformers"] >= [4, 56]
    assert versions["torch"] >= [2, 3]


def test_a_folder_without_a_model_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no model in this folder.*config\.json"):
        Embeddings.of(tmp_path)


def test_code_of_a_model_is_never_run(tiny: Path, tmp_path: Path) -> None:
    folder = tmp_path / "remote"
    shutil.copytree(tiny, folder)
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoModel": "m.M", "AutoConfig": "m.C"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "m.py").write_text("from pathlib import Path\nPath(__file__ + '.ran').touch()\n")
    with pytest.raises(InputError, match="remote"):
        Transformer(str(folder), name="remote").embed(["cat"])
    assert not list(tmp_path.rglob("*.ran"))


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the hub."""
    from huggingface_hub import constants

    folder = tmp_path / "hub"
    folder.mkdir()
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder))
    return folder


def test_a_model_that_cannot_be_downloaded_is_an_error_of_one_line(hub: Path) -> None:
    model = Transformer("nobody/nothing", name="nobody/nothing")
    with pytest.raises(InputError, match=r"^nobody/nothing: .*cannot be fetched: \w") as raised:
        Embeddings(model).vectors(["cat"])
    assert "\n" not in str(raised.value)
    assert "Got:" not in str(raised.value)


def test_a_model_in_the_cache_of_the_hub_is_named_by_its_commit(tiny: Path, hub: Path) -> None:
    def put(commit: str) -> None:
        repository = hub / "models--owner--tiny"
        shutil.copytree(tiny, repository / "snapshots" / commit)
        (repository / "refs").mkdir(exist_ok=True)
        (repository / "refs" / "main").write_text(commit)

    put("a" * 40)
    first = Transformer("owner/tiny", name="owner/tiny")
    expected = Transformer(str(tiny), name="tiny").embed(WORDS)
    np.testing.assert_array_equal(first.embed(WORDS), expected)
    put("b" * 40)
    assert Transformer("owner/tiny", name="owner/tiny").fingerprint != first.fingerprint
