"""The page of a report in the dark, on phones, and for those who see otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tealeaves.report.sections.parts import Cell, ReportTable

from .browser import Opened, opened
from .report_samples import HOSTILE, saved

pytestmark = pytest.mark.browser


def test_dark_is_chosen_and_kept(shown: Opened) -> None:
    page, button = shown.page, shown.page.locator("#page-theme")

    def state() -> tuple[str | None, str, str]:
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        fill = page.locator("#dots .role-title-text text").first.get_attribute("fill")
        return button.get_attribute("aria-pressed"), paper, fill

    assert state() == ("false", "rgb(247, 246, 243)", "#000")
    button.click()
    shown.wait_drawn()
    assert state() == ("true", "rgb(19, 22, 25)", "rgb(236,234,229)")
    page.reload()
    shown.wait_drawn()
    assert state() == ("true", "rgb(19, 22, 25)", "rgb(236,234,229)")
    button.click()
    shown.wait_drawn()
    assert state() == ("false", "rgb(247, 246, 243)", "#000")


def test_changes_of_mind_end_well(report_file: Path, browser: Any) -> None:
    with opened(report_file, browser=browser, wait=False) as shown:
        for number in range(3):
            shown.page.locator("#page-theme").click()
            shown.page.locator("#metrics-choice").select_option(index=2 - number)
        shown.wait_drawn()
        fills = shown.page.evaluate(
            "[...document.querySelectorAll('.role-title-text text:first-child')]"
            ".map((one) => [one.textContent, one.getAttribute('fill')])"
        )
    assert fills == [["Dots", "rgb(236,234,229)"], ["Metric 0", "rgb(236,234,229)"]]


@pytest.mark.parametrize(("dark", "width"), [(False, 1280), (True, 1280), (False, 390)])
def test_nobody_is_kept_out(report_file: Path, browser: Any, *, dark: bool, width: int) -> None:
    with opened(report_file, dark=dark, width=width, browser=browser) as shown:
        for button in shown.page.locator("[data-do=table]").all():
            button.click()
        assert shown.violations() == []
        assert shown.overflow() <= 0


_CONTRASTS = """() => {
  const curve = (part) => (part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
  const channel = (part) => curve(part / 255);
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return .2126 * channel(red) + .7152 * channel(green) + .0722 * channel(blue);
  };
  const contrast = (one, other) => {
    const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
    return (a + .05) / (b + .05);
  };
  const paper = getComputedStyle(document.querySelector(".card")).backgroundColor;
  const ofText = [...document.querySelectorAll("#dots svg text, #heat svg .role-axis text")]
    .filter((one) => one.textContent && one.getAttribute("fill"))
    .map((one) => contrast(one.getAttribute("fill"), paper));
  const cells = [...document.querySelectorAll("#heat .mark-rect.role-mark path")];
  const numbers = [...document.querySelectorAll("#heat .mark-text.role-mark text")];
  const fill = (one) => one.getAttribute("fill");
  const onCells = cells.map((cell, n) => contrast(fill(cell), fill(numbers[n])));
  const points = [...document.querySelectorAll("#dots .mark-symbol.role-mark path")]
    .map((one) => contrast(one.getAttribute("fill"), paper));
  return [ofText, onCells, points].map((some) => [some.length, Math.min(...some)]);
}"""


def test_dark_charts_can_be_read(report_file: Path, browser: Any) -> None:
    with opened(report_file, dark=True, browser=browser) as shown:
        (texts, text), (cells, cell), (points, point) = shown.page.evaluate(_CONTRASTS)
    assert texts > 20
    assert (cells, points) == (64, len(HOSTILE))
    assert text >= 4.5
    assert cell >= 4.5
    assert point >= 3


def test_a_phone_scrolls_only_what_is_wide(report_file: Path, browser: Any) -> None:
    with opened(report_file, width=390, height=844, browser=browser) as shown:
        page = shown.page
        assert shown.overflow() <= 0
        plot = page.locator("#heat .plot")
        assert plot.evaluate("(one) => one.scrollWidth > one.clientWidth")
        assert plot.get_attribute("tabindex") == "0"
        assert plot.get_attribute("data-more") == ""
        assert plot.get_attribute("aria-label") == "Metrics with each other: scrolls sideways"
        page.locator("summary").click()
        menu = page.locator(".drop a")
        assert menu.count() == 3
        for box in (one.bounding_box() for one in menu.all()):
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
        menu.nth(1).click()
        assert page.locator(".drop").get_attribute("open") is None
        page.wait_for_function(
            "() => document.querySelector('#charts').getBoundingClientRect().top < 200"
        )
    with opened(report_file, browser=browser) as shown:
        assert shown.page.locator("#heat .plot").get_attribute("tabindex") is None
        assert shown.page.locator("#heat .plot").get_attribute("data-more") is None


def test_a_phone_shows_that_there_is_more(tmp_path: Path, browser: Any) -> None:
    names = [f"metric {n}" for n in range(9)]
    rows: list[list[Cell]] = [[n, f"model {n} of a family of models", *[0.5] * 9] for n in range(3)]
    rows[-1][1] = "perplexities"
    wide = ReportTable("wide", ["rank", "model", *names], rows, labels=2)
    slim = ReportTable("slim", ["model", "x"], [["a", 0.5]])
    long = ReportTable(
        "long", ["model", *names], [["model" * 30, *[0.5] * 9], ["m" * 39, *[0.5] * 9]]
    )
    with opened(saved(tmp_path, wide, slim, long), browser=browser, width=320, wait=False) as shown:
        boxes = shown.page.locator(".scroll")

        def state(number: int) -> tuple[str | None, bool, str | None]:
            shown.pause()
            shown.pause()
            mask = boxes.nth(number).evaluate("(one) => getComputedStyle(one).maskImage")
            one = boxes.nth(number)
            return (
                one.get_attribute("data-more"),
                "gradient" in mask,
                one.get_attribute("data-held"),
            )

        assert [state(n)[:2] for n in range(3)] == [("", True), (None, False), ("", True)]
        assert [state(n)[2] for n in (0, 1)] == ["2", None]
        for place in (0, 2):
            labels = boxes.nth(place).locator("tbody th:not(.number)").all()
            assert max(one.bounding_box()["width"] for one in labels) < 0.5 * 320
        # a word is whole where there is room for it
        word = boxes.first.locator("tbody bdi").last
        assert word.text_content() == "perplexities"
        assert word.evaluate("(one) => one.getClientRects().length") == 1
        for part in ("thead", "tbody"):
            label = boxes.first.locator(f"{part} th").nth(1)
            left = boxes.first.bounding_box()["x"]
            boxes.first.evaluate("(one) => { one.scrollLeft = 9999; }")
            assert label.bounding_box()["x"] == pytest.approx(left, abs=1)
        assert state(0)[:2] == (None, False)
