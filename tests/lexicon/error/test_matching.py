"""Extractions beside annotations: the same tokens, and what is missing on a side."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import msgspec
import pytest

from tealeaves.errors import InputError
from tealeaves.lexicon import Annotation, Extraction, evaluate_extractions
from tealeaves.lexicon.error.matching import match
from tealeaves.lexicon.extraction.result import Token

Said = Mapping[tuple[str, str, int], str | None]


def expressions(said: str) -> frozenset[str]:
    return frozenset(said.split())


def extraction(said: Said, model: str = "hybrid", target: str = "fi") -> Extraction:
    tokens = tuple(
        Token(expressions(text or ""), lemma=lemma, key=key, place=place)
        for (lemma, key, place), text in said.items()
    )
    passages = {key: (["a"], ["Käsi", "kädet", "jalka"]) for _, key, _ in said}
    return Extraction("en", target, model, model, tokens, passages)


def sheet(said: Said, target: str = "fi", words: Mapping[str, tuple[int, ...]] | None = None
          ) -> list[Annotation]:  # fmt: skip
    return [
        Annotation(
            lemma=lemma, key=key, place=place, target=target, pos=lemma.partition("/")[2],
            expressions=None if text is None else expressions(text),
            words=(words or {}).get(key, ()),
        )
        for (lemma, key, place), text in said.items()
    ]  # fmt: skip


def hands(*said: str | None, lemma: str = "hand/N") -> dict[tuple[str, str, int], str | None]:
    return {(lemma, f"GEN {verse}", 3): text for verse, text in enumerate(said, 1)}


def test_tokens_are_found_by_passage_and_place_whatever_their_order() -> None:
    theirs = {("hand/N", "GEN 1", 2): "x", ("hand/N", "GEN 1", 5): "y", ("hand/N", "GEN 2", 2): "z"}
    ours = dict(reversed([(key, text.upper()) for key, text in theirs.items()]))
    [found], notes = match([extraction(ours)], sheet(theirs))
    extracted, annotated = found.series["hybrid"]["hand/N"]
    assert [set(one) for one in annotated] == [{"x"}, {"y"}, {"z"}]
    assert [set(one) for one in extracted] == [{"X"}, {"Y"}, {"Z"}]
    assert found.pos == {"hand/N": "N"}
    assert notes == []


@pytest.mark.parametrize(
    ("ours", "theirs"), [("hand", "hand/N"), ("hand/N", "hand"), ("hand/N", "hand/N")]
)
def test_a_part_of_speech_may_be_missing_on_a_side(ours: str, theirs: str) -> None:
    [found], _ = match(
        [extraction(hands("a", "b", lemma=ours))], sheet(hands("x", "", lemma=theirs))
    )
    assert found.series["hybrid"] == {theirs: ([{"a"}, {"b"}], [{"x"}, set()])}


def test_what_a_side_lacks_is_left_out_and_told_in_a_line_each() -> None:
    ours = hands("a", "a", "b") | {("foot", "GEN 1", 1): "f", ("foot", "GEN 2", 1): "f"}
    theirs = hands("x", "x", "y", "y", None) | {("eye", "GEN 9", 0): "e"}
    [found], notes = match([extraction(ours)], sheet(theirs))
    assert list(found.series["hybrid"]) == ["hand/N"]
    assert len(found.series["hybrid"]["hand/N"][0]) == 3
    assert notes == [
        "annotated tokens that are not extracted: hybrid in fi 2 of 5 (first: hand/N, token 3 of "
        "GEN 4)",
        "extracted tokens that are not annotated: hybrid in fi 2 of 5",
        "tokens of the sheets that are not annotated yet: 1",
    ]


def test_models_are_compared_on_the_same_tokens() -> None:
    both = [extraction(hands("a", "a", "b", "b"), "hybrid"),
            extraction(hands("a", "a", "b"), "m"),
            extraction({("foot", "GEN 1", 1): "f"}, "n")]  # fmt: skip
    [found], _ = match(both, sheet(hands("x", "x", "y", "y") | {("foot", "GEN 1", 1): "z"}))
    lengths = {model: {w: len(pair[0]) for w, pair in lemmas.items()}
               for model, lemmas in found.series.items()}  # fmt: skip
    # n has no hands at all, which takes none from the others
    assert lengths == {"hybrid": {"hand/N": 3}, "m": {"hand/N": 3}, "n": {"foot": 1}}


def test_an_empty_extraction_is_not_a_missing_one() -> None:
    [found], notes = match([extraction(hands("", "a"))], sheet(hands("x", "x")))
    assert found.series["hybrid"]["hand/N"][0] == [set(), {"a"}]
    assert notes == []


def test_several_files_of_one_model_are_one_model() -> None:
    parts = [extraction(hands("a", "b")), extraction(hands("c", lemma="foot"))]
    [found], _ = match(parts, sheet(hands("x", "y") | hands("z", lemma="foot")))
    assert list(found.series) == ["hybrid"]
    assert set(found.series["hybrid"]) == {"hand/N", "foot"}
    with pytest.raises(
        InputError, match="hybrid in fi: hand/N, token 3 of GEN 1 is extracted twice"
    ):
        match([extraction(hands("a")), extraction(hands("b"))], sheet(hands("x")))


def test_the_same_annotation_twice_is_one_and_another_is_refused() -> None:
    [found], _ = match([extraction(hands("a", "b"))], sheet(hands("x", "y")) * 2)
    assert len(found.series["hybrid"]["hand/N"][0]) == 2
    with pytest.raises(InputError, match="hand/N, token 3 of GEN 1 is annotated twice, diff"):
        match([extraction(hands("a"))], [*sheet(hands("x")), *sheet(hands("y"))])


# ---------------------------------------------------------------------- languages


def test_languages_are_kept_apart() -> None:
    ours = [extraction(hands("a", "a"), target="fi"), extraction(hands("b", "c"), target="sv")]
    theirs = [*sheet(hands("x", "y"), "sv"), *sheet(hands("x", "x"), "fi")]
    found, notes = match(ours, theirs)
    assert [one.target for one in found] == ["fi", "sv"]
    assert found[1].series["hybrid"]["hand/N"] == ([{"b"}, {"c"}], [{"x"}, {"y"}])
    assert notes == []
    evaluation = evaluate_extractions(ours, theirs)
    assert evaluation.summary("hybrid", "sv").error == evaluation.summary("hybrid", "fi").error == 0


def test_languages_of_one_side_alone_are_told() -> None:
    ours = [extraction(hands("a", "a"), target=target) for target in ("fi", "sv")]
    theirs = [*sheet(hands("x", "y"), "fi"), *sheet(hands("x", "x"), "da")]
    _, notes = match(ours, theirs)
    assert notes[:2] == ["left out, not annotated: sv", "left out, not extracted: da"]
    with pytest.raises(InputError, match="annotations are of da, extractions of fi: no target"):
        match(ours[:1], sheet(hands("x"), "da"))


def test_a_language_has_several_names() -> None:
    [found], _ = match([extraction(hands("a", "b"))], sheet(hands("x", "y"), "fin"))
    assert found.target == "fi"
    assert list(found.series["hybrid"]) == ["hand/N"]


def test_a_sheet_need_not_name_the_only_language() -> None:
    [found], _ = match([extraction(hands("a", "b"))], sheet(hands("x", "y"), ""))
    assert found.target == "fi"
    two = [extraction(hands("a"), target=target) for target in ("fi", "sv")]
    with pytest.raises(InputError, match="extractions are of fi, sv, but annotations do not say"):
        match(two, sheet(hands("x"), ""))


def test_no_token_in_common_is_one_clear_line() -> None:
    with pytest.raises(InputError) as error:
        match([extraction(hands("a", lemma="foot"))], sheet(hands("x")))
    assert str(error.value) == (
        "no annotated token is extracted: there is hand/N, token 3 of GEN 1 in the sheet, "
        "foot, token 3 of GEN 1 in the extraction"
    )
    with pytest.raises(InputError, match="there is no extraction"):
        match([], sheet(hands("x")))
    with pytest.raises(InputError, match="there are no annotations"):
        match([extraction(hands("a"))], [])
    with pytest.raises(InputError, match="no token of the sheets is annotated yet"):
        match([extraction(hands("a"))], sheet(hands(None)))


# ---------------------------------------------------------------------- forms


def test_annotated_words_are_taken_as_they_stand_in_lower_case() -> None:
    words = {"GEN 1": (0,), "GEN 2": (1,), "GEN 3": (0, 2)}
    theirs = sheet(hands("käsi", "käsi", "käsi jalka", ""), words=words)
    [found], _ = match([extraction(hands("a", "a", "a", "a"))], theirs)
    assert found.forms == {"hand/N": [{"käsi"}, {"kädet"}, {"käsi", "jalka"}, set()]}
    evaluation = evaluate_extractions([extraction(hands("a", "a", "a", "a"))], theirs)
    # pairs 12: |0 - 1|, 13: |1/2 - 1/2|, 23: |0 - 1/2|, with the empty one 0
    row = evaluation.summary("annotated words as they stand")
    assert row.error == pytest.approx((1 + 0 + 1 / 2) / 6)


@pytest.mark.parametrize("words", [{}, {"GEN 1": (0,)}, {"GEN 1": (), "GEN 2": (1,)}])
def test_where_some_words_are_not_known_there_are_no_forms(
    words: dict[str, tuple[int, ...]],
) -> None:
    [found], _ = match([extraction(hands("a", "a"))], sheet(hands("x", "y"), words=words))
    assert found.forms == {}


def test_words_of_a_passage_that_is_not_there_are_not_known() -> None:
    bare = dataclasses.replace(extraction(hands("a", "a")), passages={})
    [found], _ = match([bare], sheet(hands("x", "y"), words={"GEN 1": (0,), "GEN 2": (99,)}))
    assert found.forms == {}


@pytest.mark.parametrize("first", [(), (0,)])
def test_words_beyond_the_passage_are_refused_with_their_line(first: tuple[int, ...]) -> None:
    theirs = sheet(hands("x", "y"), words={"GEN 1": first, "GEN 2": (1, 3)})
    said = (
        "words has 3, counted from 0, but the target passage of GEN 2 has 3 words: mend it, or "
        "leave words blank"
    )
    for where, named in (("fin.tsv:8", "fin.tsv:8"), ("", "hand/N, token 3 of GEN 2")):
        wrong = msgspec.structs.replace(theirs[1], where=where)
        with pytest.raises(InputError) as error:
            match([extraction(hands("a", "a"))], [theirs[0], wrong])
        assert str(error.value) == f"{named}: {said}"
    last = msgspec.structs.replace(theirs[1], words=(2,))
    match([extraction(hands("a", "a"))], [theirs[0], last])


# ---------------------------------------------------------------------- names


def test_models_have_the_names_of_papers_where_these_say_the_same() -> None:
    given = ["l", "aligned(links=union)", "aligned(links=union, several=0.3)", "mine (old)"]
    ours = [extraction(hands("a"), model) for model in given]
    [found], notes = match(ours, sheet(hands("x", "y")))
    assert list(found.series) == ["L", "hmm+u", *given[2:]]
    assert notes[0].startswith("annotated tokens that are not extracted: L in fi 1 of 2")
    evaluation = evaluate_extractions(
        [extraction(hands("a", "a"), given[0]), extraction(hands("a", "b"), given[1])],
        sheet(hands("x", "x")),
    )
    assert evaluation.models == ["L", "hmm+u"]
    assert [labels for labels, _ in evaluation.pairs.table().rows] == [["L", "hmm+u"]]
    # either name finds them
    assert evaluation.summary("hmm+u") is evaluation.summary("aligned(links=union)")
    assert evaluation.summary("hmm+u").error == 1
    assert evaluation.difference("l", "hmm+u") is evaluation.difference("L", given[1])


def test_a_model_by_two_names_is_one_model() -> None:
    ours = [extraction(hands("a", "b"), "l"), extraction(hands("c", lemma="foot"), "L")]
    [found], _ = match(ours, sheet(hands("x", "y") | hands("z", lemma="foot")))
    assert {model: list(lemmas) for model, lemmas in found.series.items()} == {
        "L": ["hand/N", "foot"]
    }


def test_what_is_annotated_in_other_languages_alone_is_told() -> None:
    theirs = [*sheet(hands(None, None)), *sheet(hands("x", "y"), "sv")]
    with pytest.raises(InputError) as error:
        match([extraction(hands("a", "b"))], theirs)
    assert str(error.value) == (
        "no token is annotated yet in fi, which is extracted; annotated are 2 in sv"
    )
