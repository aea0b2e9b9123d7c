"""The names that papers give models: ``fa+u``, ``mf+fa+i``, ``L``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_ALIGNERS = {"fa": "fast_align", "ef": "eflomal", "te": "thot_eflomal", "hmm": "hmm"}
_LINKS = {"u": "union", "i": "intersection", "gdfa": "gdfa"}


def _aligned() -> dict[str, str]:
    return {
        f"{prefix}{short}+{links}": f"aligned(aligner={aligner}, links={how}{morphs})"
        for prefix, morphs in (("", ""), ("mf+", ", morphs=true"))
        for short, aligner in _ALIGNERS.items()
        for links, how in _LINKS.items()
    }


#: what each stands for: an aligner and how its two directions are joined; on Morfessor's morphs
ALIASES: Mapping[str, str] = MappingProxyType({"L": "l", "L-t": "l(measure=t)"} | _aligned())


def unaliased(spec: str) -> str:
    """Return the expression that a name stands for; what is no such name stays.

    >>> unaliased("mf+fa+u"), unaliased("l(most=3)")
    ('aligned(aligner=fast_align, links=union, morphs=true)', 'l(most=3)')
    """
    return ALIASES.get(spec.strip(), spec)
