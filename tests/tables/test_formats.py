"""Whatever words, models and metrics are called, tables show it as text, in every format."""

from __future__ import annotations

import csv
import io
import math
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tealeaves.comparison.design import Design
from tealeaves.comparison.result import ComparedModel, Comparison, Pair, PairTable
from tealeaves.consensus.explanations import Explanation, Explanations
from tealeaves.judgments.correlation.result import Correlation, Correlations
from tealeaves.metrics.agreement import MetricAgreement, MetricPair
from tealeaves.metrics.crosslingual.side_by_side import SideBySide, SideBySideTopic, SideBySideWord
from tealeaves.metrics.scores import Score, Scores, Topic
from tealeaves.models.selection.candidates import Candidate, TrainedRun
from tealeaves.models.selection.result import Selection
from tealeaves.printing import visible
from tealeaves.tables.formats import escape_latex, escape_markdown
from tealeaves.tables.spreadsheets import read
from tealeaves.tables.tidy import Tidy

WORDS = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert('1')>", "<!-- c", "&amp;", "&#60;",
    "a|b", "*bold*", "**", "_it_", "c_v", "__init__", "`code`", "[x](http://e.x)", "![i](j)",
    "~~no~~", "~", "^", "$x^2$", "50%", "#1", "{y}", "\\cmd", "back\\", "שלום", "👩‍👩‍👧",
    "x" * 200, "=1+1", "new york", "a,b;c", "[width]", "*star", "--", "``q''", "?`",
]  # fmt: skip
NAN = math.nan


class Tables(HTMLParser):
    """The rows of all tables of a page, the texts around, and all tags."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.rows: list[list[str]] = []
        self.struck: list[str] = []
        self.around = ""
        self._cell = self._strike = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"style"}
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self._cell = True
            self.rows[-1].append("")
        if tag == "s":
            self.struck.append("")
            self._strike = True

    def handle_endtag(self, tag: str) -> None:
        self._cell &= tag not in ("td", "th")
        self._strike &= tag != "s"

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_data(self, data: str) -> None:
        if self._strike:
            self.struck[-1] += data
        if self._cell:
            self.rows[-1][-1] += data
        else:
            self.around += data


def one_space(text: str) -> str:
    return " ".join(text.split())


def expected(found: Tidy) -> list[list[str]]:
    table = found.table()
    rows = [[*labels, *map(str, cells)] for labels, cells in table.rows]
    return [[one_space(text) for text in row] for row in [table.headings, *rows]]


def hostile_scores() -> Scores:
    rows = [
        Score(model, topic, f"npmi {metric}", value, 0.5, "s")
        for metric in WORDS[:3]
        for model in WORDS
        for topic, value in ((WORDS[0], 0.1), ("t_", -0.2), (None, NAN))
    ]
    words: dict[tuple[str, Topic], list[str]] = {
        (model, topic): WORDS for model in WORDS for topic in (WORDS[0], "t_")
    }
    return Scores(rows, words=words, better={f"npmi {WORDS[0]}": "lower"})


def comparison() -> Comparison:
    pairs = [
        Pair(metric="m|_", model_a=a, model_b=WORDS[0], value_a=0.1, value_b=0.2) for a in WORDS
    ]
    summary = [ComparedModel(model=one, metric="m|_", value=0.1, letters="ab") for one in WORDS]
    design = Design(
        over="topics", pairing="id", test="t", correction="holm", level=0.05, draws=9, seed=1
    )
    return Comparison(pairs, summary, design=design, better={"m|_": "higher"})


def correlations() -> Correlations:
    given_: dict[str, Any] = {"low": 0.1, "high": 0.3, "n": 40, "clusters": 40, "draws": 9}
    rows = [
        Correlation(dataset=WORDS[0], task="*a*", model=WORDS[2], by="topic", metric=word,
                    coefficient="pearson", value=0.2, p=0.01, ceiling=0.5, **given_)
        for word in WORDS
    ]  # fmt: skip
    return Correlations(rows, better=dict.fromkeys(WORDS, "higher"))


def explanations() -> Explanations:
    rows = [
        Explanation(model=word, topic=word, value=0.4, low=0.1, high=0.7, support=0.5,
                    words=WORDS, sources=[word], why_not=word)
        for word in WORDS
    ]  # fmt: skip
    return Explanations(rows, level=0.9, top=10)


def selection() -> Selection:
    candidates = [
        Candidate(word, 5, word, (TrainedRun(word, 1, None, {"m|_": 0.1 + k / 100}, {"m|_": 1.0}),))
        for k, word in enumerate(WORDS)
    ]
    return Selection(candidates, {"m|_": "higher"}, trained={}, weight=None, tokens="words")


def side_by_side() -> SideBySide:
    words = [SideBySideWord(word, match=place % 3) for place, word in enumerate(WORDS)]
    score = Score("m", 0, "cnpmi", 0.1, 1.0, "s")
    rows = [
        SideBySideTopic(
            word, word, {"en": words, "he": words[::-1]}, [(word, word)], {"cnpmi": score}
        )
        for word in WORDS
    ]
    return SideBySide(rows, ["cnpmi"])


RESULTS = {
    "scores": hostile_scores,
    "comparison": comparison,
    "pairs": lambda: PairTable(comparison()),
    "correlations": correlations,
    "explanations": explanations,
    "selection": selection,
    "side by side": side_by_side,
    "between": lambda: MetricAgreement(
        [MetricPair(one, WORDS[0], "topics", "spearman", 0.5, 9) for one in WORDS], WORDS
    ),
}  # fmt: skip
results = pytest.mark.parametrize("made", RESULTS.values(), ids=RESULTS)
TABLE = {"table", "thead", "tbody", "tr", "th", "td", "p"}


@results
def test_html(made: Any) -> None:
    found = made()
    seen = Tables(found._repr_html_())
    assert seen.tags <= TABLE | {"b", "bdi", "s"}
    assert [[one_space(text) for text in row] for row in seen.rows] == expected(found)
    for line in found.legend:
        assert line in seen.around


def rendered(text: str) -> Tables:
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return Tables(re.sub(r' style="text-align:\w+"', "", parser.render(text)))


@results
def test_markdown(made: Any) -> None:
    found = made()
    seen = rendered(found.to_markdown())
    assert seen.tags <= TABLE | {"strong"}
    assert [[one_space(text) for text in row] for row in seen.rows] == expected(found)
    for line in found.legend:
        assert line in seen.around


_SIGNS = {
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textbar": "|",
    "textless": "<", "textgreater": ">", "ldots": "…", "uparrow": "↑", "downarrow": "↓",
    "delta": "δ", "pm": "±", "leq": "≤", "geq": "≥",
}  # fmt: skip
_JOINED = {"--": "–", "``": "“", "''": "”", "?`": "¿", "!`": "¡"}
_TOKEN = re.compile(r"\\([A-Za-z]+)(?:\{\}| ?)|\\(.)|(--|``|\'\'|\?`|!`)|([{}$])|(.)", re.DOTALL)


def typeset(line: str) -> list[str]:
    """Return the cells of a row of LaTeX, read by its rules, and not by the tables of ours."""
    cells = [""]
    depth = 0
    for command, escaped, joined, group, plain in _TOKEN.findall(line):
        if command == "textbf":
            continue
        if group:
            depth += {"{": 1, "}": -1, "$": 0}[group]
        elif plain == "&":
            assert depth == 0
            cells.append("")
        else:
            assert plain not in set("%#_^~\\")
            cells[-1] += _SIGNS[command] if command else escaped or _JOINED.get(joined, plain)
    assert depth == 0
    return [one_space(cell) for cell in cells]


@results
def test_latex(made: Any) -> None:
    found = made()
    lines = found.to_latex().split("\n")
    assert lines[1] == r"\toprule"
    assert lines[3] == r"\midrule"
    end = lines.index(r"\bottomrule")
    rows = [lines[2], *lines[4:end]]
    assert all(row.endswith(r" \\") for row in rows)
    # what would be taken for the length of the line before
    assert not any(row.startswith(("[", "*")) for row in rows)
    assert [typeset(row.removesuffix(r" \\")) for row in rows] == expected(found)
    assert all(line.startswith("% ") for line in lines[end + 2 :] if line)


@results
def test_csv_and_json(made: Any) -> None:
    import msgspec

    found = made()
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    records = found.to_dicts()
    assert len(rows) == len(records)
    for row, record in zip(rows, records, strict=True):
        for name, value in record.items():
            if isinstance(value, str):
                assert read(row[name]) == value
            if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
                assert read(row[name]) == " ".join(value)
    decoded = [msgspec.json.decode(line) for line in found.to_jsonl().splitlines()]
    assert [list(one) for one in decoded] == [list(one) for one in records]
    texts = [name for name, value in records[0].items() if isinstance(value, str)]
    assert [[one[name] for name in texts] for one in decoded] == [
        [one[name] for name in texts] for one in records
    ]


def test_odd_words_are_struck_through_whatever_they_are() -> None:
    words: dict[tuple[str, Topic], list[str]] = {("m", 0): WORDS}
    marked: dict[tuple[str, Topic], tuple[str, ...]] = {("m", 0): tuple(WORDS)}
    scores = Scores([Score("m", 0, "npmi", 0.1, 1.0, "s")], words=words, marked=marked)
    assert Tables(scores.to_html()).struck == WORDS
    assert rendered(scores.to_markdown()).struck == WORDS


TEXT = st.text(st.sampled_from("ab \\`*_|~$[]()<>!&#;:/{}%^-'\"1") | st.characters(codec="utf-8"))


@given(TEXT)
def test_any_text_survives_markdown(text: str) -> None:
    seen = rendered(f"| x |\n|---|\n| {escape_markdown(text)} |\n")
    assert seen.tags == TABLE - {"p"}
    assert one_space(seen.rows[1][0]) == one_space(visible(one_space(text)))


@given(st.text(st.sampled_from("ab \\`*_|~$[]()<>!&#;:/{}%^-'\"1")))
def test_any_text_survives_latex(text: str) -> None:
    assert typeset(escape_latex(text)) == [one_space(text)]


def test_bars_begin_at_zero_and_bear_what_is_missing() -> None:
    values = {"up": [0.5, 0.25, NAN, math.inf], "both": [-0.5, 0.5, 0.0, 0.25], "one": [0.5]}
    rows = [
        Score(f"m{place}", None, metric, value, 1.0, "s")
        for metric, each in values.items()
        for place, value in enumerate(each)
    ]
    page = Scores(rows).to_html()
    bars = re.findall(
        r"<td(?: style='background:linear-gradient\(90deg,(.*?)\)')?>(.*?)</td>", page
    )
    shown = {(bar, number) for bar, number in bars}
    blue = "#0072b24d"
    assert (f"#0000 0%,{blue} 0% 100%,#0000 100%", "0.5000") in shown
    assert (f"#0000 0%,{blue} 0% 50%,#0000 50%", "0.2500") in shown
    assert ("", "–") in shown
    assert ("", "inf") in shown
    assert (f"#0000 0%,{blue} 0% 50%,#0000 50%", "-0.5000") in shown
    assert (f"#0000 50%,{blue} 50% 100%,#0000 100%", "0.5000") in shown
    assert (f"#0000 50%,{blue} 50% 75%,#0000 75%", "0.2500") in shown
    # one number of a column says nothing beside others
    assert ("", "0.5000") in shown
