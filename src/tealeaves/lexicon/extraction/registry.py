"""The registry: every model in a module of ``extraction/catalogue``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tealeaves.catalogues import by_name, values_in
from tealeaves.errors import InputError, did_you_mean
from tealeaves.expressions import Expression
from tealeaves.lexicon.extraction.aliases import ALIASES, unaliased
from tealeaves.lexicon.extraction.base import Extractor


@cache
def all_extractors() -> Mapping[str, Extractor]:
    """Return every model by name, in alphabetical order."""
    from tealeaves.lexicon.extraction import catalogue

    found = (value for value in values_in(catalogue) if isinstance(value, Extractor))
    return by_name(found, "models")


def paper_name(spec: str) -> str:
    """Return the papers' name of a model, where one stands for exactly this; else the expression.

    >>> paper_name("aligned(links=union)"), paper_name("l(most=3)"), paper_name("L")
    ('hmm+u', 'l(most=3)', 'L')
    """
    return _paper_names().get(spec, spec)


@cache
def _paper_names() -> Mapping[str, str]:
    return {repr(extractor(expression)): name for name, expression in ALIASES.items()}


def extractor(spec: str | Extractor | object) -> Extractor:
    """Return the model that an expression, or one of the papers' names, stands for.

    >>> extractor("l(measure=t)"), extractor("fa+i")
    (l(measure=t), aligned(aligner=fast_align, links=intersection))
    """
    if isinstance(spec, Extractor):
        return spec
    if not isinstance(spec, str):
        raise InputError(f"a model is written as 'l(measure=t)', not {spec!r:.40}")
    expression = Expression.parse(unaliased(spec))
    if expression.top is not None:
        raise InputError(f"{spec}: a model takes no @{expression.top}")
    known = all_extractors()
    if expression.name not in known:
        hint = did_you_mean(spec.strip(), [*known, *ALIASES])
        names = ", ".join([*known, *ALIASES])
        raise InputError(f"unknown model {spec.strip()}{hint} (known: {names})")
    return known[expression.name](**expression.parameters)
