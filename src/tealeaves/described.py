"""What values a parameter may have, in words a user can act on."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterable
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from tealeaves.expressions import format_value

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
