"""Checkpoints: what a fit that was stopped needs to go on, in files that cannot run code."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.files import atomic_write, remove_leftovers

_LAST = "checkpoint.safetensors"
_BEST = re.compile(r"best-(\d+)\.safetensors")
_FORMAT = "tealeaves checkpoint 1"
_REASON = "a checkpoint"
Tensors = dict[str, Any]


class Checkpoint(NamedTuple):
    """Where a fit stands: plain values, as in JSON, and tensors by their names."""

    position: dict[str, Any]
    tensors: Tensors


class Checkpoints:
    """A folder with the last checkpoint of one fit, and the weights of its best epoch.

    The position is in the header of the file that holds the tensors, so that a killed run leaves
    both or neither. The best weights have a file of their own, for they seldom change.

    Parameters
    ----------
    folder
        Where they are; it is made when the first is written.
    fit
        What identifies the fit, its texts and first weights: others are refused.
    """

    def __init__(self, folder: Path, *, fit: str) -> None:
        self.folder = folder
        self._fit = fit

    def begin(self, *, resume: bool = False, restart: bool = False) -> Checkpoint | None:
        """Return the checkpoint to go on from, None where the fit begins."""
        if restart:
            self.remove()
        if not has_checkpoint(self.folder):
            return None
        if not resume:
            raise InputError(unfinished(self.folder))
        found = _read(self.folder / _LAST)
        if found.position.get("fit") != self._fit:
            raise InputError(
                f"{self.folder}: an unfinished fit of other texts, labels, weights or settings: "
                "resume it with the same, restart (--restart), or choose another folder"
            )
        return found

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
        """Remove the weights of epochs that the last checkpoint does not speak of any more."""
        for path in self._all_best():
            if path != self._best(epoch):
                path.unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove all checkpoints, and the folder where nothing else is in it."""
        remove_checkpoints(self.folder)

    def _prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def _best(self, epoch: int) -> Path:
        return self.folder / f"best-{epoch}.safetensors"

    def _all_best(self) -> list[Path]:
        return [path for path in self.folder.iterdir() if _BEST.fullmatch(path.name)]


def has_checkpoint(folder: Path) -> bool:
    """Tell whether there is an unfinished fit in a folder."""
    return (folder / _LAST).is_file()


def unfinished(folder: Path) -> str:
    """Say in one line what can be done with an unfinished fit."""
    return f"{folder}: an unfinished fit: resume (--resume) goes on, restart (--restart) begins"


def remove_checkpoints(folder: Path) -> None:
    """Remove the checkpoints in a folder, and the folder where nothing else is in it."""
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
    # tensors may share memory, which the format does not know
    tensors = {name: tensor.detach().cpu().clone() for name, tensor in checkpoint.tensors.items()}
    header = {"format": _FORMAT, "position": json.dumps(checkpoint.position)}
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
            # not left in the file, which may be replaced
            tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118
        return Checkpoint(json.loads(header["position"]), tensors)
    except (OSError, ValueError, KeyError, safetensors.SafetensorError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: cannot be read as a checkpoint: {error}") from error
