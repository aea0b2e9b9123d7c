"""Tensors of safetensors files: plain numbers, so that nothing in such a file can run."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from tealeaves.errors import InputError

if TYPE_CHECKING:
    from tealeaves.arrays import Array


def read_tensors(path: Path, names: Collection[str] | None = None) -> dict[str, Array]:
    """Return the tensors of a file by their names, or only those that are named.

    The file is mapped into memory, so that only these tensors are read from disk.

    Raises
    ------
    InputError
        If the file cannot be read or is damaged, if it lacks a tensor, or if a tensor is of a type
        that numpy does not have, such as BF16.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            return {name: file.get_tensor(name) for name in names or file.keys()}
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    except SafetensorError as error:
        raise InputError(f"{path}: not a safetensors file, or damaged: {error}") from error
    except (AttributeError, TypeError) as error:  # of numpy
        raise InputError(f"{path}: a tensor is of a type that numpy lacks: {error}") from error
