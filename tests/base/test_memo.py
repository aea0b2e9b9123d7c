"""A memo calls a function once for the same arguments."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from enum import Enum
from weakref import ref

import numpy as np
import pytest

from tealeaves.memo import Identity, Memo


class Counter:
    """Has a memo, and counts how often something is computed."""

    def __init__(self) -> None:
        self.memo = Memo(self)
        self.calls = 0

    def compute(self, *arguments: object, **options: object) -> list[object]:
        self.calls += 1
        return [*arguments, *options.items()]

    def double(self, *arguments: object) -> list[object]:
        self.calls += 1
        return [*arguments, *arguments]


class Colour(Enum):
    RED = 1
    BLUE = 2


@pytest.fixture
def counter() -> Counter:
    return Counter()


@pytest.fixture
def _without_collector() -> Iterator[None]:
    """Let only the counts of references free objects."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(
    "argument",
    [None, True, 3, 0.5, "".join(["a", "b"]), b"a", Colour.RED, (1, ("a", None)), [], ()],
    ids=repr,
)
def test_plain_values_are_compared_by_value(counter: Counter, argument: object) -> None:
    first = counter.memo.once(counter.compute, argument)
    assert first == [argument]
    assert counter.memo.once(counter.compute, argument) is first
    assert counter.calls == 1


def test_equal_texts_need_not_be_the_same_object(counter: Counter) -> None:
    one, other = "".join(["a", "b"]), "".join(["a", "b"])
    assert one is not other
    assert counter.memo.once(counter.compute, one) is counter.memo.once(counter.compute, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((1,), (2,)),
        ((1,), (True,)),
        ((1,), (1.0,)),
        ((0,), (None,)),
        ((1, 2), ((1, 2),)),
        ((Colour.RED,), (Colour.BLUE,)),
        (([1], 2), ([1, 2],)),
        ((("a", 1), ("b",)), (("a",), (1, "b"))),
    ],
    ids=repr,
)
def test_other_values_are_computed_again(
    counter: Counter, one: tuple[object, ...], other: tuple[object, ...]
) -> None:
    counter.memo.once(counter.compute, *one)
    assert counter.memo.once(counter.compute, *other) == list(other)
    assert counter.calls == 2


def test_other_objects_are_compared_by_identity(counter: Counter) -> None:
    array, equal = np.arange(3), np.arange(3)
    known = counter.memo.once(counter.compute, array)
    assert counter.memo.once(counter.compute, array) is known
    assert counter.memo.once(counter.compute, equal) is not known
    assert counter.calls == 2


def test_sequences_are_compared_by_their_members(counter: Counter) -> None:
    one, other = {"a": 1}, {"a": 1}
    first = counter.memo.once(counter.compute, [one, other])
    assert counter.memo.once(counter.compute, [one, other]) is first
    assert counter.memo.once(counter.compute, (one, other)) is first
    assert counter.memo.once(counter.compute, [other, one]) is not first
    assert counter.memo.once(counter.compute, [one]) is not first


def test_a_changed_list_is_computed_again(counter: Counter) -> None:
    members = ["a"]
    counter.memo.once(counter.compute, members)
    members.append("b")
    counter.memo.once(counter.compute, members)
    assert counter.calls == 2


def test_keyword_arguments_are_compared_in_any_order(counter: Counter) -> None:
    first = counter.memo.once(counter.compute, 1, a=2, b=3)
    assert counter.memo.once(counter.compute, 1, b=3, a=2) is first
    assert counter.memo.once(counter.compute, 1, a=2, b=4) is not first
    assert counter.memo.once(counter.compute, 1, ("a", 2), ("b", 3)) is not first


def test_each_function_has_its_own_results(counter: Counter) -> None:
    assert counter.memo.once(counter.compute, 1) == [1]
    assert counter.memo.once(counter.double, 1) == [1, 1]
    assert counter.memo.once(len, [1]) == 1
    assert counter.memo.once(dict.fromkeys, (1, 2)) == {1: None, 2: None}


def test_methods_of_different_objects_are_different(counter: Counter) -> None:
    one, other = Counter(), Counter()
    known = counter.memo.once(one.compute, 1)
    assert counter.memo.once(one.compute, 1) is known
    assert counter.memo.once(other.compute, 1) is not known
    assert (one.calls, other.calls) == (1, 1)


def test_a_result_of_none_is_kept(counter: Counter) -> None:
    def find_nothing() -> str | None:
        counter.calls += 1
        return None

    assert counter.memo.once(find_nothing) is None
    assert counter.memo.once(find_nothing) is None
    assert counter.calls == 1


def test_a_function_that_fails_is_called_again(counter: Counter) -> None:
    tries: list[int] = []

    def fail_first() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise ValueError("not yet")
        return "done"

    with pytest.raises(ValueError, match="not yet"):
        counter.memo.once(fail_first)
    assert counter.memo.once(fail_first) == counter.memo.once(fail_first) == "done"
    assert len(tries) == 2


def test_a_function_may_use_the_memo_itself(counter: Counter) -> None:
    def factorial(number: int) -> int:
        counter.calls += 1
        return number * counter.memo.once(factorial, number - 1) if number else 1

    assert counter.memo.once(factorial, 5) == 120
    assert counter.memo.once(factorial, 4) == 24
    assert counter.calls == 6


@pytest.mark.usefixtures("_without_collector")
def test_arguments_live_as_long_as_the_memo(counter: Counter) -> None:
    argument = Counter()
    alive = ref(argument)
    counter.memo.once(len, [argument])
    del argument
    assert alive() is not None  # else a new object could have its identity
    counter.memo = Memo(counter)
    assert alive() is None


@pytest.mark.usefixtures("_without_collector")
def test_the_owner_is_not_kept_alive() -> None:
    owner = Counter()
    alive = ref(owner)
    owner.memo.once(owner.compute, 1)
    owner.memo.once(str, owner)
    owner.memo.once(len, [owner])
    del owner
    assert alive() is None


def test_owners_of_the_same_class_are_different(counter: Counter) -> None:
    assert counter.memo.once(Identity, counter) == Identity(counter)
    assert counter.memo.once(Identity, Counter()) != Identity(counter)


def test_an_identity_equals_only_that_of_the_same_object() -> None:
    one, equal = [1], [1]
    assert Identity(one) == Identity(one)
    assert hash(Identity(one)) == hash(Identity(one))
    assert Identity(one) != Identity(equal)
    assert Identity(one) != one
    assert len({Identity(one), Identity(equal), Identity(one)}) == 2
