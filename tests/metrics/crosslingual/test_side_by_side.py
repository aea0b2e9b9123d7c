"""Topics side by side: words of each language, and marks of those that translate each other."""

from __future__ import annotations

import csv
import json
import math
import re

import pytest
from rich.cells import cell_len

from tealeaves.evidence.dictionaries import Dictionaries
from tealeaves.metrics.crosslingual.side_by_side import SideBySide, side_by_side
from tealeaves.metrics.scores import Score, Scores
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics

TOPICS = MultilingualTopics.of_languages(
    {
        "en": [["war", "King", "house", "taxi"], ["tea", "leaf"]],
        "zh": [["国王", "房子", "xx"], ["茶", "taxi", "叶"]],
        "ar": [["ملك", "حرب", "يوم", "taxi"], ["شاي", "ورق"]],
    },
    model="toy",
)
PAIRS = {
    "en-zh": [
        ("king", "国王"),
        ("house", "房子"),
        ("house", "国王"),
        ("taxi", "taxi"),
        ("tea", "茶"),
    ],
    "en-ar": [("king", "ملك"), ("war", "حرب"), ("day", "يوم"), ("taxi", "taxi")],
}  # fmt: skip
DICTIONARIES = Dictionaries.open(PAIRS, TOPICS.languages)
CNPMI, MTA, F1 = "cnpmi@10", "mta@10", "crosslingual_f1"


def make_scores(*metrics: str, words: dict[str, float] | None = None) -> Scores:
    """Make up numbers: topic 0 is coherent, topic 1 cannot be judged."""
    values = words or dict.fromkeys(metrics, 0.25)
    rows = [
        Score("toy", topic, name, math.nan, 0.0, f"{name}|seen")
        if topic and name == CNPMI
        else Score("toy", topic, name, value, 0.5, f"{name}|seen")
        for topic in (0, 1)
        for name, value in values.items()
    ]
    rows += [Score("toy", None, name, 0.125, 0.75, f"{name}|seen") for name in values]
    return Scores(rows, better=dict.fromkeys(values, "higher"), notes=["a note"])


def make_side_by_side(*metrics: str, topics: Topics = TOPICS) -> SideBySide:
    return side_by_side(topics, make_scores(*metrics), DICTIONARIES)


def with_f1(result: SideBySide, error: float | None = None) -> SideBySide:
    """Add a number that only the whole model has."""
    rows = [row for topic in result.topics for row in topic.scores.values()]
    rows += [
        Score("toy", None, CNPMI, 0.125, 0.75, ""),
        Score("toy", None, F1, 0.8125, 1, "f1", error),
    ]
    return side_by_side(TOPICS, Scores(rows), DICTIONARIES)


def marks(result: SideBySide, topic: int, language: str) -> list[str]:
    return [one.word + one.mark for one in result.topics[topic].columns[language]]


class TestMarks:
    def test_words_that_translate_each_other_have_one_number(self) -> None:
        result = make_side_by_side(CNPMI, MTA)
        # numbered by the words of the first language that are matched in any other
        assert marks(result, 0, "en") == ["war=1", "King=2", "house=3", "taxi"]
        assert marks(result, 0, "zh") == ["国王=2", "房子=3", "xx"]
        assert marks(result, 0, "ar") == ["ملك=2", "حرب=1", "يوم", "taxi"]
        assert marks(result, 1, "zh") == ["茶=1", "taxi", "叶"]
        assert result.topics[0].matches == [
            ("King", "国王"), ("house", "房子"), ("war", "حرب"), ("King", "ملك"),
        ]  # fmt: skip

    def test_words_written_alike_are_matched_if_the_metric_does(self) -> None:
        result = make_side_by_side("mta(identical=true)@10")
        assert marks(result, 0, "en")[-1] == "taxi=4"
        assert marks(result, 0, "ar")[-1] == "taxi=4"

    def test_the_first_of_several_metrics_marks(self) -> None:
        alike = "mta(identical=true)@10"
        strict, lax = make_side_by_side(MTA, alike), make_side_by_side(alike, MTA)
        assert marks(strict, 0, "en")[-1] == "taxi"
        assert marks(lax, 0, "en")[-1] == "taxi=4"
        said = "=1: words of this number translate the one of en, by the dictionary"
        assert strict.legend[0] == f"{said} (as mta@10 counts them)"
        assert lax.legend[0] == f"{said} (as mta(identical=true)@10 counts them)"
        assert make_side_by_side(CNPMI, MTA).legend[0] == said

    def test_as_many_words_are_matched_as_the_metric_judges(self) -> None:
        # four words are shown; mta@2 compares war, King with 国王, 房子 and with ملك, حرب
        result = make_side_by_side("cnpmi@4", "mta@2")
        assert marks(result, 0, "en") == ["war=1", "King=2", "house", "taxi"]
        assert marks(result, 0, "zh") == ["国王=2", "房子", "xx"]
        assert marks(result, 0, "ar") == ["ملك=2", "حرب=1", "يوم", "taxi"]
        assert result.legend[0].endswith("by the dictionary (as mta@2 counts them)")
        assert (
            make_side_by_side("mta").legend[0].endswith("by the dictionary (among the words shown)")
        )
        fewer = side_by_side(TOPICS, make_scores(MTA), DICTIONARIES, top=2)
        assert fewer.legend[0].endswith("by the dictionary (among the words shown)")

    def test_words_that_the_dictionary_lacks(self) -> None:
        columns = make_side_by_side(MTA).topics[0].columns
        assert [one.word for one in columns["zh"] if not one.known] == ["xx"]
        # day is not a word of the topic, but the dictionary has يوم
        assert [one.word for one in columns["ar"] if not one.known] == ["taxi"]
        assert [one.word for one in columns["en"] if not one.known] == ["taxi"]

    def test_only_the_first_words_are_matched(self) -> None:
        result = side_by_side(TOPICS, make_scores("mta@1"), DICTIONARIES)
        assert marks(result, 0, "en") == ["war"]
        assert marks(result, 0, "zh") == ["国王"]
        assert marks(side_by_side(TOPICS, make_scores(MTA), DICTIONARIES, top=2), 0, "en") == [
            "war=1",
            "King=2",
        ]

    def test_without_a_dictionary(self) -> None:
        result = side_by_side(TOPICS, make_scores(CNPMI))
        assert marks(result, 0, "en") == ["war", "King", "house", "taxi"]
        assert not any("=1" in line for line in result.legend)

    def test_with_a_dictionary_of_some_languages(self) -> None:
        some = Dictionaries.open({"en-zh": PAIRS["en-zh"]}, TOPICS.languages)
        result = side_by_side(TOPICS, make_scores(CNPMI), some)
        assert marks(result, 0, "en") == ["war", "King=1", "house=2", "taxi"]
        assert marks(result, 0, "ar") == ["ملك", "حرب", "يوم", "taxi"]
        assert all(one.known for one in result.topics[0].columns["ar"])

    def test_the_language_of_most_dictionaries_stands_first(self) -> None:
        order = ("ar", "zh", "en")
        turned = MultilingualTopics.of_languages(
            {name: TOPICS.side(name) for name in order}, model="toy"
        )
        result = side_by_side(turned, make_scores(MTA), DICTIONARIES)
        assert result.languages == ["en", "ar", "zh"]
        for name in order:
            assert marks(result, 0, name) == marks(make_side_by_side(MTA), 0, name)
        assert "translate the one of en" in result.legend[0]
        # with equally many dictionaries, or none, the order stays
        third = Dictionaries.open({**PAIRS, "ar-zh": [("a", "b")]}, order)
        for given in (third, Dictionaries(), None):
            assert side_by_side(turned, make_scores(MTA), given).languages == [*order]

    def test_a_word_written_twice_is_matched_once(self) -> None:
        topics = MultilingualTopics.of_languages(
            {"en": [["king", "KING"]], "zh": [["茶", "国王"]]}, model="toy"
        )
        result = side_by_side(topics, make_scores(MTA), DICTIONARIES)
        assert marks(result, 0, "en") == ["king=1", "KING"]
        assert marks(result, 0, "zh") == ["茶", "国王=1"]


class TestFormats:
    def test_verdicts(self) -> None:
        assert [topic.verdict for topic in make_side_by_side(CNPMI).topics] == [
            "coherent",
            "unjudgeable",
        ]
        assert [topic.verdict for topic in make_side_by_side(MTA).topics] == ["", ""]
        negative = side_by_side(
            TOPICS, make_scores(words={"cnpmi(never=-1)@5": -0.1}), DICTIONARIES
        )
        assert negative.topics[0].verdict == "incoherent"

    def test_the_first_of_several_metrics_judges(self) -> None:
        result = side_by_side(
            TOPICS, make_scores(words={"cnpmi@5": -0.1, CNPMI: 0.1}), DICTIONARIES
        )
        assert [topic.verdict for topic in result.topics] == ["incoherent", "incoherent"]
        [said] = [line for line in result.legend if line.startswith("incoherent")]
        assert said.endswith("(by cnpmi@5)")
        [said] = [line for line in make_side_by_side(CNPMI).legend if line.startswith("incoherent")]
        assert said.endswith("is in the reference")

    def test_rows(self) -> None:
        first, second, last = map(json.loads, make_side_by_side(CNPMI, MTA).to_jsonl().splitlines())
        assert first == {
            "model": "toy",
            "topic": 0,
            "words_en": ["war", "King", "house", "taxi"],
            "words_zh": ["国王", "房子", "xx"],
            "words_ar": ["ملك", "حرب", "يوم", "taxi"],
            "matches": ["King=国王", "house=房子", "war=حرب", "King=ملك"],
            "verdict": "coherent",
            CNPMI: 0.25,
            f"{CNPMI} support": 0.5,
            f"{CNPMI} signature": f"{CNPMI}|seen",
            MTA: 0.25,
            f"{MTA} support": 0.5,
            f"{MTA} signature": f"{MTA}|seen",
        }
        assert (second[CNPMI], second[f"{CNPMI} support"]) == (None, 0)
        assert list(last) == list(first)
        assert last == {
            "model": "toy", "topic": None, "words_en": [], "words_zh": [], "words_ar": [],
            "matches": [], "verdict": "",
            CNPMI: 0.125, f"{CNPMI} support": 0.75, f"{CNPMI} signature": f"{CNPMI}|seen",
            MTA: 0.125, f"{MTA} support": 0.75, f"{MTA} signature": f"{MTA}|seen",
        }  # fmt: skip
        assert "verdict" not in make_side_by_side(MTA).to_dicts()[0]

    def test_metrics_of_whole_models(self) -> None:
        result = with_f1(make_side_by_side(CNPMI), error=0.0)
        first, _, last = result.to_dicts()
        assert [first[name] for name in first if name.startswith(F1)] == [None] * 4
        assert [(name, last[name]) for name in last if name.startswith(F1)] == [
            (F1, 0.8125), (f"{F1} support", 1.0), (f"{F1} error", 0.0), (f"{F1} signature", "f1"),
        ]  # fmt: skip
        assert f"{CNPMI} error" not in last
        assert [row["topic"] for row in result.to_polars().to_dicts()] == [0, 1, None]
        assert result.to_polars()[F1].to_list() == [None, None, 0.8125]

    def test_all_formats_have_the_model(self) -> None:
        result = with_f1(make_side_by_side(CNPMI))
        head, *lines = csv.reader(result.to_csv().splitlines())
        last = dict(zip(head, lines[-1], strict=True))
        assert [last[name] for name in ("topic", CNPMI, f"{CNPMI} support", F1)] == [
            "", "0.125", "0.75", "0.8125",
        ]  # fmt: skip
        assert json.loads(result.to_json())["rows"][-1][F1] == 0.8125
        assert "| toy | all |  |  |  |  | 0.1250 (75%) | 0.8125 |" in result.to_markdown()
        assert r"toy & all &  &  &  &  & 0.1250 (75\%) & 0.8125 \\" in result.to_latex()
        cells = ["toy", "all", "", "", "", "", "0.1250 (75%)", "0.8125"]
        row = "".join(f"<td style='text-align:left'>{text}</td>" for text in cells)
        assert f"<tr>{row}</tr></tbody>" in result.to_html()
        assert re.search(r"\ntoy +all +0\.1250 \(75%\) +0\.8125\n", str(result))

    def test_a_model_has_the_row_below_its_topics(self) -> None:
        other = MultilingualTopics.of_languages({"en": [["king"]], "tr": [["kral"]]}, model="other")
        rows = [
            Score(name, topic, CNPMI, value, 1.0, "")
            for name, topic, value in (("toy", 0, 0.1), ("toy", None, 0.2), ("other", None, 0.3))
        ]
        result = side_by_side([TOPICS, other], Scores(rows), DICTIONARIES)
        assert [(row.model, row.label, str(row.cell(CNPMI))) for row in result.rows] == [
            ("toy", "0", "0.1000"), ("toy", "1", "–"), ("toy", "all", "0.2000"),
            ("other", "0", "–"), ("other", "all", "0.3000"),
        ]  # fmt: skip
        assert [row.label for row in result.topics] == ["0", "1", "0"]

    def test_without_numbers_a_model_has_no_row(self) -> None:
        assert len(side_by_side(TOPICS, Scores([]), DICTIONARIES).rows) == 2

    def test_markdown(self) -> None:
        lines = make_side_by_side(CNPMI).to_markdown().splitlines()
        assert lines[0] == "| model | topic | en | zh | ar | verdict | cnpmi@10 ↑ |"
        assert lines[2] == (
            "| toy | 0 | **war=1** **King=2** **house=3** taxi | **国王=2** **房子=3** xx | "
            "**ملك=2** **حرب=1** يوم taxi | coherent | 0.2500 (50%) |"
        )
        assert any(line.startswith("=1: words of this number translate") for line in lines)

    def test_html_is_escaped(self) -> None:
        topics = MultilingualTopics.of_languages(
            {"en": [["<b>", "king"]], "zh": [["国王"]]}, model="<i>"
        )
        result = side_by_side(topics, Scores([]), DICTIONARIES).to_html()
        assert "<td style='text-align:left'>&lt;i&gt;</td>" in result
        assert "<bdi>&lt;b&gt;</bdi> <b><bdi>king</bdi>=1</b>" in result

    def test_text_and_latex(self) -> None:
        assert "war=1 King=2 house=3 taxi" in str(make_side_by_side(CNPMI))
        assert "war=1 King=2 house=3 taxi" in make_side_by_side(CNPMI).to_latex()


ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


class TestTerminal:
    def test_one_column_per_language(self) -> None:
        out = make_side_by_side(CNPMI, MTA).to_terminal(80, colors=True)
        lines = [line.rstrip() for line in ESCAPES.sub("", out).splitlines()]
        mark = "\N{LEFT-TO-RIGHT MARK}"
        assert lines[:6] == [
            "topic 0  coherent  cnpmi@10 ↑ 0.2500 (50%)  mta@10 ↑ 0.2500 (50%)",
            "   en        zh       ar",
            f"=1 war    =2 国王  =2 ملك{mark}",
            f"=2 King   =3 房子  =1 حرب{mark}",
            f"=3 house     xx       يوم{mark}",
            "   taxi               taxi",
        ]
        assert lines[-1] == "dim: words that the dictionary translates by no other word"
        place = lines.index("all topics  cnpmi@10 ↑ 0.1250 (75%)  mta@10 ↑ 0.1250 (75%)")
        assert lines[place - 1 : place + 2 : 2] == ["", ""]
        assert lines[place + 2].startswith("=1: words of this number")
        assert "\x1b[1;32m=2 King" in out  # bold, green
        assert "\x1b[2m   taxi" in out  # dim
        assert "note" not in out

    @pytest.mark.parametrize("width", [24, 40, 80, 120])
    def test_lines_fit(self, width: int) -> None:
        out = make_side_by_side(CNPMI, "inpmi@10", MTA, "twc@10").to_terminal(width, colors=True)
        blocks, legend = ESCAPES.sub("", out).split("=1: words of")
        for line in blocks.splitlines():
            assert cell_len(line.rstrip()) <= max(width, len("  cnpmi@10 ↑ 0.2500 (50%)"))
        # all words of all languages are shown in full; the first language is in each part
        for language in TOPICS.languages:
            for word in TOPICS.side(language)[0].words:
                assert word in blocks
        assert blocks.count("house") == (2 if width == 24 else 1)
        # the terminal wraps the legend, not we
        assert legend.startswith(" this number translate the one of en, by the dictionary\n")

    def test_several_models_are_named(self) -> None:
        other = MultilingualTopics.of_languages({"en": [["king"]], "tr": [["kral"]]}, model="other")
        result = side_by_side([TOPICS, other], make_scores(CNPMI), DICTIONARIES)
        lines = result.to_terminal(160).splitlines()
        assert lines[0].startswith("toy, topic 0  coherent  cnpmi@10")
        assert "toy, all topics  cnpmi@10 ↑ 0.1250 (75%)" in lines
        place = lines.index("other, topic 0  cnpmi@10 ↑ –")
        assert [line.split() for line in lines[place + 1 : place + 3]] == [
            ["en", "tr"],
            ["king", "kral"],
        ]

    def test_metrics_of_whole_models(self) -> None:
        rows = [Score("toy", 0, CNPMI, 0.25, 1.0, ""), Score("toy", None, F1, 0.8125, 1.0, "")]
        lines = side_by_side(TOPICS, Scores(rows), DICTIONARIES).to_terminal(160).splitlines()
        assert lines[0] == "topic 0  coherent  cnpmi@10 0.2500"
        assert [line for line in lines if F1 in line] == ["all topics  crosslingual_f1 0.8125"]

    def test_without_colors(self) -> None:
        out = make_side_by_side(CNPMI).to_terminal(160)
        assert "\x1b" not in out
        assert "=2 King" in out
        assert "dim:" not in out
