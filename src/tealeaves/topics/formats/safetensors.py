"""Safetensors: a length, a JSON header, and plain numbers; nothing in it can run."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec

from tealeaves.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_KINDS = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "<i1",
    "U64": "<u8",
    "U32": "<u4",
    "U16": "<u2",
    "U8": "<u1",
    "BOOL": "?",
}
_PREFIX = 8  # bytes that say how long the header is


class _Tensor(msgspec.Struct):
    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


def read_tensors(data: bytes, name: str) -> dict[str, NDArray[np.generic]]:
    """Return all tensors of a file; each must lie within it."""
    length = int.from_bytes(data[:_PREFIX], "little")
    if len(data) < _PREFIX or length > len(data) - _PREFIX:
        raise InputError(f"{name}: not a whole safetensors file")
    body = data[_PREFIX + length :]
    try:
        header = msgspec.json.decode(data[_PREFIX : _PREFIX + length], type=dict[str, Any])
        header.pop("__metadata__", None)
        tensors = msgspec.convert(header, dict[str, _Tensor])
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: the header of the safetensors file is damaged") from error
    return {key: _array(tensor, body, f"{name}: {key}") for key, tensor in tensors.items()}


def _array(tensor: _Tensor, body: bytes, where: str) -> NDArray[np.generic]:
    import numpy as np

    if tensor.dtype not in _KINDS:
        raise InputError(f"{where} is of kind {tensor.dtype}: known are {', '.join(_KINDS)}")
    kind = np.dtype(_KINDS[tensor.dtype])
    begin, end = tensor.data_offsets
    size = math.prod(tensor.shape) * kind.itemsize
    if min(tensor.shape, default=0) < 0 or not 0 <= begin <= end <= len(body):
        raise InputError(f"{where} lies outside the file, which is damaged")
    if end - begin != size:
        raise InputError(f"{where} has {end - begin} bytes, but its shape needs {size}")
    return np.ndarray(tuple(tensor.shape), kind, body[begin:end]).copy()
