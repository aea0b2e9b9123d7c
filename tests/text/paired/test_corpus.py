from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.files import Meter
from tealeaves.text import Corpus, Document, PairedCorpus
from tealeaves.text.paired.links import LinkById

LANGUAGES = ("en", "sv", "tr")
TUPLES: list[dict[str, str]] = [
    {"en": "king", "sv": "kung", "tr": "kral"},
    {"en": "house"},
    {"sv": "hus", "tr": "ev"},
    {"en": "year", "sv": "år"},
]


def keyed_texts(paired: PairedCorpus) -> list[tuple[str, dict[str, str]]]:
    return [(key, {name: d.text for name, d in sides.items()}) for key, sides in paired.tuples()]


@st.composite
def corpora(draw: st.DrawFn) -> PairedCorpus:
    """Sides with ids in any order, some of them without, and some in several languages."""
    sides = {}
    for language in LANGUAGES:
        ids = draw(st.lists(st.integers(0, 7), unique=True, max_size=8))
        blank = draw(st.sets(st.integers(0, 7)))
        sides[language] = [
            Document(f"{language}{number}", id="" if number in blank else str(number))
            for number in ids
        ]
    filled = {language: documents for language, documents in sides.items() if documents}
    if not filled:
        filled = {"en": [Document("only", id="1")]}
    return PairedCorpus(
        {language: Corpus.of(documents) for language, documents in filled.items()},
        links=_Ids(),
    )


class _Ids:
    """Links by id that accept languages without a common key."""

    def key(self, language: str, document: Document, number: int) -> str:
        return document.id

    def check(self, sides: object, keys: object) -> None:
        pass


def test_tuples_keep_the_order_of_the_first_language_then_of_the_next() -> None:
    paired = PairedCorpus.of(TUPLES)
    assert paired.languages == LANGUAGES
    assert keyed_texts(paired) == [
        ("1", TUPLES[0]),
        ("2", TUPLES[1]),
        ("4", TUPLES[3]),
        ("3", TUPLES[2]),
    ]


def test_keys_and_numbers_of_links() -> None:
    paired = PairedCorpus.of(TUPLES)
    assert paired.keys("sv") == ["1", "3", "4"]
    assert [(key, d.text) for key, d in paired.keyed_documents("tr")] == [
        ("1", "kral"),
        ("3", "ev"),
    ]
    assert paired.count_links("en", "sv") == paired.count_links("sv", "en") == 2
    assert paired.count_links("en", "tr") == 1


def test_a_side_is_found_by_name_or_language() -> None:
    paired = PairedCorpus.of([{"en_GB": "colour", "eng2": "color", "sv": "färg"}])
    assert [d.text for d in paired.side("eng2")] == ["color"]
    assert [d.text for d in paired.side("English")] == ["colour"]
    assert [d.text for d in paired.side("swe")] == ["färg"]
    with pytest.raises(InputError, match=r"no texts in fi \(languages here: en_GB, eng2, sv\)"):
        paired.side("fi")


def test_two_sides_of_a_language_must_be_told_apart() -> None:
    paired = PairedCorpus.of([{"en-GB": "colour", "en-US": "color"}])
    with pytest.raises(InputError, match="no texts in en"):
        paired.side("en")


@given(corpora())
def test_tuples_hold_every_document_exactly_once(paired: PairedCorpus) -> None:
    documents: dict[str, list[Document]] = {language: [] for language in paired.languages}
    for key, sides in paired.tuples():
        assert key or len(sides) == 1
        for language, document in sides.items():
            assert document.id == key
            documents[language].append(document)
    for language, side in paired.sides.items():
        assert sorted(d.text for d in documents[language]) == sorted(d.text for d in side)
    keys = [key for key, _ in paired.tuples() if key]
    assert len(keys) == len(set(keys))


@given(corpora(), st.integers(0, 3), st.floats(0, 1), st.floats(0, 1))
def test_unlinking_is_nested_and_exact(
    paired: PairedCorpus, seed: int, one: float, other: float
) -> None:
    low, high = sorted((one, other))
    links = linked_keys(paired)
    less, more = (paired.unlink(share, seed=seed) for share in (low, high))
    assert linked_keys(less) <= linked_keys(more) <= links
    assert len(linked_keys(less)) == round(low * len(links))
    assert len(linked_keys(more)) == round(high * len(links))
    for language, side in paired.sides.items():
        assert list(less.side(language)) == list(side)
        alone = [key for key in paired.keys(language) if key not in links]
        kept = [key for key in less.keys(language) if key not in links or key in linked_keys(less)]
        assert len(kept) == len(less.keys(language))
        assert [key for key in alone if key] == [k for k in kept if k and k not in links]


def linked_keys(paired: PairedCorpus) -> set[str]:
    sides = [set(paired.keys(language)) for language in paired.languages]
    keys = set().union(*sides) - {""}
    return {key for key in keys if sum(key in side for side in sides) > 1}


def test_different_seeds_keep_different_links() -> None:
    paired = PairedCorpus.of([{"en": "a", "sv": "b"}] * 40)
    kept = {frozenset(linked_keys(paired.unlink(0.5, seed=seed))) for seed in range(5)}
    assert len(kept) == 5
    assert {len(keys) for keys in kept} == {20}


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_is_between_0_and_1(share: float) -> None:
    with pytest.raises(InputError, match="from 0 to 1"):
        PairedCorpus.of(TUPLES).unlink(share, seed=1)


@given(corpora(), st.sets(st.sampled_from(["", *map(str, range(8))])))
def test_a_selection_keeps_order_and_documents(paired: PairedCorpus, keys: set[str]) -> None:
    chosen = paired.select(keys)
    for language in paired.languages:
        expected = [(key, d) for key, d in paired.keyed_documents(language) if key in keys]
        assert list(chosen.keyed_documents(language)) == expected
        assert list(chosen.side(language)) == [d for _, d in expected]
        blocks = list(chosen.side(language).blocks())
        texts = [block.text(n) for block in blocks for n in range(block.count)]
        assert texts == [d.text for _, d in expected]


def test_selections_of_selections_and_unlinked_ones() -> None:
    paired = PairedCorpus.of(TUPLES).select(["1", "4", "3"]).unlink(1.0, seed=1)
    assert keyed_texts(paired.select(["4", "3"])) == [("4", TUPLES[3]), ("3", TUPLES[2])]
    none = paired.unlink(0.0, seed=1)
    assert none.count_links("en", "sv") == 0
    assert len(list(none.tuples())) == 7
    assert all(key == "" and len(sides) == 1 for key, sides in none.tuples())


def test_documents_keep_source_and_position() -> None:
    sides = {
        "en": Corpus.of([Document("a", "x", source="s", position=3), Document("b", "y")]),
        "sv": Corpus.of([Document("c", "y"), Document("d", "x", source="t", position=9)]),
    }
    [(key, first), _] = PairedCorpus(sides).tuples()
    assert key == "x"
    assert (first["en"].source, first["en"].position) == ("s", 3)
    assert (first["sv"].source, first["sv"].position) == ("t", 9)


@pytest.mark.parametrize("links", [None, LinkById()])
def test_keys_are_read_once(monkeypatch: pytest.MonkeyPatch, links: LinkById | None) -> None:
    texts_read = []
    documents = Corpus.documents

    def record_documents(self: Corpus, meter: Meter | None = None) -> Iterator[Document]:
        for document in documents(self, meter):
            texts_read.append(document.text)
            yield document

    monkeypatch.setattr(Corpus, "documents", record_documents)
    sides = {"en": [Document("a", "x"), Document("c", "y")], "sv": [Document("b", "x")]}
    paired = PairedCorpus({name: Corpus.of(texts) for name, texts in sides.items()}, links=links)
    paired.count_links("en", "sv")
    paired.keys("en")
    paired.unlink(0.5, seed=1).select(["x"]).keys("sv")
    first_texts = ["a", "b"] if links is None else []  # the first of each tell how they are linked
    assert texts_read == [*first_texts, "a", "c", "b"]


def test_keys_are_kept_when_documents_were_read_with_them() -> None:
    sides = {"en": Corpus.of([Document("a", "x")]), "sv": Corpus.of([Document("b", "y")])}
    paired = PairedCorpus(sides, links=LinkById())
    assert [key for key, _ in paired.keyed_documents("en")] == ["x"]
    with pytest.raises(InputError, match="is linked to one of"):
        list(paired.keyed_documents("sv"))


def test_one_language_is_a_corpus_with_keys() -> None:
    paired = PairedCorpus({"en": Corpus.of(["a", "b"])})
    assert [key for key, _ in paired.tuples()] == ["1", "2"]


@pytest.mark.parametrize(
    ("sides", "message"),
    [
        ({}, "a corpus for each language"),
        (
            {"en": ["a", "b"], "sv": ["c"]},
            "en=memory has 2 documents, sv=memory 1: to be linked line",
        ),
        ({"en": ["a"], "sv": []}, "en=memory has 1 documents, sv=memory 0"),
        ({"en": [], "sv": []}, "en=memory: no documents"),
        (
            {"en": [Document("a", "x"), Document("b", "x")], "sv": [Document("c", "x")]},
            "en=memory: documents 1 and 2 both have 'x'.*unit document",
        ),
        (
            {"en": [Document("a", "GEN 1")], "sv": [Document("c", "doc-7")]},
            "no document of en=memory is linked to one of sv=memory: their ids are like "
            "'GEN 1' and 'doc-7'",
        ),
    ],
)
def test_wrong_sides_are_refused_in_one_line(
    sides: Mapping[str, list[str | Document]], message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        PairedCorpus({name: Corpus.of(texts) for name, texts in sides.items()}).keys("en")
    assert "\n" not in str(caught.value)


def test_the_same_error_is_raised_again() -> None:
    paired = PairedCorpus({"en": Corpus.of(["a", "b"]), "sv": Corpus.of(["c"])})
    for _ in range(2):
        with pytest.raises(InputError, match="2 documents"):
            paired.keys("sv")


def test_a_side_may_share_keys_with_only_some_of_the_others() -> None:
    documents = {"en": ["1", "2"], "sv": ["1"], "tr": ["2"]}
    sides = {name: Corpus.of(Document(i, i) for i in ids) for name, ids in documents.items()}
    paired = PairedCorpus(sides)
    assert (paired.count_links("en", "sv"), paired.count_links("sv", "tr")) == (1, 0)
    sides["fi"] = Corpus.of([Document("3", "3")])
    with pytest.raises(InputError, match="no document of fi=memory is linked to one of en=memory"):
        PairedCorpus(sides).keys("en")


def test_a_tuple_is_a_mapping() -> None:
    with pytest.raises(InputError, match="tuple 1 is"):
        PairedCorpus.of([("a", "b")])  # type: ignore[list-item]
