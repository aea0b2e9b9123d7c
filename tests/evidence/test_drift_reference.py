"""Drift between a Bible and an encyclopedia: tendencies that do not depend on the sample."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from tealeaves.evidence.contexts import ContextRequest, Drift, gather_contexts
from tealeaves.evidence.terms import Term
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline

pytestmark = pytest.mark.reference

WORDS = Pipeline.parse("words")
KEPT = ("king", "water", "tree", "wife", "son", "sea", "fire", "house")
MOVED = ("art", "flight", "banks", "tune", "band", "mail", "company", "cross")
UNKNOWN = "computer"
PART = 5000  # articles


class Drifts(NamedTuple):
    parts: list[Drift]
    within: Drift


@pytest.fixture(scope="module")
def drifts(reference_data: Path) -> Drifts:
    """Compare a Bible with two parts of an encyclopedia, and these with each other."""
    bible = Corpus.open(reference_data / "bible" / "eng_web.tsv.gz", reader="bible")
    articles = Corpus.open(reference_data / "wikipedia_en_2014_sample" / "articles.jsonl.gz")
    terms = frozenset(Term((word,), "en") for word in (*KEPT, *MOVED, UNKNOWN))
    request = ContextRequest("en", terms)
    old = gather_contexts(bible.group("chapter"), WORDS, request)
    parts = [articles[:PART], articles[PART : 2 * PART]]
    words = old.frequent(5)
    new = [gather_contexts(part, WORDS, request, vocabulary=words) for part in parts]
    return Drifts([Drift.between(old, part) for part in new], Drift.between(*new))


def cosines(drift: Drift, words: tuple[str, ...]) -> NDArray[np.float64]:
    return np.array([drift.of(Term((word,), "en")) for word in words])


def test_a_tree_is_still_a_tree_and_mail_no_longer_a_coat(drifts: Drifts) -> None:
    """Twice as near at least, whichever part of the encyclopedia it is."""
    for drift in drifts.parts:
        assert cosines(drift, KEPT).min() > 2 * np.median(cosines(drift, MOVED))
        assert np.median(cosines(drift, KEPT)) > 2 * cosines(drift, MOVED).max()


def test_two_parts_of_an_encyclopedia_agree(drifts: Drifts) -> None:
    one, other = (cosines(drift, KEPT + MOVED) for drift in drifts.parts)
    assert np.corrcoef(one, other)[0, 1] > 0.8


def test_an_encyclopedia_is_nearer_to_itself(drifts: Drifts) -> None:
    within = cosines(drifts.within, KEPT + MOVED)
    for drift in drifts.parts:
        assert (within > cosines(drift, KEPT + MOVED)).mean() > 0.8


def test_words_of_one_text_alone_are_undefined(drifts: Drifts) -> None:
    assert np.isnan(cosines(drifts.parts[0], (UNKNOWN,))).all()
    assert np.isfinite(cosines(drifts.within, (UNKNOWN,))).all()
