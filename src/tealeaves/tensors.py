"""Tensors of safetensors files: plain numbers, so that nothing in such a file can run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.json_data import decode_json

if TYPE_CHECKING:
    from tealeaves.arrays import Array, Vectors

_FLOATS = {"F16": "<f2", "F32": "<f4", "F64": "<f8"}
_PREFIX_SIZE = 8  # bytes that say how long the header is


def read_tensors(path: Path) -> dict[str, Array]:
    """Return the tensors of a file by their names.

    Raises
    ------
    InputError
        If the file cannot be read or is damaged, or if a tensor is of a type that numpy does not
        have, such as BF16.
    """
    with _opened(path) as file:
        try:
            return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        except (AttributeError, TypeError) as error:  # of numpy
            raise InputError(f"{path}: a tensor is of a type that numpy lacks: {error}") from error


def map_matrix(path: Path, name: str) -> Vectors:
    """Return a matrix of a file, mapped into memory: only the rows that are used are read.

    Raises
    ------
    InputError
        If the file cannot be read or is damaged, or if it has no such matrix of numbers.
    """
    import numpy as np

    with _opened(path) as tensors:  # which checks the whole header
        tensor = tensors.get_slice(name)
        kind, shape = _FLOATS.get(tensor.get_dtype()), tuple(tensor.get_shape())
        if kind is None or len(shape) != 2:
            raise InputError(f"{path}: {name} is not a matrix of numbers")
        # safetensors copies whatever it returns, and does not tell where a tensor begins
        with path.open("rb") as file:
            length = int.from_bytes(file.read(_PREFIX_SIZE), "little")
            header = decode_json(file.read(length))
        start = _PREFIX_SIZE + length + header[name]["data_offsets"][0]
        return np.memmap(path, kind, "r", start, shape)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            yield file
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    except SafetensorError as error:
        raise InputError(f"{path}: not a safetensors file, or damaged: {error}") from error
