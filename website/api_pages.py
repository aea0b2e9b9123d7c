"""The pages of the Python API, one for each public function and class, and links to them."""

from __future__ import annotations

import importlib
import inspect
import re
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

import tealeaves

#: The packages whose ``__all__`` is public, in the order of the navigation; the first one that
#: exports an object names it.
PACKAGES = (
    "tealeaves",
    "tealeaves.text",
    "tealeaves.text.paired",
    "tealeaves.topics",
    "tealeaves.evidence",
    "tealeaves.evidence.embeddings",
    "tealeaves.evidence.attention",
    "tealeaves.metrics",
    "tealeaves.comparison",
    "tealeaves.models",
    "tealeaves.judgments",
    "tealeaves.consensus",
    "tealeaves.estimator",
    "tealeaves.lexicon",
    "tealeaves.report",
    "tealeaves.report.run",
    "tealeaves.report.charts",
    "tealeaves.report.pages",
    "tealeaves.demo",
)
_ROLE = re.compile(r":(?:func|class|meth|mod|data|attr|exc|obj):`([~.!]*)([\w.]+)`")
ERRORS = "tealeaves.errors"  # a page for all of them


class PublicName(NamedTuple):
    """A public function or class: the package that names it, its name, and the object itself."""

    package: str
    name: str
    object: Any

    @property
    def path(self) -> str:
        """The name as users write it."""
        return f"{self.package}.{self.name}"

    @property
    def identifier(self) -> str:
        """The path that griffe finds it by: where it is defined, if a module has its name, too."""
        module = self.object.__module__
        parts = module.split(".")
        packages = [".".join(parts[:length]) for length in range(1, len(parts))]
        if any(find_spec(f"{package}.{self.name}") for package in packages):
            return f"{module}.{self.object.__qualname__}"
        return self.path

    @property
    def page(self) -> str:
        """The path of its page in the site.

        Classes have a folder of their own: ``Relevance`` and ``relevance`` would be one file where
        the case of letters does not count, as on Windows and macOS.
        """
        folder = "classes" if inspect.isclass(self.object) else "functions"
        return f"api/{folder}/{self.path}.md"

    @property
    def summary(self) -> str:
        """The first sentence of its docstring."""
        return (inspect.getdoc(self.object) or "").split("\n\n")[0].replace("\n", " ")


@cache
def public_names() -> tuple[PublicName, ...]:
    """Return all public functions and classes, each once."""
    names: dict[int, PublicName] = {}
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in sorted(module.__all__, key=str.lower):
            value = getattr(module, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                names.setdefault(id(value), PublicName(package, name, value))
    return tuple(names.values())


def api_pages() -> dict[str, str]:
    """Return the text of each page by its path."""
    pages = {
        one.page: f"::: {one.identifier}\n    options:\n      heading: {one.path}\n"
        for one in public_names()
    }
    return {"api/index.md": _index_page(), f"api/{ERRORS}.md": _errors_page(), **pages}


def api_navigation() -> list[Any]:
    """Return the part of the navigation: the index, then the pages of each package."""
    sections: dict[str, list[Any]] = {}
    for one in public_names():
        sections.setdefault(one.package, []).append({one.name: one.page})
    packages = [{package: pages} for package, pages in sections.items()]
    return ["api/index.md", *packages, {ERRORS: f"api/{ERRORS}.md"}]


def _index_page() -> str:
    parts = [
        "# Python API",
        f"The public functions and classes of tealeaves {tealeaves.__version__}, each on a page of "
        "its own. [In Python](../python.md) shows how they work together. The metrics, which are "
        "attributes of `tealeaves.metrics`, have [their own pages](../metric/index.md).",
    ]
    for package in PACKAGES:
        rows = [
            f"| [`{one.name}`]({one.page.removeprefix('api/')}) | {_cell(one.summary)} |"
            for one in public_names()
            if one.package == package
        ]
        if rows:  # all names of some packages are those of a package above
            parts.append(f"## {package}\n\n| name | what it is |\n|---|---|\n" + "\n".join(rows))
    parts.append(f"## {ERRORS}\n\n[The errors](tealeaves.errors.md) that tealeaves raises.")
    return "\n\n".join(parts) + "\n"


def _errors_page() -> str:
    """Return the page of the errors and warnings, without the functions of their module."""
    module = importlib.import_module(ERRORS)
    names = [name for name, value in vars(module).items() if inspect.isclass(value)]
    members = [name for name in names if getattr(module, name).__module__ == ERRORS]
    return f"::: {ERRORS}\n    options:\n      members: [{', '.join(members)}]\n"


def _cell(text: str) -> str:
    return _ROLE.sub(r"`\2`", text).replace("|", "&#124;")


# ---------------------------------------------------------------------- links in docstrings


def with_links(text: str, path: str) -> str:
    """Replace the roles of Sphinx by links to pages of the API; what has no page becomes code.

    Parameters
    ----------
    text
        The docstring.
    path
        The path of its object: a bare name is looked for in the same package first.

    >>> with_links("See :func:`tealeaves.score`.", "tealeaves.text.corpus")
    'See [`tealeaves.score`][tealeaves.score].'
    >>> with_links("See :class:`~tealeaves.evidence.sources.Sources`.", "tealeaves.metrics")
    'See [`Sources`][tealeaves.Sources].'
    >>> with_links("See :mod:`.windows`.", "tealeaves.evidence")
    'See `windows`.'
    """
    return _ROLE.sub(lambda role: _link(role[2], path, short="~" in role[1]), text)


def _link(target: str, path: str, *, short: bool) -> str:
    shown = target.rpartition(".")[2] if short else target
    first, _, member = target.partition(".")
    if first == "tealeaves":
        one, member = _by_path().get(target), ""
    else:
        one = _nearest(first, path)
    if one is None or (member and member not in _members(one.object)):
        return f"`{shown}`"
    return f"[`{shown}`][{one.identifier}{'.' if member else ''}{member}]"


def _nearest(name: str, path: str) -> PublicName | None:
    """Return the public object of a name, that of the same package if there are several."""
    package = ".".join(path.split(".")[:2])
    same = [one for one in public_names() if one.name == name]
    same.sort(key=lambda one: not one.object.__module__.startswith(f"{package}."))
    return next(iter(same), None)


@cache
def _by_path() -> dict[str, PublicName]:
    """Return the public objects by all of their paths: as users write it, where it is defined."""
    names = public_names()
    defined = {f"{one.object.__module__}.{one.object.__qualname__}": one for one in names}
    return defined | {one.path: one for one in names}


def _members(owner: Any) -> list[str]:
    """Return the documented members that a class itself defines."""
    return [
        name
        for name, value in vars(owner).items()
        if not name.startswith("_") and getattr(value, "__func__", value).__doc__
    ]
