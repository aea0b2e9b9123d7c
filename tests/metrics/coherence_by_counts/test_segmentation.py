"""Segmentation: how many segments there are, and which."""

from __future__ import annotations

import pytest

from tealeaves.metrics.coherence_by_counts.segmentation import (
    SEGMENTATIONS,
    count_segments,
    pair_ranks,
    segments,
)


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("name", SEGMENTATIONS)
def test_segments_are_counted_without_listing_them(name: str, symmetric: bool) -> None:
    for size in range(8):
        listed = segments(name, size, symmetric=symmetric)
        assert count_segments(name, size, symmetric=symmetric) == len(listed)
        assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("name", ["one_one", "one_pre", "one_suc"])
def test_ranks_of_pairs_are_those_of_the_segments(name: str, symmetric: bool) -> None:
    for size in range(8):
        listed = segments(name, size, symmetric=symmetric)
        for start in range(len(listed) + 1):
            one, other = pair_ranks(name, size, range(start, len(listed)), symmetric=symmetric)
            assert [((a,), (b,)) for a, b in zip(one, other, strict=True)] == list(listed[start:])


def test_segments_of_sets_have_no_ranks_of_pairs() -> None:
    with pytest.raises(ValueError, match="the segments of one_set are no pairs"):
        pair_ranks("one_set", 3, range(3))
