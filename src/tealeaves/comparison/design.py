"""How models are compared: the options, and the number of draws that p needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from tealeaves.comparison.groups import FEWEST, MOST_NAMED, PAIRINGS, by_family, has_runs
from tealeaves.comparison.samples import TESTS
from tealeaves.errors import InputError
from tealeaves.parameters import check_choice, wrong_value
from tealeaves.statistics.correction import METHODS
from tealeaves.tables.numbers import list_text
from tealeaves.topics.topics import Topics

OVER = ("auto", "topics", "seeds")
DRAWS = 10_000
_FINENESS = 20  # steps of p, corrected, below the level
_COARSENESS = 2  # the fewest such steps, however long it takes
_MOST_DRAWS = 200_000  # about a minute for a hundred models of one size
_MOST_NUMBERS = 1_200_000_000  # drawn in all: about a minute for models of many sizes


class Design(msgspec.Struct, frozen=True, kw_only=True):
    """How models are compared; ``draws`` are permutations, ``bootstrap`` samples of intervals."""

    over: str
    pairing: str
    test: str
    correction: str
    level: float
    draws: int
    seed: int
    bootstrap: int = DRAWS

    @property
    def options(self) -> dict[str, Any]:
        """The options of :func:`compare` that give this design.

        ``draws`` is None for the default number, which depends on the number of models.
        """
        options = msgspec.structs.asdict(self)
        bootstrap = options.pop("bootstrap")
        return {**options, "draws": None if bootstrap == DRAWS else self.draws}

    @property
    def units(self) -> str:
        """What the values belong to, as sentences say it: topics or runs."""
        return "topics" if self.over == "topics" else "runs"

    @property
    def notes(self) -> list[str]:
        """That there are more permutations than usual, if the user did not set their number."""
        if self.draws == self.bootstrap:
            return []
        return [
            f"{self.draws:,} permutations are drawn (bootstrap samples: {self.bootstrap:,}), so "
            "that p can be small enough for so many pairs of models"
        ]


class ComparisonOptions(NamedTuple):
    """How differences are tested; :func:`tealeaves.compare` says what each option means."""

    pairing: str = "auto"
    test: str = "permutation"
    correction: str = "holm"
    level: float = 0.05
    draws: int | None = None
    seed: int = 0


def design_for_models(models: Sequence[Topics], over: str, options: ComparisonOptions) -> Design:
    """Decide over what models are compared, and with how many draws."""
    if len(models) < FEWEST:
        raise InputError(f"{models[0].model}: one model alone; give at least two to compare")
    check_choice("over", over, OVER)
    if over == "auto":
        over = "seeds" if has_runs(models) else "topics"
    units = [len(model) for model in models]
    if over == "seeds":
        _check_runs(models)
        units = [len(members) for members in by_family(models).values()]
    return design_for(units, over, options)


def design_for(units: Sequence[int], over: str, options: ComparisonOptions) -> Design:
    """Return the design for groups of so many units each.

    Without ``draws``, there are enough permutations for p that is corrected for the number of
    pairs.

    >>> [design_for([50] * n, "topics", ComparisonOptions()).draws for n in (3, 33)]
    [10000, 200000]
    """
    pairing, test, correction, level, draws, seed = options
    check_choice("pairing", pairing, PAIRINGS)
    check_choice("test", test, TESTS)
    check_choice("correction", correction, METHODS)
    if not 0 < level < 1:
        raise wrong_value("level", level, "between 0 and 1")
    if draws is not None and draws < 1:
        raise wrong_value("draws", draws, "at least 1")
    if seed < 0:
        raise wrong_value("seed", seed, "at least 0")
    return Design(
        over=over,
        pairing=pairing,
        test=test,
        correction=correction,
        level=level,
        draws=draws or _draws_for(units, test, level),
        seed=seed,
        bootstrap=draws or DRAWS,
    )


def _draws_for(units: Sequence[int], test: str, level: float) -> int:
    """Return as many draws as p needs, but not so many that they take minutes.

    Pairs of models of the same sizes share what is drawn.
    """
    if test != "permutation":
        return DRAWS
    pairs = math.comb(sum(size >= FEWEST for size in units), 2)
    sizes = sorted(set(units))
    drawn = sum(a + b for k, a in enumerate(sizes) for b in sizes[k:])
    draws = min(math.ceil(_FINENESS * pairs / level), _MOST_NUMBERS // drawn)
    draws = max(draws, math.ceil(_COARSENESS * pairs / level))
    return max(DRAWS, min(_MOST_DRAWS, draws))


def _check_runs(models: Sequence[Topics]) -> None:
    """Raise unless two families have several runs."""
    families = {name: len(members) for name, members in by_family(models).items()}
    several = [name for name, runs in families.items() if runs > 1]
    if len(several) < FEWEST:
        which = f"only {several[0]} has several" if several else "no family has several"
        raise InputError(
            f"a comparison over seeds needs two families with two runs or more, but {which}: "
            f"{list_text([f'{name} ({runs})' for name, runs in families.items()], MOST_NAMED)}; "
            "give more runs, or compare over topics"
        )
