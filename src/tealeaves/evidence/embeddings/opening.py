"""From what a user names or gives to embeddings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError, MissingExtraError, did_you_mean
from tealeaves.evidence.embeddings.contents import State, states_of
from tealeaves.evidence.embeddings.embedder import Embedder
from tealeaves.evidence.embeddings.embeddings import Embeddings
from tealeaves.evidence.embeddings.known import KNOWN, default_name, opened
from tealeaves.evidence.embeddings.request import EmbeddingRequest

# what a path that leads nowhere may end in
_FILES = (
    *(".txt", ".vec", ".bin", ".ftz", ".kv", ".model", ".npy", ".npz", ".pkl", ".w2v"),
    *(".tsv", ".csv", ".json", ".parquet", ".safetensors"),
    *(".gz", ".bz2", ".zst", ".zip", ".tar"),
)


class Choice:
    """The embeddings that a user gave, each once, and those that have a name."""

    def __init__(self, given: Any = None) -> None:
        each: dict[str | int, Any] = {}
        for one in _several(given):
            each.setdefault(_identity(one), one)
        self.given = tuple(map(_embeddings, each.values()))
        names = [one.name for one in self.given]
        if twice := {name for name in names if names.count(name) > 1}:
            raise InputError(
                f"two embeddings are called {min(twice)}: Embeddings.of(..., name=...) names them"
            )

    def named(self, name: str | None) -> Embeddings:
        """Return the embedding that a metric names; if it names none, the one given, else ours."""
        if name is None:
            return self.given[0] if self.given else opened(default_name())
        for one in self.given:
            if one.name == name:
                return one
        return open_embeddings(name)

    def granted(self, wish: EmbeddingRequest) -> list[EmbeddingRequest]:
        """Return what is granted of a wish: each embedding given, or the one it names.

        One that is not installed is done without, and nothing is fetched from the hub for a wish.
        """
        if wish.embedding is None:
            return [replace(wish, embedding=one.name) for one in self.given]
        name = wish.embedding
        here = name in KNOWN or Path(name).expanduser().exists()
        if not here and not any(one.name == name for one in self.given):
            return []
        try:
            self.named(name)
        except MissingExtraError:
            return []
        return [wish]


def open_embeddings(name: str) -> Embeddings:
    """Return the embedding of that name: a known one, a file, a folder, or of Hugging Face."""
    if name in KNOWN:
        return opened(name)
    return _opened(name, _states(Path(name).expanduser()))


@lru_cache(maxsize=8)
def _opened(name: str, states: tuple[State, ...]) -> Embeddings:  # noqa: ARG001
    """Return the same one each time, unless its files have changed or are others."""
    return Embeddings(embedder_of(name))


def _states(path: Path) -> tuple[State, ...]:
    if path.is_dir():
        from tealeaves.evidence.embeddings.sources.weights import model_files

        return states_of(model_files(path))
    return states_of([path]) if path.exists() else ()


def embedder_of(given: Any) -> Embedder:
    """Return an embedder for a name, a path, a mapping, a function or an object."""
    if isinstance(given, str | os.PathLike):
        return _named(os.fspath(given))
    from tealeaves.evidence.embeddings.sources.objects import embedder_of_object

    return embedder_of_object(given)


def _named(name: str) -> Embedder:
    if name in KNOWN:
        return KNOWN[name].embedder()
    if not name.strip():
        raise InputError(f"an embedding without a name: there are {', '.join(KNOWN)}")
    path = Path(name).expanduser()
    if path.is_dir() or (not path.exists() and _is_hub_name(name)):
        from tealeaves.evidence.embeddings.sources.huggingface import Transformer

        return Transformer(str(path) if path.is_dir() else name, name=name)
    if path.exists():
        from tealeaves.evidence.embeddings.sources.files import open_file

        return open_file(path, name=name)
    raise InputError(_unknown(name))


def _is_hub_name(name: str) -> bool:
    """Tell ``owner/model`` from a path, so that no path is looked for in the network.

    It has one slash, no suffix of a file of vectors, and its first part is no folder here.
    """
    parts = name.split("/")
    owned = len(parts) == 2 and all(parts) and not parts[0].startswith((".", "~"))
    return owned and not name.lower().endswith(_FILES) and not Path(parts[0]).is_dir()


def _unknown(name: str) -> str:
    known = ", ".join(KNOWN)
    if "/" in name or "\\" in name or "." in name:
        return f"{name}: no such file of vectors or folder of a model, nor an embedding ({known})"
    meant = did_you_mean(name, KNOWN)
    others = "" if meant else "; a model of Hugging Face is named as owner/name, or by its folder"
    return f"no embedding is called {name}{meant} (there are {known}){others}"


def _several(given: Any) -> Sequence[Any]:
    """Tell one embedding from several: a list is several, anything else is one."""
    if given is None:
        return ()
    if isinstance(given, list | tuple):
        return given
    return (given,)


def _identity(given: Any) -> str | int:
    """Return what is the same for an embedding that is given twice."""
    if not isinstance(given, str | os.PathLike):
        return id(given)
    name = os.fspath(given)
    path = Path(name).expanduser()
    return name if name in KNOWN or not path.exists() else str(path.resolve())


def _embeddings(given: Any) -> Embeddings:
    if isinstance(given, Embeddings):
        return given
    if isinstance(given, str | os.PathLike):
        return open_embeddings(os.fspath(given))
    return Embeddings.of(given)
