"""Splits into dev and test, over lemmas and over languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from tealeaves.lexicon.dataset.ranking import shuffled

K = TypeVar("K")

DEV, TEST = "dev", "test"


def split_strata(
    strata: Mapping[K, Sequence[str]], dev: float, seed: int, purpose: str = "lemmas"
) -> dict[str, str]:
    """Split the members of each stratum at random, a share of each for dev.

    Where a share is no whole number, strata take turns, so that the share of all comes out too.

    >>> found = split_strata({1: "abc", 2: "def"}, 0.5, seed=0)
    >>> sum(found[name] == "dev" for name in "abc"), list(found.values()).count("dev")
    (2, 3)
    """
    found: dict[str, str] = {}
    members = given = 0
    for names in strata.values():
        members += len(names)
        # the nearest whole number to what all strata so far should have
        share = min(max(int(dev * members + 0.5) - given, 0), len(names))
        given += share
        chosen = set(shuffled(names, seed, "split", purpose)[:share])
        found |= {name: DEV if name in chosen else TEST for name in names}
    return found


def split_languages(
    languages: Sequence[str], dev: float, seed: int, chosen: Sequence[str] | None = None
) -> dict[str, str]:
    """Split languages, at random or as they were chosen; one alone is in neither.

    >>> split_languages(["fin"], 0.5, seed=0)
    {'fin': ''}
    >>> split_languages(["fin", "zho"], 0.5, seed=0, chosen=["zho"])
    {'fin': 'test', 'zho': 'dev'}
    """
    if chosen is not None:
        return {language: DEV if language in chosen else TEST for language in languages}
    if len(languages) < 2:
        return dict.fromkeys(languages, "")
    return split_strata({"": list(languages)}, dev, seed, "languages")
