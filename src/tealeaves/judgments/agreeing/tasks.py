"""One task measured twice: with all annotators, and without those who look careless."""

from __future__ import annotations

from collections.abc import Sequence

from tealeaves.judgments.agreeing.careless import Annotator
from tealeaves.judgments.agreeing.measures import Measures, Settings, measures
from tealeaves.judgments.agreeing.preparing import prepared
from tealeaves.judgments.agreeing.rows import ALL, NOT_FLAGGED
from tealeaves.judgments.judgments import Judgments


def measured(
    part: Judgments, settings: Settings, annotators: Sequence[Annotator]
) -> tuple[dict[str, Measures], list[str]]:
    """Measure one task with all annotators and, where some are flagged, without these.

    The notes say what is to be known of either.
    """
    if not len(part.topics_only):
        return {}, [f"all {len(part)} answers are to items that only test attention: left out"]
    found = {ALL: measures(prepared(part), settings)}
    notes = found[ALL].notes
    flagged = [one.annotator for one in annotators if one.flags]
    if annotators:
        found[ALL].count("flagged annotators", len(flagged))
    if not flagged:
        return found, notes
    rest = part.without(flagged).topics_only
    if not len(rest):
        return found, [*notes, "without the flagged annotators nothing is left"]
    found[NOT_FLAGGED] = measures(prepared(rest), settings)
    new = [text for text in found[NOT_FLAGGED].notes if text not in notes]
    return found, [*notes, *(f"without the flagged annotators {text}" for text in new)]


def of_people(annotators: Sequence[Annotator]) -> list[str]:
    """Say how many annotators of one task are flagged, and what to make of it."""
    if not annotators:
        return ["annotators are not known: nobody can be flagged as careless"]
    flagged = [one for one in annotators if one.flags]
    if not flagged:
        return []
    be = "is" if len(flagged) == 1 else "are"
    said = [f"{len(flagged)} of {len(annotators)} annotators {be} flagged as careless"]
    if any("in a row" in flag for one in flagged for flag in one.flags):
        said.append(
            "answers in a row are in the order of the rows: if that is not the order in "
            "which items were shown, a line of equal ones says little"
        )
    return said
