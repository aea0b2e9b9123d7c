"""What values a parameter may have, in words a user can act on."""

from __future__ import annotations

import inspect
import types
from collections.abc import Collection, Iterable, Mapping
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from tealeaves.errors import InputError, did_you_mean
from tealeaves.expressions import format_value

T = TypeVar("T", bound=msgspec.Struct)

_HUGE = 2**31 - 1  # a limit of the machine, not worth a word
_KINDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


class Parameter(NamedTuple):
    """A parameter: what it may be, what it is unless changed, and what it means."""

    name: str
    allowed: str
    default: Any
    meaning: str


def allowed(annotation: Any) -> str:
    """Describe the values that a type annotation allows.

    >>> allowed(Annotated[int, msgspec.Meta(ge=1)] | None)
    'a whole number of at least 1, or none'
    >>> allowed(Literal["skip", "zero"])
    'one of skip, zero'
    >>> allowed(Annotated[int, msgspec.Meta(ge=1)] | Literal["all"])
    'a whole number of at least 1, or all'
    """
    origin = get_origin(annotation)
    if origin is Annotated:
        kind, *limits = get_args(annotation)
        return " and ".join([allowed(kind), *_limits(limits)]).replace(" and of", " of", 1)
    if origin is Literal:
        values = get_args(annotation)
        return "one of " * (len(values) > 1) + ", ".join(map(format_value, values))
    if origin in (Union, types.UnionType):
        return ", or ".join(allowed(part) for part in get_args(annotation))
    return "none" if annotation is type(None) else _KINDS.get(annotation, str(annotation))


def parameters_of(kind: type, names: Iterable[str], defaults: Any) -> list[Parameter]:
    """Describe parameters by the struct that holds their values: its types and its docstring."""
    hints = get_type_hints(kind, include_extras=True)
    said: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        said |= _documented(base)
    return [
        Parameter(name, allowed(hints[name]), getattr(defaults, name), said.get(name, ""))
        for name in names
    ]


def changed(owner: str, settings: T, known: Collection[str], changes: Mapping[str, Any]) -> T:
    """Return settings with other values; refuse unknown names, and values that cannot be.

    ``owner`` is whose settings they are, for messages.
    """
    for name in changes:
        if name not in known:
            hint = did_you_mean(name, known)
            names = ", ".join(known)
            raise InputError(f"{owner} has no parameter {name}{hint} (it has: {names})")
    values = {name: getattr(settings, name) for name in known}
    plain = {name: _plain(value) for name, value in changes.items()}
    kind = type(settings)
    try:
        return msgspec.convert(values | plain, kind)
    except msgspec.ValidationError as error:
        raise InputError(f"{owner}: {explain(error, kind, plain)}") from error


def _plain(value: Any) -> Any:
    """Take a number of numpy for the number that it is."""
    return value.item() if hasattr(value, "item") else value


def check_natural(name: str, value: Any) -> None:
    """Refuse what is not a whole number of at least 1.

    >>> check_natural("threads", 2)
    """
    number = _plain(value)
    if type(number) is not int or number < 1:
        raise InputError(f"{name}={number!r:.40} cannot be: it is a whole number of at least 1")


def explain(error: msgspec.ValidationError, kind: type, given: dict[str, Any]) -> str:
    """Turn msgspec's error into one that names the parameter and what it may be."""
    name = str(error).rpartition("`$.")[2].rstrip("`")
    hints = get_type_hints(kind, include_extras=True)
    if name not in hints or name not in given:
        return str(error)
    return f"{name}={format_value(given[name])} cannot be: it is {allowed(hints[name])}"


def _documented(kind: type) -> dict[str, str]:
    """Return what the section Parameters of a docstring says of each parameter."""
    _, _, section = inspect.cleandoc(kind.__doc__ or "").partition("Parameters\n----------\n")
    found: dict[str, str] = {}
    for line in section.partition("\n\n")[0].splitlines():
        if not line.startswith(" "):
            names = line.split(", ")
            found |= dict.fromkeys(names, "")
        else:
            text = line.strip().replace("``", "")
            found |= {name: f"{found[name]} {text}".strip() for name in names}
    return found


def _limits(found: list[Any]) -> list[str]:
    words = {"ge": "of at least", "le": "of at most", "gt": "of more than", "lt": "of less than"}
    return [
        f"{text} {format_value(getattr(meta, name))}"
        for meta in found
        for name, text in words.items()
        if getattr(meta, name) is not None and abs(getattr(meta, name)) < _HUGE
    ]
