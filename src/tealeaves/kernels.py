"""Kernels: loops that run as machine code, from the C library that is built with the package.

A kernel is declared as a Python function with annotated arguments: arrays (``U8`` … ``F64``),
numbers (``int``, ``float``) and :class:`Arguments`, which are arrays and numbers that belong
together. The C function of the same name and arguments is in ``src/native``. The Python function
computes the same. It runs where the library is missing, and tests compare the two.

>>> import numpy as np
>>> @kernel
... def add_up(numbers: I64) -> int:
...     total = 0
...     for number in numbers:
...         total += number
...     return total
>>> add_up.python(np.arange(5))
10
"""

from __future__ import annotations

import ctypes
import os
import re
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError, TealeavesError, TealeavesWarning
from tealeaves.system import is_cut_off

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
_NUMBERS: dict[str, Any] = {"int": ctypes.c_int64, "float": ctypes.c_double, "None": None}
_C_NAMES = {"int": "Int", "float": "Float", "None": "void"}
#: names another library of kernels, or none if it is empty: for tests
LIBRARY = "TEALEAVES_KERNELS"
#: what to do where the library is missing
HOW_TO_COMPILE = (
    "install a C compiler, then install tealeaves again as before, with the options "
    "--force-reinstall --no-deps --no-cache-dir of pip"
)
LARGE_TEXT = 10_000_000  # bytes, of which Python counts about 3 million a second
MOST_STEPS = 3 * 10**8  # of loops that run as Python: a few minutes
_MANY_STEPS = 10**7  # some seconds


class KernelError(TealeavesError):
    """The compiled kernels do not belong to this version of the package."""


class Arguments:
    """Arguments of kernels that belong together; subclasses are frozen dataclasses.

    C has a struct of the same name and fields in ``structs.h``.
    """

    _kinds: dict[str, str]

    def __init_subclass__(cls) -> None:
        """List the fields, in the order of the struct."""
        cls._kinds = dict(cls.__annotations__)
        _ARGUMENTS[cls.__name__] = cls

    @classmethod
    @cache
    def _type(cls) -> type[ctypes.Structure]:
        fields = [(name, _c_type(kind)) for name, kind in cls._kinds.items()]
        return type(cls.__name__, (ctypes.Structure,), {"_fields_": fields})

    @classmethod
    def declaration(cls) -> str:
        """Return the fields as C declares them."""
        return " ".join(f"{_C_NAMES.get(kind, kind)} {name};" for name, kind in cls._kinds.items())

    @cached_property
    def _native(self) -> Any:
        values = [_converted(getattr(self, name), kind) for name, kind in self._kinds.items()]
        return self._type()(*values)

    @cached_property
    def _lists(self) -> Any:
        """The same with lists, which Python reads and writes faster than arrays."""
        other = object.__new__(type(self))
        for name, kind in self._kinds.items():
            value = getattr(self, name)
            object.__setattr__(other, name, value.tolist() if kind in ELEMENTS else value)
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields alone: addresses are good for this process only."""
        return {name: self.__dict__[name] for name in self._kinds}

    def _write_back(self) -> None:
        for name, kind in self._kinds.items():
            _write_back(getattr(self, name), kind, getattr(self._lists, name))


_ARGUMENTS: dict[str, type[Arguments]] = {}
# Python works on copies of arrays: threads would overwrite each other's results
_ONE_AT_A_TIME = threading.RLock()


class Kernel:
    """A loop in C, or in Python where the library is missing."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.name = function.__name__
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        kinds = dict(function.__annotations__)
        self.returns: str = kinds.pop("return")
        self.kinds: dict[str, str] = kinds
        self._loaded: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any) -> Any:
        """Run the loop."""
        library = _library()
        if library is None or _in_python:
            return self.python(*arguments)
        native = self._loaded = self._loaded or self._load(library)
        return native(*(_converted(value, kind) for value, kind in self._pairs(arguments)))

    def python(self, *arguments: Any) -> Any:
        """Run the Python function."""
        import numpy as np

        pairs = list(self._pairs(arguments))
        with _ONE_AT_A_TIME, np.errstate(over="ignore"):
            given = [_listed(value, kind) for value, kind in pairs]
            try:
                result = self.function(*given)
                for (value, kind), written in zip(pairs, given, strict=True):
                    _write_back(value, kind, written)
            finally:
                for value, _ in pairs:
                    if isinstance(value, Arguments):
                        value.__dict__.pop("_lists", None)
        return result

    def _pairs(self, arguments: tuple[Any, ...]) -> Iterable[tuple[Any, str]]:
        return zip(arguments, self.kinds.values(), strict=True)

    @property
    def declaration(self) -> str:
        """What C has to declare: the result and the arguments."""
        arguments = ", ".join(
            f"{kind} *{name}" if kind in _ARGUMENTS else f"{_C_NAMES.get(kind, kind)} {name}"
            for name, kind in self.kinds.items()
        )
        return f"{_C_NAMES[self.returns]} ({arguments})"

    def _load(self, library: ctypes.CDLL) -> Callable[..., Any]:
        _compare(library, f"{self.name}_signature", self.declaration)
        for kind in self.kinds.values():
            if kind in _ARGUMENTS:
                _compare(library, f"{kind}_fields", _ARGUMENTS[kind].declaration())
        function = library[self.name]
        function.argtypes = [
            ctypes.c_void_p if kind in _ARGUMENTS else _c_type(kind) for kind in self.kinds.values()
        ]
        function.restype = _NUMBERS[self.returns]
        return function


def kernel(function: Callable[..., Any]) -> Kernel:
    """Make a kernel of a function whose annotations say what it takes."""
    return Kernel(function)


_in_python = False


def are_compiled() -> bool:
    """Whether kernels run as machine code."""
    return _library() is not None and not _in_python


@contextmanager
def in_python() -> Iterator[None]:
    """Run kernels in Python for a while, as where the library is missing, to compare the two."""
    global _in_python  # noqa: PLW0603
    before, _in_python = _in_python, True
    try:
        yield
    finally:
        _in_python = before


def check_steps(what: str, steps: float) -> None:
    """Raise an error if Python would run a loop of so many steps for more than a few minutes.

    A loop that takes more than some seconds is worth a warning.
    """
    if are_compiled():
        return
    if steps > MOST_STEPS:
        raise InputError(
            f"{what} of so much text needs the compiled kernels, which are missing: "
            f"{HOW_TO_COMPILE}"
        )
    if steps > _MANY_STEPS:
        warnings.warn(
            f"the compiled kernels are missing, and {what} takes about fifty times as long "
            f"without them: {HOW_TO_COMPILE}",
            TealeavesWarning,
            stacklevel=2,
        )


def warn_of_python(before: int, now: int) -> None:
    """Warn, when more bytes were read than is quick, that kernels run in Python."""
    if before <= LARGE_TEXT < now and not are_compiled():
        warnings.warn(
            "the compiled kernels are missing, and counting takes about fifteen times as long "
            f"without them: {HOW_TO_COMPILE}",
            TealeavesWarning,
            stacklevel=2,
        )


@cache
def _library() -> ctypes.CDLL | None:
    """Load the library of kernels; None if the package was built without a compiler."""
    named = os.environ.get(LIBRARY)
    if named is None:
        return _packaged_library()
    if not named:
        return None
    try:
        if Path(named).is_file() and is_cut_off(Path(named)):
            raise OSError("the end of the file is missing")
        return ctypes.CDLL(named)
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split()).removeprefix(f"{named}: ")
        raise KernelError(f"{LIBRARY} is {named!r}, no library of kernels: {reason}") from error


def _packaged_library() -> ctypes.CDLL | None:
    spec = find_spec("tealeaves._native")
    if spec is None or spec.origin is None:
        return None
    try:
        return None if is_cut_off(Path(spec.origin)) else ctypes.CDLL(spec.origin)
    except OSError:  # it is damaged, or of another system
        return None


def _compare(library: ctypes.CDLL, symbol: str, expected: str) -> None:
    """Raise an error if C declares something else: a wrong call would read anywhere."""
    try:
        text = _text_at(library, symbol)
    except ValueError:
        text = "nothing"
    if re.sub(r"\s+", " ", text) != expected:
        raise KernelError(
            f"the compiled kernels are of another version ({symbol}: {text}): "
            "build them again with pip install ."
        )


def _text_at(library: ctypes.CDLL, symbol: str) -> str:
    place = ctypes.addressof(ctypes.c_char.in_dll(library, symbol))
    return ctypes.string_at(place).decode()


# ---------------------------------------------------------------------- arguments


class _Array(ctypes.Structure):
    """An array of C: where the elements are, and how many."""

    _fields_ = [("at", ctypes.c_void_p), ("size", ctypes.c_int64)]


def _c_type(kind: str) -> Any:
    return _Array if kind in ELEMENTS else _NUMBERS[kind]


@cache
def _dtype(kind: str) -> Any:
    import numpy as np

    return np.dtype(ELEMENTS[kind])


def _converted(value: Any, kind: str) -> Any:
    """Return an argument as ctypes takes it; refuse another kind of array."""
    if kind == "int":
        return int(value)
    if kind == "float":
        return float(value)
    if kind not in ELEMENTS:
        if type(value) is not _ARGUMENTS[kind]:
            raise TypeError(f"{kind}, not {type(value).__name__}")
        return ctypes.byref(value._native)  # which keeps it: another thread may make it again
    flags = value.flags
    if value.dtype != _dtype(kind) or value.ndim != 1 or not (flags.c_contiguous and flags.aligned):
        raise TypeError(f"a contiguous array of {ELEMENTS[kind]}, not {value.dtype}")
    return _Array(value.__array_interface__["data"][0], value.size)


def _listed(value: Any, kind: str) -> Any:
    if kind in ELEMENTS:
        return value.tolist()
    return value._lists if isinstance(value, Arguments) else value


def _write_back(value: Any, kind: str, written: Any) -> None:
    if isinstance(value, Arguments):
        value._write_back()
    elif kind in ELEMENTS and value.flags.writeable:
        value[:] = written
