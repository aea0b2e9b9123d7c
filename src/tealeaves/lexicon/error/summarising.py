"""The means of models and of lines, over all lemmas, by part of speech and by target language."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from tealeaves.lexicon.error.averaging import Grid, grids_of
from tealeaves.lexicon.error.bootstrap import LemmaBootstrap
from tealeaves.lexicon.error.rows import MEASURES, LemmaError, Measures
from tealeaves.lexicon.error.summaries import Summary

#: The lines to hold models against: what they are called, by the measure that they are.
LINES = {
    "all_same": "all same",
    "all_different": "all different",
    "raw_forms": "annotated words as they stand",
}
# the paper's order of nouns, adjectives and verbs; others come after them
_ORDER = ("N", "A", "V")

Summaries = tuple[list[Summary], list[Summary]]


def summaries_of(
    rows: Sequence[LemmaError], bootstrap: LemmaBootstrap, letters: Mapping[str, str]
) -> Summaries:
    """Return the means of models, and those of lines.

    The means over everything come first, then those of each language, where there are several;
    after these the same of each part of speech, where there are several. A part of speech that some
    languages lack has its mean over the others.
    """
    summaries: list[Summary] = []
    lines: list[Summary] = []
    several = len({row.target for row in rows if not math.isnan(row.measures.error)}) > 1
    for pos in [None, *parts_of_speech(rows)]:
        part = [row for row in rows if pos in (None, row.pos)]
        measured = [row for row in part if not math.isnan(row.measures.error)]
        grids = grids_of(measured)
        targets = grids["error"].targets
        for target in [None, *targets] if several else targets:
            cut = {name: grid.at(target) if target else grid for name, grid in grids.items()}
            held = [row for row in part if target in (None, row.target)]
            summaries += _of_models(cut, held, bootstrap, target, pos)
            lines += _of_lines(cut, bootstrap, target, pos)
    return [_with_letters(row, letters, summaries[0]) for row in summaries], lines


def parts_of_speech(rows: Sequence[LemmaError]) -> list[str]:
    """Return the parts of speech; none where only one is, which would repeat the total.

    >>> said = Measures(error=0.5)
    >>> rows = [LemmaError(model="l", lemma=pos, pos=pos, measures=said) for pos in ("P", "V", "N")]
    >>> parts_of_speech(rows), parts_of_speech(rows[:1])
    (['N', 'V', 'P'], [])
    """
    found = {row.pos for row in rows if not math.isnan(row.measures.error)}
    named = found - {""}
    known = [part for part in _ORDER if part in named]
    return known + sorted(named - set(known)) if len(found) > 1 else []


def _with_letters(row: Summary, letters: Mapping[str, str], first: Summary) -> Summary:
    """Give a mean over everything its letters: models were tested on no less."""
    whole = (row.target, row.pos) == (first.target, first.pos)
    return msgspec.structs.replace(row, letters=letters.get(row.model, "")) if whole else row


def _of_models(
    grids: Mapping[str, Grid],
    rows: Sequence[LemmaError],
    bootstrap: LemmaBootstrap,
    target: str | None,
    pos: str | None,
) -> Iterator[Summary]:
    grid = grids["error"]
    intervals = bootstrap.intervals(grid.values, 0.0, 1.0)
    lemmas = grid.lemmas_of
    for place, model in enumerate(grid.models):
        if not lemmas[place]:
            continue
        own = [row for row in rows if row.model == model]
        measured = [row for row in own if not math.isnan(row.measures.error)]
        yield Summary(
            model=model,
            target=target,
            pos=pos,
            lemmas=lemmas[place],
            tokens=sum(row.tokens for row in measured),
            left_out=len(own) - len(measured),
            low=intervals[place].low,
            high=intervals[place].high,
            measures=Measures(**{name: grids[name].totals[place] for name in MEASURES}),
        )


def _of_lines(
    grids: Mapping[str, Grid], bootstrap: LemmaBootstrap, target: str | None, pos: str | None
) -> Iterator[Summary]:
    for name, called in LINES.items():
        line = grids[name].merged(called)
        [total], [lemmas] = line.totals, line.lemmas_of
        if not lemmas:
            continue
        [interval] = bootstrap.intervals(line.values, 0.0, 1.0)
        yield Summary(
            kind="line",
            model=called,
            target=target,
            pos=pos,
            lemmas=lemmas,
            low=interval.low,
            high=interval.high,
            measures=Measures(error=total),
        )
