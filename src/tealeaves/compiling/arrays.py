"""The types of arguments that a compiled loop can have."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    U8 = NDArray[np.uint8]
    I32 = NDArray[np.int32]
    I64 = NDArray[np.int64]
    U64 = NDArray[np.uint64]
    F32 = NDArray[np.float32]
    F64 = NDArray[np.float64]

#: numpy's names of the arrays' elements, by the annotation
ELEMENTS = {
    "U8": "uint8",
    "I32": "int32",
    "I64": "int64",
    "U64": "uint64",
    "F32": "float32",
    "F64": "float64",
}
#: numba's names of single numbers, by the annotation
NUMBERS = {"int": "int64", "float": "float64"}
_C_NUMBERS: dict[str, Any] = {"int": ctypes.c_int64, "float": ctypes.c_double}


@cache
def _kind(annotation: str) -> Any:
    import numpy as np

    return np.dtype(ELEMENTS[annotation])


def address(array: Any, annotation: str) -> tuple[int, int]:
    """Return where an array's elements are and how many; refuse another kind of array."""
    flags = array.flags
    if (
        array.dtype != _kind(annotation)
        or array.ndim != 1
        or not flags.c_contiguous
        or not flags.aligned
    ):
        raise TypeError(f"a contiguous array of {ELEMENTS[annotation]}, not {array.dtype}")
    return array.__array_interface__["data"][0], array.size


def c_types(annotation: str) -> list[Any]:
    """Return the types of C that carry an argument."""
    if annotation in NUMBERS:
        return [_C_NUMBERS[annotation]]
    return [ctypes.c_void_p, ctypes.c_int64]


def c_result(annotation: str) -> Any:
    """Return the type of C that a kernel returns; None for nothing."""
    return _C_NUMBERS.get(annotation)
