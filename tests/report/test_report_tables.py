"""The tables of a report: sorted, saved, and with room for what is long."""

from __future__ import annotations

import csv
import io
import math
import random
from pathlib import Path
from typing import Any

import pytest

from tealeaves.report.pages import save_report_page
from tealeaves.report.sections.parts import Card, Cards, Cell, Page, ReportTable, Section, Word
from tealeaves.tables.spreadsheets import read

from .browser import Opened, downloaded, opened
from .report_samples import HOSTILE, saved, scores, twin

pytestmark = pytest.mark.browser


def test_data_are_saved_whole(desk: Opened) -> None:
    name, text = downloaded(desk, desk.page.locator("#dots [data-do=csv]"))
    assert name == "dots.csv"
    head, *rows = csv.reader(io.StringIO(text, newline=""))
    table = twin(HOSTILE)
    assert head == table.columns
    found = [[read(word), int(x), float(y)] for word, x, y in rows]
    assert found == [list(row) for row in table.rows]
    assert "control\\x08" in text


def test_words_are_saved_with_those_that_are_odd(desk: Opened) -> None:
    name, text = downloaded(desk, desk.page.locator(".card.data [data-do=csv]"))
    assert name == "table-1.csv"
    head, *rows = csv.reader(io.StringIO(text, newline=""))
    table = scores(HOSTILE)
    assert head == [*table.columns, "words (odd)"]
    assert [read(row[0]) for row in rows] == [row[0] for row in table.rows]
    assert not [row[0] for row in rows if row[0].startswith(("=", "+", "@"))]
    assert [row[2] for row in rows[:7]] == ["0.0625", "-0.0001", "", "", "inf", "-inf", "2.675"]
    assert rows[3][4:] == [
        f"{HOSTILE[3]}, {HOSTILE[4]}, plain, odd",
        f"{HOSTILE[4]}, odd",
    ]


def test_tables_are_sorted(desk: Opened) -> None:
    page, card = desk.page, desk.page.locator(".card.data")
    head, button = card.locator("thead th").nth(2), card.locator("thead th button").nth(2)
    before = card.locator("tbody").inner_html()

    def column() -> list[str]:
        return list(card.locator("tbody td:nth-child(3)").all_text_contents())

    known = [0.0625, -0.0001, math.inf, -math.inf, 2.675, 12.0, 0.0625, -0.0001, math.inf]
    shown_as = {math.inf: "∞", -math.inf: "−∞", -0.0001: "−0.00010"}
    written = [shown_as.get(x, f"{x:.3f}") for x in known]
    up = [text for _, text in sorted(zip(known, written, strict=True), key=lambda pair: pair[0])]
    button.focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert column() == [*reversed(up), *["–"] * 4]
    button.click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert column() == [*up, *["–"] * 4]
    button.click()
    assert head.get_attribute("aria-sort") is None
    # what scripts write is what the page was written with
    squeezed = [text.replace("\n", "") for text in (before, card.locator("tbody").inner_html())]
    assert squeezed[0] == squeezed[1]


def test_texts_that_begin_with_a_number_are_sorted_by_it(tmp_path: Path, browser: Any) -> None:
    cells = ["−16.4 [−17 to −15] a", "2.5 b", None, "−3 [−4 to −2] c", "10 a"]
    names = ["b", "a10", "a9", "é", "f"]
    table = ReportTable("t", ["name", "x"], [*zip(names, cells, strict=True)])
    with opened(saved(tmp_path, table), browser=browser, wait=False) as shown:
        heads = shown.page.locator("thead button")
        heads.nth(1).click()
        column = shown.page.locator("tbody td").all_text_contents()
        assert column == ["10 a", "2.5 b", "−3 [−4 to −2] c", "−16.4 [−17 to −15] a", "–"]
        heads.nth(0).click()
        assert shown.page.locator("tbody th").all_text_contents() == ["a9", "a10", "b", "é", "f"]


def test_scripts_write_numbers_as_python_does(tmp_path: Path, browser: Any) -> None:
    numbers = random.Random(1)
    values = [numbers.choice([1, -1]) * numbers.randrange(1, 4000) / 2**k for k in range(1, 16)]
    values += [numbers.gauss(0, 10**k) for k in range(-6, 7) for _ in range(4)]
    values += [numbers.gauss(0, 10**k) for k in range(-40, 60, 3)]
    values += [2.675, 1.005, 0.285, -0.0, 0.5, 1.5, -2.5, 1e-300, 123456789.125]
    values += [0.125, -0.375, 1.25e9, 1.35e9, 9.95e9, -1e200, 1e9, 999999999.5, 0.001, 0.00099999]
    values += [1e-4, 9.99e-5, 5e-324, 1.7e308, math.inf, -math.inf]
    tables = [
        ReportTable(f"{digits} digits", ["n", "value"], [*enumerate(values)], digits=digits)
        for digits in range(5)
    ]
    with opened(saved(tmp_path, *tables), browser=browser, wait=False) as shown:
        for card in shown.page.locator(".card.data").all():
            before = card.locator("td").all_text_contents()
            for _ in range(3):
                card.locator("thead button").first.click()
            assert card.locator("td").all_text_contents() == before


def test_numbers_are_saved_plain(tmp_path: Path, browser: Any) -> None:
    values = [-1.25, -1e-7, 1e200, 0.00034, -2.5e9, -math.inf]
    table = ReportTable("t", ["n", "x"], [*enumerate(values)])
    with opened(saved(tmp_path, table), browser=browser, wait=False) as shown:
        cells = shown.page.locator("td").all_text_contents()
        assert cells == ["−1.250", "−1.0e−7", "1.0e200", "0.00034", "−2.5e9", "−∞"]
        _, text = downloaded(shown, shown.page.locator("[data-do=csv]"))
    assert text.isascii()
    _, *rows = csv.reader(io.StringIO(text, newline=""))
    assert [float(x) for _, x in rows] == values


def test_long_texts_have_room_and_are_copied_whole(tmp_path: Path, browser: Any) -> None:
    long = "npmi(window=10,epsilon=1e-12,aggregate=mean)|reference=wikipedia-lemmatised|version=1"
    rows: list[list[Cell]] = [[f"m{n}", long, *[0.5] * 12] for n in range(2)]
    table = ReportTable("t", ["m", "signature", *(f"name of metric {n}" for n in range(12))], rows)
    with opened(saved(tmp_path, table), browser=browser, wait=False) as shown:
        cell = shown.page.locator("td.long").first
        room = cell.evaluate(
            "(one) => one.clientWidth / parseFloat(getComputedStyle(one).fontSize)"
        )
        assert room > 18  # em: 36 digits
        cell.evaluate("(one) => getSelection().selectAllChildren(one)")
        assert shown.page.evaluate("getSelection().toString()") == long
        lines = cell.evaluate(
            """(one) => {
              const range = document.createRange();
              const lines = (text) => {
                range.selectNodeContents(text);
                return range.getClientRects().length;
              };
              const pieces = [...one.firstChild.childNodes].filter((node) => node.data);
              return pieces.map(lines);
            }"""
        )
        assert len(lines) > 5
        assert set(lines[:-3]) == {1}  # pieces are on a line each
        shown.page.locator("thead button").first.click()
        assert cell.evaluate("(one) => one.querySelectorAll('wbr').length") == len(lines) - 1


def test_cards_keep_what_is_long(tmp_path: Path, browser: Any) -> None:
    values = (("perplexity", "9" * 200), ("npmi(window=10)" * 9, "0.5"))
    cards = Cards("Best", [Card("Topic", (Word("tea"),), values=values)] * 3)
    page = Page("Own", "", [Section("s", "S", [], [cards])], facts=(("models", "9" * 90),))
    save_report_page(page, tmp_path / "own.html")
    with opened(tmp_path / "own.html", browser=browser, wait=False) as shown:
        for width in (1280, 320):
            shown.page.set_viewport_size({"width": width, "height": 900})
            assert shown.overflow() <= 0
            out = shown.page.evaluate(
                """(() => {
                  const right = (one) => one.getBoundingClientRect().right;
                  const all = [...document.querySelectorAll(".topic :is(dt, dd)")];
                  return all.map((one) => right(one) - right(one.closest(".topic")));
                })()"""
            )
            assert len(out) == 12
            assert max(out) < 0
