"""Checkpoints of a training: what a fit that was stopped needs to continue, never pickled."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tealeaves.arrays import little_endian_bytes
from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import Classifier, add_tensors
from tealeaves.evidence.attention.classifiers.folder import (
    CHECKPOINTS,
    load_classifier,
    saved_fit,
)
from tealeaves.evidence.attention.training.pieces import Numbers
from tealeaves.evidence.attention.training.settings import FitOptions, FitSettings
from tealeaves.extras import require
from tealeaves.files import atomic_write, remove_leftovers
from tealeaves.json_data import decode_python_json

_LAST = "checkpoint.safetensors"
_BEST = re.compile(r"best-(\d+)\.safetensors")
_FORMAT = "tealeaves checkpoint 2"
_REASON = "a checkpoint"
_CURE = "restart (--restart) starts again"
_DAMAGE = (OSError, ValueError, KeyError, msgspec.DecodeError)
Tensors = dict[str, Any]


class Checkpoint(NamedTuple):
    """The state of a fit: plain values, as in JSON, and tensors by their names."""

    position: dict[str, Any]
    tensors: Tensors


class Checkpoints:
    """A folder with the last checkpoint of one fit, and the weights of its best epoch.

    The position is in the header of the file that holds the tensors, so that a killed run leaves
    both or neither. The best weights have their own file, because they rarely change. ``fit``
    identifies the fit, its texts and first weights; the checkpoint of another one is an error.
    """

    def __init__(self, folder: Path, *, fit: str) -> None:
        self.folder = folder
        self._fit = fit

    def begin(self, *, resume: bool = False, restart: bool = False) -> Checkpoint | None:
        """Return the checkpoint to continue from; None if the fit starts."""
        if restart:
            remove_checkpoints(self.folder)
        if not has_checkpoint(self.folder):
            return None
        if not resume:
            raise unfinished_error(self.folder)
        checkpoint = _read(self.folder / _LAST)
        if checkpoint.position.get("fit") != self._fit:
            raise InputError(
                f"{self.folder}: an unfinished fit of other texts, labels, weights or settings: "
                "resume it with the same, restart (--restart), or choose another folder"
            )
        return checkpoint

    def keep(self, checkpoint: Checkpoint) -> None:
        """Write the last checkpoint, in place of the one before."""
        self._prepare()
        position = {**checkpoint.position, "fit": self._fit}
        _write(self.folder / _LAST, Checkpoint(position, checkpoint.tensors))

    def keep_best(self, epoch: int, tensors: Tensors) -> None:
        """Write the weights of an epoch; those of others stay until ``forget_others``."""
        self._prepare()
        _write(self._best(epoch), Checkpoint({"fit": self._fit}, tensors))

    def best(self, epoch: int) -> Tensors:
        """Return the weights of an epoch that was the best."""
        return _read(self._best(epoch)).tensors

    def forget_others(self, epoch: int) -> None:
        """Remove the weights of epochs that the last checkpoint does not need any more."""
        for path in self._all_best():
            if path != self._best(epoch):
                path.unlink(missing_ok=True)

    def _prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def _best(self, epoch: int) -> Path:
        return self.folder / f"best-{epoch}.safetensors"

    def _all_best(self) -> list[Path]:
        return [path for path in self.folder.iterdir() if _BEST.fullmatch(path.name)]


def has_checkpoint(folder: Path) -> bool:
    """Tell whether there is an unfinished fit in a folder."""
    return (folder / _LAST).is_file()


def unfinished_error(folder: Path) -> InputError:
    """Return the error that says what can be done with an unfinished fit."""
    return InputError(
        f"{folder}: an unfinished fit: resume (--resume) continues it, restart (--restart) starts "
        "again"
    )


def remove_checkpoints(folder: Path) -> None:
    """Remove the checkpoints in a folder, and the folder if nothing else is in it."""
    if not folder.is_dir():
        return
    remove_leftovers(folder / _LAST)
    for path in list(folder.iterdir()):
        if path.name == _LAST or _BEST.fullmatch(path.name):
            remove_leftovers(path)
            path.unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()


def _write(path: Path, checkpoint: Checkpoint) -> None:
    safetensors = require("safetensors.torch", extra="relevance", reason=_REASON)
    # copied, because the format does not allow tensors that share memory
    tensors = {name: tensor.detach().cpu().clone() for name, tensor in checkpoint.tensors.items()}
    position = json.dumps(checkpoint.position)
    header = {"format": _FORMAT, "position": position, "checksum": _checksum(position, tensors)}
    remove_leftovers(path)
    with atomic_write(path) as stream:
        stream.write(safetensors.save(tensors, metadata=header))


def _read(path: Path) -> Checkpoint:
    safetensors = require("safetensors", extra="relevance", reason=_REASON)
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            if header.get("format") != _FORMAT:
                raise InputError(f"{path}: not a checkpoint that this version can read")
            # copied, because the file may be replaced
            tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118
        if header["checksum"] != _checksum(header["position"], tensors):
            raise InputError(f"{path}: the checksum is wrong: the file is damaged: {_CURE}")
        return Checkpoint(decode_python_json(header["position"]), tensors)
    except InputError:
        raise
    except (*_DAMAGE, safetensors.SafetensorError) as error:
        raise InputError(f"{path}: cannot be read as a checkpoint: {error}") from error


def _checksum(position: str, tensors: Tensors) -> str:
    digest = hashlib.blake2b(position.encode("utf-8", "surrogatepass"), digest_size=16)
    add_tensors(digest, sorted(tensors.items()))
    return digest.hexdigest()


# ---------------------------------------------------------------------- what a fit is


def fit_key(
    how: Sequence[str],
    settings: FitSettings,
    network: Any,
    texts: Iterable[Numbers],
    others: Sequence[Numbers] = (),
) -> str:
    """Return what identifies a fit: its way, settings, first weights, texts as pieces, and others.

    The size of batches is left out, so that a fit for which memory was too small can continue with
    smaller ones.
    """
    digest = hashlib.blake2b(digest_size=16)
    without_batch = {**msgspec.structs.asdict(settings), "batch": None}
    digest.update(json.dumps([*how, without_batch]).encode())
    add_tensors(digest, network.state_dict().items())
    for numbers in (*texts, *others):
        digest.update(f"{len(numbers)} ".encode())
        digest.update(little_endian_bytes(numbers))
    return digest.hexdigest()


def finished_classifier(options: FitOptions, fit: str) -> Classifier | None:
    """Return the classifier in the folder of a fit that is resumed, if it is that of the fit.

    ``fit`` is what identifies the fit, as in the report of the classifier.
    """
    if options.folder is None or not options.resume:
        return None
    saved = saved_fit(options.folder)
    if saved == fit:
        return load_classifier(options.folder)
    # an unfinished fit may be about to replace another classifier
    if saved is not None and not has_checkpoint(options.folder / CHECKPOINTS):
        raise InputError(
            f"{options.folder}: a classifier of other texts or settings: restart (--restart) "
            "replaces it"
        )
    return None
