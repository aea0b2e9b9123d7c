"""Features: the paper's numbers, the metrics they are, and what is known of nothing."""

from __future__ import annotations

import math
import statistics
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tealeaves
from tealeaves import MultilingualTopics
from tealeaves.errors import InputError
from tealeaves.estimator.features import (
    ALPHA,
    BESIDE,
    FEATURES,
    GROUPS,
    LIMIT,
    Features,
    TopicFeatures,
    clipped,
    group_of,
    in_order,
    inner_coherence_contrast,
    matching_coherence,
    spread,
)
from tealeaves.evidence.requests import ContextRequest
from tealeaves.evidence.sources import Sources
from tealeaves.evidence.years import WordYears
from tealeaves.metrics.gathering import gather
from tealeaves.metrics.planning import plan_requests

from .kings import DICTIONARY, MODERN, REFERENCE, TOPICS, YEARS, Tuples, model, paired

NAN = float("nan")


def computed(
    topics: MultilingualTopics,
    top: int | None = None,
    *,
    features: Features | None = None,
    tuples: Tuples = REFERENCE,
    **beside: Any,
) -> list[TopicFeatures]:
    """Compute the features of topics in the reference."""
    chosen = features or Features()
    texts = paired(*topics.languages, tuples=tuples)
    planned = plan_requests(
        [topics],
        lambda wording: chosen.needs([topics], [top], wording),
        Sources(texts, tokens="tokens", **beside),
    )
    evidence = gather(planned)
    return chosen.of(topics, top, evidence, evidence.wording)


def scored(topics: MultilingualTopics, asked: str, **beside: Any) -> list[float]:
    """Compute a metric of topics in the reference."""
    texts = paired(*topics.languages)
    scores = tealeaves.score(topics, texts, asked, tokens="tokens", **beside)
    return [row.value for row in scores.topics.rows]


class TestGap:
    # CNPMI, MC of both languages, ICC: Hao, Boyd-Graber & Paul (2018), topics 1 and 8 (EN-AM)
    PAPER = ((0.081, 2.371, 0.462, 0.195), (0.007, 0.691, 0.757, 1.095))

    @pytest.mark.parametrize(("cnpmi", "pivot", "other", "icc"), PAPER)
    def test_the_worked_example(self, cnpmi: float, pivot: float, other: float, icc: float) -> None:
        """The coherence inside each language follows from MC, and ICC from that.

        Topic 1: .081 / 2.371 = .0342, .081 / .462 = .1753; .0342 / .1753 = .195.
        Topic 8: .007 / .691 = .01013, .007 / .757 = .00925; .01013 / .00925 = 1.095.
        """
        inner = [np.array([cnpmi / mc - 0.001]) for mc in (pivot, other)]
        raw = np.array([cnpmi])
        assert matching_coherence(raw, inner[0])[0] == pytest.approx(pivot)
        assert matching_coherence(raw, inner[1])[0] == pytest.approx(other)
        assert inner_coherence_contrast(*inner)[0] == pytest.approx(icc, abs=6e-4)

    def test_by_hand(self) -> None:
        # .05 / (.019 + .001) = 2.5, .05 / (.099 + .001) = .5; .02 / .1 = .2 = .5 / 2.5
        cnpmi, pivot, other = (np.array([value]) for value in (0.05, 0.019, 0.099))
        assert matching_coherence(cnpmi, pivot)[0] == pytest.approx(2.5)
        assert matching_coherence(cnpmi, other)[0] == pytest.approx(0.5)
        assert inner_coherence_contrast(pivot, other)[0] == pytest.approx(0.2)

    def test_a_gap_between_languages_has_a_low_value(self) -> None:
        inner = np.array([0.3, 0.3])
        gap, none = matching_coherence(np.array([0.01, 0.3]), inner)
        assert gap < 0.05 < 0.9 < none

    @given(
        st.floats(1e-6, 1) | st.floats(-1, -1e-6),
        *[st.floats(-1, 1).filter(lambda value: abs(value + ALPHA) > 1e-6)] * 2,
    )
    def test_icc_is_the_ratio_of_mc(self, cnpmi: float, pivot: float, other: float) -> None:
        raw, one, two = (np.array([value]) for value in (cnpmi, pivot, other))
        ratio = matching_coherence(raw, two) / matching_coherence(raw, one)
        assert inner_coherence_contrast(one, two) == pytest.approx(ratio, rel=1e-12)

    def test_without_a_divisor(self) -> None:
        """Nothing divided by nothing is undefined; a coherence of -α divides by zero."""
        zero = np.array([-ALPHA])
        assert np.isnan(clipped(matching_coherence(np.array([0.0]), zero)))[0]
        assert clipped(matching_coherence(np.array([0.2]), zero))[0] == LIMIT
        assert clipped(matching_coherence(np.array([-0.2]), zero))[0] == -LIMIT
        assert np.isnan(matching_coherence(np.array([0.2]), np.array([NAN])))[0]

    @given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=20))
    def test_clipping(self, values: list[float]) -> None:
        found = clipped(np.array(values))
        for value, held in zip(values, found.tolist(), strict=True):
            assert held == max(-10.0, min(10.0, value))


class TestSpread:
    @given(st.lists(st.floats(-3000, 3000) | st.just(NAN), max_size=12))
    def test_as_the_standard_library_has_it(self, values: list[float]) -> None:
        known = [value for value in values if not math.isnan(value)]
        found = spread(np.array(values))
        assert found.share == (len(known) / len(values) if values else 0)
        mean = statistics.fmean(known) if known else NAN
        sd = statistics.pstdev(known) if len(known) > 1 else NAN
        assert found[:2] == pytest.approx((mean, sd), nan_ok=True, abs=1e-6)


class TestNames:
    def test_groups_of_the_paper(self) -> None:
        groups = {group: [n for n, of in FEATURES.items() if of == group] for group in GROUPS}
        assert groups == {
            "base": ["cardinality", "cnpmi", "inpmi", "mta", "twc_pivot", "twc_other"],
            "gap": ["mc_pivot", "mc_other", "icc"],
            "era": ["era_mean", "era_sd"],
            "drift": ["drift_mean", "drift_sd"],
            "more": [],
        }
        assert group_of("twc(share=1)") == "more"

    @given(st.permutations([*FEATURES, "b", "a"]))
    def test_order(self, names: list[str]) -> None:
        others = [name for name in names if name in ("a", "b")]
        assert in_order([*names, *names]) == (*FEATURES, *others)


class TestRoles:
    @pytest.mark.parametrize(
        ("pivot", "pair", "roles"),
        [
            ("en", ("sv", "en"), ("en", "sv")),
            ("en", ("am", "en"), ("en", "am")),
            ("en", ("English", "am"), ("English", "am")),
            ("en", ("sv", "en_GB"), ("en_GB", "sv")),
            ("fr", ("en", "fr"), ("fr", "en")),
            ("en", ("sw", "fr"), ("fr", "sw")),
            ("en", ("spa", "deu"), ("deu", "spa")),  # de before es
            ("en", ("l2", "l1"), ("l1", "l2")),
        ],
    )
    def test_the_pivot_comes_first(
        self, pivot: str, pair: tuple[str, str], roles: tuple[str, str]
    ) -> None:
        features = Features(pivot=pivot)
        assert features.in_roles(pair) == roles
        assert features.in_roles((pair[1], pair[0])) == roles

    def test_languages_in_another_order_change_nothing(self) -> None:
        [forth], [back] = computed(model("en", "es")), computed(model("es", "en"))
        assert forth.pair == back.pair == ("en", "es")
        assert forth.values.keys() == back.values.keys()
        for name, values in forth.values.items():
            np.testing.assert_allclose(values, back.values[name], rtol=1e-12, err_msg=name)

    def test_the_pivot_may_be_another(self) -> None:
        [en], [es] = computed(model()), computed(model(), features=Features(pivot="es"))
        assert es.pair == ("es", "en")
        for name in ("twc_pivot", "mc_pivot", "inpmi_pivot"):
            other = name.replace("pivot", "other")
            np.testing.assert_array_equal(en.values[name], es.values[other])
            np.testing.assert_array_equal(es.values[name], en.values[other])
        np.testing.assert_allclose(es.values["icc"][:1], 1 / en.values["icc"][:1])


class TestMetrics:
    EQUAL = (
        ("cnpmi", "cnpmi"),
        ("inpmi", "inpmi"),
        ("mta", "mta"),
        ("twc_pivot", "twc(language=en)"),
        ("twc_other", "twc(language=es)"),
        ("cnpmi(never=-1)", "cnpmi(never=-1)"),
        ("mta(identical=true)", "mta(identical=true)"),
    )

    @pytest.mark.parametrize("top", [None, 1, 2, 5])
    def test_each_is_the_metric_by_itself(self, top: int | None) -> None:
        at = "" if top is None else f"@{top}"
        features = Features(more=("cnpmi(never=-1)", "mta(identical=true)"))
        [found] = computed(model(), top, features=features, dictionary=DICTIONARY)
        for name, asked in self.EQUAL:
            expected = scored(model(), asked + at, dictionary=DICTIONARY)
            assert found.values[name] == pytest.approx(expected, nan_ok=True), name
            assert not np.isnan(expected).all() or (name, top) == ("inpmi", 1)
        texts = paired()
        rows = tealeaves.score(model(), texts, f"cnpmi{at}", tokens="tokens").topics.rows
        assert found.support == pytest.approx([row.support for row in rows])

    def test_each_language_has_its_own_words(self) -> None:
        # tower and castle are not in the reference, rey and mar are
        words = {"en": [["king", "tower"], ["king", "sea"]], "es": [["rey", "mar"], ["castillo"]]}
        [found] = computed(model(words=words))
        assert found.values["twc_pivot"].tolist() == [0.5, 1]
        assert found.values["twc_other"].tolist() == [1, 0]

    def test_gaps_are_of_the_metrics(self) -> None:
        [found] = computed(model())
        cnpmi = scored(model(), "cnpmi")
        english, spanish = (scored(model(), f"inpmi(language={name})") for name in ("en", "es"))
        # king and crown are always together (1); rey (6 of 10), corona (5), both 4:
        # ln(.4 / (.6 * .5)) / -ln .4 = .31396
        assert english[0] == 1
        assert spanish[0] == pytest.approx(math.log(0.4 / 0.3) / -math.log(0.4))
        assert found.values["mc_pivot"][0] == pytest.approx(cnpmi[0] / 1.001)
        assert found.values["mc_other"][0] == pytest.approx(cnpmi[0] / (spanish[0] + 0.001))
        # beside the ratios stands what they are of
        assert found.values["inpmi_pivot"] == pytest.approx(english, nan_ok=True)
        assert found.values["inpmi_other"] == pytest.approx(spanish, nan_ok=True)
        assert found.values["icc"][0] == pytest.approx(1.001 / (spanish[0] + 0.001))
        # king and sea, rey and mar are never together: 0, so that MC is CNPMI / .001, held at 10
        assert english[1] == spanish[1] == 0
        assert cnpmi[1] > 0.01
        assert found.values["mc_pivot"][1] == found.values["mc_other"][1] == 10
        assert found.values["icc"][1] == 1

    def test_cardinality_is_that_of_the_longer_side(self) -> None:
        words = {"en": [["king"], ["king", "sea", "ship"]], "es": [["rey", "mar"], ["rey"]]}
        topics = model(words=words)
        assert computed(topics)[0].values["cardinality"].tolist() == [2, 3]
        assert computed(topics, 2)[0].values["cardinality"].tolist() == [2, 2]
        assert computed(topics, 10)[0].values["cardinality"].tolist() == [2, 3]

    def test_three_languages_are_three_pairs(self) -> None:
        parts = computed(model("en", "es", "sv"), years=YEARS, dictionary=DICTIONARY)
        pairs = [("en", "es"), ("en", "sv"), ("es", "sv")]
        assert [part.pair for part in parts] == pairs
        for part, pair in zip(parts, pairs, strict=True):
            assert part.model.languages == pair
            for name in ("cnpmi", "inpmi"):
                expected = scored(model(*pair), name)
                assert part.values[name] == pytest.approx(expected, nan_ok=True), (pair, name)
            # the dictionary is of English and Spanish, the years are of English
            assert ("mta" in part.values) == (pair == ("en", "es"))
            assert ("era_mean" in part.values) == ("en" in pair)


class TestEra:
    def test_by_hand(self) -> None:
        # king 900, crown 1100, sea 1000; castle and tower unknown
        [found] = computed(model(), years=YEARS)
        expected = [1000, 950, 1000, NAN]
        assert found.values["era_mean"] == pytest.approx(expected, nan_ok=True)
        # 900 and 1100 lie 100 from their mean, 900 and 1000 lie 50; one word does not differ
        assert found.values["era_sd"] == pytest.approx([100, 50, NAN, NAN], nan_ok=True)
        assert found.values["era_known"].tolist() == [1, 1, 0.5, 0]

    def test_first_words(self) -> None:
        [found] = computed(model(), 1, years=YEARS)
        assert found.values["era_mean"] == pytest.approx([900, 900, 1000, NAN], nan_ok=True)

    def test_of_a_language_that_is_no_pivot_they_say_nothing(self) -> None:
        years = WordYears({"rey": 900, "mar": 1000}, "es")
        [found] = computed(model(), years=years)
        assert "era_mean" not in found.values
        [found] = computed(model(), years=years, features=Features(pivot="es"))
        assert found.values["era_mean"] == pytest.approx([900, 950, 1000, NAN], nan_ok=True)


class TestDrift:
    def test_by_hand(self) -> None:
        """Each text has two words, each the other's only neighbour; crown, king, sea, ship shared.

        Reference: 5 times king crown, 5 times sea ship; N(c) = 5 each, N = 20.
          king (crown: ln(5 * 20 / (5 * 5)) = ln 4), crown (king: ln 4), sea (ship: ln 4)
        Modern: 5 times king crown, sea crown and ship wind; N(crown) = 10, the others 5, N = 25.
          king (crown: ln(5 * 25 / (5 * 10)) = ln 2.5), sea (crown: ln 2.5),
          crown (king and sea: ln(5 * 25 / (10 * 5)) = ln 2.5 each)
        Cosines: king 1, sea 0, crown 1 / sqrt 2.
        """
        [found] = computed(model(), modern=MODERN)
        half = (1 + math.sqrt(0.5)) / 2  # of king and crown
        expected = [half, 0.5, 0, NAN]  # then king and sea; sea alone, as castle is unknown
        assert found.values["drift_mean"] == pytest.approx(expected, nan_ok=True)
        assert found.values["drift_sd"] == pytest.approx([1 - half, 0.5, NAN, NAN], nan_ok=True)
        assert found.values["drift_known"].tolist() == [1, 1, 0.5, 0]

    def test_texts_that_are_the_reference_do_not_differ(self) -> None:
        [found] = computed(model(), modern=[one["en"] for one in REFERENCE])
        assert found.values["drift_mean"][:3].tolist() == [1, 1, 1]
        assert found.values["drift_sd"][:2].tolist() == [0, 0]

    def test_of_another_language_than_english(self) -> None:
        modern = {"spa": [one["es"] for one in REFERENCE]}
        [found] = computed(model(), modern=modern, features=Features(pivot="es"))
        # mar stands there four times: too rare
        assert found.values["drift_mean"] == pytest.approx([1, 1, NAN, NAN], nan_ok=True)
        assert "drift_mean" not in computed(model(), modern=modern)[0].values


class TestCoverage:
    def test_without_resources_there_is_nothing_of_them(self) -> None:
        [found] = computed(model())
        assert set(found.values) == {
            *("cardinality", "cnpmi", "inpmi", "twc_pivot", "twc_other"),
            *("mc_pivot", "mc_other", "icc", "inpmi_pivot", "inpmi_other"),
        }
        matrix = found.matrix(["cnpmi", "mta", "era_mean", "drift_sd"])
        assert np.isnan(matrix[:, 1:]).all()
        np.testing.assert_array_equal(matrix[:, 0], found.values["cnpmi"])

    def test_words_that_the_reference_lacks(self) -> None:
        """Of castle and tower it knows nothing but that it has none of them."""
        [found] = computed(model(), dictionary=DICTIONARY, years=YEARS, modern=MODERN)
        assert set(found.values) == {*FEATURES, *BESIDE}
        known = {name for name in FEATURES if not np.isnan(found.values[name][3])}
        assert known == {"cardinality", "twc_pivot", "twc_other"}
        assert found.values["twc_pivot"][3] == found.values["twc_other"][3] == found.support[3] == 0
        # of one word a side there is CNPMI, but no coherence inside, and so no gap
        lacking = {name for name in FEATURES if np.isnan(found.values[name][2])}
        assert lacking == {"inpmi", "mc_pivot", "mc_other", "icc", "era_sd", "drift_sd"}
        assert found.values["cnpmi"][2] != 0

    def test_a_model_without_a_word_of_the_dictionary(self) -> None:
        """Others may have some; nothing is known of this one."""
        pairs = {"en-es": [("house", "casa")]}
        [found] = computed(model(), features=Features(("mta(identical=true)",)), dictionary=pairs)
        assert np.isnan(found.values["mta"]).all()
        assert np.isnan(found.values["mta(identical=true)"]).all()

    def test_words_that_tokens_leave_nothing_of(self) -> None:
        words = {"en": [["king", "..."], ["king", "crown"]], "es": [["rey", "-"], ["rey", "mar"]]}
        topics = model(words=words)
        sources = Sources(paired(), tokens="words", modern=MODERN)
        features = Features()
        planned = plan_requests([topics], lambda w: features.needs([topics], [2], w), sources)
        evidence = gather(planned)
        [part] = features.of(topics, 2, evidence, evidence.wording)
        assert part.values["drift_mean"] == pytest.approx([1, (1 + math.sqrt(0.5)) / 2])
        assert part.values["twc_pivot"].tolist() == [0.5, 1]


class TestMore:
    def test_names(self) -> None:
        features = Features(("twc", "cnpmi(never=-1)"))
        assert features.names == (*FEATURES, "twc", "cnpmi(never=-1)")

    def test_what_is_told_beside_features_is_none(self) -> None:
        assert set(BESIDE).isdisjoint(Features().names)
        for name in BESIDE:
            with pytest.raises(InputError, match=f"unknown metric {name}"):
                Features((name,))

    @pytest.mark.parametrize("name", ["npmi", "cnpmi", "cnpmi@10", "crosslingual_f1", "diversity"])
    def test_what_is_no_feature(self, name: str) -> None:
        with pytest.raises(InputError, match=f"{name}: a further feature is a metric of topics"):
            Features((name,))

    @pytest.mark.parametrize("name", ["inpmi(language=sv)", "twc(language=en)"])
    def test_a_feature_names_no_language(self, name: str) -> None:
        with pytest.raises(InputError) as caught:
            Features((name,))
        assert (
            str(caught.value)
            == f"{name}: it must be computed for any languages: leave out language="
        )

    def test_what_is_no_metric(self) -> None:
        with pytest.raises(InputError, match="unknown metric cnpim; did you mean cnpmi"):
            Features(("cnpim",))

    def test_a_dictionary_that_one_cannot_do_without(self) -> None:
        with pytest.raises(InputError, match="mta needs a dictionary: give --dictionary en-es="):
            computed(model(), features=Features(("mta(identical=true)",)))


def test_the_most_words_are_asked_for() -> None:
    from tealeaves.evidence.requests import CountRequest
    from tealeaves.evidence.sources import pipelines_of_models
    from tealeaves.evidence.wording import Wordings

    words = {name: [side[0] + side[3]] for name, side in TOPICS.items()}
    topics = model(words=words)
    wording = Wordings(pipelines_of_models([topics], "tokens"))

    def asked(*tops: int | None) -> set[str]:
        needs = list(Features().needs([topics], tops, wording))
        contexts = [need for need in needs if isinstance(need, ContextRequest)]
        assert {need.window for need in contexts} == {5}
        near = {str(t) for n in contexts for t in n.terms}
        assert near == {str(t) for n in needs if isinstance(n, CountRequest) for t in n.terms}
        return near

    assert asked(1) == {"king", "rey"}
    assert asked(2, 1) == {"king", "rey", "crown", "corona"}
    assert asked(1, None) == {*words["en"][0], *words["es"][0]}
