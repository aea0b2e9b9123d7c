"""Counts of linked documents against brute force, and what makes them additive."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence import CountRequest, Counts, Term, Unit, load_counts, save_counts
from tealeaves.evidence.linked import gather_linked
from tealeaves.evidence.requests import SidesRequest
from tealeaves.text.blocks import BLOCK_TEXTS
from tealeaves.text.corpus import Corpus
from tealeaves.text.digest import text_digest
from tealeaves.text.paired.corpus import PairedCorpus
from tealeaves.text.pipeline import Pipeline

WORDS = Pipeline.parse("words")
BOTH = {"en": WORDS, "es": WORDS}
LINK = Unit.of_link("en", "es")
ENGLISH = [Term((word,), "en") for word in ("a", "b", "c")]
SPANISH = [Term((word,), "es") for word in ("a", "x", "y")]
EVERYTHING = CountRequest.of(LINK, [[*ENGLISH, *SPANISH]])

texts = st.lists(st.sampled_from("abcxyz"), max_size=6).map(" ".join)
tuples = st.lists(
    st.fixed_dictionaries({}, optional={"en": texts, "es": texts}).filter(bool), max_size=12
).filter(lambda rows: any(len(one) == 2 for one in rows))


def count_links(paired: PairedCorpus, request: CountRequest = EVERYTHING) -> Counts:
    [counts] = gather_linked(paired, BOTH, [request]).counts
    return counts


def holds(sides: dict[str, str], term: Term) -> bool:
    return term.tokens[0] in sides[term.language].split()


@settings(max_examples=60, deadline=None)
@given(tuples)
def test_counts_are_those_of_brute_force(rows: list[dict[str, str]]) -> None:
    counts = count_links(PairedCorpus.of(rows))
    linked = [one for one in rows if len(one) == 2]
    units = [one for one in linked if one["en"] and one["es"]]
    assert counts.totals.documents == len(linked)
    assert counts.totals.units == len(units)
    assert counts.totals.empty == len(linked) - len(units)
    assert counts.totals.tokens == sum(len(text.split()) for u in units for text in u.values())
    for term in (*ENGLISH, *SPANISH):
        assert counts.single(term) == sum(holds(one, term) for one in units)
    for a, b in combinations((*ENGLISH, *SPANISH), 2):
        assert counts.pair(a, b) == sum(holds(one, a) and holds(one, b) for one in units)


@settings(max_examples=30, deadline=None)
@given(tuples, tuples)
def test_counts_of_disjoint_texts_add(one: list[dict[str, str]], two: list[dict[str, str]]) -> None:
    # hypothesis may draw the same texts twice, which would be double counting
    two = [{name: f"{text} {name}z" for name, text in row.items()} for row in two]
    parts = [count_links(PairedCorpus.of(rows)) for rows in (one, two)]
    total = parts[0] + parts[1]
    whole = count_links(PairedCorpus.of([*one, *two]))
    assert total.totals == whole.totals
    assert total.singles.tolist() == whole.singles.tolist()
    assert total.pair_counts.tolist() == whole.pair_counts.tolist()


def test_the_same_word_of_two_languages_is_two_words() -> None:
    paired = PairedCorpus.of([{"en": "a", "es": "x"}, {"en": "b", "es": "a"}])
    counts = count_links(paired)
    assert [counts.single(term) for term in (ENGLISH[0], SPANISH[0])] == [1, 1]
    assert counts.pair(ENGLISH[0], SPANISH[0]) == 0


def test_double_counting_is_an_error() -> None:
    counts = count_links(PairedCorpus.of([{"en": "a", "es": "x"}, {"en": "b", "es": "y"}]))
    with pytest.raises(EvidenceError, match="double counting"):
        counts + counts


def test_texts_that_one_side_shares_are_counted_twice() -> None:
    first = PairedCorpus.of([{"en": "a b", "es": "x"}, {"en": "c", "es": "y"}])
    second = PairedCorpus.of([{"en": "a b", "es": "y"}, {"en": "c", "es": "x"}])
    with pytest.raises(EvidenceError, match="double counting"):
        count_links(first) + count_links(second)


def test_a_corpus_may_be_paired_with_itself() -> None:
    parts = [
        PairedCorpus.of([{"en": text, "es": text} for text in texts])
        for texts in (["a b", "b", "a"], ["c a", "b b c", "a"])
    ]
    total = count_links(parts[0]) + count_links(parts[1])
    assert total.single(ENGLISH[0]) == total.pair(ENGLISH[0], SPANISH[0]) == 4


def test_other_links_of_the_same_texts_have_another_fingerprint() -> None:
    english, spanish = ["a b", "c", "b"], ["x", "y", "y x"]
    counts = [
        count_links(
            PairedCorpus.of([{"en": e, "es": s} for e, s in zip(english, turned, strict=True)])
        )
        for turned in (spanish, spanish[::-1])
    ]
    assert counts[0].provenance != counts[1].provenance
    with pytest.raises(EvidenceError, match="different texts cannot be joined"):
        counts[0] | counts[1]


def test_counts_are_saved_and_read_back(tmp_path: Path) -> None:
    counts = count_links(PairedCorpus.of([{"en": "a b", "es": "x"}, {"en": "c", "es": "y a"}]))
    save_counts([counts], tmp_path / "linked.counts")
    assert load_counts(tmp_path / "linked.counts") == [counts]


def test_each_language_has_its_own_pipeline() -> None:
    pipelines = {"en": WORDS, "es": Pipeline.parse("words(min_length=2)")}
    paired = PairedCorpus.of([{"en": "a", "es": "x y"}, {"en": "a b", "es": "xx y"}])
    [counts] = gather_linked(paired, pipelines, [EVERYTHING]).counts
    # the first pair has no Spanish token left, and is no unit
    assert (counts.totals.units, counts.totals.empty) == (1, 1)
    assert counts.single(SPANISH[1]) == 0
    assert "en:words(" in counts.provenance
    assert "es:words(" in counts.provenance


def test_a_link_with_a_dropped_text_is_dropped() -> None:
    pipelines = {"en": WORDS, "es": Pipeline.parse("words(min_tokens=2)")}
    paired = PairedCorpus.of([{"en": "a", "es": "x"}, {"en": "a b", "es": "x y"}])
    [counts] = gather_linked(paired, pipelines, [EVERYTHING]).counts
    assert (counts.totals.units, counts.totals.dropped, counts.single(ENGLISH[0])) == (1, 1, 1)


def test_three_languages_have_three_kinds_of_links() -> None:
    paired = PairedCorpus.of(
        [
            {"en": "a", "es": "x", "sv": "k"},
            {"en": "a b", "sv": "k"},
            {"en": "b", "es": "x y"},
            {"es": "x", "sv": "k"},
        ]
    )
    swedish = Term(("k",), "sv")
    requests = [
        CountRequest.of(Unit.of_link("en", "es"), [[ENGLISH[0], SPANISH[1]]]),
        CountRequest.of(Unit.of_link("sv", "en"), [[ENGLISH[0], swedish]]),
        CountRequest.of(Unit.of_link("es", "sv"), [[SPANISH[1], swedish]]),
    ]
    several = gather_linked(paired, {**BOTH, "sv": WORDS}, requests).counts
    by_unit = {counts.unit.languages: counts for counts in several}
    assert {name: c.totals.units for name, c in by_unit.items()} == {
        "en+es": 2,
        "en+sv": 2,
        "es+sv": 2,
    }
    # "a" is in two texts, one of which has no Spanish
    assert by_unit["en+es"].single(ENGLISH[0]) == 1
    assert by_unit["en+sv"].single(ENGLISH[0]) == 2


def test_sequences_of_tokens_are_found() -> None:
    york = Term(("new", "york"), "en")
    paired = PairedCorpus.of([{"en": "new york", "es": "x"}, {"en": "york new", "es": "x"}])
    counts = count_links(paired, CountRequest.of(LINK, [[york, SPANISH[1]]]))
    assert (counts.single(york), counts.pair(york, SPANISH[1])) == (1, 1)


@pytest.mark.parametrize("threads", [1, 2])
def test_many_texts_are_counted_by_compiled_loops(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tealeaves.evidence.linked._LARGE", 0)
    rows = [{"en": "a b " * (n % 40), "es": "x " * (n % 7 + 1)} for n in range(9000)]
    [counts] = gather_linked(PairedCorpus.of(rows), BOTH, [EVERYTHING], threads=threads).counts
    filled = sum(n % 40 > 0 for n in range(9000))
    assert counts.totals.units == filled
    assert counts.pair(ENGLISH[0], SPANISH[1]) == filled


def test_requested_documents_are_kept() -> None:
    paired = PairedCorpus.of([{"en": "b a b", "es": "x"}, {"es": "y"}])
    request = SidesRequest(frozenset({"en", "es"}), frozenset(ENGLISH))
    sides = gather_linked(paired, BOTH, [], request).sides
    assert [sides["en"].terms[n].tokens[0] for n in sides["en"].numbers] == ["b", "a", "b"]
    assert sides["es"].ids == ("1", "2")
    assert sides["es"].tokens.tolist() == [1, 1]


def test_each_text_of_many_blocks_has_its_own_digest() -> None:
    rows = [{"en": f"a b {n}", "es": "x"} for n in range(2 * BLOCK_TEXTS + 1)]
    request = SidesRequest(frozenset({"en"}), frozenset(ENGLISH))
    side = gather_linked(PairedCorpus.of(rows), BOTH, [], request).sides["en"]
    assert side.origins.digests.tolist() == [text_digest(row["en"]) for row in rows]


def test_no_linked_document_is_an_error() -> None:
    paired = PairedCorpus.of([{"en": "a"}, {"es": "x"}])
    with pytest.raises(InputError, match="no document"):
        count_links(paired)


def test_linked_documents_are_only_counted_in_links() -> None:
    with pytest.raises(InputError, match="in links, not in document"):
        count_links(PairedCorpus.of([{"en": "a", "es": "x"}]), CountRequest.of(Unit(), [ENGLISH]))


def verses_in(folder: Path, chapters: int) -> dict[str, Corpus]:
    """Write Bibles of so many chapters of three verses, and open them."""
    corpora = {}
    for language, words in (("en", "abc"), ("es", "xya")):
        path = folder / f"{language}.tsv"
        places = [(chapter, verse) for chapter in range(1, chapters + 1) for verse in (1, 2, 3)]
        rows = (f"GEN {c}:{v}\t{words[(c + v) % 3]} {c}{language}{v}\n" for c, v in places)
        path.write_text("".join(rows))
        corpora[language] = Corpus.open(path, reader="bible")
    return corpora


def in_units(sides: dict[str, Corpus], unit: str) -> PairedCorpus:
    return PairedCorpus({language: side.group(unit) for language, side in sides.items()})


def test_verses_and_chapters_of_the_same_files_are_counted_twice(tmp_path: Path) -> None:
    sides = verses_in(tmp_path, 4)
    several = [count_links(in_units(sides, unit)) for unit in ("verse", "chapter", "block(size=2)")]
    for one, other in combinations(several, 2):
        with pytest.raises(EvidenceError, match="do not go together"):
            one + other
        with pytest.raises(EvidenceError, match=r"double counting: .*hold the same texts"):
            one.fingerprint + other.fingerprint


@pytest.mark.parametrize("unit", ["chapter", "block(size=2)"])
def test_units_of_two_slices_add(tmp_path: Path, unit: str) -> None:
    sides = verses_in(tmp_path, 4)
    parts = [
        {language: side[part] for language, side in sides.items()}
        for part in (slice(None, 6), slice(6, None))
    ]
    one, two = (count_links(in_units(part, unit)) for part in parts)
    whole = count_links(in_units(sides, unit))
    assert one + two == two + one == whole
    with pytest.raises(EvidenceError, match="double counting"):
        one + whole
