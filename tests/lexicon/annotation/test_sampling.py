"""Lemmas and tokens are drawn."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.lexicon.annotation.sample import (
    FrequencyBin,
    Sample,
    SamplePlan,
    bin_of,
    parse_bins,
    read_sample,
)
from tealeaves.lexicon.annotation.sampling import (
    Candidates,
    draw_sample,
    shuffled,
    split_languages,
    split_strata,
)
from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.words import Words

from .texts import FREQUENCIES, source, target

# of 10,000 tokens, 4 are 400 per million, 12 are 1,200 and 60 are 6,000
PLAN = SamplePlan(bins="400-1200,1200-6000,6000+", pos=("N", "V"), lemmas=2, tokens=4)
TARGETS = [target("fin"), target("zho"), target("jpn")]


def lemmas(sample: Sample) -> set[str]:
    return {one.lemma for one in sample.lemmas}


def test_lemmas_are_of_their_stratum() -> None:
    sample = draw_sample(source(), TARGETS, PLAN)
    found = Counter((one.pos, one.bin) for one in sample.lemmas)
    assert found == {
        ("N", "400-1200"): 2,
        ("V", "400-1200"): 2,
        ("N", "1200-6000"): 2,
        ("V", "1200-6000"): 2,
        ("N", "6000+"): 1,
    }
    for one in sample.lemmas:
        assert one.count == FREQUENCIES[one.lemma]
        assert one.per_million == FREQUENCIES[one.lemma] * 100
        assert one.lemma[:3] in {"400-1200": "low", "1200-6000": "mid", "6000+": "hig"}[one.bin]
        assert len(one.tokens) == len(set(one.tokens)) == 4
    assert set(sample.notes) == {
        "N of 6000+ per million: 1, not 2, fit",
        "V of 6000+ per million: 0, not 2, fit",
    }
    assert (sample.source_tokens, sample.passages, sample.shared) == (10_000, 1000, 1000)


def test_tokens_are_tokens_of_the_lemma() -> None:
    text = source()
    sample = draw_sample(text, TARGETS, PLAN)
    rows = {key: row for row, key in enumerate(text.keys)}
    for one in sample.lemmas:
        places = [(rows[token.key], token.place) for token in one.tokens]
        assert {text.words.word(*place) for place in places} == {one.lemma}
        assert places == sorted(places)


def test_the_same_seed_draws_the_same_and_another_another() -> None:
    first, again = (draw_sample(source(), TARGETS, PLAN) for _ in range(2))
    assert first == again
    other = draw_sample(source(), TARGETS, msgspec.structs.replace(PLAN, seed=1))
    assert [one.tokens for one in other.lemmas] != [one.tokens for one in first.lemmas]


def test_a_smaller_sample_is_part_of_a_larger_one() -> None:
    small = draw_sample(source(), TARGETS, msgspec.structs.replace(PLAN, lemmas=1, tokens=2))
    large = draw_sample(source(), TARGETS, PLAN)
    assert lemmas(small) < lemmas(large)
    tokens = {one.lemma: set(one.tokens) for one in large.lemmas}
    assert all(set(one.tokens) < tokens[one.lemma] for one in small.lemmas)
    asked = draw_sample(source(), TARGETS[:1], PLAN, lemmas=["higha/N"])
    assert set(asked.lemmas[0].tokens) == tokens["higha/N"]  # however it came in


def test_letters_and_exclusions() -> None:
    short = msgspec.structs.replace(PLAN, letters=2, lemmas=9)
    assert "go/V" in lemmas(draw_sample(source(), TARGETS, short))
    assert "go/V" not in lemmas(draw_sample(source(), TARGETS, PLAN))
    without = msgspec.structs.replace(PLAN, exclude=("mida", "midb/N"), lemmas=9)
    found = lemmas(draw_sample(source(), TARGETS, without))
    assert {"midb/V", "midc/N"} <= found
    assert not found & {"mida/N", "mida/V", "midb/N"}


def test_tokens_stand_in_passages_that_all_targets_have() -> None:
    few = [target("fin"), target("ron", range(30))]
    plan = msgspec.structs.replace(PLAN, tokens=3, lemmas=9)
    sample = draw_sample(source(), few, plan)
    assert sample.shared == 30
    rows = {lemma: _rows(lemma) & set(range(30)) for lemma in FREQUENCIES}
    assert lemmas(sample) == {lemma for lemma, found in rows.items() if len(found) >= 3}
    assert 0 < len(sample.lemmas) < len(draw_sample(source(), few[:1], plan).lemmas)
    for one in sample.lemmas:
        assert {int(token.key[1:]) for token in one.tokens} == rows[one.lemma]


def _rows(lemma: str) -> set[int]:
    start = list(FREQUENCIES).index(lemma)
    return {(start + 13 * number) % 1000 for number in range(FREQUENCIES[lemma])}


def test_asked_lemmas_have_as_many_tokens_as_there_are() -> None:
    one, other = set(range(0, 1000, 2)), set(range(80))
    targets = [target("fin", sorted(one)), target("ron", sorted(other))]
    plan = msgspec.structs.replace(PLAN, tokens=20)
    sample = draw_sample(source(), targets, plan, lemmas=["higha/N", "mida"])
    high, mid = sample.lemmas
    drawn = {int(token.key[1:]) for token in high.tokens}
    assert len(drawn) == 20
    assert drawn >= _rows("higha/N") & one & other  # those that both have come before others
    assert drawn <= one | other
    assert (mid.lemma, mid.pos, mid.count) == ("mida", "", 24)
    there = [row for pos in "NV" for row in _rows(f"mida/{pos}") if row in one | other]
    assert sorted(int(token.key[1:]) for token in mid.tokens) == sorted(there)
    assert len(there) < 20
    assert sample.notes == (f"mida has {len(there)} tokens in passages that a target has",)


def test_without_parts_of_speech_lemmas_are_drawn_by_frequency() -> None:
    tagged = source()
    words = Words.of([word.partition("/")[0] for word in text] for text in tagged.words)
    plain = Passages("eng", tagged.keys, tagged.forms, words)
    sample = draw_sample(plain, TARGETS, PLAN)
    assert {one.pos for one in sample.lemmas} == {""}
    assert "the" in lemmas(sample)
    assert sample.notes[0].startswith("the words of the source text have no part of speech")


def test_lemmas_and_languages_are_split() -> None:
    sample = draw_sample(source(), TARGETS, PLAN)
    assert Counter(one.split for one in sample.lemmas) == {"dev": 5, "test": 4}
    assert Counter(sample.targets.values()) == {"dev": 2, "test": 1}
    chosen = draw_sample(source(), TARGETS, PLAN, dev_languages=["jpn"])
    assert chosen.targets == {"fin": "test", "zho": "test", "jpn": "dev"}
    kinds = {
        (one.split, chosen.targets[name], chosen.split(one, name))
        for one in chosen.lemmas
        for name in chosen.targets
    }
    assert kinds == {
        ("dev", "dev", "dev"),
        ("test", "test", "test"),
        ("dev", "test", "mixed"),
        ("test", "dev", "mixed"),
    }
    alone = draw_sample(source(), TARGETS[:1], PLAN)
    assert all(alone.split(one, "fin") == one.split for one in alone.lemmas)


STRATA = st.dictionaries(st.integers(), st.integers(0, 7), max_size=6)


@given(STRATA, st.floats(0, 1), st.integers(0, 9))
def test_each_stratum_is_split_as_evenly_as_can_be(
    sizes: dict[int, int], dev: float, seed: int
) -> None:
    strata = {kind: [f"{kind}.{n}" for n in range(size)] for kind, size in sizes.items()}
    split = split_strata(strata, dev, seed)
    assert set(split) == {name for names in strata.values() for name in names}
    assert abs(list(split.values()).count("dev") - dev * len(split)) <= 0.5 + 1e-9
    for names in strata.values():
        share = sum(split[name] == "dev" for name in names)
        assert abs(share - dev * len(names)) <= 1 + 1e-9


def test_over_many_seeds_each_is_as_likely_as_the_others() -> None:
    """Of 400 draws of two from four each is in about 200; 60 are six standard deviations."""
    drawn = Counter(one for seed in range(400) for one in shuffled("abcd", seed)[:2])
    assert all(abs(count - 200) < 60 for count in drawn.values())
    dev = Counter(split_languages(["fin", "zho"], 0.5, seed)["fin"] for seed in range(400))
    assert abs(dev["dev"] - 200) < 60


@pytest.mark.parametrize(
    ("given_", "told"),
    [
        ({"lemmas": ["hihga/N"]}, r"^'hihga/N' never occurs in eng\.tsv; did you mean higha/N\?$"),
        ({"dev_languages": ["fni"]}, r"^fni is for dev, but no target; did you mean fin\? "),
        ({"targets": []}, "^no target to sample for$"),
        ({"targets": [target("fin"), target("fin")]}, "^two targets are called fin"),
        ({"targets": [target("fin"), target("xxx", [5000])]}, "share no passage: ids such as 'v0'"),
        ({"targets": [target("fin", [])]}, r"^fin\.tsv has no words$"),
        (
            {"targets": [target("fin"), target("ron", [0])]},
            r"^no lemma of 400-.* has 4 tokens in the 1 passages .* leave out ron \(1 passages\)$",
        ),
    ],
)
def test_what_cannot_be_sampled_is_told_in_a_line(given_: dict[str, object], told: str) -> None:
    asked = {"targets": TARGETS, "plan": PLAN} | given_
    with pytest.raises(InputError, match=told) as error:
        draw_sample(source(), **asked)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


def test_a_sample_comes_back(tmp_path: Path) -> None:
    sample = draw_sample(source(), TARGETS, PLAN)
    sample.save(tmp_path / "sample.json")
    assert read_sample(tmp_path / "sample.json") == sample
    (tmp_path / "other.json").write_text("{}")
    for name, told in (("other.json", "not a sample"), ("missing.json", "no such file")):
        with pytest.raises(InputError, match=rf"{name}: {told}"):
            read_sample(tmp_path / name)


def test_bins() -> None:
    assert parse_bins("30-100, 100–300,300+") == (
        FrequencyBin(30, 100),
        FrequencyBin(100, 300),
        FrequencyBin(300),
    )
    bins = parse_bins("30-100,300+")
    assert [bin_of(x, bins) for x in (29.9, 30, 100, 299, 300, 1e9)] == [
        None, FrequencyBin(30, 100), None, None, FrequencyBin(300), FrequencyBin(300),
    ]  # fmt: skip
    for wrong in ("", "a", "30", "100-30", "30-100,90-200", "300+,400+", "-5-3"):
        with pytest.raises(InputError, match="bin"):
            parse_bins(wrong)
    with pytest.raises(InputError, match="no frequency bin"):
        SamplePlan(bins="many")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"lemmas": -3}, "lemmas must be 1 or more, not -3"),
        ({"tokens": 0}, "tokens must be 1 or more, not 0"),
        ({"letters": 0}, "letters must be 1 or more, not 0"),
        ({"dev": 1.5}, "the share of dev is from 0 to 1, not 1.5"),
        ({"dev": float("nan")}, "the share of dev is from 0 to 1, not nan"),
        ({"seed": -1}, "the seed must be 0 or more, not -1"),
        ({"pos": ()}, "no part of speech"),
    ],
)
def test_a_plan_that_cannot_be(given: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        SamplePlan(**given)


def tagged_bible(path: Path) -> Passages:
    """The English of the aligned Bible with its published tags."""
    tags = {"NN": "N", "AJ": "A", "OR": "A", "VV": "V"}
    texts = {}
    with gzip.open(path, "rt", encoding="utf-8") as rows:
        next(rows)
        for row in rows:
            key, _, tagged, _ = row.split("\t")
            parts = (word.rpartition("/") for word in tagged.split())
            texts[key] = [f"{lemma.lower()}/{tags.get(tag[:2], 'X')}" for lemma, _, tag in parts]
    words = Words.of(texts.values())
    return Passages("eng", tuple(texts), words, words)


@pytest.mark.reference
def test_the_lemmas_of_the_paper_can_be_drawn(reference_data: Path) -> None:
    """Nearly all have their tokens, most in the bin of the paper, whose text was another."""
    text = tagged_bible(reference_data / "aligned_en_fi" / "verses.tsv.gz")
    strata = Candidates.of(text, [text]).strata(SamplePlan())
    table = (reference_data / "beekhuizen2020_tables" / "lemmas99.tsv").read_text().splitlines()
    names = ["low", "mid", "high"]
    places = {
        word: names.index(name)
        for name, place in zip(names, parse_bins(SamplePlan().bins), strict=True)
        for pos in "NAV"
        for word in strata[pos, place]
    }
    apart = []
    for line in table[1:]:
        pos, name, lemma = line.split("\t")
        if f"{lemma}/{pos}" in places:
            apart.append(abs(places[f"{lemma}/{pos}"] - names.index(name)))
    assert len(table) == 100
    assert (len(apart), apart.count(0), max(apart)) == (97, 67, 1)
