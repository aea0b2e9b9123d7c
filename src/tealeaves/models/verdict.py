"""What a selection says in words: which model to take, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tealeaves.models.candidates import Candidate
    from tealeaves.models.selection import Selection


def verdict(selection: Selection) -> list[str]:
    """Say which model to take and why, a sentence a line; only what was tested is claimed."""
    best, run = selection.best, selection.best_run
    if best is None or run is None:
        return [f"No model has a finite value of {selection.criterion}: nothing can be chosen."]
    said = [_choice(selection, best), _doubt(selection, best), _left_over(selection)]
    where = run.path or run.label
    return [*filter(None, said), f"Its best run: {where}"]


def _choice(selection: Selection, best: Candidate) -> str:
    metric = selection.criterion
    weighted = f" (weighted by {selection.weight})" if selection.weight else ""
    mean = best.mean(metric)
    over = f" over {mean.runs} runs" if mean.runs > 1 else ""
    if len(selection.candidates) == 1:
        return f"Only {best.family} was tried: its {metric}{weighted} is {mean.value:.4f}{over}."
    if not selection.rivals:
        return f"Take {best.family}: no other has a finite {metric}{weighted}."
    order = "highest" if selection.better[metric] == "higher" else "lowest"
    return f"Take {best.family}: its {metric}{weighted} is the {order}{over}."


def _doubt(selection: Selection, best: Candidate) -> str:
    """Say which others may be as good."""
    if not selection.rivals:
        return ""
    if not selection.spread(selection.criterion).freedom:
        if all(len(one.runs) == 1 for one in selection.candidates):
            return "Of a single run it cannot be said how sure that is: try --runs 3."
        return "None has a value of two runs: how sure that is cannot be said."
    if not selection.as_good:
        others = "All others that have a value" if selection.without_value else "All others"
        return f"{others} are clearly worse (95 % interval of the difference)."
    listed, least = _listed(selection, selection.as_good), selection.as_good[0]
    if least.k < best.k:
        return f"Not clearly worse: {listed}; of these {least.family} has the fewest topics."
    return f"Not clearly worse: {listed}; none of these has fewer topics."


def _left_over(selection: Selection) -> str:
    """Name those that could not be compared."""
    if not selection.without_value:
        return ""
    listed = _listed(selection, selection.without_value)
    return f"Not compared, without a finite value of {selection.criterion}: {listed}."


def _listed(selection: Selection, candidates: Iterable[Candidate]) -> str:
    one_kind = len({one.kind for one in selection.candidates}) == 1
    return ", ".join(f"k={one.k}" if one_kind else one.family for one in candidates)
