"""Forms that are alike: against a plain edit distance, linkage by scipy and plainly, by hand."""

from __future__ import annotations

import random
import tracemalloc
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from tealeaves.lexicon.forms import groups
from tealeaves.lexicon.forms.groups import group_forms, letters_of, likeness
from tealeaves.lexicon.forms.kernels import GroupTables, compare_words, link_groups

words = st.text("abcä𐐷", max_size=6)
distinct = st.lists(st.text("abc", min_size=1, max_size=5), unique=True, max_size=14)


def distance(one: str, other: str) -> int:
    """Levenshtein's distance as it is defined."""

    @cache
    def of(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        change = of(i - 1, j - 1) + (one[i - 1] != other[j - 1])
        return min(change, of(i - 1, j) + 1, of(i, j - 1) + 1)

    return of(len(one), len(other))


@given(st.lists(words, max_size=5), st.data())
def test_likeness_is_that_of_a_plain_edit_distance(forms: list[str], data: st.DataObject) -> None:
    columns = data.draw(st.integers(0, len(forms)))
    expected = [
        [1 - distance(a, b) / max(len(a), len(b), 1) for b in forms[:columns]] for a in forms
    ]
    assert likeness(forms, columns).tolist() == [pytest.approx(row) for row in expected]
    assert likeness(forms).shape == (len(forms), len(forms))


@given(st.lists(words, max_size=6), st.data())
def test_python_and_c_compare_alike(forms: list[str], data: st.DataObject) -> None:
    columns = data.draw(st.integers(0, len(forms)))
    spelling, tables = letters_of(forms), []
    for run in (compare_words, compare_words.python):
        alike = np.zeros(len(forms) * columns)
        run(columns, spelling, np.zeros(7, np.int32), alike)
        tables.append(alike.tolist())
    assert tables[0] == tables[1]


def linked(least: float, near: float, alike: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    groups, nearest = np.arange(len(sizes)), np.zeros(len(sizes), np.int64)
    means, closest, both = (alike.ravel().copy() for _ in range(3))
    link_groups(least, near, GroupTables(means, closest, both, sizes.copy(), nearest, groups))
    return groups


@given(st.integers(0, 12), st.integers(0, 10**6), st.floats(0, 1), st.floats(0, 1))
def test_python_and_c_link_alike(count: int, seed: int, least: float, near: float) -> None:
    rng = np.random.default_rng(seed)
    # few values, so that many are equal
    alike = np.triu(rng.integers(0, 8, (count, count)) / 8, 1)
    alike += alike.T
    results = []
    for run in (link_groups, link_groups.python):
        means, closest, both = (alike.ravel().copy() for _ in range(3))
        tables = GroupTables(
            means,
            closest,
            both,
            np.random.default_rng(seed).integers(1, 5, count).astype(float),
            np.zeros(count, np.int64),
            np.arange(count),
        )
        run(least, near, tables)
        results.append([getattr(tables, name).tobytes() for name in tables.__dataclass_fields__])
    assert results[0] == results[1]


@pytest.mark.parametrize("seed", range(5))
def test_by_the_nearest_alone_linking_is_that_of_scipy_too(seed: int) -> None:
    rng = np.random.default_rng(seed)
    apart = np.triu(rng.random((30, 30)), 1)
    apart += apart.T
    tree = linkage(squareform(apart), "single")
    for least in (0.999, 0.97, 0.93, 0.9):
        groups = linked(least, 1.0, 1 - apart, np.ones(30))
        expected = fcluster(tree, 1 - least, "distance")
        assert partition(groups.tolist()) == partition(expected.tolist())


@pytest.mark.parametrize("near", [0.3, 0.7])
def test_linking_is_that_of_plain_loops(near: float) -> None:
    rng = np.random.default_rng(3)
    alike = np.triu(rng.random((12, 12)), 1)
    alike += alike.T
    weights = rng.integers(1, 5, 12)
    for least in (0.8, 0.6, 0.5):
        groups = [[word] for word in range(12)]
        while len(groups) > 1:
            found = {}
            for a, b in combinations(range(len(groups)), 2):
                pairs = [(x, y) for x in groups[a] for y in groups[b]]
                by = [int(weights[x] * weights[y]) for x, y in pairs]
                values = [float(alike[pair]) for pair in pairs]
                mean = float(np.average(values, weights=by))
                found[(1 - near) * mean + near * max(values)] = (a, b)
            if max(found) < least:
                break
            a, b = found[max(found)]
            groups[a] += groups.pop(b)
        assert partition(linked(least, near, alike, weights.astype(float)).tolist()) == {
            frozenset(group) for group in groups
        }


def test_later_forms_go_by_the_nearest_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "MOST_FORMS", 2)
    forms = ["aaaa", "aabb", "abbb"]  # the last is like the second by .75, the first by .25
    assert group_forms(forms, 0.5) == [0, 0, 0]
    assert group_forms(forms, 0.51) == [0, 1, 1]
    forms = ["aaaa", "aaab", "aabb"]  # .5 and .75: .625 on average, .75 by the nearest
    assert group_forms(forms, 0.7) == [0, 0, 2]
    assert group_forms(forms, 0.7, near=0.8) == [0, 0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_linking_is_that_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    apart = np.triu(rng.random((30, 30)), 1)
    apart += apart.T
    tree = linkage(squareform(apart), "average")
    for least in (0.999, 0.8, 0.65, 0.55, 0.3, 0.0):
        groups = linked(least, 0.0, 1 - apart, np.ones(30))
        expected = fcluster(tree, 1 - least, "distance")
        assert partition(groups.tolist()) == partition(expected.tolist())
        assert all(groups[groups == number].size and groups[number] == number for number in groups)


@pytest.mark.parametrize("seed", range(3))
def test_a_word_that_weighs_more_is_as_good_as_several(seed: int) -> None:
    rng = np.random.default_rng(seed)
    apart = np.triu(0.1 + 0.9 * rng.random((12, 12)), 1)
    apart += apart.T
    weights = rng.integers(1, 6, 12)
    again = np.repeat(np.arange(12), weights)
    tree = linkage(squareform(apart[np.ix_(again, again)]), "average")
    firsts = np.cumsum(weights) - weights
    for least in (0.95, 0.75, 0.6, 0.45, 0.3):
        groups = linked(least, 0.0, 1 - apart, weights.astype(float))
        expected = fcluster(tree, 1 - least, "distance")[firsts]
        assert partition(groups.tolist()) == partition(expected.tolist())


def test_frequent_forms_decide() -> None:
    # aabb is half alike to either; the group of aaaa and aabb is nearer bbbb if aabb is frequent
    forms = ["aabb", "aaaa", "bbbb"]
    assert group_forms(forms, 0.4, counts=[1, 1, 1]) == [0, 0, 2]
    assert group_forms(forms, 0.4, counts=[9, 1, 1]) == [0, 0, 0]


def partition(groups: list[int]) -> set[frozenset[int]]:
    return {frozenset(n for n, g in enumerate(groups) if g == own) for own in groups}


@given(distinct, st.floats(0, 1))
def test_a_group_has_the_number_of_its_first_form(forms: list[str], alike: float) -> None:
    groups = group_forms(forms, alike, counts=range(len(forms), 0, -1))
    assert len(groups) == len(forms)
    for form, group in enumerate(groups):
        assert group <= form
        assert groups[group] == group


@given(distinct, st.floats(0, 1), st.floats(0, 1))
def test_the_more_alike_the_smaller_the_groups(forms: list[str], one: float, other: float) -> None:
    fine, coarse = (group_forms(forms, alike) for alike in (max(one, other), min(one, other)))
    for a, b in zip(*np.triu_indices(len(forms)), strict=True):
        assert fine[a] != fine[b] or coarse[a] == coarse[b]


@given(distinct)
def test_ends_of_the_scale(forms: list[str]) -> None:
    assert group_forms(forms, 1.0) == list(range(len(forms)))
    assert group_forms(forms, 0.0) == [0] * len(forms)


def test_forms_of_different_words_by_hand() -> None:
    hand, foot = ["käden", "käsi", "kädet", "käteen"], ["jalka", "jalan", "jalat"]
    # käsi is alike to the others by 2/5, 2/5 and 2/6, on average .378
    assert group_forms([*hand, *foot], 0.37) == [0, 0, 0, 0, 4, 4, 4]
    assert group_forms([*hand, *foot], 0.38) == [0, 1, 0, 0, 4, 4, 4]
    # a language that inflects at the beginning
    assert group_forms(["mkono", "mikono", "mguu", "miguu"], 0.6) == [0, 0, 2, 2]
    assert group_forms(["only"], 0.5) == [0]
    assert group_forms([], 0.5) == []


def test_groups_are_joined_by_their_mean_not_by_their_nearest() -> None:
    # aaaa and aabb, aabb and bbbb are half alike each, aaaa and bbbb not at all: joined, the first
    # two are a quarter alike to the third
    forms = ["aaaa", "aabb", "bbbb"]
    assert group_forms(forms, 0.4) == [0, 0, 2]
    assert group_forms(forms, 0.25) == [0, 0, 0]


def test_rare_forms_join_the_group_they_are_most_alike_to(monkeypatch: pytest.MonkeyPatch) -> None:
    first = ["käden", "jalka", "käsi", "jalan"]
    late = ["jalkaan", "kädet", "xyz", "xyzz"]
    alone = group_forms(first, 0.4)
    monkeypatch.setattr(groups, "MOST_FORMS", 4)
    # xyz is alike to none; it is not compared with xyzz, which is as rare
    assert group_forms([*first, *late], 0.4) == [*alone, 1, 0, 6, 7]
    assert alone == [0, 1, 0, 1]


def test_memory_does_not_grow_with_the_square_of_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(0)
    forms = list({"".join(rng.choices("abcdefgh", k=6)) for _ in range(4000)})
    monkeypatch.setattr(groups, "MOST_FORMS", 40)
    group_forms(forms[:50], 0.5)
    tracemalloc.start()
    try:
        group_forms(forms, 0.5)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < len(forms) ** 2


def test_syllables_of_korean_are_letters() -> None:
    # wang-i and wang-eun, 왕이 and 왕은, share three letters of five and of six
    assert likeness(["왕이", "왕은"])[0, 1] == pytest.approx(1 - 2 / 6)
