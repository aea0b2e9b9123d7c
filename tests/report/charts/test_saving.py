"""Words of users in files of charts: they are text, and nothing but text."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import altair as alt
import pytest

from tealeaves.report.charts import save_chart

EVIL = "</script><script>alert(1)</script>"
WORDS = [EVIL, "<!--<script>", "<img src=x onerror=alert(2)>", "a & b", "]]>", "\u2028"]


def chart() -> Any:
    rows: Any = [{"word": word, "x": number} for number, word in enumerate(WORDS)]
    return (
        alt.Chart(alt.InlineData(values=rows), title=EVIL)
        .mark_point()
        .encode(x="x:Q", y="word:N", tooltip="word:N")
    )


class Tags(HTMLParser):
    """The tags of a page, and the text of its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "script":
            self.scripts[-1] += data


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "chart.html"
    save_chart(chart(), path)
    return path.read_text()


def test_no_word_leaves_the_script_it_stands_in(page: str) -> None:
    assert EVIL not in page
    assert "<!--" not in page.partition("const spec = ")[2]
    parsed, plain = Tags(), Tags()
    parsed.feed(page)
    assert "img" not in parsed.tags
    assert sum("alert(1)" in script for script in parsed.scripts) == 1
    # as many scripts as without such words
    plain.feed(page.replace("\\u003c", "x"))
    assert len(parsed.scripts) == len(plain.scripts)


def test_the_words_are_still_themselves(page: str) -> None:
    start = page.index("const spec = ") + len("const spec = ")
    content, _ = json.JSONDecoder().raw_decode(page[start:])
    assert content == chart().to_dict()
    [rows] = content["datasets"].values()
    assert [row["word"] for row in rows] == WORDS


def test_the_menu_offers_pictures_alone(page: str) -> None:
    # the views of the source write the words as HTML, and the editor is on the network
    start = page.index("const embedOpt = ") + len("const embedOpt = ")
    options, _ = json.JSONDecoder().raw_decode(page[start:])
    expected = {"export": True, "source": False, "compiled": False, "editor": False}
    assert options["actions"] == expected


def test_a_picture_of_words_has_no_scripts(tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    save_chart(chart(), path)
    text = path.read_text()
    assert "<script" not in text
    assert "<img" not in text
    assert "&lt;img src=x" in text


@pytest.mark.parametrize("kind", ["svg", "pdf", "png", "html"])
def test_words_with_control_characters_are_drawn(kind: str, tmp_path: Path) -> None:
    """No SVG can hold them: the renderer would end the process."""
    path = tmp_path / f"a.{kind}"
    words = [{"word": f"c{chr(code)}d", "at": code} for code in (0, 8, 0x1B, 0xD800, 0xFFFE)]
    chart = alt.Chart({"values": words}).mark_text().encode(x="at:Q", text="word:N")
    save_chart(chart, path)
    assert path.stat().st_size > 500
