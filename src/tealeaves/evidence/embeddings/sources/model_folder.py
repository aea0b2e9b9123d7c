"""Folders of models in the format of Hugging Face: their files, and what is refused in them.

Settings of a model may name code: a class of its own, a kernel of the hub, a model elsewhere. The
libraries that open a folder import some of it. So we read all settings before they do, and refuse
what is not among the parts that we know. Weights are read from safetensors alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn

import msgspec

from tealeaves.errors import InputError
from tealeaves.json_data import decode_python_json
from tealeaves.system import sorted_paths

#: The settings of a folder; one of them makes it a model.
SETTINGS = ("config.json", "modules.json")
# the files of a model: settings, tokenizer and weights, in its folder and those of its modules,
# which may have modules in turn
_SUFFIXES = (".safetensors", ".json", ".txt", ".model")
FILE_PATTERNS = [f"{depth}*{suffix}" for depth in ("", "*/", "*/*/") for suffix in _SUFFIXES]
_DEEPEST = 2  # as the patterns
_MOST_FOLDERS = 100

_WORD = r"[A-Za-z_]\w*"
# parts of sentence-transformers, as its versions name them
_ROUTERS = frozenset({"Router", "Asym"})
_PARTS = (
    *("Transformer", "Pooling", "Normalize", "Dense", "Dropout", "LayerNorm", "LSTM", "CNN"),
    *("BoW", "WordEmbeddings", "WordWeights", "WeightedLayerPooling", "StaticEmbedding"),
    *("CLIPModel", *sorted(_ROUTERS)),
)
_PACKAGES = r"sentence_transformers\.(?:models|base\.modules|sentence_transformer\.modules)"
_PART = re.compile(rf"{_PACKAGES}(?:\.{_WORD})?\.({'|'.join(_PARTS)})", re.ASCII)
_TOKENIZER = re.compile(
    rf"{_WORD}|{_PACKAGES}\.tokenizer(?:\.{_WORD})?\.(?:Whitespace|Phrase)Tokenizer"
    rf"|{_PACKAGES}\.tokenizer(?:\.{_WORD})?\.TransformersTokenizerWrapper",
    re.ASCII,
)
_ACTIVATION = re.compile(rf"{_WORD}|torch\.nn\.(?:modules\.\w+\.)?{_WORD}", re.ASCII)
# ways to compute attention that are in torch; others are downloaded as kernels
_COMPUTED = frozenset({None, "", "eager", "sdpa", "flex_attention", "grouped_mm", "batched_mm"})
_SHARDS = re.compile(r"[\w.-]+\.safetensors", re.ASCII)
_WEIGHTS_INDEX = re.compile(r"[\w.-]+\.safetensors(?:\.index\.json)?", re.ASCII)
# what settings may set of the classes that sentence-transformers calls
_ARGUMENTS = frozenset(
    {
        *("add_pooling_layer", "add_prefix_space", "attn_implementation", "do_lower_case", "dtype"),
        *("max_length", "max_position_embeddings", "model_max_length", "padding", "padding_side"),
        *("torch_dtype", "truncation", "truncation_side", "use_fast"),
    }
)


def _is_empty(value: Any) -> bool:
    return not value


def _matches(pattern: re.Pattern[str]) -> Callable[[Any], bool]:
    return lambda value: not value or (isinstance(value, str) and bool(pattern.fullmatch(value)))


def _is_computed(value: Any) -> bool:
    values = value.values() if isinstance(value, dict) else [value]
    return all(isinstance(one, str | None) and one in _COMPUTED for one in values)


def _are_arguments(value: Any) -> bool:
    return not value or (isinstance(value, dict) and value.keys() <= _ARGUMENTS)


def _are_shards(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_matches(_SHARDS), value.values()))


# What settings may say, by the key, wherever it is: anything else names code, or a model elsewhere.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(
        (
            *("auto_map", "trust_remote_code", "custom_pipelines", "custom_generate"),
            *("adapter_kwargs", "gguf_file", "kernel_config", "quantization_config"),
            *("tokenizer_name_or_path", "use_kernels", "use_pretrained_backbone"),
            "use_timm_backbone",
        ),
        _is_empty,
    ),
    **dict.fromkeys(
        [f"{start}_implementation{end}"
         for start in ("attn", "_attn", "experts", "_experts") for end in ("", "_internal")],
        _is_computed,
    ),
    **dict.fromkeys(
        [f"{what}_{end}" for what in ("model", "tokenizer", "processor", "config")
         for end in ("args", "kwargs")],
        _are_arguments,
    ),
    **dict.fromkeys(
        ("activation_function", "activation_fn", "sbert_ce_default_activation_function"),
        _matches(_ACTIVATION),
    ),
    "tokenizer_class": _matches(_TOKENIZER),
    "transformers_weights": _matches(_WEIGHTS_INDEX),
    "weight_map": _are_shards,
}  # fmt: skip


def model_files(folder: Path) -> list[Path]:
    """Return the files of a model in the format of Hugging Face, in order."""
    paths = {path for pattern in FILE_PATTERNS for path in folder.glob(pattern)}
    return sorted_paths(path for path in paths if path.is_file())  # a link may lead nowhere


def has_safe_weights(folder: Path) -> bool:
    """Tell whether a model has weights in safetensors, in its folder or in that of a module."""
    return any(folder.glob("*.safetensors")) or any(folder.glob("*/*.safetensors"))


def check_model_folder(folder: Path, name: str) -> None:
    """Refuse a model that could run code when it is opened; no library is imported.

    Parameters
    ----------
    folder
        Where it is; for a model of the hub, where it was downloaded to.
    name
        What messages call it.
    """
    if not has_safe_weights(folder):
        _refuse_weights(name)
    for place, settings in _module_folders(folder, name).items():
        _check_weights(place, name)
        for path, value in settings:
            _check_settings(value, f"{name}: {path.relative_to(folder).as_posix()}")


_Settings = list[tuple[Path, Any]]


def _module_folders(folder: Path, name: str) -> dict[Path, _Settings]:
    """Return the folders that a library opens, with the settings in each."""
    folders = {folder: _settings(folder, name)}
    modules = _read_json(folder / "modules.json", name) if _has(folder, "modules.json") else []
    if not isinstance(modules, list):
        _refuse(f"{name}: modules.json", "modules", modules)
    todo = [(folder, _module(entry, f"{name}: modules.json")) for entry in modules]
    routers = set()
    while todo:
        parent, (path, part) = todo.pop()
        place = parent / path
        if place not in folders:
            _check_place(place.relative_to(folder), len(folders), name)
            folders[place] = _settings(place, name)
        if part in _ROUTERS and place not in routers:
            routers.add(place)
            todo += [(place, route) for route in _routes(folders[place], name)]
    return folders


def _check_place(path: Path, folders: int, name: str) -> None:
    """Refuse a folder whose files are not among those that make the fingerprint, or too many."""
    if len(path.parts) > _DEEPEST:
        raise InputError(
            f"{name}: a module in {path.as_posix()}: more than {_DEEPEST} folders deep"
        )
    if folders == _MOST_FOLDERS:
        raise InputError(f"{name}: more than {_MOST_FOLDERS} folders of modules")


def _module(entry: Any, where: str) -> tuple[str, str]:
    """Return the folder of a module, and which part of sentence-transformers it is."""
    if not isinstance(entry, dict):
        _refuse(where, "module", entry)
    path, kind = entry.get("path", ""), entry.get("type")
    match = _PART.fullmatch(kind) if isinstance(kind, str) else None
    if match is None:
        _refuse(where, "type", kind)
    if not isinstance(path, str) or not _is_below(path):
        _refuse(where, "path", path)
    return path, match[1]


def _is_below(path: str) -> bool:
    """Tell whether a path stays in its folder, on all systems."""
    parts = PurePosixPath(path)
    is_plain = not any(sign in path for sign in ("\\", ":", "\0"))
    return is_plain and not parts.is_absolute() and ".." not in parts.parts


def _routes(settings: Iterable[tuple[Path, Any]], name: str) -> Iterator[tuple[str, str]]:
    """Yield the modules of a router, whose settings list them with their classes."""
    for path, value in settings:
        types = value.get("types") if isinstance(value, dict) else None
        if types is None:
            continue
        where = f"{name}: {path.parent.name}/{path.name}"
        if not isinstance(types, dict):
            _refuse(where, "types", types)
        for part, kind in types.items():
            yield _module({"path": part, "type": kind}, where)


def _has(folder: Path, file: str) -> bool:
    return (folder / file).is_file()


def _check_weights(place: Path, name: str) -> None:
    """Refuse a folder of a module whose weights a library would unpickle, and an adapter."""
    is_safe = _has(place, "model.safetensors") or _has(place, "model.safetensors.index.json")
    if not is_safe and any(place.glob("pytorch_model*")):
        _refuse_weights(name)
    if _has(place, "adapter_config.json"):
        raise InputError(
            f"{name}: an adapter of another model, which would be opened unchecked: save both as "
            "one model (merge_and_unload of peft)"
        )


def _refuse_weights(name: str) -> NoReturn:
    raise InputError(
        f"{name}: no weights in safetensors; others, such as pytorch_model.bin, can "
        "run code when they are loaded; save_pretrained writes safetensors"
    )


def _settings(place: Path, name: str) -> _Settings:
    """Return the settings in a folder, if there is one; vocabularies are not settings."""
    try:
        paths = [path for path in place.iterdir() if _is_settings(path)] if place.is_dir() else []
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: the folder {place.name}: {error}") from error
    return [(path, _read_json(path, name)) for path in sorted_paths(paths)]


def _is_settings(path: Path) -> bool:
    name = path.name.lower()
    is_listed = "config" in name or name == "modules.json" or name.endswith(".index.json")
    return is_listed and name.endswith(".json") and path.is_file()


def _read_json(path: Path, name: str) -> Any:
    """Read JSON as the libraries do, so that both see the same."""
    try:
        return decode_python_json(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise InputError(f"{name}: {path.name}: {error.strerror}") from error
    except (UnicodeDecodeError, msgspec.DecodeError) as error:
        raise InputError(f"{name}: {path.name} is damaged: no JSON ({error})") from error


def _check_settings(settings: Any, where: str) -> None:
    kind = settings.get("model_type") if isinstance(settings, dict) else None
    if where.endswith("config_sentence_transformers.json") and kind not in (
        None,
        "SentenceTransformer",
    ):
        _refuse(where, "model_type", kind)
    for key, value in _entries(settings):
        if key in _ALLOWED and not _ALLOWED[key](value):
            _refuse(where, key, value)


def _entries(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the keys and values of settings, at every depth."""
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, dict):
            yield from one.items()
            todo += one.values()
        elif isinstance(one, list):
            todo += one


def _refuse(where: str, key: str, value: Any) -> NoReturn:
    is_plain = value is None or isinstance(value, str | int | float)
    shown = json.dumps(value) if is_plain else f"a {type(value).__name__}"  # ASCII, on one line
    raise InputError(
        f"{where} names code or a model elsewhere ({key}: {shown[:60]}), which is never run: "
        "use a model of known parts only"
    )
