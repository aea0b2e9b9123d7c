"""What relations between words say of a topic."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.arrays import Floats
from tealeaves.consensus.predictors import all_parts
from tealeaves.consensus.relations import related
from tealeaves.consensus.signals import (
    FREE,
    agreement,
    meaning,
    names_of,
    shapes,
    signals_of,
)
from tealeaves.consensus.sources import parts_of

from .made import blocks, relations_of, symmetric

THREE = np.array([[[0, 0.9, 0.3], [0.9, 0, 0.6], [0.3, 0.6, 0]]])


def only(values: dict[str, Floats]) -> dict[str, float]:
    """Return the signals of the one topic there is."""
    return {name: float(value[0]) for name, value in values.items()}


# ---------------------------------------------------------------------- shapes


def test_three_words_by_hand() -> None:
    """They fit by .6, .75 and .45; λ³ - 1.26 λ - 2 · .9 · .3 · .6 = 0 has the eigenvalues."""
    found = only(shapes(THREE))
    second = sorted(np.roots([1, 0, -1.26, -2 * 0.162]).real)[-2]
    assert found == pytest.approx({"best": 0.75, "worst": 0.45, "first": 0.6, "second": second / 2})


def test_two_words() -> None:
    """The eigenvalues are .7 and -.7."""
    found = only(shapes(np.array([[[0, 0.7], [0.7, 0]]])))
    assert found == pytest.approx({"best": 0.7, "worst": 0.7, "first": 0.7, "second": -0.7})


def test_thirds_and_first_five() -> None:
    """Of ten words the first six are related, so that each of them fits by 5 / 9."""
    found = only(shapes(blocks([6, 1, 1, 1, 1], 1.0, 0.0)[None]))
    assert found["best"] == pytest.approx(5 / 9)
    assert found["worst"] == 0  # a third of ten is three
    assert found["first"] == 1
    turned = only(shapes(blocks([1, 1, 1, 1, 6], 1.0, 0.0)[None]))
    assert turned["first"] == 0  # of the first five the last begins the block
    assert turned["best"] == pytest.approx(5 / 9)


@pytest.mark.parametrize(("size", "third"), [(2, 1), (3, 1), (4, 1), (5, 2), (8, 3), (20, 7)])
def test_how_many_words_are_a_third(size: int, third: int) -> None:
    """Words are related to the last alone, each by its own number."""
    own = np.arange(1, size) / size
    found = np.zeros((1, size, size))
    found[0, -1, :-1] = found[0, :-1, -1] = own
    fit = sorted([*(own / (size - 1)), own.sum() / (size - 1)])
    assert only(shapes(found))["best"] == pytest.approx(np.mean(fit[-third:]))
    assert only(shapes(found))["worst"] == pytest.approx(np.mean(fit[:third]))


def test_a_topic_in_two_has_a_strong_second_theme() -> None:
    """Five words each: both blocks have the eigenvalue 4. Of one block the others are -1."""
    assert only(shapes(blocks([5, 5], 1.0, 0.0)[None]))["second"] == pytest.approx(4 / 9)
    assert only(shapes(blocks([10], 1.0, 0.0)[None]))["second"] == pytest.approx(-1 / 9)
    seconds = [only(shapes(blocks([5, 5], 0.9, b)[None]))["second"] for b in (0, 0.3, 0.6, 0.9)]
    assert seconds == sorted(seconds, reverse=True)


@given(st.integers(2, 9), st.integers(0, 10**6))
def test_the_order_of_words_matters_to_first_alone(size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    given_ = related(symmetric(rng.normal(size=(1, size, size))))
    order = rng.permutation(size)
    one, other = only(shapes(given_)), only(shapes(given_[:, order[:, None], order]))
    if size > 5:
        del one["first"], other["first"]
    assert one == pytest.approx(other, abs=1e-9)


def test_the_order_of_words_matters_to_first() -> None:
    rng = np.random.default_rng(0)
    given_ = related(symmetric(rng.normal(size=(1, 8, 8))))
    order = np.arange(8)[::-1]
    turned = shapes(given_[:, order[:, None], order])
    assert only(shapes(given_))["first"] != pytest.approx(only(turned)["first"], abs=1e-3)


@given(st.integers(2, 9), st.integers(0, 10**6))
def test_best_worst_and_first_rise_with_each_pair(size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    logits = symmetric(rng.normal(size=(1, size, size)))
    more = symmetric(rng.exponential(size=(1, size, size)))
    low, high = only(shapes(related(logits))), only(shapes(related(logits + more)))
    assert all(low[name] <= high[name] for name in ("best", "worst", "first"))
    assert low["worst"] <= low["best"] + 1e-12


# ---------------------------------------------------------------------- agreement


def test_agreement_is_the_mean_correlation_of_two() -> None:
    logits = list(relations_of(["corpus", "reference", "toy"], size=7).logits.values())
    above = np.triu_indices(7, 1)
    for topic, found in enumerate(agreement(logits)):
        pairs = [one[topic][above] for one in logits]
        wanted = [np.corrcoef(one, other)[0, 1] for one, other in combinations(pairs, 2)]
        assert found == pytest.approx(np.mean(wanted), abs=1e-12)


def test_agreement_knows_neither_scale_nor_level() -> None:
    [one] = relations_of(["corpus"]).logits.values()
    assert agreement([one, 3 * one - 2]) == pytest.approx(np.ones(4))
    assert agreement([one, -one]) == pytest.approx(-np.ones(4))


def test_whoever_makes_no_difference_agrees_with_nobody() -> None:
    [one] = relations_of(["corpus"]).logits.values()
    constant = np.full_like(one, 0.1) * 3
    assert agreement([one, constant]).tolist() == [0, 0, 0, 0]
    assert agreement([constant, constant]).tolist() == [0, 0, 0, 0]
    # a single pair cannot be ordered
    assert agreement([one[:, :2, :2], one[:, 1:3, 1:3]]).tolist() == [0, 0, 0, 0]


# ---------------------------------------------------------------------- all signals


def test_shapes_are_of_the_mean_log_odds() -> None:
    """Texts count as much as vectors, whatever their number."""
    given_ = relations_of(["corpus", "reference", "one", "two", "three"])
    found, logits = signals_of(given_), given_.logits
    texts = (logits["corpus"] + logits["reference"]) / 2
    vectors = (logits["one"] + logits["two"] + logits["three"]) / 3
    for kind, mean in (("texts", texts), ("vectors", vectors), ("joined", (texts + vectors) / 2)):
        for shape, values in shapes(related(mean)).items():
            np.testing.assert_allclose(found[f"{kind}.{shape}"], values, atol=1e-12)
    for kind, sides in (
        ("texts", [logits["corpus"], logits["reference"]]),
        ("vectors", [logits["one"], logits["two"], logits["three"]]),
        ("joined", [texts, vectors]),
    ):
        np.testing.assert_allclose(found[f"agreement.{kind}"], agreement(sides))


def test_how_common_words_are_is_asked_of_the_reference_first() -> None:
    both = relations_of(["corpus", "reference"], size=6)
    top_two = {name: np.sort(both.common[name], axis=1)[:, 4:].mean(axis=1) for name in both.common}
    everything = np.ones(4, dtype=bool)
    assert signals_of(both)["texts.common"] == pytest.approx(top_two["reference"])
    alone = both.part(everything, ["corpus"])
    assert signals_of(alone)["texts.common"] == pytest.approx(top_two["corpus"])


def test_lengths_are_averaged() -> None:
    given_ = relations_of(["wordllama"], lengths=True)
    assert given_.lengths is not None
    assert signals_of(given_)["vectors.length"] == pytest.approx(given_.lengths.mean(axis=1))
    assert "vectors.length" not in signals_of(replace(given_, lengths=None))


@pytest.mark.parametrize(
    ("parts", "embeddings"), all_parts(), ids=["+".join(parts) for parts, _ in all_parts()]
)
def test_names_are_those_of_the_signals_that_come(
    parts: tuple[str, ...], embeddings: tuple[str, ...]
) -> None:
    texts = [name for name in ("corpus", "reference") if name in parts]
    given_ = relations_of([*texts, *embeddings], lengths="length" in parts)
    assert parts_of(given_) == parts
    assert set(signals_of(given_)) == set(names_of(parts))
    assert len(names_of(parts)) == len(set(names_of(parts)))


def test_every_signal_has_a_meaning_of_its_own() -> None:
    names = {name for parts, _ in all_parts() for name in names_of(parts)}
    assert len({meaning(name) for name in names}) == len(names)
    assert set(FREE) < names
    assert meaning("agreement.joined") == (
        "how far texts and vectors agree which words belong together"
    )
    assert meaning("joined.second") == (
        "how strong a second theme is, by texts and vectors together"
    )
