"""Each two models: the difference of their errors on the same lemmas, and who differs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from tealeaves.lexicon.error.averaging import Grid
from tealeaves.lexicon.error.bootstrap import LemmaBootstrap
from tealeaves.lexicon.error.means import over_lemmas, over_targets
from tealeaves.lexicon.error.summaries import Difference, Plan
from tealeaves.statistics.correction import correct_p
from tealeaves.statistics.hypothesis_tests import least_p
from tealeaves.statistics.letters import compact_letters

# so many patterns of signs for each pair of models that p is corrected for
_DRAWS_A_PAIR = 400


def differences_of(grid: Grid, bootstrap: LemmaBootstrap, plan: Plan) -> list[Difference]:
    """Return the difference of each two models, tested over the lemmas that both have."""
    pairs = list(combinations(range(len(grid.models)), 2))
    if not pairs:
        return []
    apart = grid.less(pairs)
    intervals = bootstrap.intervals(apart.values, -1.0, 1.0)
    ps = apart.ps(draws_of(plan, len(pairs)), plan.seed)
    adjusted = correct_p(ps, plan.correction).tolist()
    both = np.isfinite(apart.values)
    found = []
    for place, pair in enumerate(pairs):
        a, b = (_total(np.where(both[place], grid.values[side], math.nan)) for side in pair)
        found.append(
            Difference(
                model_a=grid.models[pair[0]],
                model_b=grid.models[pair[1]],
                error_a=a,
                error_b=b,
                difference=apart.totals[place],
                low=intervals[place].low,
                high=intervals[place].high,
                p=ps[place],
                p_corrected=adjusted[place],
                lemmas=apart.lemmas_of[place],
                significant=adjusted[place] <= plan.alpha,
            )
        )
    return found


def draws_of(plan: Plan, pairs: int) -> int:
    """Return how many patterns of signs are drawn: more where p is corrected for many pairs."""
    return max(plan.draws, _DRAWS_A_PAIR * pairs)


def _total(values: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    means = over_lemmas(values, np.ones((1, values.shape[1])))
    return float(over_targets(means)[0])


def can_differ(differences: Sequence[Difference], plan: Plan) -> bool:
    """Tell whether any test could find a difference, however large, with so many lemmas.

    >>> four = Difference(model_a="l", model_b="m", error_a=0, error_b=1, difference=-1, lemmas=4)
    >>> can_differ([four], Plan()), can_differ([four], Plan(level=0.8))  # least p: 2 of 16 patterns
    (False, True)
    >>> can_differ([four] * 2, Plan(level=0.8))
    False
    """
    draws = draws_of(plan, len(differences))
    least = [least_p("sign_flip", row.lemmas, draws=draws) for row in differences]
    reached = correct_p(least, plan.correction)
    return bool((reached <= plan.alpha).any())


def letters_of(grid: Grid, differences: Sequence[Difference], plan: Plan) -> dict[str, str]:
    """Return the letters of each model; none where a pair was not tested, or no test could tell."""
    if any(math.isnan(row.p) for row in differences) or not can_differ(differences, plan):
        return {}
    place = {model: number for number, model in enumerate(grid.models)}
    different = np.zeros((len(place), len(place)), np.bool_)
    for row in differences:
        a, b = place[row.model_a], place[row.model_b]
        different[a, b] = different[b, a] = row.significant
    found = compact_letters([-total for total in grid.totals], different)
    return dict(zip(grid.models, found, strict=True))
