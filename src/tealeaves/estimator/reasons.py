"""Reasons: why the reference's CNPMI of a topic is not to be trusted, in plain words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tealeaves.estimator.estimator import Estimator
from tealeaves.tables.numbers import list_text

#: Standard deviations beyond which a topic is unlike those that were learned from.
UNUSUAL = 1.0
#: The share of words below which the reference hardly knows a topic.
FEW_WORDS = 0.5
#: The coherence inside a language from which on its words belong together.
TOGETHER = 0.05
#: The share of it below which there is a gap to the coherence across languages.
GAP = 0.5
_SHOWN = 3


class Case(NamedTuple):
    """A topic in two languages: its features, its estimate, and what each feature added to it."""

    pair: tuple[str, str]
    values: Mapping[str, float]
    estimate: float
    contributions: Mapping[str, float]


class Verdict(NamedTuple):
    """Whether the reference's CNPMI can be trusted, and why not."""

    trusted: bool
    sentence: str


def verdict_on(case: Case, estimator: Estimator | None) -> Verdict:
    """Say whether the CNPMI of the reference can be trusted, in a sentence."""
    if estimator is None:
        why = "it lacks features that each estimator needs"
        if math.isnan(case.values["cnpmi"]):
            why = "the reference has no pair of its words"
        return Verdict(trusted=False, sentence=f"Cannot be judged: {why}.")
    apart = _apart(case, estimator)
    found = [
        *(_displaced(case, apart) if apart > 0 else []),
        *_few_words(case),
        *_gap(case),
        *_young(case, estimator),
        *_used_otherwise(case, estimator),
    ]
    # what the reference finds better than the estimate does, it ranks well all the same
    aside = [*(_displaced(case, apart) if apart < 0 else []), *_beyond(case, estimator)]
    sentence = f"Not to be trusted: {_joined(found)}." if found else _sound(apart)
    return Verdict(not found, f"{sentence} Mind that {_joined(aside)}." if aside else sentence)


def _sound(apart: float) -> str:
    """Say what was looked at, where nothing was found."""
    near = ", and CNPMI and estimate place the topic less than a standard deviation apart"
    return (
        "Nothing speaks against the reference: it has at least half of the words of each language"
        f"{near if abs(apart) < UNUSUAL else ''}."
    )


def _apart(case: Case, estimator: Estimator) -> float:
    """Return how much higher the estimate places a topic than its CNPMI does.

    Each is placed among its like, in standard deviations: estimates lie closer together than
    targets, and by the spread of targets none would stand out.
    """
    seen = estimator.nearest(case.values["cardinality"])
    if not (seen.raw.sd > 0 and seen.estimate.sd > 0):
        return math.nan  # nothing to be placed among
    return seen.estimate.standing(case.estimate) - seen.raw.standing(case.values["cnpmi"])


def _displaced(case: Case, apart: float) -> list[str]:
    """Say what moved a topic from where the reference places it."""
    if not abs(apart) >= UNUSUAL:  # nor where there is no CNPMI
        return []
    pushing = {
        name: value
        for name, value in case.contributions.items()
        if value * apart > 0 and not _is_cnpmi(name)
    }
    first = sorted(pushing, key=lambda name: -abs(pushing[name]))[:_SHOWN]
    way, moved = ("higher", "raised") if apart > 0 else ("lower", "lowered")
    because = f" ({moved} by {', '.join(map(_named, first))})" if first else ""
    return [f"the estimate places it {way} among topics than the reference's CNPMI does{because}"]


def _is_cnpmi(name: str) -> bool:
    """Tell whether a feature is the reference's CNPMI itself, in whatever form.

    >>> _is_cnpmi("cnpmi"), _is_cnpmi("cnpmi(never=-1)"), _is_cnpmi("inpmi")
    (True, True, False)
    """
    return name.partition("(")[0] == "cnpmi"


def _few_words(case: Case) -> list[str]:
    shares = {
        language: case.values[name]
        for language, name in zip(case.pair, ("twc_pivot", "twc_other"), strict=True)
    }
    few = [
        f"{share:.0%} of its words in {name}" for name, share in shares.items() if share < FEW_WORDS
    ]
    return [f"the reference has only {' and '.join(few)}"] if few else []


def _gap(case: Case) -> list[str]:
    """Look for words that belong together in a language, but not with those of the other.

    That is a low MC of a coherence that is clearly above zero: near it, MC is any number.
    """
    cnpmi = case.values["cnpmi"]
    inside = {
        language: case.values.get(name, math.nan)
        for language, name in zip(case.pair, ("inpmi_pivot", "inpmi_other"), strict=True)
    }
    those = {n: inpmi for n, inpmi in inside.items() if inpmi >= TOGETHER and cnpmi < GAP * inpmi}
    if not those:
        return []
    values = " and ".join(f"{inpmi:.3f}" for inpmi in those.values())
    return [
        f"its words belong together in {' and '.join(those)} (INPMI {values}), but less than half "
        f"as much across languages (CNPMI {cnpmi:.3f})"
    ]


def _young(case: Case, estimator: Estimator) -> list[str]:
    if _standing(case, estimator, "era_mean") <= UNUSUAL or not _known(case, "era_known"):
        return []
    usual = _usual(case, estimator, "era_mean")
    return [
        f"its words are young (of {case.values['era_mean']:.0f} on average, usual is {usual:.0f})"
    ]


def _used_otherwise(case: Case, estimator: Estimator) -> list[str]:
    if _standing(case, estimator, "drift_mean") >= -UNUSUAL or not _known(case, "drift_known"):
        return []
    usual = _usual(case, estimator, "drift_mean")
    return [
        "the reference uses its words otherwise than modern texts do, or seldom (a likeness of "
        f"{case.values['drift_mean']:.2f} on average, usual is {usual:.2f})"
    ]


def _known(case: Case, share: str) -> bool:
    """Tell whether enough words are known for anything to be said of all."""
    return case.values.get(share, math.nan) >= FEW_WORDS


def _usual(case: Case, estimator: Estimator, name: str) -> float:
    """Return the mean of a feature in topics of as many words."""
    seen = estimator.nearest(case.values["cardinality"]).features
    return seen[estimator.features.index(name)].mean


def _beyond(case: Case, estimator: Estimator) -> list[str]:
    names = estimator.beyond([case.values[name] for name in estimator.features])
    if not names:
        return []
    what = list_text(map(_named, names), _SHOWN)
    return [f"the estimator never saw such a topic ({what}: beyond all it learned from)"]


def _standing(case: Case, estimator: Estimator, name: str) -> float:
    """Return how unusual a feature is; one that the estimator does not use is as usual."""
    value = case.values.get(name, math.nan)
    if name not in estimator.features or math.isnan(value):
        return 0.0
    return estimator.standing(name, value, case.values["cardinality"])


_NAMES = {
    "cardinality": "number of words",
    "cnpmi": "CNPMI of the reference",
    "inpmi": "INPMI of the reference",
    "mta": "translations among its words (MTA)",
    "twc_pivot": "words of the pivot language that the reference has",
    "twc_other": "words of the other language that the reference has",
    "mc_pivot": "coherence across for that inside the pivot language (MC)",
    "mc_other": "coherence across for that inside the other language (MC)",
    "icc": "coherence inside one language for that inside the other (ICC)",
    "era_mean": "age of its words",
    "era_sd": "spread of the ages of its words",
    "drift_mean": "how its words are used",
    "drift_sd": "how unevenly its words are used",
    "cnpmi(never=-1)": "CNPMI with -1 for words never together",
    "inpmi(never=-1)": "INPMI with -1 for words never together",
}


def _named(name: str) -> str:
    return _NAMES.get(name, name)


def _joined(parts: Sequence[str]) -> str:
    """Join parts of a sentence.

    >>> _joined(["a", "b", "c"])
    'a; b; and c'
    """
    return parts[0] if len(parts) == 1 else f"{'; '.join(parts[:-1])}; and {parts[-1]}"
