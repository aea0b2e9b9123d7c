"""The metric cnpmi_estimated: what it says, what it rests on, and what it cannot do."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves import Scores, demo
from tealeaves.errors import InputError
from tealeaves.estimator.estimators import open_estimators
from tealeaves.estimator.features import Features
from tealeaves.evidence.sources import Sources, pipelines_of_models
from tealeaves.evidence.wording import Wordings
from tealeaves.metrics import METRICS, metric, parse_metrics
from tealeaves.metrics.gathering import gather
from tealeaves.metrics.planning import count_requests, plan_requests
from tealeaves.text.paired.corpus import PairedCorpus
from tealeaves.topics.topics import Topics

from .kings import (
    DICTIONARY,
    MODERN,
    RICH,
    TOPICS,
    YEARS,
    estimators,
    linear,
    model,
    paired,
    saved,
)

BESIDE: dict[str, Any] = {"dictionary": DICTIONARY, "years": YEARS, "modern": MODERN}
# .1 + .5 CNPMI + .2 TWC of English
PLAIN = linear({"cnpmi": 0.5, "twc_pivot": 0.2}, 0.1)


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    return saved(tmp_path / "plain.json", PLAIN)


def asked(path: Path, top: int | None = None) -> str:
    return f'cnpmi_estimated(estimator="{path}")' + ("" if top is None else f"@{top}")


def scored(path: Path, topics: Any = None, *, top: int | None = None, **given: Any) -> Scores:
    judged = topics or model()
    texts = given.pop("corpus", None) or paired(*judged.languages)
    return tealeaves.score(judged, texts, asked(path, top), tokens="tokens", **given)


def values(scores: Scores) -> list[float]:
    return [row.value for row in scores.topics.rows]


def support(scores: Scores) -> list[float]:
    return [row.support for row in scores.topics.rows]


def of_metric(expression: str, *languages: str, **given: Any) -> list[float]:
    """Compute another metric of the same topics in the same texts."""
    texts = paired(*languages)
    return values(tealeaves.score(model(*languages), texts, expression, tokens="tokens", **given))


class TestExpression:
    @pytest.mark.parametrize(
        "text",
        ["cnpmi_estimated@10", "cnpmi_estimated", 'cnpmi_estimated(estimator="a b/c,d.json")@5'],
    )
    def test_round_trip(self, text: str) -> None:
        found = metric(text)
        again = metric(repr(found))
        assert repr(again) == repr(found)
        assert again.signature == found.signature
        assert (again.top, again.settings) == (found.top, found.settings)
        assert again.crosslingual

    def test_the_default_is_the_estimators_of_tealeaves(self) -> None:
        assert repr(metric("cnpmi_estimated@10")) == "cnpmi_estimated@10"
        named = metric("cnpmi_estimated(estimator=mine.json)")
        assert named.settings != metric("cnpmi_estimated").settings
        assert named.signature != metric("cnpmi_estimated").signature

    def test_it_is_listed(self) -> None:
        one = METRICS["cnpmi_estimated"]
        assert (one.better, one.bounds, one.level) == ("higher", (-1.0, 1.0), "topic")
        assert "Hao" in one.cite

    def test_another_setting_is_refused(self) -> None:
        with pytest.raises(InputError, match="never"):
            metric("cnpmi_estimated(never=0)")


class TestValues:
    def test_by_the_definition(self, plain: Path) -> None:
        cnpmi, twc = of_metric("cnpmi"), of_metric("twc(language=en)")
        expected = [0.1 + 0.5 * a + 0.2 * b for a, b in zip(cnpmi, twc, strict=True)]
        found = values(scored(plain))
        assert found == pytest.approx(expected, nan_ok=True)
        assert [math.isnan(value) for value in found] == [False, False, False, True]
        # king-rey, crown-corona (5 of 10 each, together) and across, of ten documents:
        # king in 5, rey in 6, both in 4; crown as king, corona in 5, all with king
        cross = math.log(0.4 / (0.5 * 0.6)) / -math.log(0.4)
        assert found[0] == pytest.approx(0.1 + 0.5 * (2 * cross + 2 * 1) / 4 + 0.2 * 1)

    def test_the_model_has_the_mean_of_its_topics(self, plain: Path) -> None:
        scores = scored(plain)
        mean = float(np.nanmean(values(scores)))
        assert scores.value("m", asked(plain)) == pytest.approx(mean)

    @pytest.mark.parametrize("top", [1, 2, 10])
    def test_the_first_words(self, plain: Path, top: int) -> None:
        cnpmi, twc = of_metric(f"cnpmi@{top}"), of_metric(f"twc(language=en)@{top}")
        expected = [0.1 + 0.5 * a + 0.2 * b for a, b in zip(cnpmi, twc, strict=True)]
        assert values(scored(plain, top=top)) == pytest.approx(expected, nan_ok=True)

    def test_all_words_where_no_number_is_given(self, plain: Path) -> None:
        words = {"en": [["king", *"abcdefghij", "sea"]], "es": [["rey", *"abcdefghij", "mar"]]}
        topics = model(words=words)
        [cnpmi] = values(tealeaves.score(topics, paired(), "cnpmi", tokens="tokens"))
        # 2 of 12 English words are known
        assert values(scored(plain, topics)) == pytest.approx([0.1 + 0.5 * cnpmi + 0.2 * 2 / 12])

    @pytest.mark.parametrize(("intercept", "held"), [(9.0, 1.0), (-9.0, -1.0)])
    def test_an_estimate_is_a_coherence(
        self, tmp_path: Path, intercept: float, held: float
    ) -> None:
        path = saved(tmp_path / "e.json", linear({"cnpmi": 1.0}, intercept))
        assert values(scored(path))[:3] == [held] * 3

    @pytest.mark.parametrize("given", [(), ("dictionary",), ("years", "modern"), tuple(BESIDE)])
    def test_as_the_estimators_say_of_the_same_features(
        self, tmp_path: Path, given: tuple[str, ...]
    ) -> None:
        nested = (
            linear({"cnpmi": 0.3, "mta": 0.4, "era_mean": 1e-4, "drift_mean": 0.1}),
            linear({"cnpmi": 0.3, "era_mean": 2e-4, "drift_sd": 0.3}),
            linear({"icc": 0.01, "mc_other": 0.02, "mta": 0.5, "cardinality": 0.01}),
            PLAIN,
        )
        path = saved(tmp_path / "nested.json", *nested)
        beside = {name: BESIDE[name] for name in given}
        features = Features()
        planned = plan_requests(
            [model()],
            lambda wording: features.needs([model()], [2], wording),
            Sources(paired(), tokens="tokens", **beside),
        )
        evidence = gather(planned)
        [part] = features.of(model(), 2, evidence, evidence.wording)
        expected = estimators(*nested).estimate(part)
        first = {(): 3, ("dictionary",): 2, ("years", "modern"): 1}.get(given, 0)
        assert expected.which[0] == first
        assert values(scored(path, top=2, **beside)) == pytest.approx(
            expected.values.tolist(), nan_ok=True
        )

    def test_a_topic_that_lacks_a_feature_has_another_estimator(self, tmp_path: Path) -> None:
        """Topic 2 has one known word a side, and so no INPMI."""
        path = saved(tmp_path / "e.json", linear({"inpmi": 0.0}, 0.7), linear({"cnpmi": 0.0}, 0.3))
        assert values(scored(path)) == pytest.approx([0.7, 0.7, 0.3, math.nan], nan_ok=True)

    def test_further_features(self, tmp_path: Path) -> None:
        name = "cnpmi(never=-1)"
        path = saved(tmp_path / "e.json", linear({name: 0.5}, 0.2))
        expected = [0.2 + 0.5 * value for value in of_metric(name)]
        assert values(scored(path)) == pytest.approx(expected, nan_ok=True)

    def test_three_languages_have_the_mean_over_pairs(self, plain: Path) -> None:
        names = ("en", "es", "sv")
        whole = scored(plain, model(*names))
        parts = [scored(plain, model(*pair)) for pair in (names[:2], names[::2], names[1:])]
        expected = np.mean([values(part) for part in parts], axis=0)
        assert values(whole) == pytest.approx(expected.tolist(), nan_ok=True)
        shares = np.mean([support(part) for part in parts], axis=0)
        assert support(whole) == pytest.approx(shares.tolist())

    def test_the_shipped_ones(self) -> None:
        """The estimators of tealeaves judge topics with nothing but linked texts."""
        texts = PairedCorpus({name: demo.corpus(name) for name in demo.LANGUAGES})
        models = demo.multilingual_models()
        scores = tealeaves.score(models, texts, "cnpmi_estimated@10")
        assert all(-1 <= value <= 1 for value in values(scores))
        good, shuffled = (scores.value(name, "cnpmi_estimated@10") for name in ("good", "shuffled"))
        assert good > shuffled
        assert open_estimators().signature in scores.rows[0].signature


class TestSupport:
    def test_it_is_that_of_cnpmi(self, plain: Path) -> None:
        scores = tealeaves.score(model(), paired(), "cnpmi@4", tokens="tokens")
        found = scored(plain, top=4)
        assert support(found) == pytest.approx(support(scores))
        assert support(found)[3] == 0

    def test_without_a_known_word_there_is_no_estimate(self, tmp_path: Path) -> None:
        """Even where an estimator has all its features: that no word is known is all they say."""
        path = saved(tmp_path / "e.json", linear({"twc_pivot": 0.5, "twc_other": 0.1}, 0.2))
        found = scored(path)
        assert values(found) == pytest.approx([0.8, 0.8, 0.5, math.nan], nan_ok=True)
        assert [share > 0 for share in support(found)] == [True, True, True, False]
        assert any("1 of 4 topics have no cnpmi_estimated" in note for note in found.notes)

    def test_a_feature_that_no_estimator_can_do_without(self, tmp_path: Path) -> None:
        path = saved(tmp_path / "e.json", linear({"mta": 1.0}))
        found = scored(path)
        assert all(map(math.isnan, values(found)))
        assert support(found) == [0, 0, 0, 0]
        assert "a better estimator applies with a dictionary (--dictionary)" in found.notes


class TestSignature:
    def signature(self, path: Path, **given: Any) -> str:
        return scored(path, **given).rows[0].signature

    def test_the_same_is_the_same(self, plain: Path) -> None:
        assert self.signature(plain, **BESIDE) == self.signature(plain, **BESIDE)

    def test_it_names_the_estimators(self, plain: Path) -> None:
        before = self.signature(plain)
        assert f"estimator={open_estimators(plain).signature}" in before
        saved(plain, linear({"cnpmi": 0.5, "twc_pivot": 0.2}, 0.11))
        assert self.signature(plain) != before

    @pytest.mark.parametrize(
        ("name", "part", "one", "other"),
        [
            ("dictionary", "dictionary=en-es", DICTIONARY, {"en-es": [("king", "rey")]}),
            ("years", "eras=", YEARS, YEARS | {"king": 901}),
            ("modern", "drift=", MODERN, [*MODERN, "king crown"]),
            ("corpus", "link(languages=en+es)", paired(), paired(tuples=RICH)),
        ],
    )
    def test_what_it_rests_on(
        self, plain: Path, name: str, part: str, one: Any, other: Any
    ) -> None:
        without = self.signature(plain)
        first, second = (self.signature(plain, **{name: given}) for given in (one, other))
        assert part in first
        assert first != second
        assert (first == without) == (name == "corpus")

    def test_each_model_names_its_own_dictionary(self, plain: Path) -> None:
        found = scored(plain, model("en", "es", "sv"), dictionary=DICTIONARY)
        assert "|dictionary=en-es:4:" in found.rows[0].signature


class TestNotes:
    def test_which_estimator_and_what_it_lacks(self, tmp_path: Path) -> None:
        path = saved(tmp_path / "e.json", linear({"inpmi": 1.0, "mta": 1.0}), PLAIN)
        notes = scored(path, top=2, dictionary=DICTIONARY).notes
        assert "m (en-es): undefined for 2, 3: inpmi" in notes
        assert "m (en-es): undefined for 3: cnpmi, mta" in notes
        assert "m (en-es): 0, 1 are estimated from inpmi, mta" in notes
        assert "m (en-es): 2 is estimated from cnpmi, twc_pivot" in notes
        assert not [note for note in notes if "better estimator" in note]

    def test_what_would_be_better(self, tmp_path: Path) -> None:
        best = linear({"cnpmi": 1.0, "mta": 1.0, "era_mean": 0.0, "drift_mean": 0.0})
        path = saved(tmp_path / "e.json", best, PLAIN)
        assert (
            "a better estimator applies with a dictionary (--dictionary) and years of words "
            "(--years) and modern texts (--modern)"
        ) in scored(path).notes
        notes = scored(path, years=YEARS, modern=MODERN).notes
        assert "a better estimator applies with a dictionary (--dictionary)" in notes

    def test_other_numbers_of_words(self, plain: Path) -> None:
        notes = scored(plain, top=1).notes
        assert "m (en-es): topics of 1 to 1 words, and the estimator knows 2 to 2" in notes
        assert not [note for note in scored(plain, top=2).notes if "knows" in note]

    def test_pairs_without_the_pivot(self, plain: Path) -> None:
        notes = scored(plain, model("en", "es", "sv")).notes
        said = "m: the estimators were learned from pairs with en, and es-sv is none"
        assert [note for note in notes if "learned from" in note] == [said]
        assert not [note for note in scored(plain).notes if "learned from" in note]

    def test_a_pivot_of_their_own(self, tmp_path: Path) -> None:
        path = saved(tmp_path / "e.json", linear({"twc_pivot": 1.0}), pivot="es")
        words = {"en": [["king", "tower"]], "es": [["rey", "mar"]]}
        assert values(scored(path, model(words=words))) == [1.0]  # the Spanish words are known
        notes = scored(path, model("en", "sv")).notes
        assert any("pairs with es, and en-sv is none" in note for note in notes)


def test_estimators_that_ask_for_themselves_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    name = f'cnpmi_estimated(estimator="{path}")'
    saved(path, linear({"cnpmi": 0.5, name: 0.2}))
    with pytest.raises(InputError, match=r"an estimate cannot be a feature of an estimator$"):
        scored(path)


class TestCounts:
    def test_they_give_the_same_scores(self, plain: Path, tmp_path: Path) -> None:
        from tealeaves.evidence import save_counts
        from tealeaves.evidence.linked import gather_linked

        topics, chosen = model(), parse_metrics(asked(plain, 2))
        wording = Wordings(pipelines_of_models([topics], "tokens"))
        requests = count_requests([topics], chosen, wording)
        found = gather_linked(paired(), wording.pipelines, requests)
        save_counts(found.counts, tmp_path / "kings.counts")
        again = tealeaves.score(topics, None, chosen, counts=tmp_path / "kings.counts", years=YEARS)
        whole = scored(plain, top=2, years=YEARS)
        assert values(again) == pytest.approx(values(whole), nan_ok=True, abs=0)
        assert [row.signature for row in again] == [row.signature for row in whole]
        with pytest.raises(InputError, match="modern texts are compared with those of the corpus"):
            tealeaves.score(topics, None, chosen, counts=found.counts, modern=MODERN)


class TestErrors:
    @pytest.mark.parametrize("name", ["years", "modern"])
    def test_what_no_metric_asks_for(self, name: str) -> None:
        with pytest.raises(InputError, match=rf"^{name} \(--{name}\) is for metrics such as cnpmi"):
            tealeaves.score(model(), paired(), "cnpmi", **{name: BESIDE[name]})

    @pytest.mark.parametrize("name", ["years", "modern"])
    def test_topics_in_one_language(self, name: str) -> None:
        with pytest.raises(
            InputError, match=rf"{name} \(--{name}\) is for topics in several languages"
        ):
            tealeaves.score([["king", "sea"]], ["king sea"], "npmi", **{name: BESIDE[name]})

    def test_it_compares_languages(self, plain: Path) -> None:
        with pytest.raises(InputError, match="its topics are in one language, and this metric"):
            tealeaves.score([["king", "sea"]], ["king sea"], asked(plain))
        assert metric("cnpmi_estimated").why_not(Topics.of([["king"]]))

    @pytest.mark.parametrize(
        ("content", "error"),
        [
            (None, "e.json: no such file of estimators (`tealeaves estimator fit` makes it)"),
            (b"", "e.json: not a complete file of estimators: "),
            (b"\xff{", "e.json: not a complete file of estimators: "),
            (b"[1, 2]", "e.json: not a complete file of estimators: "),
            (b'{"a": 1}', "e.json: not a file of estimators (`tealeaves estimator fit` makes one)"),
        ],
    )
    def test_what_is_no_file_of_estimators(
        self, tmp_path: Path, content: bytes | None, error: str
    ) -> None:
        path = tmp_path / "e.json"
        if content is not None:
            path.write_bytes(content)
        self.refused(path, error)

    @pytest.mark.parametrize(
        ("change", "error"),
        [
            (
                {"version": 99, "made_with": "8.0"},
                "file version 99, made with tealeaves 8",
            ),
            ({"estimators": []}, "e.json: damaged: there are no estimators in it"),
            ({"pivot": 3}, "e.json: damaged: "),
            ({"more": 3}, "e.json: damaged: "),
        ],
    )
    def test_a_damaged_file(self, tmp_path: Path, change: dict[str, Any], error: str) -> None:
        path = saved(tmp_path / "e.json", PLAIN)
        whole = json.loads(path.read_bytes()) | change
        del whole["checksum"]  # as if it was written by hand
        path.write_text(json.dumps(whole))
        self.refused(path, error)

    def test_a_changed_file(self, tmp_path: Path) -> None:
        path = saved(tmp_path / "e.json", PLAIN)
        path.write_text(json.dumps(json.loads(path.read_bytes()) | {"estimators": []}))
        self.refused(path, "e.json: the checksum is wrong: the file is damaged, or was changed")

    @pytest.mark.parametrize("name", ["features", "seen", "cardinalities"])
    def test_a_damaged_estimator(self, tmp_path: Path, name: str) -> None:
        path = saved(tmp_path / "e.json", PLAIN)
        whole = json.loads(path.read_bytes())
        del whole["checksum"]  # as if it was written by hand
        part = whole["estimators"][0]
        part[name] = {} if name == "cardinalities" else part[name][:1]
        path.write_text(json.dumps(whole))
        self.refused(path, "e.json: damaged: ")

    def test_a_folder(self, tmp_path: Path) -> None:
        self.refused(tmp_path, "a folder, not a file of estimators")

    def refused(self, path: Path, error: str) -> None:
        with pytest.raises(InputError) as caught:
            scored(path)
        assert error in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_features_that_are_no_metric(self, tmp_path: Path) -> None:
        path = saved(tmp_path / "e.json", linear({"cnpmi": 1.0, "npmi": 1.0}))
        with pytest.raises(InputError, match="npmi: a further feature is a metric of topics acr"):
            scored(path)


def test_words_of_each_language_are_needed(plain: Path) -> None:
    with pytest.raises(InputError, match=r"its topics are in en, sv, .* no texts of sv"):
        scored(plain, model("en", "sv"), corpus=paired())
    with pytest.raises(InputError, match="needs texts: give linked texts of each language"):
        tealeaves.score(model(), None, asked(plain))
    assert len(TOPICS["en"]) == len(scored(plain).topics.rows)
