"""The tables of characters say what ``regex``, ``str.lower`` and ``unicodedata`` say."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import numpy as np
import pytest
import regex

from tealeaves.text import characters
from tealeaves.text.characters import (
    _KNOWN_VERSION,
    _USED_PLANES,
    CHANGES,
    CLASS,
    FIRST,
    HARD,
    JOINER,
    LAST,
    LETTER,
    MARK,
    MAYBE,
    SIGMA,
    Case,
    CharacterTables,
    Kind,
    _planes,
    character_tables,
)

SURROGATES = range(0xD800, 0xE000)
CODES = np.array([code for code in range(0x110000) if code not in SURROGATES])
EVERY = "".join(map(chr, CODES.tolist()))


def look_up_all(table: CharacterTables) -> tuple[np.ndarray, np.ndarray]:
    """Return traits and lower case of all characters."""
    place = table.page[CODES >> 8] * 256 + (CODES & 255)
    return table.traits[place].astype(np.int64), table.lowered[place]


def all_of(pattern: str) -> set[str]:
    return set(regex.findall(pattern, EVERY))


def with_trait(traits: np.ndarray, bit: int) -> set[str]:
    return {chr(code) for code in CODES[traits & bit != 0].tolist()}


@pytest.mark.parametrize(
    ("kind", "letters"), [("words", r"\p{L}"), ("words+digits", r"[\p{L}\p{N}]")]
)
def test_letters_and_marks_are_those_of_regex(kind: Kind, letters: str) -> None:
    traits, lowered = look_up_all(character_tables(kind, "keep"))
    assert with_trait(traits, LETTER) == all_of(letters)
    assert with_trait(traits, MARK) == all_of(r"\p{M}")
    assert with_trait(traits, JOINER) == {"\u200c", "\u200d"}
    assert with_trait(traits, CHANGES | SIGMA) == set()
    assert not lowered.any()


def test_white_space_is_that_of_split() -> None:
    spaces = [sign for sign in EVERY if sign.isspace()]
    assert all(f"a{space}b".split() == ["a", "b"] for space in spaces)
    cases: list[Case] = ["lower", "fold", "keep"]
    for case in cases:
        traits, _ = look_up_all(character_tables("tokens", case))
        assert [chr(code) for code in CODES[traits & LETTER == 0].tolist()] == spaces


@pytest.fixture(scope="module")
def lower_cases() -> dict[str, str]:
    """All characters that have another lower case."""
    return {sign: sign.lower() for sign in EVERY if sign.lower() != sign}


@pytest.mark.parametrize("kind", ["tokens", "words", "words+digits"])
@pytest.mark.parametrize("case", ["lower", "fold"])
def test_lower_case_is_that_of_python_or_hard(
    kind: Kind, case: Case, lower_cases: dict[str, str]
) -> None:
    traits, lowered = look_up_all(character_tables(kind, case))
    hard = with_trait(traits, HARD)
    for code, delta in zip(CODES[lowered != 0].tolist(), lowered[lowered != 0], strict=True):
        sign = chr(code)
        assert lower_cases[sign] == chr(code + delta)
        assert len(lower_cases[sign].encode()) == len(sign.encode())
    known = {chr(code) for code in CODES[lowered != 0].tolist()}
    assert set(lower_cases) - known <= hard
    assert with_trait(traits, CHANGES) == known
    assert with_trait(traits, SIGMA) == {"Σ"}
    assert len(known) > 1300


def test_case_and_normal_form_of_every_two_characters_that_may_touch() -> None:
    """What the table calls normal stays as it is: firsts and seconds of all compositions."""
    traits, _ = look_up_all(character_tables("words", "keep"))
    of = dict(zip(EVERY, traits.tolist(), strict=True))
    seconds = [sign for sign in EVERY if of[sign] & MAYBE or of[sign] // CLASS & 255]
    seconds = [sign for sign in seconds if not of[sign] & HARD]
    decomposed = (unicodedata.normalize("NFD", sign) for sign in EVERY)
    firsts = {part for parts in decomposed if len(parts) > 1 for part in (parts[0], parts[:-1])}
    firsts = {unicodedata.normalize("NFC", first) for first in firsts}
    firsts |= {sign for sign in EVERY if unicodedata.normalize("NFD", sign) != sign}
    hangul = {sign for sign in firsts if "\uac00" <= sign <= "\ud7a3"}
    firsts = {f for f in firsts - hangul if len(f) == 1 and not of[f] & HARD} | {"가", "각"}
    assert len(firsts) > 1000
    assert 800 < len(seconds) < 1200
    unseen = []
    for first in sorted(firsts):
        for second in seconds:
            if of[second] & MAYBE and (of[first] & FIRST or of[first] // CLASS & 255):
                continue  # left to Python
            if of[first] // LAST > of[second] // CLASS & 255 > 0:
                continue
            if not unicodedata.is_normalized("NFC", first + second):
                unseen.append(first + second)
    assert unseen == []


# ---------------------------------------------------------------------- character by character


def plain_traits(kind: Kind, case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Return traits and lower case, with all questions asked of each character by itself."""
    traits, lowered = np.zeros(0x110000, dtype=np.int64), np.zeros(0x110000, dtype=np.int64)
    form = np.zeros(0x110000, dtype=np.int64)
    letter = regex.compile(r"\p{L}" if kind == "words" else r"[\p{L}\p{N}]").match
    mark = regex.compile(r"\p{M}").match
    for sign in EVERY:
        code, lower = ord(sign), sign.lower()
        if case != "keep" and lower != sign:
            same_size = len(lower) == 1 and len(lower.encode()) == len(sign.encode())
            traits[code] = CHANGES if same_size else HARD
            lowered[code] = ord(lower) - code if same_size else 0
        if kind == "tokens":
            form[code] = 0 if sign.isspace() else LETTER
            continue
        form[code] |= LETTER * bool(letter(sign)) | MARK * bool(mark(sign))
        form[code] |= HARD * (unicodedata.normalize("NFC", sign) != sign)
        decomposed = unicodedata.normalize("NFD", sign)
        form[code] |= unicodedata.combining(sign) * CLASS
        form[code] |= unicodedata.combining(decomposed[-1]) * LAST
        if len(decomposed) > 1 and unicodedata.normalize("NFC", sign) == sign:
            first, second = composed_of(sign, decomposed)
            form[ord(first)] |= FIRST
            form[ord(second)] |= MAYBE
    if kind != "tokens":
        form[[0x200C, 0x200D]] |= JOINER
    if case != "keep":
        traits[ord("Σ")] |= SIGMA
    seen = np.arange(0x110000) + (lowered if case == "lower" else 0)
    return traits[CODES] | form[seen][CODES], lowered[CODES]


def composed_of(sign: str, decomposed: str) -> tuple[str, str]:
    """Return the two characters that normal form C joins to this one."""
    for place in range(1, len(decomposed)):
        first = unicodedata.normalize("NFC", decomposed[:place])
        second = unicodedata.normalize("NFC", decomposed[place:])
        if len(first) == len(second) == 1:
            return first, second
    raise AssertionError(f"{sign!r} is not made of two characters")


@pytest.mark.parametrize("kind", ["tokens", "words", "words+digits"])
def test_tables_are_those_of_single_characters(kind: Kind) -> None:
    cases: list[Case] = ["lower", "fold", "keep"]
    for case in cases:
        traits, lowered = look_up_all(character_tables(kind, case))
        expected, difference = plain_traits(kind, case)
        assert np.flatnonzero(traits != expected).tolist() == []
        assert np.array_equal(lowered, difference)


def test_only_the_planes_that_are_looked_at_have_cases_or_forms() -> None:
    """Else a character of another plane would be missed."""
    planes = {
        ord(sign) >> 16
        for sign in EVERY
        if sign.lower() != sign
        or unicodedata.combining(sign)
        or unicodedata.normalize("NFD", sign) != sign
    }
    found = regex.finditer(r"[\p{L}\p{M}\p{N}]", EVERY)
    assert planes | {ord(match[0]) >> 16 for match in found} <= set(_USED_PLANES)
    assert int(unicodedata.unidata_version.partition(".")[0]) <= _KNOWN_VERSION


def test_an_unknown_version_of_unicode_is_looked_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = character_tables("words", "lower")
    monkeypatch.setattr(unicodedata, "unidata_version", "99.0.0")
    assert len(_planes("words")) == 17
    again = character_tables.__wrapped__("words", "lower")
    for one, two in zip(look_up_all(expected), look_up_all(again), strict=True):
        assert np.array_equal(one, two)


def test_tables_are_kept_for_one_version_of_unicode(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path))
    made = look_up_all(character_tables.__wrapped__("words", "lower"))
    [kept] = tmp_path.iterdir()
    with monkeypatch.context() as patch:
        patch.setattr(characters, "_make_tables", None)  # it is not called again
        again = look_up_all(character_tables.__wrapped__("words", "lower"))
    monkeypatch.setattr(unicodedata, "unidata_version", "16.9.0")
    character_tables.__wrapped__("words", "lower")
    assert len(list(tmp_path.iterdir())) == 2
    assert all(np.array_equal(one, two) for one, two in zip(made, again, strict=True))

    kept.write_bytes(kept.read_bytes()[:-1] + b"\7")
    monkeypatch.undo()
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path))
    mended = look_up_all(character_tables.__wrapped__("words", "lower"))
    assert all(np.array_equal(one, two) for one, two in zip(made, mended, strict=True))


def test_damaged_tables_of_the_cache_never_change_a_character(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Damaged, cut off, or those of another tokenizer under this one's name."""
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path))
    make = character_tables.__wrapped__
    right = make("words", "lower")
    [path] = tmp_path.iterdir()
    stored = path.read_bytes()
    make("words", "keep")
    [other] = set(tmp_path.iterdir()) - {path}
    rng = np.random.default_rng(0)
    damages = [b"", stored[:99], stored[:-4], stored + bytes(4), other.read_bytes()]
    places = rng.integers(0, len(stored), 5).tolist()
    damages += [stored[:p] + bytes([stored[p] ^ 1]) + stored[p + 1 :] for p in places]
    for damaged in damages:
        path.write_bytes(damaged)
        found = make("words", "lower")
        for name in ("page", "traits", "lowered"):
            np.testing.assert_array_equal(getattr(found, name), getattr(right, name))
        assert path.read_bytes() == stored  # it was made again
