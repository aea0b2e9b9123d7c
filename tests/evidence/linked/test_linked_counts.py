"""Counts of linked documents against brute force, and what makes them additive."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence import Counts, Request, Term, Unit, load_counts, save_counts
from tealeaves.evidence.linked.gathering import gather_linked
from tealeaves.evidence.linked.request import SidesRequest
from tealeaves.text.corpus import Corpus
from tealeaves.text.paired.corpus import PairedCorpus
from tealeaves.text.pipeline import Pipeline

WORDS = Pipeline.parse("words")
BOTH = {"en": WORDS, "es": WORDS}
LINK = Unit.of_link("en", "es")
ENGLISH = [Term((word,), "en") for word in ("a", "b", "c")]
SPANISH = [Term((word,), "es") for word in ("a", "x", "y")]
EVERYTHING = Request.of(LINK, [[*ENGLISH, *SPANISH]])

texts = st.lists(st.sampled_from("abcxyz"), max_size=6).map(" ".join)
tuples = st.lists(
    st.fixed_dictionaries({}, optional={"en": texts, "es": texts}).filter(bool), max_size=12
).filter(lambda found: any(len(one) == 2 for one in found))


def counted(paired: PairedCorpus, request: Request = EVERYTHING) -> Counts:
    [counts] = gather_linked(paired, BOTH, [request]).counts
    return counts


def holds(sides: dict[str, str], term: Term) -> bool:
    return term.tokens[0] in sides[term.language].split()


@settings(max_examples=60, deadline=None)
@given(tuples)
def test_counts_are_those_of_brute_force(made: list[dict[str, str]]) -> None:
    counts = counted(PairedCorpus.of(made))
    linked = [one for one in made if len(one) == 2]
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
    # what is drawn may be the same twice, which is no mistake of these texts
    two = [{name: f"{text} {name}z" for name, text in made.items()} for made in two]
    parts = [counted(PairedCorpus.of(made)) for made in (one, two)]
    total = parts[0] + parts[1]
    whole = counted(PairedCorpus.of([*one, *two]))
    assert total.totals == whole.totals
    assert total.singles.tolist() == whole.singles.tolist()
    assert total.pair_counts.tolist() == whole.pair_counts.tolist()


def test_the_same_word_of_two_languages_is_two_words() -> None:
    paired = PairedCorpus.of([{"en": "a", "es": "x"}, {"en": "b", "es": "a"}])
    counts = counted(paired)
    assert [counts.single(term) for term in (ENGLISH[0], SPANISH[0])] == [1, 1]
    assert counts.pair(ENGLISH[0], SPANISH[0]) == 0


def test_double_counting_is_an_error() -> None:
    counts = counted(PairedCorpus.of([{"en": "a", "es": "x"}, {"en": "b", "es": "y"}]))
    with pytest.raises(EvidenceError, match="double counting"):
        counts + counts


def test_texts_that_one_side_shares_are_counted_twice() -> None:
    first = PairedCorpus.of([{"en": "a b", "es": "x"}, {"en": "c", "es": "y"}])
    second = PairedCorpus.of([{"en": "a b", "es": "y"}, {"en": "c", "es": "x"}])
    with pytest.raises(EvidenceError, match="double counting"):
        counted(first) + counted(second)


def test_a_corpus_may_be_paired_with_itself() -> None:
    parts = [
        PairedCorpus.of([{"en": text, "es": text} for text in texts])
        for texts in (["a b", "b", "a"], ["c a", "b b c", "a"])
    ]
    total = counted(parts[0]) + counted(parts[1])
    assert total.single(ENGLISH[0]) == total.pair(ENGLISH[0], SPANISH[0]) == 4


def test_other_links_of_the_same_texts_are_other_evidence() -> None:
    english, spanish = ["a b", "c", "b"], ["x", "y", "y x"]
    counts = [
        counted(PairedCorpus.of([{"en": e, "es": s} for e, s in zip(english, turned, strict=True)]))
        for turned in (spanish, spanish[::-1])
    ]
    assert counts[0].provenance != counts[1].provenance
    with pytest.raises(EvidenceError, match="different texts cannot be joined"):
        counts[0] | counts[1]


def test_counts_are_saved_and_read_back(tmp_path: Path) -> None:
    counts = counted(PairedCorpus.of([{"en": "a b", "es": "x"}, {"en": "c", "es": "y a"}]))
    save_counts([counts], tmp_path / "linked.counts")
    assert load_counts(tmp_path / "linked.counts") == [counts]


def test_pipelines_are_those_of_each_language() -> None:
    pipelines = {"en": WORDS, "es": Pipeline.parse("words(min_length=2)")}
    paired = PairedCorpus.of([{"en": "a", "es": "x y"}, {"en": "a b", "es": "xx y"}])
    [counts] = gather_linked(paired, pipelines, [EVERYTHING]).counts
    # the first pair has no Spanish token left, and is no unit
    assert (counts.totals.units, counts.totals.empty) == (1, 1)
    assert counts.single(SPANISH[1]) == 0
    assert "en:words(" in counts.provenance
    assert "es:words(" in counts.provenance


def test_texts_that_are_too_short_take_their_link_with_them() -> None:
    pipelines = {"en": WORDS, "es": Pipeline.parse("words(min_tokens=2)")}
    paired = PairedCorpus.of([{"en": "a", "es": "x"}, {"en": "a b", "es": "x y"}])
    [counts] = gather_linked(paired, pipelines, [EVERYTHING]).counts
    assert (counts.totals.units, counts.totals.dropped, counts.single(ENGLISH[0])) == (1, 1, 1)


def test_three_languages_have_three_references() -> None:
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
        Request.of(Unit.of_link("en", "es"), [[ENGLISH[0], SPANISH[1]]]),
        Request.of(Unit.of_link("sv", "en"), [[ENGLISH[0], swedish]]),
        Request.of(Unit.of_link("es", "sv"), [[SPANISH[1], swedish]]),
    ]
    found = gather_linked(paired, {**BOTH, "sv": WORDS}, requests).counts
    by_unit = {counts.unit.languages: counts for counts in found}
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
    counts = counted(paired, Request.of(LINK, [[york, SPANISH[1]]]))
    assert (counts.single(york), counts.pair(york, SPANISH[1])) == (1, 1)


@pytest.mark.parametrize("threads", [1, 2])
def test_many_texts_are_counted_by_compiled_loops(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tealeaves.evidence.linked.gathering._LARGE", 0)
    made = [{"en": "a b " * (n % 40), "es": "x " * (n % 7 + 1)} for n in range(9000)]
    [counts] = gather_linked(PairedCorpus.of(made), BOTH, [EVERYTHING], threads=threads).counts
    filled = sum(n % 40 > 0 for n in range(9000))
    assert counts.totals.units == filled
    assert counts.pair(ENGLISH[0], SPANISH[1]) == filled


def test_documents_are_kept_where_they_are_asked_for() -> None:
    paired = PairedCorpus.of([{"en": "b a b", "es": "x"}, {"es": "y"}])
    asked = SidesRequest(frozenset({"en", "es"}), frozenset(ENGLISH))
    sides = gather_linked(paired, BOTH, [], asked).sides
    assert [sides["en"].terms[n].tokens[0] for n in sides["en"].numbers] == ["b", "a", "b"]
    assert sides["es"].keys == ("1", "2")
    assert sides["es"].tokens.tolist() == [1, 1]


def test_no_linked_document_is_an_error() -> None:
    paired = PairedCorpus.of([{"en": "a"}, {"es": "x"}])
    with pytest.raises(InputError, match="no document"):
        counted(paired)


def test_links_are_counted_in_links_alone() -> None:
    with pytest.raises(InputError, match="in links, not in document"):
        counted(PairedCorpus.of([{"en": "a", "es": "x"}]), Request.of(Unit(), [ENGLISH]))


def test_a_link_is_of_two_languages() -> None:
    assert Unit.parse("link(languages=en+sv)") == Unit.of_link("sv", "en")
    assert Unit.parse(repr(LINK)) == LINK
    for wrong in ("link", "link(languages=en)", "link(languages=en+en)", "document(languages=a+b)"):
        with pytest.raises(InputError):
            Unit.parse(wrong)


def verses_in(folder: Path, chapters: int) -> dict[str, Corpus]:
    """Write Bibles of so many chapters of three verses, and open them."""
    found = {}
    for language, words in (("en", "abc"), ("es", "xya")):
        path = folder / f"{language}.tsv"
        places = [(chapter, verse) for chapter in range(1, chapters + 1) for verse in (1, 2, 3)]
        rows = (f"GEN {c}:{v}\t{words[(c + v) % 3]} {c}{language}{v}\n" for c, v in places)
        path.write_text("".join(rows))
        found[language] = Corpus.open(path, reader="bible")
    return found


def in_units(sides: dict[str, Corpus], unit: str) -> PairedCorpus:
    return PairedCorpus({language: side.group(unit) for language, side in sides.items()})


def test_verses_and_chapters_of_the_same_files_are_counted_twice(tmp_path: Path) -> None:
    sides = verses_in(tmp_path, 4)
    found = [counted(in_units(sides, unit)) for unit in ("verse", "chapter", "block(size=2)")]
    for one, other in combinations(found, 2):
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
    one, two = (counted(in_units(part, unit)) for part in parts)
    whole = counted(in_units(sides, unit))
    assert one + two == two + one == whole
    with pytest.raises(EvidenceError, match="double counting"):
        one + whole
