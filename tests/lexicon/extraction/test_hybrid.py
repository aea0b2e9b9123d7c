"""The hybrid model from end to end, on languages that are made up."""

from __future__ import annotations

import random
from typing import get_args, get_type_hints

import pytest

from tealeaves.lexicon.alignment.aligners import ALIGNERS
from tealeaves.lexicon.bitext import Bitext, Passages
from tealeaves.lexicon.error.extraction_error import extraction_error
from tealeaves.lexicon.extraction.base import Extractor
from tealeaves.lexicon.extraction.catalogue.hybrid import HybridSettings
from tealeaves.lexicon.extraction.materials import Materials
from tealeaves.lexicon.extraction.registry import extractor
from tealeaves.lexicon.extraction.result import Extracted
from tealeaves.lexicon.seeds import find_seed
from tealeaves.lexicon.words import Words

ENDINGS = ["n", "lla", "sta", "ksi", "tta", "ssa"]
OTHERS = ["tuomar", "pelto", "vihki", "laulu", "huone", "metso", "virren", "joki", "rauta", "suola"]


def materials(source: list[list[str]], target: list[list[str]]) -> Materials:
    one, other = Words.of(source), Words.of(target)
    keys = tuple(map(str, range(len(source))))
    return Materials(
        Bitext.of(Passages("en", keys, one, one), Passages("xx", keys, other, other)), threads=1
    )


def made(spec: str, source: list[list[str]], target: list[list[str]]) -> list[Extracted]:
    texts = materials(source, target)
    model = extractor(spec)
    model.check()
    model.prepare(texts)
    return model.extract(texts, find_seed(texts.bitext.source.words, "seed"))


def translated(
    ways: list[list[str]], passages: int = 240, seed: int = 0
) -> tuple[list[list[str]], list[list[str]], list[frozenset[str]]]:
    """Return two texts and how each token of ``seed`` is expressed: each time in one of the ways.

    All words are inflected; those of the source are in another order.
    """
    rng = random.Random(seed)
    source, target, known = [], [], []
    for _ in range(passages):
        chosen = rng.sample(range(len(OTHERS)), 4)
        words = [[OTHERS[n] + rng.choice(ENDINGS)] for n in chosen]
        way = rng.choice(ways)
        place = rng.randrange(4)
        words.insert(place, [stem + rng.choice(ENDINGS) for stem in way])
        text = [f"w{n}" for n in chosen]
        text.insert(place, "seed")
        source.append(text[::-1])
        target.append([word for some in words for word in some])
        known.append(frozenset(way))
    return source, target, known


def test_two_words_in_many_forms() -> None:
    source, target, known = translated([["kämmen"], ["ranto"]])
    tokens = made("hybrid", source, target)
    found = [token.expressions for token in tokens]
    assert extraction_error(found, known) < 0.02
    # each group is named by one of its forms
    names = frozenset().union(*found)
    assert {name[:4] for name in names} >= {"kämm", "rant"}
    for token, text, way in zip(tokens, target, known, strict=True):
        if found.count(token.expressions) > 9:
            (stem,) = way
            assert [text[place].startswith(stem) for place in token.words] == [True]
            assert 0 < token.confidence <= 1


def test_without_grouping_each_form_is_its_own() -> None:
    source, target, known = translated([["kämmen"], ["ranto"]])
    apart = [token.expressions for token in made("hybrid(alike=1)", source, target)]
    assert extraction_error(apart, known) > 0.3
    together = [token.expressions for token in made("hybrid(alike=0)", source, target)]
    assert len(set(together)) == 1


def test_several_elements_are_found_together() -> None:
    source, target, known = translated([["kämmen", "yllö"], ["ranto"]])
    found = [token.expressions for token in made("hybrid", source, target)]
    assert extraction_error(found, known) < 0.05
    one = [token.expressions for token in made("hybrid(several=1)", source, target)]
    assert max(map(len, one)) == 1


def test_zeros_are_where_links_are_unlikely() -> None:
    source, target, known = translated([["kämmen"], []], passages=300)
    for model, least in (("hybrid", 0.0), ("hybrid(least=0.5)", 0.5)):
        tokens = made(model, source, target)
        empty = [not token.expressions for token in tokens]
        assert empty == [token.confidence < least for token in tokens]
    right = sum(one == (not way) for one, way in zip(empty, known, strict=True))
    assert right > 0.95 * len(known)


def test_characters_of_chinese_become_words() -> None:
    rng = random.Random(0)
    others = ["天", "地", "人", "水", "火", "山", "日", "月"]
    source, target = [], []
    for _ in range(150):
        chosen = rng.sample(range(8), 3)
        place = rng.randrange(4)
        text, line = [f"w{n}" for n in chosen], [others[n] for n in chosen]
        text.insert(place, "seed")
        line[place:place] = ["上", "帝"]
        source.append(text)
        target.append(line)
    tokens = made("hybrid(several=0.25)", source, target)
    assert {token.expressions for token in tokens} == {frozenset({"上帝"})}
    assert all(len(token.words) == 2 for token in tokens)


def test_words_are_aligned_once_for_all_seeds_and_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    from tealeaves.lexicon.alignment import aligners

    calls, align = [], aligners.align

    def counted(bitext: Bitext, name: str, *rest: object) -> object:
        calls.append(name)
        return align(bitext, name)

    monkeypatch.setattr(aligners, "align", counted)
    source, target, _ = translated([["kämmen"]], passages=20)
    texts = materials(source, target)
    models: list[Extractor] = [extractor("hybrid"), extractor("hybrid(alike=0.5)")]
    for model in models:
        model.prepare(texts)
        for lemma in ("seed", "w1"):
            model.extract(texts, find_seed(texts.bitext.source.words, lemma))
    assert calls == ["hmm"]


def test_parameters_name_every_aligner() -> None:
    assert set(get_args(get_type_hints(HybridSettings)["aligner"])) == set(ALIGNERS)
