"""Parameters of coherence measures: what they mean together, and what is refused."""

from __future__ import annotations

import contextlib
import math
from typing import Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tealeaves
from tealeaves.errors import EvidenceError, InputError
from tealeaves.expressions import Value
from tealeaves.metrics import METRICS, Metric, metric, npmi, parse_metrics
from tealeaves.metrics.coherence_by_counts.family import Coherence


def test_expressions_and_calls_make_the_same_metric() -> None:
    assert npmi(window=10) @ 10 == metric("npmi(window=10)@10")
    assert repr(npmi(window=10) @ 10) == "npmi(window=10)@10"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("npmi(never=-1)@10", "npmi@10"),
        ("npmi( eps = 1e-12 )@10", "npmi(eps=1e-12)@10"),
        ("npmi(eps=0.000000000001)", "npmi(eps=1e-12)"),
        ("c_v(compat='gensim')@10", "c_v(compat=gensim)@10"),
        ('c_v(compat="gensim")@10', "c_v(compat=gensim)@10"),
        ("c_v(never=0)", "c_v(never=0)"),
        ("c_v(eps=none)", "c_v(never=-1)"),
        ("c_v(window=none)", "c_v(window=none)"),
        ("c_a(window=20)", "c_a(window=20)"),
        ("c_npmi(window=10)", "c_npmi"),
        ("uci(base=2)@5", "c_uci(base=2)@5"),
        ("umass(smooth=1, aggregate=sum)", "umass(smooth=1, aggregate=sum)"),
        ("npmi@10(window=5)", "npmi(window=5)@10"),
    ],
)
def test_the_repr_is_canonical(written: str, shown: str) -> None:
    assert repr(metric(written)) == shown
    assert metric(shown) == metric(written)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("npim@10", "unknown metric npim; did you mean npmi?"),
        ("npmi(windw=3)", "npmi has no parameter windw; did you mean window?"),
        ("npmi(window=0)", "window must be a whole number of at least 1, or none, not 0"),
        ("npmi(window=ten)", "window must be a whole number of at least 1, or none, not ten"),
        ("npmi(window=2.5)", "window must be a whole number of at least 1, or none, not 2.5"),
        ("npmi(oov=ignore)", "oov must be one of skip, zero, error, not ignore"),
        ("npmi(eps=0)", "eps must be a number of more than 0 and of less than 1, or none, not 0"),
        ("npmi(eps=1e-12, never=0)", "give eps or never, not both"),
        ("c_a(window=5, context=5)", "give window or context, not both"),
        ("pmi(eps=none)", "minus infinity: add eps=1e-12"),
        ("umass(eps=none)", "minus infinity"),
        ("c_v(compat=gensim, never=0)", "compat=gensim decides never itself"),
        ("npmi(compat=gensim, eps=1e-6)", "compat=gensim decides eps itself"),
        ("npmi(compat=octis)", "compat must be gensim, or none, not octis"),
        ("npmi(window=99999999999999999999)", "or none, not 99999999999999999999"),
        ("npmi@99999999999999999999999", "must be at least 1"),
        ("coherence(confirmation=npmi)", "must be one of log_ratio, normalised_log_ratio"),
        ("coherence(segmentation=one_al)", "did you mean one_all?"),
        ("npmi(aggregate=mode)", "aggregate must be one of mean, median, sum, min, max, not mode"),
        ("npmi(never=-inf)", "never must be a number, or none, not -inf"),
        ("npmi(never=zero)", "never must be a number, or none, not zero"),
        ("coherence(segmentation=one_set)", "one_set needs similarity=cosine"),
        ("coherence(segmentation=one_any, similarity=cosine)", "one_any cannot be compared"),
        ("coherence(segmentation=one_all, context=5)", "needs documents or windows"),
        ("npmi@", "expected a number of top words"),
        ("npmi(window=10", "expected ','"),
        ("", "give at least one metric"),
    ],
)
def test_wrong_expressions_give_one_clear_line(spec: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_metrics(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_compat_refuses_other_values() -> None:
    for change in ({"never": 0}, {"oov": "zero"}, {"smooth": 1}, {"eps": 1e-6}):
        with pytest.raises(InputError, match="compat=gensim decides"):
            metric("pmi(compat=gensim)")(**change)
    with pytest.raises(InputError, match="compat=gensim decides oov"):
        metric("npmi(oov=zero)")(compat="gensim")


def test_several_specs_in_one_string_and_each_once() -> None:
    assert parse_metrics("npmi@10 c_v(never=0, window=50)@10  npmi@10") == [
        metric("npmi@10"),
        metric("c_v(never=0, window=50)@10"),
    ]


TEXTS = ["a b", "a b", "a c", "c", "b"]


def one(spec: str, words: str) -> tuple[float, float]:
    [row] = tealeaves.score([list(words)], TEXTS, spec, tokens="tokens").topics.rows
    return row.value, row.support


def near(value: float, support: float) -> object:
    return pytest.approx((value, support))


def test_out_of_vocabulary_rules() -> None:
    value, _ = one("npmi", "abc")
    assert one("npmi", "abcx") == near(value, 3 / 6)
    assert one("npmi(oov=zero)", "abcx") == near(value * 3 / 6, 3 / 6)
    with pytest.raises(InputError, match="topic 0: the word 'x' is not in the corpus"):
        one("npmi(oov=error)", "abcx")
    assert one("npmi(oov=error)", "abc") == (value, 1.0)


def test_out_of_vocabulary_rules_of_vectors() -> None:
    value, _ = one("c_v", "abc")
    assert one("c_v", "abcx") == near(value, 3 / 4)
    assert one("c_v(oov=zero)", "abcx") == near(value * 3 / 4, 3 / 4)
    pair, _ = one("c_a", "abc")
    assert one("c_a(oov=zero)", "abcx") == near(pair * 3 / 6, 3 / 6)


def test_out_of_vocabulary_rules_of_sets() -> None:
    spec = "coherence(segmentation=one_any, confirmation=conditional{})"
    value, support = one(spec.format(""), "ab")
    assert support == 1
    # of a given b, x, bx and so on, only a given b and b given a can be judged: 2 of 9
    assert one(spec.format(""), "abx") == near(value, 2 / 9)
    assert one(spec.format(", oov=zero"), "abx") == near(value * 2 / 9, 2 / 9)


def test_nothing_to_judge_is_nan_under_every_rule() -> None:
    for policy in ("skip", "zero"):
        value, support = one(f"npmi(oov={policy})", "xy")
        assert math.isnan(value)
        assert support == 0


def test_rules_for_never_hold_inside_the_vectors() -> None:
    # b and c are never together
    published, zero, limit = (one(s, "abc")[0] for s in ("c_v", "c_v(never=0)", "c_v(never=-1)"))
    assert len({published, zero, limit}) == 3
    assert one("c_p(never=0)", "bc")[0] == 0.0
    assert one("c_p", "bc")[0] == -1.0


def test_gensim_scores_a_lone_word_and_we_do_not() -> None:
    assert one("c_v(compat=gensim)", "ax")[0] == pytest.approx(1.0)
    assert math.isnan(one("c_v", "ax")[0])


def test_sums_and_smoothing_have_no_bounds() -> None:
    assert metric("umass").bounds == (-math.inf, 0.0)
    assert metric("umass(smooth=1)").bounds == (-math.inf, math.inf)
    assert metric("npmi(aggregate=sum)").bounds == (-math.inf, math.inf)


def test_compat_is_undefined_where_every_word_is_absent() -> None:
    for spec in ("c_v", "c_npmi", "umass"):
        value, support = one(f"{spec}(compat=gensim)@5", "xyz")
        assert math.isnan(value)
        assert support == 0


def test_bounds_come_back_with_the_parameters_that_keep_them() -> None:
    assert metric("npmi(aggregate=sum)")(aggregate="mean").bounds == (-1.0, 1.0)
    assert metric("npmi(never=5)").bounds == (-math.inf, math.inf)
    assert metric("npmi(eps=0.1)").bounds == (-math.inf, math.inf)
    assert metric("npmi(eps=1e-12)").bounds == (-1.0, 1.0)


CHOICES: dict[str, list[Value]] = {
    "window": [None, 1, 10, 110],
    "context": [None, 5],
    "eps": [None, 1e-12, 0.01],
    "never": [None, -1, 0, 0.5],
    "smooth": [None, 1],
    "oov": ["skip", "zero", "error"],
    "base": ["e", 2],
    "aggregate": ["mean", "sum"],
    "compat": [None, "gensim"],
    "segmentation": ["one_one", "one_pre", "one_all", "one_any", "one_set"],
    "confirmation": ["normalised_log_ratio", "log_ratio", "conditional", "difference", "fitelson"],
    "similarity": [None, "cosine"],
}


def choices(one: Metric, parameter: str) -> list[Value]:
    """Return some values of a parameter: a list's, all of a choice, or something beside."""
    hint = get_type_hints(type(one.settings), include_extras=True)[parameter]
    if isinstance(one, Coherence):
        return CHOICES[parameter]
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    value = getattr(one.settings, parameter)
    return [value, 1, 3, 0.25, None, "npmi@5"]


@settings(max_examples=400)
@given(st.sampled_from(sorted(METRICS)), st.data())
def test_every_expression_parses_back(name: str, data: st.DataObject) -> None:
    one = metric(name)
    drawn = st.lists(st.sampled_from(one.accepts), max_size=4, unique=True)
    for parameter in data.draw(drawn) if one.accepts else []:
        with contextlib.suppress(InputError):
            one = one(**{parameter: data.draw(st.sampled_from(choices(one, parameter)))})
    back = metric(repr(one))
    assert back.settings == one.settings
    assert back == one
    assert hash(back) == hash(one)
    assert metric(one.signature) == one


def test_different_metrics_are_never_taken_for_one() -> None:
    specs = ["coherence(confirmation=conditional, never=-1)", "coherence(confirmation=conditional)"]
    assert len(parse_metrics(specs)) == 2
    smoothed = [f"coherence(confirmation=difference{p})" for p in ("", ", eps=0.01", ", smooth=1")]
    assert len(parse_metrics(smoothed)) == 3


@pytest.mark.parametrize(
    "spec",
    [
        "coherence(segmentation=one_all, similarity=cosine, never=0, oov=zero)",
        "coherence(segmentation=one_any, oov=zero)@4",
        "c_v(oov=zero)",
        "c_a(oov=zero)",
        "npmi(oov=zero)",
        "c_v(compat=gensim)@3",
    ],
)
def test_a_topic_alone_scores_as_beside_longer_ones(spec: str) -> None:
    texts = ["a b c", "a b", "c d", "d a x", "b c", "a c d", "x", "x y"]
    short, long = ["a", "zz", "b"], ["a", "b", "c", "d"]
    alone = tealeaves.score([short], texts, spec, tokens="tokens").topics.rows[0]
    beside = tealeaves.score([short, long], texts, spec, tokens="tokens").topics.rows[0]
    assert (alone.value, alone.support) == (beside.value, beside.support)


@pytest.mark.parametrize("joint", ["eps=1e-12", "smooth=1"])
def test_what_is_undefined_is_nan_and_never_infinite(joint: str) -> None:
    # no text holds b and c, so nothing is known of a given both
    for confirmation in ("log_ratio", "conditional", "log_conditional"):
        spec = f"coherence(segmentation=one_all, confirmation={confirmation}, {joint})"
        value, support = one(spec, "abc")
        assert not math.isinf(value)
        assert support < 1


def test_numbers_of_numpy_are_numbers() -> None:
    assert metric("npmi")(window=np.int64(5)) @ np.int64(7) == metric("npmi(window=5)@7")  # type: ignore[arg-type, operator]
    assert metric("npmi")(never=np.float64(0)) == metric("npmi(never=0)")


def test_one_any_refuses_long_topics() -> None:
    with pytest.raises(InputError, match="at most @40"):
        one("coherence(segmentation=one_any)@41", "ab")
    assert one("coherence(segmentation=one_any)@20", "ab")[1] > 0
    words = [f"w{number}" for number in range(13)]
    with pytest.raises(InputError, match="one_any takes at most 12 words"):
        tealeaves.score([words], TEXTS, "coherence(segmentation=one_any)", tokens="tokens")


def test_counts_that_lack_a_pair_say_so() -> None:
    counts = tealeaves.Counts.of({"a": 1, "b": 1, "c": 1}, {("a", "b"): 1}, units=3)
    with pytest.raises(EvidenceError, match="'a' and 'c' were not counted together"):
        tealeaves.score([["a", "b", "c"]], None, "npmi", counts=counts)
    with pytest.raises(EvidenceError, match="do not contain the word 'd'"):
        tealeaves.score([["a", "d"]], None, "npmi", counts=counts)


def test_gensim_has_no_value_where_the_corpus_has_none_of_the_words() -> None:
    for row in tealeaves.score([["x", "y"]], TEXTS, "c_v(compat=gensim) npmi(compat=gensim)"):
        assert math.isnan(row.value)
        assert row.support == 0
