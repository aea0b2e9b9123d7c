"""Folders of classifiers: settings in JSON, weights in safetensors, never pickled.

``classifier.json`` is put in place last and has the checksums of all other files, so that a folder
is either complete or refused. A classifier that is replaced stays complete until the new one is.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import (
    Classifier,
    Kind,
    Origin,
    head_tensors,
)
from tealeaves.evidence.attention.classifiers.encoders import load_folder, load_stored
from tealeaves.evidence.attention.network.head import Dense, Function, Head, Pooling, Scaling
from tealeaves.evidence.embeddings.sources.huggingface import quiet_transformers
from tealeaves.extras import require
from tealeaves.files import (
    atomic_write,
    check_folder_writable,
    move_into_place,
    remove_abandoned_folders,
    remove_leftovers,
    temporary_folder,
)
from tealeaves.json_data import decode_json
from tealeaves.json_files import with_checksum, without_checksum
from tealeaves.system import sorted_paths
from tealeaves.version import __version__

_SETTINGS, _HEAD, _ENCODER = "classifier.json", "head.safetensors", "encoder"
_FORMAT = "tealeaves classifier 1"
#: The folder, inside that of the classifier, with the state of an unfinished training.
CHECKPOINTS = "checkpoints"
_NEW = ".saving-"  # the start of the name of a folder with new files until they are complete


class _Step(msgspec.Struct, frozen=True):
    function: Function
    eps: float | None  # of the layer normalisation, where there is one


class _Description(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    name: str
    kind: Kind
    labels: tuple[str, ...]
    longest: int
    pooling: Pooling
    steps: tuple[_Step, ...]
    origin: Origin | None
    dtype: str
    encoder_fingerprint: str
    fingerprint: str
    report: dict[str, Any]
    versions: dict[str, str]
    files: dict[str, str]  # sha256 by path


class _Unfinished(msgspec.Struct, frozen=True):
    format: str
    finished: bool = False


def save_classifier(classifier: Classifier, folder: str | os.PathLike[str]) -> None:
    """Write a classifier to a folder that is new, empty, or holds a classifier already."""
    safetensors = require("safetensors", extra="relevance", reason="a classifier")
    place = prepare_folder(folder)
    try:
        with _new_folder(place) as new:
            _write(classifier, new)
            _move_files(new, place)
    except (OSError, safetensors.SafetensorError) as error:  # the latter from a full disk, too
        why = getattr(error, "strerror", None) or " ".join(str(error).split())
        raise InputError(f"{folder}: the classifier cannot be saved: {why}") from error


@contextmanager
def _new_folder(place: Path) -> Iterator[Path]:
    """Make a folder for the new files, on the same disk; those of killed runs are removed."""
    try:
        with temporary_folder(place, _NEW) as new:
            yield new
    finally:
        with suppress(OSError):  # the folder is empty if nothing was saved
            place.rmdir()


def _write(classifier: Classifier, new: Path) -> None:
    safetensors = require("safetensors.torch", extra="relevance", reason="a classifier")
    tensors = {
        name: tensor.detach().cpu().clone().contiguous()
        for name, tensor in head_tensors(classifier.head).items()
    }
    with atomic_write(new / _HEAD) as stream:
        stream.write(safetensors.save(tensors))
    files = [new / _HEAD]
    if classifier.origin is None:
        with quiet_transformers():
            classifier.model.save_pretrained(new / _ENCODER)
            classifier.tokenizer.save_pretrained(new / _ENCODER)
        files += sorted_paths(path for path in (new / _ENCODER).rglob("*") if path.is_file())
    sums = {path.relative_to(new).as_posix(): _sha256(path) for path in files}
    _write_json(new / _SETTINGS, _description(classifier, sums))


def _move_files(new: Path, place: Path) -> None:
    """Replace the old files by the new ones: only names change, which takes no time."""
    if not (place / _SETTINGS).exists():  # until then the folder is ours, and incomplete
        _write_json(place / _SETTINGS, _Unfinished(_FORMAT))
    if (place / _ENCODER).exists():
        (place / _ENCODER).rename(new / "old")
    if (new / _ENCODER).exists():
        (new / _ENCODER).rename(place / _ENCODER)
    for name in (_HEAD, _SETTINGS):
        move_into_place(new / name, place / name)


def prepare_folder(folder: str | os.PathLike[str]) -> Path:
    """Make a folder for a classifier; one that holds something else is an error."""
    place = check_folder(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}") from error
    return place


def check_folder(folder: str | os.PathLike[str]) -> Path:
    """Raise for a place where no classifier can be saved; nothing is made."""
    place = Path(folder).expanduser()
    if place.exists() and not place.is_dir():
        raise InputError(f"{folder}: a file, where a folder for the classifier is needed")
    parent = next(path for path in (place, *place.absolute().parents) if path.exists())
    check_folder_writable(parent)
    others = _others(place, folder) if place.is_dir() else set()
    if others and not _is_ours(place):
        raise InputError(
            f"{folder}: it holds something else ({min(others)}): name a new or an empty folder"
        )
    return place


def _others(place: Path, folder: str | os.PathLike[str]) -> set[str]:
    """Return what a folder holds besides checkpoints and leftovers of killed runs."""
    try:
        remove_leftovers(place / _SETTINGS)
        remove_abandoned_folders(place, _NEW)  # a run may be killed after its last file was saved
        return {path.name for path in place.iterdir()} - {CHECKPOINTS}
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}") from error


def is_classifier(folder: Path) -> bool:
    """Tell whether a folder was made for a classifier, whether it is complete or not."""
    return (folder / _SETTINGS).is_file() or (folder / _HEAD).is_file()


def saved_fit(folder: str | os.PathLike[str]) -> str | None:
    """Return what identifies the fit of a classifier; None if the folder has no complete one."""
    try:
        description = _read_description(Path(folder).expanduser(), folder)
    except InputError:
        return None
    return str(description.report.get("fit", ""))


def load_classifier(folder: str | os.PathLike[str]) -> Classifier:
    """Read a classifier, and check all its files and the encoder that it refers to."""
    place = Path(folder).expanduser()
    description = _read_description(place, folder)
    for name, expected in description.files.items():
        _check_file(place, name, expected)
    if description.origin is None:
        encoder = load_folder(place / _ENCODER, str(folder), description.dtype)
    else:
        encoder = load_stored(description.origin, str(folder))
    classifier = Classifier(
        name=description.name,
        model=encoder.model,
        tokenizer=encoder.tokenizer,
        head=_read_head(place, description),
        labels=description.labels,
        longest=description.longest,
        kind=description.kind,
        report=description.report,
        origin=description.origin,
    )
    _check_fingerprints(classifier, description, folder)
    return classifier


def _check_fingerprints(
    classifier: Classifier, description: _Description, folder: str | os.PathLike[str]
) -> None:
    if classifier.encoder_fingerprint != description.encoder_fingerprint:
        origin = classifier.origin
        which = (origin.name or origin.source) if origin else _ENCODER
        raise InputError(
            f"{folder}: the encoder {which} is not the one that this classifier was fitted on: "
            "bring that one back, or fit again"
        )
    if classifier.fingerprint != description.fingerprint:
        raise InputError(f"{folder}: {_SETTINGS} was changed after it was saved: fit again")


def _description(classifier: Classifier, sums: dict[str, str]) -> _Description:
    steps = classifier.head.steps
    packages = {name: require(name, extra="relevance", reason="a classifier") for name in _USED}
    return _Description(
        format=_FORMAT,
        name=classifier.name,
        kind=classifier.kind,
        labels=classifier.labels,
        longest=classifier.longest,
        pooling=classifier.head.pooling,
        steps=tuple(_Step(step.function, step.norm and step.norm.eps) for step in steps),
        origin=classifier.origin,
        dtype=str(classifier.model.dtype).removeprefix("torch."),
        encoder_fingerprint=classifier.encoder_fingerprint,
        fingerprint=classifier.fingerprint,
        report=classifier.report,
        versions={"tealeaves": __version__}
        | {name: str(package.__version__) for name, package in packages.items()},
        files=sums,
    )


_USED = ("torch", "transformers")


def _read_description(place: Path, folder: str | os.PathLike[str]) -> _Description:
    try:
        content = (place / _SETTINGS).read_bytes()
    except FileNotFoundError as error:
        if (place / _HEAD).is_file():
            raise InputError(
                f"{folder}: not a complete classifier: {_SETTINGS} is missing"
            ) from error
        raise InputError(f"{folder}: no classifier, which has a {_SETTINGS}") from error
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}") from error
    if not _is_ours(place):
        raise InputError(f"{folder}: {_SETTINGS} is not that of a classifier of tealeaves")
    try:
        return decode_json(without_checksum(content, f"{folder}: {_SETTINGS}"), _Description)
    except msgspec.DecodeError as error:
        raise InputError(
            f"{folder}: not a complete classifier, its saving was not finished: fit and save it "
            "again"
        ) from error


def _is_ours(place: Path) -> bool:
    try:
        settings = decode_json((place / _SETTINGS).read_bytes(), _Unfinished)
    except (OSError, msgspec.DecodeError):
        return False
    return settings.format == _FORMAT


def _check_file(place: Path, name: str, expected: str) -> None:
    path = place / name
    if not path.is_file():
        raise InputError(f"{place}: not a complete classifier: {name} is missing")
    if _sha256(path) != expected:
        raise InputError(f"{path}: damaged, or changed after it was saved: fit and save it again")


def _read_head(place: Path, description: _Description) -> Head:
    safetensors = require("safetensors.torch", extra="relevance", reason="a classifier")
    try:
        tensors = safetensors.load_file(place / _HEAD)
        steps = [_dense(tensors, number, step) for number, step in enumerate(description.steps)]
    except (KeyError, OSError) as error:
        raise InputError(f"{place}: {_SETTINGS} does not fit {_HEAD}: {error}") from error
    return Head(description.pooling, tuple(steps))


def _dense(tensors: dict[str, Any], number: int, step: _Step) -> Dense:
    norm = None
    if step.eps is not None:
        weight, bias = (tensors[f"{number}.norm.{name}"] for name in ("weight", "bias"))
        norm = Scaling(weight, bias, step.eps)
    return Dense(tensors[f"{number}.weight"], tensors.get(f"{number}.bias"), step.function, norm)


def _write_json(path: Path, value: msgspec.Struct) -> None:
    with atomic_write(path) as stream:
        stream.write(msgspec.json.format(with_checksum(msgspec.json.encode(value))) + b"\n")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
