"""The catalogue of extraction models, and the names that papers give them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tealeaves.catalogue import Catalogue, members_of_package
from tealeaves.lexicon.extraction.base import Extractor

_ALIGNERS = {"fa": "fast_align", "ef": "eflomal", "te": "thot_eflomal", "hmm": "hmm"}
_LINKS = {"u": "union", "i": "intersection", "gdfa": "gdfa"}

# fa+u names an aligner and how its two directions are joined; mf+ means morphs of Morfessor
_PAPER_NAMES = {"L": "l", "L-t": "l(measure=t)"} | {
    f"{prefix}{short}+{links}": f"aligned(aligner={aligner}, links={joined}{morphs})"
    for prefix, morphs in (("", ""), ("mf+", ", morphs=true"))
    for short, aligner in _ALIGNERS.items()
    for links, joined in _LINKS.items()
}


def _load() -> list[Extractor]:
    package = "tealeaves.lexicon.extraction.catalogue"
    return members_of_package(package, Extractor)  # type: ignore[type-abstract]


#: Every model of ``extraction/catalogue`` by name; the names of papers are aliases.
EXTRACTORS = Catalogue("model", _load, aliases=_PAPER_NAMES, example="l(measure=t)")


def extractor(spec: str | Extractor) -> Extractor:
    """Return the model that an expression, or a name that papers use, stands for.

    Parameters
    ----------
    spec
        The expression or name; a model is returned as it is.

    >>> extractor("l(measure=t)"), extractor("fa+i")
    (l(measure=t), aligned(aligner=fast_align, links=intersection))
    """
    return spec if isinstance(spec, Extractor) else EXTRACTORS.parse(spec)


def paper_name(spec: str) -> str:
    """Return the name that papers use for a model, if there is one; else the expression.

    >>> paper_name("aligned(links=union)"), paper_name("l(most=3)"), paper_name("L")
    ('hmm+u', 'l(most=3)', 'L')
    """
    return _names_by_model().get(spec, spec)


@cache
def _names_by_model() -> Mapping[str, str]:
    return {repr(extractor(name)): name for name in EXTRACTORS.aliases}
