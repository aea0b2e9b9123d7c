"""Reasons: a sentence on each topic, by cases made for each of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import pytest

from tealeaves.estimator.estimation import EstimatedTopic, verdict_on
from tealeaves.estimator.estimators import AtCardinality, Estimator, Seen
from tealeaves.estimator.features import FEATURES

from .made import linear

SLOPES = dict.fromkeys(FEATURES, 0.1)
SEEN = {
    "cardinality": Seen(mean=10, sd=5, low=5, high=50),
    "cnpmi": Seen(mean=0.2, sd=0.1, low=-0.5, high=1.0),
    "mc_pivot": Seen(mean=1.0, sd=0.5, low=-10, high=10),
    "mc_other": Seen(mean=1.0, sd=0.5, low=-10, high=10),
    "icc": Seen(mean=1.0, sd=0.5, low=-10, high=10),
    "era_mean": Seen(mean=1250, sd=100, low=900, high=1900),
    "era_sd": Seen(mean=200, sd=50, low=0, high=500),
}
# what is usual everywhere, with half of .25 above and below it
USUAL = {name: SEEN[name].mean if name in SEEN else 0.5 for name in FEATURES}
RAW, TARGET = Seen(0.2, 0.1, -0.5, 1.0), Seen(0.4, 0.2, -0.5, 1.0)
ESTIMATE = Seen(0.4, 0.05, 0.2, 0.6)  # closer together than targets
USUAL |= {"cnpmi": 0.2, "twc_pivot": 0.9, "twc_other": 0.9}
USUAL |= {"inpmi_pivot": 0.3, "inpmi_other": 0.25, "era_known": 0.8, "drift_known": 0.7}
HALF = "Nothing speaks against the reference: it has at least half of the words of each language"
SOUND = f"{HALF}, and CNPMI and estimate place the topic less than a standard deviation apart."
LOWER = "the estimate places it lower among topics than the reference's CNPMI does"
HIGHER = "the estimate places it higher among topics than the reference's CNPMI does"


def at(names: Iterable[str], raw: Seen = RAW, **changed: Seen) -> AtCardinality:
    """What was seen at a cardinality."""
    seen = SEEN | changed
    plain = Seen(mean=0.5, sd=0.25, low=0.0, high=1.0)
    return AtCardinality(raw, TARGET, ESTIMATE, tuple(seen.get(name, plain) for name in names))


def estimator(*without: str) -> Estimator:
    """An estimator of all features but some."""
    slopes = {name: slope for name, slope in SLOPES.items() if name not in without}
    return linear(slopes, seen=SEEN, at={10: at(slopes)})


def case(estimate: float = 0.4, contributions: Any = None, **changed: float) -> EstimatedTopic:
    """A topic that is as usual but for what is said."""
    return EstimatedTopic(("en", "sv"), USUAL | changed, estimate, contributions or {})


def said(given: EstimatedTopic, *without: str) -> str:
    """Return why a topic is not to be trusted."""
    found = verdict_on(given, estimator(*without))
    assert found.trusted is False
    assert found.sentence.startswith("Not to be trusted: ")
    assert found.sentence.endswith(".")
    return found.sentence.removeprefix("Not to be trusted: ").removesuffix(".")


def minded(given: EstimatedTopic, *without: str) -> str:
    """Return what is said beside of a topic that can be trusted."""
    found = verdict_on(given, estimator(*without))
    assert found.trusted
    sentence, aside = found.sentence.removesuffix(".").split(" Mind that ")
    assert sentence.startswith("Nothing speaks against the reference: ")
    return aside


def sound(given: EstimatedTopic, *without: str) -> bool:
    found = verdict_on(given, estimator(*without))
    assert found.trusted == (found.sentence == SOUND)
    return found.trusted


def test_a_topic_as_usual_is_trusted() -> None:
    assert sound(case())


# ---------------------------------------------------------------------- no estimate


def test_without_a_pair_of_words_nothing_is_judged() -> None:
    found = verdict_on(case(cnpmi=math.nan), None)
    assert found == (False, "Cannot be judged: the reference has no pair of its words.")


def test_where_words_are_there_but_features_lack_it_says_so() -> None:
    found = verdict_on(case(), None)
    assert found == (False, "Cannot be judged: it lacks features that each estimator needs.")


# ---------------------------------------------------------------------- its place among topics


def test_a_topic_that_stands_lower_than_its_cnpmi() -> None:
    # CNPMI .3 is 1 sd above the mean of .2 (sd .1); an estimate of .4 is their mean: 1 sd lower
    added = {"cnpmi": -0.9, "mta": -0.3, "icc": -0.1, "era_mean": -0.2, "era_sd": -0.05, "inpmi": 1}
    assert minded(case(0.4, added, cnpmi=0.301)) == (
        f"{LOWER} (lowered by translations among its words (MTA), age of its words, coherence "
        "within one language relative to that within the other (ICC))"
    )


def test_a_topic_that_stands_higher_than_its_cnpmi() -> None:
    # CNPMI is the mean; .451 is 1.02 sd (.05) above the mean of estimates, .25 sd of targets
    assert said(case(0.451, {"mta": 0.3, "icc": -0.4})) == (
        f"{HIGHER} (raised by translations among its words (MTA))"
    )


def test_where_only_its_cnpmi_moved_it_no_feature_is_named() -> None:
    assert said(case(0.46, {"cnpmi": 0.3, "cnpmi(never=-1)": 0.1})) == HIGHER


def test_what_is_like_its_features_is_called_in_plain_words() -> None:
    added = {"cnpmi(never=-1)": -0.2, "inpmi(never=-1)": -0.1}
    assert (
        minded(case(0.3, added)) == f"{LOWER} (lowered by INPMI with -1 for words never together)"
    )


@pytest.mark.parametrize("estimate", [0.351, 0.4, 0.449])
def test_less_than_a_standard_deviation_is_no_reason(estimate: float) -> None:
    assert sound(case(estimate))


def test_both_high_is_no_reason() -> None:
    # 3 sd above the mean by either: .2 + 3 * .1 and .4 + 3 * .05, below which few targets are
    assert sound(case(0.55, cnpmi=0.5))


def test_without_a_cnpmi_there_is_no_place_to_compare() -> None:
    found = verdict_on(case(0.9, cnpmi=math.nan), estimator("cnpmi"))
    assert found == (True, f"{HALF}.")


def test_where_all_were_alike_there_is_no_place_to_compare() -> None:
    one = linear(SLOPES, seen=SEEN, at={10: at(SLOPES, Seen(0.2, 0.0, 0.2, 0.2))})
    assert verdict_on(case(0.9, cnpmi=0.4), one) == (True, f"{HALF}.")


def test_places_are_those_of_the_nearest_cardinality() -> None:
    small = at(SLOPES, Seen(0.5, 0.1, -0.5, 1.0), era_mean=Seen(1150, 50, 900, 1900))
    two = linear(SLOPES, seen=SEEN, at={5: small, 10: at(SLOPES)})
    assert verdict_on(case(cardinality=10), two).trusted
    found = verdict_on(case(cardinality=6), two).sentence
    # CNPMI .2 is 3 sd below what topics of 5 words have, and 1250 is 2 sd above
    assert HIGHER in found
    assert (
        "its words are young (first attested in 1250 on average, those of an average topic in 1150)"
        in found
    )


# ---------------------------------------------------------------------- its words


@pytest.mark.parametrize(
    ("pivot", "other", "sentence"),
    [
        (0.4, 0.9, "the reference has only 40% of its words in en"),
        (0.5, 0.3, "the reference has only 30% of its words in sv"),
        (0.2, 0.1, "the reference has only 20% of its words in en and 10% of its words in sv"),
    ],
)
def test_few_words(pivot: float, other: float, sentence: str) -> None:
    assert said(case(twc_pivot=pivot, twc_other=other)) == sentence
    # that is told of words whether or not it was learned from
    assert said(case(twc_pivot=pivot, twc_other=other), "twc_pivot", "twc_other") == sentence


def test_half_of_the_words_is_enough() -> None:
    assert sound(case(twc_pivot=0.5, twc_other=0.5))


NO_GAP = {"inpmi_pivot": 0.1, "inpmi_other": 0.11}
GAPS = [
    ({"cnpmi": 0.1, "inpmi_pivot": 0.21}, "en (INPMI 0.210)", "0.100"),
    ({"cnpmi": 0.1, "inpmi_other": 0.9, "inpmi_pivot": 0.2}, "sv (INPMI 0.900)", "0.100"),
    ({"cnpmi": 0.01}, "en and sv (INPMI 0.100 and 0.110)", "0.010"),
    ({"cnpmi": -0.1, "inpmi_other": 0.05, "inpmi_pivot": -0.2}, "sv (INPMI 0.050)", "-0.100"),
]


def level_with(changed: dict[str, float]) -> float:
    """Return the estimate that places a topic as its CNPMI does: .05 for each .1."""
    return 0.4 + 0.5 * (changed.get("cnpmi", 0.2) - 0.2)


@pytest.mark.parametrize(("changed", "inside", "across"), GAPS)
def test_a_gap_between_languages(changed: dict[str, float], inside: str, across: str) -> None:
    """Words together inside a language, and less than half as much across."""
    given = case(level_with(changed), **(NO_GAP | changed))
    sentence = (
        f"its words belong together in {inside}, but less than half as much across languages "
        f"(CNPMI {across})"
    )
    assert said(given) == sentence
    # that is told of words whether or not it was learned from
    assert said(given, "mc_pivot", "mc_other", "icc") == sentence


@pytest.mark.parametrize(
    "changed",
    [
        {"inpmi_pivot": 0.4, "inpmi_other": 0.4},  # half as much across: .2
        {"cnpmi": 0.01, "inpmi_pivot": 0.049, "inpmi_other": -0.2},  # not together inside
        # together across, and not inside: MC is low, and the opposite of a gap
        {"inpmi_pivot": -0.021, "mc_pivot": -10.0},
        {"cnpmi": 0.01, "inpmi_pivot": math.nan, "inpmi_other": math.nan},
        {"mc_pivot": 0.0, "mc_other": 0.0},  # what it says is told by coherence
    ],
)
def test_what_is_no_gap(changed: dict[str, float]) -> None:
    assert sound(case(level_with(changed), **changed))


def test_young_words() -> None:
    assert said(case(era_mean=1600.4)) == (
        "its words are young (first attested in 1600 on average, those of an average topic in 1250)"
    )
    assert sound(case(era_mean=1350))
    assert sound(case(era_mean=950))  # old words are what Bibles are made of
    assert sound(case(era_mean=1600), "era_mean")
    assert sound(case(era_mean=math.nan), "era_mean")


@pytest.mark.parametrize(("name", "value"), [("era_mean", 1600), ("drift_mean", 0.1)])
def test_of_a_few_words_nothing_is_said_of_all(name: str, value: float) -> None:
    share = f"{name.removesuffix('_mean')}_known"
    assert said(case(**{name: value, share: 0.5}))
    assert sound(case(**{name: value, share: 0.4}))


def test_words_that_are_used_otherwise() -> None:
    sentence = (
        "the reference uses its words rarely, or in other ways than modern texts (a similarity of "
        "0.24 on average, that of an average topic is 0.50)"
    )
    assert said(case(drift_mean=0.24)) == sentence  # usual is .5, with .25
    assert sound(case(drift_mean=0.25))
    assert sound(case(drift_mean=0.9))
    assert sound(case(drift_mean=0.1), "drift_mean")


# ---------------------------------------------------------------------- never seen


def test_a_topic_beyond_all_that_was_seen() -> None:
    assert minded(case(cardinality=60, mta=1.5)) == (
        "the estimator has not learned from such topics (outside of their range: number of words, "
        "translations among its words (MTA))"
    )
    several = minded(case(cardinality=60, mta=1.5, inpmi=2, icc=11, era_sd=600))
    assert "number of words, INPMI of the reference, translations among" in several
    assert "and 2 more)" in several
    assert sound(case(mta=1.5), "mta")


def test_a_further_feature_is_called_by_its_name() -> None:
    for name in ("twc(share=1)", "cnpmi(never=-1)"):
        one = linear({name: 0.1}, at={10: at([name])})
        found = verdict_on(case(**{name: -0.2}), one)
        called = {"cnpmi(never=-1)": "CNPMI with -1 for words never together"}.get(name, name)
        assert f"outside of their range: {called})" in found.sentence


def test_several_reasons_are_one_sentence() -> None:
    several, aside = said(case(0.0, {}, twc_other=0.1, era_mean=1500, drift_mean=0.1)).split(
        ". Mind that "
    )
    assert aside == LOWER
    assert several.split("; ") == [
        "the reference has only 10% of its words in sv",
        "its words are young (first attested in 1500 on average, those of an average topic in "
        "1250)",
        "and the reference uses its words rarely, or in other ways than modern texts (a "
        "similarity of "
        "0.10 on average, that of an average topic is 0.50)",
    ]


@pytest.mark.parametrize("name", FEATURES)
def test_every_feature_has_a_name_in_plain_words(name: str) -> None:
    # far beyond what was seen, so that it is named
    sentence = verdict_on(case(**{name: 1e6}), estimator()).sentence
    assert "outside of their range: " in sentence
    assert name not in sentence
