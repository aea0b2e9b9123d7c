"""The model ``aligned``, on links that are given."""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
import pytest

from tealeaves.lexicon.alignment.aligners import ALIGNERS
from tealeaves.lexicon.alignment.links import Links
from tealeaves.lexicon.alignment.morphs import Morphs
from tealeaves.lexicon.alignment.symmetrization import Joining, TwoWay
from tealeaves.lexicon.bitext import Bitext, Passages
from tealeaves.lexicon.extraction.catalogue.aligned import AlignedSettings
from tealeaves.lexicon.extraction.catalogue.superpivot import SuperPivotSettings
from tealeaves.lexicon.extraction.materials import Materials
from tealeaves.lexicon.extraction.registry import extractor
from tealeaves.lexicon.seeds import find_seed
from tealeaves.lexicon.words import Words


def materials(forward: Links, backward: Links, name: str = "two_way(fast_align)") -> Materials:
    """Two passages, as if they had been aligned."""
    source = Words.of([["a", "hand"], ["hand", "hand"]])
    target = Words.of([["oikea", "käsi"], ["käteni", "on", "käteni"]])
    sides = [Passages(n, ("1", "2"), w, w) for n, w in (("en", source), ("fi", target))]
    made = Materials(Bitext.of(*sides))
    made.kept(name, lambda: TwoWay(forward, backward, source.starts))
    return made


FORWARD = Links.of(4, [(1, 0, 1.0), (1, 1, 1.0), (2, 0, 1.0), (2, 2, 1.0)])
BACKWARD = Links.of(4, [(1, 1, 1.0), (2, 0, 1.0)])


def test_several_words_are_several_expressions() -> None:
    made = materials(FORWARD, BACKWARD)
    seed = find_seed(made.bitext.source.words, "hand")
    tokens = extractor("fa+u").extract(made, seed)
    assert [token.expressions for token in tokens] == [{"oikea", "käsi"}, {"käteni"}, set()]
    assert [token.words for token in tokens] == [(0, 1), (0, 2), ()]
    assert all(math.isnan(token.confidence) for token in tokens)
    tokens = extractor("fa+i").extract(made, seed)
    assert [token.expressions for token in tokens] == [{"käsi"}, {"käteni"}, set()]
    assert [token.words for token in tokens] == [(1,), (0,), ()]


def test_unsure_links_can_be_left_out() -> None:
    graded = Links.of(4, [(1, 0, 0.25), (1, 1, 0.75), (2, 0, 0.5)])
    made = materials(graded, graded, "two_way(hmm)")
    seed = find_seed(made.bitext.source.words, "hand")
    tokens = extractor("aligned(links=union, least=0.5)").extract(made, seed)
    assert [token.expressions for token in tokens] == [{"käsi"}, {"käteni"}, set()]
    assert [token.confidence for token in tokens[:2]] == [0.75, 0.5]
    assert math.isnan(tokens[2].confidence)
    every = extractor("aligned(links=union)").extract(made, seed)
    assert every[0].expressions == {"oikea", "käsi"}


def test_morphs_are_the_expressions_and_words_bear_them() -> None:
    links = Links.of(4, [(1, 1, 1.0), (2, 0, 1.0), (2, 3, 1.0), (3, 4, 1.0)])
    made = materials(links, links, "two_way(fast_align, ones, 1)")
    cut = Morphs.of(made.bitext.target.words, {"käteni": ["käte", "ni"]})
    made.kept("morphs(ones, 1)", lambda: cut)
    seed = find_seed(made.bitext.source.words, "hand")
    spec = "aligned(aligner=fast_align, links=union, morphs=true, dampening=ones)"
    tokens = extractor(spec).extract(made, seed)
    assert [token.expressions for token in tokens] == [{"käsi"}, {"käte"}, {"ni"}]
    assert [token.words for token in tokens] == [(1,), (0, 2), (2,)]


def test_both_directions_are_aligned_once_for_all_ways_to_join_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tealeaves.lexicon.alignment import aligners

    made = materials(FORWARD, BACKWARD)
    calls = []

    def counted(bitext: Bitext, name: str, *_: object) -> TwoWay:
        calls.append(name)
        return TwoWay(FORWARD, BACKWARD, bitext.source.words.starts)

    monkeypatch.setattr(aligners, "align", counted)
    for spec in ("hmm+u", "hmm+i", "hmm+gdfa"):
        extractor(spec).prepare(made)
    assert calls == ["hmm"]


@pytest.mark.parametrize("settings", [AlignedSettings, SuperPivotSettings])
def test_parameters_name_every_aligner_and_way(settings: type) -> None:
    kinds = {name: hint for name, hint in _hints(settings).items() if name in ("aligner", "links")}
    assert set(get_args(kinds["aligner"])) == set(ALIGNERS)
    assert get_args(kinds["links"]) == get_args(Joining)


def _hints(settings: type) -> dict[str, object]:
    from typing import get_type_hints

    return get_type_hints(settings)


def test_a_seed_stands_where_its_links_are() -> None:
    made = materials(FORWARD, BACKWARD)
    seed = find_seed(made.bitext.source.words, "hand")
    assert np.array_equal(made.bitext.source.words.starts[seed.rows] + seed.places, [1, 2, 3])
