"""Kernels: Python loops that run as machine code, and start without numba once compiled.

numba takes about a second to import and to start, more than most of our work takes. So a kernel is
compiled once on a machine: numba translates it, the object code is kept on disk, and later runs
load that through LLVM's binding alone. Calls release the GIL.

>>> import numpy as np
>>> @compiled
... def add_up(numbers: I64) -> int:
...     total = 0
...     for number in numbers:
...         total += number
...     return total
>>> add_up.interpreted(np.arange(5))
10
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from tealeaves.compiling.arrays import NUMBERS, address, c_result, c_types
from tealeaves.compiling.cache import cached, is_cached

F = TypeVar("F", bound=Callable[..., Any])

_LOCK = threading.RLock()
_INLINED = "_tealeaves_inlined"  # how a function that kernels call is compiled


def compiled(function: Callable[..., Any]) -> Kernel:
    """Make a kernel of a function; its annotations say what it takes (see :mod:`.arrays`)."""
    return Kernel(function)


def inlined(function: F) -> F:
    """Mark a function whose code goes wherever a kernel calls it."""
    setattr(function, _INLINED, True)
    return function


def called(function: F) -> F:
    """Mark a function that kernels call, where its code in many places would only be long."""
    setattr(function, _INLINED, False)
    return function


def is_inlined(value: object) -> bool | None:
    """Whether a function is inlined; None if kernels cannot call it."""
    return getattr(value, _INLINED, None)


class Kernel:
    """A compiled function; ``plain`` is the same function in Python."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.plain = function
        self.name = function.__name__
        self.__doc__ = function.__doc__
        self._native: Callable[..., Any] | None = None
        kinds = dict(function.__annotations__)
        self.returns = kinds.pop("return", "None")
        self.kinds: dict[str, str] = kinds

    def __call__(self, *arguments: Any) -> Any:
        """Run the machine code, which is compiled or loaded when it is first wanted."""
        native = self._native or self.prepare()
        given: list[float] = []
        for argument, kind in self._pairs(arguments):
            if kind in NUMBERS:
                given.append(int(argument) if kind == "int" else float(argument))
            else:
                given += address(argument, kind)
        return native(*given)

    def interpreted(self, *arguments: Any) -> Any:
        """Run the Python function instead: for so little work that loading takes longer."""
        import numpy as np

        given = [a if kind in NUMBERS else a.tolist() for a, kind in self._pairs(arguments)]
        with np.errstate(over="ignore"):
            result = self.plain(*given)
        for (array, kind), values in zip(self._pairs(arguments), given, strict=True):
            if kind not in NUMBERS and array.flags.writeable:
                array[:] = values
        return result

    def _pairs(self, arguments: tuple[Any, ...]) -> Iterable[tuple[Any, str]]:
        return zip(arguments, self.kinds.values(), strict=True)

    def prepare(self) -> Callable[..., Any]:
        """Compile, or load what was compiled before."""
        with _LOCK:
            if self._native is None:
                from tealeaves.compiling import machine_code

                made = cached(self._file, self._key, lambda: _compile(self))
                kinds = [kind for name in self.kinds.values() for kind in c_types(name)]
                prototype = ctypes.CFUNCTYPE(c_result(self.returns), *kinds)
                self._native = prototype(machine_code.load(made))
            return self._native

    @property
    def is_ready(self) -> bool:
        """Whether it has been compiled on this machine before."""
        return self._native is not None or is_cached(self._file, self._key)

    @property
    def _file(self) -> str:
        return f"{self.plain.__module__}.{self.name}.o"

    @property
    def _key(self) -> str:
        from tealeaves.compiling import machine_code

        return f"{machine_code.target()} {machine_code.sources(self.plain)} {sys.byteorder}"


def _compile(kernel: Kernel) -> bytes:
    from tealeaves.compiling.translation import translate

    return translate(kernel)
