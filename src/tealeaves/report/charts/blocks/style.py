"""What all charts share: Altair, colours, looks by name, tooltips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tealeaves.extras import require

# the colours of Okabe and Ito, which most people can tell apart
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
DARK, GREY, PALE = "#222", "#555", "#e6e6e6"
#: The colour of thin lines, such as the one at 0.
THIN = "#999"
#: Pixels of the longest label that is shown in full.
LABEL_LIMIT = 320


class _Altair:
    """Altair, imported when the first chart is drawn."""

    def __getattr__(self, name: str) -> Any:
        return getattr(require("altair", extra="report", reason="a chart"), name)


alt: Any = _Altair()


def colours(number: int) -> list[str]:
    """Return so many colours; they repeat if there are too few."""
    return [COLOURS[n % len(COLOURS)] for n in range(number)]


def by_name(channel: Any, field: str, looks: Mapping[str, Any], **options: Any) -> Any:
    """Return a channel that gives each name of a field its colour, shape or dash.

    By default there is no legend.
    """
    scale = alt.Scale(domain=list(looks), range=list(looks.values()))
    return channel(f"{field}:N", scale=scale, **{"legend": None, **options})


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
