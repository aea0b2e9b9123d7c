"""Tables of features: rows, targets, notes, and what cannot be built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves import MultilingualTopics
from tealeaves.errors import InputError
from tealeaves.estimator.building import TOPS, build
from tealeaves.estimator.features import FEATURES
from tealeaves.estimator.table import FeatureTable
from tealeaves.evidence import sources
from tealeaves.evidence.linked import gather_linked
from tealeaves.evidence.years import WordYears

from .kings import DICTIONARY, MODERN, RICH, TOPICS, YEARS, model, paired

NAN = float("nan")
BESIDE: dict[str, Any] = {"dictionary": DICTIONARY, "years": YEARS, "modern": MODERN}


def built(models: Any = None, reference: Any = None, **given: Any) -> FeatureTable:
    """Build a table of the topics in English and Spanish, at two words, unless it is said."""
    told = {"tops": (2,), "tokens": "tokens", **given}
    return build(models or model(), paired() if reference is None else reference, **told)


def value(table: FeatureTable, name: str, topic: int, top: int = 2) -> float:
    [row] = np.flatnonzero(
        (np.array(table.topics) == topic) & (table.cardinalities == top)
    ).tolist()
    return float(table.column(name)[row])


class TestRows:
    def test_one_for_each_topic_and_number_of_words(self) -> None:
        second = model(name="n", words={name: side[:1] for name, side in TOPICS.items()})
        table = built([model(), second], tops=(1, 2))
        assert table.keys == [
            *[("en", "es", "m", str(topic), top) for top in (1, 2) for topic in range(4)],
            *[("en", "es", "n", "0", top) for top in (1, 2)],
        ]
        assert np.isnan(table.target).all()

    def test_features_that_all_could_be_read_of(self) -> None:
        table = built(**BESIDE, more=["cnpmi(never=-1)"], rich=paired(tuples=RICH))
        assert table.names == (*FEATURES, "cnpmi(never=-1)")
        assert table.notes == []

    def test_ids_of_topics_are_kept(self) -> None:
        sides = {name: {"a": TOPICS[name][0], "b": TOPICS[name][1]} for name in ("en", "es")}
        table = built(MultilingualTopics.of_languages(sides, model="m"))
        assert table.topics == ("a", "b")

    def test_a_pair_of_languages_has_rows_of_its_own(self) -> None:
        table = built(model("sv", "es", "en"), paired("en", "es", "sv"), tops=(2,))
        pairs = list(zip(table.pivots, table.languages, strict=True))
        assert pairs == [("es", "sv")] * 4 + [("en", "sv")] * 4 + [("en", "es")] * 4
        alone = built()
        np.testing.assert_allclose(table.values[8:], alone.values)

    def test_numbers_that_no_topic_has_are_left_out(self) -> None:
        table = built(tops=(1, 2, 3, 50), rich=paired(tuples=RICH), **BESIDE)
        assert table.keys == built(tops=(1, 2)).keys
        assert table.notes == ["topics of 2 words at most, so without rows of 3, 50: m (en-es)"]

    def test_a_shorter_topic_is_judged_once_by_all_its_words(self) -> None:
        """Topics of two words and of one: the second has no more at 2, and counts once."""
        words = {"en": [["king", "crown"], ["sea"]], "es": [["rey", "corona"], ["mar"]]}
        table = built(model(words=words), tops=(1, 2, 5))
        assert [key[3:] for key in table.keys] == [("0", 1), ("1", 1), ("0", 2)]
        # by two words the first time: it has a row of one word, which is what it has
        assert [key[3:] for key in built(model(words=words), tops=(2,)).keys] == [
            ("0", 2),
            ("1", 1),
        ]

    def test_the_longer_side_counts(self) -> None:
        words = {"en": [["king", "crown"]], "es": [["rey"]]}
        assert built(model(words=words), tops=(1, 2)).cardinalities.tolist() == [1, 2]

    def test_a_file_has_the_cardinality_that_is_learned_from(self, tmp_path: Path) -> None:
        words = {"en": [["king", "crown"], ["sea"]], "es": [["rey", "corona"], ["mar"]]}
        table = built(model(words=words), tops=(2, 3))
        assert table.column("cardinality").tolist() == table.cardinalities.tolist() == [2, 1]
        table.save(tmp_path / "t.csv")
        again = FeatureTable.open(tmp_path / "t.csv")
        assert again.column("cardinality").tolist() == again.cardinalities.tolist() == [2, 1]

    def test_models_of_other_lengths_have_rows_of_their_own(self) -> None:
        short = model(name="n", words={name: [side[0][:1]] for name, side in TOPICS.items()})
        table = built([model(), short], tops=(1, 2), **BESIDE)
        assert [key[2:] for key in table.keys if key[2] == "n"] == [("n", "0", 1)]
        assert table.notes == ["topics of 1 words at most, so without rows of 2: n (en-es)"]

    def test_the_papers_numbers_of_words(self) -> None:
        assert TOPS == (5, 10, 15, 20, 30, 40, 50)
        with pytest.raises(InputError) as caught:
            built(tops=TOPS)
        assert str(caught.value) == (
            "no topic has 5 words, but 2 at most: give smaller tops (--tops)"
        )

    def test_texts_that_trained_the_topics(self, tmp_path: Path) -> None:
        assert set(built().texts) == {""}
        table = built(texts="news+talks")
        assert table.texts == ("news+talks",) * 4
        table.save(tmp_path / "t.parquet")
        assert FeatureTable.open(tmp_path / "t.parquet").texts == table.texts

    def test_saved_and_read_it_is_the_same(self, tmp_path: Path) -> None:
        table = built(**BESIDE, rich=paired(tuples=RICH))
        table.save(tmp_path / "t.jsonl")
        again = FeatureTable.open(tmp_path / "t.jsonl")
        assert again.keys == table.keys
        np.testing.assert_array_equal(again.values, table.values)
        np.testing.assert_array_equal(again.target, table.target)


class TestTargets:
    def test_they_are_the_cnpmi_of_the_rich_reference(self) -> None:
        rich = paired(tuples=RICH)
        table = built(rich=rich, tops=(1, 2))
        scores = tealeaves.score(model(), rich, "cnpmi@1 cnpmi@2", tokens="tokens")
        expected = {(row.topic, row.metric): row.value for row in scores.topics.rows}
        for topic in range(4):
            for top in (1, 2):
                row = table.keys.index(("en", "es", "m", str(topic), top))
                assert table.target[row] == pytest.approx(expected[topic, f"cnpmi@{top}"])
        # castle and tower are in the rich reference alone
        assert np.isnan(value(table, "cnpmi", 3))
        assert not np.isnan(table.target).any()

    def test_by_hand(self) -> None:
        # 7 documents; king in 4, rey in the same 4; crown in 3 of them, and so corona.
        # king-rey and crown-corona 1; king-corona and crown-rey: both in 3,
        # ln(3/7 / (4/7 * 3/7)) / -ln(3/7) = ln(7/4) / ln(7/3) = .66047
        table = built(rich=paired(tuples=RICH))
        cross = np.log(7 / 4) / np.log(7 / 3)
        assert table.target[0] == pytest.approx((2 + 2 * cross) / 4)

    def test_each_pair_of_languages_has_its_own(self) -> None:
        names = ("en", "es", "sv")
        table = built(model(*names), paired(*names), rich=paired(*names, tuples=RICH))
        for number, pair in enumerate((("en", "es"), ("en", "sv"), ("es", "sv"))):
            rows = slice(4 * number, 4 * number + 4)
            rich = paired(*pair, tuples=RICH)
            found = tealeaves.score(model(*pair), rich, "cnpmi@2", tokens="tokens")
            expected = [row.value for row in found.topics.rows]
            assert table.target[rows] == pytest.approx(expected)
            assert table.languages[rows] == (pair[1],) * 4

    def test_they_do_not_change_the_features(self) -> None:
        with_, without = built(rich=paired(tuples=RICH)), built()
        np.testing.assert_array_equal(with_.values, without.values)


class TestOneReading:
    def test_of_each_reference_for_all_numbers_of_words(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read: list[Any] = []

        def counted(texts: Any, *args: Any, **given: Any) -> Any:
            read.append(texts)
            return gather_linked(texts, *args, **given)

        monkeypatch.setattr("tealeaves.evidence.linked.gather_linked", counted)
        reference, rich = paired(), paired(tuples=RICH)
        models = [model(), model(name="n")]
        table = built(models, reference, rich=rich, tops=(2, 1), **BESIDE)
        assert read == [reference, rich]
        for top in (1, 2):
            alone = built(rich=rich, tops=(top,), **BESIDE)
            for name in ("m", "n"):
                mine = [key[2:5:2] == (name, top) for key in table.keys]
                part = table.select(mine)
                np.testing.assert_array_equal(part.values, alone.values)
                np.testing.assert_array_equal(part.target, alone.target)

    def test_counts_instead_of_texts(self) -> None:
        from tealeaves.estimator.features import Features
        from tealeaves.evidence.requests import CountRequest
        from tealeaves.evidence.wording import Wordings

        topics = model()
        wording = Wordings(sources.pipelines_of_models([topics], "tokens"))
        needs = Features().needs([topics], (2,), wording)
        requests = [need for need in needs if isinstance(need, CountRequest)]
        counts = gather_linked(paired(), wording.pipelines, requests).counts
        found = build(topics, counts=counts, tops=(2,), dictionary=DICTIONARY, years=YEARS)
        expected = built(dictionary=DICTIONARY, years=YEARS)
        assert found.names == expected.names
        np.testing.assert_array_equal(found.values, expected.values)
        with pytest.raises(InputError, match="modern texts are compared with those of the corpus"):
            build(topics, counts=counts, tops=(2,), modern=MODERN)
        with pytest.raises(InputError, match="give either a corpus or counts, not both"):
            built(counts=counts)


class TestNotes:
    LACKING = (
        ("dictionary", "without dictionary (--dictionary) there is no mta"),
        ("years", "without years (--years) there is no era_mean era_sd"),
        ("modern", "without modern (--modern) there is no drift_mean drift_sd"),
    )

    @pytest.mark.parametrize(("name", "note"), LACKING)
    def test_what_is_missing(self, name: str, note: str) -> None:
        table = built(**{key: given for key, given in BESIDE.items() if key != name})
        assert table.notes == [note]
        lost = note.split(" is no ")[1].split()
        assert table.names == tuple(name for name in FEATURES if name not in lost)

    def test_what_is_of_a_language_that_is_no_pivot(self) -> None:
        table = built(years=WordYears({"rey": 900}, "es"), dictionary=DICTIONARY, modern=MODERN)
        assert table.notes == ["years (--years) is not of en: there is no era_mean era_sd"]
        assert "era_mean" not in table.names
        modern = {"es": ["rey corona"] * 6}
        table = built(years=YEARS, dictionary=DICTIONARY, modern=modern)
        assert table.notes == ["modern (--modern) is not of en: there is no drift_mean drift_sd"]

    def test_documents_without_a_link(self) -> None:
        from tealeaves import PairedCorpus

        tuples = [{"en": "king crown", "es": "rey corona"}] * 3 + [{"en": "sea"}]
        table = built(reference=PairedCorpus.of(tuples), **BESIDE | {"modern": None})
        assert table.notes[0] == "3 documents are linked, of 4 of en and 3 of es"

    def test_a_dictionary_of_other_words_is_seen_in_the_summary(self) -> None:
        table = built(dictionary={"en-es": [("house", "casa")]})
        assert np.isnan(table.column("mta")).all()
        with pytest.raises(InputError, match="mta is undefined in all 4 rows"):
            table.check(["mta"])


class TestPivots:
    def test_another_language_than_english(self) -> None:
        names = ("en", "es")
        table = built(model(*names), paired(*names), pivot="spa", dictionary=DICTIONARY)
        english = built(model(*names), paired(*names), dictionary=DICTIONARY)
        assert set(zip(table.pivots, table.languages, strict=True)) == {("es", "en")}
        np.testing.assert_array_equal(table.column("mc_pivot"), english.column("mc_other"))
        np.testing.assert_array_equal(table.column("cnpmi"), english.column("cnpmi"))

    def test_years_and_modern_texts_are_of_the_pivot(self) -> None:
        given: dict[str, Any] = {"years": {"rey": 900, "corona": 1100}, "modern": ["rey mar"] * 6}
        table = built(pivot="es", **given)
        assert value(table, "era_mean", 0) == 1000
        assert "drift_mean" in table.names
        said = {"years": WordYears(given["years"], "es"), "modern": {"es": given["modern"]}}
        np.testing.assert_array_equal(built(pivot="es", **said).values, table.values)

    def test_a_pair_without_the_pivot_is_told(self) -> None:
        table = built(model("es", "en", "sv"), paired("en", "es", "sv"), pivot="sv")
        assert table.notes[-1] == "en-es: sv is none of them, and en is the pivot of their rows"
        pairs = set(zip(table.pivots, table.languages, strict=True))
        assert pairs == {("sv", "en"), ("sv", "es"), ("en", "es")}


class TestErrors:
    @pytest.mark.parametrize(
        ("given", "error"),
        [
            (
                {"models": [["king", "sea"]]},
                "has topics in one language; an estimator compares two",
            ),
            ({"models": "no.topics"}, "no.topics: no such file"),
            ({"reference": {"en": "no.tsv", "es": "no.es"}}, "no.tsv: no such file or folder"),
            ({"rich": {"en": "no.tsv", "es": "no.es"}}, "no.tsv: no such file or folder"),
            ({"dictionary": "no-es.txt"}, "no-es.txt: no such file"),
            ({"years": "no.tsv"}, "no.tsv: no such file"),
            ({"modern": "no.jsonl"}, "no.jsonl: no such file or folder"),
            ({"modern": {"en": "no.jsonl"}}, "no.jsonl: no such file or folder"),
            ({"reference": paired("en", "sv")}, "m: its topics are in en, es, the texts in en, sv"),
            ({"rich": paired("en", "sv")}, "there are no texts of es"),
            ({"reference": paired("en", "es", "sv")}, "m: no topics in sv"),
            ({"reference": ["king sea"]}, "in Python a PairedCorpus, or a mapping"),
            ({"rich": "texts.jsonl"}, "in Python a PairedCorpus, or a mapping"),
            ({"dictionary": {"en-sv": [("king", "kung")]}}, "no dictionary of en and es (those"),
            (
                {"years": WordYears({"kung": 900}, "sv")},
                "years of words of sv, but the topics are in",
            ),
            ({"modern": {"sv": ["kung"]}}, "modern texts of sv, but the topics are in en, es"),
            ({"modern": {"en": ["a"], "es": ["b"]}}, "modern texts are of one language: give {"),
            ({"modern": ["wind"]}, "no word occurs 5 times in both texts"),
            ({"years": {"king": "old"}}, "king"),
            ({"tops": ()}, "give numbers of first words, such as [5, 10, 20]"),
            ({"tops": (0,)}, "the number of top words must be at least 1"),
            ({"pivot": "fr"}, "no topics in fr, the pivot: they are in en, es; name one of these"),
            (
                {"more": ["cnpmi_estimated"]},
                "cnpmi_estimated: an estimate cannot be a feature of an estimator",
            ),
            ({"more": ["npmi"]}, "npmi: a further feature is a metric of topics across languages"),
        ],
    )
    def test_in_one_line(
        self, given: dict[str, Any], error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)  # where none of these files is
        with pytest.raises(InputError) as caught:
            built(**given)
        assert error in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_without_a_reference(self) -> None:
        with pytest.raises(InputError, match="texts are needed: give linked texts of each"):
            build(model(), rich=paired())

    def test_two_models_of_one_name_are_told_apart(self) -> None:
        assert len(set(built([model(), model()]).keys)) == 8

    def test_a_number_of_words_counts_once(self) -> None:
        assert built(tops=(2, 2)).keys == built(tops=(2,)).keys


def test_the_rich_reference_is_another() -> None:
    with pytest.raises(InputError, match=r"^the rich reference .* is the reference itself .*$"):
        build(model(), paired(), rich=paired(), tops=[2])
