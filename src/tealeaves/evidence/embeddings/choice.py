"""The choice of embeddings: by name, file, folder or object, as a user or a metric names them."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError, MissingExtraError, did_you_mean
from tealeaves.evidence.embeddings.catalogue import NAMED_EMBEDDINGS, default_name, open_named
from tealeaves.evidence.requests import EmbeddingRequest
from tealeaves.memo import Identity

if TYPE_CHECKING:
    from tealeaves.evidence.embeddings.embeddings import Embedder, Embeddings
    from tealeaves.evidence.embeddings.fingerprints import FileState

# suffixes of files: a name that ends in one is a path, not a model of the hub
_FILE_SUFFIXES = (
    *(".txt", ".vec", ".bin", ".ftz", ".kv", ".model", ".npy", ".npz", ".pkl", ".w2v"),
    *(".tsv", ".csv", ".json", ".parquet", ".safetensors"),
    *(".gz", ".bz2", ".zst", ".zip", ".tar"),
)


class EmbeddingChoice:
    """The embeddings that a user has ``chosen``, each once; metrics may name others.

    Parameters
    ----------
    sources
        One embedding or a list of several: names, paths, objects, or ``Embeddings``.
    """

    def __init__(self, sources: Any = None) -> None:
        if not isinstance(sources, list | tuple):
            sources = () if sources is None else (sources,)
        distinct: dict[str | Identity, Any] = {}
        for one in sources:
            distinct.setdefault(_identity(one), one)
        self.chosen = tuple(map(_open, distinct.values()))
        names = [one.name for one in self.chosen]
        if repeated := {name for name in names if names.count(name) > 1}:
            raise InputError(
                f"two embeddings are called {min(repeated)}; name them with "
                "Embeddings.of(..., name=...)"
            )

    def by_name(self, name: str | None) -> Embeddings:
        """Return the embedding of that name; for None, the first chosen or the default."""
        if name is None:
            return self.chosen[0] if self.chosen else open_named(default_name())
        for one in self.chosen:
            if one.name == name:
                return one
        return open_embeddings(name)

    def available_requests(self, optional: EmbeddingRequest) -> list[EmbeddingRequest]:
        """Return the requests to make for an optional one; nothing is downloaded for it.

        Without a name, it is made of each chosen embedding. With the name of one that is not
        installed or not on this machine, it is not made at all.
        """
        name = optional.embedding
        if name is None:
            return [replace(optional, embedding=one.name) for one in self.chosen]
        is_local = name in NAMED_EMBEDDINGS or Path(name).expanduser().exists()
        if not is_local and all(one.name != name for one in self.chosen):
            return []
        try:
            self.by_name(name)
        except MissingExtraError:
            return []
        return [optional]


def open_embeddings(name: str) -> Embeddings:
    """Return the embedding of that name: of the catalogue, a file, a folder, or of Hugging Face.

    The same object is returned each time, unless the files have changed.
    """
    if name in NAMED_EMBEDDINGS:
        return open_named(name)
    return _open_path(name, _path_states(Path(name).expanduser()))


@lru_cache(maxsize=8)
def _open_path(name: str, states: tuple[FileState, ...]) -> Embeddings:  # noqa: ARG001
    from tealeaves.evidence.embeddings.embeddings import Embeddings

    return Embeddings(make_embedder(name))


def _path_states(path: Path) -> tuple[FileState, ...]:
    from tealeaves.evidence.embeddings.fingerprints import file_states

    if path.is_dir():
        from tealeaves.evidence.embeddings.sources.model_folder import model_files

        return file_states(model_files(path))
    return file_states([path]) if path.exists() else ()


def make_embedder(source: Any) -> Embedder:
    """Return a new embedder for a name, a path, a mapping, a function or an object."""
    if isinstance(source, str | os.PathLike):
        return _embedder_by_name(os.fspath(source))
    from tealeaves.evidence.embeddings.sources.objects import embedder_of_object

    return embedder_of_object(source)


def _embedder_by_name(name: str) -> Embedder:
    if name in NAMED_EMBEDDINGS:
        return NAMED_EMBEDDINGS[name].embedder()
    if not name.strip():
        raise InputError(f"an embedding without a name: there are {', '.join(NAMED_EMBEDDINGS)}")
    path = Path(name).expanduser()
    if path.is_dir() or (not path.exists() and _is_hub_name(name)):
        from tealeaves.evidence.embeddings.sources.huggingface import Transformer

        return Transformer(str(path) if path.is_dir() else name, name=name)
    if path.exists():
        from tealeaves.evidence.embeddings.sources.vector_files import open_file

        return open_file(path, name=name)
    raise _unknown_name(name)


def _is_hub_name(name: str) -> bool:
    """Tell ``owner/model`` from a path, so that no path is looked for in the network.

    It has one slash and no suffix of a file, and its first part is no folder here.
    """
    parts = name.split("/")
    has_owner = len(parts) == 2 and all(parts) and not parts[0].startswith((".", "~"))
    is_path = name.lower().endswith(_FILE_SUFFIXES) or Path(parts[0]).is_dir()
    return has_owner and not is_path


def _unknown_name(name: str) -> InputError:
    if "/" in name or "\\" in name or "." in name:
        names = ", ".join(NAMED_EMBEDDINGS)
        return InputError(
            f"{name}: no such file of vectors or folder of a model, nor an embedding ({names})"
        )
    error = NAMED_EMBEDDINGS.unknown(name)
    if did_you_mean(name, NAMED_EMBEDDINGS):
        return error
    return InputError(f"{error}; a model of Hugging Face is named as owner/name, or by its folder")


def _identity(source: Any) -> str | Identity:
    """Return a key that is the same for an embedding that is given twice."""
    if not isinstance(source, str | os.PathLike):
        return Identity(source)
    name = os.fspath(source)
    path = Path(name).expanduser()
    return name if name in NAMED_EMBEDDINGS or not path.exists() else str(path.resolve())


def _open(source: Any) -> Embeddings:
    """Open a path or a name once for all; anything else gives new embeddings."""
    from tealeaves.evidence.embeddings.embeddings import Embeddings

    is_name = isinstance(source, str | os.PathLike)
    return open_embeddings(os.fspath(source)) if is_name else Embeddings.of(source)
