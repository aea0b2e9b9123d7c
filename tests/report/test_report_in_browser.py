"""The page of a report in a browser: drawn without a network, for eyes and keys."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from tealeaves.report.pages import save_report_page
from tealeaves.report.sections.parts import (
    Code,
    Figure,
    Picker,
)  # fmt: skip

from .browser import Opened, downloaded, opened
from .report_samples import HOSTILE, dots, heat, large, saved, twin

pytestmark = pytest.mark.browser
FOCUSABLE = "a[href], button, select, summary, [tabindex='0']"
SVG = "{http://www.w3.org/2000/svg}"


def test_all_charts_are_drawn(desk: Opened) -> None:
    assert desk.page.evaluate("document.documentElement.dataset.drawn") == "3/3"
    counts = desk.page.evaluate(
        "[...document.querySelectorAll('.picture')]"
        ".map((one) => one.querySelectorAll('svg .role-mark path, svg .role-mark text').length)"
    )
    # points and the text; cells and their numbers
    assert counts == [len(HOSTILE) + 1, len(HOSTILE) + 1, 2 * 64]


def test_charts_keep_their_own_settings(desk: Opened) -> None:
    # no frame around the panel, which Vega-Lite would draw unless told not to
    frames = desk.page.locator("#dots .mark-group.role-scope, #dots .mark-group.role-frame")
    assert frames.count() > 0
    backgrounds = desk.page.locator("#dots svg path.background").all()
    assert backgrounds
    assert {one.get_attribute("stroke") for one in backgrounds} == {None}
    grid = desk.page.locator("#dots .role-axis-grid line").first
    assert grid.get_attribute("stroke") == "#e6e6e6"


def test_words_are_text(desk: Opened) -> None:
    assert desk.page.evaluate("window.hacked") is None
    assert desk.page.locator("main img, main b[onmouseover], main script").count() == 0
    words = desk.page.evaluate("[...document.querySelectorAll('td bdi')].map((b) => b.textContent)")
    assert set(HOSTILE) <= set(words)
    assert desk.page.locator("h1").text_content() == f"Report on {HOSTILE[0]}"


def test_a_pointer_is_told_the_words(desk: Opened) -> None:
    tip = desk.page.locator("#vg-tooltip-element")
    points = desk.page.locator("#dots .mark-symbol.role-mark path")
    assert points.count() == len(HOSTILE)
    for number in (0, 1, len(HOSTILE) - 1):
        points.nth(number).hover()
        tip.wait_for(state="visible")
        values = tip.locator("td.value").all_text_contents()
        assert values == [f"model {number % 2}", HOSTILE[number]]
        box = tip.bounding_box()
        assert box is not None
        assert box["width"] <= 382
    assert desk.page.evaluate("window.hacked") is None
    assert desk.page.locator("#vg-tooltip-element img").count() == 0


def test_keys_reach_all_in_order_and_show_where_they_are(shown: Opened) -> None:
    page = shown.page
    number = page.evaluate(
        f"""() => {{
          const found = [...document.querySelectorAll("{FOCUSABLE}")];
          window.all = found.filter((one) => one.checkVisibility());
          return window.all.length;
        }}"""
    )
    assert number > 30
    reached = []
    for _ in range(number):
        page.keyboard.press("Tab")
        place, outline, width = page.evaluate(
            """() => {
              const here = document.activeElement;
              const style = getComputedStyle(here);
              return [window.all.indexOf(here), style.outlineStyle, parseFloat(style.outlineWidth)];
            }"""
        )
        assert (outline, width >= 2) == ("solid", True)
        reached.append(place)
    assert reached == list(range(number))


def test_keys_open_a_table(desk: Opened) -> None:
    page, button = desk.page, desk.page.locator("#dots [data-do=table]")
    assert button.text_content() == f"Table of Dots of {HOSTILE[0]}"
    assert button.get_attribute("aria-expanded") == "false"
    button.focus()
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-expanded") == "true"
    cells = page.locator("#dots .twin tbody th").all_text_contents()
    assert cells == HOSTILE
    page.keyboard.press("Space")
    assert page.locator("#dots .twin").is_hidden()
    assert page.locator("#dots table").count() == 0


def test_a_reason_is_shown_to_keys(desk: Opened) -> None:
    word = desk.page.locator(".topic .odd").first
    assert word.text_content() == f"odd: {HOSTILE[-1]}"
    box = desk.page.locator("#page-why")
    assert box.is_hidden()
    word.focus()
    assert box.is_visible()
    assert box.text_content() == f"unlike {HOSTILE[0]}"
    desk.page.keyboard.press("Escape")
    assert box.is_hidden()


def test_a_picture_is_saved(desk: Opened) -> None:
    name, text = downloaded(desk, desk.page.locator("#dots [data-do=svg]"))
    assert name == "dots.svg"
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert [root.findtext(f"{SVG}{one}") for one in ("title", "desc")] == [
        f"Dots of {HOSTILE[0]}",
        f"Shows {HOSTILE[1]}",
    ]
    assert len(root.findall(f".//{SVG}path[@fill='#0072B2']")) >= len(HOSTILE) // 2
    assert not root.findall(f".//{SVG}script")


def test_a_dark_page_saves_light_pictures(desk: Opened, report_file: Path, browser: Any) -> None:
    light = downloaded(desk, desk.page.locator("#heat [data-do=svg]"))
    with opened(report_file, dark=True, browser=browser) as dark:
        assert downloaded(dark, dark.page.locator("#heat [data-do=svg]")) == light


def test_a_menu_chooses(shown: Opened) -> None:
    page, figure = shown.page, shown.page.locator("#metrics")
    page.get_by_label("Metric", exact=True).select_option(index=2)
    shown.wait_drawn()
    assert figure.locator("h3").text_content() == f"Metric 2 of {HOSTILE[2]}"
    assert figure.locator("figcaption").text_content() == f"Caption 2: {HOSTILE[2]}"
    assert figure.locator(".picture").get_attribute("aria-label") == f"Caption 2: {HOSTILE[2]}"
    assert figure.locator("svg .role-title-text text").all_text_contents() == ["Metric 2"]
    figure.locator("[data-do=table]").click()
    assert figure.locator("tbody th").all_text_contents() == HOSTILE[2:]
    page.get_by_label("Metric", exact=True).select_option(index=1)
    assert figure.locator("tbody th").all_text_contents() == HOSTILE[1:]
    assert downloaded(shown, figure.locator("[data-do=csv]"))[0] == "metric-1.csv"


def test_contents_say_where_the_reader_is(desk: Opened) -> None:
    here = desk.page.locator(".row a[aria-current]")
    for name in ("again", "charts", "verdict"):
        desk.page.locator(f".row a[href='#{name}']").click()
        desk.page.locator(f".row a[href='#{name}'][aria-current=location]").wait_for()
        assert here.count() == 1


def test_many_topics_stay_fluid(tmp_path: Path, browser: Any) -> None:
    path = tmp_path / "large.html"
    save_report_page(large(), path)
    with opened(path, browser=browser) as shown:
        page = shown.page
        assert page.locator(".picture canvas").count() == 6
        assert page.evaluate("document.querySelectorAll('*').length") < 5000
        figure = page.locator("#metrics")
        figure.locator("[data-do=table]").click()
        assert figure.locator("tbody tr").count() == 100
        figure.get_by_role("button", name="Show all 2,000 rows").click()
        assert figure.locator("tbody tr").count() == 2000
        figure.locator("thead button").nth(1).click()
        assert figure.locator("tbody th").first.text_content() == "row 1999"
        _, text = downloaded(shown, figure.locator("[data-do=csv]"))
        assert text.count("\r\n") == 2001
        page.locator("[data-do=all]").click()
        assert page.locator(".card.data tbody tr").count() == 2000


def test_what_cannot_be_drawn_is_said(tmp_path: Path, browser: Any) -> None:
    class Broken:
        def to_dict(self, **_: Any) -> dict[str, Any]:
            return {"mark": "nonsense", "encoding": {}, "data": {"values": []}}

    path = saved(
        tmp_path,
        Figure("bad", "Bad", "c", Broken(), twin(HOSTILE)),
        Figure("heat", "Good", "c", heat(2), twin(HOSTILE)),
    )
    with opened(path, browser=browser) as shown:
        assert "could not be drawn" in str(shown.page.locator("#bad .picture").text_content())
        assert shown.page.locator("#heat svg .mark-rect.role-mark path").count() == 4
        assert len(shown.complaints) == 1
        shown.complaints.clear()


def test_a_command_is_copied(tmp_path: Path, browser: Any) -> None:
    path = saved(tmp_path, Code("Command", f"score {HOSTILE[0]}\nnext"))
    with opened(path, browser=browser, wait=False) as shown:
        shown.page.locator("[data-do=copy]").click()
        said = (
            "() => /^(Copied|Selected)/.test(document.querySelector('[data-do=copy]').textContent)"
        )
        shown.page.wait_for_function(said)
        assert shown.page.evaluate("getSelection().toString()") == f"score {HOSTILE[0]}\nnext"


def test_a_single_choice_is_still_a_menu(tmp_path: Path, browser: Any) -> None:
    one = Figure("one", "One", "", dots(HOSTILE), twin(HOSTILE))
    with opened(
        saved(tmp_path, Picker("p", "Which", [one], ["the one"])), browser=browser
    ) as shown:
        assert shown.page.get_by_label("Which").input_value() == "data-1"
        assert shown.page.locator("#p .picture").get_attribute("aria-label") == "One"
