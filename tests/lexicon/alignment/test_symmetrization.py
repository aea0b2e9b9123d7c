"""Two directions become one: against plain grids, and against thot's own."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.lexicon.alignment.kernels.symmetrization import grow_diag_final_and
from tealeaves.lexicon.alignment.links import Links
from tealeaves.lexicon.alignment.symmetrization import TwoWay

Points = set[tuple[int, int]]


def plain_gdfa(forward: Points, backward: Points, rows: int, columns: int) -> Points:
    """Grow-diag-final-and of Koehn et al. (2005), on a grid."""
    grid = forward & backward
    either = forward | backward
    around = [step for step in itertools.product((-1, 0, 1), repeat=2) if step != (0, 0)]

    def free_row(i: int) -> bool:
        return all((i, j) not in grid for j in range(columns))

    def free_column(j: int) -> bool:
        return all((i, j) not in grid for i in range(rows))

    while True:
        before = len(grid)
        for i, j in itertools.product(range(rows), range(columns)):
            beside = any((i + di, j + dj) in grid for di, dj in around)
            if (i, j) in either - grid and beside and (free_row(i) or free_column(j)):
                grid.add((i, j))
        if len(grid) == before:
            break
    for direction in (forward, backward):
        for i, j in itertools.product(range(rows), range(columns)):
            if (i, j) in direction and free_row(i) and free_column(j):
                grid.add((i, j))
    return grid


def two_way(passages: list[tuple[int, Points, Points]]) -> TwoWay:
    starts = np.cumsum([0, *(rows for rows, _, _ in passages)]).astype(np.int64)
    sides = [
        Links.of(
            int(starts[-1]),
            [(int(starts[row]) + i, j, 1.0) for row, p in enumerate(passages) for i, j in p[side]],  # type: ignore[union-attr]
        )
        for side in (1, 2)
    ]
    return TwoWay(sides[0], sides[1], starts)


def points(links: Links) -> Points:
    return set(zip(links.tokens.tolist(), links.places.tolist(), strict=True))


@st.composite
def drawn_passages(draw: st.DrawFn) -> list[tuple[int, int, Points, Points]]:
    made = []
    for _ in range(draw(st.integers(1, 3))):
        rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
        cell = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
        made.append((rows, columns, draw(st.sets(cell)), draw(st.sets(cell))))
    return made


@given(drawn_passages())
def test_all_ways_are_those_of_a_grid(passages: list[tuple[int, int, Points, Points]]) -> None:
    both = two_way([(rows, one, other) for rows, _, one, other in passages])
    first = 0
    expected: dict[str, Points] = {"union": set(), "intersection": set(), "gdfa": set()}
    for rows, columns, one, other in passages:
        grids = {
            "union": one | other,
            "intersection": one & other,
            "gdfa": plain_gdfa(one, other, rows, columns),
        }
        for how, grid in grids.items():
            expected[how] |= {(first + i, j) for i, j in grid}
        first += rows
    for how, grid in expected.items():
        links = both.joined(how)
        assert points(links) == grid
        assert len(links) == len(grid)
        assert all(np.all(np.diff(links.of_token(token)[0]) > 0) for token in range(first))


@given(drawn_passages())
def test_gdfa_is_that_of_thot(passages: list[tuple[int, int, Points, Points]]) -> None:
    common = pytest.importorskip("thot.common")
    for rows, columns, one, other in passages:
        grids = []
        for side in (one, other):
            grid = common.WordAlignmentMatrix(rows, columns)
            for i, j in side:
                grid.set(i, j)
            grids.append(grid)
        grids[0].grow_diag_final_and(grids[1])
        found = {tuple(point) for point in np.argwhere(grids[0].to_numpy()).tolist()}
        assert points(two_way([(rows, one, other)]).joined("gdfa")) == found


def test_gdfa_by_hand() -> None:
    # a step of growing: (1, 1) is beside (0, 0), (1, 2) beside (1, 1) and its column is free;
    # (0, 2) is not: row 0 and, by then, column 2 are taken; (3, 4) stands alone; (3, 5) comes
    # when row 3 is taken
    forward = {(0, 0), (1, 1), (1, 2), (3, 4)}
    backward = {(0, 0), (0, 2), (3, 5)}
    assert points(two_way([(4, forward, backward)]).joined("gdfa")) == {
        (0, 0), (1, 1), (1, 2), (3, 4)
    }  # fmt: skip


def test_neighbours_do_not_reach_into_the_next_passage() -> None:
    # token 1, the first of passage 2, stands beside token 0 only on paper
    one, other = {(0, 0)}, {(0, 0)}
    both = two_way([(1, one, other), (2, {(0, 1), (1, 1)}, set())])
    assert points(both.joined("gdfa")) == {(0, 0), (1, 1)}


def test_probabilities_are_the_greater_or_in_the_intersection_the_lesser() -> None:
    forward = Links.of(2, [(0, 0, 0.75), (1, 1, 0.5)])
    backward = Links.of(2, [(0, 0, 0.25), (1, 0, 0.125)])
    both = TwoWay(forward, backward, np.array([0, 2]))
    assert both.joined("union").probabilities.tolist() == [0.75, 0.125, 0.5]
    assert both.joined("intersection").probabilities.tolist() == [0.25]
    assert both.joined("gdfa").probabilities.tolist() == [0.75, 0.125, 0.5]
    assert both.joined("forward") is forward
    assert both.joined("backward") is backward


def test_no_links_at_all() -> None:
    empty = Links.of(3, [])
    both = TwoWay(empty, empty, np.array([0, 1, 3]))
    for how in ("union", "intersection", "gdfa"):
        assert both.joined(how).starts.tolist() == [0, 0, 0, 0]


def test_an_unknown_way_is_refused_with_a_hint() -> None:
    with pytest.raises(InputError, match="gfda; did you mean gdfa"):
        two_way([(1, set(), set())]).joined("gfda")


@given(drawn_passages())
def test_python_and_c_agree(passages: list[tuple[int, int, Points, Points]]) -> None:
    both = two_way([(rows, one, other) for rows, _, one, other in passages])
    results = []
    for run in (grow_diag_final_and, grow_diag_final_and.python):
        grown, linked = np.zeros(len(both.either.places), np.uint8), np.zeros(6, np.int64)
        run(both.passages, both.either, linked, grown)
        results.append((grown.tolist(), linked.tolist()))
    assert results[0] == results[1]


@given(drawn_passages())
def test_reversing_twice_changes_nothing(passages: list[tuple[int, int, Points, Points]]) -> None:
    links = two_way([(rows, one, set()) for rows, _, one, _ in passages]).forward
    own = np.cumsum([0, *(rows for rows, _, _, _ in passages)])
    others = np.cumsum([0, *(columns for _, columns, _, _ in passages)])
    back = links.reversed(own, others)
    assert len(back.starts) == others[-1] + 1
    again = back.reversed(others, own)
    assert points(again) == points(links)
    assert again.starts.tolist() == links.starts.tolist()
    expected = {
        (int(others[row]) + j, i) for row, (_, _, one, _) in enumerate(passages) for i, j in one
    }
    assert points(back) == expected
