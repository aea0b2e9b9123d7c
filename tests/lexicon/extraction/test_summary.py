"""What is told of extractions: a line, a table, bars."""

from __future__ import annotations

import math

import pytest

from tealeaves.lexicon.extraction.processes import TargetBars
from tealeaves.lexicon.extraction.result import Extraction, Token
from tealeaves.lexicon.extraction.summary import ExtractionSummary, TargetSummary


def test_a_summary_counts_expressions() -> None:
    sets = [["kä"], ["kä"], ["pivo"], [], ["kä", "x"]]
    tokens = [Token(frozenset(one), lemma="hand") for one in sets]
    tokens += [Token(frozenset(["jal"]), lemma="foot")]
    found = Extraction("en", "fi", "l", "", tuple(tokens), {}, 31)
    summary = ExtractionSummary([TargetSummary.of(found, ("hand", "foot", "eye"), math.nan)])
    first, second, third = summary.to_dicts()
    assert first == {
        "target": "fi", "model": "l", "shared": 31, "lemma": "hand", "tokens": 5, "expressed": 0.8,
        "sure": first["sure"], "expressions": 3, "commonest": ["kä", "pivo", "x"],
        "shares": [0.6, 0.2, 0.2], "seconds": first["seconds"],
    }  # fmt: skip
    assert (second["expressed"], second["expressions"]) == (1.0, 1)
    assert third["tokens"] == 0
    assert third["lemma"] == "eye"
    ((labels, cells),) = summary.table().rows
    assert labels == ["fi"]
    # 5 of 6 tokens; (3 + 1) / 2 expressions a lemma that has tokens
    assert [str(cell) for cell in cells] == [
        "31", "6", "83.3%", "–", "2.0", "hand: kä, foot: jal", "–",
    ]  # fmt: skip
    assert math.isnan(first["sure"])  # the model does not say
    assert summary.notes == []
    lonely = Extraction("en", "fi", "l", "", tuple(tokens[:5]), {}, 31)
    alone = TargetSummary.of(lonely, ("hand",), 1.25)
    assert alone.cells()[5:] == ["kä 60% pivo 20% x 20%", "1.2"]
    assert '"seconds":null' in summary.to_jsonl()


def graded(*tokens: tuple[str, float, str], target: str = "fi") -> TargetSummary:
    """Sum up tokens of a lemma, a confidence and letters that are expressions."""
    made = tuple(Token(frozenset(e), confidence=c, lemma=lemma) for lemma, c, e in tokens)
    found = Extraction("en", target, "hybrid", "", made, {}, 31)
    return TargetSummary.of(found, ("hand", "foot", "eye"), 2.3456)


def test_a_summary_tells_what_is_sure_from_guesses() -> None:
    target = graded(
        ("hand", 0.1, "a"), ("hand", 0.0999, "b"), ("hand", math.nan, ""), ("hand", 0.9, "a"),
        ("foot", 0.09996, "c"),  # saved as 0.1
    )  # fmt: skip
    summary = ExtractionSummary([target])
    hand, foot, eye = summary.to_dicts()
    assert (hand["sure"], hand["expressed"]) == (0.5, 0.75)
    assert foot["sure"] == 1
    assert math.isnan(eye["sure"])
    assert hand["seconds"] == 2.35
    assert target.cells()[2:4] == ["80.0%", "60.0%"]  # 4 and 3 of 5 tokens
    assert summary.table().metrics[2:4] == ["expressed", "sure"]
    (note,) = summary.notes
    assert note.startswith("fi: less than 80% of tokens are sure")
    assert "hybrid(least=0.1)" in note


def test_only_guesses_are_noted_once_for_all_targets() -> None:
    sure = [("hand", 0.5, "a")] * 4
    enough = graded(*sure, ("hand", 0.01, "b"))  # 80 %
    empty = graded(*sure, *[("hand", 0.01, "")] * 4)  # what is not sure is not expressed either
    assert ExtractionSummary([enough, empty, graded()]).notes == []
    poor = [graded(*sure, *[("hand", 0.01, "b")] * 2, target=name) for name in "abcde"]
    (note,) = ExtractionSummary([enough, *poor], ["first"]).notes[1:]
    assert note.startswith("a, b, c and 2 more: less than 80%")


def test_an_extraction_is_shown_in_a_line() -> None:
    tokens = tuple(Token(lemma=lemma) for lemma in ("hand", "hand", "foot"))
    passages = {str(n): (["a"] * 99, ["b"] * 99) for n in range(99)}
    found = Extraction("en", "fi", "l(most=3)", "signature", tokens, passages, 31)
    assert repr(found) == "Extraction(en to fi by l(most=3): 3 tokens of 2 lemmas)"


def test_bars_show_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    class Bar:
        def __init__(self, **options: object) -> None:
            self.total, self.n, self.said = options.get("total"), 0, ""
            drawn.append(self)

        def set_description_str(self, text: str, *, refresh: bool) -> None:
            assert not refresh
            self.said = text

        def refresh(self) -> None:
            told.append((self.said, self.n, self.total))

        def update(self) -> None:
            self.n += 1

        def close(self) -> None:
            self.said = "closed"

    drawn: list[Bar] = []
    told: list[tuple[str, int, object]] = []
    with TargetBars(2, shown=True) as bars:
        pass
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tealeaves.jobs._bar_class", lambda: Bar)
        with TargetBars(2, shown=True) as bars:
            bars.report("fi", "reading", 5, 10)
            bars.report("fi", "reading", 6, 10)  # too soon to be drawn
            count = bars.counter("sv", "reading")
            count(3)
            bars.finish("fi")
            assert [bar.said for bar in drawn] == ["", "closed", "sv: reading"]
            assert drawn[0].n == 1
        assert [bar.said for bar in drawn] == ["closed"] * 3
    assert told == [("fi: reading", 5, 10), ("sv: reading", 3, None)]
    assert capsys.readouterr().err == ""  # no terminal, no bars
