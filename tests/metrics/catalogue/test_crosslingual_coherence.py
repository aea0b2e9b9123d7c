"""CNPMI, INPMI and TWC: by hand, by their invariants, and on the Bible."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tealeaves
from tealeaves import MultilingualTopics, Scores
from tealeaves.errors import InputError
from tealeaves.text.paired.corpus import PairedCorpus

Tuples = list[dict[str, str]]
ALL = "cnpmi inpmi twc"

# four linked documents: king in 2, sea in 2; rey in 2 (both with king), mar in 1 (with sea)
KINGS: Tuples = [
    {"en": "king house", "es": "rey casa"},
    {"en": "king", "es": "rey"},
    {"en": "sea", "es": "mar"},
    {"en": "sea", "es": "sol"},
]


def model(**sides: list[list[str]]) -> MultilingualTopics:
    return MultilingualTopics.of_languages(sides, model="m")


def score_tuples(
    topics: MultilingualTopics, tuples: Tuples, spec: str = ALL, **given: Any
) -> Scores:
    return tealeaves.score(topics, PairedCorpus.of(tuples), spec, tokens="tokens", **given)


def value(scores: Scores, spec: str, topic: int | None = 0) -> tuple[float, float]:
    [row] = [row for row in scores if row.metric == spec and row.topic == topic]
    return row.value, row.support


def test_cnpmi_by_hand() -> None:
    scores = score_tuples(model(en=[["king", "sea"]], es=[["rey", "mar"]]), KINGS)
    # king-rey: P = 2/4, always together: NPMI 1. king-mar and sea-rey: never, 0.
    # sea-mar: P(sea) = 1/2, P(mar) = P(both) = 1/4: log(1/4 / (1/2 * 1/4)) / -log(1/4) = 1/2
    assert value(scores, "cnpmi") == pytest.approx(((1 + 0 + 0 + 0.5) / 4, 1.0))
    # never together inside a language: 0
    assert value(scores, "inpmi") == (0.0, 1.0)
    assert value(scores, "twc") == (1.0, 1.0)


def test_words_never_together_may_count_minus_one() -> None:
    topics = model(en=[["king", "sea"]], es=[["rey", "mar"]])
    scores = score_tuples(topics, KINGS, "cnpmi(never=-1) inpmi(never=-1)")
    assert value(scores, "cnpmi(never=-1)")[0] == pytest.approx((1 - 1 - 1 + 0.5) / 4)
    assert value(scores, "inpmi(never=-1)")[0] == -1.0


def test_inpmi_by_hand_and_by_language() -> None:
    scores = score_tuples(
        model(en=[["king", "house"]], es=[["rey", "sol"]]),
        KINGS,
        "inpmi inpmi(language=en) inpmi(language=es)",
    )
    # king in 2 of 4, house in 1, both in 1: log(1/4 / (1/2 * 1/4)) / -log(1/4) = 1/2
    assert value(scores, "inpmi(language=en)")[0] == pytest.approx(0.5)
    assert value(scores, "inpmi(language=es)")[0] == 0.0
    assert value(scores, "inpmi")[0] == pytest.approx(0.25)


def test_an_absent_word_counts_zero_and_lowers_the_support() -> None:
    scores = score_tuples(model(en=[["king", "castle"]], es=[["rey", "casa"]]), KINGS)
    # king-rey 1, king-casa 1/2 (as king-house above); castle is in no text: 0 of two pairs
    assert value(scores, "cnpmi") == pytest.approx(((1 + 0.5) / 4, 0.5))
    # English has no pair that can be judged; the mean is that of Spanish: rey-casa 1/2
    assert value(scores, "inpmi") == pytest.approx((0.5, 0.5))
    assert value(scores, "twc") == (0.75, 1.0)
    assert "m: not in the reference (en): castle" in scores.notes


def test_a_short_topic_is_scored_on_what_it_has() -> None:
    topics = model(en=[["king", "sea"]], es=[["rey", "mar"]])
    whole, short = score_tuples(topics, KINGS), score_tuples(topics, KINGS, "cnpmi@4 inpmi@4 twc@4")
    for name, share in (("cnpmi", 4 / 16), ("inpmi", 1 / 6), ("twc", 2 / 4)):
        assert value(short, f"{name}@4") == pytest.approx((value(whole, name)[0], share))


def test_incoherent_differs_from_unjudgeable() -> None:
    topics = model(en=[["king"], ["castle"], ["king"]], es=[["mar"], ["mar"], ["rey"]])
    scores = score_tuples(topics, KINGS)
    assert value(scores, "cnpmi", 0) == (0.0, 1.0)
    lost = value(scores, "cnpmi", 1)
    assert math.isnan(lost[0])
    assert lost[1] == 0.0
    assert value(scores, "twc", 1) == (0.5, 1.0)
    notes = "\n".join(scores.notes)
    assert "1 of 3 topics have no cnpmi, unjudgeable" in notes
    assert "incoherent by cnpmi" in notes
    assert "together no more than by chance): 0" in notes
    # the model's score is the mean over the topics that can be judged
    assert value(scores, "cnpmi", None)[0] == pytest.approx(0.5)


def test_a_topic_without_a_word_in_the_reference() -> None:
    scores = score_tuples(model(en=[["castle"]], es=[["castillo"]]), KINGS)
    assert value(scores, "twc") == (0.0, 1.0)
    assert math.isnan(value(scores, "cnpmi")[0])
    assert value(scores, "cnpmi")[1] == 0.0


def test_words_that_are_everywhere_score_one() -> None:
    scores = score_tuples(model(en=[["a"]], es=[["x"]]), [{"en": "a", "es": "x"}] * 3, "cnpmi")
    assert value(scores, "cnpmi") == (1.0, 1.0)


def test_three_languages_are_the_mean_over_pairs() -> None:
    tuples = [{**one, "sv": "kung" if "king" in one["en"] else "hav"} for one in KINGS]
    sides = {"en": [["king", "sea"]], "es": [["rey", "mar"]], "sv": [["kung", "hav"]]}
    whole = value(score_tuples(model(**sides), tuples, "cnpmi"), "cnpmi")[0]
    names = (("en", "es"), ("en", "sv"), ("es", "sv"))
    parts = [
        value(
            score_tuples(model(**{n: sides[n] for n in pair}), pair_tuples(tuples, pair)), "cnpmi"
        )[0]
        for pair in names
    ]
    assert whole == pytest.approx(np.mean(parts))


def pair_tuples(tuples: Tuples, pair: tuple[str, str]) -> Tuples:
    return [{name: one[name] for name in pair} for one in tuples]


words = st.lists(st.sampled_from("abcde"), min_size=1, max_size=4, unique=True)
texts = st.lists(st.sampled_from("abcde"), min_size=1, max_size=5).map(" ".join)
tuples_drawn = st.lists(st.fixed_dictionaries({"en": texts, "es": texts}), min_size=1, max_size=10)


@settings(max_examples=60, deadline=None)
@given(words, words, tuples_drawn, st.sampled_from([0, -1]))
def test_bounded_and_symmetric(left: list[str], right: list[str], made: Tuples, never: int) -> None:
    spec = f"cnpmi(never={never}) inpmi(never={never})"
    forth = score_tuples(model(en=[left], es=[right]), made, spec)
    back = score_tuples(model(es=[right], en=[left]), made, spec)
    for one, other in zip(forth, back, strict=True):
        assert math.isnan(one.value) == (one.support == 0)
        assert math.isnan(one.value) or -1 <= one.value <= 1
        assert one.value == pytest.approx(other.value, nan_ok=True)
        assert one.support == pytest.approx(other.support)


@settings(max_examples=60, deadline=None)
@given(words, words, tuples_drawn)
def test_against_the_formula_written_out(left: list[str], right: list[str], made: Tuples) -> None:
    result = value(score_tuples(model(en=[left], es=[right]), made, "cnpmi"), "cnpmi")[0]
    pairs, judged = [], 0
    for a in left:
        for b in right:
            p_a = np.mean([a in one["en"].split() for one in made])
            p_b = np.mean([b in one["es"].split() for one in made])
            p_ab = np.mean([a in one["en"].split() and b in one["es"].split() for one in made])
            judged += bool(p_a and p_b)
            if p_ab == 0:
                pairs.append(0.0)
            else:
                pairs.append(1.0 if p_ab == 1 else math.log(p_ab / (p_a * p_b)) / -math.log(p_ab))
    assert result == pytest.approx(np.mean(pairs) if judged else math.nan, nan_ok=True)


@settings(max_examples=40, deadline=None)
@given(words, st.lists(texts, min_size=2, max_size=10))
def test_a_corpus_paired_with_itself(listed: list[str], made: list[str]) -> None:
    """Each word with itself scores 1, and each pair what it scores inside the language."""
    twins = [{"en": text, "xx": text} for text in made]
    for word in listed:
        here = any(word in text.split() for text in made)
        result = value(score_tuples(model(en=[[word]], xx=[[word]]), twins, "cnpmi"), "cnpmi")[0]
        assert result == 1.0 if here else math.isnan(result)
    if all(any(word in text.split() for text in made) for word in listed) and len(listed) > 1:
        scores = score_tuples(model(en=[listed], xx=[listed]), twins, "cnpmi inpmi")
        size = len(listed)
        across, inside = (value(scores, name)[0] for name in ("cnpmi", "inpmi"))
        # of size² pairs, size are i = j, and each other pair is there twice
        assert across == pytest.approx((size + size * (size - 1) * inside) / size**2)


def test_inpmi_is_npmi_of_one_side() -> None:
    """Where no pair is never together and no word absent, INPMI is plain document NPMI."""
    made = [{"en": text, "es": "x"} for text in ("a b", "a b c", "c b", "d", "a c")]
    inside = value(
        score_tuples(model(en=[["a", "b", "c"]], es=[["x"]]), made, "inpmi(language=en)"),
        "inpmi(language=en)",
    )[0]
    plain = tealeaves.score([["a", "b", "c"]], [one["en"] for one in made], "npmi", tokens="tokens")
    assert inside == pytest.approx(plain.models.rows[0].value)


# ---------------------------------------------------------------------- what is refused


def test_a_metric_of_one_language_says_how_to_score_it() -> None:
    with pytest.raises(InputError, match=r"npmi cannot be computed: m: its topics are in s"):
        score_tuples(model(en=[["king"]], es=[["rey"]]), KINGS, "npmi")


def test_topics_in_one_language_are_refused() -> None:
    with pytest.raises(InputError, match="its topics are in one language"):
        tealeaves.score([["king", "sea"]], ["king"], "cnpmi")


def test_languages_must_be_those_of_the_topics() -> None:
    topics = model(en=[["king"]], sv=[["kung"]])
    with pytest.raises(InputError, match=r"m: its topics are in en, sv, .* no texts of sv"):
        score_tuples(topics, KINGS)
    made = [{**one, "sv": "hav"} for one in KINGS]
    with pytest.raises(InputError, match="m: no topics in sv"):
        score_tuples(model(en=[["king"]], es=[["rey"]]), made)
    with pytest.raises(InputError, match=r"inpmi.*no topics in tr"):
        score_tuples(model(en=[["king"]], es=[["rey"]]), KINGS, "inpmi(language=tr)")


def test_texts_are_needed() -> None:
    topics = model(en=[["king"]], es=[["rey"]])
    with pytest.raises(InputError, match="linked texts of each language"):
        tealeaves.score(topics, None, "cnpmi")
    with pytest.raises(InputError, match="texts of each: give --corpus en=PATH --corpus es=PATH"):
        tealeaves.score(topics, ["a king"], "cnpmi")


def test_models_of_one_and_of_several_languages_are_not_mixed() -> None:
    with pytest.raises(InputError, match="one after the other"):
        tealeaves.score({"m": model(en=[["a"]], es=[["b"]]), "n": [["a", "b"]]}, None, "cnpmi")


# ---------------------------------------------------------------------- counts, tokens, signatures


def test_saved_counts_give_the_same_scores(tmp_path: Path) -> None:
    from tealeaves.evidence import save_counts
    from tealeaves.evidence.linked import gather_linked
    from tealeaves.evidence.sources import pipelines_of_models
    from tealeaves.evidence.wording import Wordings
    from tealeaves.metrics import parse_metrics
    from tealeaves.metrics.planning import count_requests

    topics = model(en=[["king", "sea"]], es=[["rey", "mar"]])
    wording = Wordings(pipelines_of_models([topics], "tokens"))
    requests = count_requests([topics], parse_metrics(ALL), wording)
    linked = gather_linked(PairedCorpus.of(KINGS), wording.pipelines, requests)
    save_counts(linked.counts, tmp_path / "kings.counts")
    again = tealeaves.score(topics, None, ALL, counts=tmp_path / "kings.counts")
    whole = score_tuples(topics, KINGS)
    assert [(r.value, r.signature) for r in again] == [(r.value, r.signature) for r in whole]


def test_each_language_has_its_tokens() -> None:
    topics = model(en=[["King"]], es=[["Rey"]])
    made = [{"en": "king", "es": "Rey"}, {"en": "sea", "es": "mar"}]
    paired = PairedCorpus.of(made)
    tokens = {"en": "words", "es": "tokens"}
    scores = tealeaves.score(topics, paired, "cnpmi", tokens=tokens)
    assert value(scores, "cnpmi") == (1.0, 1.0)
    assert "en:words(" in scores.rows[0].signature
    assert "es:tokens(" in scores.rows[0].signature
    with pytest.raises(InputError, match="tokens for tr, but the texts are in en, es"):
        tealeaves.score(topics, paired, "cnpmi", tokens={"tr": "words"})


def test_the_signature_names_every_reference() -> None:
    tuples = [{**one, "sv": "kung" if "king" in one["en"] else "hav"} for one in KINGS]
    topics = model(en=[["king"]], es=[["rey"]], sv=[["kung"]])
    first = score_tuples(topics, tuples, "cnpmi").rows[0].signature
    for pair in ("en+es", "en+sv", "es+sv"):
        assert f"link(languages={pair})" in first
    tuples[-1]["sv"] = "hav hav"
    assert score_tuples(topics, tuples, "cnpmi").rows[0].signature != first


def test_variants_of_a_language_have_their_own_tokens() -> None:
    from tealeaves.evidence.sources import pipelines_of_models

    topics = MultilingualTopics.of_languages({"zh-Hans": [["a"]], "zh-Hant": [["b"]]})
    tokens = {"zh-Hant": "tokens", "zh-Hans": "words"}
    pipelines = pipelines_of_models([topics], tokens)
    assert {name: repr(one) for name, one in pipelines.items()} == tokens


def test_models_of_different_languages_together() -> None:
    models = [
        MultilingualTopics.of_languages({"en": [["king"]], name: [["x"]]}, model=name)
        for name in ("es", "sv")
    ]
    dictionaries = {"en-es": [("king", "x")], "en-sv": [("king", "y"), ("sea", "x")]}
    scores = tealeaves.score(models, None, "mta", dictionary=dictionaries)
    assert [row.value for row in scores.models] == [1.0, 0.0]


def test_texts_and_counts_together_are_refused() -> None:
    topics = model(en=[["king"]], es=[["rey"]])
    with pytest.raises(InputError, match="either a corpus or counts"):
        tealeaves.score(topics, PairedCorpus.of(KINGS), "cnpmi", counts=[])


def test_one_language_by_another_name() -> None:
    topics = model(en=[["king", "house"]], es=[["rey", "sol"]])
    scores = score_tuples(topics, KINGS, "inpmi(language=eng) twc(language=spa)")
    assert value(scores, "inpmi(language=eng)")[0] == pytest.approx(0.5)
    assert value(scores, "twc(language=spa)")[0] == 1.0


def test_names_of_languages_need_not_be_spelled_alike() -> None:
    topics = model(eng=[["king"]], spa=[["rey"]])
    assert value(score_tuples(topics, KINGS, "cnpmi"), "cnpmi")[0] == 1.0


@pytest.mark.reference
def test_the_kings_of_the_bible(reference_data: Path) -> None:
    topics = model(
        en=[["king", "reigned", "years", "son", "house"]],
        es=[["rey", "reinó", "años", "hijo", "casa"]],
    )
    paths = {name: reference_data / "bible" / f"{file}.tsv.gz" for name, file in BIBLES.items()}
    scores = tealeaves.score(topics, PairedCorpus.open(paths), ALL, tokens="words(digits=true)")
    assert value(scores, "cnpmi")[0] == pytest.approx(0.349828, abs=1e-6)
    assert value(scores, "twc")[0] == 1.0


BIBLES = {"en": "eng_web", "es": "spa_rv1909"}
