"""Packages whose public names are imported on first use, so that importing the package is fast."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any


def lazy_names(
    package: str, names: Mapping[str, Iterable[str]], modules: Iterable[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions ``__getattr__`` and ``__dir__`` of a package.

    Parameters
    ----------
    package
        The name of the package: ``__name__``.
    names
        The public names of each of its modules. ``"fit as fit_classifier"`` is a name that the
        package calls otherwise.
    modules
        Modules of the package that are attributes themselves.

    >>> get, names = lazy_names("tealeaves", {"files": ["InputFile", "atomic_write as write"]})
    >>> get("write").__name__, names()
    ('atomic_write', ['InputFile', 'write'])
    """
    homes: dict[str, tuple[str, str]] = {}
    for module, entries in names.items():
        for entry in entries:
            original, _, name = entry.partition(" as ")
            homes[name or original] = module, original
    attributes = frozenset(modules)

    def get(name: str) -> Any:
        if name in attributes:
            return importlib.import_module(f"{package}.{name}")
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, original = homes[name]
        return getattr(importlib.import_module(f"{package}.{module}"), original)

    return get, lambda: [*homes, *sorted(attributes)]
