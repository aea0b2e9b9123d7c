"""The folder of a selection: its trained models, and a manifest that says what they are."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.files import atomic_write, remove_leftovers
from tealeaves.models.base import Model
from tealeaves.models.plan import Planned
from tealeaves.topics.reading import read_topics
from tealeaves.topics.topics import Topics
from tealeaves.version import __version__

MANIFEST = "selection.json"
SUFFIX = ".topics"


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a selection was: enough to tell it from another, and to find its files."""

    corpus: str
    tokens: str
    models: dict[str, str]
    packages: dict[str, str] = {}
    files: list[str] = []
    format: str = "tealeaves-selection"
    tealeaves: str = __version__

    def differs(self, other: Manifest) -> str:
        """Say what is not the same, in a few words; nothing if all is."""
        if self.corpus != other.corpus:
            return f"the texts are others ({other.corpus}, not {self.corpus})"
        if self.tokens != other.tokens:
            return f"the tokens are others ({other.tokens}, not {self.tokens})"
        for name, expression in other.models.items():
            if self.models.get(name, expression) != expression:
                return f"the model is another ({expression}, not {self.models[name]})"
        versions = self.packages | {"tealeaves": self.tealeaves}
        for name, found in (other.packages | {"tealeaves": other.tealeaves}).items():
            if versions.get(name, found) != found:
                return f"{name} is another version ({found}, not {versions[name]})"
        return ""


class RunFolder:
    """A folder that holds a file a model; only files that the manifest names are touched."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def check(self, *, resume: bool, restart: bool) -> None:
        """Refuse, before any work is done, a folder that cannot be used as asked."""
        parent = self.path if self.path.is_dir() else self.path.parent
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path}: a file, not a folder: name another with -o")
        if not os.access(parent, os.W_OK | os.X_OK):
            raise InputError(f"{parent}: not a folder that can be written to")
        if not self.path.exists() or not any(self.path.iterdir()):
            return
        if self.manifest() is None:
            raise InputError(f"{self.path} holds other files: name another folder with -o")
        if not resume and not restart:
            raise InputError(
                f"{self.path} holds a selection: --resume to go on with it, --restart to begin anew"
            )

    def manifest(self) -> Manifest | None:
        """Return the manifest, where there is one."""
        path = self.path / MANIFEST
        if not path.is_file():
            return None
        try:
            return msgspec.json.decode(path.read_bytes(), type=Manifest)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(
                f"{path}: not the manifest of a selection: {error}; name another folder"
            ) from error

    def begin(self, wanted: Manifest, *, restart: bool) -> None:
        """Note what is going to be trained; what is there must be of the same kind."""
        self.path.mkdir(exist_ok=True)
        known = self.manifest()
        for name in wanted.files:
            if (self.path / name).exists() and (known is None or name not in known.files):
                raise InputError(f"{self.path / name} is not of this selection: move it away")
        if known is not None and restart:
            self._clear(known)
            known = None
        if known is not None:
            if why := known.differs(wanted):
                raise InputError(f"{self.path} cannot be resumed: {why}; --restart begins anew")
            wanted = msgspec.structs.replace(
                wanted,
                models=known.models | wanted.models,
                packages=known.packages | wanted.packages,
                files=sorted({*known.files, *wanted.files}),
            )
        for name in (MANIFEST, *wanted.files):
            remove_leftovers(self.path / name)
        if wanted != known:
            with atomic_write(self.path / MANIFEST) as stream:
                stream.write(msgspec.json.format(msgspec.json.encode(wanted), indent=2) + b"\n")

    def _clear(self, known: Manifest) -> None:
        """Remove the models of another selection, and nothing else."""
        for name in known.files:
            if Path(name).name == name and name.endswith(SUFFIX):
                (self.path / name).unlink(missing_ok=True)
        (self.path / MANIFEST).unlink()

    def file(self, label: str) -> Path:
        """Return where the model of this name is kept."""
        return self.path / f"{label}{SUFFIX}"

    def holds(self, one: Planned, documents: int) -> bool:
        """Tell whether a model is trained, of so many documents; a damaged file does not count."""
        file = self.file(one.label)
        if not file.is_file():
            return False
        try:
            found = read_topics(file)
        except InputError as error:
            message = f"{' '.join(str(error).split())}: it is trained again"
            warnings.warn(message, TealeavesWarning, stacklevel=2)
            return False
        wanted = (one.label, one.model.family, documents)
        if (found.model, found.family, found.documents) != wanted:
            raise InputError(f"{file} holds another model, not {one.model!r}: remove it")
        return True

    def load(self, label: str) -> Topics:
        """Read a trained model."""
        return replace(read_topics(self.file(label)), model=label)


class Saved(Mapping[str, Topics]):
    """The models of a folder by name, each read when it is asked for: memory may not hold all."""

    def __init__(self, folder: RunFolder, labels: Sequence[str]) -> None:
        self._folder = folder
        self._labels = list(labels)

    def __getitem__(self, label: str) -> Topics:
        if label not in self._labels:
            raise KeyError(label)
        return self._folder.load(label)

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)


def versions_of(models: list[Model]) -> dict[str, str]:
    """Return the versions of the packages that models are made with."""
    found = {}
    for package in sorted({name for model in models for name in model.packages}):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found
