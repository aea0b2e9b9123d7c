"""The instructions of :mod:`.intrinsics` for LLVM. Imported only to compile."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from tealeaves.compiling.intrinsics import LANES

_WORD = ir.IntType(64)
_NUMBER = ir.DoubleType()
_VECTOR = ir.VectorType(_NUMBER, LANES)


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


def _vector_at(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    """Return a pointer to the vector of an array from ``place`` on."""
    data = context.make_array(kind)(context, builder, array).data
    element = ir.VectorType(context.get_data_type(kind.dtype), LANES)
    return builder.bitcast(builder.gep(data, [place]), element.as_pointer())


def _loaded(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    loaded = builder.load(_vector_at(context, builder, kind, array, place))
    loaded.align = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    if isinstance(kind.dtype, types.Integer):
        return builder.sitofp(loaded, _VECTOR)
    return loaded


def _spread(builder: Any, number: Any) -> Any:
    """Return a vector of one number."""
    kind = ir.VectorType(number.type, LANES)
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), number, _index(0))
    return builder.shuffle_vector(first, first, _indices([0] * LANES))


def _index(number: int) -> Any:
    return ir.Constant(ir.IntType(32), number)


def _indices(numbers: list[int]) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), LANES), numbers)


def _moved(builder: Any, vector: Any, step: int) -> Any:
    """Return a vector moved up by some lanes, with zeros below."""
    zero = ir.Constant(_VECTOR, [0.0] * LANES)
    places = [lane - step if lane >= step else LANES for lane in range(LANES)]
    return builder.shuffle_vector(vector, zero, _indices(places))


def _add_up(context: Any, builder: Any, sums: tuple[Any, Any], size: Any, weights: Any) -> None:
    """Write loop: add the vectors that ``weights`` makes for each place, and keep all sums."""
    total = cgutils.alloca_once_value(builder, ir.Constant(_VECTOR, [0.0] * LANES))
    step, zero = ir.Constant(_WORD, LANES), ir.Constant(_WORD, 0)
    with cgutils.for_range_slice(builder, zero, size, step) as (place, _):
        added = builder.fadd(builder.load(total), weights(place))
        builder.store(added, total)
        builder.store(added, _vector_at(context, builder, *sums, place)).align = 8


@intrinsic
def running_weights(  # noqa: D103
    typing: Any,  # noqa: ARG001
    sums: Any,
    factors: Any,
    counts: Any,
    start: Any,  # noqa: ARG001
    more: Any,  # noqa: ARG001
    own: Any,  # noqa: ARG001
    weight: Any,  # noqa: ARG001
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        kinds, words = signature.args, ir.VectorType(_WORD, LANES)
        more, own, own_weight = (_spread(builder, number) for number in given[4:])
        places = cgutils.alloca_once_value(builder, ir.Constant(words, list(range(LANES))))

        def weights(place: Any) -> Any:
            count = _loaded(context, builder, kinds[2], given[2], builder.add(given[3], place))
            factor = _loaded(context, builder, kinds[1], given[1], place)
            weight = builder.fmul(factor, builder.fadd(count, more))
            here = builder.load(places)
            builder.store(builder.add(here, ir.Constant(words, [LANES] * LANES)), places)
            return builder.select(builder.icmp_signed("==", here, own), own_weight, weight)

        size = context.make_array(kinds[0])(context, builder, given[0]).shape
        size = builder.extract_value(size, 0)
        _add_up(context, builder, (kinds[0], given[0]), size, weights)
        return context.get_dummy_value()

    place, number = types.int64, types.float64
    return types.void(sums, factors, counts, place, number, place, number), generate


@intrinsic
def running_weights_at(  # noqa: D103
    typing: Any,  # noqa: ARG001
    sums: Any,
    factors: Any,
    places: Any,
    counts: Any,
    start: Any,  # noqa: ARG001
    size: Any,  # noqa: ARG001
    own: Any,  # noqa: ARG001
    weight: Any,  # noqa: ARG001
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        kinds = signature.args
        own = _spread(builder, builder.trunc(given[6], ir.IntType(32)))
        own_weight = _spread(builder, given[7])
        factors = context.make_array(kinds[1])(context, builder, given[1]).data

        def gathered(places: Any) -> Any:
            """Load each by itself: few processors are faster at loading all together."""
            vector = ir.Constant(_VECTOR, ir.Undefined)
            for lane in range(LANES):
                place = builder.sext(builder.extract_element(places, _index(lane)), _WORD)
                one = builder.load(builder.gep(factors, [place]))
                vector = builder.insert_element(vector, one, _index(lane))
            return vector

        def weights(place: Any) -> Any:
            here = builder.add(given[4], place)
            found = builder.load(_vector_at(context, builder, kinds[2], given[2], here))
            found.align = 4
            count = _loaded(context, builder, kinds[3], given[3], here)
            weight = builder.fmul(gathered(found), count)
            return builder.select(builder.icmp_signed("==", found, own), own_weight, weight)

        _add_up(context, builder, (kinds[0], given[0]), given[5], weights)
        return context.get_dummy_value()

    place, number = types.int64, types.float64
    return types.void(sums, factors, places, counts, place, place, place, number), generate


@intrinsic
def lane_of(typing: Any, sums: Any, last: Any, uniform: Any) -> Any:  # noqa: ARG001, D103
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        totals = _loaded(context, builder, signature.args[0], given[0], given[1])
        for step in (1, 2, 4):
            totals = builder.fadd(totals, _moved(builder, totals, step))
        target = builder.fmul(given[2], builder.extract_element(totals, _index(LANES - 1)))
        is_below = builder.fcmp_ordered("<=", totals, _spread(builder, target))
        bits = builder.bitcast(is_below, ir.IntType(LANES))
        bits = builder.and_(bits, ir.Constant(ir.IntType(LANES), (1 << LANES - 1) - 1))
        lane = builder.zext(builder.ctpop(bits), _WORD)
        before = builder.extract_element(_moved(builder, totals, 1), lane)
        return context.make_tuple(
            builder, signature.return_type, [lane, builder.fsub(target, before)]
        )

    returned = types.Tuple((types.int64, types.float64))
    return returned(sums, types.int64, types.float64), generate


@intrinsic
def prefetch(typing: Any, counts: Any, place: Any) -> Any:  # noqa: ARG001, D103
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, given[0]).data
        byte = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, *[ir.IntType(32)] * 3])
        fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        pointer = builder.bitcast(builder.gep(data, [given[1]]), byte)
        builder.call(fetch, [pointer, _index(0), _index(3), _index(1)])
        return context.get_dummy_value()

    return types.void(counts, types.int64), generate
