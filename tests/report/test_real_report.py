"""The report as its reader meets it, in a real browser without a network."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tealeaves import demo
from tealeaves.judgments.judgments import Judgments
from tealeaves.report import make_run, open_run, save_report, save_run
from tealeaves.report.run import Run
from tealeaves.topics.topics import Topics

from .browser import opened
from .report_samples import HOSTILE

MODELS, TOPICS, WORDS = 10, 50, 15
MOST_BYTES = 3_000_000


def large_run(models: int = MODELS, topics: int = TOPICS) -> Run:
    """Return a run of models that are worse and worse, on texts of eighty themes."""
    draw = random.Random(0)
    themes = [[f"word{chr(97 + t % 26)}{t}x{n}" for n in range(30)] for t in range(80)]
    texts = [
        draw.choices(themes[one], k=20) + draw.choices(themes[other], k=15)
        for one, other in (draw.sample(range(80), 2) for _ in range(800))
    ]
    made = []
    for number in range(models):
        lists = []
        for _ in range(topics):
            words = draw.sample(themes[draw.randrange(80)], WORDS)
            mixed = [
                draw.choice(draw.choice(themes)) if draw.random() < number / models else word
                for word in words
            ]
            lists.append(list(dict.fromkeys(mixed)))
        made.append(Topics.of(lists, model=f"model {number}"))
    metrics = "npmi@10 c_v@10 umass@10 c_uci@10 lcp@10 diversity@10"
    return make_run(made, [" ".join(text) for text in texts], metrics, tokens="tokens")


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 10 models of 50 topics, and its report."""
    folder = tmp_path_factory.mktemp("large")
    save_run(large_run(), folder / "large.run")
    save_report(open_run(folder / "large.run"), folder / "large.html")
    return folder


@pytest.fixture(scope="module")
def demo_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the demo with its invented judgments."""
    path = tmp_path_factory.mktemp("demo") / "report.html"
    people = Judgments.of(demo.judgments())
    save_report(make_run(demo.models(), demo.corpus(), "npmi@10 c_v@10", judgments=people), path)
    return path


def test_it_is_small(large: Path) -> None:
    assert (large / "large.html").stat().st_size < MOST_BYTES


@pytest.mark.browser
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (390, False)])
def test_it_is_open_to_all(demo_report: Path, browser: Any, width: int, *, dark: bool) -> None:
    with opened(demo_report, width=width, dark=dark, browser=browser) as shown:
        assert shown.violations() == []
        assert shown.overflow() <= 0


@pytest.mark.browser
def test_all_charts_are_drawn_and_a_point_shows_its_words(demo_report: Path, browser: Any) -> None:
    with opened(demo_report, browser=browser) as shown:
        page = shown.page
        done, total = page.evaluate("document.documentElement.dataset.drawn").split("/")
        assert done == total
        assert int(total) >= 6
        assert page.locator("figure svg, figure canvas").count() >= int(total)
        strip = page.locator("#topics figure").first
        strip.scroll_into_view_if_needed()
        marks = strip.locator("svg .mark-symbol path")
        assert marks.count() >= 24
        marks.last.hover(force=True)
        tooltip = page.locator("#vg-tooltip-element")
        tooltip.wait_for(state="visible")
        words = {word for model in demo.models() for topic in model.topics for word in topic.words}
        assert len(words & set(tooltip.inner_text().split())) >= 10


@pytest.mark.browser
def test_four_times_the_topics_are_no_more_elements(
    large: Path, tmp_path: Path, browser: Any
) -> None:
    """A browser scrolls fluently through a page of few elements."""
    save_report(large_run(MODELS, 4 * TOPICS), tmp_path / "huge.html")
    elements = []
    for path in (large / "large.html", tmp_path / "huge.html"):
        with opened(path, browser=browser) as shown:
            elements.append(shown.page.locator("*").count())
    assert elements[1] <= elements[0]


@pytest.mark.browser
def test_a_choice_draws_its_own_chart_alone(large: Path, browser: Any) -> None:
    with opened(large / "large.html", browser=browser) as shown:
        page = shown.page
        charts = page.locator("figure .picture > *")
        total = charts.count()
        assert total >= 4
        charts.evaluate_all("(all) => all.forEach((one) => { one.dataset.before = 1; })")
        page.locator("#topics select").select_option(index=1)
        shown.wait_drawn()
        assert page.locator("figure .picture > [data-before]").count() == total - 1


@pytest.mark.browser
def test_hostile_words_are_text(tmp_path: Path, browser: Any) -> None:
    words = [word.strip() for word in HOSTILE]
    topics = [words[n:] + words[:n] for n in range(4)]
    models = [Topics.of(topics, model=name) for name in ("<b>one</b>", "two\"'")]
    texts = ["\t".join(words)] * 3 + ["x"]
    run = make_run(models, texts, "npmi@10", tokens="tokens")
    save_report(run, tmp_path / "hostile.html", title=words[0])
    with opened(tmp_path / "hostile.html", browser=browser) as shown:
        page = shown.page
        assert page.evaluate("window.hacked") is None
        assert page.locator("h1").inner_text() == words[0]
        assert page.locator("b", has_text="one").count() == 0
        assert "<b>one</b>" in page.locator("#verdict table").first.inner_text()
        shown_words = set(page.locator("#extremes bdi").all_text_contents())
        assert set(words[:8]) <= shown_words
        assert shown.overflow() <= 0
        assert page.evaluate("document.querySelectorAll('img').length") == 0


_REACHABLE = """() => {
  const all = document.querySelectorAll("a[href], button, select, summary, input, [tabindex='0']");
  return [...all].filter((one) => one.checkVisibility() && !one.disabled).length;
}"""
_FOCUSED = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  one.dataset.reached = "1";
  const style = getComputedStyle(one);
  return style.outlineStyle !== "none" || style.boxShadow !== "none";
}"""


@pytest.mark.browser
def test_the_keyboard_reaches_everything_and_shows_where_it_is(
    demo_report: Path, browser: Any
) -> None:
    with opened(demo_report, browser=browser) as shown:
        page = shown.page
        there = page.evaluate(_REACHABLE)
        assert there > 30
        for _ in range(there):
            page.keyboard.press("Tab")
            assert page.evaluate(_FOCUSED)
        assert page.evaluate("document.querySelectorAll('[data-reached]').length") == there
