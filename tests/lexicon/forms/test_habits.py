"""Changes between forms, against strings that are cut by hand; and what they are learned from."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.kernels import Kernel
from tealeaves.lexicon.alignment.links import Links
from tealeaves.lexicon.bitext import Bitext, Passages
from tealeaves.lexicon.forms.groups import Habits, group_forms, letters_of
from tealeaves.lexicon.forms.kernels import collect_changes, number_changes
from tealeaves.lexicon.words import Words

Change = tuple[frozenset[str], bool, bool]


def change(one: str, other: str, least: float) -> Change | None:
    """Return what is left of two forms when what they share at both ends is cut off."""
    first = last = 0
    shorter = min(len(one), len(other))
    while first < shorter and one[first] == other[first]:
        first += 1
    while last < shorter - first and one[-1 - last] == other[-1 - last]:
        last += 1
    if first + last < least * max(len(one), len(other)):
        return None
    rest = {form[first : len(form) - last] for form in (one, other)}
    return frozenset(rest), first == 0, last == 0


forms = st.lists(st.text("ab", min_size=1, max_size=5), min_size=1, max_size=6)


@given(forms, st.sampled_from([0.0, 0.2, 0.4, 1.0]))
def test_changes_have_the_same_number_if_they_are_the_same(forms: list[str], least: float) -> None:
    found = np.zeros(len(forms) ** 2, np.int64)
    number_changes(len(forms), least, letters_of(forms), found)
    expected = [change(a, b, least) for a, b in itertools.product(forms, repeat=2)]
    pairs = set(zip(found.tolist(), expected, strict=True))
    assert len({number for number, _ in pairs}) == len({one for _, one in pairs}) == len(pairs)
    assert all((number == 0) == (one is None) for number, one in pairs)


@given(
    st.lists(st.text("abcä手𐍈", max_size=9), min_size=1, max_size=8),
    st.sampled_from([0.0, 0.2, 0.4, 1.0]),
    st.integers(0, 60),
)
def test_python_and_c_number_changes_alike(forms: list[str], least: float, space: int) -> None:
    """The products of hashes exceed 64 bits from the second letter on."""
    spelling, results = letters_of(forms), []
    starts = np.array([0, 0, len(forms) // 2, len(forms)], np.int64)
    members = np.random.default_rng(space).permutation(len(forms))
    for run in (Kernel.__call__, Kernel.python):
        numbers, collected = np.zeros(len(forms) ** 2, np.int64), np.zeros(space, np.int64)
        run(number_changes, len(forms), least, spelling, numbers)
        count = run(collect_changes, least, starts, members, spelling, collected)
        results.append((numbers.tolist(), count, collected.tolist()))
    assert results[0] == results[1]


def test_numbers_of_changes_wrap_around() -> None:
    """The hash FNV-1a of 64 bits, in Python's numbers without end."""

    def fnv(text: str) -> int:
        number = 1469598103934665603
        for letter in text:
            number = (number ^ ord(letter)) * 1099511628211 % 2**64
        return number - 2**64 if number >= 2**63 else number

    found = np.zeros(4, np.int64)
    number_changes(2, 0.0, letters_of(["abcdef", "uvwxyz"]), found)
    one, other = sorted([fnv("abcdef"), fnv("uvwxyz")])
    expected = ((one * 31 + other) * 4 + 3) % 2**64
    assert int(found[1]) % 2**64 == int(found[2]) % 2**64 == expected


SOURCE = ["hand", "water", "foot", "new"]
TARGET = ["käsi", "käden", "vesi", "veden", "jalka", "jalan", "uusi", "uuden"]


def learned(least: float = 0.9) -> tuple[Habits, Bitext]:
    """Each source word stands with two forms, one passage each; one more link is not sure."""
    pairs = [(TARGET[n], SOURCE[n // 2]) for n in range(len(TARGET))]
    source, target = Words.of([[b] for _, b in pairs]), Words.of([[a, "ja"] for a, _ in pairs])
    keys = tuple(map(str, range(len(pairs))))
    bitext = Bitext.of(Passages("en", keys, source, source), Passages("fi", keys, target, target))
    unsure = [(token, 1, 0.4) for token in range(len(pairs))]
    links = Links.of(len(pairs), [*((token, 0, least) for token in range(len(pairs))), *unsure])
    return Habits.of(bitext, links), bitext


def test_changes_are_counted_between_the_forms_of_one_source_word() -> None:
    habits, _ = learned()
    # käsi, käden and vesi, veden and uusi, uuden share two letters of five: si, den thrice
    counted = Counter(change(TARGET[n], TARGET[n + 1], 0.4) for n in range(0, len(TARGET), 2))
    assert counted[change("käsi", "käden", 0.0)] == 3
    assert sorted(habits.counts.tolist()) == sorted(counted.values())
    assert np.all(np.diff(habits.changes) > 0)


def test_how_usual_a_change_is() -> None:
    habits, _ = learned()
    asked = ["kuusi", "kuuden", "kana", "kanka", "talka", "talan"]
    table = habits.usual(asked, len(asked))
    assert table.shape == (6, 6)
    assert np.array_equal(table, table.T)
    assert table[0, 1] == 1.0  # si, den is the commonest
    assert table[4, 5] == pytest.approx(math.log(2) / math.log(4))  # ka, n is found once
    assert table[2, 3] == 0  # known from no words
    assert table[0, 5] == 0  # too little is shared
    assert np.array_equal(habits.usual(asked, 2), table[:, :2])


def test_nothing_is_learned_from_links_that_are_not_sure() -> None:
    habits, bitext = learned(least=0.4)
    assert len(habits.changes) == len(habits.counts) == 0
    assert habits.usual(["käsi", "käden"], 2).tolist() == [[0, 0], [0, 0]]
    none = Habits.of(bitext, Links.of(8, []))
    assert len(none.changes) == 0


def test_habits_tell_forms_from_other_words() -> None:
    # by letters alone, kuusi is as alike to kuuden as kuuma is: three letters of six, of five
    habits, _ = learned()
    asked = ["kuuden", "kuusi", "kuuma"]
    assert group_forms(asked, 0.7, habits, 0.5) == [0, 0, 2]
    assert group_forms(asked, 0.5, habits, 0.0) == group_forms(asked, 0.5)
    assert group_forms(asked, 0.5)[2] != 2
