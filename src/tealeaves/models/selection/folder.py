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
from tealeaves.files import atomic_write, check_folder_writable, remove_leftovers
from tealeaves.jobs import check_resume_options
from tealeaves.json_data import decode_json
from tealeaves.json_files import with_checksum, without_checksum
from tealeaves.models.model import Model
from tealeaves.models.selection.grid import PlannedRun
from tealeaves.topics.reading import read_topics
from tealeaves.topics.topics import Topics
from tealeaves.version import __version__

MANIFEST = "selection.json"
SUFFIX = ".topics"


class SelectionManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a selection is made of: it identifies the selection and names its files."""

    corpus: str
    tokens: str
    models: dict[str, str]
    packages: dict[str, str] = {}
    files: list[str] = []
    format: str = "tealeaves-selection"
    tealeaves: str = __version__

    def differs(self, other: SelectionManifest) -> str:
        """Return what differs, in a few words; empty if nothing does."""
        if self.corpus != other.corpus:
            return f"the texts differ ({other.corpus}, not {self.corpus})"
        if self.tokens != other.tokens:
            return f"the tokens differ ({other.tokens}, not {self.tokens})"
        for name, expression in other.models.items():
            if self.models.get(name, expression) != expression:
                return f"the model differs ({expression}, not {self.models[name]})"
        versions = self.packages | {"tealeaves": self.tealeaves}
        for name, theirs in (other.packages | {"tealeaves": other.tealeaves}).items():
            if versions.get(name, theirs) != theirs:
                return f"the version of {name} differs ({theirs}, not {versions[name]})"
        return ""


class SelectionFolder:
    """A folder with one file per model; only files that the manifest names are touched."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def check(self, *, resume: bool, restart: bool) -> None:
        """Raise an error, before any work is done, if the folder cannot be used."""
        check_resume_options(resume=resume, restart=restart)
        parent = self.path if self.path.is_dir() else self.path.parent
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path}: a file, not a folder: name another with -o")
        check_folder_writable(parent)
        if self.path.is_dir():
            remove_leftovers(self.path / MANIFEST)  # of a run that was killed before its first file
        if not self.path.exists() or not any(self.path.iterdir()):
            return
        if self.manifest() is None:
            raise InputError(f"{self.path} holds other files: name another folder with -o")
        if not resume and not restart:
            raise InputError(
                f"{self.path} holds a selection: --resume continues it, --restart starts again"
            )

    def manifest(self) -> SelectionManifest | None:
        """Return the manifest, or None if there is none."""
        path = self.path / MANIFEST
        if not path.is_file():
            return None
        try:
            return decode_json(without_checksum(path.read_bytes(), str(path)), SelectionManifest)
        except msgspec.DecodeError as error:
            raise InputError(
                f"{path}: not the manifest of a selection: {error}; name another folder"
            ) from error

    def begin(self, manifest: SelectionManifest, *, restart: bool) -> None:
        """Write what is going to be trained; a selection that is there must be the same."""
        self.path.mkdir(exist_ok=True)
        known = self.manifest()
        for name in manifest.files:
            if (self.path / name).exists() and (known is None or name not in known.files):
                raise InputError(
                    f"{self.path / name} does not belong to this selection: move it away"
                )
        if known is not None and restart:
            self._clear(known)
            known = None
        if known is not None:
            if difference := known.differs(manifest):
                raise InputError(
                    f"{self.path} cannot be resumed: {difference}; --restart starts again"
                )
            manifest = msgspec.structs.replace(
                manifest,
                models=known.models | manifest.models,
                packages=known.packages | manifest.packages,
                files=sorted({*known.files, *manifest.files}),
            )
        for name in (MANIFEST, *manifest.files):
            remove_leftovers(self.path / name)
        if manifest != known:
            with atomic_write(self.path / MANIFEST) as stream:
                content = with_checksum(msgspec.json.encode(manifest))
                stream.write(msgspec.json.format(content, indent=2) + b"\n")

    def _clear(self, known: SelectionManifest) -> None:
        """Remove the models of another selection, and nothing else."""
        for name in known.files:
            if Path(name).name == name and name.endswith(SUFFIX):
                (self.path / name).unlink(missing_ok=True)
        (self.path / MANIFEST).unlink()

    def file(self, label: str) -> Path:
        """Return the file of the model with this label."""
        return self.path / f"{label}{SUFFIX}"

    def has_trained(self, run: PlannedRun, documents: int) -> bool:
        """Tell whether a model is trained on so many documents; a damaged file does not count."""
        file = self.file(run.label)
        if not file.is_file():
            return False
        try:
            topics = read_topics(file)
        except InputError as error:
            message = f"{' '.join(str(error).split())}: it is trained again"
            warnings.warn(message, TealeavesWarning, stacklevel=2)
            return False
        expected = (run.label, run.model.family, documents)
        if (topics.model, topics.family, topics.documents) != expected:
            raise InputError(f"{file} holds another model, not {run.model!r}: remove it")
        return True

    def describe_trained(self) -> str:
        """Say that there are trained models; empty if there are none."""
        is_begun = any(self.path.glob(f"*{SUFFIX}"))
        return f"{self.path} holds the models that are trained" if is_begun else ""


class SavedModels(Mapping[str, Topics]):
    """The models of a folder by label. Each is read when it is looked up, to save memory."""

    def __init__(self, folder: SelectionFolder, labels: Sequence[str]) -> None:
        self._folder = folder
        self._labels = list(labels)

    def __getitem__(self, label: str) -> Topics:
        if label not in self._labels:
            raise KeyError(label)
        return replace(read_topics(self._folder.file(label)), model=label)

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)


def package_versions(models: list[Model]) -> dict[str, str]:
    """Return the versions of the packages that models need."""
    versions = {}
    for package in sorted({name for model in models for name in model.packages}):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    return versions
