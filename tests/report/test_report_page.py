"""The page of a report: all inside, words as text, numbers as they are."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.report.nested_data import in_script, valid_text
from tealeaves.report.pages import report_page, save_report_page
from tealeaves.report.pages.report import page as page_module
from tealeaves.report.pages.report.data import MANY, SHOWN, marks, packed_chart
from tealeaves.report.pages.report.page import check_page, scripts, vega_script
from tealeaves.report.pages.report.tables import cell_text, packed_cell, packed_table, pieces
from tealeaves.report.sections.parts import (
    Card,
    Cards,
    Figure,
    Notes,
    Page,
    Picker,
    ReportTable,
    Section,
    Word,
)

from .report_samples import HOSTILE, PLAIN, dots, large, sample, scores, twin


class Parsed(HTMLParser):
    """The tags of a page, its scripts and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.scripts: list[tuple[dict[str, str], str]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        tag, attributes = self.tags[-1] if self.tags else ("", {})
        if tag == "script" and (not self.scripts or self.scripts[-1][0] is not attributes):
            self.scripts.append((attributes, data))
        else:
            self.text += data

    @property
    def blocks(self) -> dict[str, Any]:
        """The data of the page, with shared texts where they belong."""
        found = {given["id"]: json.loads(text) for given, text in self.scripts if "id" in given}
        texts = found.pop("page-texts")
        for data in found.values():
            data["table"]["rows"] = [
                [texts[cell["$"]] if isinstance(cell, dict) else cell for cell in row]
                for row in data["table"]["rows"]
            ]
        return found


@pytest.fixture(scope="module")
def text() -> str:
    return report_page(sample(HOSTILE))


@pytest.fixture(scope="module")
def parsed(text: str) -> Parsed:
    return Parsed(text)


def only(*parts: Any) -> str:
    return report_page(Page("t", "", [Section("s", "S", [], parts)]))


def test_hostile_words_are_text(parsed: Parsed) -> None:
    plain = Parsed(report_page(sample(PLAIN)))
    # not a tag more or less than with plain words, nor an attribute of theirs, but where lines end
    shapes = [[tag for tag, _ in one.tags if tag != "wbr"] for one in (parsed, plain)]
    assert shapes[0] == shapes[1]
    assert not [name for _, given in parsed.tags for name in given if name.startswith("on")]
    for word in HOSTILE:
        assert word.replace("\b", "") in parsed.text  # this parser, unlike browsers, drops it
    assert "49" not in re.findall(r"\d+", parsed.text.replace("7 * 7", ""))


def test_only_its_own_scripts_may_run(parsed: Parsed) -> None:
    [policy] = [given["content"] for tag, given in parsed.tags if given.get("http-equiv")]
    run = [script for given, script in parsed.scripts if "type" not in given]
    assert len(run) == 2
    hashes = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in run]
    allowed = " ".join(f"'sha256-{one}'" for one in hashes)
    assert f"script-src {allowed};" in policy
    assert policy.startswith("default-src 'none';")
    assert "eval" not in policy
    assert "connect" not in policy


def test_nothing_is_fetched(parsed: Parsed) -> None:
    for tag, attributes in parsed.tags:
        assert tag not in {"link", "iframe", "object", "embed", "img"}
        assert "src" not in attributes
        assert attributes.get("href", "#").startswith("#")
    styles = re.findall(r"<style>(.*?)</style>", report_page(sample(PLAIN)), re.DOTALL)
    assert len(styles) == 2
    style = "".join(styles)
    assert "@import" not in style
    assert "url(" not in style
    assert not re.search(r"https?://", scripts())


def test_addresses_are_there_once(parsed: Parsed) -> None:
    ids = [given["id"] for _, given in parsed.tags if "id" in given]
    assert len(ids) == len(set(ids))
    for _, attributes in parsed.tags:
        for name in ("href", "aria-labelledby", "aria-controls", "for", "data-source"):
            if name in attributes:
                assert attributes[name].removeprefix("#") in ids
    asked = set(re.findall(r'byId\("([\w-]+)"\)', scripts()))
    assert asked
    assert asked <= set(ids)


def test_two_things_of_one_address_are_refused() -> None:
    figure = Figure("s", "F", "", dots(PLAIN), twin(PLAIN))
    with pytest.raises(ValueError, match="two parts of the report are called s"):
        only(figure)


def test_the_data_of_tables_are_still_themselves(parsed: Parsed) -> None:
    given = scores(HOSTILE)
    [block] = [
        one["table"]
        for one in parsed.blocks.values()
        if one["table"]["columns"] == list(given.columns)
    ]
    assert block["caption"] == given.caption
    assert block["numeric"] == [False, True, True, False, False]
    assert block["decimals"] == [0, 0, 3, 0, 0]
    assert [row[0] for row in block["rows"]] == [row[0] for row in given.rows]
    assert [row[2] for row in block["rows"][:6]] == [0.0625, -0.0001, None, None, "inf", "-inf"]
    assert block["rows"][0][4] == [
        HOSTILE[0],
        [HOSTILE[1], 1, f"apart from {HOSTILE[2]}", 0],
        ["plain", 0, "", 1],
        ["odd", 1, "", 0],
    ]


def test_the_data_of_charts_are_still_themselves() -> None:
    chart = dots(HOSTILE)
    packed = json.loads(in_script(packed_chart(chart)))
    unpacked = {
        name: [dict(zip(rows["fields"], row, strict=True)) for row in rows["rows"]]
        for name, rows in packed["datasets"].items()
    }

    expected = json.loads(msgspec.json.encode(chart.to_dict(validate=False)))
    del expected["$schema"]
    assert packed["spec"] | {"datasets": unpacked} == expected
    assert {row["words"] for rows in unpacked.values() for row in rows if "words" in row} == set(
        HOSTILE
    )


def test_data_are_there_once() -> None:
    import altair as alt

    rows = [{"a": n} for n in range(5)]
    layers = [alt.Chart({"values": rows}).mark_point().encode(x="a:Q") for _ in range(3)]
    other = alt.Chart({"values": rows[:2]}).mark_bar().encode(x="a:Q")
    packed = packed_chart(alt.vconcat(alt.layer(*layers), other))
    assert sorted(len(one["rows"]) for one in packed["datasets"].values()) == [2, 5]
    spec = packed["spec"]
    tables = {name: one["rows"] for name, one in packed["datasets"].items()}
    assert marks(spec, tables) == 3 * 5 + 2


@pytest.mark.parametrize(("rows", "renderer"), [(MANY, "svg"), (MANY + 1, "canvas")])
def test_many_marks_are_pixels(rows: int, renderer: str) -> None:
    import altair as alt

    values = [{"a": n} for n in range(rows)]
    chart = alt.Chart({"values": values}).mark_point().encode(x="a:Q")
    assert packed_chart(chart)["renderer"] == renderer


def test_cells_by_hand() -> None:
    page = only(
        ReportTable(
            "Scores",
            ["model", "topics", "score", "mixed", "words"],
            [
                ["a", 10, 0.5, 1.0, (Word("tea"), Word("rust", odd=True, why="apart"))],
                ["b", None, math.nan, "x", (Word("té", match=2),)],
                ["c", 7, -math.inf, None, ()],
            ],
            digits=2,
        )
    )
    [body] = re.findall(r"<tbody>(.*?)</tbody>", page, re.DOTALL)
    assert re.findall(r"<tr>(.*)</tr>", body) == [
        '<th scope="row"><bdi>a</bdi></th><td class="number">10</td><td class="number">0.50</td>'
        '<td>1.00</td><td class="words"><bdi class="word">tea</bdi> <span class="word odd" '
        'tabindex="0" title="apart"><span class="unseen">odd: </span><bdi>rust</bdi></span></td>',
        '<th scope="row"><bdi>b</bdi></th><td class="number">–</td><td class="number">–</td>'
        '<td><bdi>x</bdi></td><td class="words"><bdi class="word">té</bdi>'
        '<sup class="match">2</sup></td>',
        '<th scope="row"><bdi>c</bdi></th><td class="number">7</td><td class="number">−∞</td>'
        '<td>–</td><td class="words"></td>',
    ]


@given(st.floats() | st.integers(-(2**50), 2**50), st.integers(0, 6))
def test_numbers_are_written_as_far_as_asked(value: float, digits: int) -> None:
    written = cell_text(value, digits)
    assert "-" not in written
    back = written.replace("−", "-")
    if math.isnan(value):
        assert written == "–"
    elif math.isinf(value):
        assert written == ("∞" if value > 0 else "−∞")
    elif value and not 10**-digits <= abs(value) < 1e9:
        # two digits, and an exponent where there would be many zeros
        assert float(back) == float(f"{value:.1e}")
        assert re.fullmatch(r"-?(\d\.\de-?\d+|0\.0{0,3}[1-9]\d)", back)
    else:
        assert abs(float(back) - value) <= 0.5 * 10**-digits + abs(value) * 1e-15
        assert len(back.partition(".")[2]) == digits
        assert not re.fullmatch(r"-[0.]+", back)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (1e200, "1.0e200"),
        (-2.55e9, "−2.6e9"),
        (1_250_000_000, "1.2e9"),
        (999_999_999.0, "999999999.000"),
        (0.0000012, "1.2e−6"),
        (-0.00034, "−0.00034"),
        (0.00005, "5.0e−5"),
        (0.001, "0.001"),
        (-0.0, "0.000"),
    ],
)
def test_large_and_small_numbers_by_hand(value: float, written: str) -> None:
    assert cell_text(value, 3) == written


@given(st.floats())
def test_a_number_is_packed_whole(value: float) -> None:
    import numpy as np

    for one in (value, np.float64(value)):
        back = json.loads(in_script(packed_cell(one)))
        expected = float(one)
        assert back == (
            None if math.isnan(expected) else expected if math.isfinite(expected) else str(expected)
        )
    assert packed_cell(np.int64(3)) == 3
    assert packed_cell(np.float32(0.5)) == 0.5


def test_a_long_table_is_written_in_part_and_known_whole() -> None:
    page = Parsed(only(scores(PLAIN, rows=SHOWN + 30)))
    assert len([tag for tag, _ in page.tags if tag == "tr"]) == 1 + SHOWN
    [block] = page.blocks.values()
    assert len(block["table"]["rows"]) == SHOWN + 30
    assert f"Show all {SHOWN + 30} rows" in page.text
    assert f"The first {SHOWN} of {SHOWN + 30} rows" in page.text
    whole = Parsed(only(scores(PLAIN, rows=SHOWN))).text
    assert "Show all" not in whole
    assert "of 100 rows" not in whole


def test_texts_break_after_signs() -> None:
    long = "npmi(window=10,a|b)" + "x" * 30
    page = only(ReportTable("t", [long, "b"], [[long, "a=b"], ["tea", 1.0]]))
    broken = f"<bdi>npmi(<wbr>window=<wbr>10,<wbr>a|<wbr>b){'x' * 30}</bdi>"
    assert f'<th scope="col">{broken}</th>' in page
    assert f'<th scope="row" class="long">{broken}</th><td><bdi>a=<wbr>b</bdi></td>' in page
    assert '<th scope="row"><bdi>tea</bdi></th>' in page


@given(st.text(alphabet="ab ,|=(-<&", max_size=60))
def test_pieces_are_the_text(text: str) -> None:
    assert "".join(pieces(text)) == text
    assert all(not re.search("[,|=(].", one) for one in pieces(text))


@pytest.mark.parametrize(
    ("columns", "size"),
    # a number is 5 wide, and 2 lie between columns
    [(2, "large"), (12, "large"), (13, "middle"), (14, "middle"), (17, "small"), (18, "smallest")],
)
def test_wide_tables_are_printed_small(columns: int, size: str) -> None:
    table = ReportTable("t", ["some name"] * columns, [["x", *[0.25] * (columns - 1)]] * 3)
    assert packed_table(table)["fit"] == size
    assert f'<table class="{size}"' in only(table)


def test_long_texts_do_not_make_print_small() -> None:
    words = ReportTable("t", ["a", "b"], [["x" * 39, (Word("y" * 200),)], ["z" * 500, ()]])
    assert packed_table(words)["fit"] == "large"
    capitals = ReportTable("t", ["a", "b", "c"], [["W" * 26, "語" * 12, "x"]])
    assert packed_table(capitals)["fit"] == "large"  # 52 + 24 + 1 and 6 between them
    capitals = ReportTable("t", ["a", "b", "c"], [["W" * 26, "語" * 13, "x"]])
    assert packed_table(capitals)["fit"] == "middle"


def test_halves_of_characters_are_replaced(tmp_path: Path) -> None:
    words = [f"{word}\ud800" for word in PLAIN]
    page = sample(words)
    text = report_page(page)
    text.encode()
    assert "Report on word0\ufffd" in text
    data = Parsed(text).blocks
    assert data["data-2"]["table"]["rows"][0][0] == "word0\ufffd"
    whole = "\ud83d\udc4b"  # two halves make one
    long = ("tea" * 9 + "\udc4b", (Word("\udc4b" * 30), Word(whole * 2)))
    save_report_page(
        Page(whole, "", [Section("s", "S", [], [ReportTable("t", ["a", "b"], [long])])]),
        tmp_path / "a.html",
    )
    saved = Parsed((tmp_path / "a.html").read_text(encoding="utf-8"))
    assert saved.blocks["data-1"]["table"]["rows"] == [
        ["tea" * 9 + "\ufffd", ["\ufffd" * 30, "👋👋"]]
    ]
    assert "👋" in saved.text


@given(st.text(st.characters(codec=None, categories=["Cs", "L"])))
def test_valid_text_can_be_written(text: str) -> None:
    after = valid_text(text)
    after.encode()
    assert valid_text(after) == after
    if text.isascii():
        assert after == text


def test_names_stand_in_their_own_direction() -> None:
    name = "نموذج"
    cards = Cards("c", [Card(name, (Word(name),), values=((name, name),), weakest=(name,))])
    figure = Figure("f", name, "", dots(PLAIN), ReportTable("t", [name], [[name]]))
    page = report_page(
        Page(
            name,
            name,
            [Section("s", "S", [], [Picker("p", "P", [figure], [name]), figure.table, cards])],
        )
    )
    body = re.sub(r"<script.*?</script>|<title>.*?</title>", "", page, flags=re.DOTALL)
    body = re.sub(r"(aria-label|title)=\"[^\"]*\"", "", body)
    bare = re.sub(
        rf"<bdi( class=\"word\")?>{name}</bdi>|<option [^>]*dir=\"auto\">{name}<", "", body
    )
    # what is left are the hidden names of buttons
    assert set(re.findall(rf".{{10}}{name}", bare)) == {f"n data-of>{name}"}
    assert len(re.findall(rf"<bdi[^>]*>{name}", body)) >= 8


def test_long_texts_are_there_once() -> None:
    long = "one two three four five six seven"
    words = tuple(Word(f"longish{n}", odd=n == 2) for n in range(5))
    tables = [ReportTable("t", ["a", "b", "c"], [[long, words, "short"]] * 3) for _ in range(2)]
    page = Parsed(only(*tables))
    data = [script for given, script in page.scripts if "id" in given]
    assert "".join(data).count(long) == 1
    assert "".join(data).count("longish4") == 1
    packed = [*(f"longish{n}" for n in range(2)), ["longish2", 1, "", 0], "longish3", "longish4"]
    for block in page.blocks.values():
        assert block["table"]["rows"] == [[long, packed, "short"]] * 3


def test_without_charts_there_is_no_library() -> None:
    page = only(Notes("n", ["line"]))
    assert len(page) < 100_000
    assert "vegaEmbed=" not in page


def test_a_large_report_is_not_too_large() -> None:
    assert len(report_page(large(models=10, topics=50)).encode()) < 2_000_000


def test_a_file_is_whole(tmp_path: Path, text: str) -> None:
    save_report_page(sample(HOSTILE), tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", text), "no command for a terminal"
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    with pytest.raises(InputError, match="a folder"):
        save_report_page(sample(HOSTILE), tmp_path)


class Converter:
    """A stand-in for the package that brings the library."""

    __version__ = "1"

    def __init__(self) -> None:
        self.made = 0

    def javascript_bundle(self, snippet: str) -> str:
        self.made += 1
        return f"const vegaEmbed = {self.made};{snippet}"


def library(converter: Converter, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(page_module, "require", lambda *_, **__: converter)
    vega_script.cache_clear()
    try:
        return vega_script()
    finally:
        vega_script.cache_clear()


def test_the_library_is_put_together_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path / "cache"))
    converter = Converter()
    first, second = library(converter, monkeypatch), library(converter, monkeypatch)
    assert first == second
    assert "const vegaEmbed = 1;window.vegaEmbed" in first
    assert converter.made == 1
    converter.__version__ = "2"
    assert "vegaEmbed = 2;" in library(converter, monkeypatch)
    [old, new] = (tmp_path / "cache").iterdir()
    for file in (old, new):  # damaged files are made again
        file.write_bytes(b"alert(1)")
    assert "vegaEmbed = 3;" in library(converter, monkeypatch)


def test_the_library_needs_no_place_to_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path / "file"))
    converter = Converter()
    assert "vegaEmbed = 1;" in library(converter, monkeypatch)
    assert "vegaEmbed = 2;" in library(converter, monkeypatch)


@pytest.mark.parametrize("missing", ["jinja2", "vl_convert"])
def test_missing_packages_are_named(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    check_page()
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtraError, match=r"tealeaves\[report\]"):
        check_page()


def test_reasons_of_words_stand_where_keys_reach_them(text: str) -> None:
    why = html.escape(f"unlike {HOSTILE[0]}", quote=True).replace("&#x27;", "&#39;")
    why = why.replace("&quot;", "&#34;")
    assert f'<span class="word odd" tabindex="0" title="{why}">' in text
