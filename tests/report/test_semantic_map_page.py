"""The page of a semantic map: all inside, words as text, numbers as they are."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tealeaves.lexicon import SemanticMap, map_tokens, tabulate_tokens
from tealeaves.lexicon.extraction.result import Extraction, Token
from tealeaves.report.pages import save_semantic_map_page, semantic_map_page
from tealeaves.report.pages.semantic_map.data import page_data

from ..chromium import find_chromium  # noqa: TID252
from .browser import ARGUMENTS
from .report_samples import HOSTILE as ALL_HOSTILE

HOSTILE = ALL_HOSTILE[:10]


def drawn(*, hostile: bool) -> SemanticMap:
    """Return the map of eleven tokens in two languages; the last is expressed nowhere."""
    words = HOSTILE if hostile else [f"word{n}" for n in range(10)]
    code = "<i>xx" if hostile else "fin"
    extractions = []
    for target, same in ((code, 0), ("rus", 3)):
        tokens, passages = [], {}
        for n in range(11):
            key = f"{words[n % 10]} {n}" if hostile else f"GEN {n}"
            word = words[n - same if n >= same else n] if n < 10 else ""
            several = {word, words[0]} if word else set()
            tokens.append(Token(frozenset(several), (1,) if word else (), 0.5, "hand", key, 1))
            if (n, target) != (4, "rus"):
                passages[key] = (["a", words[n % 10], "b"], ["x", word or "y"])
            else:
                tokens.pop()
        signature = f"l(note={words[1]})"
        extractions.append(Extraction("eng", target, "l", signature, tuple(tokens), passages))
    return map_tokens(tabulate_tokens(extractions, ["hand"]))


class Page(HTMLParser):
    """The tags of a page, its scripts and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script" and not self.scripts[-1]:
            self.scripts[-1] = data
        else:
            self.text += data


@pytest.fixture(scope="module")
def evil() -> SemanticMap:
    return drawn(hostile=True)


@pytest.fixture(scope="module")
def text(evil: SemanticMap) -> str:
    return semantic_map_page(evil, title=HOSTILE[0])


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


def test_hostile_words_are_text(page: Page) -> None:
    plain = Page(semantic_map_page(drawn(hostile=False)))
    # not a tag more than with plain words, nor an attribute of theirs
    assert {tag for tag, _ in page.tags} == {tag for tag, _ in plain.tags}
    assert len(page.scripts) == len(plain.scripts) == 2
    assert not [name for _, given in page.tags for name in given if name.startswith("on")]
    for word in HOSTILE[:5]:
        assert word in page.text
    assert "49" not in re.findall(r"\d+", page.text.replace("7 * 7", ""))


def test_the_data_are_still_themselves(page: Page, evil: SemanticMap) -> None:
    assert "<" not in page.scripts[0]
    assert ">" not in page.scripts[0]
    data = json.loads(page.scripts[0])
    assert data == json.loads(json.dumps(page_data(evil))) | {"show": evil.languages[0]}
    everything = {one for row in data["languages"] for one in row["expressions"]}
    assert everything == set(HOSTILE)


def test_only_its_own_script_may_run(page: Page) -> None:
    [policy] = [given["content"] for tag, given in page.tags if given.get("http-equiv")]
    digest = base64.b64encode(hashlib.sha256(page.scripts[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in (policy or "")
    assert "default-src 'none'" in (policy or "")


def test_nothing_is_fetched(page: Page, text: str) -> None:
    outside = [url for url in re.findall(r"https?://[^\s\"'<>)]+", text) if "w3.org" not in url]
    assert not outside
    for tag, given in page.tags:
        assert tag not in {"link", "iframe", "object", "embed"}
        assert "src" not in given
        assert (given.get("href") or "#").startswith("#")
    assert "@import" not in text
    assert "url(" not in text


def test_the_parts_are_there(page: Page, evil: SemanticMap) -> None:
    ids = [given["id"] for _, given in page.tags if "id" in given]
    assert len(ids) == len(set(ids))
    assert {"map", "matrix", "groups", "expressions", "concordance"} <= set(ids)
    for _, given in page.tags:  # links within the page, and what labels point to
        for name in ("href", "aria-labelledby"):
            if name in given:
                assert (given[name] or "").removeprefix("#") in ids
    assert f"{evil.layout.stress:.3f}" in page.text
    assert "Not on the map: 1 token that no language expresses." in page.text
    assert "l(note=<img src=x onerror=window.hacked=2>)" in page.text


def test_every_script_finds_what_it_asks_for(page: Page) -> None:
    ids = {given["id"] for _, given in page.tags if "id" in given}
    asked = set(re.findall(r'byId\("([\w-]+)"\)', page.scripts[1]))
    assert asked
    assert asked <= ids


def test_data_by_hand() -> None:
    found = drawn(hostile=False)
    data = page_data(found)
    assert data["keys"][:2] == ["GEN 0", "GEN 1"]
    assert data["texts"][1] == "a word1 b"
    fin = next(row for row in data["languages"] if row["code"] == "fin")
    # word0 is in all that are expressed, and so the first
    assert (fin["expressions"][0], fin["counts"][0]) == ("word0", 10)
    assert fin["cells"][0] == 0
    assert fin["cells"][1] == [0, fin["expressions"].index("word1")]
    assert fin["cells"][10] == -1
    assert fin["words"][:2] == [1, 1]
    rus = next(row for row in data["languages"] if row["code"] == "rus")
    assert (rus["cells"][4], rus["texts"][4]) == (-2, 0)
    assert len(data["tokens"][10]) == 4  # it does not lie anywhere
    assert len(data["tokens"][0]) == 6


def unsure(confidences: dict[str, list[float]], least: float = 0.0) -> SemanticMap:
    """Return the map of tokens that models are so sure of; the last has no expression."""
    extractions = []
    for target, series in confidences.items():
        tokens = [
            Token(frozenset({f"w{n % 2}"}), (0,), sure, "hand", str(n), 0)
            for n, sure in enumerate(series)
        ]
        tokens.append(Token(frozenset(), (), 0.01, "hand", str(len(series)), 0))
        passages = {token.key: (["hand"], ["x"]) for token in tokens}
        extractions.append(Extraction("eng", target, "l", "l()", tuple(tokens), passages))
    return map_tokens(tabulate_tokens(extractions, ["hand"], least=least))


SURE = {"zho": [0.02, 0.0999, 0.1, math.nan], "fin": [1.0, 0.5, 0.09, 0.3]}


def cells(found: SemanticMap, what: str) -> list[int]:
    text = semantic_map_page(found)
    return [int(n) for n in re.findall(rf'data-what="{re.escape(what)}">(\d+)<', text)]


def test_guesses_are_counted() -> None:
    found = unsure(SURE)
    assert cells(found, "less sure than .1") == [2, 1]
    assert cells(found, "without expression") == [1, 1]
    assert cells(found, "left out") == []
    zho, fin = page_data(found)["languages"]
    assert zho["sure"] == [0.02, 0.0999, 0.1, -1, 0.01]
    assert (zho["doubted"], fin["doubted"]) == ([], [])


def test_what_is_less_sure_is_left_out() -> None:
    found = unsure(SURE, least=0.1)
    assert cells(found, "less sure than .1") == [0, 0]
    assert cells(found, "left out") == [2, 1]
    assert cells(found, "without expression") == [3, 2]
    zho = page_data(found)["languages"][0]
    assert zho["doubted"] == [0, 1]
    assert zho["cells"][:2] == [-1, -1]
    assert zho["words"][:2] == [[], []]


def test_languages_are_in_the_order_given() -> None:
    data = page_data(unsure(SURE))
    assert [row["code"] for row in data["languages"]] == ["zho", "fin"]
    assert sorted(data["rows"]) == [0, 1]
    text = semantic_map_page(unsure(SURE))
    assert '"show":"zho"' in text
    assert '<span class="language" title="zho">Chinese</span>' in text


def test_words_with_spaces_stay_whole(evil: SemanticMap) -> None:
    row = HOSTILE.index("two words")
    assert page_data(evil)["texts"][row] == ["a", "two words", "b"]


def test_a_page_of_nothing() -> None:
    token = Token(frozenset(), (), 0.5, "hand", "1", 0)
    none = Extraction("eng", "fin", "l", "l()", (token,), {"1": (["hand"], ["x"])})
    text = Page(semantic_map_page(map_tokens(tabulate_tokens([none], ["hand"])))).text
    assert "Not on the map: 1 token" in text


def browsed(found: SemanticMap, folder: Path) -> tuple[Page, str]:
    """Return a page as a browser has drawn it, and what it complained of."""
    save_semantic_map_page(found, folder / "map.html")
    command = [
        *(str(find_chromium()), "--headless", *ARGUMENTS),
        *(f"--user-data-dir={folder / 'profile'}", "--enable-logging=stderr"),
        *("--virtual-time-budget=1000", "--dump-dom", (folder / "map.html").as_uri()),
    ]
    done: Any = subprocess.run(command, capture_output=True, text=True, timeout=600)
    return Page(done.stdout), done.stderr


@pytest.mark.browser
def test_a_browser_says_how_sure(tmp_path: Path) -> None:
    shown, complaints = browsed(unsure(SURE, least=0.05), tmp_path)
    assert "CONSOLE" not in complaints
    for told in ("left out, sure .02", "sure .10", "2 expressions for 3 tokens; 1 less sure than"):
        assert told in shown.text
    classes = [given.get("class") or "" for _, given in shown.tags]
    assert [name for name in classes if "head" in name.split()].count("head guess") == 1
    labels = [given for tag, given in shown.tags if tag == "text" and "x" in given]
    assert labels
    for label in labels:  # letters of 26 pixels stay inside, on narrow screens too
        right = float(label["x"] or 0) + (0 if label.get("text-anchor") else 22)
        assert right <= 720
        assert float(label["y"] or 0) >= 24


@pytest.mark.browser
def test_a_browser_shows_it(evil: SemanticMap, tmp_path: Path) -> None:
    shown, complaints = browsed(evil, tmp_path)
    assert "CONSOLE" not in complaints
    assert not [tag for tag, _ in shown.tags if tag in {"img", "b onmouseover"}]
    points = [given for tag, given in shown.tags if tag == "path" and "transform" in given]
    assert len(points) == 10
    assert len([given for tag, given in shown.tags if given.get("class", "") == "line"]) == 10
    assert "All 11 tokens" in shown.text
