"""The relevance map of one text: cells, outlines, labels and colours."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.report.charts import (
    RelevancePanel,
    relevance_map,
    relevance_maps,
    save_chart,
)

pytestmark = pytest.mark.usefixtures("inline_rows")
Texts = Callable[[Any], list[Any]]
WORDS = ["moon", "the", "orbit", "moon"]
MATRIX = np.arange(16.0).reshape(4, 4) - 5
EVIL = ["</script><script>alert(1)</script>", "<b>bold</b>", "<img src=x onerror=alert(2)>"]


def panels(chart: Any) -> list[Any]:
    content = chart.to_dict()
    return list(content.get("hconcat") or content["vconcat"])


def layers(panel: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the rows of cells, of outlines and of labels."""
    cells, outlines, *labels = (layer["data"]["values"] for layer in panel["layer"])
    return list(cells), list(outlines), [row for some in labels for row in some]


def drawn(**given: Any) -> Any:
    wanted: dict[str, Any] = {"words": WORDS, "matrix": MATRIX, "marked": [0, 2, 3], "signed": True}
    [panel] = panels(relevance_map(**wanted | given))
    return panel


def subtitle(chart: Any) -> list[str]:
    return list(chart.to_dict(validate=False)["title"]["subtitle"])


def test_cells_are_the_matrix_the_word_that_attends_in_the_row() -> None:
    cells, _, _ = layers(drawn())
    found = {(cell["i"], cell["j"]): cell["value"] for cell in cells}
    assert found == {(i, j): MATRIX[i, j] for i in range(4) for j in range(4)}
    [one] = [cell for cell in cells if (cell["i"], cell["j"]) == (0, 2)]
    assert (one["row"], one["column"]) == ("moon (1)", "orbit (3)")


def test_a_word_that_comes_twice_keeps_two_rows(texts_of: Texts) -> None:
    panel = drawn()
    for layer in panel["layer"][:2]:
        assert layer["encoding"]["x"]["field"] == "j"
        assert layer["encoding"]["y"]["field"] == "i"
        assert layer["encoding"]["y"]["scale"]["domain"] == [0, 1, 2, 3]
    chart = relevance_map(WORDS, MATRIX, signed=True)
    moons = [text for text in texts_of(chart) if text.text == "moon"]
    # two left of rows and two below columns, all at places of their own
    assert len({(round(moon.x), round(moon.y)) for moon in moons}) == len(moons) == 4


def test_outlined_are_pairs_of_two_different_topic_words() -> None:
    # positions 0 and 3 are the same word: a topic's word has no pair with itself
    _, outlines, _ = layers(drawn())
    assert {(cell["i"], cell["j"]) for cell in outlines} == {(0, 2), (2, 0), (2, 3), (3, 2)}
    chart = relevance_map(WORDS, MATRIX, marked=[0, 2, 3], signed=True)
    # (0,2) −3, (2,0) 3, (2,3) 6, (3,2) 9
    assert "4 outlined pairs of topic words add up to 15" in subtitle(chart)


def test_words_that_lie_over_each_other_have_no_pair() -> None:
    apart = np.ones((4, 4), dtype=bool)
    apart[0, 2] = apart[2, 0] = False
    given: dict[str, Any] = {"marked": [0, 2, 3], "apart": apart, "signed": True}
    chart = relevance_map(WORDS, MATRIX, **given)
    cells, outlines, _ = layers(panels(chart)[0])
    assert {(cell["i"], cell["j"]) for cell in outlines} == {(2, 3), (3, 2)}
    grey = {(cell["i"], cell["j"]) for cell in cells if not cell["apart"]}
    assert grey == {(0, 2), (2, 0), (0, 0), (1, 1), (2, 2), (3, 3)}
    said = subtitle(chart)
    assert "2 outlined pairs of topic words add up to 15" in said  # 6 and 9
    assert said[0].endswith("so are words that lie over each other or make no word piece")
    assert not any(
        "lie over" in line for line in subtitle(relevance_map(WORDS, MATRIX, signed=True))
    )
    with pytest.raises(InputError, match="a row and a column for each of the 4 words"):
        relevance_map(WORDS, MATRIX, apart=np.ones((2, 2)), signed=True)


def test_labels_of_topic_words_are_bold() -> None:
    styles: dict[int, set[str]] = {}
    for layer in drawn()["layer"][2:]:
        for row in layer["data"]["values"]:
            styles.setdefault(row["i"], set()).add(layer["mark"]["fontWeight"])
    assert styles == {0: {"bold"}, 1: {"normal"}, 2: {"bold"}, 3: {"bold"}}


def test_colours_end_at_a_quantile_off_the_diagonal() -> None:
    n = 11  # 110 cells off the diagonal: 1 to 110
    matrix = np.zeros((n, n))
    matrix[~np.eye(n, dtype=bool)] = np.arange(1, 111)
    np.fill_diagonal(matrix, 1e6)
    # the 99 % quantile of 1..110 is 1 + 0.99 · 109
    limit = 1 + 0.99 * 109
    words = [f"w{number}" for number in range(n)]
    [signed] = panels(relevance_map(words, -matrix, signed=True))
    scale = signed["layer"][0]["encoding"]["color"]["scale"]
    assert scale["domain"] == pytest.approx([-limit, 0, limit])
    assert scale["clamp"]
    chart = relevance_map(words, matrix, signed=False)
    [panel] = panels(chart)
    domain = panel["layer"][0]["encoding"]["color"]["scale"]["domain"]
    assert domain == pytest.approx([0, limit / 2, limit])
    assert "colours end at 109; 2 of 110 cells lie beyond" in subtitle(chart)


def test_the_diagonal_has_no_colour_of_the_scale() -> None:
    conditions = drawn()["layer"][0]["encoding"]["color"]["condition"]
    assert conditions[0]["test"] == "!datum.apart"
    cells, _, _ = layers(drawn())
    assert {(cell["i"], cell["j"]) for cell in cells if not cell["apart"]} == {
        (n, n) for n in range(4)
    }
    assert conditions[1]["test"] == "datum.value === null"


def test_a_sparse_matrix_still_has_a_scale() -> None:
    matrix = np.zeros((20, 20))
    matrix[3, 4] = 0.5
    [panel] = panels(relevance_map(list("abcdefghijklmnopqrst"), matrix, signed=False))
    assert panel["layer"][0]["encoding"]["color"]["scale"]["domain"] == [0, 0.25, 0.5]


def test_zeros_are_said() -> None:
    assert "off the diagonal all is 0" in subtitle(relevance_map(WORDS, np.eye(4), signed=True))
    assert "off the diagonal all is 0" not in subtitle(relevance_map(WORDS, MATRIX, signed=True))


def test_what_is_not_known_is_said() -> None:
    matrix = MATRIX.copy()
    matrix[0, 2], matrix[1, 2] = math.nan, math.inf
    chart = relevance_map(WORDS, matrix, marked=[0, 2, 3], signed=True)
    assert "2 of 12 cells are not known (dark grey)" in subtitle(chart)
    assert "4 outlined pairs of topic words add up to 18" in subtitle(chart)
    cells, _, _ = layers(panels(chart)[0])
    assert sum(cell["value"] is None for cell in cells) == 2
    assert math.isnan(matrix[0, 2])
    assert math.isinf(matrix[1, 2])  # the caller's matrix stays as it is


@pytest.mark.parametrize("value", [0.0, math.nan, 3.0])
@pytest.mark.parametrize("n", [1, 2])
def test_extremes_are_drawn(texts_of: Texts, value: float, n: int) -> None:
    words = [f"w{number}" for number in range(n)]
    chart = relevance_map(words, np.full((n, n), value), marked=range(n), signed=True)
    texts = {text.text for text in texts_of(chart)}
    assert set(words) <= texts


def test_words_stand_beside_their_rows_and_do_not_overlap(texts_of: Texts) -> None:
    words = [f"w{number}" for number in range(100)]
    texts = texts_of(relevance_map(words, np.eye(100), signed=False))
    left = min(text.x for text in texts if text.text == "w50")
    heights = [text.y for text in texts if text.text in words and text.x == left]
    assert len(heights) == 100
    assert np.diff(heights).min() >= 9


def test_short_texts_stand_side_by_side_and_long_ones_below() -> None:
    def content(n: int) -> Any:
        given = [RelevancePanel("Attention", np.eye(n), signed=False)] * 2
        return relevance_maps([f"w{number}" for number in range(n)], given).to_dict(validate=False)

    assert len(content(12)["hconcat"]) == 2
    assert len(content(43)["vconcat"]) == 2


def test_panels_begin_at_the_same_height(texts_of: Texts) -> None:
    unknown = MATRIX.copy()
    unknown[0, 1] = math.nan
    given = [RelevancePanel("Attention", MATRIX, False), RelevancePanel("LRP", unknown, True)]
    texts = {text.text: text for text in texts_of(relevance_maps(WORDS, given))}
    assert texts["LRP"].y == pytest.approx(texts["Attention"].y, abs=1)
    scales = [panel["layer"][0]["encoding"]["color"]["scale"]["domain"]
              for panel in panels(relevance_maps(WORDS, given))]  # fmt: skip
    assert (scales[0][0], scales[1][0] < 0) == (0, True)


def test_words_like_html_are_text(tmp_path: Path) -> None:
    chart = relevance_map(EVIL, np.eye(3), marked=[0, 1], title=EVIL[0], signed=True)
    save_chart(chart, tmp_path / "map.html")
    page = (tmp_path / "map.html").read_text().partition("const spec = ")[2]
    for word in EVIL:
        assert word not in page
        assert word.replace("<", "\\u003c").replace(">", "\\u003e") in page
    save_chart(chart, tmp_path / "map.svg")
    drawing = (tmp_path / "map.svg").read_text()
    assert "<script" not in drawing
    assert "&lt;b" in drawing


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"words": [], "matrix": np.zeros((0, 0)), "marked": []}, "a text without words"),
        ({"matrix": np.zeros((3, 4))}, "the matrix of 4 words must be 4 x 4, not 3 x 4"),
        ({"marked": [0, 4]}, "position 4 is not in a text of 4 words"),
        ({"marked": [-1]}, "position -1 is not in a text of 4 words"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_line(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as raised:
        drawn(**given)
    assert "\n" not in str(raised.value)


def test_no_panels_are_refused() -> None:
    with pytest.raises(InputError, match="no relevance to draw"):
        relevance_maps(WORDS, [])
