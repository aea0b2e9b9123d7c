"""``Memo``: results that are computed once and kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from enum import Enum
from types import MethodType, NoneType
from typing import Any, ParamSpec, TypeVar
from weakref import ref

P = ParamSpec("P")
T = TypeVar("T")

_PLAIN = (str, bytes, int, float, Enum, NoneType)
_SEQUENCES = (list, tuple)
_OWNER = "the owner"  # stands for it in a key


class Identity:
    """An object as a key, which equals only itself.

    The object is kept alive, so that no other object gets its address.

    >>> one, other = [1], [1]
    >>> Identity(one) == Identity(one), Identity(one) == Identity(other)
    (True, False)
    """

    __slots__ = ("_thing",)

    def __init__(self, thing: object) -> None:
        self._thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self._thing is other._thing

    def __hash__(self) -> int:
        return object.__hash__(self._thing)


class Memo:
    """Calls a function once for the same arguments, and keeps the result.

    Text, numbers, members of enumerations and None are compared by value, lists and tuples member
    by member. All other objects, also functions, are compared by identity; a lambda in a call is a
    new function each time. Arguments are kept alive by the memo. The owner is not, although it may
    be an argument or have the function as its method.

    Parameters
    ----------
    owner
        The object that has this memo.

    >>> class Reader:
    ...     def __init__(self):
    ...         self.memo = Memo(self)
    ...
    ...     def words(self, text):
    ...         return self.memo.once(self._words, text)
    ...
    ...     def _words(self, text):
    ...         print("reads", text)
    ...         return text.split()
    >>> reader = Reader()
    >>> reader.words("a cat") is reader.words("a cat")
    reads a cat
    True
    """

    def __init__(self, owner: object) -> None:
        self._owner = ref(owner)
        self._results: dict[Hashable, Any] = {}
        self._kept: list[object] = []  # so that no other object gets the address of an argument

    def once(self, function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """Return what the function returns for these arguments; call it only the first time."""
        called: tuple[object, ...] = (function,)
        if isinstance(function, MethodType):  # which is a new object each time
            called = function.__func__, function.__self__
        objects: list[object] = []
        key = self._key((called, arguments, sorted(options.items())), objects)
        if key not in self._results:
            self._kept += objects
            self._results[key] = function(*arguments, **options)
        result: T = self._results[key]
        return result

    def _key(self, argument: object, objects: list[object]) -> Hashable:
        """Return an argument as a key; list the objects that it names by their addresses."""
        if isinstance(argument, _SEQUENCES):
            return tuple([self._key(one, objects) for one in argument])
        if isinstance(argument, _PLAIN):
            return type(argument), argument  # 1 is not True
        if argument is self._owner():
            return _OWNER
        objects.append(argument)
        return id(argument)
