"""The registry: every model in a module of ``models/catalogue``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tealeaves.catalogues import by_name, values_in
from tealeaves.errors import InputError, did_you_mean
from tealeaves.expressions import Expression
from tealeaves.models.base import Model


@cache
def all_models() -> Mapping[str, Model]:
    """Return every model by name, in alphabetical order.

    >>> list(all_models())
    ['ctm', 'hdp', 'lda', 'lda_vb', 'nmf', 'pltm', 'ptm']
    """
    from tealeaves.models import catalogue

    found = (value for value in values_in(catalogue) if isinstance(value, Model))
    return by_name(found, "models")


def model(spec: str | Model | object) -> Model:
    """Return the model that an expression stands for.

    >>> model("lda(k=8, iterations=500)")
    lda(k=8, iterations=500)
    """
    if isinstance(spec, Model):
        return spec
    if not isinstance(spec, str):
        raise InputError(f"a model is written as 'lda(k=20)', not {spec!r:.40}")
    expression = Expression.parse(spec)
    if expression.top is not None:
        raise InputError(f"{spec}: a model takes no @{expression.top}")
    known = all_models()
    if expression.name not in known:
        hint = did_you_mean(expression.name, known)
        raise InputError(f"unknown model {expression.name}{hint} (known: {', '.join(known)})")
    return known[expression.name](**expression.parameters)
