"""Tokens over languages, and the map of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.lexicon import SemanticMap, map_tokens, tabulate_tokens
from tealeaves.lexicon.extraction.result import Extraction, Token
from tealeaves.lexicon.maps.semantic_map import map_rows, save_map_rows

Said = Mapping[str, Sequence[str]]
PASSAGES = ("his right hand", "a hand", "the hand", "her left hand", "hand in hand")


def extraction(
    target: str, said: Said, *, model: str = "l", lemma: str = "hand", source: str = "eng"
) -> Extraction:
    """Return an extraction: for each key the expressions of each token in its passage."""
    tokens, passages = [], {}
    for key, expressions in said.items():
        forms = PASSAGES[int(key) - 1].split()
        places = [place for place, form in enumerate(forms) if form == "hand"]
        for place, one in zip(places, expressions, strict=False):
            found = frozenset(one.split("+")) - {""}
            tokens.append(Token(found, (0,) if found else (), 0.5, lemma, key, place))
        passages[key] = (forms, [f"{target}{key}"])
    return Extraction(source, target, model, f"{model}()", tuple(tokens), passages)


FIN = extraction(
    "fin", {"1": ["oikea"], "2": ["käsi"], "3": ["käsi"], "4": ["vasen"], "5": ["käsi", ""]}
)
RUS = extraction("rus", {"1": ["desn"], "3": ["ruk"], "4": ["ruk+lev"], "5": ["ruk", ""]})


def test_tokens_stand_side_by_side() -> None:
    table = tabulate_tokens([FIN, RUS], ["hand"])
    assert table.languages == ("fin", "rus")
    assert [(where.key, where.place) for where in table.occurrences] == [
        ("1", 2), ("2", 1), ("3", 1), ("4", 2), ("5", 0), ("5", 2),
    ]  # fmt: skip
    assert table.expressions[1] == [
        {"desn"}, None, {"ruk"}, {"ruk", "lev"}, {"ruk"}, frozenset(),
    ]  # fmt: skip
    assert table.translations["rus"]["3"] == ["rus3"]
    assert "2" not in table.translations["rus"]
    assert table.form(table.occurrences[0]) == "hand"
    assert table.signatures == {"fin": "l()", "rus": "l()"}


def test_tokens_are_in_the_order_of_the_text_whichever_language_has_them() -> None:
    table = tabulate_tokens([RUS, FIN], ["hand"])
    assert [where.key for where in table.occurrences] == ["1", "2", "3", "4", "5", "5"]


def test_languages_and_a_model_are_chosen() -> None:
    other = extraction("fin", {"1": ["x"]}, model="aligned(links=union)")
    table = tabulate_tokens([FIN, RUS], ["hand"], languages=["rus", "fin"])
    assert table.languages == ("rus", "fin")
    assert tabulate_tokens([FIN, RUS], ["hand"], languages=["rus"]).languages == ("rus",)
    for spec in ("hmm+u", "aligned( links = union )"):  # however the model is written
        chosen = tabulate_tokens([FIN, other], ["hand"], model=spec)
        assert chosen.models == {"fin": "aligned(links=union)"}
    with pytest.raises(InputError, match=r"languages: fn was not extracted; did you mean fin\?"):
        tabulate_tokens([FIN, RUS], ["hand"], languages=["fn"])


def test_some_tokens_are_drawn_and_the_same_again() -> None:
    drawn = [tabulate_tokens([FIN, RUS], ["hand"], most=3, seed=seed) for seed in (4, 4, 5, 6, 7)]
    assert {len(table.occurrences) for table in drawn} == {3}
    assert {table.available for table in drawn} == {6}
    assert drawn[0].occurrences == drawn[1].occurrences
    assert len({table.occurrences for table in drawn}) > 1
    for table in drawn:
        keys = {where.key for where in table.occurrences}
        assert table.passages.keys() == keys
        assert list(table.occurrences) == sorted(table.occurrences, key=lambda o: (o.key, o.place))


def test_what_a_model_is_less_sure_of_counts_as_no_expression() -> None:
    sure = (0.2, 0.3, math.nan, 0.29)
    tokens = [replace(token, confidence=p) for token, p in zip(FIN.tokens, sure, strict=False)]
    fin = replace(FIN, tokens=tuple(tokens))
    whole = tabulate_tokens([fin], ["hand"])
    assert (whole.doubted, whole.guesses("fin", 0.3)) == ({"fin": frozenset()}, 2)
    table = tabulate_tokens([fin], ["hand"], least=0.3)
    assert table.expressions == [[frozenset(), {"käsi"}, {"käsi"}, frozenset()]]
    assert table.doubted == {"fin": {0, 3}}
    assert table.extracted["fin"][0] == replace(tokens[0], expressions=frozenset(), words=())
    assert table.guesses("fin", 0.3) == 0
    with pytest.raises(
        InputError, match="least must be between 0 and 1, as confidences are, not 2"
    ):
        tabulate_tokens([fin], ["hand"], least=2)


def test_languages_stay_in_the_order_in_which_they_are_given() -> None:
    for given in ([RUS, FIN], [FIN, RUS]):
        found = map_tokens(tabulate_tokens(given, ["hand"]))
        assert found.languages == tuple(one.target for one in given)


def test_a_lemma_has_its_parts_of_speech() -> None:
    tagged = extraction("fin", {"1": ["oikea"]}, lemma="hand/N")
    assert tabulate_tokens([tagged], ["hand"]).lemmas == ("hand/N",)
    assert tabulate_tokens([tagged], ["hand/N"]).lemmas == ("hand/N",)
    with pytest.raises(InputError, match="'hand/V' was not extracted; did you mean hand/N"):
        tabulate_tokens([tagged], ["hand/V"])


def test_lemmas_are_in_the_order_in_which_they_were_asked_for() -> None:
    several = extraction("fin", {"1": ["a"]}, lemma="hand/V")
    more = [extraction("fin", {"2": ["b"]}, lemma=lemma) for lemma in ("arm", "hand/N")]
    tokens = (*several.tokens, *more[0].tokens, *more[1].tokens)
    passages = {**several.passages, **more[0].passages}
    table = tabulate_tokens([Extraction("eng", "fin", "l", "", tokens, passages)], ["hand", "arm"])
    assert table.lemmas == ("hand/N", "hand/V", "arm")


def test_what_cannot_be_laid_side_by_side() -> None:
    with pytest.raises(InputError, match="'hnd' was not extracted; did you mean hand"):
        tabulate_tokens([FIN, RUS], ["hnd"])
    with pytest.raises(InputError, match="no lemma is given"):
        tabulate_tokens([FIN], [])
    with pytest.raises(InputError, match="no extraction is given"):
        tabulate_tokens([], ["hand"])
    other = extraction("swe", {"1": ["hand"]}, source="deu")
    with pytest.raises(InputError, match="extractions of deu and of eng: a map has one source"):
        tabulate_tokens([FIN, other], ["hand"])
    second = extraction("fin", {"1": ["x"]}, model="hybrid")
    with pytest.raises(InputError, match="fin was extracted by l and by hybrid: choose a model"):
        tabulate_tokens([FIN, second], ["hand"])
    with pytest.raises(InputError, match="two extractions of fin by l"):
        tabulate_tokens([FIN, FIN], ["hand"])
    assert tabulate_tokens([FIN, second], ["hand"], model="hybrid").models == {"fin": "hybrid"}
    with pytest.raises(InputError, match="no extraction by t; there are l"):
        tabulate_tokens([FIN], ["hand"], model="t")


def test_sources_must_be_one_text() -> None:
    key, (forms, words) = next(iter(RUS.passages.items()))
    wrong = Extraction("eng", "rus", "l", "", RUS.tokens, {**RUS.passages, key: (forms[1:], words)})
    with pytest.raises(InputError, match="1 is another text in the extraction of rus than"):
        tabulate_tokens([FIN, wrong], ["hand"])
    far = Token(frozenset(), (), 0.0, "hand", "1", 7)
    with pytest.raises(InputError, match="'hand' at 1, word 7: no such word"):
        tabulate_tokens([Extraction("eng", "fin", "l", "", (far,), FIN.passages)], ["hand"])


@pytest.fixture(scope="module")
def found() -> SemanticMap:
    return map_tokens(tabulate_tokens([FIN, RUS], ["hand"]))


def test_tokens_that_are_expressed_alike_lie_together(found: SemanticMap) -> None:
    assert found.placed.tolist() == [0, 1, 2, 3, 4]
    points = found.layout.points
    np.testing.assert_allclose(points[2], points[4], atol=1e-9)
    assert np.linalg.norm(points[0] - points[2]) > 0.5
    assert found.members[5] == -1
    assert found.members[1] == found.members[2] == found.members[4]
    assert sorted(found.order.tolist()) == list(range(6))
    assert found.order[-1] == 5
    assert sorted(found.seriated) == ["fin", "rus"]


def test_what_languages_have(found: SemanticMap) -> None:
    assert found.inventories["fin"].expressions[0] == ("käsi", 3)
    assert found.inventories["rus"].missing == 1
    assert found.inventories["rus"].without == 1
    assert found.members[found.examples].tolist() == list(range(len(found.groups)))
    for language in found.languages:
        assert len(found.colexification.main[language]) == len(found.groups)


def test_a_map_of_nothing_is_a_map() -> None:
    empty = extraction("fin", {"1": [""], "2": [""]})
    found = map_tokens(tabulate_tokens([empty], ["hand"]))
    assert found.layout.points.shape == (0, 2)
    assert found.order.tolist() == [0, 1]
    assert len(found.groups) == 0
    assert found.colexification.pairs == ()


def test_settings_that_are_none() -> None:
    table = tabulate_tokens([FIN], ["hand"])
    with pytest.raises(InputError, match="unknown scaling nonmetric"):
        map_tokens(table, scaling="nonmetric")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="0 groups"):
        map_tokens(table, groups=0)


def test_the_table_for_other_programs(found: SemanticMap, tmp_path: Path) -> None:
    head, *rows = map_rows(found)
    assert head == ["lemma", "key", "place", "form", "group", "example", "x", "y", *found.languages]
    fin, rus = head.index("fin"), head.index("rus")
    assert [row[fin] for row in rows] == ["oikea", "käsi", "käsi", "vasen", "käsi", "-"]
    assert [row[rus] for row in rows] == ["desn", "", "ruk", "lev|ruk", "ruk", "-"]
    assert rows[5][4:8] == ["", "0", "", ""]
    assert [float(rows[0][6]), float(rows[0][7])] == pytest.approx(
        found.layout.points[0].tolist(), abs=1e-6
    )
    assert sum(row[5] == "1" for row in rows) == len(found.groups)
    save_map_rows(found, tmp_path / "map.tsv")
    lines = (tmp_path / "map.tsv").read_text().splitlines()
    assert [line.split("\t") for line in lines] == [head, *rows]
