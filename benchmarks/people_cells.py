"""Cells of the tables, and the sentences that tell how to read them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from people_lines import Line
from people_rows import PEARSON, PHIK, SPEARMAN, Ceiling, Number
from people_sets import MAIN, PeopleSet

NONE = "–"
THREE = (PEARSON, SPEARMAN, PHIK)


def short(value: float) -> str:
    """Write a coefficient in two digits, without its zero."""
    if math.isnan(value):
        return NONE
    digits = f"{abs(value):.2f}"
    sign = "−" if value < 0 and float(digits) else ""
    return sign + (digits if digits.startswith("1") else digits[1:])


def between(number: Number) -> str:
    """Write a coefficient with its interval."""
    if not number.known:
        return NONE
    if math.isnan(number.low):
        return short(number.value)
    return f"{short(number.value)} ({short(number.low)} to {short(number.high)})"


def joined(numbers: Sequence[float]) -> str:
    """Write several coefficients in a cell; a single dash if none is known."""
    if all(map(math.isnan, numbers)):
        return NONE
    return " / ".join(map(short, numbers))


def name_of(line: Line) -> str:
    """Write a metric; people prefer the opposite of what it declares where a sign says so."""
    name, sign, arrow = line.shown.partition(" ↓")
    return f"`{name}`{sign}{arrow}{' ‡' if line.against else ''}"


def headed(one: PeopleSet, ceiling: Ceiling | None = None) -> str:
    """Write the head of a column: the set, its number of words, and what people reach."""
    title = f"{one.title}, @{one.material.words}"
    if ceiling is None:
        return title
    if math.isnan(ceiling.one):
        return f"{title}<br>people: {NONE}"
    return f"{title}<br>people: {short(ceiling.one)}, at most {short(ceiling.most)}"


def milliseconds(seconds: float) -> str:
    """Write a time in milliseconds, with two digits that count."""
    if math.isnan(seconds):
        return NONE
    value = 1000 * seconds
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}" if value < 1 else f"{value:.1f}"


def whole_seconds(seconds: float) -> str:
    """Write a time in seconds."""
    if math.isnan(seconds):
        return NONE
    return f"{seconds:.1f}" if seconds < 10 else f"{seconds:,.0f}"


def listed(line: Line) -> str:
    """Say what a metric has in each main set, in a sentence."""
    known = [(one.title, line.number(one.name)) for one in MAIN]
    parts = [f"{short(number.value)} ({title})" for title, number in known if number.known]
    return ", ".join(parts[:-1]) + f" and {parts[-1]}" if len(parts) > 1 else "".join(parts)
