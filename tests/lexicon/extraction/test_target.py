"""Materials are made once; signatures know texts by what was read of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.lexicon.bitext import Bitext, Passages
from tealeaves.lexicon.extraction.materials import Materials
from tealeaves.lexicon.extraction.reading import Reading
from tealeaves.lexicon.extraction.registry import extractor
from tealeaves.lexicon.extraction.target import (
    ExtractionPlan,
    Signature,
    Target,
    TargetRun,
    digest_of,
)
from tealeaves.lexicon.words import Words

from .verses import MODEL


def passages(words: list[list[str]], keys: str = "12", language: str = "fi") -> Passages:
    return Passages(language, tuple(keys), Words.of(words), Words.of(words))


def test_the_digest_is_of_all_that_is_read() -> None:
    first = passages([["a", "b"], ["c"]])
    assert digest_of(first) == digest_of(passages([["a", "b"], ["c"]]))
    others = [
        passages([["a"], ["b", "c"]]),
        passages([["a", "c"], ["b"]]),
        passages([["a", "b"], ["c"]], "13"),
        passages([["a", "b"], ["c"]], language="sv"),
        passages([["ab"], ["c"]]),
        Passages("fi", ("1", "2"), first.forms, Words.of([["x", "b"], ["c"]])),
        Passages("fi", ("1", "2"), Words.of([["x", "b"], ["c"]]), first.words),
    ]
    assert len({digest_of(one) for one in [first, *others]}) == 8


def test_a_signature_says_what_differs(folder: Path) -> None:
    def signed(
        model: str = MODEL, words: str = "forms", target: str = "fin", lemmas: str = "hand",
        tokens: str | None = None, only: frozenset[tuple[str, str, int]] | None = None,
    ) -> Signature:  # fmt: skip
        reading = Reading(tokens=tokens)
        source = reading.passages(folder / "eng.tsv", "eng", words=words)
        plan = ExtractionPlan(source, tuple(lemmas.split(",")), (extractor(model),), reading, only)
        run = TargetRun(plan, Target("fin", folder / f"{target}.tsv"))
        return run.signature(plan.models[0])

    first = signed()
    assert first == signed() == signed(words="forms")
    assert signed(tokens="words") == first  # it changes nothing
    for other, said in [
        (signed(model="l(threshold=6)"), "its model is l(measure=g2, threshold=6"),
        (signed(tokens="tokens"), "it is of another source text, or of other words of it"),
        (signed(target="swe"), "it is of another target text, or of other words of it"),
        (signed(lemmas="foot"), "it is of other lemmas"),
        (signed(lemmas="hand,foot"), "it is of other lemmas"),
        (signed(only=frozenset()), "it is of other tokens"),
    ]:
        assert str(other) != str(first)
        assert first.difference(str(other)).startswith(said)
    with pytest.raises(InputError, match="signature cannot be read"):
        first.difference("l")
    older = str(first).replace(first.tealeaves, "0.0.1", 1)
    assert first.difference(older) == "it was made by tealeaves 0.0.1"


def test_materials_are_made_once() -> None:
    materials = Materials(
        Bitext.of(passages([["a"], ["b"]], language="en"), passages([["x"], ["y"]]))
    )
    made: list[int] = []

    def make() -> list[int]:
        made.append(1)
        return made

    assert materials.kept("links", make) is materials.kept("links", make) is made
    assert made == [1]
    assert materials.index(3, 9) is materials.index()
    assert materials.index(2, 9) is not materials.index()
    assert set(materials.seconds) == {"links", "index(3, 9)", "index(2, 9)"}
