"""What all charts share: Altair, colours, titles, panels, tooltips, limits."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from tealeaves.extras import require

Row = TypeVar("Row")
Key = TypeVar("Key", bound=Hashable)

# the colours of Okabe and Ito, which most people can tell apart
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
DARK, GREY, PALE = "#222", "#555", "#e6e6e6"
#: The colour of thin lines, such as the one at 0.
THIN = "#999"
#: Pixels of the longest label that is shown in full.
LABEL_LIMIT = 320
#: Pixels between a title and its panel.
OFFSET = 12
#: A chart with more panels than this would be too long to read.
MOST_PANELS = 12


class _Altair:
    """Altair, imported when the first chart is drawn."""

    def __getattr__(self, name: str) -> Any:
        return getattr(require("altair", extra="report", reason="a chart"), name)


alt: Any = _Altair()


def colours(number: int) -> list[str]:
    """Return so many colours; they repeat if there are too few."""
    return [COLOURS[n % len(COLOURS)] for n in range(number)]


def finite(value: float | None) -> float | None:
    """Return a number that JSON can hold: None if it is missing, NaN or infinite.

    >>> finite(0.5), finite(float("nan"))
    (0.5, None)
    """
    return float(value) if value is not None and math.isfinite(value) else None


def fields(row: Any, *names: str) -> dict[str, Any]:
    """Return attributes of a row; a number that is not finite is None."""
    values = {name: getattr(row, name) for name in names}
    return {n: finite(value) if isinstance(value, float) else value for n, value in values.items()}


def grouped(rows: Iterable[Row], key: Callable[[Row], Key]) -> dict[Key, list[Row]]:
    """Return the rows of each key, in the order of the rows.

    >>> grouped(["tea", "leaf", "cup"], len)
    {3: ['tea', 'cup'], 4: ['leaf']}
    """
    groups: dict[Key, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def highest_first(value: float) -> tuple[bool, float]:
    """Return a key that sorts the highest value first and NaN last.

    >>> sorted([0.1, float("nan"), 0.3], key=highest_first)
    [0.3, 0.1, nan]
    """
    return (True, 0.0) if math.isnan(value) else (False, -value)


def chart_of(rows: Iterable[Mapping[str, Any]]) -> Any:
    """Return a chart of rows that has no mark yet.

    The rows are a tuple, because Altair copies lists each time that charts are combined, and in a
    dictionary, because Altair's own objects check them one by one, again and again.
    """
    return alt.Chart({"values": tuple(rows)})


def tooltip(*lines: str | tuple[str, ...]) -> list[Any]:
    """Return a tooltip; a line is a field, or a field with its title and its format.

    Several fields may be given as one string, separated by spaces. An empty title is the name of
    the field.
    """
    tips = []
    for line in lines:
        if isinstance(line, str):
            tips += [alt.Tooltip(field) for field in line.split()]
        else:
            field, title, number_format = (*line, "")[:3]
            options = {"title": title, "format": number_format}
            tips.append(alt.Tooltip(field, **{name: one for name, one in options.items() if one}))
    return tips


def scale_of(colours: Mapping[str, Any]) -> Any:
    """Return the scale that gives each name its colour, shape or dash."""
    return alt.Scale(domain=list(colours), range=list(colours.values()))


def vertical_rule(x: Any, values: Iterable[float] = (0.0,), field: str = "value") -> Any:
    """Return thin lines from top to bottom, by default one at 0."""
    rule = chart_of({field: value} for value in values)
    return rule.mark_rule(color=THIN, strokeWidth=1, aria=False).encode(x=x)


def domain_of_one(values: Iterable[float | None]) -> dict[str, Any]:
    """Return limits around a single value; of several, Vega finds the limits itself.

    >>> domain_of_one([2.0, None]), domain_of_one([1.0, 2.0])
    ({'domain': [1.8, 2.2], 'nice': True}, {})
    """
    different = {value for value in values if value is not None}
    if len(different) != 1:
        return {}
    [value] = different
    step = abs(value) / 10 or 0.1
    return {"domain": [value - step, value + step], "nice": True}


def titled(
    text: str | Sequence[str],
    subtitle: str | Sequence[str] = "",
    *,
    size: int = 14,
    offset: int = OFFSET,
) -> Any:
    """Return a title with a grey subtitle below it."""
    return alt.TitleParams(
        text if isinstance(text, str) else list(text),
        subtitle=subtitle if isinstance(subtitle, str) else list(subtitle),
        anchor="start",
        fontSize=size,
        subtitleFontSize=11,
        subtitleColor=GREY,
        offset=offset,
    )


def small_title(name: str, subtitle: str, letters: int) -> Any:
    """Return the title of a small panel; a long name is cut into lines, preferably at a bracket."""
    lines = [name]
    if len(name) > letters:
        lines = textwrap.wrap(name.replace("(", " (", 1), letters)
    return alt.TitleParams(
        lines,
        subtitle=subtitle,
        anchor="start",
        fontSize=11,
        subtitleFontSize=10,
        subtitleColor=GREY,
    )


def subtitle_lines(*lines: str | Sequence[str]) -> list[str]:
    """Return the lines of a subtitle that are not empty.

    >>> subtitle_lines("", ["two", "lines"], "three")
    ['two', 'lines', 'three']
    """
    listed = [[line] if isinstance(line, str) else line for line in lines]
    return [line for some in listed for line in some if line]


def part_title(names: Sequence[str]) -> str:
    """Return the names of a data set, a task and so on as a title, without the empty ones.

    >>> part_title(["nyt", "", "lda"])
    'nyt · lda'
    """
    return " · ".join(filter(None, names))


def padded(lines: Sequence[str], number: int) -> list[str]:
    """Return lines of text, with empty ones added up to a number.

    Panels side by side begin at the same height only if their titles have as many lines.

    >>> padded(["a"], 2)
    ['a', ' ']
    """
    return [*lines, *[" "] * (number - len(lines))]


def first_panels(
    panels: Sequence[Row], title: str, noun: str = "", most: int | None = None
) -> tuple[list[Row], str]:
    """Return the panels that are drawn, and the title, which says how many are left out."""
    most = MOST_PANELS if most is None else most
    if len(panels) > most:
        of = f"{len(panels):,} {noun}".rstrip()
        title += f" (the first {most} of {of}; the others are left out)"
    return list(panels[:most]), title


def stacked(panels: Sequence[Any], *, title: Any = None, spacing: int = 32) -> Any:
    """Return charts one below the other, each with its own colours and legend."""
    # all at once: each change of a chart copies it
    return alt.vconcat(*panels, spacing=spacing, resolve=_independent(), **_given(title))


def beside(panels: Sequence[Any], *, title: Any = None, spacing: int = 40) -> Any:
    """Return charts side by side, each with its own colours and legend."""
    return alt.hconcat(*panels, spacing=spacing, resolve=_independent(), **_given(title))


def _given(title: Any) -> dict[str, Any]:
    return {} if title is None else {"title": title}


def _independent() -> Any:
    scales = dict.fromkeys(("color", "fill", "stroke", "yOffset"), "independent")
    return alt.Resolve(scale=alt.ScaleResolveMap(**scales))


def configured(chart: Any) -> Any:
    """Set the sizes of text and the colour of the grid; only the outermost chart may have them."""
    chart.config = {
        "view": {"stroke": None},
        "axis": {"labelFontSize": 11, "titleFontSize": 12, "gridColor": PALE},
        "legend": {"labelFontSize": 11, "titleFontSize": 12},
    }
    return chart
