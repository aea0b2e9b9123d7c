"""What annotations are like."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pytest

from tealeaves.errors import InputError
from tealeaves.lexicon.annotation.annotation import Annotation
from tealeaves.lexicon.annotation.statistics import AnnotationRow, annotation_statistics


def rows(target: str, lemma: str, said: Iterable[set[str] | None]) -> list[Annotation]:
    return [
        Annotation(
            lemma=lemma,
            pos=lemma[-1],
            target=target,
            key=str(number),
            place=0,
            expressions=None if one is None else frozenset(one),
        )
        for number, one in enumerate(said)
    ]


FINNISH = [
    *rows("fin", "take/V", [{"ottaa … kiinni"}, {"ottaa"}, set(), {"ottaa", "saada"}, None]),
    *rows("fin", "hand/N", [{"käsi"}, {"käsi"}]),
    *rows("fin", "foot/N", [{"jalka"}, {"jalka", "koipi"}, set(), set()]),
]
CHINESE = rows("zho", "hand/N", [{"手"}, set()])


def row(found: list[AnnotationRow], target: str, pos: str, lemma: str = "all") -> AnnotationRow:
    [one] = [r for r in found if (r.target, r.pos, r.lemma) == (target, pos, lemma)]
    return one


def test_worked_out_by_hand() -> None:
    found = annotation_statistics([*FINNISH, *CHINESE]).rows
    verbs = row(found, "fin", "V")
    assert (verbs.lemmas, verbs.tokens, verbs.annotated, verbs.expressions) == (1, 5, 4, 3)
    assert (verbs.zero, verbs.multiple, verbs.discontinuous) == (0.25, 0.25, 0.25)
    nouns = row(found, "fin", "N")
    assert (nouns.lemmas, nouns.tokens, nouns.expressions) == (2, 6, 1.5)
    assert (nouns.zero, nouns.multiple, nouns.discontinuous) == pytest.approx((2 / 6, 1 / 6, 0))
    total = row(found, "fin", "all")
    assert total.expressions == 2  # 3, 1 and 2, over lemmas
    assert (total.zero, total.multiple) == pytest.approx((0.3, 0.2))  # over tokens
    overall = row(found, "all", "all")
    assert overall.expressions == (2 + 1) / 2
    assert overall.zero == pytest.approx((0.3 + 0.5) / 2)
    assert (overall.tokens, overall.annotated, overall.lemmas) == (13, 12, 3)
    assert row(found, "fin", "N", "hand/N").expressions == 1


def test_what_is_not_annotated_is_noted_and_undefined() -> None:
    found = annotation_statistics(rows("fin", "hand/N", [None, None]))
    [one] = found.shown
    assert (one.tokens, one.annotated) == (2, 0)
    assert all(map(math.isnan, (one.expressions, one.zero, one.multiple, one.discontinuous)))
    assert found.notes == ["fin: 2 of 2 tokens are not annotated"]
    assert "–" in str(found)


@pytest.mark.parametrize(
    ("by", "labels"),
    [
        ("target", [("fin",), ("zho",), ("all",)]),
        (
            "pos",
            [("fin", "all"), ("fin", "N"), ("fin", "V"), ("zho", "all"), ("all", "all"),
             ("all", "N"), ("all", "V")],
        ),
        (
            "lemma",
            [("fin", "V", "take/V"), ("fin", "N", "hand/N"), ("fin", "N", "foot/N"),
             ("zho", "N", "hand/N")],
        ),
    ],
)  # fmt: skip
def test_rows_that_are_shown(by: str, labels: list[tuple[str, ...]]) -> None:
    found = annotation_statistics([*FINNISH, *CHINESE], by)
    assert [tuple(left) for left, _ in found.table().rows] == labels
    assert len(found.to_dicts()) == len(labels)


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(InputError, match="by target, pos or lemma, not by 'key'"):
        annotation_statistics(FINNISH, "key")


def test_a_split_is_chosen() -> None:
    rows = [
        Annotation(lemma="a", key=key, place=0, split=split, expressions=frozenset({"x"}))
        for key, split in (("1", "dev"), ("2", "test"), ("3", "test"))
    ]
    assert annotation_statistics(rows, split="test").rows[0].tokens == 2
    assert annotation_statistics(rows).rows[0].tokens == 3
    with pytest.raises(InputError, match=r"in the split 'tset', they have dev, test; did you mean"):
        annotation_statistics(rows, split="tset")
    bare = [Annotation(lemma="a", key="1", place=0)]
    with pytest.raises(InputError, match="they have no column split"):
        annotation_statistics(bare, split="dev")
