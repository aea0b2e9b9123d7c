"""Notes on estimates: which estimators were used, what would help, and what is unusual."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tealeaves.estimator.estimators import Estimators
from tealeaves.estimator.features import TopicFeatures, group_of
from tealeaves.evidence.evidence import Evidence
from tealeaves.tables.numbers import list_text
from tealeaves.text.languages import same_language

_NEED = {
    "mta": "a dictionary (--dictionary)",
    "era_mean": "years of words (--years)",
    "drift_mean": "modern texts (--modern)",
}
_FEW_KNOWN = {
    "era": "less than half of the words have a year",
    "drift": "less than half of the words can be compared with modern texts",
}
_HALF = 0.5


def notes_on_estimates(
    estimators: Estimators, parts: Sequence[TopicFeatures], evidence: Evidence
) -> list[str]:
    """Say which estimators were used, what a better one needs, and what is unusual."""
    notes: list[str] = []
    for known, what, feature in (
        (evidence.years, "years of words", "era_mean"),
        (evidence.drift, "modern texts", "drift_mean"),
    ):
        if known is not None and not same_language(known.language, estimators.pivot):
            notes.append(
                f"the {what} are of {known.language} and not used: the estimators need those of "
                f"{estimators.pivot}"
            )
        elif known is not None and feature not in estimators.names:
            notes.append(
                f"the {what} are not used: languages left out were estimated no better with them"
            )
    notes += _without_lemmas(estimators, evidence)
    used: set[int] = set()
    for part in parts:
        which = estimators.estimate(part).which
        used.update(which.tolist())
        name = f"{part.model.model} ({'-'.join(part.pair)})"
        notes += [*_undefined(estimators, part, which, name), *_few_known(estimators, part, name)]
        notes += _other_sizes(estimators, part, name)
    notes += [*_without_pivot(estimators, parts), *_missing_sources(estimators, parts)]
    return notes + _worse_of_models(estimators, used)


def notes_on_intervals(estimators: Estimators, level: float, which: Iterable[int]) -> list[str]:
    """Say why intervals are infinite: with K languages the highest level is K / (K + 1).

    ``which`` are the numbers of the estimators that were used.
    """
    used = [estimators.estimators[number] for number in set(which) if number >= 0]
    fewest = min((len(one.conformal.languages) for one in used), default=0)
    if not used or level <= fewest / (fewest + 1):
        return []
    return [
        f"intervals of {level:.0%} reach from -1 to 1, because only {fewest} languages were "
        f"learned from: {fewest / (fewest + 1):.0%} is the most (--level)"
    ]


def _worse_of_models(estimators: Estimators, used: Iterable[int]) -> list[str]:
    """Say if models are better compared by CNPMI itself."""
    reached = [estimators.estimators[number].reached for number in used if number >= 0]
    worse = [
        (one.raw_models, one.estimate_models)
        for one in reached
        if one.raw_models and one.estimate_models and one.estimate_models < one.raw_models
    ]
    if not worse:
        return []
    raw, estimate = min(worse, key=lambda pair: pair[1] - pair[0])
    return [
        "compare topics by these estimates, but models by cnpmi: in languages that the estimator "
        f"never saw, cnpmi of models correlates with the target at {raw:.2f}, their estimates at "
        f"{estimate:.2f}"
    ]


def _without_pivot(estimators: Estimators, parts: Iterable[TopicFeatures]) -> list[str]:
    """Name the pairs of languages without the pivot."""
    pairs: dict[str, list[str]] = {}
    for part in parts:
        if not any(same_language(name, estimators.pivot) for name in part.pair):
            pairs.setdefault(part.model.model, []).append("-".join(part.pair))
    return [
        f"{model}: the estimators were learned from pairs with {estimators.pivot}, and "
        f"{list_text(those)} {'is' if len(those) == 1 else 'are'} none"
        for model, those in pairs.items()
    ]


def _undefined(
    estimators: Estimators, part: TopicFeatures, which: np.ndarray, name: str
) -> list[str]:
    """Name the features that topics lack although there is a source, and the features used."""
    ids = [topic.id for topic in part.model.topics]
    lacking: dict[tuple[int | str, ...], list[str]] = {}
    for feature in estimators.names:
        values = part.values.get(feature)
        if values is not None and np.isnan(values).any():
            those = tuple(ids[row] for row in np.flatnonzero(np.isnan(values)))
            lacking.setdefault(those, []).append(feature)
    notes = [
        f"{name}: undefined for {list_text(those)}: {', '.join(features)}"
        for those, features in lacking.items()
    ]
    for number, one in enumerate(estimators.estimators):
        mine = [ids[row] for row in np.flatnonzero(which == number)]
        if mine:
            whose = "all topics" if len(mine) == len(ids) else list_text(mine)
            are = "is" if len(mine) == 1 < len(ids) else "are"
            notes.append(f"{name}: {whose} {are} estimated from {', '.join(one.features)}")
    return notes


def _few_known(estimators: Estimators, part: TopicFeatures, name: str) -> list[str]:
    """Name the topics with few words whose year or use is known."""
    notes = []
    for group, what in _FEW_KNOWN.items():
        shares = part.values.get(f"{group}_known")
        if shares is None or not _uses(estimators, group):
            continue
        rows = np.flatnonzero((shares > 0) & (shares < _HALF))
        if len(rows):
            those = [f"{part.model.topics[row].id} ({shares[row]:.0%})" for row in rows]
            notes.append(f"{name}: {what} in {list_text(those)}")
    return notes


def _without_lemmas(estimators: Estimators, evidence: Evidence) -> list[str]:
    """Say that inflected words have no year if there are no lemmas."""
    years = evidence.years
    if years is None or years.lemmas or not same_language(years.language, estimators.pivot):
        return []
    if not _uses(estimators, "era"):
        return []
    return [
        f"years are looked up without lemmas of {years.language}, so fewer words have one (the "
        "extra langs has lemmas of many languages)"
    ]


def _uses(estimators: Estimators, group: str) -> bool:
    return any(group_of(feature) == group for feature in estimators.names)


def _other_sizes(estimators: Estimators, part: TopicFeatures, name: str) -> list[str]:
    """Say if topics have fewer or more words than all training topics."""
    known = [c for one in estimators.estimators for c in one.cardinalities]
    sizes = part.values["cardinality"]
    outside = sizes[(sizes < min(known)) | (sizes > max(known))]
    if not len(outside):
        return []
    return [
        f"{name}: topics of {outside.min():.0f} to {outside.max():.0f} words, and the estimator "
        f"knows {min(known)} to {max(known)}"
    ]


def _missing_sources(estimators: Estimators, parts: Iterable[TopicFeatures]) -> list[str]:
    """Say which sources a better estimator needs."""
    best = estimators.estimators[0].features
    lacking = [
        what
        for feature, what in _NEED.items()
        if feature in best and not any(feature in part.values for part in parts)
    ]
    if not lacking:
        return []
    return [f"a better estimator applies with {' and '.join(lacking)}"]
