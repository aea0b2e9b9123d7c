"""The names of features, and the groups they are tested in."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

#: The group of each feature, in the order in which tables have them.
FEATURES = MappingProxyType(
    {
        "cardinality": "base",
        "cnpmi": "base",
        "inpmi": "base",
        "mta": "base",
        "twc_pivot": "base",
        "twc_other": "base",
        "mc_pivot": "gap",
        "mc_other": "gap",
        "icc": "gap",
        "era_mean": "era",
        "era_sd": "era",
        "drift_mean": "drift",
        "drift_sd": "drift",
    }
)

#: What is told of a topic beside its features, and not learned from: the coherence inside each of
#: its languages, and the shares of its words whose year or use is known.
BESIDE = ("inpmi_pivot", "inpmi_other", "era_known", "drift_known")

#: The group of everything else: a metric, by its expression.
MORE = "more"

GROUPS = (*dict.fromkeys(FEATURES.values()), MORE)


def group_of(name: str) -> str:
    """Return the group of a feature.

    >>> group_of("icc"), group_of("cnpmi(never=-1)")
    ('gap', 'more')
    """
    return FEATURES.get(name, MORE)


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of features as tables order them: ours first, then others as they came.

    >>> in_order(["inpmi(never=-1)", "mta", "cnpmi"])
    ('cnpmi', 'mta', 'inpmi(never=-1)')
    """
    given = list(dict.fromkeys(names))
    return (
        *(name for name in FEATURES if name in given),
        *(name for name in given if name not in FEATURES),
    )
