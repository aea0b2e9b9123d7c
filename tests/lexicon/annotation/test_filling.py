"""The rows of a sheet."""

from __future__ import annotations

from tealeaves.lexicon.annotation.sample import SamplePlan
from tealeaves.lexicon.annotation.sampling import draw_sample
from tealeaves.lexicon.annotation.sheets import marked, sheet_rows
from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.words import Words


def passages(language: str, *, texts: dict[str, str], words: str = "") -> Passages:
    forms = Words.of(text.replace(".", "").replace(",", "").split() for text in texts.values())
    told = Words.of(words.split() for words in words.split("|")) if words else forms
    return Passages(language, tuple(texts), forms, told, texts=tuple(texts.values()))


SOURCE = passages(
    "eng",
    texts={"1": "The hand, the Hands.", "2": "A hand."},
    words="the hand/N the hand/N|a hand/N",
)


def test_tokens_stand_in_context_beside_the_target() -> None:
    target = passages("fin", texts={"2": "Käsi.", "1": "Käsi, kädet."})
    other = passages("zho", texts={"1": "手."})
    sample = draw_sample(SOURCE, [target, other], SamplePlan(), lemmas=["hand/N"])
    rows = sheet_rows(sample, SOURCE, target)
    assert [(one.key, one.place, one.form, one.passage, one.translation) for one in rows] == [
        ("1", 1, "hand", "The »hand«, the Hands.", "Käsi, kädet."),
        ("1", 3, "Hands", "The hand, the »Hands«.", "Käsi, kädet."),
        ("2", 1, "hand", "A »hand«.", "Käsi."),
    ]
    assert {(one.lemma, one.pos, one.source, one.target) for one in rows} == {
        ("hand/N", "N", "eng", "fin")
    }
    assert not any(one.is_annotated for one in rows)
    assert [one.key for one in sheet_rows(sample, SOURCE, other)] == ["1", "1"]  # what it has


def test_without_texts_the_forms_are_shown() -> None:
    plain = Passages("eng", SOURCE.keys, SOURCE.forms, SOURCE.words)
    assert marked(plain, 0, 3) == "The hand the »Hands«"


def test_where_forms_are_not_all_of_the_text_they_are_shown() -> None:
    """Stop words are left out, so that ``he`` would be found within ``the``."""
    forms = Words.of([["he", "ran"]])
    left = Passages("eng", ("1",), forms, forms, texts=("the he ran",))
    assert marked(left, 0, 0) == "»he« ran"
    gone = Passages("eng", ("1",), forms, forms, texts=("she",))
    assert marked(gone, 0, 1) == "he »ran«"
