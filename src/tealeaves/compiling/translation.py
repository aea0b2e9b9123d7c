"""From a Python function to object code, by numba."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm
import numba
from numba import types
from numba.np import arrayobj

from tealeaves.compiling import intrinsics, lowering, machine_code
from tealeaves.compiling.arrays import ELEMENTS, NUMBERS
from tealeaves.compiling.kernel import is_inlined

if TYPE_CHECKING:
    from tealeaves.compiling.kernel import Kernel

# division by zero raises nothing; memory belongs to the caller, so no references are counted
_OPTIONS = {"error_model": "numpy", "_nrt": False}
_FOREIGN = re.compile("_?Py|numba_|NRT_")
_INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # only kernels call them


@contextmanager
def _places_from_the_start() -> Iterator[None]:
    """Let numba take indices as they are: ours are never negative, and looking costs a fifth."""

    def as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:  # noqa: ARG001
        return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)

    with numba.core.compiler_lock.global_compiler_lock:
        looking = getattr(arrayobj, "fix_integer_index", None)
        arrayobj.fix_integer_index = as_it_is
        try:
            yield
        finally:
            arrayobj.fix_integer_index = looking


def translate(kernel: Kernel) -> bytes:
    """Compile a kernel for this processor."""
    with _places_from_the_start():
        return _translated(kernel)


def _translated(kernel: Kernel) -> bytes:
    made: dict[Any, Any] = {}
    for function in reversed(machine_code.functions(kernel.plain)):  # type: ignore[arg-type]
        _compiled(function, made)
    entry = numba.cfunc(_signature(kernel), **_OPTIONS)(_entry(kernel, made[kernel.plain]))
    code, foreign = _without_numba(entry.inspect_llvm())
    machine = machine_code.target_machine()
    return machine_code.store(
        entry.native_name, foreign, machine.emit_object(llvm.parse_assembly(code))
    )


def _without_numba(code: str) -> tuple[str, list[str]]:
    """Give what numba needs to raise errors names of our own, and list these.

    LLVM has one table of names for the whole process. Ours lead nowhere, for kernels raise nothing;
    under the true names they would lead numba itself astray.
    """
    module = llvm.parse_assembly(code)
    known = [*module.functions, *module.global_variables]
    foreign = [one.name for one in known if one.is_declaration and _FOREIGN.match(one.name)]
    for name in foreign:
        code = re.sub(rf"@{name}\b", f"@{machine_code.NOWHERE}{name}", code)
    return code, [machine_code.NOWHERE + name for name in foreign]


def _compiled(function: FunctionType, made: dict[Any, Any]) -> Any:
    """Compile a function after those that it calls."""
    if function not in made:
        names = dict(function.__globals__)
        for callee in machine_code.functions(function)[1:]:
            _compiled(callee, made)
        for name in function.__code__.co_names:
            value = names.get(name)
            if getattr(value, "__module__", None) == intrinsics.__name__:
                names[name] = getattr(lowering, name)
            elif is_inlined(value) is not None:
                names[name] = made[value]
        fresh = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        inline = is_inlined(function) is True
        made[function] = numba.njit(forceinline=inline, **_OPTIONS, **_INNER)(fresh)
    return made[function]


def _entry(kernel: Kernel, function: Any) -> FunctionType:
    """Write the function that C calls: each array comes as its address and size."""
    given, passed = [], []
    for name, kind in kernel.kinds.items():
        if kind in NUMBERS:
            given.append(name)
            passed.append(name)
        else:
            given += [name, f"{name}_size"]
            passed.append(f"array_at({name}, {name}_size)")
    names: dict[str, Any] = {"function": function, "array_at": lowering.array_at}
    source = f"def entry({', '.join(given)}):\n    return function({', '.join(passed)})\n"
    exec(source, names)  # noqa: S102  # of names that stand in our own source
    entry: FunctionType = names["entry"]
    return entry


def _signature(kernel: Kernel) -> Any:
    given: list[Any] = []
    for kind in kernel.kinds.values():
        if kind in NUMBERS:
            given.append(getattr(types, NUMBERS[kind]))
        else:
            given += [types.CPointer(getattr(types, ELEMENTS[kind])), types.int64]
    returned = getattr(types, NUMBERS.get(kernel.returns, "void"))
    return returned(*given)
