"""Folders of models that name code, pickles or models elsewhere are refused before they are opened.

No library is installed in these tests: our check comes first, whatever version of a library reads
the folder later.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers import encoders
from tealeaves.evidence.attention.classifiers.pretrained import open_pretrained
from tealeaves.evidence.embeddings.sources import huggingface
from tealeaves.evidence.embeddings.sources.huggingface import Transformer
from tealeaves.evidence.embeddings.sources.model_folder import check_model_folder, model_files
from tests.systems import needs_links

_OLD = "sentence_transformers.models"
_NEW = "sentence_transformers.sentence_transformer.modules"
_BASE = "sentence_transformers.base.modules"
Files = dict[str, Any]


def written(folder: Path, files: Files) -> Path:
    """Write a model that has these files beside weights and settings."""
    for name, content in {"config.json": {"model_type": "bert"}, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            content if isinstance(content, str) else json.dumps(content), encoding="utf-8"
        )
    (folder / "model.safetensors").write_bytes(b"never read here")
    return folder


def module(kind: object, path: object = "") -> Files:
    return {"modules.json": [{"idx": 0, "name": "0", "path": path, "type": kind}]}


def dense(activation: object) -> Files:
    return module(f"{_OLD}.Dense", "2_Dense") | {
        "2_Dense/config.json": {"in_features": 2, "activation_function": activation},
        "2_Dense/model.safetensors": "",
    }


def router(types: object, file: str = "router_config.json") -> Files:
    kind = f"{_OLD}.Router" if file == "router_config.json" else f"{_OLD}.Asym"
    return module(kind, "0_Router") | {f"0_Router/{file}": {"types": types, "structure": {}}}


# ---------------------------------------------------------------------- what is refused

EVIL: dict[str, Files] = {
    "a class of the folder": module("evilmod.Evil"),
    "a class beside a known one": {
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": f"{_OLD}.Transformer"},
            {"idx": 1, "name": "1", "path": "", "type": "evilmod.Evil"},
        ]
    },
    "a package that begins alike": module("sentence_transformers.models_.Pooling"),
    "a name in front": module("x.sentence_transformers.models.Pooling"),
    "a name behind": module(f"{_OLD}.Pooling.os.system"),
    "another part of the library": module("sentence_transformers.util.misc.import_from_string"),
    "a class of another package": module("torch.hub.load"),
    "a line break": module(f"{_OLD}.Pooling\n"),
    "no class": module(None),
    "a list of classes": module([f"{_OLD}.Pooling"]),
    "modules that are no list": {"modules.json": {"0": {"type": f"{_OLD}.Pooling"}}},
    "a module that is no object": {"modules.json": ["evilmod.Evil"]},
    "a folder above": module(f"{_OLD}.Dense", "../other"),
    "a folder elsewhere": module(f"{_OLD}.Dense", "/tmp"),
    "a folder elsewhere on Windows": module(f"{_OLD}.Dense", "..\\other"),
    "a path that is no text": module(f"{_OLD}.Dense", ["2_Dense"]),
    "code of the model": {"config.json": {"auto_map": {"AutoModel": "m.M"}}},
    "code of the tokenizer": {"tokenizer_config.json": {"auto_map": {"AutoTokenizer": ["m.T"]}}},
    "code of the processor": {"preprocessor_config.json": {"auto_map": {"AutoProcessor": "m.P"}}},
    "code of another version": {"config.4.0.0.json": {"auto_map": {"AutoModel": "m.M"}}},
    "code of a part": {"config.json": {"text_config": [{"auto_map": {"AutoConfig": "m.C"}}]}},
    "code of a module": module(f"{_OLD}.Transformer", "0_Transformer") | {
        "0_Transformer/config.json": {"auto_map": {"AutoModel": "m.M"}},
        "0_Transformer/model.safetensors": "",
    },
    "consent to code": {"sentence_bert_config.json": {"model_args": {"trust_remote_code": True}}},
    "a pipeline": {"config.json": {"custom_pipelines": {"own": {"impl": "m.P"}}}},
    "a kernel": {"config.json": {"attn_implementation": "someone/kernel"}},
    "a kernel inside": {"config.json": {"_attn_implementation_internal": "someone/kernel:run"}},
    "a kernel by part": {"config.json": {"attn_implementation": {"text_config": "someone/kernel"}}},
    "a kernel by arguments": {
        "sentence_bert_config.json": {"model_kwargs": {"attn_implementation": "someone/kernel"}}
    },
    "a quantised model": {"config.json": {"quantization_config": {"quant_method": "own"}}},
    "unknown arguments": {"sentence_bert_config.json": {"tokenizer_args": {"tokenizer": "/x"}}},
    "a tokenizer elsewhere": {"sentence_bert_config.json": {"tokenizer_name_or_path": "/x"}},
    "a tokenizer class with a path": {"tokenizer_config.json": {"tokenizer_class": "evilmod.T"}},
    "a tokenizer class of a module": module(f"{_OLD}.WordEmbeddings", "0_WordEmbeddings") | {
        "0_WordEmbeddings/wordembedding_config.json": {"tokenizer_class": "evilmod.T"},
        "0_WordEmbeddings/model.safetensors": "",
    },
    "an activation": dense("evilmod.run"),
    "an activation of torch": dense("torch.hub.load"),
    "an activation that is no text": dense(["torch.nn.modules.activation.Tanh"]),
    "a route": router({"query_0": "evilmod.Evil"}),
    "a route of the old form": router({"query-0": "evilmod.Evil"}, "config.json"),
    "a route elsewhere": router({"../x": f"{_OLD}.Pooling"}),
    "routes that are no mapping": router(["evilmod.Evil"]),
    "a route in a route": router({"query_0": f"{_BASE}.router.Router"}) | {
        "0_Router/query_0/router_config.json": {"types": {"x": "evilmod.Evil"}}
    },
    "settings of a route": router({"query_0": f"{_OLD}.Dense"}) | {
        "0_Router/query_0/config.json": {"activation_function": "evilmod.run"}
    },
    "another kind of model": {"config_sentence_transformers.json": {"model_type": "CrossEncoder"}},
    "weights that are no safetensors": {"config.json": {"transformers_weights": "w.bin"}},
    "shards that are no safetensors": {
        "model.safetensors.index.json": {"weight_map": {"a": "pytorch_model-00001.bin"}}
    },
    "shards elsewhere": {"model.safetensors.index.json": {"weight_map": {"a": "../x.safetensors"}}},
    "a backbone of the hub": {"config.json": {"backbone": "a/b", "use_pretrained_backbone": True}},
}  # fmt: skip


@pytest.fixture
def no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that opens a model may be imported."""

    def fail(module: str, **_: object) -> None:
        raise AssertionError(f"{module} was imported before the folder was checked")

    for place in (huggingface, encoders):
        monkeypatch.setattr(place, "require", fail)


def is_one_line(error: InputError) -> bool:
    return str(error).isprintable() and len(str(error)) < 400


@pytest.mark.usefixtures("no_library")
@pytest.mark.parametrize("files", EVIL.values(), ids=EVIL.keys())
def test_a_folder_that_names_code_is_refused_before_a_library_is_imported(
    files: Files, tmp_path: Path
) -> None:
    folder = written(tmp_path / "evil", files)
    with pytest.raises(InputError, match="names code or a model elsewhere") as refused:
        Transformer(str(folder), name="evil").embed(["cat"])
    assert is_one_line(refused.value)


OPENERS: dict[str, Callable[[str], object]] = {
    "classifier": open_pretrained,
    "encoder": encoders.open_encoder,
    "masked words": lambda folder: encoders.open_encoder(folder, masked=True),
    "part of a saved classifier": lambda folder: encoders.load_folder(Path(folder), "saved"),
}


@pytest.mark.usefixtures("no_library")
@pytest.mark.parametrize("opener", OPENERS.values(), ids=OPENERS.keys())
def test_networks_of_classifiers_are_checked_too(
    opener: Callable[[str], object], tmp_path: Path
) -> None:
    folder = written(tmp_path / "evil", EVIL["code of the model"])
    with pytest.raises(InputError, match="names code or a model elsewhere"):
        opener(str(folder))


@pytest.mark.usefixtures("no_library")
@pytest.mark.parametrize("opener", [lambda name: Transformer(name, name=name).embed(["cat"]),
                                    encoders.open_encoder])  # fmt: skip
def test_a_model_of_the_hub_is_checked_after_its_download(
    opener: Callable[[str], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = written(tmp_path / ("a" * 40), EVIL["a class of the folder"])
    for place in (huggingface, encoders):
        monkeypatch.setattr(place, "cached_model", lambda *_, **__: None)
        monkeypatch.setattr(place, "fetch_model", lambda *_, **__: snapshot)
    with pytest.raises(InputError, match=r"owner/evil: modules\.json names code"):
        opener("owner/evil")


PICKLED: dict[str, Files] = {
    "of a module": module(f"{_OLD}.Dense", "2_Dense") | {"2_Dense/pytorch_model.bin": "cos\n"},
    "of a route": router({"query_0": f"{_OLD}.Dense"}) | {
        "0_Router/query_0/pytorch_model.bin": "cos\n"
    },
    "beside others": module(f"{_OLD}.StaticEmbedding", "0") | {
        "0/pytorch_model.bin": "cos\n", "0/other.safetensors": ""
    },
}  # fmt: skip


@pytest.mark.usefixtures("no_library")
@pytest.mark.parametrize("files", PICKLED.values(), ids=PICKLED.keys())
def test_pickled_weights_are_refused_in_every_folder(files: Files, tmp_path: Path) -> None:
    folder = written(tmp_path / "pickled", files)
    with pytest.raises(InputError, match="pickled: no weights in safetensors"):
        Transformer(str(folder), name="pickled").embed(["cat"])


@pytest.mark.usefixtures("no_library")
def test_an_adapter_is_refused_because_it_opens_another_model(tmp_path: Path) -> None:
    files = {"adapter_config.json": {"base_model_name_or_path": "/elsewhere"}}
    with pytest.raises(InputError, match="one: an adapter of another model"):
        Transformer(str(written(tmp_path / "one", files)), name="one").embed(["cat"])


@pytest.mark.parametrize(
    "content", ["{", "", "\ufeff{}", "[" * 100_000, "{'a': 1}", '{"a": "\\ud8'], ids=range(6)
)
@pytest.mark.parametrize("file", ["config.json", "modules.json", "1_Pooling/config.json"])
def test_settings_that_are_no_json_are_an_error_of_one_line(
    file: str, content: str, tmp_path: Path
) -> None:
    files = module(f"{_OLD}.Pooling", "1_Pooling") | {file: content}
    with pytest.raises(InputError, match="is damaged: no JSON") as refused:
        check_model_folder(written(tmp_path, files), "model")
    assert is_one_line(refused.value)


def test_what_a_message_quotes_stays_on_its_line(tmp_path: Path) -> None:
    folder = written(tmp_path, module("evil\x1b[2J\nmod\u202e.Evil" + "l" * 999))
    with pytest.raises(InputError, match="names code") as refused:
        check_model_folder(folder, "model")
    assert is_one_line(refused.value)


def test_modules_in_modules_have_an_end(tmp_path: Path) -> None:
    many = {f"r{number}": f"{_OLD}.Pooling" for number in range(200)}
    with pytest.raises(InputError, match="more than 100 folders of modules"):
        check_model_folder(written(tmp_path / "many", router(many)), "model")
    deep = router({"a/b/c": f"{_OLD}.Pooling"})
    with pytest.raises(InputError, match="more than 2 folders deep"):
        check_model_folder(written(tmp_path / "deep", deep), "model")
    itself = router({".": f"{_OLD}.Router", "./.": f"{_OLD}.Router"})
    check_model_folder(written(tmp_path / "itself", itself), "model")


# ---------------------------------------------------------------------- what is allowed


@pytest.mark.parametrize(
    "kind",
    [
        f"{_OLD}.Transformer",
        f"{_OLD}.Pooling.Pooling",
        f"{_BASE}.transformer.Transformer",
        f"{_BASE}.dense.Dense",
        f"{_NEW}.pooling.Pooling",
        f"{_NEW}.static_embedding.StaticEmbedding",
        f"{_OLD}.Asym",
    ],
)
def test_parts_of_sentence_transformers_are_known(kind: str, tmp_path: Path) -> None:
    check_model_folder(written(tmp_path, module(kind, "1_Any")), "model")


GOOD: dict[str, Files] = {
    "a plain model": {
        "config.json": {"model_type": "bart", "activation_function": "gelu_new", "auto_map": {}},
        "tokenizer_config.json": {"tokenizer_class": "BertTokenizer", "tokenizer_file": None},
        "vocab.json": {"auto_map": 7, "trust_remote_code": 8},
        "generation_config.json": {"transformers_version": "5.0"},
    },
    "attention of torch": {"config.json": {"_attn_implementation": "sdpa"}},
    "shards": {
        "model.safetensors.index.json": {"weight_map": {"a": "model-00001-of-00002.safetensors"}}
    },
    "a dense layer": dense("torch.nn.modules.activation.Tanh"),
    "no activation": dense("torch.nn.modules.linear.Identity"),
    "both kinds of weights": {"pytorch_model.bin": "never opened"},
    "words": module(f"{_OLD}.WordEmbeddings", "0_WordEmbeddings") | {
        "0_WordEmbeddings/wordembedding_config.json": {
            "tokenizer_class": f"{_OLD}.tokenizer.WhitespaceTokenizer.WhitespaceTokenizer"
        },
    },
    "settings of sentences": {
        "sentence_bert_config.json": {
            "max_seq_length": 128, "do_lower_case": False, "model_args": {},
            "model_kwargs": {"add_pooling_layer": False},
        },
        "config_sentence_transformers.json": {"model_type": "SentenceTransformer", "prompts": {}},
    },
    "routes": router({"query_0_Dense": f"{_BASE}.dense.Dense"}) | {
        "0_Router/query_0_Dense/config.json": {"activation_function": "torch.nn.ReLU"}
    },
}  # fmt: skip


@pytest.mark.parametrize("files", GOOD.values(), ids=GOOD.keys())
def test_usual_settings_are_allowed(files: Files, tmp_path: Path) -> None:
    check_model_folder(written(tmp_path, files), "model")


@needs_links
def test_all_files_that_are_opened_make_the_fingerprint(tmp_path: Path) -> None:
    files = router({"query_0": f"{_OLD}.Dense"}) | {"0_Router/query_0/config.json": {}}
    folder = written(tmp_path / "model", files)
    (folder / "link.json").symlink_to("nowhere")
    names = {path.relative_to(folder).as_posix() for path in model_files(folder)}
    assert names == {"config.json", "modules.json", "model.safetensors",
                     "0_Router/router_config.json", "0_Router/query_0/config.json"}  # fmt: skip


def test_versions_of_sentence_transformers_that_import_what_a_folder_names_are_not_installed() -> (
    None
):
    """From 6 on they refuse classes of others themselves; 4 and 5 import them."""
    project = tomllib.loads(Path(__file__).parents[4].joinpath("pyproject.toml").read_text())
    [line] = [
        line for line in project["project"]["optional-dependencies"]["minilm"]
        if line.startswith("sentence-transformers")
    ]  # fmt: skip
    lowest = re.search(r">=(\d+)", line)
    assert lowest
    assert int(lowest[1]) >= 6
