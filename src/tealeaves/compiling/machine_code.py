"""Object code: what it was made for, and how it is loaded without numba."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm

from tealeaves.compiling.cache import file_digest

NOWHERE = "tealeaves_nowhere_"  # begins the names that lead nowhere

_ENGINES: list[Any] = []  # what is loaded stays
_COMPILER = " ".join(file_digest(str(path)) for path in sorted(Path(__file__).parent.glob("*.py")))


def functions(function: FunctionType) -> list[FunctionType]:
    """List a kernel's function and all functions it calls."""
    from tealeaves.compiling.kernel import is_inlined

    found = [function]
    for known in found:
        for name in known.__code__.co_names:
            value: Any = known.__globals__.get(name)
            if is_inlined(value) is not None and value not in found:
                found.append(value)
    return found


def sources(function: Any) -> str:
    """Describe the code as it is loaded, which its files may not be, and how it is compiled."""
    codes = [one.__code__ for one in functions(function)]
    parts = [
        repr((code.co_code, code.co_consts, code.co_names, code.co_varnames)) for code in codes
    ]
    return " ".join([_COMPILER, *parts, repr(function.__annotations__), *_constants(function)])


def _constants(function: Any) -> list[str]:
    """List the numbers that a kernel knows by name: they may come from other files."""
    values: Iterator[tuple[str, Any]] = (
        (name, one.__globals__.get(name))
        for one in functions(function)
        for name in one.__code__.co_names
    )
    return [
        f"{name}={value.tolist() if hasattr(value, 'tolist') else value}"
        for name, value in values
        if isinstance(value, int | float) or hasattr(value, "tolist")
    ]


@cache
def target() -> str:
    """Name the compiler and the processor; object code is good for these alone."""
    processor = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    made_by = version("numba"), version("llvmlite"), sys.implementation.cache_tag
    return " ".join([*made_by, llvm.get_process_triple(), *processor])


@cache
def target_machine() -> Any:
    """Return LLVM's description of this processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="pic",
        codemodel="jitdefault",
        jit=True,
    )


def store(entry: str, foreign: list[str], code: bytes) -> bytes:
    """Put object code together with the name of its entry and what it refers to."""
    return "\n".join([entry, " ".join(foreign), ""]).encode() + code


def load(stored: bytes) -> int:
    """Load object code and return the address of its entry."""
    entry, foreign, code = stored.split(b"\n", 2)
    for name in foreign.decode().split():
        _define(name)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _ENGINES.append(engine)
    return int(engine.get_function_address(entry.decode()))


def _define(name: str) -> None:
    """Let a name that is never reached end the process."""
    end = ctypes.cast(ctypes.pythonapi.Py_FatalError, ctypes.c_void_p).value
    llvm.add_symbol(name, end)
