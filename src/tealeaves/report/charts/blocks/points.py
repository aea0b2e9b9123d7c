"""Points of a scatter plot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tealeaves.report.charts.blocks.rows import chart_of


def scatter(rows: Iterable[Mapping[str, Any]], **mark: Any) -> Any:
    """Return filled points that have no axes yet; ``mark`` are size, opacity and so on."""
    # without aria=False the words of all points would be in the file twice
    return chart_of(rows).mark_point(**{"filled": True, "aria": False, **mark})


def crowd_look(
    number: float, most: int, few: tuple[int, float], many: tuple[int, float]
) -> dict[str, float]:
    """Return size and opacity: those of ``few`` points up to ``most``, else those of ``many``.

    >>> crowd_look(80, 60, (26, 0.6), (14, 0.45))
    {'size': 14, 'opacity': 0.45}
    """
    size, opacity = few if number <= most else many
    return {"size": size, "opacity": opacity}
