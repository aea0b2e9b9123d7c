"""Segmentation: how many segments there are."""

from __future__ import annotations

import pytest

from tealeaves.metrics.coherence_by_counts.segmentation import (
    SEGMENTATIONS,
    count_segments,
    segments,
)


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("name", SEGMENTATIONS)
def test_segments_are_counted_without_listing_them(name: str, symmetric: bool) -> None:
    for size in range(8):
        listed = segments(name, size, symmetric=symmetric)
        assert count_segments(name, size, symmetric=symmetric) == len(listed)
        assert len(set(listed)) == len(listed)
