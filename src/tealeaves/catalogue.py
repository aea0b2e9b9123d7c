"""Catalogues: named things of one kind, such as metrics, and how they are found by name.

Metrics, models, extractors, aligners, named embeddings, readers and layouts of judgments are each a
``Catalogue``. Its members come from the modules of a package (a new module is a new member), from
entry points of installed packages, or from a plain list. Adapters and formats of topics are no
catalogues, because users never name them: the first that fits an object is used.
"""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from tealeaves.errors import InputError, TealeavesError, TealeavesWarning, did_you_mean
from tealeaves.expressions import Expression

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from types import ModuleType


class Named(Protocol):
    """Something that has a name."""

    @property
    def name(self) -> str:
        """The name by which it is found."""


Member = TypeVar("Member", bound=Named)


class Catalogue(Mapping[str, Member]):
    """The members of one kind by name, loaded when they are first needed.

    Parameters
    ----------
    noun
        What a member is called in messages: "metric".
    load
        Returns the members, in the order in which they are listed; two members of one name are
        an error.
    aliases
        Other names, each with the name or the expression that it stands for. Only ``parse`` and
        ``expression`` understand those of expressions.
    example
        How a member is written, for messages: "lda(k=20)".
    listing
        Where a user sees all members, for messages. Default: their names.
    known
        Returns the member of a name or alias that can be found without loading all others, else
        None. A member of the same name that only ``load`` returns is then not looked for.

    >>> readers = Catalogue("reader", lambda: [Expression("lines"), Expression("csv")])
    >>> list(readers)
    ['lines', 'csv']
    >>> readers.find("cvs")
    Traceback (most recent call last):
    ...
    tealeaves.errors.InputError: unknown reader cvs; did you mean csv? (known: lines, csv)
    """

    def __init__(
        self,
        noun: str,
        load: Callable[[], Iterable[Member]],
        *,
        aliases: Mapping[str, str] | None = None,
        example: str = "",
        listing: str = "",
        known: Callable[[str], Member | None] = lambda _: None,
    ) -> None:
        self.noun = noun
        self._load = load
        self._stated_aliases = dict(aliases or {})
        self._example = example
        self._listing = listing
        self._known = known

    @cached_property
    def _members(self) -> dict[str, Member]:
        members: dict[str, Member] = {}
        for member in self._load():
            if members.setdefault(member.name, member) is not member:
                raise TealeavesError(f"two {self.noun}s are called {member.name}")
        return members

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Other names of members: those of the catalogue, and those that members declare."""
        declared = {
            alias: member.name
            for member in self._members.values()
            for alias in getattr(member, "aliases", ())
        }
        return declared | self._stated_aliases

    def find(self, name: str) -> Member:
        """Return the member of a name or alias; an unknown name is an error with a suggestion."""
        found = self._known(name) or self._members.get(self.aliases.get(name, name))
        if found is None:
            raise self.unknown(name)
        return found

    def unknown(self, name: str) -> InputError:
        """Return the error for a name that no member has."""
        names = [*self._members, *self.aliases]
        listing = self._listing or f"known: {', '.join(names)}"
        return InputError(f"unknown {self.noun} {name}{did_you_mean(name, names)} ({listing})")

    def parse(self, spec: str, *, top: bool = False) -> Member:
        """Return the member that an expression stands for, with the parameters of the expression.

        With ``top`` an expression may end in ``@10``, which is passed to the member by ``@``.
        """
        expression = self.expression(spec, top=top)
        declared: Any = self.find(expression.name)
        member = declared(**expression.parameters)
        parsed: Member = member if expression.top is None else member @ expression.top
        return parsed

    def expression(self, spec: str, *, top: bool = False) -> Expression:
        """Return the parsed expression, whose name is then that of a member."""
        if not isinstance(spec, str):
            raise InputError(f"a {self.noun} is written as '{self._example}', not {spec!r:.40}")
        expression = Expression.parse(self._stated_aliases.get(spec.strip(), spec))
        name = self.find(expression.name).name
        if expression.top is not None and not top:
            raise InputError(f"{spec}: a {self.noun} takes no @{expression.top}")
        return replace(expression, name=name)

    def reload(self) -> None:
        """Load the members again when they are next needed, as after a package is installed."""
        for cached in ("_members", "aliases"):
            self.__dict__.pop(cached, None)

    def __getitem__(self, name: str) -> Member:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)


def members_of_package(package: str, kind: type[Member]) -> list[Member]:
    """Return the values of a type in the modules of a package, by name."""
    return _by_name(_values(importlib.import_module(package)), kind)


def members_of_module(module: str, kind: type[Member]) -> list[Member]:
    """Return the values of a type in one module, by name."""
    return _by_name(vars(importlib.import_module(module)).values(), kind)


def entry_points(*, group: str) -> Iterable[EntryPoint]:
    """Return the entry points of installed packages; the import is slow."""
    from importlib import metadata

    return metadata.entry_points(group=group)


def members_of_entry_points(group: str, kind: type[Member]) -> list[Member]:
    """Return the values of a type that entry points lead to, by name.

    An entry point names a module, or a package whose modules are all searched. One that cannot be
    loaded is left out with a warning, and the others are still loaded.
    """
    return _by_name(
        (value for entry in entry_points(group=group) for value in _loaded_values(entry)), kind
    )


def _by_name(values: Iterable[object], kind: type[Member]) -> list[Member]:
    return sorted(
        (value for value in values if isinstance(value, kind)), key=lambda member: member.name
    )


def _values(module: ModuleType) -> Iterator[object]:
    """Yield the values of a module and, if it is a package, of the modules in it."""
    yield from vars(module).values()
    for info in pkgutil.iter_modules(getattr(module, "__path__", ())):
        yield from vars(importlib.import_module(f"{module.__name__}.{info.name}")).values()


def _loaded_values(entry: EntryPoint) -> list[object]:
    try:
        return list(_values(entry.load()))
    except (ImportError, AttributeError) as error:
        message = f"the {entry.group} of {entry.value} cannot be loaded: {error}"
        warnings.warn(message, TealeavesWarning, stacklevel=2)
        return []
