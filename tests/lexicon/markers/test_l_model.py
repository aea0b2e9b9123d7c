"""The L-model against a literal version, and by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from tealeaves.errors import InputError
from tealeaves.lexicon.bitext import Bitext, Passages
from tealeaves.lexicon.extraction.materials import Materials
from tealeaves.lexicon.extraction.registry import extractor
from tealeaves.lexicon.markers.l_model import Marker, expressions_of, find_markers
from tealeaves.lexicon.markers.substrings import MarkerIndex
from tealeaves.lexicon.seeds import find_seed
from tealeaves.lexicon.words import Words


def g2(a: int, f: int, s: int, n: int) -> float:
    cells = [
        (a, f * s),
        (f - a, f * (n - s)),
        (s - a, (n - f) * s),
        (n - f - s + a, (n - f) * (n - s)),
    ]
    return 2 * sum(o * math.log(o * n / e) for o, e in cells if o)


def t(a: int, f: int, s: int, n: int) -> float:
    return (a - f * s / n) / math.sqrt(a)


def chi2(a: int, f: int, s: int, n: int) -> float:
    b, c, d = f - a, s - a, n - f - s + a
    apart = max(abs(a * d - b * c) - n / 2, 0)
    return n * apart**2 / (f * s * (n - f) * (n - s))


def fisher(a: int, f: int, s: int, n: int) -> float:
    table = [[a, f - a], [s - a, n - f - s + a]]
    return -math.log10(fisher_exact(table, alternative="greater").pvalue)


MEASURES: dict[str, Callable[[int, int, int, int], float]] = {
    "g2": g2, "t": t, "chi2": chi2, "fisher": fisher,
}  # fmt: skip


@dataclass
class Literal:
    """The greedy algorithm written down word for word, with sets of verses."""

    texts: list[list[str]]
    measure: str
    threshold: float
    shortest: int = 3
    longest: int = 9
    least: int = 2
    most: int = 30

    def verses_of_markers(self) -> dict[str, set[int]]:
        df: dict[str, set[int]] = {}
        for verse, words in enumerate(self.texts):
            for word in words:
                bounded = f"#{word}#"
                strings = {bounded}
                for i in range(len(bounded)):
                    for j in range(i + self.shortest, i + self.longest + 1):
                        if j <= len(bounded):
                            strings.add(bounded[i:j])
                for string in strings:
                    df.setdefault(string, set()).add(verse)
        return df

    def markers(self, seed: set[int]) -> list[tuple[str, int, int, float]]:
        verses, rem = self.verses_of_markers(), set(seed)
        covered: set[int] = set()
        chosen: list[tuple[str, int, int, float]] = []
        while rem and len(chosen) < self.most:
            candidates = []
            for m, there in verses.items():
                a, f, s = len(rem & there), len(there - covered), len(rem)
                n = len(self.texts) - (len(seed) - s)
                if a < self.least or a * n <= f * s:
                    continue
                candidates.append((MEASURES[self.measure](a, f, s, n), m, a, f))
            if not candidates:
                break
            best = max(score for score, *_ in candidates)
            ties = [one for one in candidates if one[0] >= best - 1e-10 * max(best, 1)]
            score, m, a, f = min(ties, key=lambda one: (one[3], -len(one[1]), one[1]))
            if score < self.threshold:
                break
            chosen.append((m, a, f, score))
            covered |= rem & verses[m]
            rem -= verses[m]
        return chosen

    def token(self, markers: list[str], verse: int) -> tuple[set[str], list[int]]:
        for m in markers:
            places = [n for n, word in enumerate(self.texts[verse]) if m in f"#{word}#"]
            if places:
                return {m}, places
        return set(), []


stems = st.sampled_from(["kä", "käde", "jalk", "jal", "pää", "päi", "on", "o"])
ends = st.sampled_from(["", "si", "n", "ssä", "lla", "sta"])
target_words = st.builds(str.__add__, stems, ends)
# a verse of the source has the seed 0 to 2 times
verses = st.tuples(st.integers(0, 2), st.lists(target_words, min_size=1, max_size=4))
bitexts = st.lists(verses, min_size=3, max_size=25).filter(lambda all_: any(n for n, _ in all_))


def bitext_of(found: list[tuple[int, list[str]]]) -> Bitext:
    keys = tuple(map(str, range(len(found))))
    source = Words.of([["the", *["seed"] * n] for n, _ in found])
    target = Words.of([words for _, words in found])
    return Bitext.of(Passages("en", keys, source, source), Passages("fi", keys, target, target))


@given(
    bitexts,
    st.sampled_from([("g2", 3.0), ("g2", 0.5), ("t", 1.0), ("chi2", 1.5), ("fisher", 0.5)]),
    st.integers(1, 4),
    st.integers(0, 5),
    st.integers(1, 3),
    st.integers(1, 4),
)
def test_it_is_the_literal_algorithm(
    found: list[tuple[int, list[str]]],
    measure: tuple[str, float],
    shortest: int,
    more: int,
    least: int,
    most: int,
) -> None:
    name, threshold = measure
    bitext = bitext_of(found)
    settings = {"shortest": shortest, "longest": shortest + more, "least": least, "most": most}
    literal = Literal([words for _, words in found], name, threshold, **settings)
    expected = literal.markers({verse for verse, (n, _) in enumerate(found) if n})
    seed = find_seed(bitext.source.words, "seed")
    index = MarkerIndex.of(bitext.target.words, shortest, shortest + more)
    ours = find_markers(
        index, seed.passages, measure=name, threshold=threshold, least=least, most=most
    )
    assert [(m.text, m.both, m.frequency) for m in ours] == [one[:3] for one in expected]
    assert [m.score for m in ours] == pytest.approx([one[3] for one in expected], abs=1e-8)

    model = extractor("l")(measure=name, threshold=threshold, **settings)
    tokens = model.extract(Materials(bitext), seed)
    strings = [one[0] for one in expected]
    there = [literal.token(strings, int(row)) for row in seed.rows]
    assert [(set(token.expressions), list(token.words)) for token in tokens] == there


# verses with the seed, and what is in them; "on" is everywhere
WORKED = [["käsi", "on"], ["käden", "on"], ["pivo", "on"], ["pivo"], ["jalka"]] + [["on"]] * 15


def test_a_small_example_by_hand() -> None:
    """Four of 20 verses have the seed: two of them a form of käsi, two pivo.

    #kä and #pivo# are in 2 verses each, always with the seed: a = f = 2, s = 4, N = 20. Both have
    G² = 2 (2 ln(2·20/(2·4)) + 2 ln(2·20/(18·4)) + 16 ln(16·20/(18·16))) = 7.4581: a tie, also of
    frequencies, which the longer #pivo# wins. Its verses go: s = 2, N = 18, and #kä has
    2 (2 ln(2·18/(2·2)) + 16 ln(16·18/(16·16))) = 12.5580.
    """
    index = MarkerIndex.of(Words.of(WORKED))
    found = find_markers(index, np.arange(4), threshold=5)
    assert [(m.text, m.both, m.frequency) for m in found] == [("#pivo#", 2, 2), ("#kä", 2, 2)]
    first = 2 * (2 * math.log(5) + 2 * math.log(5 / 9) + 16 * math.log(10 / 9))
    second = 2 * (2 * math.log(9) + 16 * math.log(9 / 8))
    assert [m.score for m in found] == pytest.approx([first, second], rel=1e-12)
    assert [m.score for m in found] == pytest.approx([7.4581, 12.5580], abs=5e-5)


def test_the_same_by_t_and_each_option() -> None:
    index = MarkerIndex.of(Words.of(WORKED))
    rows = np.arange(4)

    def texts(**options: object) -> list[str]:
        return [m.text for m in find_markers(index, rows, **options)]  # type: ignore[arg-type]

    # (2 - 2·4/20) / √2 = 1.131 and (2 - 2·2/18) / √2 = 1.257
    by_t = find_markers(index, rows, measure="t", threshold=1.13)
    assert [m.score for m in by_t] == pytest.approx([1.6 / 2**0.5, (2 - 2 / 9) / 2**0.5])
    assert texts(measure="t") == []  # the usual bound of t is 2
    assert texts(measure="t", threshold=1.14) == []
    assert texts(threshold=7.4) == ["#pivo#", "#kä"]
    assert texts(threshold=7.5) == []
    assert texts(threshold=5, most=1) == ["#pivo#"]
    assert texts(threshold=5, least=3) == []
    assert texts(threshold=-99, least=1) == ["#pivo#", "#kä"]  # then nothing is left
    # longer substrings alone: käsi and käden have none in common
    longer = MarkerIndex.of(Words.of(WORKED), 4, 9)
    found = find_markers(longer, rows, threshold=1, least=1)
    assert [m.text for m in found] == ["#pivo#", "#käden#", "#käsi#"]


def test_merging_makes_one_expression_of_what_begins_alike() -> None:
    texts = ["#käden", "jalka", "kädes", "#kä", "#jalk", "kä"]
    found = [Marker(n, text, 2, 2, 9.0) for n, text in enumerate(texts)]
    assert expressions_of(found) == texts
    assert expressions_of(found, 4) == ["#käden", "jalka", "#käden", "#kä", "jalka", "kä"]
    assert expressions_of(found, 2) == ["#käden", "jalka", "#käden", "#käden", "jalka", "#käden"]


def test_tokens_of_one_verse_are_expressed_alike() -> None:
    bitext = bitext_of(
        [(2, ["käsi", "on", "käden"]), (1, ["on"]), *[(0, ["on"])] * 8, (1, ["käsi"])]
    )
    tokens = extractor("l(threshold=4)").extract(
        Materials(bitext), find_seed(bitext.source.words, "seed")
    )
    käsi = frozenset(["#käsi#"])
    assert [(token.expressions, token.words) for token in tokens] == [
        (käsi, (0,)), (käsi, (0,)), (frozenset(), ()), (käsi, (0,)),
    ]  # fmt: skip


def test_a_marker_never_leaves_its_index() -> None:
    """Of markers in the same words the longest stands for all, as equal scores would have it."""
    index = MarkerIndex.of(Words.of([["kädellä"], ["kädeltä"], *[["on"]] * 9]))
    found = find_markers(index, np.arange(2), threshold=1)
    assert [m.text for m in found] == ["#kädel"]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("l(shortest=5, longest=4)", "longest is less than shortest"),
        ("l(measure=mi)", "measure must be one of g2, t, chi2, fisher, not mi"),
        ("l(least=0)", "least must be a whole number of at least 1, not 0"),
        ("l(threshold=high)", "threshold must be a number, or none, not high"),
        ("l(tresholt=3)", "l has no parameter tresholt; did you mean threshold?"),
    ],
)
def test_settings_that_cannot_be(spec: str, said: str) -> None:
    with pytest.raises(InputError, match=r".") as raised:
        extractor(spec).check()
    assert said in str(raised.value)
