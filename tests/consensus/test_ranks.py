"""Signals put together by ranks, with no training."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.arrays import Floats, Integers
from tealeaves.consensus.prediction import is_ranked, mean_ranks, signal_table
from tealeaves.consensus.predictors import all_parts
from tealeaves.consensus.relations import Relations
from tealeaves.consensus.signals import names_of, signals_of
from tealeaves.consensus.sources import ModelSources

from .made import relations_of

# ---------------------------------------------------------------------- the table of signals


def seen(*sources: str, topics: int, rows: list[int], seed: int) -> tuple[Integers, Relations]:
    """Return relations of some topics, and where these stand in their model."""
    assert len(rows) == topics
    return np.array(rows), relations_of(sources, topics=topics, seed=seed)


def judged(size: int, names: tuple[str, ...], *parts: tuple[Integers, Relations]) -> ModelSources:
    """Return the sources of a model of so many topics."""
    made = SimpleNamespace(model=range(size), names=names, relations=list(parts))
    return cast(ModelSources, made)


def test_the_topics_of_all_models_stand_in_turn() -> None:
    first = seen("corpus", topics=2, rows=[2, 0], seed=0)
    more = seen("corpus", topics=1, rows=[3], seed=1)
    other = seen("corpus", "toy", topics=2, rows=[0, 1], seed=2)
    table, support = signal_table(
        [judged(4, ("corpus",), first, more), judged(2, ("corpus", "toy"), other)]
    )
    best = [signals_of(relations)["texts.best"].tolist() for _, relations in (first, more, other)]
    # the topic at 1 has nothing, as one of a single word
    wanted = [best[0][1], np.nan, best[0][0], best[1][0], *best[2]]
    np.testing.assert_array_equal(table["texts.best"], wanted)
    assert np.isnan(table["vectors.best"]).tolist() == [True] * 4 + [False] * 2
    assert table["agreement.joined"][4:].tolist() == (
        signals_of(other[1])["agreement.joined"].tolist()
    )
    assert support.tolist() == [1, 0, 1, 1, 1, 1]


def test_sources_that_know_nothing_of_a_topic_take_their_share_of_support() -> None:
    """Of three sources one knows nothing of the topic, and one a third of its 15 pairs."""
    rows, relations = seen("corpus", "toy", topics=1, rows=[0], seed=0)
    known = {name: flags.copy() for name, flags in relations.known.items()}
    known["toy"][:] = False
    for one, two in ((0, 1), (0, 2), (0, 3), (1, 2), (4, 5)):
        known["toy"][0, one, two] = known["toy"][0, two, one] = True
    own = replace(relations, known=known)
    names = ("corpus", "reference", "toy")
    _, support = signal_table([judged(1, names, (rows, own))])
    assert support == pytest.approx([(1 + 1 / 3) / 2 * 2 / 3])


# ---------------------------------------------------------------------- their ranks


def ranks(**signals: list[float]) -> Floats:
    return mean_ranks({name: np.array(values) for name, values in signals.items()})


def test_one_signal_is_ranked_from_0_to_1() -> None:
    assert ranks(one=[0.3, -2, 7, 0.4, 0.5]).tolist() == [0.25, 0, 1, 0.5, 0.75]


def test_the_mean_over_signals() -> None:
    assert ranks(one=[1, 2, 3], two=[10, 30, 20]).tolist() == [0, 0.75, 0.75]


def test_equal_topics_have_the_mean_of_their_ranks() -> None:
    """Ranks 1, 2 and 3 of 0 to 4 are 2 in the mean."""
    assert ranks(one=[5, 1, 5, 9, 5]).tolist() == [0.5, 0, 0.5, 1, 0.5]
    assert ranks(one=[4, 4, 4]).tolist() == [0.5, 0.5, 0.5]


def test_a_topic_without_a_signal_is_judged_by_the_others() -> None:
    """Those that have a value are ranked among themselves."""
    found = ranks(one=[1, np.nan, 3, 2], two=[4, 3, 2, 1])
    assert found.tolist() == pytest.approx([(0 + 1) / 2, 2 / 3, (1 + 1 / 3) / 2, (0.5 + 0) / 2])


def test_a_topic_without_any_has_no_rank() -> None:
    found = ranks(one=[1, np.nan, 3], two=[np.nan, np.nan, 2])
    assert found[[0, 2]].tolist() == [0, 1]
    assert np.isnan(found[1])


def test_one_topic_alone_has_no_rank() -> None:
    assert np.isnan(ranks(one=[0.7], two=[3])).all()
    assert np.isnan(ranks(one=[np.nan, 0.7])).all()


def test_without_signals_there_are_no_ranks() -> None:
    assert np.isnan(mean_ranks({"texts.second": np.array([1.0, 2.0])})).tolist() == [True, True]
    assert len(mean_ranks({})) == 0


def test_what_may_speak_for_a_topic_or_against_it_is_left_out() -> None:
    plain = {"texts.best": np.array([1.0, 3.0, 2.0])}
    more = plain | {
        "texts.second": np.array([9.0, 1.0, 2.0]),
        "joined.second": np.array([9.0, 1.0, 2.0]),
        "texts.common": np.array([9.0, 1.0, 2.0]),
    }
    assert mean_ranks(more).tolist() == mean_ranks(plain).tolist()
    names = {name for parts, _ in all_parts() for name in names_of(parts)}
    unsure = {"texts.second", "vectors.second", "joined.second", "texts.common"}
    assert {name for name in names if not is_ranked(name)} == unsure
    assert is_ranked("relevance")


@given(st.integers(2, 30), st.integers(0, 10**6))
def test_as_scipy_ranks(size: int, seed: int) -> None:
    from scipy.stats import rankdata

    rng = np.random.default_rng(seed)
    table = rng.integers(5, size=(3, size)).astype(float)
    wanted = np.mean([(rankdata(row) - 1) / (size - 1) for row in table], axis=0)
    found = mean_ranks({f"s{place}": row for place, row in enumerate(table)})
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    # order is all that counts
    curved = mean_ranks({f"s{place}": np.exp(row) for place, row in enumerate(table)})
    np.testing.assert_allclose(found, curved, atol=1e-12)
