"""Parameters of metrics, models and pipelines: their values, their meaning, and errors about them.

The values are fields of a msgspec struct. Its types say which values are allowed, and its docstring
says what each parameter means. ``Configurable`` is the base class of whatever is written as an
expression with parameters: ``npmi(window=10)``, ``lda(k=20)``.
"""

from __future__ import annotations

import inspect
import textwrap
import types
from abc import ABC
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Self,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from tealeaves.errors import InputError, did_you_mean
from tealeaves.expressions import Expression, Value, format_value
from tealeaves.json_data import convert_json

Settings = TypeVar("Settings", bound=msgspec.Struct)

_WIDTH = 100  # of descriptions
_HUGE = 10**9  # from here on a technical limit, which messages do not mention
_KINDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}
_LIMITS = {"ge": "of at least", "le": "of at most", "gt": "of more than", "lt": "of less than"}


class Parameter(NamedTuple):
    """A parameter: the values that it may have, its default, and its meaning."""

    name: str
    allowed: str
    default: Any
    meaning: str


# ---------------------------------------------------------------------- things with parameters

#: All settings may be changed.
ALL_SETTINGS = ("*",)


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Configurable(ABC):
    """A thing with a name and parameters: a metric, a model to be trained, an extractor.

    Calling it sets parameters and returns a new one. Equal ones have the same ``repr``, which
    parses back.

    Parameters
    ----------
    name
        The name in expressions: that of the paper, in lower case.
    summary
        One line for tables and ``--help``.
    cite
        The papers that describe it.
    settings
        The values of its parameters; their types and limits are those of the struct.
    accepts
        The names of the settings that may be changed, in the order of signatures; by default all.
    defaults
        The settings before any was changed.
    """

    name: str
    summary: str
    cite: str
    settings: Any
    accepts: tuple[str, ...] = ALL_SETTINGS
    defaults: Any = None

    def __post_init__(self) -> None:
        if self.defaults is None:
            object.__setattr__(self, "defaults", self.settings)
        if self.accepts == ALL_SETTINGS:
            object.__setattr__(self, "accepts", self.settings.__struct_fields__)

    def __call__(self, **changes: Value) -> Self:
        """Return the same with other parameters."""
        check_names(self.name, changes, self.accepts)
        return replace(self, settings=self._changed(changes))

    def _changed(self, changes: dict[str, Value]) -> Any:
        """Return the changed settings; subclasses with rules between parameters extend this."""
        return changed_settings(self.name, self.settings, changes)

    def __repr__(self) -> str:
        return str(self._expression(self._shown(self.changes)))

    @property
    def changes(self) -> dict[str, Value]:
        """The parameters that are not at their defaults."""
        values = self._values().items()
        return {name: value for name, value in values if value != getattr(self.defaults, name)}

    @property
    def signature(self) -> str:
        """The expression with every parameter written out, defaults too."""
        return str(self._expression(self._written()))

    def _expression(self, parameters: Mapping[str, Value]) -> Expression:
        return Expression(self.name, dict(parameters))

    def _shown(self, changed: dict[str, Value]) -> dict[str, Value]:
        """Return the parameters in the ``repr``, usually those that are not at their defaults."""
        return changed

    def _written(self) -> dict[str, Value]:
        """Return the parameters in the signature."""
        return self._values()

    def _values(self) -> dict[str, Value]:
        return {name: getattr(self.settings, name) for name in self.accepts}

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters that may be changed: what each may be, is by default, and means."""
        return parameters_of(type(self.settings), self.accepts, self.defaults)

    def describe_parameters(self) -> list[str]:
        """Return lines that say of each parameter what it may be, is by default, and means."""
        lines = ["Parameters:" if self.accepts else "Parameters: none."]
        for parameter in self.parameters:
            default = format_value(parameter.default)
            lines.append(f"  {parameter.name}: {parameter.allowed}; default: {default}")
            lines.append(textwrap.indent(textwrap.fill(parameter.meaning, _WIDTH - 4), "    "))
        return lines

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Configurable) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[Any, ...]:
        return type(self), self.name, self.settings


# ---------------------------------------------------------------------- descriptions


def allowed_text(annotation: Any) -> str:
    """Describe the values that a type annotation allows.

    >>> allowed_text(Annotated[int, msgspec.Meta(ge=1)] | None)
    'a whole number of at least 1, or none'
    >>> allowed_text(Literal["skip", "zero"])
    'one of skip, zero'
    >>> allowed_text(Annotated[int, msgspec.Meta(ge=1)] | Literal["all"])
    'a whole number of at least 1, or all'
    """
    origin = get_origin(annotation)
    if origin is Annotated:
        kind, *constraints = get_args(annotation)
        limits = [
            f"{text} {format_value(getattr(meta, name))}"
            for meta in constraints
            for name, text in _LIMITS.items()
            if getattr(meta, name) is not None and abs(getattr(meta, name)) < _HUGE
        ]
        return " ".join([allowed_text(kind), " and ".join(limits)]).strip()
    if origin is Literal:
        values = get_args(annotation)
        return "one of " * (len(values) > 1) + ", ".join(map(format_value, values))
    if origin in (Union, types.UnionType):
        return ", or ".join(allowed_text(part) for part in get_args(annotation))
    return "none" if annotation is type(None) else _KINDS.get(annotation, str(annotation))


def parameters_of(kind: type, names: Iterable[str], defaults: Any) -> list[Parameter]:
    """Describe parameters by the types and the docstring of the struct that has their values."""
    hints = get_type_hints(kind, include_extras=True)
    meanings: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        meanings |= _documented(base)
    return [
        Parameter(name, allowed_text(hints[name]), getattr(defaults, name), meanings.get(name, ""))
        for name in names
    ]


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


# ---------------------------------------------------------------------- changes and checks


def changed_settings(owner: str, settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """Return settings with other values; impossible values are errors.

    ``owner`` is what has the settings, for messages.
    """
    kind = type(settings)
    values = {name: getattr(settings, name) for name in settings.__struct_fields__}
    new_values = {name: plain_number(value) for name, value in changes.items()}
    try:
        converted: Settings = convert_json(values | new_values, kind)
        return converted
    except msgspec.ValidationError as error:
        name = str(error).rpartition("`$.")[2].rstrip("`")
        hints = get_type_hints(kind, include_extras=True)
        if name not in hints or name not in new_values:
            raise InputError(f"{owner}: {error}") from error
        value = format_value(new_values[name])
        raise InputError(
            f"{owner}: {name} must be {allowed_text(hints[name])}, not {value}"
        ) from error


def check_names(owner: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raise for a name that is not the name of a parameter."""
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            listed = ", ".join(known) or "none"
            raise InputError(f"{owner} has no parameter {name}{hint} (it has: {listed})")


def check_keywords(
    function: Callable[..., Any], given: Iterable[str], passed_on: Callable[..., Any]
) -> None:
    """Raise for a keyword argument of a function that the one it is passed on to does not have.

    >>> check_keywords(check_names, ["nown"], check_names)
    Traceback (most recent call last):
    ...
    tealeaves.errors.InputError: check_names has no parameter nown; did you mean known? (it has: \
owner, names, known)
    """
    for name in given:
        try:
            inspect.signature(passed_on).bind_partial(**{name: None})
        except TypeError:
            own, others = (inspect.signature(one).parameters for one in (function, passed_on))
            known = [one.name for one in own.values() if one.kind is not one.VAR_KEYWORD]
            check_names(function.__qualname__, [name], dict.fromkeys([*known, *others]))


def wrong_value(name: str, value: Any, allowed: str, known: Collection[str] = ()) -> InputError:
    """Return the error for a value that a parameter may not have.

    If ``known`` has a name that is similar to the value, the error suggests it.

    >>> str(wrong_value("window", 0, "at least 1"))
    'window must be at least 1, not 0'
    """
    hint = did_you_mean(str(value), known)
    return InputError(f"{name} must be {allowed}, not {plain_number(value)!s:.40}{hint}")


def check_choice(name: str, value: str, known: Collection[str]) -> None:
    """Raise for a value that is not one of those that are known.

    >>> check_choice("test", "permutatoin", ["permutation", "t"])
    Traceback (most recent call last):
    ...
    tealeaves.errors.InputError: test must be one of permutation, t, not permutatoin; did you mean \
permutation?
    """
    if value not in known:
        raise wrong_value(name, value, f"one of {', '.join(known)}", known)


def check_natural(name: str, value: Any) -> None:
    """Raise for anything but a whole number of at least 1.

    >>> check_natural("threads", 2)
    """
    number = plain_number(value)
    if type(number) is not int or number < 1:
        raise wrong_value(name, repr(number), "a whole number of at least 1")


def plain_number(value: Any) -> Any:
    """Return a number of numpy as a number of Python; other values are returned unchanged."""
    return value.item() if hasattr(value, "item") else value
