"""The page of a report on paper, and without scripts: nothing is lost."""

from __future__ import annotations

import contextlib
import random
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from tealeaves.report.sections.parts import Figure, Part, ReportTable, Word

from .browser import Opened, opened
from .report_samples import HOSTILE, dots, saved, scores, twin

pytestmark = pytest.mark.browser


def paper(shown: Opened) -> None:
    """Show the page as on paper: A4 without its margins."""
    shown.page.set_viewport_size({"width": 656, "height": 980})
    shown.page.emulate_media(media="print")


_CUT = """[...document.querySelectorAll("table")].map((table) => {
  const edge = table.closest(".card").getBoundingClientRect().right;
  const cells = [...table.querySelectorAll("th, td")];
  const range = document.createRange();
  const right = (cell) => {
    range.selectNodeContents(cell);
    return Math.max(cell.getBoundingClientRect().right, range.getBoundingClientRect().right);
  };
  return Math.max(...cells.map(right)) - edge;
})"""


# the lines of each number, but in the widest tables


_NUMBERS = """[...document.querySelectorAll("table:not(.smallest) td.number")].map((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return range.getClientRects().length;
})"""


def test_paper_has_all_columns(tmp_path: Path, browser: Any) -> None:
    draws = random.Random(2)

    def text() -> str:
        return draws.choice(
            ["tea", "W" * 9, "語" * 15, "a b c " * 8, "npmi(window=10)", "x" * 39, "y" * 99]
        )

    tables: list[Part] = [
        ReportTable(
            f"{columns} columns",
            [
                "model",
                "text",
                *(draws.choice(["metric_of_one", "NPMI@10", "x"]) for _ in range(columns)),
            ],
            [
                [f"model-{n}", text(), *(draws.gauss(0, 100) for _ in range(columns))]
                for n in range(4)
            ],
            labels=2,
        )
        for columns in (1, 3, 5, 7, 8, 9, 10, 11, 12, 14, 16, 20, 30, 40)
    ]
    words = tuple(Word(word) for word in HOSTILE)
    many = [
        ReportTable("texts", ["a"] * n, [[text() for _ in range(n)]] * 3) for n in (2, 5, 9, 14)
    ]
    many += [ReportTable("short", ["a"] * 14, [["no"] * 14])]
    many += [ReportTable("words", ["a", "b", "c"], [["x" * 30, words, words]])]
    with opened(saved(tmp_path, *tables, *many), browser=browser, wait=False) as shown:
        paper(shown)
        out = shown.page.evaluate(_CUT)
        assert len(out) == len(tables) + len(many)
        assert max(out) <= 0
        assert set(shown.page.evaluate(_NUMBERS)) == {1}


def inks(pdf: bytes) -> list[str]:
    """Return the drawing of each page."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    texts = []
    for one in streams:
        with contextlib.suppress(zlib.error):
            texts.append(zlib.decompress(one).decode("latin-1"))
    return [text for text in texts if re.search(r"\bTj|\bTJ", text)]


def test_heads_of_tables_are_on_each_page(tmp_path: Path, browser: Any) -> None:
    table = ReportTable("t", ["name", "x"], [[f"row {n}", n] for n in range(80)])
    with opened(saved(tmp_path, table), browser=browser, wait=False) as shown:
        shown.page.add_style_tag(content="thead th, .sort { color: #00ff00 !important; }")
        pages = inks(shown.page.pdf(format="A4"))
    assert len(pages) >= 2
    for page in pages:
        assert re.search(r"\b0 1 0 rg\b.*?T[jJ]", page, re.DOTALL)


def test_paper_gets_all_rows_unless_they_are_very_many(tmp_path: Path, browser: Any) -> None:
    path = saved(
        tmp_path,
        scores(HOSTILE, rows=130),
        scores(HOSTILE, rows=401),
        Figure("f", "F", "c", dots(HOSTILE), twin(HOSTILE, rows=120)),
    )
    with opened(path, browser=browser) as shown:
        shown.page.locator("#f [data-do=table]").click()
        shown.page.locator(".card.data").first.locator("thead button").nth(1).click()
        count = """() => [...document.querySelectorAll("table")].map((one) => {
          const rest = one.closest(".card").querySelector(".rest");
          const said = rest.checkVisibility() && rest.textContent.slice(0, 26);
          return [one.tBodies[0].rows.length, said];
        })"""
        before = [
            [100, "The first 100 of 130 rows;"],
            [100, "The first 100 of 401 rows;"],
            [100, "The first 100 of 120 rows;"],
        ]
        assert shown.page.evaluate(count) == before
        shown.page.evaluate(
            f"""() => addEventListener("beforeprint", () => {{
              window.printed = ({count})();
              window.last = document.querySelector("tbody tr:last-child td").textContent;
            }})"""
        )
        shown.page.pdf()
        assert shown.page.evaluate("window.printed") == [[130, False], before[1], [120, False]]
        assert shown.page.evaluate("window.last") == "0"  # sorted, the largest first
        assert shown.page.evaluate(count) == before
        shown.wait_drawn()


def test_a_page_is_printed_light_and_whole(tmp_path: Path, browser: Any) -> None:
    many = dots(HOSTILE, many=2000)
    path = saved(
        tmp_path,
        Figure("dots", "Dots", "c", dots(HOSTILE), twin(HOSTILE)),
        Figure("many", "Many", "c", many, twin(HOSTILE)),
    )
    with opened(path, dark=True, browser=browser) as shown:
        assert shown.page.locator("#many canvas").count() == 1
        shown.page.evaluate(
            """() => addEventListener("afterprint", () => {
              const found = document.querySelectorAll(".role-title-text text, .picture canvas");
              window.printed = [...found].map((one) => [one.localName, one.getAttribute("fill")]);
            })"""
        )
        pdf = shown.page.pdf()
        assert pdf.startswith(b"%PDF")
        assert shown.page.evaluate("window.printed") == [["text", "#000"], ["text", "#000"]]
        shown.wait_drawn()
        assert shown.page.locator("#many canvas").count() == 1
        shown.page.emulate_media(media="print")
        assert shown.page.evaluate("getComputedStyle(document.body).backgroundColor") == (
            "rgb(255, 255, 255)"
        )
        assert not shown.page.locator(".bar, .tools button, .skip").locator("visible=true").count()


def test_much_can_be_read_without_scripts(report_file: Path, browser: Any) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    try:
        page = context.new_page()
        page.goto(report_file.as_uri())
        assert page.locator(".card.data tbody tr").count() == len(HOSTILE)
        assert "drawn by a script" in page.locator("noscript p.note").inner_text()
        assert not page.locator("button, select, .plot").locator("visible=true").count()
        # tables stand in the place of charts; of several, that of the first
        for name in ("dots", "metrics", "heat"):
            cells = page.locator(f"#{name} tbody th").locator("visible=true")
            assert cells.all_text_contents() == HOSTILE
    finally:
        context.close()


def test_without_scripts_it_is_said_what_is_left_out(tmp_path: Path, browser: Any) -> None:
    path = saved(
        tmp_path,
        scores(HOSTILE, rows=130),
        Figure("f", "F", "c", dots(HOSTILE), twin(HOSTILE, rows=120)),
    )
    context = browser.new_context(java_script_enabled=False, offline=True)
    try:
        page = context.new_page()
        page.goto(path.as_uri())
        said = page.locator(".rest").locator("visible=true").all_inner_texts()
        assert [one.partition(";")[0] for one in said] == [
            "The first 100 of 130 rows",
            "The first 30 of 120 rows",
        ]
        assert page.locator("#f tbody tr").count() == 30
    finally:
        context.close()
