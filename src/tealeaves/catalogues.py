"""Catalogues: packages whose modules each hold something that has a name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType, ModuleType
from typing import Protocol, TypeVar

from tealeaves.errors import TealeavesError


class Named(Protocol):
    """Something that has a name."""

    @property
    def name(self) -> str:
        """What it is called."""


T = TypeVar("T", bound=Named)


def values_in(catalogue: ModuleType) -> Iterator[object]:
    """Yield every value in the modules of a package."""
    for info in pkgutil.iter_modules(catalogue.__path__):
        yield from vars(importlib.import_module(f"{catalogue.__name__}.{info.name}")).values()


def by_name(values: Iterable[T], what: str) -> Mapping[str, T]:
    """Return values by name, in alphabetical order; ``what`` says what they are."""
    found: dict[str, T] = {}
    for value in values:
        if found.setdefault(value.name, value) is not value:
            raise TealeavesError(f"two {what} are called {value.name}")
    return MappingProxyType(dict(sorted(found.items())))
