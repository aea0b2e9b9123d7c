"""The semantic map as a chart, and points that do not cover each other."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.lexicon import SemanticMap, map_tokens, tabulate_tokens
from tealeaves.lexicon.extraction.result import Extraction, Token
from tealeaves.report.charts import save_chart, semantic_map_chart
from tealeaves.report.charts.blocks.placement import place_points, spread
from tealeaves.report.charts.semantic_map import PALETTE, SHAPES
from tealeaves.report.pages.semantic_map.data import page_data

pytestmark = pytest.mark.usefixtures("inline_rows")
EVIL = "</script><script>alert(1)</script>"


def drawn(said: dict[str, list[str | None]]) -> SemanticMap:
    """Return the map of tokens that languages express so; None is no passage, "" nothing."""
    extractions = []
    for target, expressions in said.items():
        known = [(str(n), one) for n, one in enumerate(expressions) if one is not None]
        tokens = [
            Token(frozenset([one] if one else []), (), 0, "hand", key, 1) for key, one in known
        ]
        passages = {key: (["a", "hand"], ["x"]) for key, _ in known}
        extractions.append(Extraction("eng", target, "l", "l()", tuple(tokens), passages))
    return map_tokens(tabulate_tokens(extractions, ["hand"]))


@pytest.fixture(scope="module")
def found() -> SemanticMap:
    return drawn(
        {
            "fin": ["käsi", "käsi", "oikea", "käsi", "", ""],
            "rus": ["ruka", "ruka", "desnica", None, "ruka", ""],
        }
    )


def panels(chart: Any) -> list[Any]:
    return list(chart.to_dict()["concat"])


def test_a_point_for_each_token_that_is_placed(found: SemanticMap) -> None:
    by_title = {panel["title"]["text"]: panel for panel in panels(semantic_map_chart(found))}
    rows = by_title["Finnish"]["data"]["values"]
    assert [row["class"] for row in rows] == [
        "käsi (3)", "käsi (3)", "oikea (1)", "käsi (3)", "none (1)",
    ]  # fmt: skip
    assert [row["where"] for row in rows] == ["0", "1", "2", "3", "4"]
    # the same places in each panel
    others = by_title["Russian"]["data"]["values"]
    assert [(row["x"], row["y"]) for row in rows] == [(row["x"], row["y"]) for row in others]
    assert others[3]["class"] == "none (1)"


def test_the_most_frequent_expression_has_the_first_colour(found: SemanticMap) -> None:
    [panel] = panels(semantic_map_chart(found, ["fin"]))
    colour, shape = panel["encoding"]["color"]["scale"], panel["encoding"]["shape"]["scale"]
    assert colour["domain"] == ["käsi (3)", "oikea (1)", "none (1)"]
    assert colour["range"][:2] == list(PALETTE[:2])
    assert shape["range"][:2] == list(SHAPES[:2])
    assert len(PALETTE) == len(SHAPES) == len(set(SHAPES))


def test_rare_expressions_share_a_grey() -> None:
    many = [f"e{n}" for n in range(12)]
    [panel] = panels(semantic_map_chart(drawn({"xx": [*many, *many[:9]]})))
    domain = panel["encoding"]["color"]["scale"]["domain"]
    assert domain == [*(f"e{n} (2)" for n in range(8)), "rarer ones (5)"]


def test_long_expressions_that_begin_alike_stay_two() -> None:
    long = "a" * 40
    [panel] = panels(semantic_map_chart(drawn({"xx": [long + "b", long + "c", long + "c"]})))
    assert len(set(panel["encoding"]["color"]["scale"]["domain"])) == 2


def test_what_is_said_below_the_title(found: SemanticMap) -> None:
    lines = semantic_map_chart(found, ["rus"]).to_dict()["title"]["subtitle"]
    assert lines[0].startswith("6 tokens, 2 languages, 1 of them shown")
    assert f"stress {found.layout.stress:.3f} (smacof)" in lines[1]
    assert lines[2] == "the map leaves out 1 token that no language expresses"


def test_where_all_are_expressed_alike_there_is_no_stress() -> None:
    lines = semantic_map_chart(drawn({"fin": ["käsi"] * 3})).to_dict()["title"]["subtitle"]
    assert lines[1] == "stress –; the two dimensions hold –"


def test_twelve_languages_are_drawn_unless_others_are_chosen() -> None:
    many = drawn({f"l{n:02}": ["a", "b", "a"] for n in range(14)})
    assert len(panels(semantic_map_chart(many))) == 12
    assert len(panels(semantic_map_chart(many, ["l13"]))) == 1
    with pytest.raises(InputError, match="l1 is no language of this map"):
        semantic_map_chart(many, ["l1"])


def test_a_map_of_nothing_is_not_drawn() -> None:
    with pytest.raises(InputError, match="there is nothing to draw"):
        semantic_map_chart(drawn({"xx": ["", ""]}))


def test_hostile_words_are_text(tmp_path: Path, texts_of: Callable[[Any], list[Any]]) -> None:
    evil = semantic_map_chart(drawn({"<b>": [EVIL, "a"]}), title=EVIL)
    assert EVIL in [text.text for text in texts_of(evil)]
    save_chart(evil, tmp_path / "map.svg")
    assert "<script" not in (tmp_path / "map.svg").read_text()


def test_names_as_on_the_page_and_languages_as_they_were_given() -> None:
    said: list[str | None] = ["a", "b", "b", "c"]
    three = drawn({"zho": said, "arb": said[::-1], "ar": said, "mine": said})
    names = [panel["title"]["text"] for panel in panels(semantic_map_chart(three))]
    assert names == ["Chinese", "Arabic (arb)", "Arabic (ar)", "mine"]
    assert [row["name"] for row in page_data(three)["languages"]] == names
    assert semantic_map_chart(three).to_dict()["title"]["text"] == "hand (English)"


def test_the_chart_is_not_upside_down_to_the_page(tmp_path: Path) -> None:
    found = drawn({"fin": ["a", "b", "c"]})  # a triangle
    save_chart(semantic_map_chart(found, ["fin"]), tmp_path / "map.svg")
    marked = r'<path aria-label="x: [^>]*transform="translate\(([\d.]+),([\d.]+)\)'
    places = re.findall(marked, (tmp_path / "map.svg").read_text())
    chart = np.array(places, float) / 560
    data = page_data(found)
    page = np.array([token[4:6] for token in data["tokens"]]) / data["map"]["width"]
    np.testing.assert_allclose(chart, page, atol=1e-3)
    assert np.ptp(page[:, 1]) > 0.1


# -------------------------------------------------------------------- placing


@given(st.integers(0, 1000), st.lists(st.integers(1, 60), min_size=1, max_size=12))
def test_no_point_lies_farther_from_its_place_than_its_pile_needs(
    seed: int, sizes: list[int]
) -> None:
    places = np.random.default_rng(seed).normal(size=(len(sizes), 2))
    number = np.repeat(sizes, sizes)
    found = place_points(np.repeat(places, sizes, axis=0), width=720)
    drawn = np.stack([found.x, found.y], axis=1)
    assert (drawn >= found.radius).all()
    assert (drawn <= [found.width - found.radius, found.height - found.radius]).all()
    # discs of a honeycomb fill 0.9 of it; their rim is not quite round
    needed = found.radius * 1.08 * (np.sqrt(number / 0.9) + 1) * (number > 1)
    away = np.linalg.norm(drawn - found.homes, axis=1)
    assert (away <= needed + 2.2 * found.radius + 0.02).all()


def test_places_are_true_to_scale() -> None:
    points = np.random.default_rng(3).normal(size=(60, 2)).repeat(5, axis=0)
    homes = place_points(points, width=720).homes
    scale = np.ptp(homes[:, 0]) / np.ptp(points[:, 0])
    np.testing.assert_allclose(
        homes[:, 0], homes[0, 0] + scale * (points - points[0])[:, 0], atol=0.1
    )
    np.testing.assert_allclose(
        homes[:, 1], homes[0, 1] - scale * (points - points[0])[:, 1], atol=0.1
    )


@given(st.integers(2, 200))
def test_points_of_a_pile_lie_side_by_side_around_their_place(size: int) -> None:
    found = place_points(np.ones((size, 2)), width=720)
    drawn = np.stack([found.x, found.y], axis=1)
    apart = np.linalg.norm(drawn[:, None] - drawn, axis=2) + 1e9 * np.eye(size)
    assert apart.min() >= 2 * found.radius
    assert drawn.mean(0) == pytest.approx(found.homes[0], abs=0.1)


def test_a_large_pile_has_smaller_points() -> None:
    scattered = np.random.default_rng(0).normal(size=(200, 2))
    piled = scattered.copy()
    piled[:150] = 0
    assert place_points(piled, width=720).radius < place_points(scattered, width=720).radius


def test_two_piles_that_lie_apart_do_not_mix() -> None:
    points = np.array([[0.0, 0.0]] * 69 + [[1.0, 0.0]] * 69 + [[0.5, 0.8]])
    found = place_points(points, width=720)
    assert found.x[:69].max() < found.x[138] < found.x[69:138].min()


def test_both_dimensions_have_one_scale() -> None:
    points = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]])
    found = place_points(points, width=500, radius=2)
    places = np.stack([found.x, found.y], axis=1)
    wide = np.linalg.norm(places[1] - places[0])
    assert np.linalg.norm(places[2] - places[0]) / wide == pytest.approx(3 / 4, abs=1e-3)
    assert np.linalg.norm(places[2] - places[1]) / wide == pytest.approx(5 / 4, abs=1e-3)
    # the second dimension points upwards
    assert places[2, 1] < places[0, 1]


def test_points_with_room_stay_where_they_are() -> None:
    points = np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 3.0]])
    moved = spread(points, 4)
    assert moved[0] == pytest.approx([0, 0], abs=0.01)
    assert math.dist(moved[1], moved[2]) >= 7.9
    assert moved[1:].mean(0) == pytest.approx([100, 1.5], abs=0.01)


def test_a_crowd_is_not_pushed_far() -> None:
    crowd = np.random.default_rng(1).uniform(size=(300, 2)) * 20
    away = np.linalg.norm(spread(crowd, 5) - crowd, axis=1)
    assert away.max() == pytest.approx(10)


def test_no_points() -> None:
    assert place_points(np.zeros((0, 2)), width=100).x.tolist() == []
