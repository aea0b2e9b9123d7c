"""Parameters: which values they may have, and messages that say so."""

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

_HUGE = 2**31 - 1  # a limit of the machine, which messages do not mention
_KINDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


class Parameter(NamedTuple):
    """A parameter: the values it may have, its default, and its meaning."""

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
    """Describe parameters by the types and the docstring of the struct that holds their values."""
    hints = get_type_hints(kind, include_extras=True)
    meanings: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        meanings |= _documented(base)
    return [
        Parameter(name, allowed(hints[name]), getattr(defaults, name), meanings.get(name, ""))
        for name in names
    ]


def changed(owner: str, settings: T, known: Collection[str], changes: Mapping[str, Any]) -> T:
    """Return settings with other values; unknown names and impossible values are errors.

    ``owner`` is the name of the thing that has the settings, for messages.
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
    """Return a number of numpy as a plain number."""
    return value.item() if hasattr(value, "item") else value


def check_natural(name: str, value: Any) -> None:
    """Raise for anything but a whole number of at least 1.

    >>> check_natural("threads", 2)
    """
    number = _plain(value)
    if type(number) is not int or number < 1:
        raise InputError(f"{name} must be a whole number of at least 1, not {number!r:.40}")


def explain(error: msgspec.ValidationError, kind: type, given: dict[str, Any]) -> str:
    """Turn an error of msgspec into one that names the parameter and its possible values."""
    name = str(error).rpartition("`$.")[2].rstrip("`")
    hints = get_type_hints(kind, include_extras=True)
    if name not in hints or name not in given:
        return str(error)
    return f"{name} must be {allowed(hints[name])}, not {format_value(given[name])}"


def _documented(kind: type) -> dict[str, str]:
    """Return the text about each parameter from the section Parameters of a docstring."""
    _, _, section = inspect.cleandoc(kind.__doc__ or "").partition("Parameters\n----------\n")
    meanings: dict[str, str] = {}
    for line in section.partition("\n\n")[0].splitlines():
        if not line.startswith(" "):
            names = line.split(", ")
            meanings |= dict.fromkeys(names, "")
        else:
            text = line.strip().replace("``", "")
            meanings |= {name: f"{meanings[name]} {text}".strip() for name in names}
    return meanings


def _limits(constraints: list[Any]) -> list[str]:
    words = {"ge": "of at least", "le": "of at most", "gt": "of more than", "lt": "of less than"}
    return [
        f"{text} {format_value(getattr(meta, name))}"
        for meta in constraints
        for name, text in words.items()
        if getattr(meta, name) is not None and abs(getattr(meta, name)) < _HUGE
    ]
