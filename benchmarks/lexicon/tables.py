"""The page of the results, from what the processes of the study printed."""

from __future__ import annotations

import datetime as dt
import os
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.folders import data_folder
from benchmarks.lexicon.gold import (
    SETTINGS,
    GoldToken,
    Labels,
    Setting,
    gold_tokens,
    held_out,
    labels_of,
)
from benchmarks.markdown import table
from tealeaves.lexicon import Evaluation, evaluate
from tealeaves.lexicon.error.measures import Pair
from tealeaves.lexicon.error.summaries import ErrorSummary

BEST = "hybrid"
#: from the worst to the best, as in the paper
ORDER = ("fa+u", "mf+fa+u", "l(measure=t)")
#: the names of what models took
TOOK = ("s, preparing", "s, lemmas", "CPU s in all", "MB")

Row = Mapping[str, Any]
Sets = list[frozenset[str]]


def page(rows: Collection[Row]) -> str:
    """Return the page of the results."""
    data = data_folder()
    today, load = f"{dt.datetime.now(dt.UTC):%Y-%m-%d}", mean(row["load"] for row in rows)
    parts = [
        "# The lexicon, measured",
        f"Written by `python -m benchmarks lexicon` on {today}, on {os.cpu_count()} cores with a "
        f"mean load of {load:.1f} before each process: above 1, seconds\nof the clock are "
        "pessimistic, those of the processor are not. Models that share an alignment share a "
        "process.\n`docs/lexicon.md` says what is compared and why.",
    ]
    for name, setting in SETTINGS.items():
        if models := done(rows, "extract", name):
            cut = done(rows, "cut", cut_in(setting))
            parts += of_setting(setting, with_cutting(models, cut), data)
    return "\n\n".join([*parts, *of_links(rows), *of_seeds(rows)]) + "\n"


def done(rows: Collection[Row], work: str, setting: str = "source") -> dict[str, Row]:
    """Return what was said of each model that did some work."""
    return {row["task"][2]: row for row in rows if row["task"][:2] == [work, setting]}


# ---------------------------------------------------------------------- models


def cut_in(setting: Setting) -> str:
    """Return the setting whose target words Morfessor cut; they are the same in both of Finnish."""
    return "english" if setting.target == "english" else "source"


def with_cutting(models: Mapping[str, Row], cutting: Mapping[str, Row]) -> Mapping[str, Row]:
    """Add what Morfessor took to the models that need it: it ran once for all of them."""
    rows = dict(models)
    for cut in cutting.values():
        for model in filter(lambda name: name.startswith("mf+"), models):
            row = models[model]
            more = {
                "prepare": row["prepare"] + cut["seconds"],
                "cpu": row["cpu"] + cut["cpu"],
                "megabytes": max(row["megabytes"], cut["megabytes"]),
            }
            rows[model] = {**row, **more}
    return rows


def of_setting(setting: Setting, models: Mapping[str, Row], data: Path) -> Iterator[str]:
    """Write the tables of one setting: all lemmas, and the half that is held out."""
    tokens = gold_tokens(data, setting)
    halves: dict[str, Collection[str]] = {"all": {token.lemma for token in tokens}}
    if setting.source == "strong":
        halves["held-out"] = held_out(tokens)
    for labels in labels_of(data, setting, tokens):
        for half, lemmas in halves.items():
            evaluation = evaluated(models, tokens, labels, lemmas)
            yield f"### {setting.title}: {labels.title}, {half} {len(lemmas)} lemmas"
            yield errors(evaluation, models)
            if BEST in evaluation.models and len(evaluation.models) > 1:
                yield differences(evaluation)
            if half == "all" and set(ORDER) <= set(evaluation.models):
                yield order(evaluation)


def evaluated(
    models: Mapping[str, Row], tokens: list[GoldToken], labels: Labels, lemmas: Collection[str]
) -> Evaluation:
    """Evaluate what models extracted for some lemmas; the best comes last, to be compared with."""
    annotation = grouped(tokens, labels.sets, lemmas)
    series: dict[str, dict[str, Pair]] = {}
    for model in sorted(models, key=lambda model: model == BEST):
        sets = [frozenset(one) for one in models[model]["expressions"]]
        extracted = grouped(tokens, sets, lemmas)
        series[model] = {lemma: (extracted[lemma], annotation[lemma]) for lemma in extracted}
    pos = {token.lemma: token.pos for token in tokens}
    raw = grouped(tokens, labels.forms, lemmas) if labels.forms is not None else None
    return evaluate(series, pos, forms=raw)


def grouped(tokens: list[GoldToken], sets: Sets, lemmas: Collection[str]) -> dict[str, Sets]:
    """Return the sets of the tokens of each lemma."""
    by_lemma: dict[str, Sets] = defaultdict(list)
    for token, one in zip(tokens, sets, strict=True):
        if token.lemma in lemmas:
            by_lemma[token.lemma].append(one)
    return by_lemma


def errors(evaluation: Evaluation, models: Mapping[str, Row]) -> str:
    """Write E of models and lines, the worst first; of models what they took, too."""
    head = ["model", "E", "95 %", *evaluation.pos, "empty", *TOOK]
    body = []
    for row in sorted(evaluation.selected(), key=lambda row: (row.kind == "model", -row.error)):
        cells = [row.model, number(row.error), between(row.low, row.high), *by_pos(evaluation, row)]
        if row.kind == "model":
            own = models[row.model]
            cells += [share(row.measures.empty_extracted), *took(own)]
        else:
            cells += ["–"] * (1 + len(TOOK))
        body.append(cells)
    [gold] = {
        share(row.measures.empty_annotated) for row in evaluation.selected() if row.kind == "model"
    }
    return f"{table(head, body)}\n\nAnnotated as empty: {gold} of tokens."


def by_pos(evaluation: Evaluation, row: ErrorSummary) -> list[str]:
    """Return E in each part of speech."""
    return [number(evaluation.summary(row.model, pos=pos).error) for pos in evaluation.pos]


def took(row: Row) -> list[str]:
    """Return the seconds before the first lemma, of the lemmas, of the whole process; megabytes."""
    seconds = [f"{row[name]:.1f}" for name in ("prepare", "seeds", "cpu")]
    return [*seconds, f"{row['megabytes']:.0f}"]


def differences(evaluation: Evaluation) -> str:
    """Write how much worse each model is than the best, on the same lemmas."""
    head = [f"minus {BEST}", "ΔE", "95 %", "p", "p, corrected"]
    rows = [row for row in evaluation.differences if row.model_b == BEST]
    body = [
        [
            row.model_a,
            number(row.difference),
            between(row.low, row.high),
            probability(row.p),
            probability(row.p_corrected),
        ]
        for row in sorted(rows, key=lambda row: -row.difference)
    ]
    return f"{table(head, body)}\n\np: {evaluation.tested}."


def order(evaluation: Evaluation) -> str:
    """Say whether union models and L are in the order of the paper, the worst first."""
    values = [evaluation.summary(model).error for model in ORDER]
    said = "holds" if values[0] > values[1] > values[2] else "does NOT hold"
    names = ", ".join(f"{name} {number(e)}" for name, e in zip(ORDER, values, strict=True))
    return f"The order of the paper {said}: from the worst, {names}."


# ---------------------------------------------------------------------- links and time


def of_links(rows: Collection[Row]) -> Iterator[str]:
    """Write how good the links of aligners are, and how long both directions took."""
    body = [
        [
            model,
            how,
            *(number(score[name]) for name in ("aer", "precision", "recall")),
            *(f"{row[name]:.1f}" for name in ("seconds", "cpu")),
            f"{row['megabytes']:.0f}",
        ]
        for model, row in done(rows, "align").items()
        for how, score in row["links"].items()
    ]
    if body:
        yield "### Links from Hebrew and Greek words to Finnish ones"
        yield table(["aligner", "links", "AER", "precision", "recall", "s", "CPU s", "MB"], body)


def of_seeds(rows: Collection[Row]) -> Iterator[str]:
    """Write how long a Bible and many lemmas take."""
    timed = done(rows, "seeds")
    body = [
        [model, *took(row), f"{row['tokens']:,}", f"{row['load']:.1f}"]
        for model, row in timed.items()
    ]
    if body:
        [lemmas] = {row["lemmas"] for row in timed.values()}
        yield f"### Time and memory: a Bible, {lemmas} lemmas"
        head = ["model", *TOOK, "tokens", "load average before"]
        yield table(head, body)


# ---------------------------------------------------------------------- cells


def number(value: float) -> str:
    """Write a number between 0 and 1 without its zero."""
    return f"{value:.3f}".replace("0.", ".", 1)


def between(low: float, high: float) -> str:
    """Write an interval."""
    return f"[{number(low)}, {number(high)}]"


def probability(p: float) -> str:
    """Write p."""
    return "< .001" if p < 0.001 else number(p)


def share(value: float) -> str:
    """Write a share."""
    return f"{100 * value:.1f} %"
