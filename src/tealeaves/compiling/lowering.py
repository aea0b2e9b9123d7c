"""The instructions of :mod:`.intrinsics` for LLVM. Imported only to compile."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

_WORD = ir.IntType(64)


def _pointer(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    """Return a pointer to the eight bytes of an array from ``place`` on."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [place]), _WORD.as_pointer())


@intrinsic
def load64(typing: Any, data: Any, place: Any) -> Any:  # noqa: ARG001, D103
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        loaded = builder.load(_pointer(context, builder, signature.args[0], *given))
        loaded.align = 1
        return loaded

    return types.uint64(data, types.int64), generate


@intrinsic
def store64(typing: Any, data: Any, place: Any, value: Any) -> Any:  # noqa: ARG001, D103
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *given[:2])
        builder.store(given[2], pointer).align = 1
        return context.get_dummy_value()

    return types.void(data, types.int64, types.uint64), generate


@intrinsic
def trailing_zeros(typing: Any, value: Any) -> Any:  # noqa: ARG001, D103
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:  # noqa: ARG001
        return builder.cttz(given[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@intrinsic
def array_at(typing: Any, pointer: Any, size: Any) -> Any:  # noqa: ARG001
    """Look at memory of the caller as an array, which numba then neither counts nor frees."""
    array = types.Array(pointer.dtype, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:  # noqa: ARG001
        made = context.make_array(array)(context, builder)
        width = context.get_abi_sizeof(context.get_data_type(array.dtype))
        stride = context.get_constant(types.intp, width)
        populate_array(made, given[0], [given[1]], [stride], stride, None)
        return made._getvalue()

    return array(pointer, types.int64), generate
